"""A few rounds whose logs and refusals are looked through, and that what is planted in them is found."""

from __future__ import annotations

import pytest
from baloot.core.cards import CARDS, Hand

from tests.proof import marks
from tests.proof.canary import Catch, caught, figures
from tests.proof.planted import plant

ROUNDS = 6
HAND = Hand.parse("AS 10H 7D KC JC")


async def test_no_log_and_no_refusal_tells_of_a_card() -> None:
    catch = await caught(ROUNDS)
    assert [figure for figure in figures(catch, ROUNDS) if not figure.holds] == []
    assert len(catch.reasons) > 5


async def test_a_planted_line_is_found() -> None:
    catch = await caught(ROUNDS, prepare=plant)
    assert catch.problems
    assert all("deciding" in problem for problem in catch.problems)


@pytest.mark.parametrize(
    "said",
    ["KC", "hand=10H", "CARD_AS", "Card.CJC", "<Card.C7D: 16>", "K♣", "🂡", "the king of clubs", "ten_of_hearts",
     "[7, 11, 16, 30]", str(HAND.mask), hex(HAND.mask), f"{HAND.mask:08x}", "sealed-seed-of-the-deal"],
)  # fmt: skip
def test_a_card_is_found_however_it_is_written(said: str) -> None:
    catch = Catch(secrets={"sealed-seed-of-the-deal"}, masks=marks.masks_of([HAND]))
    catch.search("log", f'{{"event": "decided", "about": "{said}", "level": "debug"}}')
    assert len(catch.problems) == 1


def test_an_ordinary_line_names_no_card() -> None:
    catch = Catch(masks=marks.masks_of([HAND]))
    catch.search(
        "log",
        '{"table": "1f0e7d9a-10a5-4b7d-8c9d-00a1b2c3d4e5", "ms": 10.5, "timestamp": "2026-11-30T07:10:10Z"}',
    )
    assert catch.problems == []
    assert all(marks.cards_named(f"{card}, then") == {card} for card in CARDS)
