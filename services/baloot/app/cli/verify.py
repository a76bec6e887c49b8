"""The commands `proof` and `verify`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from baloot.app.cli.command import runs
from baloot.app.cli.options import Json, Match, Out, Server
from baloot.app.work import UNREADABLE, Work

if TYPE_CHECKING:
    from baloot.app.verifying import Noted

_Read = TypeVar("_Read")


@runs(failed=UNREADABLE)
def proof(match: Match, out: Out = None, server: Server = Server()) -> Work:
    """Fetch the proof file of a match, which any verifier reads.

    Exit code 2 if there is none.
    """
    from baloot.app import verifying

    return verifying.write_proof(server.asked, match, out)


@dataclass(frozen=True, slots=True)
class Notes:
    """What people noted of a match while it was played."""

    pin: Annotated[
        list[str] | None,
        typer.Option(
            help="What a player noted of the chain while playing, one option for each value.",
            metavar="SEQUENCE:CHAIN",
            show_default=False,
        ),
    ] = None
    seed: Annotated[
        list[str] | None,
        typer.Option(
            help="What a seat sent, one option for each seed.", metavar="SEAT=SEED", show_default=False
        ),
    ] = None
    beacon: Annotated[
        str | None,
        typer.Option(
            help="The value of the beacon, as its public source tells it, in hexadecimal.",
            metavar="VALUE",
            show_default=False,
        ),
    ] = None

    def read(self) -> Noted:
        """What they come to. Raises typer.BadParameter for what is not written as it should be."""
        from baloot.app.verifying import Noted
        from baloot.verifier import verify as verifier

        beacon = _each(verifier.beacon_of, None if self.beacon is None else [self.beacon])
        return Noted(_each(verifier.pin_of, self.pin), _each(verifier.seed_of, self.seed), "".join(beacon))


def _each(read: Callable[[str], _Read], typed: list[str] | None) -> list[_Read]:
    try:
        return [read(text) for text in typed or ()]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


@runs(failed=UNREADABLE)
def verify(
    match: Annotated[
        str | None,
        typer.Argument(
            help="The id of a match, or a proof file, or - for one from standard input.", show_default=False
        ),
    ] = None,
    server: Server = Server(),
    notes: Notes = Notes(),
    as_json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print nothing: the exit code tells.")] = False,
    script: Annotated[
        bool,
        typer.Option(
            "--script", help="Print the verifier itself, a script that needs Python and nothing else."
        ),
    ] = False,
    page: Annotated[
        Path | None,
        typer.Option(
            help="Write the verifier as a page for any browser into this folder, and check nothing.",
            metavar="FOLDER",
            show_default=False,
        ),
    ] = None,
) -> Work:
    """Check the deals of a match.

    Exit code 0 if they are what was committed to, 1 if they are not, 2 if there was nothing to read, 3 if the log does
    not hold what would prove it.
    """
    from baloot.app import verifying

    if (match is not None, script, page is not None).count(True) != 1:
        raise typer.BadParameter("name a match or a proof file, or --script, or --page")
    if page is not None:
        verifying.write_page(page)
        return None
    if match is None:
        verifying.print_script()
        return None
    return verifying.verify(server.asked, match, notes.read(), verifying.Telling(json=as_json, quiet=quiet))
