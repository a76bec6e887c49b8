"""The orchestrator: brings an action from a client to the log, and the table's own steps when they are due.

The log is the only truth, and its key the only fence: an entry is appended after the last one known, or the race is
lost and everything is decided again. Memory is a copy that can be thrown away at any moment.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID

from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Seat
from baloot.kit.access import token_required
from baloot.table import dealing, decide, entries, identity
from baloot.table.dealing import AddSeed
from baloot.table.decide import Action
from baloot.table.decision import Decision
from baloot.table.due import due
from baloot.table.entries import Request
from baloot.table.events import LATE, SECOND, Entry, Micros, Settings, TableCreated
from baloot.table.identity import ANYBODY, Account, Holder
from baloot.table.live import LiveTable
from baloot.table.openings import Openings, openings_of
from baloot.table.revealing import SeedLost, with_seeds
from baloot.table.rules import Rules
from baloot.table.state import TableState
from baloot.table.store import Store, StoreUnavailable
from baloot.table.substitute import Substitute, choice_of
from baloot.table.timing import Moment, was_interrupted

ATTEMPTS = 5
"""How often a lost race is run again before the caller is told that the table is contended."""

PROMPT: Micros = SECOND // 200
"""A step of the table's own that comes no later than this after its deadline is dated by the deadline."""

SLOW: Micros = SECOND
"""A call that is not answered in this time is late by a fault of ours: one takes thousandths of a second."""

Decide = Callable[[TableState], Awaitable[Decision]]
Due = Callable[[TableState], tuple[Decision, Request] | None]


class BrokenRecord(Exception):
    """A rule service refuses what the log holds. Why may name a sealed call, so it is not for the caller."""


class Orchestrator:
    """Runs the tables of one process. Any number of processes may run the same tables over one store.

    The substitute plays for absent players; without one, the default actions are taken for them.
    """

    def __init__(self, store: Store, rules: Rules, substitute: Substitute | None = None) -> None:
        self._store = store
        self._rules = rules
        self._substitute = substitute
        self._key: bytes | None = None
        self._resumed: Micros = 0
        """When the last outage ended: no seat's clock ran before."""
        self._unsure = True
        """Whether there may have been an outage that this process does not know of."""
        self._tables: dict[UUID, LiveTable] = {}
        self.accounts_at_events = False
        """Whether seats of tables that belong to an event are for accounts alone."""
        self.on_deadline: Callable[[UUID, Micros | None], None] = lambda _table, _deadline: None
        """Told the deadline that a table has after a new entry; None when it has ended."""
        self.on_entry: Callable[[Entry], None] = lambda _entry: None
        """Told each entry that this process stored, but for those of tables with a delay for spectators."""

    @property
    def tables(self) -> dict[UUID, LiveTable]:
        """The tables in memory."""
        return self._tables

    @property
    def store(self) -> Store:
        return self._store

    def now(self) -> Micros:
        try:
            return self._store.now()
        except StoreUnavailable as error:
            raise unavailable() from error

    async def id_of(self, request_id: UUID) -> UUID:
        """The id of the table that a request opens, or has opened."""
        return identity.table_id(await self._server_key(), request_id)

    async def state_if_any(self, table_id: UUID) -> TableState | None:
        """The table as the log has it now; None when there is none."""
        try:
            return await self.state(table_id)
        except Refusal as refusal:
            if refusal.reason is not Reason.TABLE_UNKNOWN:
                raise
            return None

    async def create(self, request_id: UUID, settings: Settings) -> Entry:
        """Opens a table. The same request opens it once."""
        settings = await self._after_match(settings)
        table_id = await self.id_of(request_id)
        request = Request(ANYBODY, request_id, identity.request_digest("create", *entries.spelled(settings)))
        live = self._live(table_id)
        async with live.lock:
            await self._refresh(live)
            if live.state is not None:
                return await self._repeated(live, request, 1)
            self._require_ahead(live, settings)
            await self._enrol(live.table_id, settings)
            committed = await dealing.commit(self._rules, table_id, 1)
            decision = Decision((TableCreated(settings), committed), wait=settings.fill_timeout)
            entry = await self._append(live, None, decision, None, request)
            return entry or await self._repeated(live, request, 1)

    def _require_ahead(self, live: LiveTable, settings: Settings) -> None:
        try:
            dealing.require_ahead(settings.beacon_time, self.now())
        except Refusal:
            self.forget(live.table_id)  # it has no entry
            raise

    async def _enrol(self, table_id: UUID, settings: Settings) -> None:
        """Notes to which event a table belongs that is opened next, so that no table of an event goes without."""
        if not settings.event_id:
            return
        try:
            await self._store.enrol(table_id, settings.event_id)
        except StoreUnavailable as error:
            raise unavailable() from error

    async def _after_match(self, settings: Settings) -> Settings:
        """The settings of a rematch, which know who lost. Raises Refusal unless the match before was won."""
        if settings.rematch_of is None:
            return settings
        before = await self.current(settings.rematch_of)
        assert before.state is not None
        winner = before.state.winner
        if winner is None or not before.is_told(self.now()):  # the new table tells everybody who lost
            raise Refusal(
                Reason.TABLE_NOT_FINISHED, "a rematch follows a match that was won", field="rematch_of"
            )
        return replace(settings, lost_before=winner.other)

    async def take_seat(
        self,
        table_id: UUID,
        request_id: UUID,
        seat: Seat | None,
        name: str,
        account: Account | None = None,
        seed: bytes = b"",
    ) -> tuple[Entry, str]:
        """Takes a seat and returns its entry and token. The same request takes it once.

        The seat of an account is bound to it and has no token. `seed` is what the player adds to the deals, if anything.
        """
        added = ("seed", seed.hex()) if seed else ()
        digest = identity.request_digest("take", seat, name, *(account or ()), *added)
        token = ""
        if account is None:
            token = identity.seat_token(await self._server_key(), table_id, request_id, digest)
        hashed = identity.holder_hash(account or token)

        async def seated(state: TableState) -> Decision:
            if self.accounts_at_events and account is None and state.settings.event_id:
                raise token_required()
            player_id = account.player_id if account else ""
            return decide.take_seat(state, seat, name, hashed, player_id, seed, self.now())

        entry = await self._command(table_id, Request(ANYBODY, request_id, digest), seated)
        return entry, token

    async def give_beacon(self, table_id: UUID, request_id: UUID, value: bytes) -> Entry:
        """Gives the beacon that the table waits for. The same request gives it once."""

        async def given(state: TableState) -> Decision:
            return dealing.give_beacon(state, value, self.now())

        request = Request(ANYBODY, request_id, identity.request_digest("beacon", value.hex()))
        return await self._command(table_id, request, given)

    async def openings(self, table_id: UUID, holder: Holder) -> Openings:
        """Proofs of the cards of a holder's seat in the current deal, or the last one."""
        state = await self.state(table_id)
        seat = seat_held(state, holder, identity.holder_hash(holder))
        try:
            return await openings_of(self._rules, state, seat)
        except Refusal as refusal:
            _require_sound(refusal)
            raise

    async def leave_seat(self, table_id: UUID, holder: Holder, request_id: UUID) -> Entry:
        """Gives up the seat of a token or an account."""
        hashed = identity.holder_hash(holder)

        async def left(state: TableState) -> Decision:
            return decide.leave_seat(state, seat_held(state, holder, hashed))

        request = Request(hashed, request_id, identity.request_digest("leave"))
        return await self._command(table_id, request, left)

    async def submit(
        self, table_id: UUID, holder: Holder, request_id: UUID, expected: int | None, action: Action
    ) -> Entry:
        """Does one action for the seat of a token or an account. Returns its entry once that is stored for good.

        The moment of the call is when the action is received, however long it waits from there on. If a fault of ours
        sends it away, the same request counts from then when it comes again.
        """
        live, now, hashed = self._live(table_id), self.now(), identity.holder_hash(holder)

        async def done(state: TableState) -> Decision:
            seat = seat_held(state, holder, hashed)
            _check_sequence(state, seat, expected)
            if isinstance(action, AddSeed):
                return dealing.add_seed(state, seat, action, self.now())
            return await decide.act(self._rules, state, seat, action)

        secret = await self._secret(holder) if isinstance(holder, Account) else holder
        digest = identity.request_digest("act", secret, decide.spelled(action))
        key = identity.request_key(digest, request_id)
        request = Request(hashed, request_id, digest, live.received(key, now))
        try:
            return await self._command(table_id, request, done)
        except Refusal as refusal:
            if self._is_our_fault(refusal, now):
                live.keep_receipt(key, now)
            raise

    def _is_our_fault(self, refusal: Refusal, received: Micros) -> bool:
        """Whether a request was sent away though it could have been answered.

        A call that had less than SLOW is sent away at its caller's wish: nobody thinks for nothing by making it so.
        """
        slow = refusal.reason is Reason.DEADLINE_EXCEEDED and self.now() - received >= SLOW
        return slow or refusal.reason is Reason.UNAVAILABLE

    async def state(self, table_id: UUID) -> TableState:
        """The table as the log has it now."""
        live = await self.current(table_id)
        assert live.state is not None
        return live.state

    async def current(self, table_id: UUID) -> LiveTable:
        """The table in memory, brought up to date with the log. Raises Refusal when there is none."""
        while True:
            live = self._live(table_id)
            await self.catch_up(live)
            self._require(live)
            if self._tables.get(table_id) is live:
                return live  # else it was forgotten while this waited, and nothing would wake who watches it

    async def catch_up(self, live: LiveTable) -> None:
        """Brings a table in memory up to date with the log."""
        async with live.lock:
            live.stale = True
            await self._refresh(live)

    async def entries(self, live: LiveTable, after: int, limit: int) -> list[Entry]:
        """The entries of a table above `after`, from memory where it reaches back far enough.

        None that memory does not know yet: who may see what is judged by the table in memory.
        """
        recent = live.recent_after(after)
        if recent is not None:
            return recent[:limit]
        return list(await self._read(live.table_id, after, min(limit, live.sequence - after)))

    async def attend(self) -> Micros | None:
        """Notes in the store that this process is at work. Returns when an outage ended, if one has just ended."""
        try:
            self._resumed = await self._store.attend(LATE)
        except StoreUnavailable as error:
            raise unavailable() from error
        self._unsure = False
        return self._resumed if self.now() - self._resumed < SECOND else None

    async def step(self, table_id: UUID) -> None:
        """Takes the table's own next step if its deadline has passed, or an outage took time from a seat."""
        live = self._live(table_id)
        async with live.lock:
            for _ in range(ATTEMPTS):
                await self._refresh(live)
                state = live.state
                if state is None or not _is_due(state, self.now(), self._resumed):
                    self._announce(live)  # whoever came for it was early
                    return
                decision = await due(self._rules, state, self._by_bot, self.now(), self._resumed)
                if decision is None or await self._append(live, state, decision, None, _own(state)):
                    return

    async def _by_bot(self, state: TableState, seat: Seat) -> Action | None:
        return None if self._substitute is None else await choice_of(self._substitute, state, seat)

    async def note(self, table_id: UUID, due: Due) -> None:
        """Stores what this process itself has to say of a table, if it still has something to say."""
        live = self._live(table_id)
        async with live.lock:
            for _ in range(ATTEMPTS):
                await self._refresh(live)
                state = self._require(live)
                noted = due(state)
                if noted is None or await self._append(live, state, noted[0], None, noted[1]):
                    return
        raise Refusal(Reason.CONTENDED, "too many others wrote to the table; try again")

    def forget(self, table_id: UUID) -> None:
        """Drops a table from memory."""
        self._tables.pop(table_id, None)

    def _live(self, table_id: UUID) -> LiveTable:
        live = self._tables.get(table_id)
        if live is None:
            live = self._tables[table_id] = LiveTable(table_id)
        live.touched = asyncio.get_running_loop().time()
        return live

    def _require(self, live: LiveTable) -> TableState:
        if live.state is None:
            if self._tables.get(live.table_id) is live:
                self.forget(live.table_id)
            raise Refusal(Reason.TABLE_UNKNOWN, f"there is no table {live.table_id}")
        return live.state

    async def _command(self, table_id: UUID, request: Request, decide_on: Decide) -> Entry:
        live = self._live(table_id)
        async with live.lock:
            for _ in range(ATTEMPTS):
                await self._refresh(live)
                state = self._require(live)
                made = live.seen_at(identity.request_key(request.actor, request.request_id))
                if made is not None:
                    return await self._repeated(live, request, made)
                decision = await self._decided(live, state, decide_on)
                if decision is None:
                    continue
                seat = _acting_seat(state, decision, request.actor)
                entry = await self._append(live, state, decision, seat, request)
                if entry is not None:
                    return entry
        raise Refusal(Reason.CONTENDED, "too many others wrote to the table; try again")

    async def _decided(self, live: LiveTable, state: TableState, decide_on: Decide) -> Decision | None:
        """The decision; None when memory was behind the log, so that the refusal may be wrong."""
        try:
            return await decide_on(state)
        except Refusal as refusal:
            if await self._is_behind(live):
                return None
            _require_sound(refusal)
            raise

    async def _is_behind(self, live: LiveTable) -> bool:
        before = live.sequence
        live.stale = True
        await self._refresh(live)
        return live.sequence != before

    async def _repeated(self, live: LiveTable, request: Request, sequence: int) -> Entry:
        (entry,) = await self._read(live.table_id, sequence - 1, 1)
        if entry.request_digest != request.digest or entry.request_id != request.request_id:
            raise Refusal(
                Reason.REQUEST_ID_REUSED,
                "this request id was used for something else; take a new one",
                field="request_id",
            )
        return entry

    async def _server_key(self) -> bytes:
        """The key that table ids and seat tokens are derived with: one for all processes over a store."""
        if self._key is None:
            try:
                self._key = await self._store.key("table", secrets.token_bytes(32), sealed=True)
            except StoreUnavailable as error:
                raise unavailable() from error
        return self._key

    async def _secret(self, account: Account) -> str:
        return identity.account_secret(await self._server_key(), account.player_id)

    async def _refresh(self, live: LiveTable) -> None:
        if self._unsure:
            await self.attend()
        if live.stale:
            news = await self._read(live.table_id, live.sequence, None)
            live.accept(news)
            live.stale = False
            if news:
                self._announce(live)

    async def _read(self, table_id: UUID, after: int, limit: int | None) -> list[Entry]:
        try:
            return list(await self._store.read(table_id, after, limit))
        except StoreUnavailable as error:
            self._unsure = True
            raise unavailable() from error

    async def _append(
        self,
        live: LiveTable,
        state: TableState | None,
        decision: Decision,
        actor: Seat | None,
        request: Request,
    ) -> Entry | None:
        """Stores the decision as the next entry, with the seeds of deals that are over; None when another writer was first."""
        try:
            decision = await with_seeds(self._rules, state, decision)
        except SeedLost as error:
            raise BrokenRecord("a seed that the table has committed to cannot be opened") from error
        now = decision.at or (self.now() if actor is not None else _dated(live, self.now()))
        moment = Moment(now, request.received, self._resumed)
        entry = entries.entry_of(live.table_id, state, decision, actor, request, moment)
        status = entries.status_after(state, decision)
        live.stale = True
        try:
            stored = await self._store.append(entry, status)
        except StoreUnavailable as error:
            self._unsure = True
            raise unavailable() from error
        if stored is None:
            return None
        entry.linked(stored.chain)
        live.accept((entry,))
        live.stale = False
        self._announce(live)
        if not live.delay:
            self.on_entry(entry)
        return entry

    def _announce(self, live: LiveTable) -> None:
        if live.state is not None:
            self.on_deadline(live.table_id, live.state.deadline)


def seat_of(state: TableState, hashed: bytes) -> Seat:
    """The seat that a token acts for. Raises Refusal when it is none of the table's."""
    seat = state.seat_of(hashed)
    if seat is None:
        raise Refusal(Reason.TOKEN_INVALID, "this seat token is none of this table, or its seat was left")
    return seat


def seat_held(state: TableState, holder: Holder, hashed: bytes) -> Seat:
    """The seat that a holder with this hash acts for. Raises Refusal when there is none."""
    if isinstance(holder, Account) and state.seat_of(hashed) is None:
        raise Refusal(Reason.NOT_YOUR_SEAT, "your account has no seat at this table")
    return seat_of(state, hashed)


def _require_sound(refusal: Refusal) -> None:
    """Raises BrokenRecord when it is what the log holds that is refused: no caller could put that right."""
    if refusal.reason is Reason.RECORD_INVALID:
        raise BrokenRecord("the table's own record is refused") from refusal


def unavailable() -> Refusal:
    return Refusal(Reason.UNAVAILABLE, "the log cannot be reached now; repeat with the same request id")


def _check_sequence(state: TableState, seat: Seat, expected: int | None) -> None:
    if expected is None:
        return
    if expected > state.sequence:
        raise Refusal(
            Reason.SEQUENCE_AHEAD,
            f"the table's last entry is number {state.sequence}",
            field="expected_sequence",
            metadata={"sequence": str(state.sequence)},
        )
    question = state.question_to(seat)
    if question is not None and question.asked_at > expected:
        raise Refusal(
            Reason.SEQUENCE_STALE,
            f"you were asked something new in entry {question.asked_at}; look at the table again",
            field="expected_sequence",
            metadata={"asked_at": str(question.asked_at)},
        )


def _acting_seat(state: TableState, decision: Decision, actor: bytes) -> Seat | None:
    if actor != ANYBODY:
        return seat_of(state, actor)
    return entries.seat_taken(decision)


def _is_due(state: TableState, now: Micros, resumed: Micros) -> bool:
    passed = state.deadline is not None and state.deadline <= now
    return passed or was_interrupted(state, resumed)


def _dated(live: LiveTable, now: Micros) -> Micros:
    """The moment of a step of the table's own: how long a bot took to choose shows in no entry, nor for how many cards."""
    deadline = live.state.deadline if live.state else None
    if deadline is None or not 0 < now - deadline <= PROMPT:
        return now
    return max(deadline, live.recent[-1].at)


def _own(state: TableState) -> Request:
    request_id = identity.own_step(state.table_id, state.sequence + 1)
    return Request(ANYBODY, request_id, identity.request_digest("own"))
