"""Who is who and what is what at a table, in words."""

from __future__ import annotations

from collections.abc import Sequence

from baloot.api.core.v1 import auction_pb2, contract_pb2, play_pb2
from baloot.api.table.v1.table_pb2 import TableView
from baloot.app.terminal.cards import SIGNS, STYLES, cards_text
from baloot.app.terminal.language import Language
from baloot.app.terminal.terms import Word, comma, say
from baloot.codec.auction import decode_call
from baloot.codec.contract import decode_contract
from baloot.codec.enums import CARD, PROJECT_KIND, SEAT
from baloot.core.auction import Call
from baloot.core.cards import Card, Suit
from baloot.core.contract import Bidding, Contract
from baloot.core.seats import SEATS, Seat
from rich.text import Text

MAX_NAME = 14
"""Longer names are cut, so that four of them and their cards fit into 80 columns."""


def player_names(view: TableView, language: Language) -> dict[Seat, str]:
    """What each seat is called: its player, or the seat itself while nobody has it."""
    taken = {seat.seat: seat.player_name for seat in view.seats if seat.taken}
    return {seat: shortened(taken.get(SEAT.encode(seat)) or say(seat, language)) for seat in SEATS}


def shortened(name: str) -> str:
    """A name that fits; what a terminal would obey or cannot show is left out."""
    shown = "".join(letter for letter in name if letter.isprintable())
    return shown if len(shown) <= MAX_NAME else f"{shown[: MAX_NAME - 1]}…"


def suit_text(suit: Suit) -> Text:
    return Text(SIGNS[suit], STYLES[suit])


def call_text(message: auction_pb2.Call, up_card: Card | None, bidding: Bidding, language: Language) -> Text:
    """A call with the suit and the lock that it names; the first Hokum is always in the suit of the up card.

    There is no up card while the deck is cut.
    """
    return own_call_text(decode_call(message, "call"), up_card, bidding, language)


def own_call_text(call: Call, up_card: Card | None, bidding: Bidding, language: Language) -> Text:
    text = Text(say(call.kind if call.cut is None else call.cut, language))
    suit = call.suit
    if call.kind.name in ("HOKUM", "CONFIRM") and bidding is Bidding.FIRST and up_card is not None:
        suit = up_card.suit
    if suit is not None:
        text.append(" ").append_text(suit_text(suit))
    if call.locked is not None:
        text.append(f" {say(Word.LOCKED if call.locked else Word.OPEN, language)}")
    return text


def bidding_of(calls: Sequence[auction_pb2.SeatCall]) -> Bidding:
    """Which bidding the last of these calls was made in: the second begins when all four have passed."""
    passed = all(said.call.kind == auction_pb2.CALL_KIND_PASS for said in calls[:4])
    return Bidding.SECOND if len(calls) > 4 and passed else Bidding.FIRST


def contract_text(contract: Contract, names: dict[Seat, str], language: Language) -> Text:
    """What is played, by whom and how high: hokum ♥ (second), East, double locked."""
    text = bought_text(contract, language).append(f"{comma(language)}{names[contract.buyer]}")
    if contract.ashkal:
        text.append(f" ({say(Word.TAKES, language, names[contract.taker], say(Word.UP_CARD, language))})")
    if contract.raises:
        text.append(f"{comma(language)}{say(contract.level, language)}", "bold magenta")
    if contract.locked:
        text.append(f" {say(Word.LOCKED, language)}", "bold magenta")
    return text


def bought_text(contract: Contract, language: Language) -> Text:
    text = Text(say(contract.mode, language))
    if contract.trump is not None:
        text.append(" ").append_text(suit_text(contract.trump))
    if contract.bidding is Bidding.SECOND:
        text.append(f" ({say(contract.bidding, language)})")
    return text


def read_contract(message: contract_pb2.Contract) -> Contract:
    return decode_contract(message, "contract")


def project_text(project: play_pb2.Project, language: Language) -> Text:
    """The kind of a project, with its cards where they are known."""
    text = Text(say(PROJECT_KIND.value_of[project.kind], language))
    if project.cards:
        cards = sorted((CARD.value_of[number] for number in project.cards), reverse=True)
        text.append(" ").append_text(cards_text(cards, language))
    return text
