"""Messages that are no value of the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from baloot.codec.auction import (
    decode_auction_record,
    decode_auction_step,
    encode_auction_record,
    encode_auction_step,
)
from baloot.codec.cards import decode_cards
from baloot.codec.deal import decode_dealt, decode_sealed_seed, encode_dealt, encode_sealed_seed
from baloot.codec.play import (
    decode_announced,
    decode_card_move,
    decode_play_outcome,
    decode_play_record,
    decode_trick,
    encode_card_move,
    encode_play_outcome,
    encode_play_record,
    encode_project,
    encode_trick,
)
from baloot.codec.ruleset import decode_ruleset, encode_ruleset
from baloot.codec.score import decode_round_score, encode_round_score
from baloot.core.auction import HOKUM, AuctionRecord, AuctionStep, SeatCall
from baloot.core.cards import CARDS, Card, Hand, Suit
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.deal import Dealt, Deck, SealedSeed
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove, PlayOutcome, PlayRecord, SawaMove, SeatMove, Trick
from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.ruleset import STANDARD, Sawa
from baloot.core.score import RoundResult, RoundScore
from baloot.core.seats import Seat
from google.protobuf.message import Message

HANDS = tuple(Hand(0xFF << 8 * n) for n in range(4))
DOUBLE = Raise(Seat.WEST, Level.DOUBLE)
CONTRACT = Contract(Mode.HOKUM, Suit.HEARTS, Seat.SOUTH, Seat.SOUTH, Bidding.FIRST, (DOUBLE,))
SIRA = Project(ProjectKind.SIRA, (Card.C7S, Card.C8S, Card.C9S))
CALLS = (SeatCall(Seat.EAST, HOKUM),)
AUCTION = AuctionRecord(Seat.SOUTH, Card.CAH, tuple(Hand(31 << 8 * n) for n in range(4)), (1, 2), CALLS)
MOVES = (SeatMove(Seat.EAST, CardMove(Card.C7S, (SIRA,))), SeatMove(Seat.NORTH, SawaMove()))
PLAY = PlayRecord(CONTRACT, Seat.SOUTH, (HANDS[0], HANDS[1], HANDS[2], HANDS[3]), MOVES)
TRICK = Trick(Seat.EAST, (Card.C7S, Card.C8S, Card.C9S, Card.CAS), Seat.SOUTH, 11)
SCORE = RoundScore(RoundResult.MADE, None, (100, 62), (10, 6), (), (10, 6), (10, 6), None)
DEALT = Dealt(1, Deck(CARDS), bytes(32), bytes(32))

DECODERS: dict[str, tuple[Callable[[], Message], Callable[[Any, str], Any]]] = {
    "auction": (lambda: encode_auction_record(AUCTION), decode_auction_record),
    "step": (lambda: encode_auction_step(AuctionStep(AUCTION, (), CONTRACT, CONTRACT)), decode_auction_step),
    "play": (lambda: encode_play_record(PLAY), decode_play_record),
    "move": (lambda: encode_card_move(CardMove(Card.C7S, (SIRA,))), decode_card_move),
    "trick": (lambda: encode_trick(TRICK), decode_trick),
    "score": (lambda: encode_round_score(SCORE), decode_round_score),
    "ruleset": (lambda: encode_ruleset(STANDARD.with_options(match_target=100)), decode_ruleset),
    "dealt": (lambda: encode_dealt(DEALT), decode_dealt),
    "seed": (lambda: encode_sealed_seed(SealedSeed(bytes(32), b"x")), decode_sealed_seed),
}

REQUIRED = Reason.FIELD_REQUIRED
INVALID = Reason.FIELD_INVALID

CASES: list[tuple[str, str, Any, Reason, str]] = [
    # what, the field that is set, to what (None clears it), the reason, the path that is named
    ("auction", "dealer", 0, REQUIRED, "auction.dealer"),
    ("auction", "dealer", 5, INVALID, "auction.dealer"),
    ("auction", "up_card", 0, REQUIRED, "auction.up_card"),
    ("auction", "up_card", 33, INVALID, "auction.up_card"),
    ("auction", "hands[2].cards[1]", 33, INVALID, "auction.hands[2].cards[1]"),
    ("auction", "hands[2].cards[1]", 0, REQUIRED, "auction.hands[2].cards[1]"),
    ("auction", "hands[2].cards[1]", 17, INVALID, "auction.hands[2].cards"),
    ("auction", "hands", 5, INVALID, "auction.hands"),
    ("auction", "calls", 65, INVALID, "auction.calls"),
    ("auction", "calls[0].seat", 0, REQUIRED, "auction.calls[0].seat"),
    ("auction", "calls[0].call", None, REQUIRED, "auction.calls[0].call.kind"),
    ("auction", "calls[0].call.kind", 99, INVALID, "auction.calls[0].call.kind"),
    ("auction", "calls[0].call.suit", -1, INVALID, "auction.calls[0].call.suit"),
    ("auction", "calls[0].call.lock", 3, INVALID, "auction.calls[0].call.lock"),
    ("auction", "ruleset.sawa", 9, INVALID, "auction.ruleset.sawa"),
    ("step", "contract.mode", 0, REQUIRED, "step.contract.mode"),
    ("step", "bought.buyer", 0, REQUIRED, "step.bought.buyer"),
    ("step", "kawesh.seat", 9, INVALID, "step.kawesh.seat"),
    ("play", "contract", None, REQUIRED, "play.contract.mode"),
    ("play", "contract.trump", 7, INVALID, "play.contract.trump"),
    ("play", "contract.taker", 0, REQUIRED, "play.contract.taker"),
    ("play", "contract.bidding", 3, INVALID, "play.contract.bidding"),
    ("play", "contract.raises", 5, INVALID, "play.contract.raises"),
    ("play", "contract.raises[0].level", 1, INVALID, "play.contract.raises[0].level"),
    ("play", "contract.raises[0].seat", 0, REQUIRED, "play.contract.raises[0].seat"),
    ("play", "hands", None, REQUIRED, "play.hands"),
    ("play", "hands", 3, INVALID, "play.hands"),
    ("play", "hands", 5, INVALID, "play.hands"),
    ("play", "moves", 38, INVALID, "play.moves"),
    ("play", "moves[1].sawa", None, REQUIRED, "play.moves[1].move"),
    ("play", "moves[0].card.card", 0, REQUIRED, "play.moves[0].card.card"),
    ("play", "moves[0].card.projects[0].kind", 0, REQUIRED, "play.moves[0].card.projects[0].kind"),
    ("play", "moves[0].card.projects[0].cards[0]", 2, INVALID, "play.moves[0].card.projects[0].cards"),
    ("play", "moves[0].card.projects[0].cards", None, REQUIRED, "play.moves[0].card.projects[0].cards"),
    ("move", "projects[0].cards", 6, INVALID, "move.projects[0].cards"),
    ("move", "projects", 9, INVALID, "move.projects"),
    ("trick", "cards", 3, INVALID, "trick.cards"),
    ("trick", "cards[0]", 2, INVALID, "trick.cards"),
    ("trick", "winner", 0, REQUIRED, "trick.winner"),
    ("score", "result", 0, REQUIRED, "score.result"),
    ("score", "winner", 3, INVALID, "score.winner"),
    ("ruleset", "name", "", REQUIRED, "ruleset.name"),
    ("ruleset", "name", "x" * 41, INVALID, "ruleset.name"),
    ("ruleset", "name", "two\nlines", INVALID, "ruleset.name"),
    ("ruleset", "kawesh_turn", -1, INVALID, "ruleset.kawesh_turn"),
    ("dealt", "number", 0, INVALID, "dealt.number"),
    ("dealt", "deck", 31, INVALID, "dealt.deck"),
    ("dealt", "deck", None, REQUIRED, "dealt.deck"),
    ("dealt", "deck[3]", 1, INVALID, "dealt.deck"),
    ("dealt", "deck_root", b"", REQUIRED, "dealt.deck_root"),
    ("dealt", "commitment", bytes(31), INVALID, "dealt.commitment"),
    ("seed", "commitment", bytes(33), INVALID, "seed.commitment"),
    ("seed", "sealed", b"", REQUIRED, "seed.sealed"),
    ("seed", "sealed", bytes(1025), INVALID, "seed.sealed"),
]


def change(message: Any, path: str, value: Any) -> None:
    """Sets a field; a list gets `value` entries, by leaving some out or repeating the last."""
    *parents, last = path.split(".")
    for parent in parents:
        message = at(message, parent)
    name, _, index = last.partition("[")
    field = getattr(message, name)
    if index:
        field[int(index[:-1])] = value
    elif value is None:
        message.ClearField(name)
    elif isinstance(field, (int, str, bytes)):
        setattr(message, name, value)
    else:
        resize(field, value)


def at(message: Any, step: str) -> Any:
    name, _, index = step.partition("[")
    return getattr(message, name)[int(index[:-1])] if index else getattr(message, name)


def resize(field: Any, count: int) -> None:
    entries = [*field]
    del field[:]
    field.extend((entries + [entries[-1]] * count)[:count])


@pytest.mark.parametrize(("what", "path", "value", "reason", "named"), CASES)
def test_what_is_no_value_is_refused_with_its_path(
    what: str, path: str, value: Any, reason: Reason, named: str
) -> None:
    make, decode = DECODERS[what]
    message = make()
    assert decode(message, what) is not None
    change(message, path, value)
    with pytest.raises(Refusal) as caught:
        decode(message, what)
    assert (caught.value.reason, caught.value.field) == (reason, named)
    assert caught.value.message.startswith(named)


@pytest.mark.parametrize("what", DECODERS)
def test_an_empty_message_is_refused_or_the_standard(what: str) -> None:
    make, decode = DECODERS[what]
    empty = type(make())()
    if what == "ruleset":
        assert decode(empty, what) is STANDARD
        return
    with pytest.raises(Refusal):
        decode(empty, what)


def test_a_refusal_names_no_card() -> None:
    with pytest.raises(Refusal) as caught:
        decode_cards([1, 2, 2], "hand.cards")
    assert caught.value.message == "hand.cards holds a card twice"


# --- what a client may leave out


def test_a_record_without_a_rule_set_is_played_by_the_standard_one() -> None:
    message = encode_auction_record(AUCTION)
    message.ClearField("ruleset")
    assert decode_auction_record(message, "record").ruleset is STANDARD


def test_an_option_that_is_unset_has_its_standard_value() -> None:
    message = encode_ruleset(
        STANDARD.with_options(sawa=Sawa.OFF, match_target=100, kawesh=False, kaboot_sun=0)
    )
    for name in ("sawa", "kawesh", "kaboot_sun"):
        message.ClearField(name)
    assert decode_ruleset(message, "ruleset") == STANDARD.with_options(match_target=100)


def test_zero_and_no_are_values_of_an_option() -> None:
    chosen = STANDARD.with_options(kawesh=False, kaboot_sun=0)
    assert decode_ruleset(encode_ruleset(chosen), "ruleset") == chosen


def test_the_standard_rule_set_may_go_without_its_name() -> None:
    message = encode_ruleset(STANDARD)
    message.ClearField("name")
    assert decode_ruleset(message, "ruleset") is STANDARD


def test_an_option_of_a_newer_version_is_refused_and_not_passed_over() -> None:
    for ruleset in (STANDARD, STANDARD.with_options(match_target=100)):
        raw = encode_ruleset(ruleset).SerializeToString()
        message = type(encode_ruleset(ruleset)).FromString(raw + b"\xc8\x04\x01")  # field 73
        with pytest.raises(Refusal) as caught:
            decode_ruleset(message, "ruleset")
        assert caught.value.reason is Reason.OPTION_UNSUPPORTED
        assert (caught.value.field, caught.value.metadata) == ("ruleset", {"options": "73"})


def test_the_cards_of_a_project_may_come_in_any_order() -> None:
    message = encode_card_move(CardMove(Card.C7S, (SIRA,)))
    cards = message.projects[0].cards
    cards[0], cards[2] = cards[2], cards[0]
    assert decode_card_move(message, "move").projects == (SIRA,)


def test_a_project_is_announced_without_its_cards() -> None:
    message = encode_project(SIRA)
    message.ClearField("cards")
    assert decode_announced(message, "project") == Project(ProjectKind.SIRA, ())


def test_a_counted_project_may_be_told_by_its_kind_alone() -> None:
    told = SeatProject(Seat.WEST, Project(ProjectKind.SIRA, ()))
    outcome = PlayOutcome((4, 4), (92, 70), (told,), ())
    assert decode_play_outcome(encode_play_outcome(outcome), "play") == outcome


def test_a_message_that_is_encoded_twice_is_two_messages() -> None:
    """A server may change what it got; the next answer must not show it."""
    encode_ruleset(STANDARD).match_target = 1
    assert encode_ruleset(STANDARD).match_target == 152
