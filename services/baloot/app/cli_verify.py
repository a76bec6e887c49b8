# ruff: noqa: PLC0415, FBT002 - as in the module of the commands
"""The commands `proof` and `verify`: what can be typed, and what each option means."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from baloot.app.options import HERE, Connect
from baloot.verifier import verify as verifier

_Read = TypeVar("_Read")


def proof(
    match: Annotated[str, typer.Argument(help="The id of a match, as `history` lists it.")],
    out: Annotated[
        Path | None,
        typer.Option(help="The file to write. Unset: standard output.", show_default=False),
    ] = None,
    connect: Connect = HERE,
) -> None:
    """Fetch the proof file of a match, which any verifier reads."""
    from baloot.app import verifying

    _run(lambda: verifying.write_proof(connect, match, out))


def verify(
    match: Annotated[
        str | None,
        typer.Argument(
            help="The id of a match, or a proof file, or - for one from standard input.", show_default=False
        ),
    ] = None,
    connect: Connect = HERE,
    pin: Annotated[
        list[str] | None,
        typer.Option(
            help="What a player noted of the chain while playing, as SEQUENCE:CHAIN, again and again.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        list[str] | None,
        typer.Option(help="What a seat sent, as SEAT=SEED, again and again.", show_default=False),
    ] = None,
    beacon: Annotated[
        str | None,
        typer.Option(
            help="The value of the beacon, as its public source tells it, in hexadecimal.", show_default=False
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
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
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check the deals of a match: exit code 0 if they are what was committed to, 1 if they are not.

    2 means that there was nothing to read, and 3 that the log does not hold what would prove it.
    """
    from baloot.app import verifying

    if sum((match is not None, script, page is not None)) != 1:
        raise typer.BadParameter("name a match or a proof file, or --script, or --page")
    if match is None:
        _run(lambda: verifying.hand_out(page))
        return
    looked_up = "".join(_each(verifier.beacon_of, None if beacon is None else [beacon]))
    noted = verifying.Noted(_each(verifier.pin_of, pin), _each(verifier.seed_of, seed), looked_up)
    how = verifying.Telling(json=json, quiet=quiet)
    _run(lambda: verifying.verify(connect, match, noted, how))


def _each(read: Callable[[str], _Read], typed: list[str] | None) -> list[_Read]:
    try:
        return [read(text) for text in typed or ()]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def _run(command: Callable[[], Coroutine[Any, Any, int]]) -> None:
    from baloot.app.commands import run
    from baloot.app.verifying import or_unreadable

    raise typer.Exit(run(lambda _: or_unreadable(command()), log_level="warning"))
