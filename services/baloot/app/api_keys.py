"""The commands of `keys`: what they do in the database."""

from __future__ import annotations

import secrets
from pathlib import Path
from uuid import uuid4

from baloot.app.accounts import account_named, identity_of, read_roles
from baloot.app.errors import SetupError
from baloot.app.keys import opened_key
from baloot.identity.api_keys import new_key
from baloot.identity.codec import checked_label, checked_rate, checked_scopes, decode_key_id
from baloot.identity.keyring import Keyring, written_key
from baloot.identity.records import DAY, NEW_ACCOUNT, ApiKey, Micros, Wish
from baloot.identity.signing import new_key as new_signing_key
from baloot.kit.info import machine_clock
from baloot.table.codec import readable

_SECRET_BYTES = 32


def wish(label: str, roles: list[str] | None, scopes: list[str], rate: str, days: int | None) -> Wish:
    """What is asked for. Raises SetupError or Refusal for what cannot be."""
    return Wish(
        label=checked_label(label),
        roles=read_roles(roles) if roles else NEW_ACCOUNT,
        scopes=checked_scopes(scopes),
        rate=checked_rate(rate),
        lasts=None if days is None else days * DAY,
    )


async def create(url: str, name: str, wanted: Wish) -> None:
    """Makes a key of an account and prints it. Raises SetupError when the account may not have such a key."""
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    async with identity_of(url) as store:
        account = await account_named(store, name)
        beyond = sorted(wanted.roles - account.may_give)
        if beyond:
            raise SetupError(f"a key of {account.name} cannot be {', '.join(beyond)}: give it the role first")
        key = new_key(uuid4(), account.account_id, wanted, secret, machine_clock())
        await store.add_key(key)
    print(written_key(key.key_id, secret))


async def show(url: str, name: str | None) -> None:
    """Prints the keys of an account, or of all. Raises SetupError when there is no such account."""
    async with identity_of(url) as store:
        owner = None if name is None else (await account_named(store, name)).account_id
        found = await store.keys(owner)
    now = machine_clock()
    for key in found:
        print(_line(key, now))


async def revoke(url: str, text: str) -> None:
    """Raises SetupError when there is no such key."""
    async with identity_of(url) as store:
        key = await store.revoke(decode_key_id(text), machine_clock())
    if key is None:
        raise SetupError(f"there is no API key {text}")
    print(f"{key.label} is revoked")


async def rotate(url: str, key: bytes, *, revoke: bool = False) -> None:
    """Puts a new signing key, sealed by the installation's key, in the place of the one before, and prints its name.

    With `revoke`, those before are forgotten at once. Raises SetupError.
    """
    made = new_signing_key(Keyring(key), machine_clock())
    async with identity_of(url) as store:
        await store.add_signing_key(made, replace=True, revoke=revoke)
    print(made.kid)


def known_key(file: Path | None) -> bytes:
    """The installation's key. Raises SetupError when it is not there: one made here is none that the service has."""
    if file is None:
        raise SetupError("name the file of the identity service's key with --identity-key-file")
    return opened_key(file)


def _line(key: ApiKey, now: Micros) -> str:
    parts = (
        key.key_id.hex,
        _state(key, now),
        "+".join(sorted(key.roles)),
        "+".join(sorted(key.scopes)),
        key.rate or "-",
        key.label,
    )
    return "  ".join(parts)


def _state(key: ApiKey, now: Micros) -> str:
    if key.revoked_at is not None:
        return f"revoked {readable(key.revoked_at)}"
    if key.expires_at is None:
        return "good"
    return f"{'good until' if key.is_good(now) else 'expired'} {readable(key.expires_at)}"
