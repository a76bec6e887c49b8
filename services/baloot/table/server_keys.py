"""What a database keeps for all its tables: the server's keys, sealed where that is asked for, and whose database it is.

A sealed key opens nothing by itself. The key that opens it follows from the dealing service's, which is in no database.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import sqlalchemy as sa
from baloot.core.errors import Refusal
from baloot.core.keys import StoreKey
from baloot.table.schema import key as keys
from baloot.table.sealing import KEY_BYTES, NONCE_BYTES, CannotOpen
from baloot.table.store import SecretsSealed, StoreUnavailable
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from sqlalchemy.dialects.postgresql import insert

FINGERPRINT = "dealing fingerprint"
"""The name under which the fingerprint of the dealing service's key is kept."""

_PURPOSE = b"baloot/server-key/v1\0"

AskStoreKey = Callable[[], Awaitable[StoreKey]]
"""Asks the dealing service for its key of a database. May raise Refusal."""
Ask = Callable[[sa.Executable], Awaitable[Sequence[Any]]]
"""The rows of a statement. May raise StoreUnavailable."""


class WrongDealingKey(StoreUnavailable):
    """The dealing service has another key than the one that this database was begun with."""


class ServerKeys:
    """The keys of one database. Without `store_key` nothing is sealed, and nothing that is sealed can be read.

    Every method may raise StoreUnavailable, and WrongDealingKey.
    """

    def __init__(self, ask: Ask, store_key: AskStoreKey | None = None) -> None:
        self._ask = ask
        self._store_key = store_key
        self._fingerprint: bytes | None = None

    async def kept(self, name: str, fresh: bytes) -> bytes:
        """What is kept under a name, as it is; `fresh` from now on when there is nothing yet."""
        found = sa.select(keys.c.value).where(keys.c.name == name)
        keep = insert(keys).values(name=name, value=fresh).on_conflict_do_nothing()
        while not (rows := await self._ask(found)):
            await self._ask(keep)
        value: bytes = rows[0].value
        return value

    async def sealed(self, name: str, fresh: bytes) -> bytes:
        """The key of 32 bytes that is kept sealed under a name; `fresh` from now on when there is none yet.

        One that was kept before keys were sealed stays the same, and is sealed now. Raises CannotOpen when what is kept
        was changed.
        """
        owner = await self.check()
        if owner is None:
            return _unsealed(await self.kept(name, fresh))
        value = await self.kept(name, seal_key(owner.key, name, fresh))
        if len(value) != KEY_BYTES:
            return open_key(owner.key, name, value)
        replaced = sa.update(keys).where(keys.c.name == name, keys.c.value == value)
        await self._ask(replaced.values(value=seal_key(owner.key, name, value)))
        return value

    async def check(self) -> StoreKey | None:
        """The dealing service's key for this database; None without one. Raises WrongDealingKey.

        Whoever asks first binds the database to the dealing service that answers.
        """
        if self._store_key is None:
            return None
        try:
            owner = await self._store_key()
        except Refusal as refusal:
            raise StoreUnavailable("the dealing service cannot be asked for its key") from refusal
        if self._fingerprint is None:
            self._fingerprint = await self.kept(FINGERPRINT, owner.fingerprint)
        if owner.fingerprint != self._fingerprint:
            raise WrongDealingKey(
                f"the dealing key {owner.fingerprint.hex()[:8]} is not the one that this database was begun with, "
                f"{self._fingerprint.hex()[:8]}: put that key file back"
            )
        return owner


def seal_key(key: bytes, name: str, value: bytes) -> bytes:
    """A server's key as it is kept: nonce and AES-256-GCM, bound to its name."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, value, _PURPOSE + name.encode())


def open_key(key: bytes, name: str, sealed: bytes) -> bytes:
    """The server's key again. Raises CannotOpen."""
    try:
        return AESGCM(key).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], _PURPOSE + name.encode())
    except (InvalidTag, ValueError):
        raise CannotOpen(f"the server's key {name!r} cannot be opened with this key") from None


def _unsealed(value: bytes) -> bytes:
    if len(value) > KEY_BYTES:
        raise SecretsSealed("the server's key is sealed, and there is no key to open it")
    return value
