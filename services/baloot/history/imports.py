"""Matches that are brought as text: read, replayed by their rules, and stored once.

What is stored is the text. All that history tells of such a match follows from it, so it can be told anew.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol
from uuid import UUID, uuid4, uuid5

from baloot.codec.fields import missing
from baloot.core.errors import Reason, Refusal
from baloot.core.transcript import Transcript
from baloot.history.admission import cut_short, hidden_name
from baloot.history.checked import Disagreement, Result, judged
from baloot.history.fold import Told
from baloot.history.retold import retold, unkeepable
from baloot.notation import Located, NotationError, located, parse, text
from baloot.table.events import Micros
from baloot.table.store import Head, StoreUnavailable

MAX_TEXT = 1_000_000
"""The longest text that is taken in, in characters."""
MAX_MATCHES = 100
"""The most matches of one text."""
_IDS = UUID("6f0f5a0c-5e3f-4a59-9d7e-6c1f3a0b8d21")
"""The namespace of ids that are given to matches which came without one, or with one that is taken."""


class Brought(NamedTuple):
    """A match that was read and is right, with its canonical text and the results of its deals."""

    transcript: Transcript
    text: str
    results: tuple[Result, ...]


class NewImport(NamedTuple):
    """A match to be stored under the first of some ids that nobody has."""

    digest: bytes
    text: str
    ids: tuple[UUID, ...]
    brought: Brought

    def told(self, match_id: UUID, at: Micros) -> Told:
        """What history tells of it."""
        return retold(match_id, self.brought.transcript, self.brought.results, at)


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What an account asks for: the request's id, and the digest that tells it from another one with this id."""

    player_id: str
    request_id: UUID
    digest: bytes
    at: Micros


class Answer(NamedTuple):
    """What became of a request: that with this digest, the ids of its matches, and how many were new."""

    digest: bytes
    match_ids: tuple[UUID, ...]
    added: int


class Kept(Protocol):
    """What is asked of history's database."""

    async def add_imports(self, request: ImportRequest, matches: Sequence[NewImport]) -> Answer: ...


class Tables(Protocol):
    """What is asked of the tables' store."""

    async def heads(self, table_ids: Iterable[UUID]) -> dict[UUID, Head]: ...

    def now(self) -> Micros: ...


class Imports:
    """Takes matches in. They are judged in `beside`, which may take seconds."""

    def __init__(self, kept: Kept, tables: Tables, beside: Executor) -> None:
        self._kept = kept
        self._tables = tables
        self._beside = beside

    async def check(self, given: str) -> Sequence[Transcript]:
        """The matches of a text that could all be taken in.

        Raises Refusal NOTATION_INVALID, MATCH_INVALID, LIMIT_EXCEEDED or UNAVAILABLE.
        """
        with _reachable():
            now = self._tables.now()
        brought = await self._judged(given, now, explained=False)
        return [one.transcript for one in brought]

    async def take(self, player_id: str, request_id: UUID, given: str) -> Answer:
        """Stores the matches of a text, all of them or none. Raises also Refusal REQUEST_ID_REUSED and UNAVAILABLE."""
        with _reachable():
            now = self._tables.now()
            brought = await self._judged(given, now, explained=True)
            matches = await self._new(brought)
        request = ImportRequest(player_id, request_id, _digest(given), now)
        answer = await self._kept.add_imports(request, matches)
        if answer.digest != request.digest:
            raise Refusal(
                Reason.REQUEST_ID_REUSED, "this request id was used for another text", field="request_id"
            )
        return answer

    async def _judged(self, given: str, now: Micros, *, explained: bool) -> list[Brought]:
        work = partial(_brought, given, now, explained=explained)
        return await asyncio.get_running_loop().run_in_executor(self._beside, work)

    async def _new(self, brought: Sequence[Brought]) -> list[NewImport]:
        """The matches with the ids that they may have: their own unless a table has it."""
        own = {one.transcript.match for one in brought} - {None}
        tables = await self._tables.heads(match_id for match_id in own if match_id is not None)
        return [_new(one, tables) for one in brought]


@contextmanager
def _reachable() -> Iterator[None]:
    """Raises Refusal UNAVAILABLE where the tables' store cannot answer."""
    try:
        yield
    except StoreUnavailable as error:
        raise Refusal(Reason.UNAVAILABLE, "the database cannot be reached now; try again") from error


def _new(one: Brought, tables: Iterable[UUID]) -> NewImport:
    digest, own = _digest(one.text), one.transcript.match
    mine = () if own is None or own in tables else (own,)
    return NewImport(digest, one.text, (*mine, uuid5(_IDS, digest.hex()), uuid4()), one)


def _digest(given: str) -> bytes:
    return hashlib.sha256(given.encode()).digest()


# Judging.


def told_of(match_id: UUID, kept: str, imported_at: Micros) -> Told:
    """What history tells of a match by its text. Raises NotationError or ValueError for one that cannot be told any more."""
    (transcript,) = parse(kept)
    told = judged(transcript, explained=True)
    if told.wrong is not None:
        raise ValueError(str(told.wrong))
    return retold(match_id, transcript, told.results, imported_at)


def _brought(given: str, now: Micros, *, explained: bool) -> list[Brought]:
    """The matches of a text, each of which may be taken in. Nothing else decides that, whether it is asked or done."""
    return [_right(number, one, now, explained=explained) for number, one in _numbered(given)]


def _right(number: int, one: Located, now: Micros, *, explained: bool) -> Brought:
    _require_readable(hidden_name(one))
    transcript = one.transcript
    told = judged(transcript, explained=explained)
    _require(number, told.wrong)
    _require(number, unkeepable(transcript, told.results, now))
    _require_readable(cut_short(one))
    return Brought(transcript, _canonical(number, transcript), told.results)


def _numbered(given: str) -> Iterator[tuple[int, Located]]:
    """The matches that stand in a text, numbered from 1."""
    if not given:
        raise missing("text")
    if len(given) > MAX_TEXT:
        raise too_long()
    number = 0
    for number, one in enumerate(_read(given), 1):
        if number > MAX_MATCHES:
            raise Refusal(
                Reason.LIMIT_EXCEEDED,
                f"a text has at most {MAX_MATCHES} matches",
                field="text",
                metadata={"most": str(MAX_MATCHES)},
            )
        yield number, one
    if not number:
        raise _unreadable(NotationError(1, 1, "there is no match in the text"))


def _read(given: str) -> Iterator[Located]:
    try:
        yield from located(given.split("\n"))
    except NotationError as error:
        raise _unreadable(error) from error


def _canonical(number: int, transcript: Transcript) -> str:
    try:
        return text(transcript)
    except ValueError as error:  # cards before the others that are not among them
        _require(number, Disagreement(None, str(error)))
        raise


def _require(number: int, wrong: Disagreement | None) -> None:
    if wrong is None:
        return
    metadata = {"match": str(number)}
    if wrong.deal is not None:
        metadata["deal"] = str(wrong.deal)
    if wrong.rule:
        metadata["rule"] = wrong.rule
    message = f"match {number}: {wrong}"
    raise Refusal(Reason.MATCH_INVALID, message, field="text", metadata=metadata)


def _require_readable(error: NotationError | None) -> None:
    if error is not None:
        raise _unreadable(error)


def _unreadable(error: NotationError) -> Refusal:
    place = {"line": str(error.line), "column": str(error.column)}
    return Refusal(Reason.NOTATION_INVALID, str(error), field="text", metadata=place)


def too_long() -> Refusal:
    """Why a text is refused that is longer than MAX_TEXT."""
    return Refusal(
        Reason.LIMIT_EXCEEDED,
        f"a text has at most {MAX_TEXT} characters; bring long ones in parts",
        field="text",
        metadata={"most": str(MAX_TEXT)},
    )
