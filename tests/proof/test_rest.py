"""The proofs of time, at small size and without a look at the times: they run, and what they count is right."""

from __future__ import annotations

from dataclasses import replace

import pytest
from baloot.core.errors import Reason

from tests.proof import __main__ as command
from tests.proof import fanout, phone, races, stalled
from tests.proof.report import Figure, at_least, at_most, none_of


def heard(_line: str) -> None:
    pass


async def test_every_watcher_gets_every_entry_after_it_is_stored() -> None:
    found = await fanout.measured(count=4, seconds=2)
    assert len(found.to_watcher) >= 4 * 4
    assert min(found.to_watcher) > 0


async def test_stalled_readers_are_cut_and_told_so() -> None:
    size = replace(stalled.QUICK, readers=30)
    found = await stalled.measured(size)
    assert found.ends == {Reason.READER_SLOW.value: size.readers}
    assert all(found.quiet)
    assert all(found.beside)


@pytest.mark.long
async def test_both_ends_notice_that_a_phone_is_gone() -> None:
    noticed = await phone.gone(1)
    assert [len(noticed.server), len(noticed.channel), len(noticed.watch)] == [1, 1, 1]


async def test_a_turn_that_is_raced_for_is_played_once() -> None:
    done = await races.contested(20, heard)
    for outcomes in done.values():
        assert not [why for why in outcomes if why.startswith("broken")]
        assert sum(outcomes[winner] for winner in races.WINNERS) >= 20


async def proving(_quick: bool, _tell: object) -> list[Figure]:
    return [at_most("late", 26, 25, " ms")]


async def breaking(_quick: bool, _tell: object) -> list[Figure]:
    raise RuntimeError("no server")


@pytest.mark.parametrize(("prove", "code"), [(proving, 1), (breaking, 1)])
async def test_a_proof_that_misses_or_breaks_off_fails_the_command(
    prove: command.Prove, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(command.PROOFS, "late", prove)
    assert await command.run(["late"], quick=True) == code
    assert "FAILED" in capsys.readouterr().out


def test_a_figure_says_whether_it_holds() -> None:
    assert [at_least("", 99, 100).verdict, at_least("", 100, 100).verdict] == ["FAILED", "ok"]
    assert [none_of("", ["one"]).verdict, none_of("", []).verdict, Figure("", "1").verdict] == [
        "FAILED",
        "ok",
        "",
    ]
    assert at_most("", float("nan"), 25).verdict == "FAILED"
