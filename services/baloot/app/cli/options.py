"""Options that several commands share, one by one or in groups: what is typed, and from which variable it may come."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from baloot.app.terminal.language import Language

if TYPE_CHECKING:
    from baloot.app.reaching import Asked
    from baloot.app.stored import Logs

HERE = "127.0.0.1:7010"
"""Where `baloot up` listens unless it is told otherwise."""
AUDIENCE = "baloot"
"""The audience of access tokens, unless it is said."""
DATE_FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]
"""How a moment is typed, in UTC."""

Data = Annotated[
    Path | None,
    typer.Option(
        help="The folder of the database and the keys, made when missing. "
        "Unset: /var/lib/baloot for root, else ~/.local/share/baloot.",
        envvar="BALOOT_DATA",
        metavar="FOLDER",
        show_default=False,
    ),
]
RunningData = Annotated[
    Path | None,
    typer.Option(
        "--data",
        help="The folder that `baloot up` runs on. Unset: /var/lib/baloot for root, else ~/.local/share/baloot.",
        envvar="BALOOT_DATA",
        metavar="FOLDER",
        show_default=False,
    ),
]
Database = Annotated[
    str,
    typer.Option(
        help="The address of the database: postgresql://USER:PASSWORD@HOST:PORT/NAME.",
        envvar="BALOOT_DATABASE",
        metavar="URL",
        show_default=False,
    ),
]
RunningDatabase = Annotated[
    str | None,
    typer.Option(
        "--database",
        help="The address of the database: postgresql://USER:PASSWORD@HOST:PORT/NAME. "
        "Unset: the one that `baloot up` runs on --data now.",
        envvar="BALOOT_DATABASE",
        metavar="URL",
        show_default=False,
    ),
]
LogKey = Annotated[
    Path | None,
    typer.Option(
        "--dealing-key-file",
        help="The file of the dealing service's key, which opens the hands in the log. Unset: the one in --data, if it is there.",
        envvar="BALOOT_DEALING_KEY_FILE",
        metavar="FILE",
        show_default=False,
    ),
]
IdentityKeyFile = Annotated[
    Path | None,
    typer.Option(
        "--identity-key-file",
        help="The file of the key that seals what signs access tokens: 32 bytes, made when missing. "
        "All replicas of identity share one.",
        envvar="BALOOT_IDENTITY_KEY_FILE",
        metavar="FILE",
        show_default=False,
    ),
]
KnownIdentityKeyFile = Annotated[
    Path | None,
    typer.Option(
        "--identity-key-file",
        help="The file of the identity service's key, which seals the new one. Unset: the one in --data; beside "
        "--database it must be named.",
        envvar="BALOOT_IDENTITY_KEY_FILE",
        metavar="FILE",
        show_default=False,
    ),
]
Connect = Annotated[
    str,
    typer.Option(
        help="The server to ask: HOST:PORT or unix:/path.", envvar="BALOOT_CONNECT", metavar="ADDRESS"
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        help="A file with the access token of an account. Unset: a guest asks.",
        envvar="BALOOT_TOKEN_FILE",
        metavar="FILE",
        show_default=False,
    ),
]
Words = Annotated[Language, typer.Option("--language", help="English or Arabic words of the game.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Out = Annotated[
    Path | None,
    typer.Option(help="The file to write. Unset: standard output.", metavar="FILE", show_default=False),
]
PlayerName = Annotated[str, typer.Option(help="Only matches of the player with this name.", metavar="NAME")]
Match = Annotated[str, typer.Argument(help="The id of a match, as `baloot history` lists it.")]
Table = Annotated[str, typer.Argument(help="The id of a table.")]


@dataclass(frozen=True, slots=True)
class Server:
    """Which server a command asks, and as whom."""

    connect: Connect = HERE
    token_file: TokenFile = None

    @property
    def asked(self) -> Asked:
        """The same for what asks it."""
        from baloot.app.reaching import Asked

        return Asked(self.connect, self.token_file)


@dataclass(frozen=True, slots=True)
class Installation:
    """Whose database a command works on."""

    database: RunningDatabase = None
    data: RunningData = None

    @property
    def url(self) -> str:
        """The address of its database. Raises SetupError when none runs."""
        from baloot.app.stored import find_database

        return find_database(self.database, self.data)

    @property
    def kept_identity_key(self) -> Path | None:
        """The file in its data folder that has the identity service's key; None when only its database is named."""
        from baloot.app.embedded import default_data
        from baloot.app.keys import IDENTITY_KEY

        return None if self.database else (self.data or default_data()) / IDENTITY_KEY


@dataclass(frozen=True, slots=True)
class LogOptions(Installation):
    """Whose logs a command reads, and with which key."""

    dealing_key_file: LogKey = None

    @property
    def logs(self) -> Logs:
        """Where they are. Raises SetupError when no database runs."""
        from baloot.app.stored import find_logs

        return find_logs(self.database, self.data, self.dealing_key_file)


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches of a server are meant; what is empty chooses nothing."""

    player: PlayerName = ""
    player_id: Annotated[str, typer.Option(help="Only matches of this account.", metavar="ACCOUNT")] = ""
    rules: Annotated[str, typer.Option(help="Only matches by this rule set.", metavar="NAME")] = ""
    event: Annotated[str, typer.Option(help="Only matches of this event.", metavar="EVENT")] = ""
