"""The comparison of pairs of deals, and that it finds a leak on two percent of what is sent again."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from baloot.core.seats import SEATS
from baloot.table import server

from tests.proof import secrecy
from tests.proof.secrecy import PAIRS, QUICK_PAIRS, Pair, pairs

LEAKY = 0.02
"""The share of what is sent again that carries another seat's hand."""
SHARES = 10


def require_no_leak(found: list[Pair]) -> None:
    assert [figure for figure in secrecy.figures(found, len(found)) if not figure.holds] == []


async def test_what_a_viewer_cannot_know_changes_no_byte_that_it_gets() -> None:
    found = await pairs(QUICK_PAIRS)
    require_no_leak(found)
    assert {pair.stage for pair in found} == {"auction", "play"}


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("share", range(SHARES))
async def test_what_a_viewer_cannot_know_changes_no_byte_over_ten_thousand_pairs(share: int) -> None:
    each = PAIRS // SHARES
    require_no_leak(await pairs(each, first=share * each))


@pytest.mark.parametrize("resent", ["see", "entry_bytes"])
async def test_a_leak_on_two_percent_of_what_is_sent_again_is_found(
    resent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Snapshots, and entries that are sent once more, as another seat sees them."""
    leaking(resent, monkeypatch)
    found = await pairs(QUICK_PAIRS // 2)
    assert [leak for pair in found for leak in pair.leaks]


def leaking(resent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    whole: Callable[..., Any] = getattr(server, resent)
    sent: set[Any] = set()

    def leaks(*arguments: Any) -> Any:
        *about, viewer = arguments
        again = resent == "see" or (id(about[0]), about[1].sequence, viewer) in sent
        sent.add((id(about[0]), getattr(about[-1], "sequence", 0), viewer))
        return whole(*about, rng.choice(SEATS) if again and rng.random() < LEAKY else viewer)

    monkeypatch.setattr(server, resent, leaks)
