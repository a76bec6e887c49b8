"""The commands of `accounts`: what they do in the database."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from uuid import uuid4

from baloot.app.errors import SetupError
from baloot.app.migrate import require_schema
from baloot.core.access import Role
from baloot.identity.names import checked_name, checked_password, folded
from baloot.identity.passwords import Passwords
from baloot.identity.postgres import PostgresIdentity
from baloot.identity.records import GRANTED, NEW_ACCOUNT, Account
from baloot.kit.info import machine_clock


@asynccontextmanager
async def identity_of(url: str) -> AsyncIterator[PostgresIdentity]:
    """The accounts in a database. Raises Refusal UNAVAILABLE, or SetupError for another schema."""
    await require_schema(url)
    async with PostgresIdentity(url, connections=1) as store:
        yield store


async def account_named(store: PostgresIdentity, name: str) -> Account:
    """Raises SetupError when there is none."""
    account = await store.account_named(folded(name.strip()))
    if account is None:
        raise SetupError(f"no account has the name {name}")
    return account


def read_roles(names: Iterable[str]) -> frozenset[Role]:
    """Raises SetupError for what is no role of an account."""
    names = list(names)
    for name in names:
        if name not in GRANTED:
            raise SetupError(f"{name} is no role: choose among {', '.join(sorted(GRANTED))}")
    return frozenset(map(Role, names))


async def add(url: str, name: str, password: str, roles: list[str] | None) -> None:
    """Adds an account. Raises SetupError, or Refusal for a name or password that cannot be."""
    name, chosen = checked_name(name), read_roles(roles) if roles else NEW_ACCOUNT
    hashed = await _hashed(password)
    account = Account(uuid4(), name, folded(name), hashed, chosen, machine_clock())
    async with identity_of(url) as store:
        if not await store.add_account(account):
            raise SetupError(f"another account has the name {name}")
    print(account.account_id)


async def set_password(url: str, name: str, password: str, *, keep_keys: bool) -> None:
    """Changes a password and ends all sign-ins of the account, and its API keys unless they are to be kept.

    Raises SetupError, or Refusal for a password that cannot be.
    """
    hashed = await _hashed(password)
    async with identity_of(url) as store:
        account = await account_named(store, name)
        revoked_at = None if keep_keys else machine_clock()
        await store.set_password(account.account_id, hashed, revoked_at=revoked_at)
    print(f"{account.name} has a new password")


async def roles(url: str, name: str, chosen: list[str] | None) -> None:
    """Sets the roles of an account where some are named, and tells them. Raises SetupError."""
    wanted = read_roles(chosen or ())
    async with identity_of(url) as store:
        account = await account_named(store, name)
        known = await store.set_roles(account.account_id, wanted) if wanted else account
    print(" ".join(sorted(known.roles)) if known else "")


async def set_disabled(url: str, name: str, *, disabled: bool) -> None:
    """Raises SetupError."""
    async with identity_of(url) as store:
        account = await account_named(store, name)
        await store.set_disabled(account.account_id, disabled=disabled)
    print(f"{account.name} is {'disabled' if disabled else 'enabled'}")


async def _hashed(password: str) -> str:
    passwords = Passwords()
    try:
        return await passwords.hash(checked_password(password))
    finally:
        passwords.close()
