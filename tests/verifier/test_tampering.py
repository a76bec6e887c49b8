"""Whatever is changed in a log is refused, for its own reason, and both verifiers say the same."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from tests.verifier.both import Asked, by_javascript, by_python
from tests.verifier.tampering import KINDS, Tampered, tampered

QUICK, ALL = 300, 1_000


def require_refused(cases: list[Tampered]) -> None:
    asked: list[Asked] = [(case.proof, case.pins, case.seeds, case.beacon) for case in cases]
    verdicts = by_python(asked)
    accepted = [
        (number, case.kind, case.way, verdict["verdict"], verdict["code"])
        for number, (case, verdict) in enumerate(zip(cases, verdicts, strict=True))
        if verdict["verdict"] != "refused" or verdict["code"] not in case.codes
    ]
    assert accepted == []
    assert by_javascript(asked) == verdicts
    assert set(Counter(case.kind for case in cases)) == set(KINDS)


@cache
def some() -> list[Tampered]:
    return [tampered(number) for number in range(QUICK)]


def test_every_tampering_is_refused_for_its_reason() -> None:
    require_refused(some())


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_thousand_of_them() -> None:
    require_refused([tampered(number) for number in range(ALL)])


def test_every_way_is_tried() -> None:
    tried = {case.way for case in some()}
    assert {way.__name__ for ways in KINDS.values() for way in ways} - tried == set()
