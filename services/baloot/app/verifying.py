"""The commands `proof` and `verify`: the proof file of a match, and the very same check that stands alone."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from baloot.api.history.v1.history_pb2 import LogEntry
from baloot.app.commands import tell
from baloot.app.counting import counted
from baloot.app.errors import SetupError
from baloot.app.named import is_id, match_named, unreadable
from baloot.app.reaching import Asked, history_of
from baloot.client.proof import proof_file, written
from baloot.verifier import verify as verifier

FOLDER = Path(verifier.__file__).parent
PAGE = ("verify.html", "verify.js", "page.js")


class Noted(NamedTuple):
    """What players noted: chain values by sequence number, and seeds by seat; and the beacon that was looked up."""

    pins: Sequence[tuple[int, str]]
    seeds: Sequence[tuple[int, str]]
    beacon: str


class Telling(NamedTuple):
    """How a verdict is told."""

    json: bool
    quiet: bool


async def write_proof(asked: Asked, match: str, out: Path | None) -> None:
    """Raises Refusal, SetupError and OSError."""
    text = written(await fetched(asked, match))
    if out is None:
        print(text, end="")
    else:
        await asyncio.to_thread(out.write_text, text, encoding="utf-8")


async def fetched(asked: Asked, match: str, *, quiet: bool = False) -> dict[str, Any]:
    """The proof file of a match as a server tells it. Raises Refusal and SetupError."""
    match_id, entries, complete = match_named(match), list[LogEntry](), False
    async with history_of(asked) as history:
        async for page in history.proof(str(match_id)):
            entries += page.entries
            complete = page.complete
            if page.entries and not complete and not quiet:
                tell(f"{counted(len(entries), 'entry', 'entries')} fetched")
    return proof_file(match_id, entries, complete=complete)


async def verify(asked: Asked, match: str, noted: Noted, how: Telling) -> int:
    """Prints what is found out about a match or a file, and returns the exit code of the verdict.

    Raises Refusal, SetupError and OSError.
    """
    if is_id(match):
        proof = await fetched(asked, match, quiet=how.quiet)
    else:
        proof = await asyncio.to_thread(_read, match)
    report = verifier.verify(proof, noted.pins, noted.seeds, noted.beacon)
    return verifier.print_report(report, argparse.Namespace(**how._asdict()))


def _read(file: str) -> Any:
    """A proof file. Raises SetupError when it cannot be read."""
    try:
        return verifier.read_json(file)
    except OSError as error:
        raise SetupError(f"{unreadable(file, error)}, and that is not the id of a match") from error


def print_script() -> None:
    """Prints the verifier as a script."""
    sys.stdout.write((FOLDER / "verify.py").read_text(encoding="utf-8"))


def write_page(folder: Path) -> None:
    """Writes the verifier as a page into a folder, made when missing. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        (folder / name).write_bytes((FOLDER / name).read_bytes())
    print(f"open {folder / PAGE[0]} in a browser; it needs no network")
