"""What holds in every auction, whatever is said."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from baloot.bidding.rules import (
    Auction,
    asked,
    default_call,
    fold,
    legal_calls,
    make_call,
    outcome,
    start_auction,
    step,
)
from baloot.core.auction import PASS, AuctionRecord, Call, CallKind, QuestionKind, SeatCall
from baloot.core.cards import SUITS, Card, Hand, Suit
from baloot.core.contract import Contract, Level, Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Position, Seat, position
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.rules.bidding.story import story
from tests.rules.bidding.told import next_or_end, questions_of, setting_of, tell
from tests.strategies.auction import (
    EVERY_CALL,
    auctions,
    forced_suns,
    open_calls,
    positions_of,
    whole_records,
)


def refusal_of(auction: Auction, seat: Seat, call: Call) -> Refusal | None:
    try:
        make_call(auction, seat, call)
    except Refusal as refusal:
        return refusal
    return None


@given(auctions())
def test_a_call_is_legal_exactly_when_making_it_is_not_refused(auction: Auction) -> None:
    for seat in SEATS:
        legal = legal_calls(auction, seat)
        assert len(set(legal)) == len(legal)
        forced = {call for who, call in forced_suns(auction) if who is seat}
        assert not forced & set(legal)
        assert {call for call in EVERY_CALL if refusal_of(auction, seat, call) is None} == {*legal, *forced}


@given(auctions())
def test_somebody_must_speak_until_the_end_and_nobody_after_it(auction: Auction) -> None:
    waited_for = [question for question in asked(auction) if not question.optional]
    assert bool(waited_for) is (outcome(auction) is None)
    assert bool(asked(auction)) is (outcome(auction) is None)
    assert all(question.legal for question in asked(auction))


@given(auctions())
def test_the_default_is_a_legal_call_except_out_of_turn_where_it_is_silence(auction: Auction) -> None:
    for question in asked(auction):
        assert default_call(auction, question.seat) == question.default
        assert (question.default in question.legal) is not question.optional
        assert question.default == PASS or question.kind is QuestionKind.CONFIRM


@given(auctions())
def test_everybody_who_is_waited_for_may_pass_except_at_the_confirm_step(auction: Auction) -> None:
    for question in asked(auction):
        if not question.optional:
            assert (PASS in question.legal) is (question.kind is not QuestionKind.CONFIRM)


@given(auctions())
def test_nobody_is_asked_twice_at_once(auction: Auction) -> None:
    seats = [question.seat for question in asked(auction)]
    assert len(set(seats)) == len(seats)
    assert all(question.legal == legal_calls(auction, question.seat) for question in asked(auction))
    assert all(not legal_calls(auction, seat) for seat in SEATS if seat not in seats)


LONGEST = 4 + 4 + 3 + 1 + 3 + 8
"""Four passes, a Hokum of the dealer, its answers, its confirm step, three asked for qablak, and a ladder of teams."""


@given(whole_records())
def test_every_auction_ends(record: AuctionRecord) -> None:
    assert outcome(fold(record)) is not None
    assert len(record.calls) <= LONGEST


@given(whole_records())
def test_what_is_carried_equals_the_fold_of_the_record(record: AuctionRecord) -> None:
    course = positions_of(record)
    for auction in course:
        assert fold(auction.record) == auction
    for before, after in pairwise(course):
        assert after.record.calls[:-1] == before.record.calls
        last = after.record.calls[-1]
        assert after.record == replace(before.record, calls=(*before.record.calls, last))


@given(whole_records())
def test_an_auction_goes_as_the_story_tells_it(record: AuctionRecord) -> None:
    course = positions_of(record)
    telling = story(setting_of(record))
    assert next_or_end(telling, None) == questions_of(course[0])
    for auction, last in zip(course[1:], record.calls, strict=True):
        following = next_or_end(telling, (position(last.seat, record.dealer).value, str(last.call)))
        assert following == (tell(auction) if outcome(auction) else questions_of(auction))


def turned(seat: Seat, by: int) -> Seat:
    return SEATS[(seat + by) % 4]


def turned_record(record: AuctionRecord, by: int) -> AuctionRecord:
    """The same record with everybody moved round the table."""
    hands = record.hands and tuple(record.hands[(n - by) % 4] for n in range(4))
    scores = record.scores if by % 2 == 0 else (record.scores[1], record.scores[0])
    calls = tuple(SeatCall(turned(said.seat, by), said.call) for said in record.calls)
    return replace(record, dealer=turned(record.dealer, by), hands=hands, scores=scores, calls=calls)


@given(auctions(), st.integers(1, 3))
def test_moving_everybody_round_the_table_changes_only_names(auction: Auction, by: int) -> None:
    moved = fold(turned_record(auction.record, by))
    assert tell(moved) == tell(auction)
    assert questions_of(moved) == questions_of(auction)
    assert [turned(seat, by) for seat in step(auction).sealed] == list(step(moved).sealed)


def recoloured_record(record: AuctionRecord, suits: list[Suit]) -> AuctionRecord:
    def card(old: Card) -> Card:
        return Card.of(suits[old.suit], old.rank)

    def call(old: Call) -> Call:
        return old if old.suit is None else replace(old, suit=suits[old.suit])

    return replace(
        record,
        up_card=card(record.up_card),
        hands=tuple(Hand.of(card(old) for old in hand) for hand in record.hands),
        calls=tuple(SeatCall(said.seat, call(said.call)) for said in record.calls),
    )


@given(auctions(), st.permutations(SUITS))
def test_renaming_the_suits_changes_only_names(auction: Auction, suits: list[Suit]) -> None:
    recoloured = fold(recoloured_record(auction.record, suits))
    for seat in SEATS:
        expected = {
            call if call.suit is None else replace(call, suit=suits[call.suit])
            for call in legal_calls(auction, seat)
        }
        assert set(legal_calls(recoloured, seat)) == expected
    before, after = auction.contract, recoloured.contract
    if before is not None and before.trump is not None:
        before = replace(before, trump=suits[before.trump])
    assert after == before


@given(whole_records())
def test_a_contract_once_bought_stays_and_is_the_outcome(record: AuctionRecord) -> None:
    course = positions_of(record)
    bought = [auction.contract for auction in course if auction.contract is not None]
    end = outcome(course[-1])
    assert (bought[-1] if bought else None) == (end if isinstance(end, Contract) else None)
    assert len({replace(contract, raises=()) for contract in bought}) <= 1
    for contract in bought:
        levels = [raised.level for raised in contract.raises]
        assert levels == list(Level)[1 : len(levels) + 1]
        assert (contract.trump is None) is (contract.mode is Mode.SUN)


@given(auctions())
def test_the_step_says_what_the_functions_say(auction: Auction) -> None:
    told = step(auction)
    assert told.record == auction.record
    assert told.asked == asked(auction)
    assert told.outcome == outcome(auction)
    assert told.contract == auction.contract


@given(whole_records())
def test_answers_are_sealed_until_they_are_settled_and_then_no_more(record: AuctionRecord) -> None:
    for auction in positions_of(record):
        open_answers = [q.seat for q in asked(auction) if q.kind is QuestionKind.ANSWER]
        sealed = step(auction).sealed
        assert not set(sealed) & set(open_answers)
        assert bool(open_answers) or not sealed
        assert sealed == tuple(
            said.seat for said in auction.record.calls[len(auction.record.calls) - len(sealed) :]
        )


def folded(record: AuctionRecord) -> Auction | None:
    try:
        return fold(record)
    except Refusal:
        return None


@given(whole_records(), st.data())
def test_what_is_asked_does_not_tell_what_the_sealed_answers_are(
    record: AuctionRecord, data: st.DataObject
) -> None:
    """Two auctions that differ in one sealed answer alone look alike to everybody, as long as neither is settled."""
    sealed = [auction for auction in positions_of(record) if step(auction).sealed]
    assume(sealed)
    auction = data.draw(st.sampled_from(sealed))
    calls = list(auction.record.calls)
    at = len(calls) - 1 - data.draw(st.integers(0, len(step(auction).sealed) - 1))
    before = fold(replace(auction.record, calls=tuple(calls[:at])))
    other = data.draw(st.sampled_from(legal_calls(before, calls[at].seat)))
    calls[at] = SeatCall(calls[at].seat, other)
    twin = folded(replace(auction.record, calls=tuple(calls)))
    assume(twin is not None and step(twin).sealed)
    assert twin is not None
    assert asked(twin) == asked(auction)
    assert step(twin).sealed == step(auction).sealed


@given(whole_records(), st.data())
def test_a_record_with_a_bad_call_is_refused_naming_the_call(
    record: AuctionRecord, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(record.calls) - 1))
    seat, call = data.draw(st.sampled_from([(seat, call) for seat in SEATS for call in EVERY_CALL]))
    before = positions_of(record)[at]
    assume((seat, call) not in open_calls(before) + forced_suns(before))
    calls = list(record.calls)
    calls[at] = SeatCall(seat, call)
    with pytest.raises(Refusal) as caught:
        fold(replace(record, calls=tuple(calls)))
    assert caught.value.reason is Reason.RECORD_INVALID
    assert caught.value.field == f"record.calls[{at}]"
    assert caught.value.metadata["index"] == str(at)
    assert f"call {at}, {call} by {seat}" in caught.value.message


@given(auctions())
def test_a_refusal_is_a_sentence_that_names_no_card_of_a_hand(auction: Auction) -> None:
    held = {str(card) for hand in auction.record.hands for card in hand}
    for seat in SEATS:
        for call in EVERY_CALL:
            refusal = refusal_of(auction, seat, call)
            if refusal is not None:
                assert refusal.reason is not Reason.RECORD_INVALID
                assert "{" not in refusal.message
                assert len(refusal.message.split()) > 4
                assert not held & set(re.findall(r"\w+", refusal.message))


@given(auctions())
def test_calling_changes_nothing_that_was_there(auction: Auction) -> None:
    before = pickle.dumps(auction)
    for seat, call in open_calls(auction):
        make_call(auction, seat, call)
    assert pickle.dumps(auction) == before


def test_the_notation_of_a_call_reads_back() -> None:
    assert [Call.parse(str(call)) for call in EVERY_CALL] == list(EVERY_CALL)


def test_the_generated_auctions_contain_every_kind_of_call() -> None:
    made: set[CallKind] = set()

    @settings(max_examples=400, derandomize=True, database=None)
    @given(whole_records())
    def collect(record: AuctionRecord) -> None:
        made.update(said.call.kind for said in record.calls)

    collect()
    assert made == set(CallKind) - {CallKind.CUT}


FIVES = tuple(
    Hand.parse(text) for text in ("AS KS QS JS 10S", "7S 7C 8C 8D 9D", "KC QC JC 10C AC", "AD KD QD JD 10D")
)


@pytest.mark.parametrize(
    ("hands", "sentence"),
    [
        (FIVES[:3], "four seats"),
        ((*FIVES, FIVES[0]), "four seats"),
        ((*FIVES[:3], Hand.parse("AD KD QD JD")), "five cards"),
        ((*FIVES[:3], Hand()), "five cards"),
        ((*FIVES[:3], FIVES[0]), "different cards"),
        ((*FIVES[:3], Hand.parse("AD KD QD JD KH")), "different cards"),
    ],
)
def test_hands_that_nobody_can_hold_are_refused(hands: tuple[Hand, ...], sentence: str) -> None:
    with pytest.raises(Refusal, match=sentence) as caught:
        start_auction(AuctionRecord(Seat.WEST, Card.CKH, hands))
    assert (caught.value.reason, caught.value.field) == (Reason.RECORD_INVALID, "record.hands")


def test_an_auction_does_not_start_with_calls() -> None:
    record = AuctionRecord(Seat.WEST, Card.CKH).after(Position.S1.seat(Seat.WEST), PASS)
    with pytest.raises(Refusal) as caught:
        start_auction(record)
    assert (caught.value.reason, caught.value.field) == (Reason.RECORD_INVALID, "record.calls")
