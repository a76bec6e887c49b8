"""Every enum has the same values on the wire as in the core."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from baloot.api.core.v1 import (
    auction_pb2,
    cards_pb2,
    contract_pb2,
    errors_pb2,
    play_pb2,
    ruleset_pb2,
    score_pb2,
    seats_pb2,
)
from baloot.codec.enums import ALL, CARD, EnumCodec
from baloot.codec.ruleset import OPTION_ENUMS
from baloot.core.cards import Card
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import OPTIONS
from baloot.kit.errors import STATUS_CODES
from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor

FILES = (auction_pb2, cards_pb2, contract_pb2, errors_pb2, play_pb2, ruleset_pb2, score_pb2, seats_pb2)
ENUMS: list[EnumDescriptor] = [enum for file in FILES for enum in file.DESCRIPTOR.enum_types_by_name.values()]
WITHOUT_CORE = {"Lock"}
"""Yes, no and unset in the core."""
CODECS: dict[str, EnumCodec[object, int]] = {  # type: ignore[type-var]
    codec.title.title().replace(" ", ""): codec for codec in (*ALL, *OPTION_ENUMS.values())
}


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: str(enum.name))
def test_an_enum_has_the_values_of_its_core_twin_and_no_others(enum: EnumDescriptor) -> None:
    if enum.name in WITHOUT_CORE:
        return
    numbers = CODECS[enum.name].value_of
    assert {0, *numbers} == {value.number for value in enum.values}
    assert len({*numbers.values()}) == len(numbers)


@pytest.mark.parametrize("title", CODECS)
def test_a_value_keeps_its_name(title: str) -> None:
    [enum] = [enum for enum in ENUMS if enum.name == title]
    for value, number in CODECS[title].number_of.items():
        word = str(value) if isinstance(value, Card) else value.name  # type: ignore[attr-defined]
        assert enum.values_by_number[number].name.endswith(f"_{word}")


def test_a_card_is_its_core_number_and_one() -> None:
    assert [CARD.encode(card) for card in Card] == [card + 1 for card in Card]


def test_every_option_of_a_rule_set_has_a_field_of_its_kind() -> None:
    fields = dict(ruleset_pb2.Ruleset.DESCRIPTOR.fields_by_name)
    assert set(fields) == {"name", *OPTIONS}
    kinds = {bool: FieldDescriptor.TYPE_BOOL, int: FieldDescriptor.TYPE_INT32}
    for name, kind in OPTIONS.items():
        assert fields[name].type == kinds.get(kind, FieldDescriptor.TYPE_ENUM)
        enum = fields[name].enum_type
        if enum is None:
            assert fields[name].has_presence, f"{name}: unset must differ from zero"
        else:
            assert enum.name == kind.__name__


def test_error_reasons_are_those_of_the_core_with_the_status_that_is_written_there() -> None:
    text = (Path(__file__).parents[2] / "protos/baloot/api/core/v1/errors.proto").read_text()
    documented = re.findall(
        r"// ([A-Z_]+)\. (?:(?!ERROR_REASON).)*?ERROR_REASON_(\w+) = [1-9]", text, re.DOTALL
    )
    assert {reason: code for code, reason in documented} == {
        reason.value: code.name for reason, code in STATUS_CODES.items()
    }


@pytest.mark.parametrize("title", CODECS)
@pytest.mark.parametrize("number", [-1, 1000, 2**31 - 1])
def test_a_number_of_no_value_is_refused(title: str, number: int) -> None:
    for decode in (CODECS[title].decode, CODECS[title].decode_optional):
        with pytest.raises(Refusal) as caught:
            decode(number, "call.suit")
        assert (caught.value.reason, caught.value.field) == (Reason.FIELD_INVALID, "call.suit")


@pytest.mark.parametrize("title", CODECS)
def test_zero_is_no_value(title: str) -> None:
    codec = CODECS[title]
    assert codec.decode_optional(0, "call.suit") is None
    assert codec.encode_optional(None) == 0
    with pytest.raises(Refusal) as caught:
        codec.decode(0, "call.suit")
    assert (caught.value.reason, caught.value.field) == (Reason.FIELD_REQUIRED, "call.suit")
