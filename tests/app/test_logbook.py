"""The log in words: everything that happened, and no hand of a round that is still played."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import get_args
from uuid import UUID

import pytest
from baloot.app.errors import SetupError
from baloot.app.logbook import _TELL, HIDDEN, log_lines, show_log, told
from baloot.app.stored import Logs
from baloot.core.auction import PASS
from baloot.core.seats import Seat, Team
from baloot.dealing.local import LocalDealing
from baloot.table import events as ev
from baloot.table.events import Entry, Event, Settings
from baloot.table.policy import AbsencePolicy, ForfeitReason, LeavePolicy
from baloot.table.postgres import PostgresStore

from tests.bots.matches import LocalTable, SeededDealing, SeededRules, random_player
from tests.table.trial import Trial


@cache
def entries(seed: int = 3) -> tuple[Entry, ...]:
    """A whole match."""
    table = LocalTable(SeededRules(SeededDealing(Random(seed))), ("Noura", "Fahad", "Salem", "Huda"))
    players = [random_player(seed * 4 + n) for n in range(4)]
    while table.state.winner is None:
        table.step(players)
    return tuple(table.entries)


def live() -> tuple[Entry, ...]:
    """The match as long as its second round is played: everybody holds seven cards or eight."""
    starts = [n for n, entry in enumerate(entries()) if _has(entry, ev.PlayStarted)]
    return entries()[: starts[1] + 3]


def _has(entry: Entry, kind: type) -> bool:
    return any(isinstance(event, kind) for event in entry.events)


def _held(told: tuple[Entry, ...]) -> set[str]:
    """The cards that are in a hand at the end."""
    start = [event for entry in told for event in entry.events if isinstance(event, ev.PlayStarted)][-1]
    number = max(n for n, entry in enumerate(told) if _has(entry, ev.PlayStarted))
    played = {
        event.move.card
        for entry in told[number:]
        for event in entry.events
        if isinstance(event, ev.CardPlayed)
    }
    return {str(card) for hand in start.hands for card in hand if card not in played}


def test_every_kind_of_event_is_told() -> None:
    assert set(_TELL) == set(get_args(ev.Event))


def test_a_match_is_told_from_its_first_entry_to_its_last() -> None:
    lines = list(log_lines(entries()))
    assert lines[0] == f"table {entries()[0].table_id}, {len(entries())} entries"
    numbers = [int(line[:5]) for line in lines[1:] if line[:5].strip()]
    assert numbers == list(range(1, len(entries()) + 1))
    assert any("the match is won by" in line for line in lines[-5:])
    assert "the seed of deal" in lines[-1]
    assert "rule 2.2" in "\n".join(lines)
    assert HIDDEN not in "\n".join(lines), "all rounds are over"


def test_what_a_seat_took_is_told_with_what_its_bank_has_left() -> None:
    first, second = entries()[:2]
    taken = ev.TimeUsed(Seat.EAST, 12_500_000, 3_000_000)
    lines = list(log_lines((first, replace(second, received=second.at, time_used=(taken,)))))
    assert lines[-1].strip().startswith("east took 12.500 s, received ")
    assert lines[-1].endswith(", 3.000 s in the bank")


def test_hands_of_a_live_round_are_hidden_and_earlier_ones_are_not() -> None:
    lines = list(log_lines(live()))
    deals = [n for n, line in enumerate(lines) if "deal " in line]
    before, current = "\n".join(lines[: deals[-1]]), " ".join(lines[deals[-1] :])
    assert HIDDEN not in before
    assert HIDDEN in current
    up_card = current.split("up card ")[1].split()[0]
    assert not (_held(live()) - {up_card}) & set(current.replace(",", " ").split())


async def test_hands_of_a_deal_that_was_thrown_in_are_hidden_until_the_next_has_begun() -> None:
    trial = Trial(settings=Settings(round_pause=0))
    await trial.deal()
    while questions := (await trial.state()).questions:
        await trial.act(questions[0].seat, PASS)
    log = await trial.entries()
    assert _has(log[-1], ev.DealVoid)
    before = "\n".join(log_lines(log))
    assert HIDDEN in before
    await trial.table.step(trial.table_id)
    lines = list(log_lines(await trial.entries()))
    second = next(n for n, line in enumerate(lines) if "deal 2: " in line)
    assert HIDDEN not in "\n".join(lines[:second])
    assert HIDDEN in "\n".join(lines[second:])
    left = ev.TableAbandoned(ev.AbandonReason.LEFT)
    ended = replace(log[-1], sequence=len(log) + 1, actor=None, events=(left,))
    assert HIDDEN not in "\n".join(log_lines((*log, ended)))


def test_secrets_are_shown_when_asked_for() -> None:
    told = "\n".join(log_lines(live(), secrets=True))
    assert HIDDEN not in told
    assert _held(live()) <= set(told.split())


async def test_the_log_comes_out_of_the_database(
    migrated_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with PostgresStore(migrated_url) as store:
        for entry in entries()[:5]:
            await store.append(entry, ev.Status.PLAYING)
    await show_log(Logs(migrated_url), str(entries()[0].table_id), secrets=False)
    assert "Noura" in capsys.readouterr().out


async def test_a_log_that_the_key_does_not_open_is_one_line(migrated_url: str, tmp_path: Path) -> None:
    async with PostgresStore(migrated_url, LocalDealing(b"a" * 32).match_key) as store:
        for entry in entries()[:20]:
            await store.append(entry, ev.Status.PLAYING)
    other, table = tmp_path / "other.key", str(entries()[0].table_id)
    other.write_bytes(b"b" * 32)
    with pytest.raises(
        SetupError, match=r"^the key in .*other\.key does not open this log: .*--dealing-key-file"
    ):
        await show_log(Logs(migrated_url, other), table, secrets=False)
    with pytest.raises(SetupError, match=r"the hands in this log are sealed: .*--dealing-key-file"):
        await show_log(Logs(migrated_url), table, secrets=False)


@pytest.mark.parametrize(("table", "why"), [("nonsense", "UUID"), (str(UUID(int=7)), "there is no table")])
async def test_an_unknown_table_is_one_line(migrated_url: str, table: str, why: str) -> None:
    with pytest.raises(SetupError, match=why):
        await show_log(Logs(migrated_url), table, secrets=False)


def test_seats_are_named_in_the_log() -> None:
    told = "\n".join(log_lines(entries()))
    assert all(str(seat) in told for seat in Seat)


ABSENCES = [
    (ev.BotSeated(Seat.EAST), "a bot plays for east"),
    (ev.PlayerReturned(Seat.EAST), "east plays again"),
    (ev.MatchForfeited(Team.EAST_WEST, ForfeitReason.NO_SHOW), "forfeited by east-west: no show"),
]


@pytest.mark.parametrize(("event", "line"), ABSENCES, ids=lambda value: type(value).__name__)
def test_absences_are_told(event: Event, line: str) -> None:
    assert list(told(event, lambda _: "")) == [line]


def test_the_policy_of_a_table_is_told_where_it_has_one() -> None:
    policy = AbsencePolicy(2, LeavePolicy.BOT, 30, walkover=True)
    lines = list(told(ev.TableCreated(Settings(absence=policy)), lambda _: ""))
    assert lines[-1] == "a bot after 2 missed turns, a forfeit after 30, leaving: bot, walk-overs"
    assert len(list(told(ev.TableCreated(Settings()), lambda _: ""))) == len(lines) - 1
