"""The commands `export --connect` and `import`: matches as text from a server and to one, a few in memory at a time."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from baloot.api.history.v1.history_pb2 import ListMatchesRequest
from baloot.app.commands import tell
from baloot.app.counting import counted_matches
from baloot.app.errors import SetupError
from baloot.app.named import match_named
from baloot.app.notes import opened
from baloot.app.reaching import Asked, reached
from baloot.client.archive import ArchiveClient
from baloot.client.retrying import Pace
from baloot.core.errors import Refusal
from baloot.history.admission import cut_short, hidden_name
from baloot.notation import Located, NotationError, located, text

OFTEN = 100
"""After so many matches it is said how far an export or an import is."""
PATIENCE = Pace(give_up_after=15.0)
"""A person waits for it."""
MOST_MATCHES = 50
MOST_TEXT = 500_000
"""Matches, and characters, that go in one request; a match that is longer goes alone."""
_HEAD = "[baloot"
TEXT = "text"
"""The field of a request that a refusal has to name if it is to have a place in the file."""


async def export(
    asked: Asked,
    matches: Sequence[str],
    wanted: ListMatchesRequest,
    out: Path | None,
) -> None:
    """Writes matches that a server gives out: those with these ids, or without any all that fit.

    Raises Refusal or SetupError; then a file that was to be written is not there, or is as it was.
    """
    ids = [str(match_named(match)) for match in matches]
    async with _asking(asked) as archive:
        given = archive.matches(ids) if ids else archive.matches_of(wanted)
        with _written(out) as file:
            count = 0
            async for one in given:
                file.write(("\n" if count else "") + one.text)
                count += 1
                if count % OFTEN == 0:
                    tell(counted_matches(count))
    if out is not None:
        tell(f"{counted_matches(count)} written to {out}")


@contextmanager
def _written(out: Path | None) -> Iterator[TextIO]:
    """Where matches are written to. The notation is UTF-8, whatever the terminal's encoding is."""
    if out is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        yield sys.stdout
        return
    draft = out.with_name(f"{out.name}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)


async def bring(asked: Asked, files: Sequence[str]) -> None:
    """Brings the matches of some files to a server. Raises SetupError for a text that it does not take, with its place.

    Raises Refusal for what is not about the text.
    What went before that is there, and is not stored again when it is brought once more.
    """
    async with _asking(asked) as archive:
        for file in files:
            count, added = await _bring_file(archive, file)
            print(f"{file}: {counted_matches(count)}, {added:,} of them new")


async def _bring_file(archive: ArchiveClient, file: str) -> tuple[int, int]:
    count = added = 0
    for batch in _batches(file):
        try:
            answer = await archive.import_matches("\n".join(batch.texts))
        except Refusal as refusal:
            if refusal.field != TEXT:
                raise
            raise SetupError(batch.place_of(file, refusal)) from refusal
        before, count = count, count + len(batch.texts)
        added += answer.added
        if before // OFTEN != count // OFTEN:
            tell(f"{file}: {counted_matches(count)}")
    if not count:
        raise SetupError(f"{file}: there is no match in it")
    return count, added


@dataclass(slots=True)
class _Batch:
    """Matches that go in one request, and the lines of the file at which they begin."""

    texts: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    size: int = 0

    def has_room_for(self, match: str) -> bool:
        return not self.texts or (len(self.texts) < MOST_MATCHES and self.size + len(match) <= MOST_TEXT)

    def add(self, match: str, line: int) -> None:
        self.texts.append(match)
        self.lines.append(line)
        self.size += len(match)

    def place_of(self, file: str, refusal: Refusal) -> str:
        """What is wrong, and with the match at which line if that is known."""
        number = refusal.metadata.get("match")
        if number is None:
            return f"{file}: {refusal.message}" if len(self.texts) > 1 else self._at(file, 0, refusal.message)
        return self._at(file, int(number) - 1, refusal.message.partition(": ")[2])

    def _at(self, file: str, index: int, message: str) -> str:
        return f"{file}, line {self.lines[index]}, column 1: {message}"


def _batches(file: str) -> Iterator[_Batch]:
    """The matches of a file in their canonical form. Raises SetupError for what is not in the notation."""
    batch, starts = _Batch(), _Starts()
    with opened(file) as lines:
        try:
            for number, match in enumerate(located(starts.noted(lines))):
                _require_whole(match)
                written = text(match.transcript)
                if not batch.has_room_for(written):
                    yield batch
                    batch = _Batch()
                batch.add(written, starts.lines[number])
        except NotationError as error:
            raise SetupError(f"{file}, {error}") from error
    if batch.texts:
        yield batch


def _require_whole(match: Located) -> None:
    """Raises NotationError, with the place in the file, for what no server takes in."""
    error = hidden_name(match) or cut_short(match)
    if error is not None:
        raise error


class _Starts:
    """The lines of a file at which matches begin, as far as it is read."""

    def __init__(self) -> None:
        self.lines: list[int] = []

    def noted(self, lines: Iterable[str]) -> Iterator[str]:
        for number, line in enumerate(lines, 1):
            if line.lstrip(" \t\ufeff")[: len(_HEAD)].lower() == _HEAD:
                self.lines.append(number)
            yield line


@asynccontextmanager
async def _asking(asked: Asked) -> AsyncIterator[ArchiveClient]:
    """The archive, asked as the account whose token is in a file."""
    credentials = asked.credentials()
    async with reached(asked) as channel:
        yield ArchiveClient(channel, pace=PATIENCE, credentials=credentials)
