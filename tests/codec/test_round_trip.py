"""Whatever the core holds comes back from the wire as it went."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from baloot.codec import auction, cards, contract, deal, play, ruleset, score
from google.protobuf.message import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.codec import values

Case = tuple[st.SearchStrategy[Any], Callable[[Any], Any], Callable[[Any, str], Any]]

CASES: dict[str, Case] = {
    "hand": (values.hands, cards.encode_hand, cards.decode_hand),
    "ruleset": (values.rulesets, ruleset.encode_ruleset, ruleset.decode_ruleset),
    "raise": (values.raises, contract.encode_raise, contract.decode_raise),
    "contract": (values.contracts, contract.encode_contract, contract.decode_contract),
    "call": (values.calls, auction.encode_call, auction.decode_call),
    "seat call": (values.seat_calls, auction.encode_seat_call, auction.decode_seat_call),
    "auction record": (
        values.auction_records,
        auction.encode_auction_record,
        auction.decode_auction_record,
    ),
    "asked": (values.asked, auction.encode_asked, auction.decode_asked),
    "auction step": (values.auction_steps, auction.encode_auction_step, auction.decode_auction_step),
    "project": (values.projects, play.encode_project, play.decode_project),
    "declaration": (values.declarations, play.encode_declaration, play.decode_declaration),
    "seat project": (values.seat_projects, play.encode_seat_project, play.decode_seat_project),
    "card move": (values.card_moves, play.encode_card_move, play.decode_card_move),
    "seat move": (values.seat_moves, play.encode_seat_move, play.decode_seat_move),
    "play record": (values.play_records, play.encode_play_record, play.decode_play_record),
    "trick": (values.tricks, play.encode_trick, play.decode_trick),
    "play asked": (values.play_asked, play.encode_play_asked, play.decode_play_asked),
    "qaid move": (values.qaid_moves, play.encode_qaid_move, play.decode_qaid_move),
    "qaid": (values.qaids, play.encode_qaid, play.decode_qaid),
    "play outcome": (values.play_outcomes, play.encode_play_outcome, play.decode_play_outcome),
    "play step": (values.play_steps, play.encode_play_step, play.decode_play_step),
    "score line": (values.lines, score.encode_score_line, score.decode_score_line),
    "round record": (values.round_records, score.encode_round_record, score.decode_round_record),
    "round score": (values.round_scores, score.encode_round_score, score.decode_round_score),
    "sealed seed": (values.sealed_seeds, deal.encode_sealed_seed, deal.decode_sealed_seed),
    "opening": (values.openings, deal.encode_opening, deal.decode_opening),
    "dealt": (values.dealt, deal.encode_dealt, deal.decode_dealt),
}


def over_the_wire(message: Message) -> Message:
    return type(message).FromString(message.SerializeToString())


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_what_is_encoded_is_decoded_as_it_was(case: str, data: st.DataObject) -> None:
    strategy, encode, decode = CASES[case]
    value = data.draw(strategy)
    assert decode(over_the_wire(encode(value)), "it") == value


@given(values.points)
def test_points_come_back(points: tuple[int, int]) -> None:
    assert cards.decode_points(cards.encode_points(points)) == points


@given(values.different(values.cards, 32))
def test_cards_keep_their_order(held: tuple[Any, ...]) -> None:
    assert cards.decode_cards(cards.encode_cards(held), "it") == held


@given(values.some(values.seats))
def test_seats_keep_their_order(seats: tuple[Any, ...]) -> None:
    assert cards.decode_seats(cards.encode_seats(seats), "it") == seats


def test_every_encoder_is_tried_here() -> None:
    modules = (auction, cards, contract, deal, play, ruleset, score)
    public = {
        getattr(module, name) for module in modules for name in vars(module) if name.startswith("encode_")
    }
    apart = {cards.encode_points, cards.encode_cards, cards.encode_seats}
    assert public == {encode for _, encode, _ in CASES.values()} | apart
