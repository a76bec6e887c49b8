"""Generators of auctions: any position that can come up at a table, and whole auctions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from random import Random

from baloot.bidding.rules import Auction, asked, fold, make_call, start_auction
from baloot.core.auction import ASHKAL, AuctionRecord, Call, CallKind, QuestionKind
from baloot.core.cards import CARDS, SUITS, Card, Hand, Rank
from baloot.core.ruleset import OPTIONS, STANDARD, IllegalAshkal, Ruleset
from baloot.core.seats import SEATS, Seat
from hypothesis import strategies as st

EVERY_CALL: tuple[Call, ...] = tuple(
    Call(kind, suit, locked) for kind in CallKind for suit in (None, *SUITS) for locked in (None, False, True)
)
"""Whatever can be said, sensible or not."""


OPTIONS_OF_THE_AUCTION = (
    "sun_over_hokum_first", "sun_takeover_first", "sun_takeover_second", "sun_over_hokum_second", "confirm_step",
    "turn_to_sun_on_ace", "turned_sun_takeover", "unnamed_suit", "ashkal_seats", "ashkal_biddings", "ashkal_on_ace",
    "illegal_ashkal", "ashkal_over_hokum", "kawesh", "kawesh_turn", "three_by", "four_by", "gahwa_by", "lock_choice",
    "sun_double_threshold", "sun_raise_ceiling",
)  # fmt: skip
"""Options that change what may be said."""


def values_of(option: str) -> Sequence[object]:
    """Every value of an option that is not a number."""
    kind = OPTIONS[option]
    return list(kind) if issubclass(kind, Enum) else (False, True)


def randoms() -> st.SearchStrategy[Random]:
    return st.integers(0, 2**32 - 1).map(Random)


def random_rule_set(rng: Random) -> Ruleset:
    """Any choice of the options of the auction, under a name of its own."""
    chosen = {name: rng.choice(values_of(name)) for name in OPTIONS_OF_THE_AUCTION}
    return STANDARD.with_options(name=f"mine {rng.randrange(10**9)}", **chosen)


def rule_sets() -> st.SearchStrategy[Ruleset]:
    """`standard`, and any other choice of the options of the auction."""
    return st.just(STANDARD) | randoms().map(random_rule_set)


@st.composite
def first_hands(draw: st.DrawFn, up_card: Card) -> tuple[Hand, ...]:
    """Five cards for each seat, with one or two worthless hands more often than chance gives."""
    others = draw(st.permutations([card for card in CARDS if card is not up_card]))
    worthless = draw(st.integers(0, 2))
    low = [card for card in others if card.rank <= Rank.NINE][: 5 * worthless]
    cards = low + [card for card in others if card not in low]
    hands = [Hand.of(cards[5 * n : 5 * n + 5]) for n in range(4)]
    return tuple(draw(st.permutations(hands)))


@st.composite
def fresh_records(draw: st.DrawFn) -> AuctionRecord:
    """A record without calls of any rule set.

    Half of them are without hands, and scores are often near the 100 that a Sun's double needs.
    """
    up_card = draw(
        st.sampled_from(CARDS) | st.sampled_from([card for card in CARDS if card.rank is Rank.ACE])
    )
    points = st.sampled_from([0, 40, 99, 100, 101, 102, 151]) | st.integers(0, 151)
    hands = draw(st.just(()) | first_hands(up_card))
    return AuctionRecord(
        draw(st.sampled_from(SEATS)),
        up_card,
        hands,
        (draw(points), draw(points)),
        ruleset=draw(rule_sets()),
    )


def open_calls(auction: Auction) -> list[tuple[Seat, Call]]:
    """Everything that may be said now by anybody, offers out of turn included."""
    return [(question.seat, call) for question in asked(auction) for call in question.legal]


def forced_suns(auction: Auction) -> list[tuple[Seat, Call]]:
    """The wrong Ashkals that count as Sun: wherever Sun may be bid and Ashkal may not (2.8)."""
    if auction.record.ruleset.illegal_ashkal is IllegalAshkal.REJECT:
        return []
    bids = (QuestionKind.FIRST, QuestionKind.ANSWER, QuestionKind.SECOND)
    return [
        (question.seat, ASHKAL)
        for question in asked(auction)
        if question.kind in bids and ASHKAL not in question.legal
    ]


def positions_of(record: AuctionRecord) -> list[Auction]:
    """Every position of an auction, from the deal to where its record ends."""
    positions = [start_auction(replace(record, calls=()))]
    for said in record.calls:
        positions.append(make_call(positions[-1], said.seat, said.call))
    return positions


_MODEST = {
    QuestionKind.FIRST: 0.6,
    QuestionKind.SECOND: 0.5,
    QuestionKind.ANSWER: 0.8,
    QuestionKind.TAKEOVER: 0.6,
}
"""How often the first call is chosen, so that each part of an auction is reached often enough; else 0.1."""


def random_record(record: AuctionRecord, rng: Random, longest: int = 64) -> AuctionRecord:
    """The record of a random auction of at most so many calls."""
    auction = start_auction(record)
    while len(auction.record.calls) < longest and (calls := open_calls(auction)):
        assert auction.phase is not None
        modest = rng.random() < _MODEST.get(auction.phase, 0.1)
        auction = make_call(auction, *(calls[0] if modest else rng.choice(calls + forced_suns(auction))))
    return auction.record


def whole_records() -> st.SearchStrategy[AuctionRecord]:
    """The record of an auction that has ended."""
    return st.builds(random_record, fresh_records(), randoms())


def auctions() -> st.SearchStrategy[Auction]:
    """An auction at any moment, ended ones included."""
    return st.builds(random_record, fresh_records(), randoms(), st.integers(0, 16)).map(fold)
