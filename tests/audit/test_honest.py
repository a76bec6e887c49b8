"""What was played by the rules is found clean, at both depths, under every rule set that ships."""

from __future__ import annotations

import pytest
from baloot.audit.records import Unchecked
from baloot.core.catalogue import NAMES
from baloot.core.ruleset import Cut
from baloot.table.absence import USUAL
from baloot.table.deals import BLOCK
from baloot.table.events import SECOND, TimeControl

from tests.audit.logs import Match, adding, head_of, idle, played


def clean(match: Match) -> None:
    assert match.audited().findings == []
    assert match.thorough().findings == []


SEEDS = [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 12))]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_a_match_is_clean(name: str, seed: int) -> None:
    clean(played(name, seed))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_a_match_with_missed_turns_is_clean(name: str, seed: int) -> None:
    clean(idle(name, seed))


@pytest.mark.parametrize("name", NAMES)
def test_a_match_with_banks_and_bots_is_clean(name: str) -> None:
    control = TimeControl(10 * SECOND, 5 * SECOND, 20 * SECOND, SECOND // 2)
    clean(idle(name, 5, time_control=control, absence=USUAL))


@pytest.mark.parametrize("cut", [Cut.NONE, Cut.PRIVILEGES])
@pytest.mark.parametrize("beacon", [False, True])
def test_a_match_of_two_blocks_to_which_the_seats_add_is_clean(cut: Cut, *, beacon: bool) -> None:
    match = adding(BLOCK + 4, beacon=beacon, cut=cut)
    assert match.where("seed_added", 3)
    assert match.where("deals_committed", 1)
    clean(match)


def test_a_log_that_is_played_on_is_clean_as_far_as_it_goes() -> None:
    match = played()
    for length in range(1, len(match.rows), 7):
        audited = match.with_rows(match.rows[:length]).audited()
        assert audited.findings == []
        assert audited.entries == length


def test_what_cannot_be_checked_is_told() -> None:
    match = played()
    live = match.rows[: match.where("play_started")]
    rows = tuple(row._replace(chain=None) for row in live)
    audited = Match(match.id, rows, head_of(rows)).audited()
    assert audited.findings == []
    assert audited.unchecked == {Unchecked.CHAIN: 1, Unchecked.SEEDS: 1, Unchecked.LOT: 1}
    assert match.audited().unchecked == {}
