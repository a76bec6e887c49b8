"""Checks of single request fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from baloot.core.errors import Reason, Refusal
from baloot.kit import checks

ID = "0190a5b2-7c1e-7d3f-8a2b-0123456789ab"
Check = Callable[[Any], Any]

GOOD: list[tuple[Check, Any, Any]] = [
    (lambda value: checks.uuid(value, "it"), ID, UUID(ID)),
    (lambda value: checks.text(value, "it", most=4), " ليث ", "ليث"),
    (lambda value: checks.text(value, "it", most=4), "abcd", "abcd"),
    (lambda value: checks.number(value, "it", least=1, most=8), 1, 1),
    (lambda value: checks.number(value, "it", least=1, most=8), 8, 8),
    (lambda value: checks.entries(value, "it", most=2), [], []),
    (lambda value: checks.entries(value, "it", least=1, most=2), [1, 2], [1, 2]),
]
BAD: list[tuple[Check, Any, Reason]] = [
    (GOOD[0][0], "", Reason.FIELD_REQUIRED),
    (GOOD[0][0], ID[:-1], Reason.FIELD_INVALID),
    (GOOD[0][0], ID.replace("-", ""), Reason.FIELD_INVALID),
    (GOOD[0][0], "{" + ID + "}", Reason.FIELD_INVALID),
    (GOOD[1][0], "", Reason.FIELD_REQUIRED),
    (GOOD[1][0], "  ", Reason.FIELD_REQUIRED),
    (GOOD[1][0], "abcde", Reason.FIELD_INVALID),
    (GOOD[1][0], "a\x00b", Reason.FIELD_INVALID),
    (GOOD[1][0], "a\u202eb", Reason.FIELD_INVALID),
    (GOOD[1][0], "\u115f", Reason.FIELD_INVALID),
    (GOOD[3][0], 0, Reason.FIELD_INVALID),
    (GOOD[3][0], 9, Reason.FIELD_INVALID),
    (GOOD[5][0], [1, 2, 3], Reason.FIELD_INVALID),
    (GOOD[6][0], [], Reason.FIELD_REQUIRED),
]


@pytest.mark.parametrize(("check", "value", "checked"), GOOD)
def test_a_good_value_passes(check: Check, value: Any, checked: Any) -> None:
    assert check(value) == checked


@pytest.mark.parametrize(("check", "value", "reason"), BAD)
def test_a_bad_value_is_refused_with_its_path(check: Check, value: Any, reason: Reason) -> None:
    with pytest.raises(Refusal) as caught:
        check(value)
    assert (caught.value.reason, caught.value.field) == (reason, "it")
    assert caught.value.message.startswith("it ")
