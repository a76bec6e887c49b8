"""The commands `proof` and `verify`: the proof file of a match, and the very same check that stands alone."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from baloot.api.history.v1.history_pb2 import LogEntry
from baloot.app.commands import tell
from baloot.app.errors import SetupError
from baloot.app.reaching import reached
from baloot.client.history import HistoryClient
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


async def write_proof(address: str, match: str, out: Path | None) -> None:
    """Raises Refusal, SetupError and OSError."""
    text = written(await fetched(address, match))
    if out is None:
        print(text, end="")
    else:
        await asyncio.to_thread(out.write_text, text, encoding="utf-8")


async def fetched(address: str, match: str, *, quiet: bool = False) -> dict[str, Any]:
    """The proof file of a match as a server tells it. Raises Refusal and SetupError."""
    match_id, entries, complete = _match_id(match), list[LogEntry](), False
    if match_id is None:
        raise SetupError(f"{match} is not the id of a match")
    async with reached(address) as channel:
        async for page in HistoryClient(channel).proof(match):
            entries += page.entries
            complete = page.complete
            if page.entries and not complete and not quiet:
                tell(f"{len(entries):,} entries fetched")
    return proof_file(match_id, entries, complete=complete)


async def verify(address: str, match: str, noted: Noted, how: Telling) -> int:
    """Prints what is found out about a match or a file, and returns the exit code of the verdict.

    Raises Refusal, SetupError and OSError.
    """
    if _match_id(match) is None:
        proof = await asyncio.to_thread(verifier.read_json, match)
    else:
        proof = await fetched(address, match, quiet=how.quiet)
    report = verifier.verify(proof, noted.pins, noted.seeds, noted.beacon)
    return verifier.print_report(report, argparse.Namespace(**how._asdict()))


def _match_id(text: str) -> UUID | None:
    """The id of a match; None for what is a file."""
    try:
        return UUID(text)
    except ValueError:
        return None


def print_script() -> None:
    """Prints the verifier as a script."""
    sys.stdout.write((FOLDER / "verify.py").read_text(encoding="utf-8"))


def write_page(folder: Path) -> None:
    """Writes the verifier as a page into a folder, made when missing. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        (folder / name).write_bytes((FOLDER / name).read_bytes())
    print(f"open {folder / PAGE[0]} in a browser; it needs no network")
