"""The port to the log: what any store of tables must do. `memory` and `postgres` are two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol
from uuid import UUID

from baloot.core.seats import Seat
from baloot.table.events import Entry, Micros, Status
from baloot.table.looks import Look


class StoreUnavailable(Exception):
    """The store cannot be reached, or did not say whether an append went in.

    Whoever appended must read the log again before deciding anything.
    """


@contextmanager
def saying_unavailable() -> Iterator[None]:
    """Every error is StoreUnavailable, since drivers raise more kinds than they document."""
    try:
        yield
    except Exception as error:
        raise StoreUnavailable("the database did not answer") from error


class SecretsSealed(StoreUnavailable):
    """The secrets of a log are sealed, and this process has no key to open them."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a table stands, kept beside its log for lists and clocks."""

    table_id: UUID
    sequence: int
    status: Status
    deadline: Micros | None


@dataclass(frozen=True, slots=True)
class Stored:
    """What came of an append that went in: the link of the log's hash chain, empty for a log that has none."""

    chain: bytes


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry as it is stored, byte by byte. `secret` is sealed; `at` in microseconds since 1970."""

    sequence: int
    at: Micros
    actor: Seat | None
    by_default: bool
    payload: bytes
    secret: bytes = field(repr=False)
    chain: bytes


class Store(Protocol):
    """An append-only log of entries by table. The key (table, sequence) is the only fence between writers.

    Every method may raise StoreUnavailable.
    """

    async def append(self, entry: Entry, status: Status) -> Stored | None:
        """Stores an entry for good and moves the table's head to it, at once or not at all.

        Returns None, and changes nothing, unless the entry is the one after the table's last: somebody else was first,
        or the log is not what the caller takes it for. The caller then reads it again.
        """
        ...

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        """The entries of a table with a sequence above `after`, in order, at most `limit`.

        Without `secrets` they come as everybody may see them: decks and hands are empty, sealed answers are left out, and
        so are the open questions. That takes no key, and less time. Raises SecretsSealed when there is no key.
        """
        ...

    async def raw(self, table_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[RawEntry]:
        """The same entries as they are stored, which takes no key."""
        ...

    async def heads(self, table_ids: Iterable[UUID]) -> dict[UUID, Head]:
        """The heads of those tables that exist."""
        ...

    async def heads_after(self, after: UUID | None, limit: int, *, live: bool) -> Sequence[Head]:
        """The heads of tables in order of their ids, those above `after` (None: from the first), at most `limit`.

        `live` leaves out tables that have ended.
        """
        ...

    async def held_by(self, holder: bytes, limit: int) -> Sequence[UUID]:
        """Tables that have not ended at which some entry seated this holder, the latest first, at most `limit`.

        `holder` is the `token_hash` of its SeatTaken. Whether the seat was left since, only the entries tell. By the
        `owner` of a PresenceChanged that says that a player is here, the tables of that process are found alike.
        """
        ...

    async def claim_due(self, limit: int, lease: Micros) -> Sequence[UUID]:
        """Tables whose deadline has passed by the store's clock, the longest overdue first.

        Each is handed to one caller only until `lease` has passed or an entry gives it a new deadline.
        """
        ...

    async def key(self, name: str, fresh: bytes, *, sealed: bool = False) -> bytes:
        """The secret kept under a name; `fresh` is kept and returned when there is none yet.

        `sealed` says whether it is to be sealed, where this store seals what is secret: then it has 32 bytes.
        """
        ...

    async def enrol(self, table_id: UUID, event_id: str) -> None:
        """Notes that a table belongs to an event, before it is opened. To do it again changes nothing."""
        ...

    async def held_in(self, event_id: str, holder: bytes) -> Sequence[UUID]:
        """The tables of an event that have not ended at which some entry seated this holder, as with `held_by`."""
        ...

    async def write_look(self, look: Look) -> None:
        """Stores a look for good. The same look, written again, is stored once."""
        ...

    async def looks(self, table_id: UUID, limit: int) -> Sequence[Look]:
        """The looks at a table, the first one first, at most `limit`."""
        ...

    async def attend(self, gap: Micros) -> Micros:
        """Notes that a process is at work. Returns when the last outage ended, 0 if there was none.

        An outage is a time longer than `gap` in which no process noted that, and ends with the first one that does.
        """
        ...

    async def muster(self, process: bytes, silence: Micros, lease: Micros) -> Sequence[bytes]:
        """Notes that a process is at work by itself, and returns those that have not noted it for longer than `silence`.

        Each of these is handed to one caller only until `lease` has passed. There are none while an outage lasts, as
        `attend` knows it with LATE, and until `silence` has passed since: it kept everybody from noting anything.
        """
        ...

    async def strike_off(self, process: bytes, silence: Micros) -> None:
        """Forgets a process that has not noted for longer than `silence` that it is at work."""
        ...

    async def ping(self) -> None:
        """Returns when the store answers; raises StoreUnavailable otherwise."""
        ...

    def now(self) -> Micros:
        """The store's clock, estimated without asking it."""
        ...
