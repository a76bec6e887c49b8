"""What a bot does: a pure function of what its seat sees. It never guesses at random, so it can be replayed."""

from __future__ import annotations

from baloot.api.core.v1.auction_pb2 import Call
from baloot.api.core.v1.play_pb2 import ClaimQaid, ClaimSawa, PlayCard
from baloot.api.table.v1.events_pb2 import Question
from baloot.api.table.v1.table_pb2 import ROUND_PHASE_CUT, TableView
from baloot.bots.bidding import choose_call
from baloot.bots.claiming import provable
from baloot.bots.playing import choose_move
from baloot.bots.sight import question_of, sight_of
from baloot.codec.auction import encode_call
from baloot.codec.play import encode_card_move, encode_qaid_move
from baloot.core.auction import Asked
from baloot.core.play import SawaMove

Action = Call | PlayCard | ClaimSawa | ClaimQaid


def choose(view: TableView) -> Action:
    """What the viewer does about its open question. Raises ValueError when it is asked nothing."""
    if not view.HasField("question"):
        raise ValueError("the viewer is not asked anything")
    claim = claim_in(view)
    if claim is not None:
        return claim
    if view.round.phase == ROUND_PHASE_CUT:  # before any card is dealt there is nothing to choose by
        return default_of(view.question)
    sight, question = sight_of(view), question_of(view.question)
    if isinstance(question, Asked):
        return encode_call(choose_call(sight, question))
    move = choose_move(sight, question)
    return ClaimSawa() if isinstance(move, SawaMove) else encode_card_move(move)


def claim_in(view: TableView) -> ClaimQaid | None:
    """The Qaid that the viewer claims, asked or not; None when it can prove none."""
    claim = provable(view)
    return None if claim is None else encode_qaid_move(claim)


def default_of(question: Question) -> Action:
    """What the table would do for a seat that does not answer."""
    if question.WhichOneof("question") == "play":
        return question.play.default_move
    return question.call.default_call
