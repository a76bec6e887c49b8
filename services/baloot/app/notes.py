"""The commands `notation` and `export`: files of matches, read and written one match at a time."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from baloot.app.commands import complain, tell
from baloot.app.counting import counted, counted_matches
from baloot.app.errors import SetupError
from baloot.app.logbook import read_log
from baloot.app.named import match_named, unreadable
from baloot.app.stored import Logs
from baloot.app.work import FAILED, UNREADABLE
from baloot.core.transcript import Transcript
from baloot.history.checked import disagreement
from baloot.history.transcripts import NotStarted, transcript
from baloot.notation import NotationError, ShapeError, from_json, read, to_json, write

STANDARD_INPUT = "-"
OFTEN = 1_000
"""After so many matches it is said how far a check is."""


def check(files: Sequence[str]) -> int:
    """Reads files and replays their matches; says what is wrong, or how much was right.

    The exit code: UNREADABLE if one cannot be read, else FAILED if one does not agree.
    """
    return max(_checked(file) for file in files)


def _checked(file: str) -> int:
    """The exit code for one file: what cannot be read ends it, what the rules do not allow is told and passed over."""
    matches, rounds, wrong = 0, 0, 0
    try:
        for match in _matches(file):
            matches, rounds = matches + 1, rounds + len(match.deals)
            if (found := disagreement(match)) is not None:
                wrong += 1
                complain(f"{file}, match {matches}: {found}")
            if matches % OFTEN == 0:
                tell(f"{file}: {counted_matches(matches)}")
    except SetupError as error:
        complain(error)
        return UNREADABLE
    if not matches:
        complain(f"{file}: there is no match in it")
        return UNREADABLE
    deals = counted(rounds, "deal")
    print(f"{file}: {counted_matches(matches)}, {deals}, {wrong:,} against the rules")
    return FAILED if wrong else 0


def print_json(file: str) -> None:
    """Prints each match as one line of JSON. Raises SetupError for what is not in the notation."""
    for match in _matches(file):
        print(json.dumps(to_json(match), ensure_ascii=True))


def print_text(file: str) -> None:
    """Prints matches of JSON in the notation. Raises SetupError for what is none."""
    _print(_json_matches(file))


async def export(logs: Logs, matches: Sequence[str], out: Path | None) -> None:
    """Writes matches in the notation. Raises SetupError when one cannot be written; then no file is."""
    transcripts = [await _exported(logs, match) for match in matches]
    if out is None:
        _print(transcripts)
        return
    with out.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(write(transcripts))
    tell(f"{counted_matches(len(transcripts))} written to {out}")


def _print(transcripts: Iterable[Transcript]) -> None:
    """The notation is UTF-8, whatever the terminal's encoding is."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.writelines(write(transcripts))


async def _exported(logs: Logs, match: str) -> Transcript:
    try:
        return transcript(await read_log(logs, match_named(match)))
    except NotStarted as error:
        raise SetupError(f"{match}: {error}") from error


def _matches(file: str) -> Iterator[Transcript]:
    """The matches of a file, one at a time."""
    with opened(file) as lines:
        try:
            yield from read(lines)
        except NotationError as error:
            raise SetupError(f"{file}, {error}") from error


def _json_matches(file: str) -> Iterator[Transcript]:
    with opened(file) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _from_line(file, number, line)


def _from_line(file: str, number: int, line: str) -> Transcript:
    try:
        return from_json(json.loads(line))
    except json.JSONDecodeError as error:
        raise SetupError(f"{file}, line {number}, column {error.colno}: no JSON: {error.msg}") from error
    except ShapeError as error:
        raise SetupError(f"{file}, line {number}: {error}") from error
    except RecursionError as error:
        raise SetupError(f"{file}, line {number}: this JSON is nested too deep") from error


@contextmanager
def opened(file: str) -> Iterator[TextIO]:
    """A file to read. Raises SetupError when it cannot be. Bytes that are no UTF-8 are kept as what no word can hold, so that the place can be told."""
    if file == STANDARD_INPUT:
        yield TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="surrogateescape")
        return
    with _open(file) as lines:
        yield lines


def _open(file: str) -> TextIO:
    try:
        return Path(file).open(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise SetupError(unreadable(file, error)) from error
