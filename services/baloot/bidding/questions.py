"""The questions of an auction, made once for every seat: the same few come in every auction (rules, 2.5 to 2.16)."""

from __future__ import annotations

from baloot.core.auction import (
    ASHKAL,
    CONFIRM,
    HOKUM,
    KAWESH,
    PASS,
    QABLAK,
    SUN,
    Asked,
    Call,
    CallKind,
    QuestionKind,
)
from baloot.core.cards import CARDS, SUITS, Card
from baloot.core.seats import SEATS

Questions = tuple[Asked, ...]
"""The question to each seat, in order of seats."""


def for_every_seat(kind: QuestionKind, *legal: Call, default: Call = PASS) -> Questions:
    return tuple(Asked(seat, kind, legal, default) for seat in SEATS)


def _with_extras(kind: QuestionKind, *legal: Call) -> tuple[tuple[Questions, Questions], ...]:
    """By whether Ashkal is among the calls, and by whether Kawesh is."""
    return tuple(
        (for_every_seat(kind, *legal, *ashkal), for_every_seat(kind, *legal, *ashkal, KAWESH))
        for ashkal in ((), (ASHKAL,))
    )


def _naming(up_card: Card, *turn: Call, default: Call | None = None) -> Questions:
    """The confirm step of the second bidding: any suit but the up card's, by default the first of them (2.9)."""
    named = tuple(Call(CallKind.CONFIRM, suit) for suit in SUITS if suit is not up_card.suit)
    return for_every_seat(QuestionKind.CONFIRM, *named, *turn, default=default or named[0])


FIRST = _with_extras(QuestionKind.FIRST, PASS, HOKUM, SUN)
ANSWER = _with_extras(QuestionKind.ANSWER, PASS, SUN)
SECOND = _with_extras(QuestionKind.SECOND, PASS, HOKUM, SUN)
TAKEOVER = for_every_seat(QuestionKind.TAKEOVER, PASS, QABLAK)
KAWESH_OFFER = for_every_seat(QuestionKind.KAWESH, KAWESH)
KEEP = for_every_seat(QuestionKind.CONFIRM, CONFIRM, default=CONFIRM)
KEEP_OR_TURN = for_every_seat(QuestionKind.CONFIRM, CONFIRM, SUN, default=CONFIRM)

NAME = tuple(_naming(up_card) for up_card in CARDS)
NAME_OR_TURN = tuple(_naming(up_card, SUN) for up_card in CARDS)
NAME_OR_BE_TURNED = tuple(_naming(up_card, SUN, default=SUN) for up_card in CARDS)
"""By up card; in the last, whoever names no suit says Sun."""
