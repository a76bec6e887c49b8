"""Enums on the wire: the value `NONE` of `SunTakeoverFirst` is `SUN_TAKEOVER_FIRST_NONE` there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from baloot.api.core.v1 import (
    auction_pb2,
    cards_pb2,
    contract_pb2,
    errors_pb2,
    play_pb2,
    score_pb2,
    seats_pb2,
)
from baloot.codec.fields import invalid, missing
from baloot.core.auction import CallKind, CutChoice, QuestionKind
from baloot.core.cards import Card, Suit
from baloot.core.contract import Bidding, Level, Mode
from baloot.core.errors import Reason
from baloot.core.play import QaidGround
from baloot.core.projects import ProjectKind
from baloot.core.score import LineKind, RoundResult
from baloot.core.seats import Seat, Team

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper

_Core = TypeVar("_Core", bound=Enum)
_Wire = TypeVar("_Wire", bound=int)


class EnumCodec(Generic[_Core, _Wire]):
    """One enum in both directions, by tables that are made once. On the wire 0 means unset."""

    __slots__ = ("_unset", "encode", "number_of", "title", "value_of")

    def __init__(self, core: type[_Core], wire: _EnumTypeWrapper[_Wire]) -> None:
        self._unset = wire.values()[0]
        prefix = wire.Name(self._unset).removesuffix("UNSPECIFIED")
        self.title = prefix.removesuffix("_").lower().replace("_", " ")
        self.number_of: Mapping[_Core, _Wire] = {value: wire.Value(prefix + _word(value)) for value in core}
        self.value_of: Mapping[int, _Core] = {number: value for value, number in self.number_of.items()}
        self.encode: Callable[[_Core], _Wire] = self.number_of.__getitem__

    def decode(self, number: int, path: str) -> _Core:
        """Raises Refusal FIELD_REQUIRED for 0, FIELD_INVALID for a number that this version does not know."""
        value = self.value_of.get(number)
        if value is None:
            raise missing(path) if number == 0 else self._unknown(number, path)
        return value

    def decode_optional(self, number: int, path: str) -> _Core | None:
        """None for 0. Raises Refusal FIELD_INVALID for a number that this version does not know."""
        value = self.value_of.get(number)
        if value is None and number != 0:
            raise self._unknown(number, path)
        return value

    def encode_optional(self, value: _Core | None) -> _Wire:
        return self._unset if value is None else self.number_of[value]

    def _unknown(self, number: int, path: str) -> Exception:
        return invalid(path, f"has the number {number}, which is no {self.title}")


def _word(value: Enum) -> str:
    return str(value) if isinstance(value, Card) else value.name


SUIT = EnumCodec(Suit, cards_pb2.Suit)
CARD = EnumCodec(Card, cards_pb2.Card)
SEAT = EnumCodec(Seat, seats_pb2.Seat)
TEAM = EnumCodec(Team, seats_pb2.Team)
MODE = EnumCodec(Mode, contract_pb2.Mode)
BIDDING = EnumCodec(Bidding, contract_pb2.Bidding)
LEVEL = EnumCodec(Level, contract_pb2.Level)
CALL_KIND = EnumCodec(CallKind, auction_pb2.CallKind)
CUT_CHOICE = EnumCodec(CutChoice, auction_pb2.CutChoice)
QUESTION_KIND = EnumCodec(QuestionKind, auction_pb2.QuestionKind)
PROJECT_KIND = EnumCodec(ProjectKind, play_pb2.ProjectKind)
QAID_GROUND = EnumCodec(QaidGround, play_pb2.QaidGround)
LINE_KIND = EnumCodec(LineKind, score_pb2.ScoreLineKind)
ROUND_RESULT = EnumCodec(RoundResult, score_pb2.RoundResult)
REASON = EnumCodec(Reason, errors_pb2.ErrorReason)

ALL: tuple[EnumCodec[Any, Any], ...] = (
    SUIT, CARD, SEAT, TEAM, MODE, BIDDING, LEVEL, CALL_KIND, CUT_CHOICE, QUESTION_KIND, PROJECT_KIND, QAID_GROUND, LINE_KIND,
    ROUND_RESULT, REASON,
)  # fmt: skip
"""All but those of the rule set's options."""
