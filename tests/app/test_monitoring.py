"""What `baloot monitor deals` says about the deals in a database: fair ones, stacked ones, and those still played."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from baloot.app.cli import app
from baloot.app.errors import SetupError
from baloot.app.keys import kept_key
from baloot.app.monitoring import ALARM, monitor_deals
from baloot.app.stored import Logs
from baloot.core.deal import DealEnd, Dealt, Deck, SealedSeed
from baloot.core.seats import SEATS
from baloot.dealing.local import LocalDealing
from baloot.table import events as ev
from baloot.table.events import SECOND, Entry, Event, SeedsRevealed, Settings, Status
from baloot.table.postgres import PostgresStore
from typer.testing import CliRunner

from tests.bots.matches import LocalTable, SeededDealing, SeededRules, random_player
from tests.monitor.cheats import an_ace, cheated, four_aces
from tests.monitor.shuffles import deals

TABLES, DEALS = 40, 40
DAY = 86_400 * SECOND
START = int(datetime.fromisoformat("2026-01-01T00:00:00+00:00").timestamp()) * SECOND
Change = Callable[[Deck], Deck]


def entry(table: UUID, sequence: int, events: Sequence[Event], at: int) -> Entry:
    return Entry(table, sequence, at, None, UUID(int=sequence), bytes(32), tuple(events))


def dealt(number: int, deck: Deck) -> ev.RoundDealt:
    seed = SealedSeed(bytes(32), bytes(60))
    return ev.RoundDealt(SEATS[number % 4], Dealt(number, deck, bytes(32), bytes(32)), seed)


def log(table: int, decks: Sequence[Deck], *, over: int) -> Iterator[Entry]:
    """A table that is opened on its own day, and deals one round after the other; the first `over` are thrown in."""
    table_id, at = UUID(int=table), START + table * DAY
    yield entry(table_id, 1, [ev.TableCreated(Settings())], at)
    sequence = 1
    for number, deck in enumerate(decks, start=1):
        yield entry(table_id, sequence + 1, [dealt(number, deck)], at + number * SECOND)
        if number <= over:
            yield entry(table_id, sequence + 2, [ev.DealVoid(DealEnd.THROWN_IN)], at + number * SECOND)
        sequence += 2


@cache
def fair() -> tuple[Deck, ...]:
    return tuple(deal.deck for deal in deals(TABLES * DEALS))


def unchanged(deck: Deck) -> Deck:
    return deck


async def write(url: str, change: Change = unchanged, *, over: int = DEALS) -> None:
    """Tables 0 to 39 with 40 deals each."""
    async with PostgresStore(url) as store:

        async def one(table: int) -> None:
            decks = [change(deck) for deck in fair()[table * DEALS : (table + 1) * DEALS]]
            for each in log(table, decks, over=over):
                assert await store.append(each, Status.PLAYING)

        await asyncio.gather(*map(one, range(TABLES)))


async def looked(
    url: str, capsys: pytest.CaptureFixture[str], since: str | None = None, until: str | None = None
) -> tuple[int, dict[str, Any]]:
    bounds = [None if day is None else datetime.fromisoformat(day) for day in (since, until)]
    code = await monitor_deals(Logs(url), *bounds, as_json=True)
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, told


def alarms(told: dict[str, Any]) -> set[str]:
    return {test["name"] for test in told["tests"] if test["alarm"]}


async def test_fair_deals_raise_no_alarm(migrated_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    await write(migrated_url)
    code, told = await looked(migrated_url, capsys)
    assert (code, told["alarm"], alarms(told)) == (0, False, set())
    assert (told["deals"], told["tables"], told["live_deals_left_out"]) == (TABLES * DEALS, TABLES, 0)
    by_name = {test["name"]: test for test in told["tests"]}
    assert by_name["card by position"]["degrees_of_freedom"] == 961
    assert by_name["same card, same seat"]["size"] == TABLES * (DEALS - 1), "no pair is of two tables"
    assert all(test["p"] > ALARM for test in told["tests"])
    assert by_name["aces"]["classes"][0]["expected"] == pytest.approx(0.450278 * TABLES * DEALS, rel=1e-4)


@pytest.mark.parametrize(("cheat", "name"), [(four_aces, "four aces"), (an_ace, "card by position")])
async def test_stacked_deals_raise_an_alarm(
    cheat: Callable[..., None], name: str, migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(3)
    await write(migrated_url, lambda deck: cheated(deck, cheat, random))
    code, told = await looked(migrated_url, capsys)
    assert (code, told["alarm"]) == (1, True)
    assert name in alarms(told)


async def test_one_deck_that_was_dealt_before_raises_an_alarm(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    last = fair()[-1]
    await write(migrated_url, lambda deck: fair()[0] if deck is last else deck)
    code, told = await looked(migrated_url, capsys)
    assert (code, alarms(told)) == (1, {"repeated decks"})


async def test_a_deal_that_is_still_played_is_not_looked_at(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last deal of each table is one that would raise an alarm."""
    lasts = set(fair()[DEALS - 1 :: DEALS])
    await write(migrated_url, lambda deck: fair()[0] if deck in lasts else deck, over=DEALS - 1)
    code, told = await looked(migrated_url, capsys)
    assert (code, told["deals"], told["live_deals_left_out"]) == (0, TABLES * (DEALS - 1), TABLES)


async def test_a_revealed_seed_that_was_used_before_raises_an_alarm(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """At another table, and for another deck: only the seed itself can tell."""
    seeds = [bytes([number]) * 32 for number in range(4)]
    async with PostgresStore(migrated_url) as store:
        for table, told in ((0, seeds[:2]), (1, [seeds[3], seeds[0]])):
            at = START + table * DAY
            reveal = entry(UUID(int=table), 6, [SeedsRevealed(1, tuple(told))], at)
            for each in (*log(table, fair()[2 * table : 2 * table + 2], over=2), reveal):
                assert await store.append(each, Status.PLAYING)
    code, told_of = await looked(migrated_url, capsys)
    assert (code, alarms(told_of)) == (1, {"reused seeds"})
    [test] = [test for test in told_of["tests"] if test["name"] == "reused seeds"]
    assert (test["size"], test["value"]) == (4, 1)


async def test_a_deal_is_over_when_its_table_is(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with PostgresStore(migrated_url) as store:
        *before, last = log(0, fair()[:2], over=1)
        for each in before:
            assert await store.append(each, Status.PLAYING)
        assert await store.append(last, Status.ABANDONED)
    _, told = await looked(migrated_url, capsys)
    assert (told["deals"], told["live_deals_left_out"]) == (2, 0)


SPANS = [
    ("2026-01-11", None, 30),
    (None, "2026-01-11", 10),
    ("2026-01-11", "2026-01-18", 7),
    ("2026-01-11T00:01", "2026-01-12", 0),
    ("2027-01-01", None, 0),
]


async def test_only_deals_of_the_time_that_is_named_are_looked_at(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await write(migrated_url)
    for since, until, tables in SPANS:
        _, told = await looked(migrated_url, capsys, since, until)
        assert (told["tables"], told["deals"]) == (tables, tables * DEALS)


async def test_a_table_is_looked_at_for_those_of_its_deals_that_are_in_time(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each deal of these tables is a second after the one before; the sixth and later ones are of another minute."""
    async with PostgresStore(migrated_url) as store:
        for each in log(0, fair()[:DEALS], over=DEALS):
            moved = replace(each, at=each.at + 54 * SECOND)
            assert await store.append(moved, Status.PLAYING)
    _, before = await looked(migrated_url, capsys, None, "2026-01-01T00:01")
    _, after = await looked(migrated_url, capsys, "2026-01-01T00:01", None)
    assert (before["deals"], after["deals"]) == (5, DEALS - 5)


async def test_sealed_deals_are_opened_with_the_key_and_refused_without(
    migrated_url: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    key_file = tmp_path / "dealing.key"
    dealing = LocalDealing(kept_key(key_file))
    async with PostgresStore(migrated_url, dealing.match_key) as store:
        for each in log(0, fair()[:DEALS], over=DEALS):
            assert await store.append(each, Status.PLAYING)
    with pytest.raises(SetupError, match="--dealing-key-file"):
        await monitor_deals(Logs(migrated_url))
    assert capsys.readouterr().out == ""
    assert await monitor_deals(Logs(migrated_url, key_file)) == 0
    assert capsys.readouterr().out.startswith("40 deals at 1 table")


async def test_a_match_that_was_played_is_looked_at_deal_by_deal(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table = LocalTable(SeededRules(SeededDealing(Random(3))), ("Noura", "Fahad", "Salem", "Huda"))
    players = [random_player(12 + n) for n in range(4)]
    while table.state.winner is None:
        table.step(players)
    async with PostgresStore(migrated_url) as store:
        for each in table.entries:
            assert await store.append(each, Status.PLAYING)
    _, told = await looked(migrated_url, capsys)
    numbers = [e.dealt.number for each in table.entries for e in each.events if isinstance(e, ev.RoundDealt)]
    assert (told["deals"], told["live_deals_left_out"]) == (len(numbers), 0)
    assert alarms(told) <= {"reused seeds"}, "this dealer reveals the same one for every deal"


async def test_the_table_of_verdicts_fits_a_terminal_and_says_what_is_too_few(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with PostgresStore(migrated_url) as store:
        for each in log(0, fair()[:DEALS], over=DEALS):
            assert await store.append(each, Status.PLAYING)
    assert await monitor_deals(Logs(migrated_url)) == 0
    told = capsys.readouterr()
    assert told.out.startswith("40 deals at 1 table\n")
    assert max(map(len, told.out.splitlines())) <= 80
    assert re.search(r"^card by position +40 +too few$", told.out, re.MULTILINE)
    assert re.search(r"^repeated decks +40 +0 +0 +1$", told.out, re.MULTILINE)
    assert told.err.startswith("baloot: 40 deals are too few for: reused seeds, card by position, fixed")
    assert told.out.rstrip().endswith("no alarm: no test is below 0.0001")


async def test_an_alarm_says_what_is_wrong_and_how_unlikely_it_is(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await write(migrated_url, lambda deck: cheated(deck, an_ace, Random(deck.cards[0])))
    assert await monitor_deals(Logs(migrated_url)) == 1
    [*_, line] = capsys.readouterr().out.splitlines()
    assert line.startswith("ALARM: ")
    assert "a fair shuffle" in line


async def test_an_empty_database_is_no_alarm(migrated_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert await monitor_deals(Logs(migrated_url)) == 0
    assert "0 deals at 0 tables" in capsys.readouterr().out


async def test_a_time_that_is_none_is_refused(migrated_url: str) -> None:
    with pytest.raises(SetupError, match="--since must be before --until"):
        await monitor_deals(Logs(migrated_url), datetime(2026, 1, 2), datetime(2026, 1, 2))  # noqa: DTZ001 - as typed


def test_a_date_that_is_none_is_a_usage_error() -> None:
    result = CliRunner().invoke(app, ["monitor", "deals", "--since", "yesterday"])
    assert result.exit_code == 2
    assert "yesterday" in result.output
