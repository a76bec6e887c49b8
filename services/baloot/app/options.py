"""Options that several commands share: what is typed, from which variable it may come, and what it means."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class LanguageName(StrEnum):
    """What the words on the screen are in."""

    en = "en"
    ar = "ar"


Data = Annotated[
    Path | None,
    typer.Option(
        help="The folder of the database and the dealing key, made when missing. "
        "Unset: /var/lib/baloot for root, else ~/.local/share/baloot.",
        envvar="BALOOT_DATA",
        show_default=False,
    ),
]
Listen = Annotated[
    str,
    typer.Option(
        help="Where to listen: HOST:PORT (port 0: a free one) or unix:/path.", envvar="BALOOT_LISTEN"
    ),
]
Reflection = Annotated[
    bool,
    typer.Option(
        help="Let tools such as grpcurl ask what the server offers.",
        envvar="BALOOT_REFLECTION",
    ),
]
Database = Annotated[
    str,
    typer.Option(
        help="The address of the database: postgresql://USER:PASSWORD@HOST:PORT/NAME.",
        envvar="BALOOT_DATABASE",
        show_default=False,
    ),
]
Words = Annotated[LanguageName, typer.Option("--language", help="English or Arabic words of the game.")]
Connect = Annotated[str, typer.Option(help="The address of the server to ask.", envvar="BALOOT_CONNECT")]
Address = Annotated[str, typer.Argument(help="The server's address: HOST:PORT or unix:/path.")]

HERE = "127.0.0.1:7010"
"""Where `baloot up` listens unless it is told otherwise."""
