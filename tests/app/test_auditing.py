"""The command `audit` over a real database with sealed secrets: what it prints, and its exit codes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit
from uuid import UUID

import asyncpg
import pytest
from baloot.app.auditing import CLEAN, EVER, FOUND, Chosen, How, Sums, audit
from baloot.app.cli import app
from baloot.app.commands import unless_stopped
from baloot.app.errors import SetupError
from baloot.app.stored import Logs
from baloot.app.work import UNREADABLE
from baloot.audit.records import Audited, Depth
from baloot.core.ruleset import STANDARD
from baloot.dealing.local import LocalDealing
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.table.events import Settings
from baloot.table.postgres import PostgresStore
from typer.testing import CliRunner

from tests.postgres import fresh_database
from tests.table.trial import KEY, Trial

SHORT = Settings(STANDARD.with_options(name="short", match_target=30), round_pause=0)


@pytest.fixture(scope="module")
def played(postgres: str, migrated: str) -> Iterator[tuple[str, list[UUID]]]:
    """The name of a database with three matches, to make others from, and the matches."""
    with asyncio.Runner() as runner:
        database = fresh_database(postgres, migrated)
        url = runner.run(database.__aenter__())
        try:
            yield urlsplit(url).path.removeprefix("/"), runner.run(_three_in(url))
        finally:
            runner.run(database.__aexit__(None, None, None))


async def _three_in(url: str) -> list[UUID]:
    async with PostgresStore(url, LocalDealing(KEY).match_key) as store:
        return [await _played(store, seed) for seed in range(3)]


@pytest.fixture
async def database(postgres: str, played: tuple[str, list[UUID]]) -> AsyncIterator[str]:
    """The address of a database with the three matches that only this test uses."""
    async with fresh_database(postgres, played[0]) as url:
        yield url


@pytest.fixture
def matches(played: tuple[str, list[UUID]]) -> list[UUID]:
    return played[1]


async def _played(store: PostgresStore, seed: int) -> UUID:
    trial = Trial(seed=seed, settings=replace(SHORT), store=store)
    await trial.fill()
    await trial.play()
    return trial.table_id


@pytest.fixture
def logs(database: str, tmp_path: Path) -> Logs:
    file = tmp_path / "dealing.key"
    file.write_bytes(KEY)
    file.chmod(0o600)
    return Logs(database, file)


async def judged(
    logs: Logs, *matches: UUID, jobs: int = 1, depth: Depth = Depth.RULES, history: bool = False
) -> int:
    chosen = Chosen(matches, *EVER)
    return await audit(logs, chosen, jobs=jobs, how=How(depth, history), as_json=True)


@pytest.mark.parametrize("depth", Depth)
async def test_honest_matches_are_clean(
    matches: list[UUID], logs: Logs, depth: Depth, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await judged(logs, depth=depth) == CLEAN
    told = json.loads(capsys.readouterr().out)
    assert (told["matches"], told["wrong"], told["findings"], told["complete"]) == (3, 0, [], True)
    assert told["rounds"] >= 3
    assert await judged(logs, matches[0], depth=depth) == CLEAN
    assert json.loads(capsys.readouterr().out)["matches"] == 1


async def test_a_changed_row_is_found(
    matches: list[UUID], logs: Logs, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = await asyncpg.connect(logs.database.replace("+asyncpg", ""))
    await connection.execute(
        "UPDATE table_entry SET payload = set_byte(payload, 7, 1) WHERE table_id = $1 AND sequence = 12",
        matches[1],
    )
    await connection.close()
    assert await judged(logs) == FOUND
    told = json.loads(capsys.readouterr().out)
    assert told["wrong"] == 1
    assert {"match": str(matches[1]), "sequence": 12, "code": "chain"}.items() <= told["findings"][0].items()


async def test_history_is_compared_where_it_is_asked_for(
    matches: list[UUID], logs: Logs, capsys: pytest.CaptureFixture[str]
) -> None:
    async with PostgresStore(logs.database) as store, PostgresHistory(logs.database) as history:
        await Projection(PublicLog(store), history).catch_up()
    assert await judged(logs, history=True) == CLEAN
    assert json.loads(capsys.readouterr().out)["unchecked"] == {}
    connection = await asyncpg.connect(logs.database.replace("+asyncpg", ""))
    await connection.execute(
        "UPDATE history_round SET total_south_north = 999 WHERE match_id = $1 AND number = 1", matches[1]
    )
    assert await judged(logs) == CLEAN
    capsys.readouterr()
    assert await judged(logs, history=True) == FOUND
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert {"match": str(matches[1]), "code": "history_round"}.items() <= finding.items()
    assert finding["sentence"].startswith("round 1: total_south_north")
    await connection.execute("DROP TABLE history_cursor")
    await connection.close()
    assert await judged(logs, history=True) == CLEAN, "another database has the history"


async def test_without_the_key_the_chain_is_followed_and_the_rest_is_told_as_unchecked(
    matches: list[UUID], logs: Logs, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await judged(replace(logs, key_file=None)) == CLEAN
    told = json.loads(capsys.readouterr().out)
    assert told["unchecked"]["sealed"] == len(matches)
    assert told["rounds"] == 0


@pytest.mark.parametrize(("wrong", "code"), [(False, None), (True, FOUND)])
async def test_a_stop_tells_what_was_done_so_far(
    matches: list[UUID],
    logs: Logs,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    code: int | None,
    *,
    wrong: bool,
) -> None:
    """What is wrong is not taken back by a stop."""
    stop, add = asyncio.Event(), Sums.add

    def stopped_then(sums: Sums, audited: Audited) -> None:
        add(sums, audited)
        sums.wrong += [audited] * wrong
        stop.set()

    monkeypatch.setattr(Sums, "add", stopped_then)
    work = audit(logs, Chosen((), *EVER), jobs=1, how=How(), as_json=False)
    assert await unless_stopped(work, stop) == code
    told = capsys.readouterr().out
    assert "so far; the audit was stopped" in told
    assert not told.startswith(f"{len(matches)} ")


async def test_a_match_that_is_not_there_cannot_be_read(logs: Logs) -> None:
    with pytest.raises(SetupError, match="there is no match"):
        await judged(logs, UUID(int=5))


async def test_processes_find_the_same(
    matches: list[UUID], logs: Logs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("baloot.app.auditing.CHUNK", 1)
    assert await judged(logs, jobs=2) == CLEAN
    assert json.loads(capsys.readouterr().out)["matches"] == len(matches)


@pytest.mark.parametrize(
    "typed", [[], ["--all", "--since", "2026-01-01"], ["--until", "2026-01-01"], ["nobody"]]
)
def test_what_cannot_be_meant_is_refused(typed: list[str]) -> None:
    result = CliRunner().invoke(app, ["audit", "--database", "postgresql://127.0.0.1:1/none", *typed])
    assert result.exit_code == UNREADABLE


def test_a_database_that_is_away_is_exit_code_2() -> None:
    result = CliRunner().invoke(app, ["audit", "--database", "postgresql://127.0.0.1:1/none", "--all"])
    assert result.exit_code == UNREADABLE
