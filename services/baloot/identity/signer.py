"""Signs access tokens with the key that the database says, so that all processes agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from baloot.core.errors import Reason, Refusal
from baloot.identity import signing
from baloot.identity.keyring import Keyring
from baloot.identity.postgres import PostgresIdentity
from baloot.identity.records import Access, Account, ApiKey, Micros, SigningKey
from baloot.identity.signing import Issuer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Signer:
    """Asks for the key at each signature: one that was replaced signs nothing more. Methods may raise Refusal UNAVAILABLE."""

    def __init__(
        self, store: PostgresIdentity, keyring: Keyring, issuer: Issuer, clock: Callable[[], Micros]
    ) -> None:
        self._store = store
        self._keyring = keyring
        self._issuer = issuer
        self._clock = clock

    async def for_account(self, account: Account) -> Access:
        """An access token of somebody who signed in."""
        kid, private = await self._current()
        return signing.account_token(self._issuer, kid, private, account, self._clock())

    async def for_key(self, account: Account, key: ApiKey) -> Access:
        """An access token made from an API key of an account."""
        kid, private = await self._current()
        return signing.key_token(self._issuer, kid, private, account, key, self._clock())

    async def key_set(self) -> dict[str, Any]:
        """The public keys by which tokens are verified, as a JSON Web Key Set; the one that signs now is the first."""
        return signing.key_set(await self._keys(), self._issuer, self._clock())

    async def rotate(self, *, revoke: bool = False) -> str:
        """Puts a new key in the place of the one that signs, and gives its name.

        With `revoke`, those before are forgotten at once, not when their last tokens have expired.
        """
        key = signing.new_key(self._keyring, self._clock())
        await self._store.add_signing_key(key, replace=True, revoke=revoke)
        return key.kid

    async def _current(self) -> tuple[str, Ed25519PrivateKey]:
        key = (await self._keys())[0]
        private = signing.opened(key, self._keyring)
        if private is None:
            raise Refusal(
                Reason.UNAVAILABLE,
                "the signing key was sealed with another installation's key: give that key file, or `baloot keys rotate`",
            )
        return key.kid, private

    async def _keys(self) -> Sequence[SigningKey]:
        """The keys, of which there is one at least."""
        keys = await self._store.signing_keys()
        if keys:
            return keys
        first = signing.new_key(self._keyring, self._clock())
        await self._store.add_signing_key(first, replace=False)
        return await self._store.signing_keys()
