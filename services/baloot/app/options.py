# ruff: noqa: PLC0415 - as in the module of the commands
"""Options that several commands share: what is typed, from which variable it may come, and what it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from baloot.kit.access import AccessSettings
    from baloot.kit.quotas import Quotas
    from baloot.kit.serving import ServerSettings


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
Limit = Annotated[
    list[str] | None,
    typer.Option(
        help="What a caller may do, as NAME=VALUE, again and again; `off` for no limits at all. Rates are CALLS/s+BURST, "
        "or /m, /h: commands (5/s+10) and watches (10/m+20) of a seat, opens (2/s+100), calls (50/s+200) and "
        "replays (2/s+50) of an address. Counts: streams (500) and open tables (100) of an address, all_streams (20000), "
        "connections (10000). 0 is no limit.",
        envvar="BALOOT_LIMIT",
        show_default=False,
    ),
]
Trusted = Annotated[
    list[str] | None,
    typer.Option(
        "--trusted-proxy",
        help="A network, an address or `unix` whose x-forwarded-for is believed, again and again: your proxies. "
        "Unset: whoever connects is the caller.",
        envvar="BALOOT_TRUSTED_PROXY",
        show_default=False,
    ),
]
Exempt = Annotated[
    list[str] | None,
    typer.Option(
        help="A network, an address or `unix` whose calls are not limited, again and again: your own services; `none` "
        "for nobody. Unset: nobody; of bidding, play and scoring alone: this machine and private networks.",
        envvar="BALOOT_EXEMPT",
        show_default=False,
    ),
]
Issuer = Annotated[
    list[str] | None,
    typer.Option(
        help="Whose access tokens are taken, as ISSUER=JWKS, again and again: the issuer as it stands in `iss`, and the "
        "file or the http or https URL of its public keys, or grpc:// and the address of an identity service. Unset: "
        "nobody's, and all are guests, but that `up` and `run` take those of their own accounts.",
        envvar="BALOOT_ISSUER",
        show_default=False,
    ),
]
Audience = Annotated[
    str,
    typer.Option(
        help="What access tokens for this server have in their claim `aud`.", envvar="BALOOT_AUDIENCE"
    ),
]
Guests = Annotated[
    str,
    typer.Option(
        help="What whoever comes without an access token may be, separated by commas: player, spectator, bot, and for "
        "a rule service `service`, which its tables need; `none` for nothing.",
        envvar="BALOOT_GUESTS",
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
DealingKey = Annotated[
    Path | None,
    typer.Option(
        "--dealing-key-file",
        help="The file of the dealing service's key, which opens the hands in the log. Unset: the one in --data, if it is there.",
        envvar="BALOOT_DEALING_KEY_FILE",
        show_default=False,
    ),
]
RunningDatabase = Annotated[
    str | None,
    typer.Option(
        "--database",
        help="The address of the database. Unset: the one that `baloot up` runs on --data now.",
        envvar="BALOOT_DATABASE",
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
        show_default=False,
    ),
]
Words = Annotated[LanguageName, typer.Option("--language", help="English or Arabic words of the game.")]
Connect = Annotated[str, typer.Option(help="The address of the server to ask.", envvar="BALOOT_CONNECT")]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        help="A file with the access token of an account.", envvar="BALOOT_TOKEN_FILE", show_default=False
    ),
]
Address = Annotated[str, typer.Argument(help="The server's address: HOST:PORT or unix:/path.")]

ANSWER_SECONDS = 120.0
"""How long a person has for each answer, unless it is said."""
HERE = "127.0.0.1:7010"
"""Where `baloot up` listens unless it is told otherwise."""

AUDIENCE = "baloot"
"""The audience of access tokens, unless it is said."""
GUESTS = "player,spectator,bot"
"""What guests may be, unless it is said."""
INSIDE = f"{GUESTS},service"
"""The same for a rule service alone, which the installation's own services ask without a token."""

Given = Sequence[str] | None


def public(
    listen: str, limit: Given, trusted: Given, exempt: Given, access: AccessSettings, *, reflection: bool
) -> ServerSettings:
    """The settings of a server for players."""
    from baloot.kit.quotas import PUBLIC

    return _settings(listen, _told(PUBLIC, limit, trusted, exempt), access, reflection=reflection)


def judging(
    listen: str, limit: Given, trusted: Given, exempt: Given, access: AccessSettings, *, reflection: bool
) -> ServerSettings:
    """The settings of a rule service alone, which tables ask."""
    from baloot.kit.quotas import JUDGING

    return _settings(listen, _told(JUDGING, limit, trusted, exempt), access, reflection=reflection)


def dealt(listen: str, *, reflection: bool) -> ServerSettings:
    """The settings of the dealing service, which tables alone reach."""
    from baloot.kit.quotas import Quotas

    return _settings(listen, Quotas(), access((), AUDIENCE, INSIDE), reflection=reflection)


def access(issuer: Given, audience: str, guests: str) -> AccessSettings:
    """Whose access tokens a server takes, and what guests may be."""
    from baloot.app.commands import FAILED, complain
    from baloot.app.issuers import told_access

    try:
        return told_access(issuer or (), audience, guests)
    except ValueError as error:
        complain(error)
        raise typer.Exit(FAILED) from None


def _settings(listen: str, quotas: Quotas, access: AccessSettings, *, reflection: bool) -> ServerSettings:
    from baloot.kit.serving import ServerSettings

    return ServerSettings(listen, reflection=reflection, quotas=quotas, access=access)


def _told(start: Quotas, limit: Given, trusted: Given, exempt: Given) -> Quotas:
    from baloot.app.commands import FAILED, complain
    from baloot.kit.quotas import told

    try:
        return told(start, limit or (), trusted or (), exempt or ())
    except ValueError as error:
        complain(error)
        raise typer.Exit(FAILED) from None
