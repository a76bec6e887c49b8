"""The proof of tampering at small size, and that it tells what slipped through."""

from __future__ import annotations

from tests.proof import tampering
from tests.proof.report import Figure
from tests.verifier.tampering import Tampered, tampered


async def test_nothing_slips_through_and_all_that_is_honest_is_verified() -> None:
    told: list[str] = []
    found = await tampering.prove(True, told.append)
    assert [figure for figure in found if not figure.holds] == []
    assert len(told) == 3


def failed(figures: list[Figure]) -> list[str]:
    return [figure.what for figure in figures if not figure.holds]


def test_what_slips_through_is_told() -> None:
    cases: list[Tampered] = [tampered(number) for number in range(11)]
    right: tampering.Verdicts = [{"verdict": "refused", "code": min(case.codes)} for case in cases]
    assert failed(tampering.figures(cases, right, right, 11)) == []
    slipped: tampering.Verdicts = [{"verdict": "verified", "code": ""}, *right[1:]]
    for_another: tampering.Verdicts = [*right[:-1], {"verdict": "refused", "code": "LOT_WRONG"}]
    assert failed(tampering.figures(cases, slipped, right, 11)) == [
        "not refused for its reason by verify.py",
        "verdicts in which the two differ",
    ]
    assert failed(tampering.figures(cases, right, for_another, 12)) == [
        "logs that were tampered with",
        "not refused for its reason by verify.js",
        "verdicts in which the two differ",
    ]
