"""The command `play`: a person at a table, by default with three bots."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass
from pathlib import Path

from baloot.api.core.v1.play_pb2 import ClaimQaid, PlayCard
from baloot.api.table.v1.events_pb2 import LEAVE_POLICY_BOT, LEAVE_POLICY_FORFEIT, Question
from baloot.api.table.v1.table_pb2 import TableView
from baloot.app.errors import SetupError
from baloot.app.private import private_platform
from baloot.app.reaching import Asked, reached
from baloot.app.showing import BOTS
from baloot.app.terminal.claims import claim_menu
from baloot.app.terminal.console import open_console
from baloot.app.terminal.language import Language
from baloot.app.terminal.menu import (
    CLAIM_KEY,
    Action,
    Menu,
    declaration_menu,
    menu_of,
    menu_text,
    refusal_text,
    showing_menu,
)
from baloot.app.terminal.narrator import Narrator
from baloot.app.terminal.terms import Word, say
from baloot.app.terminal.typed import TypedLines
from baloot.bots.bot import play_seat
from baloot.bots.claiming import is_lenient, may_claim
from baloot.client.table import TableClient, time_control
from baloot.client.watching import Update
from baloot.codec.enums import SEAT
from baloot.core.errors import Reason, Refusal
from rich.text import Text

THINK = 0.7
"""Seconds that bots take for an answer, so that a person can follow."""
ROUND_PAUSE = 3.0
_REALLY = {
    LEAVE_POLICY_BOT: Word.REALLY_LEAVE_BOT,
    LEAVE_POLICY_FORFEIT: Word.REALLY_LEAVE_FORFEIT,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person sits down, and how. `rules` names the rule set of a new table; its times are in seconds.

    With the file of an access token the seat belongs to its account; not on a platform of one's own, which has none.
    """

    address: str | None
    table_id: str | None
    name: str
    rules: str
    language: Language
    call_time: float
    card_time: float
    bank: float
    token_file: Path | None = None


async def play(stop: asyncio.Event, place: Place) -> None:
    """Seats a person: at a given table, at a new one with three bots, or on a platform of its own."""
    table_id, language = place.table_id, place.language
    async with AsyncExitStack() as stack:
        asked = await _asked(stack, place)
        access = asked.access()
        channel = await stack.enter_async_context(reached(asked))
        tables = TableClient(channel, table_id or "", access=access)
        bots = await stack.enter_async_context(asyncio.TaskGroup())
        table = tables if table_id else await _new_table(tables, place)
        seat = await take_seat(table, place.name)
        if not table_id:
            for bot in await _bots(TableClient(channel, table.table_id), seat):
                bots.create_task(play_seat(bot, think=THINK))
        narrator = Narrator(open_console(), language)
        await Person(seat, narrator, TypedLines(), language).play(stop)
        tell_how_to_verify(narrator, seat, place)


async def _asked(stack: AsyncExitStack, place: Place) -> Asked:
    """The server of a place, or one that runs as long as the stack is open."""
    if place.address is not None:
        return Asked(place.address, place.token_file)
    return Asked((await stack.enter_async_context(private_platform())).address)


async def take_seat(table: TableClient, name: str) -> TableClient:
    """Takes a seat, or goes on with the one that the account has at the table."""
    try:
        return await table.take_seat(name)
    except Refusal as refusal:
        if refusal.reason is not Reason.ALREADY_SEATED:
            raise
    table.seat = (await table.view()).viewer
    return table


async def _bots(guests: TableClient, seat: TableClient) -> list[TableClient]:
    """The seats of three bots, who are guests: an account has one seat. Raises SetupError where no guests are let in."""
    try:
        return [await guests.take_seat(bot) for bot in BOTS[1:]]
    except Refusal as refusal:
        with suppress(Refusal):
            await seat.leave_seat()
        if refusal.reason is not Reason.TOKEN_REQUIRED:
            raise
        raise SetupError(
            "bots play as guests, and this server lets none in: sit down at an open table with --table"
        ) from refusal


async def _new_table(tables: TableClient, place: Place) -> TableClient:
    control = time_control(place.call_time, place.card_time, place.bank)
    return await tables.create_table(rules=place.rules, time_control=control, round_pause=ROUND_PAUSE)


def tell_how_to_verify(narrator: Narrator, seat: TableClient, place: Place) -> None:
    """Prints the command that checks the deals by what the seat noted; not for a platform that ends with the game."""
    if unchecked := ", ".join(map(str, seat.deals.unchecked)):
        narrator.print(say(Word.UNCHECKED, place.language, unchecked), style="dim")
    if place.address is not None:
        command = verify_command(seat, Asked(place.address, place.token_file))
        narrator.print(say(Word.VERIFY, place.language, command), style="dim", soft_wrap=True)


def verify_command(seat: TableClient, asked: Asked) -> str:
    """The command that checks the deals of a seat's table by what the seat noted."""
    server = ["--connect", asked.address]
    if asked.token_file is not None:
        server += ["--token-file", str(asked.token_file)]
    name = SEAT.decode(seat.seat, "seat").name.lower()
    pins = (f" --pin {pin}" for pin in seat.pins)
    sent = [seed for first, seed in sorted(seat.deals.own.items()) if first not in seat.deals.sending]
    seeds = (f" --seed {name}={seed.hex()}" for seed in sent)
    return f"baloot verify {seat.table_id} {shlex.join(server)}{''.join((*pins, *seeds))}"


def time_for(view: TableView, question: Question) -> tuple[float, float]:
    """The seconds that the viewer's question has of its own, and those left in the viewer's bank."""
    settings = view.settings
    control = settings.time_control
    own = control.card_time if question.WhichOneof("question") == "play" else control.call_time
    own = own if settings.HasField("time_control") else settings.action_timeout
    bank = view.seats[view.viewer - 1].bank
    return own.ToNanoseconds() / 1e9, bank.ToNanoseconds() / 1e9


class Person:
    """A person at one seat: told what happens, asked in menus, answered by what is typed."""

    def __init__(self, seat: TableClient, narrator: Narrator, lines: TypedLines, language: Language) -> None:
        self._seat = seat
        self._narrator = narrator
        self._lines = lines
        self._language = language
        self._question: Question | None = None
        self._menu: Menu | None = None
        self._projects: PlayCard | None = None
        self._claim: ClaimQaid | None = None
        self._leaving = False
        self._view = TableView()

    async def play(self, stop: asyncio.Event) -> None:
        """Plays until the table ends, or the person leaves or is interrupted."""
        self._tell(Word.KEYS)
        async with aclosing(self._seat.watch(on_cut=self._cut)) as updates:
            if not await self._follow(updates, stop):
                await self._leave()

    async def _follow(self, updates: AsyncGenerator[Update, None], stop: asyncio.Event) -> bool:
        """Takes updates and typed lines as they come. Returns whether the table ended by itself."""
        update = asyncio.ensure_future(anext(updates))
        typed = asyncio.ensure_future(self._lines.next())
        stopping = asyncio.ensure_future(stop.wait())
        try:
            while True:
                await asyncio.wait({update, typed, stopping}, return_when=asyncio.FIRST_COMPLETED)
                if stopping.done() or (typed.done() and not await self._obey(typed.result())):
                    return False
                if typed.done():
                    typed = asyncio.ensure_future(self._lines.next())
                if update.done():
                    self._take(update.result())
                    update = asyncio.ensure_future(anext(updates))
        except StopAsyncIteration:
            return True
        finally:
            for task in (update, typed, stopping):
                task.cancel()
            await asyncio.gather(update, typed, stopping, return_exceptions=True)

    # What happens.

    def _take(self, update: Update) -> None:
        self._narrator.tell(update)
        self._view = update.view
        if self._claim is not None and not may_claim(update.view):
            self._claim = self._menu = None
        if not update.view.HasField("question"):
            self._question = None
            if self._claim is None:
                self._menu = None
        elif self._question is None or update.view.question.asked_at != self._question.asked_at:
            self._question = Question.FromString(update.view.question.SerializeToString())
            self._projects = None
            if update.entry is not None:  # a view that came whole has been drawn already
                self._narrator.show_table()
            if self._claim is None:  # else its menu stands, and the new question waits
                self._ask()

    def _cut(self, why: str) -> None:
        self._narrator.print(say(Word.CUT, self._language, why), style="yellow")

    def _ask(self) -> None:
        """Shows the menu of the open question: first what to announce or show, if anything, then the card."""
        question, menu = self._question, None
        if question is None:
            return
        if question.WhichOneof("question") == "play" and self._projects is None:
            menu = declaration_menu(question.play, self._language)
            menu = menu or showing_menu(question.play, self._language)
        lenient = is_lenient(self._view)
        self._menu = menu or menu_of(question, self._view.round, self._language, lenient=lenient)
        self._show_menu(self._menu)
        self._narrator.print(self._or_else(question, self._menu.default.plain), style="dim")

    def _or_else(self, question: Question, default: str) -> str:
        """How long the person has, and what is done for one who does not answer."""
        own, bank = time_for(self._view, question)
        if bank:
            return say(Word.OR_ELSE_BANK, self._language, f"{own:g}", f"{bank:.0f}", default)
        return say(Word.OR_ELSE, self._language, f"{own:g}", default)

    def _ask_claim(self, claim: ClaimQaid) -> None:
        """Shows the next menu of a claim, or says why there is none and goes back to the open question."""
        self._claim, self._menu = claim, claim_menu(self._view, claim, self._language)
        if self._menu is not None:
            self._show_menu(self._menu)
        else:
            self._claim = None
            self._tell(Word.NO_PROOF_YET)
            self._ask()

    def _show_menu(self, menu: Menu) -> None:
        self._narrator.print(Text(menu.title, "bold"))
        self._narrator.print(menu_text(menu))

    # What is typed.

    async def _obey(self, line: str | None) -> bool:
        """Does what a typed line says. Returns False when the person leaves, or can type nothing more."""
        if line is None:
            self._tell(Word.INPUT_ENDED)
            return False
        typed = line.strip().lower()
        if typed == "q":
            if self._leaving:
                return False
            self._leaving = True
            self._tell(_REALLY.get(self._view.settings.absence.leaving, Word.REALLY_LEAVE))
            return True
        self._leaving = False
        if typed in ("?", "s", "t", ""):
            self._show(typed)
        elif typed == CLAIM_KEY and may_claim(self._view):
            self._ask_claim(ClaimQaid())
        else:
            await self._choose(typed)
        return True

    def _show(self, key: str) -> None:
        if key == "?":
            self._tell(Word.HELP)
        elif key == "s":
            self._narrator.show_match()
        elif key == "t":
            self._narrator.show_table()
            self._narrator.show_tricks()
        if self._claim is not None:
            self._ask_claim(self._claim)
        else:
            self._ask()

    async def _choose(self, typed: str) -> None:
        action = self._menu.chosen(typed) if self._menu else None
        if action is None and self._is_away():
            await self._come_back()
        elif action is None:
            self._tell(Word.NOT_A_CHOICE if self._menu else Word.NOT_ASKED)
        elif isinstance(action, PlayCard) and not action.card:
            self._projects = action
            self._ask()
        elif isinstance(action, ClaimQaid) and not action.card:
            self._claim = self._menu = None
            self._ask()
        elif isinstance(action, ClaimQaid) and not action.proof:
            self._ask_claim(action)
        else:
            await self._submit(action)

    async def _submit(self, action: Action) -> None:
        question, seen = self._question, self._view.sequence
        if isinstance(action, PlayCard) and self._projects is not None:
            action.MergeFrom(self._projects)
        if question is not None and not isinstance(action, ClaimQaid):
            seen = question.asked_at
        self._claim = self._menu = None
        try:
            await self._seat.submit(action, expected_sequence=seen)
        except Refusal as refusal:
            self._narrator.print(refusal_text(refusal, question, self._view.round, self._language))
            if refusal.reason is not Reason.SEQUENCE_STALE and self._question is question:
                self._ask()

    def _is_away(self) -> bool:
        """Whether a bot plays for the person."""
        view = self._view
        return bool(view.viewer) and view.seats[view.viewer - 1].bot_plays

    async def _come_back(self) -> None:
        """Takes the seat back from the bot; the question that is open stands."""
        try:
            await self._seat.come_back()
        except Refusal as refusal:
            question = self._question
            self._narrator.print(refusal_text(refusal, question, self._view.round, self._language))
        self._ask()

    async def _leave(self) -> None:
        """Gives up the seat, so that nobody waits for it."""
        self._narrator.end_line()
        try:
            await self._seat.leave_seat()
        except Refusal as refusal:
            if refusal.reason is not Reason.TABLE_ENDED:
                raise
        self._tell(Word.LEFT)

    def _tell(self, what: Word) -> None:
        self._narrator.print(say(what, self._language), style="dim")
