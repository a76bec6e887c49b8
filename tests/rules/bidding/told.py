"""Auctions in words: `said` makes one from `S1:hokum S2:pass`, `tell` says where it stands."""

from __future__ import annotations

from baloot.bidding.rules import Auction, asked, make_call, outcome, start_auction
from baloot.core.auction import AuctionRecord, Call, KaweshCalled, ThrownIn
from baloot.core.cards import Card, Hand
from baloot.core.catalogue import RULESETS, with_changes, written
from baloot.core.contract import Contract, Mode
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import SEATS, Position, Seat, position

from tests.rules.bidding.story import Questions, Setting, Story
from tests.strategies.auction import OPTIONS_OF_THE_AUCTION

DEALER = Seat.WEST
"""So that S1 is South and S4 West."""


def seat_of(place: str, dealer: Seat = DEALER) -> Seat:
    return Position[place].seat(dealer)


def moves(text: str, dealer: Seat = DEALER) -> list[tuple[Seat, Call]]:
    """Reads `S1:hokum S2:double-locked`: a hyphen for the blank in a call's notation."""
    pairs = (word.split(":") for word in text.split())
    return [(seat_of(place, dealer), Call.parse(call.replace("-", " "))) for place, call in pairs]


def rule_set(options: str) -> Ruleset:
    """Reads the name of a rule set, or `sun_takeover_first=earlier_any kawesh=false` with all else as in `standard`."""
    if options in RULESETS:
        return RULESETS[options]
    return with_changes(STANDARD, "mine", dict(word.split("=") for word in options.split()))


def rules_of(ruleset: Ruleset) -> dict[str, str]:
    """Each option of the auction in words."""
    return {name: written(getattr(ruleset, name)) for name in OPTIONS_OF_THE_AUCTION}


def record(
    up: str, *, hands: tuple[Hand, ...] = (), scores: tuple[int, int] = (0, 0), options: str = ""
) -> AuctionRecord:
    """`scores` are those of S1 and S3, then of S2 and S4."""
    return AuctionRecord(DEALER, Card.parse(up), hands, scores, ruleset=rule_set(options))


def said(
    up: str,
    text: str,
    *,
    hands: tuple[Hand, ...] = (),
    scores: tuple[int, int] = (0, 0),
    options: str = "",
) -> Auction:
    auction = start_auction(record(up, hands=hands, scores=scores, options=options))
    for seat, call in moves(text):
        auction = make_call(auction, seat, call)
    return auction


def place(auction: Auction, seat: Seat) -> str:
    return position(seat, auction.record.dealer).name


def tell(auction: Auction) -> str:
    """`asks S2 answer, S3 answer`, with the contract before it while raises are asked, or how it ended."""
    end = outcome(auction)
    if isinstance(end, ThrownIn):
        return "thrown in"
    if isinstance(end, KaweshCalled):
        return f"kawesh of {place(auction, end.seat)}"
    if isinstance(end, Contract):
        return bought(auction, end)
    questions = ", ".join(f"{place(auction, q.seat)} {q.kind.name.lower()}" for q in asked(auction))
    contract = f"{bought(auction, auction.contract)}; " if auction.contract is not None else ""
    return f"{contract}asks {questions}"


def bought(auction: Auction, contract: Contract) -> str:
    mode = "sun" if contract.mode is Mode.SUN else f"hokum {contract.trump}"
    text = f"{mode} by {place(auction, contract.buyer)} {contract.bidding.name.lower()}"
    if contract.ashkal:
        text += f" card to {place(auction, contract.taker)}"
    for raised in contract.raises:
        call = next(one.call for one in auction.record.calls if one.call.kind.name == raised.level.name)
        text += f", {place(auction, raised.seat)} {call}"
        if raised.locked is not (call.locked is True):
            text += " but not so"
    return text


# Beside the second telling.


def setting_of(record: AuctionRecord) -> Setting:
    """Worthless hands by the notation of their cards, so that no code is shared with the rules."""
    worthless = {
        position(seat, record.dealer).value
        for seat, hand in zip(SEATS, record.hands, strict=False)
        if all(str(card)[0] in "789" for card in hand)
    }
    first = record.scores[(record.dealer + 1) % 2]
    second = record.scores[record.dealer % 2]
    return Setting(str(record.up_card), rules_of(record.ruleset), frozenset(worthless), (first, second))


def questions_of(auction: Auction) -> Questions:
    return {
        position(question.seat, auction.record.dealer).value: (
            question.kind.name.lower(),
            frozenset(str(call) for call in question.legal),
            str(question.default),
        )
        for question in asked(auction)
    }


def next_or_end(telling: Story, said: tuple[int, str] | None) -> Questions | str:
    """What the story asks next, or how it ended."""
    try:
        return next(telling) if said is None else telling.send(said)
    except StopIteration as end:
        return str(end.value)
