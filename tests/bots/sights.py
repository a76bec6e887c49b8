"""What a seat sees of a round of play, made without a table."""

from __future__ import annotations

from baloot.bots.sight import Sight
from baloot.core.cards import mask_of
from baloot.core.play import CardMove
from baloot.core.ruleset import BalootBlock
from baloot.core.seats import Seat
from baloot.play.state import Play


def sight_in(play: Play, seat: Seat) -> Sight:
    """The round as this seat sees it; the up card was the lowest of its taker."""
    record = play.record
    taker = record.contract.taker
    up_card = next(iter(record.hands[taker]))
    known = [1 << up_card if other is taker else 0 for other in Seat]
    for one in play.said.shown:
        known[one.seat] |= one.project.mask
    moves = [made.move for made in play.moves if isinstance(made.move, CardMove)]
    return Sight(
        seat=seat,
        dealer=record.dealer,
        up_card=up_card,
        hand=play.hands[seat],
        scores=(0, 0),
        calls=(),
        contract=record.contract,
        tricks=play.tricks,
        leader=play.leader,
        trick=play.trick,
        known=(known[0], known[1], known[2], known[3]),
        akkas=mask_of(move.card for move in moves if move.akka),
        scored_hundred=record.ruleset.baloot_block is BalootBlock.SCORED_HUNDRED,
    )
