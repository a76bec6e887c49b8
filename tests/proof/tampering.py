"""Whatever is changed in the log of a match is refused by both verifiers, for the reason that fits."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

from tests.proof.report import Figure, Tell, at_least, none_of
from tests.verifier.both import Asked, by_javascript, by_python
from tests.verifier.honest import SHAPES, honest
from tests.verifier.tampering import KINDS, Tampered, tampered

ALL, QUICK = 1_000, 100
HONEST = 50
"""Honest logs of each shape, which must not be refused."""
Verdicts = list[dict[str, object]]


def problem(number: int, case: Tampered, verdict: dict[str, object]) -> str | None:
    """What is wrong with the verdict on a log that was tampered with."""
    if verdict["verdict"] == "refused" and verdict["code"] in case.codes:
        return None
    return f"{number} ({case.kind}, {case.way}): {verdict['verdict']} {verdict['code']}"


def figures(cases: Sequence[Tampered], python: Verdicts, javascript: Verdicts, held_to: int) -> list[Figure]:
    """What the verdicts show."""
    found = [
        [told for n, case in enumerate(cases) if (told := problem(n, case, verdicts[n]))]
        for verdicts in (python, javascript)
    ]
    differ = [str(n) for n, (one, other) in enumerate(zip(python, javascript, strict=True)) if one != other]
    kinds, reasons = Counter(case.kind for case in cases), {verdict["code"] for verdict in python}
    return [
        at_least("logs that were tampered with", len(cases), held_to),
        at_least("kinds of tampering", len(kinds), len(KINDS)),
        Figure("reasons by which they were refused", f"{len(reasons)}"),
        none_of("not refused for its reason by verify.py", found[0]),
        none_of("not refused for its reason by verify.js", found[1]),
        none_of("verdicts in which the two differ", differ),
    ]


def honest_figures(count: int) -> list[Figure]:
    """What both say of logs that nobody tampered with."""
    logs: list[Asked] = [(honest(shape, n).proof(), [], []) for shape in SHAPES for n in range(count)]
    wrong = [
        str(verdict["code"])
        for verdicts in (by_python(logs), by_javascript(logs))
        for verdict in verdicts
        if verdict["verdict"] != "verified"
    ]
    return [Figure("honest logs beside them", f"{len(logs):,}"), none_of("of them not verified", wrong)]


async def prove(quick: bool, tell: Tell) -> list[Figure]:
    return await asyncio.to_thread(_prove, quick, tell)


def _prove(quick: bool, tell: Tell) -> list[Figure]:
    count = QUICK if quick else ALL
    cases = [tampered(number) for number in range(count)]
    asked: list[Asked] = [(case.proof, case.pins, case.seeds, case.beacon) for case in cases]
    tell(f"{count:,} logs tampered with")
    python = by_python(asked)
    tell("checked by verify.py")
    javascript = by_javascript(asked)
    tell("checked by verify.js")
    return figures(cases, python, javascript, count) + honest_figures(HONEST // 10 if quick else HONEST)
