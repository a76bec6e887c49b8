"""The commands `health` and `info`, which ask a server about itself, and `version`."""

from __future__ import annotations

from typing import Annotated

import typer
from baloot.app.cli.command import runs
from baloot.app.cli.options import HERE
from baloot.app.work import Work

Address = Annotated[str, typer.Argument(help="The server's address: HOST:PORT or unix:/path.")]


@runs("error")
def health(
    address: Address = HERE,
    service: Annotated[
        str, typer.Option(help="The full name of one service. Unset: the whole server.", metavar="NAME")
    ] = "",
) -> Work:
    """Ask a server whether it is ready: exit code 0 if so."""
    from baloot.app import probes

    return probes.health(address, service)


@runs("error")
def info(address: Address = HERE) -> Work:
    """Ask a server what it is."""
    from baloot.app import probes

    return probes.info(address)


def version() -> None:
    """Print the version."""
    from importlib.metadata import version

    print(version("baloot-services"))
