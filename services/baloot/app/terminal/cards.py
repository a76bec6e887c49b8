"""Cards as coloured text: the suit's sign, red or not, and what is not to be had dimmed."""

from __future__ import annotations

from collections.abc import Iterable

from baloot.app.terminal.language import Language
from baloot.app.terminal.terms import say
from baloot.core.cards import PLAIN_STRENGTH, SUITS, TRUMP_STRENGTH, Card, Suit
from rich.text import Text

SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
STYLES = {
    Suit.SPADES: "bold",
    Suit.HEARTS: "bold red",
    Suit.DIAMONDS: "bold yellow",
    Suit.CLUBS: "bold green",
}
"""Four colours, so that suits are told apart at a glance."""


def card_text(card: Card, language: Language = Language.ENGLISH, style: str = "") -> Text:
    """One card, such as 10♥."""
    return Text(f"{say(card.rank, language)}{SIGNS[card.suit]}", style or STYLES[card.suit])


def cards_text(cards: Iterable[Card], language: Language = Language.ENGLISH) -> Text:
    """Cards side by side."""
    return Text(" ").join(card_text(card, language) for card in cards)


def sorted_hand(hand: Iterable[Card], trump: Suit | None) -> list[Card]:
    """A hand as people hold it: trumps first, then suit by suit, each from the strongest down."""
    suits = [trump, *(suit for suit in SUITS if suit is not trump)]
    strength = {suit: TRUMP_STRENGTH if suit is trump else PLAIN_STRENGTH for suit in SUITS}
    return sorted(hand, key=lambda card: (suits.index(card.suit), -strength[card.suit][card]))


def hand_text(hand: Iterable[Card], trump: Suit | None, language: Language = Language.ENGLISH) -> Text:
    """A hand in one line, a gap between suits."""
    text = Text()
    last: Suit | None = None
    for card in sorted_hand(hand, trump):
        if last is not None:
            text.append(" " if card.suit is last else "   ")
        text.append_text(card_text(card, language))
        last = card.suit
    return text
