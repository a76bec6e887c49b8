"""The commands of `accounts` and `keys`, which work on the database."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from baloot.app.cli.command import group, runs
from baloot.app.cli.options import Installation, KnownIdentityKeyFile
from baloot.app.errors import SetupError
from baloot.app.work import Work

accounts = group("The accounts of this installation, in its database.")
keys = group("API keys, and the keys that sign access tokens.")

Name = Annotated[str, typer.Argument(help="The name of an account, in upper or lower case.")]
PasswordFile = Annotated[
    Path | None,
    typer.Option(
        help="A file whose first line is the password. Unset: it is asked for.",
        metavar="FILE",
        show_default=False,
    ),
]


@accounts.command("add")
@runs()
def add_account(
    name: Annotated[str, typer.Argument(help="3 to 32 letters and digits of any script.")],
    role: Annotated[
        list[str] | None,
        typer.Option(
            help="What it may be, one option for each: player, spectator, organiser, referee, admin, bot or service. "
            "Unset: player and spectator.",
            metavar="ROLE",
            show_default=False,
        ),
    ] = None,
    password_file: PasswordFile = None,
    at: Installation = Installation(),
) -> Work:
    """Add an account, and ask for its password."""
    from baloot.app import accounts

    return accounts.add(at.url, name, _password(password_file), role)


@accounts.command("password")
@runs()
def set_password(
    name: Name,
    password_file: PasswordFile = None,
    keep_keys: Annotated[
        bool, typer.Option("--keep-keys", help="Leave the API keys of the account as they are.")
    ] = False,
    at: Installation = Installation(),
) -> Work:
    """Give an account another password.

    It is signed out everywhere, and its API keys are revoked.
    """
    from baloot.app import accounts

    return accounts.set_password(at.url, name, _password(password_file), keep_keys=keep_keys)


@accounts.command("roles")
@runs()
def set_roles(
    name: Name,
    roles: Annotated[
        list[str] | None,
        typer.Argument(
            help="All that it may be from now on. Unset: what it may be is printed.", show_default=False
        ),
    ] = None,
    at: Installation = Installation(),
) -> Work:
    """Set the roles of an account, or print them."""
    from baloot.app import accounts

    return accounts.roles(at.url, name, roles)


@accounts.command("disable")
@runs()
def disable(name: Name, at: Installation = Installation()) -> Work:
    """Shut an account out, from the next refresh of its tokens on."""
    from baloot.app import accounts

    return accounts.set_disabled(at.url, name, disabled=True)


@accounts.command("enable")
@runs()
def enable(name: Name, at: Installation = Installation()) -> Work:
    """Let an account in again."""
    from baloot.app import accounts

    return accounts.set_disabled(at.url, name, disabled=False)


def _password(file: Path | None) -> str:
    """The first line of a file, or what is typed without being shown. Raises SetupError."""
    if file is not None:
        try:
            return file.read_text(encoding="utf-8").partition("\n")[0].removesuffix("\r")
        except (OSError, UnicodeDecodeError) as error:
            raise SetupError(f"the password file {file} cannot be read") from error
    if not sys.stdin.isatty():
        raise SetupError("nobody is there to type the password: name a file with --password-file")
    typed: str = typer.prompt("password", hide_input=True, confirmation_prompt=True, err=True)
    return typed


@keys.command("create")
@runs()
def create_key(
    name: Name,
    label: Annotated[
        str, typer.Option(help="What the key is for, as the list of keys tells it.", metavar="TEXT")
    ],
    scope: Annotated[
        list[str],
        typer.Option(
            help="What it may be used for, one option for each: play, watch, history or judge.",
            metavar="SCOPE",
        ),
    ],
    role: Annotated[
        list[str] | None,
        typer.Option(
            help="What its holder is, one option for each, such as bot. Unset: player and spectator.",
            metavar="ROLE",
            show_default=False,
        ),
    ] = None,
    rate: Annotated[
        str,
        typer.Option(
            help="How often it may call, such as 50/s+100. Unset: as everybody.", metavar="CALLS/s+BURST"
        ),
    ] = "",
    days: Annotated[
        int | None,
        typer.Option(help="Days until it ends by itself. Unset: never.", min=1, max=3660, show_default=False),
    ] = None,
    at: Installation = Installation(),
) -> Work:
    """Make an API key of an account and print it, this once."""
    from baloot.app import api_keys

    return api_keys.create(at.url, name, api_keys.wish(label, role, scope, rate, days))


@keys.command("list")
@runs()
def list_keys(
    name: Annotated[
        str | None,
        typer.Argument(help="The name of an account. Unset: the keys of all are listed.", show_default=False),
    ] = None,
    at: Installation = Installation(),
) -> Work:
    """List API keys, the newest first."""
    from baloot.app import api_keys

    return api_keys.show(at.url, name)


@keys.command("revoke")
@runs()
def revoke_key(
    key: Annotated[str, typer.Argument(help="The id of an API key, as `baloot keys list` tells it.")],
    at: Installation = Installation(),
) -> Work:
    """End an API key. Access tokens made from it last until they expire."""
    from baloot.app import api_keys

    return api_keys.revoke(at.url, key)


@keys.command("rotate")
@runs()
def rotate_key(
    identity_key_file: KnownIdentityKeyFile = None,
    revoke: Annotated[
        bool,
        typer.Option(
            "--revoke",
            help="Forget all keys before at once, as when one has leaked: servers refuse their tokens within five minutes.",
        ),
    ] = False,
    at: Installation = Installation(),
) -> Work:
    """Sign access tokens with a new key. The one before stays known until its last token has expired."""
    from baloot.app import api_keys

    url, key = at.url, api_keys.known_key(identity_key_file or at.kept_identity_key)
    return api_keys.rotate(url, key, revoke=revoke)
