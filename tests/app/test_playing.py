"""A person at a table, played by a script that types."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Callable

import pytest
from baloot.api.table.v1.events_pb2 import (
    LEAVE_POLICY_ABANDON,
    LEAVE_POLICY_BOT,
    LEAVE_POLICY_FORFEIT,
    AbsencePolicy,
    LeavePolicy,
    TimeControl,
)
from baloot.api.table.v1.table_pb2 import TABLE_STATUS_ABANDONED, TABLE_STATUS_FINISHED
from baloot.app.playing import Person
from baloot.app.terminal.language import Language
from baloot.app.terminal.narrator import Narrator
from baloot.app.terminal.typed import TypedLines
from baloot.bots.bot import play_seat
from baloot.client.table import TableClient, time_control
from baloot.codec.enums import CARD

from tests.app import scenes
from tests.bots.served import served

SIGNS = ("or else", "is not one of the choices", "q again to leave")
"""After these something is typed."""


class Typist(TypedLines):
    """Types whatever it is told to once a menu is on the screen, and again whenever there is another one."""

    def __init__(
        self, out: io.StringIO, type_: Callable[[str], str | None], signs: tuple[str, ...] = ()
    ) -> None:
        super().__init__(io.StringIO())
        self._out = out
        self._signs = SIGNS + signs
        self._type = type_
        self._seen = 0

    async def next(self) -> str | None:
        while not any(sign in self._out.getvalue()[self._seen :] for sign in self._signs):
            await asyncio.sleep(0.001)
        screen = self._out.getvalue()[self._seen :]
        self._seen += len(screen)
        return self._type(screen)


async def _play(table: TableClient, type_: Callable[[str], str | None], stop: asyncio.Event) -> str:
    """Seats a person with three bots; returns all that was on the screen."""
    console, out = scenes.console()
    seat = await table.take_seat("Omar")
    bots = [asyncio.create_task(play_seat(await table.take_seat(name))) for name in ("A", "B", "C")]
    person = Person(seat, Narrator(console), Typist(out, type_), Language.ENGLISH)
    async with asyncio.timeout(60):
        await person.play(stop)
        await asyncio.gather(*bots)
    return out.getvalue()


async def test_a_person_can_play_a_match_by_typing_numbers() -> None:
    async with served(seed=5) as tables:
        table = await tables.create_table(round_pause=0)
        screen = await _play(table, lambda _: "1", asyncio.Event())
        view = await table.view()
    assert view.status == TABLE_STATUS_FINISHED
    assert "win the match" in screen
    assert "play a card" in screen


CLOCKS = [
    (None, "within 30 s, or else: "),
    (time_control(20, 7.5), "within 20 s, or else: pass"),
    (time_control(20, 7.5, 60), "within 20 s and 60 s from your bank, or else: pass"),
]


@pytest.mark.parametrize(("control", "said"), CLOCKS)
async def test_a_question_says_how_long_it_may_take(control: TimeControl | None, said: str) -> None:
    async with served(seed=5) as tables:
        table = await tables.create_table(round_pause=0, time_control=control)
        screen = await _play(table, lambda _: "1", asyncio.Event())
    assert said in screen
    assert control is None or "within 7.5 s" in screen


async def test_whoever_is_asked_at_once_sees_the_table_once() -> None:
    async with served(seed=5) as tables:
        table = await tables.create_table()
        seats = [await table.take_seat(name) for name in ("A", "B", "C", "D")]
        [asked] = [seat for seat in seats if (await seat.view()).HasField("question")]
        console, out = scenes.console()
        person = Person(asked, Narrator(console), Typist(out, lambda _: None), Language.ENGLISH)
        async with asyncio.timeout(60):
            await person.play(asyncio.Event())
    assert out.getvalue().count("╭") == 1


async def test_help_sheet_and_nonsense_are_answered_and_the_question_stays() -> None:
    typed = iter(["?", "s", "t", "99", "x", "1a", ""])

    def type_(screen: str) -> str | None:
        return next(typed, "q")

    async with served(seed=5) as tables:
        table = await tables.create_table(round_pause=0)
        screen = await _play(table, lambda shown: "1" if "99" in shown else type_(shown), asyncio.Event())
    assert "Type a number and Enter" in screen
    assert "score sheet" in screen


async def test_leaving_is_asked_twice_and_frees_the_others() -> None:
    async with served(seed=5) as tables:
        table = await tables.create_table()
        console, out = scenes.console()
        seat = await table.take_seat("Omar")
        lines = TypedLines(io.StringIO("q\nq\n"))
        bots = [asyncio.create_task(play_seat(await table.take_seat(name))) for name in ("A", "B", "C")]
        async with asyncio.timeout(30):
            await Person(seat, Narrator(console), lines, Language.ENGLISH).play(asyncio.Event())
            await asyncio.gather(*bots)
        view = await table.view()
    assert view.status == TABLE_STATUS_ABANDONED
    assert out.getvalue().count("q again to leave") == 1
    assert "you left the table" in out.getvalue()


async def test_one_q_alone_is_taken_back_by_anything_else() -> None:
    async with served(seed=5) as tables:
        table = await tables.create_table()
        console, out = scenes.console()
        seat = await table.take_seat("Omar")
        lines = TypedLines(io.StringIO("q\ns\nq\n?\n"))  # and then the input ends
        async with asyncio.timeout(30):
            await Person(seat, Narrator(console), lines, Language.ENGLISH).play(asyncio.Event())
    assert out.getvalue().count("q again to leave") == 2


async def test_when_the_input_ends_one_is_told_and_leaves() -> None:
    async with served(seed=5) as tables:
        table = await tables.create_table()
        console, out = scenes.console()
        lines = TypedLines(io.StringIO("1\n"))
        async with asyncio.timeout(30):
            seat = await table.take_seat("Omar")
            await Person(seat, Narrator(console), lines, Language.ENGLISH).play(asyncio.Event())
    told = out.getvalue().splitlines()
    assert told[-3:] == [
        "it is not your turn; ? for help",
        "the input has ended: you leave the table",
        "you left the table",
    ]


async def test_a_card_typed_by_its_name_is_played_or_refused_with_its_rule() -> None:
    refused: list[str] = []

    def type_(_screen: str) -> str:
        question = person._view.question.play
        if question.refused and not refused:
            refused.append(str(CARD.value_of[question.refused[0].card]))
            return refused[0].lower()
        if question.legal and person._projects is None and question.declarations:
            return "0"
        return str(CARD.value_of[question.legal[0].card]) if question.legal else "1"

    async with served(seed=5) as tables:
        table = await tables.create_table(round_pause=0)
        console, out = scenes.console()
        seat = await table.take_seat("Omar")
        bots = [asyncio.create_task(play_seat(await table.take_seat(name))) for name in ("A", "B", "C")]
        person = Person(seat, Narrator(console), Typist(out, type_), Language.ENGLISH)
        async with asyncio.timeout(60):
            await person.play(asyncio.Event())
            await asyncio.gather(*bots)
        view = await table.view()
    assert view.status == TABLE_STATUS_FINISHED
    assert re.search(r"\(rule 2\.19\); allowed: ", out.getvalue())


async def test_the_tricks_of_the_round_can_be_looked_at() -> None:
    looked: list[str] = []

    def type_(screen: str) -> str | None:
        if looked:
            looked.append(screen)
            return None
        if re.search("^ 2  ", screen, re.MULTILINE):
            looked.append(screen)
            return "t"
        return "1"

    async with served(seed=5) as tables:
        await _play(await tables.create_table(round_pause=0), type_, asyncio.Event())
    _, after = looked
    assert re.search("^ 1  .* · .* · .* · .* → ", after, re.MULTILINE)


async def test_a_person_who_was_away_comes_back_by_any_word() -> None:
    """Nothing is typed until a bot plays, and then something that is no choice."""
    typed = iter(["back", "?", "q", "q"])

    async with served(seed=5) as tables:
        table = await tables.create_table(
            round_pause=0, action_timeout=0.1, absence=AbsencePolicy(bot_after=1)
        )
        console, out = scenes.console()
        seat = await table.take_seat("Omar")
        bots = [asyncio.create_task(play_seat(await table.take_seat(name))) for name in ("A", "B", "C")]
        lines = Typist(out, lambda _: next(typed))
        lines._signs = ("type anything", "is back", "Type a number", "q again")
        person = Person(seat, Narrator(console), lines, Language.ENGLISH)
        async with asyncio.timeout(60):
            await person.play(asyncio.Event())
            await asyncio.gather(*bots)
    screen = out.getvalue()
    assert screen.index("a bot plays for you") < screen.index("Omar is back")
    assert "Type a number and Enter" in screen


LEAVING = [
    (LEAVE_POLICY_ABANDON, "leaving ends the match for everybody"),
    (LEAVE_POLICY_BOT, "a bot will play on for you"),
    (LEAVE_POLICY_FORFEIT, "leaving forfeits the match"),
]


@pytest.mark.parametrize(("leaving", "said"), LEAVING)
async def test_who_wants_to_leave_is_told_what_that_does(leaving: LeavePolicy.ValueType, said: str) -> None:
    async with served(seed=5) as tables:
        table = await tables.create_table(absence=AbsencePolicy(leaving=leaving))
        seat = await table.take_seat("Omar")
        for name in ("A", "B", "C"):
            await table.take_seat(name)
        console, out = scenes.console()
        lines = Typist(out, lambda _: "q")
        lines._signs = ("╭", "q again to leave")
        async with asyncio.timeout(30):
            await Person(seat, Narrator(console), lines, Language.ENGLISH).play(asyncio.Event())
    assert f"{said}: q again to leave" in out.getvalue()


async def test_being_told_to_stop_leaves_the_seat() -> None:
    stop = asyncio.Event()
    async with served(seed=5) as tables:
        table = await tables.create_table()
        console, out = scenes.console()
        person = Person(
            await table.take_seat("Omar"),
            Narrator(console),
            Typist(out, lambda _: None),
            Language.ENGLISH,
        )
        playing = asyncio.create_task(person.play(stop))
        await asyncio.sleep(0.05)
        stop.set()
        async with asyncio.timeout(10):
            await playing
        view = await table.view()
    assert not view.seats[0].taken


async def test_a_refusal_is_shown_and_asked_again() -> None:
    """The person announces Sawa, which does not hold; the next menu comes without it."""
    async with served(seed=5) as tables:
        table = await tables.create_table(round_pause=0)
        screen = await _play(table, lambda shown: "w" if "[w]" in shown else "1", asyncio.Event())
    assert "does not hold" in screen or "it holds" in screen
