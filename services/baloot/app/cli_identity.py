# ruff: noqa: PLC0415, FBT002 - as in the module of the commands
"""The commands `serve identity`, and `accounts` and `keys`, which work on the database: what can be typed, and what each option means."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from baloot.app.options import (
    GUESTS,
    Data,
    Database,
    Exempt,
    IdentityKeyFile,
    Limit,
    Listen,
    Reflection,
    RunningDatabase,
    Trusted,
    access,
    public,
)

accounts = typer.Typer(
    help="The accounts of this installation, in its database.", no_args_is_help=True, rich_markup_mode=None
)
keys = typer.Typer(
    help="API keys, and the keys that sign access tokens.", no_args_is_help=True, rich_markup_mode=None
)

Name = Annotated[str, typer.Argument(help="The name of an account, in any case.")]
PasswordFile = Annotated[
    Path | None,
    typer.Option(help="A file whose first line is the password. Unset: it is asked for.", show_default=False),
]
Roles = Annotated[
    list[str] | None,
    typer.Option(
        "--role",
        help="What it may be, again and again: player, spectator, organiser, referee, admin, bot or service. "
        "Unset: player and spectator.",
        show_default=False,
    ),
]


@accounts.command("add")
def add_account(
    name: Annotated[str, typer.Argument(help="3 to 32 letters and digits of any script.")],
    role: Roles = None,
    password_file: PasswordFile = None,
    database: RunningDatabase = None,
    data: Data = None,
) -> None:
    """Add an account, and ask for its password."""
    from baloot.app import accounts as work

    password = _password(password_file)
    _run(lambda url: work.add(url, name, password, role), database, data)


@accounts.command("password")
def set_password(
    name: Name,
    password_file: PasswordFile = None,
    *,
    keep_keys: Annotated[
        bool, typer.Option("--keep-keys", help="Leave the API keys of the account as they are.")
    ] = False,
    database: RunningDatabase = None,
    data: Data = None,
) -> None:
    """Give an account another password: it is signed out everywhere, and its API keys are revoked."""
    from baloot.app import accounts as work

    password = _password(password_file)
    _run(lambda url: work.set_password(url, name, password, keep_keys=keep_keys), database, data)


@accounts.command("roles")
def set_roles(
    name: Name,
    roles: Annotated[
        list[str] | None,
        typer.Argument(
            help="All that it may be from now on. Unset: tells what it may be.", show_default=False
        ),
    ] = None,
    database: RunningDatabase = None,
    data: Data = None,
) -> None:
    """Say what an account may be, or tell it."""
    from baloot.app import accounts as work

    _run(lambda url: work.roles(url, name, roles), database, data)


@accounts.command("disable")
def disable(name: Name, database: RunningDatabase = None, data: Data = None) -> None:
    """Shut an account out, from the next refresh of its tokens on."""
    from baloot.app import accounts as work

    _run(lambda url: work.set_disabled(url, name, disabled=True), database, data)


@accounts.command("enable")
def enable(name: Name, database: RunningDatabase = None, data: Data = None) -> None:
    """Let an account in again."""
    from baloot.app import accounts as work

    _run(lambda url: work.set_disabled(url, name, disabled=False), database, data)


@keys.command("create")
def create_key(
    name: Name,
    label: Annotated[str, typer.Option(help="What the key is for, as the list of keys tells it.")],
    scope: Annotated[
        list[str],
        typer.Option(help="What it may be used for, again and again: play, watch, history or judge."),
    ],
    role: Annotated[
        list[str] | None,
        typer.Option(
            "--role",
            help="What its holder is, again and again, such as bot. Unset: player and spectator.",
            show_default=False,
        ),
    ] = None,
    rate: Annotated[
        str, typer.Option(help="How often it may call, such as 50/s+100. Unset: as everybody.")
    ] = "",
    days: Annotated[
        int | None,
        typer.Option(help="Days until it ends by itself. Unset: never.", min=1, max=3660, show_default=False),
    ] = None,
    database: RunningDatabase = None,
    data: Data = None,
) -> None:
    """Make an API key of an account and print it, this once."""
    from baloot.app import api_keys as work

    _run(lambda url: work.create(url, name, work.wish(label, role, scope, rate, days)), database, data)


@keys.command("list")
def list_keys(
    name: Annotated[
        str | None, typer.Argument(help="The name of an account. Unset: of all.", show_default=False)
    ] = None,
    database: RunningDatabase = None,
    data: Data = None,
) -> None:
    """List API keys, the newest first."""
    from baloot.app import api_keys as work

    _run(lambda url: work.show(url, name), database, data)


@keys.command("revoke")
def revoke_key(
    key: Annotated[str, typer.Argument(help="The id of an API key, as `keys list` tells it.")],
    database: RunningDatabase = None,
    data: Data = None,
) -> None:
    """End an API key. Access tokens made from it last until they expire."""
    from baloot.app import api_keys as work

    _run(lambda url: work.revoke(url, key), database, data)


@keys.command("rotate")
def rotate_key(
    identity_key_file: IdentityKeyFile = None,
    *,
    revoke: Annotated[
        bool,
        typer.Option(
            "--revoke",
            help="Forget all keys before at once, as when one has leaked: servers refuse their tokens within five minutes.",
        ),
    ] = False,
    database: RunningDatabase = None,
    data: Data = None,
) -> None:
    """Sign access tokens with a new key. The one before stays known until its last token has expired."""
    from baloot.app import api_keys as work
    from baloot.app.platform import IDENTITY_KEY

    key_file = identity_key_file or (None if database else _folder(data) / IDENTITY_KEY)
    _run(lambda url: work.rotate(url, work.known_key(key_file), revoke=revoke), database, data)


def serve_identity(
    database: Database,
    identity_key_file: IdentityKeyFile = None,
    issuer_name: Annotated[
        str, typer.Option(help="What access tokens name as their issuer.", envvar="BALOOT_ISSUER_NAME")
    ] = "baloot",
    audience: Annotated[
        str, typer.Option(help="Whom access tokens are made for.", envvar="BALOOT_AUDIENCE")
    ] = "baloot",
    token_seconds: Annotated[
        int,
        typer.Option(
            help="Seconds that an access token is good.", min=10, max=86_400, envvar="BALOOT_TOKEN_SECONDS"
        ),
    ] = 600,
    listen: Listen = "127.0.0.1:7030",
    reflection: Reflection = False,
    limit: Limit = None,
    trusted: Trusted = None,
    exempt: Exempt = None,
) -> None:
    """The identity service: accounts, sign-ins and API keys."""
    from baloot.app import serving
    from baloot.app.commands import run
    from baloot.identity.records import SECOND
    from baloot.identity.signing import Issuer

    own = access(None, audience, GUESTS)
    settings = public(listen, limit, trusted, exempt, own, reflection=reflection)
    issuer = Issuer(issuer_name, audience, token_seconds * SECOND)
    service = serving.identity_service(database, identity_key_file, issuer, settings)
    raise typer.Exit(run(lambda stop: serving.serve(service, "identity", stop)))


def _run(
    command: Callable[[str], Coroutine[Any, Any, int | None]], database: str | None, data: Path | None
) -> NoReturn:
    """Runs a command on the database that is named, or that runs on the data folder."""
    from baloot.app.commands import run
    from baloot.app.stored import find_database

    async def work(_: object) -> int | None:
        return await command(find_database(database, data))

    raise typer.Exit(run(work, log_level="warning"))


def _password(file: Path | None) -> str:
    """The first line of a file, or what is typed without being shown."""
    if file is not None:
        try:
            return file.read_text(encoding="utf-8").partition("\n")[0].removesuffix("\r")
        except (OSError, UnicodeDecodeError):
            _fail(f"the password file {file} cannot be read")
    if not sys.stdin.isatty():
        _fail("nobody is there to type the password: name a file with --password-file")
    typed: str = typer.prompt("password", hide_input=True, confirmation_prompt=True, err=True)
    return typed


def _folder(data: Path | None) -> Path:
    from baloot.app.embedded import default_data

    return data or default_data()


def _fail(message: str) -> NoReturn:
    from baloot.app.commands import FAILED, complain

    complain(message)
    raise typer.Exit(FAILED)
