"""The parts of identity put together, over one database and one installation's key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from baloot.identity.accounts import Accounts
from baloot.identity.api_keys import ApiKeys
from baloot.identity.attempts import Attempts
from baloot.identity.keyring import Keyring
from baloot.identity.passwords import Passwords
from baloot.identity.postgres import PostgresIdentity
from baloot.identity.records import Micros
from baloot.identity.signer import Signer
from baloot.identity.signing import Issuer


class Identity:
    """All that the service and the commands need. `clock` is the database's time. Use it as `async with`."""

    def __init__(
        self,
        url: str,
        installation_key: bytes,
        clock: Callable[[], Micros],
        *,
        issuer: Issuer = Issuer(),
        passwords: Passwords | None = None,
        attempts: Attempts | None = None,
    ) -> None:
        keyring = Keyring(installation_key)
        self.issuer = issuer
        self.store = store = PostgresIdentity(url)
        self.signer = Signer(store, keyring, issuer, clock)
        self.keys = ApiKeys(store, keyring, self.signer, clock)
        self._passwords = passwords or Passwords()
        self.accounts = Accounts(store, keyring, self._passwords, self.signer, attempts or Attempts(), clock)

    async def key_set(self) -> dict[str, Any]:
        """The public keys by which its tokens are verified, as a JSON Web Key Set. Raises Refusal UNAVAILABLE."""
        return await self.signer.key_set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._passwords.close()
        await self.store.close()
