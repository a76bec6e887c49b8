"""API keys: made, told, ended, and exchanged for access tokens."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from uuid import UUID

from baloot.core.access import Role
from baloot.core.errors import Reason, Refusal
from baloot.identity.keyring import Keyring, hashed, read_key, written_key
from baloot.identity.postgres import PostgresIdentity
from baloot.identity.records import Access, Account, ApiKey, Micros, Wish
from baloot.identity.signer import Signer
from baloot.kit import quotas
from baloot.kit.buckets import Rate

MOST = Rate(50, 1, 200)
"""The rate of a key that is no admin's, at most: what a server lets any address call unless it is told otherwise."""


class ApiKeys:
    """The API keys of one installation. Every method may raise Refusal UNAVAILABLE."""

    def __init__(
        self, store: PostgresIdentity, keyring: Keyring, signer: Signer, clock: Callable[[], Micros]
    ) -> None:
        self._store = store
        self._keyring = keyring
        self._signer = signer
        self._clock = clock

    async def exchange(self, text: str) -> Access:
        """An access token for a key. Raises Refusal KEY_INVALID."""
        found = await self._good(text)
        if found is None:
            raise Refusal(Reason.KEY_INVALID, "this API key is none, has expired or was revoked")
        return await self._signer.for_key(*found)

    async def create(self, account_id: UUID, wish: Wish, request_id: UUID) -> tuple[str, ApiKey]:
        """A new key with its secret, which is told here and nowhere else; the same for the same request.

        Raises Refusal ROLE_REQUIRED, ACCOUNT_UNKNOWN or REQUEST_ID_REUSED.
        """
        await self._require_grant(account_id, wish)
        key_id = self._keyring.derived_id("key", account_id.bytes, request_id.bytes)
        secret = self._keyring.api_secret(key_id, account_id, request_id)
        made = new_key(key_id, account_id, wish, secret, self._clock())
        kept = await self._store.add_key(made)
        if kept.request_digest != made.request_digest:
            raise Refusal(Reason.REQUEST_ID_REUSED, "this request id was used for another key")
        return written_key(key_id, secret), kept

    async def list(self, account_id: UUID) -> Sequence[ApiKey]:
        """The keys of an account, the newest first."""
        return await self._store.keys(account_id)

    async def revoke(self, key_id: UUID, owner: UUID | None) -> ApiKey:
        """Ends a key of an owner, or of anybody. Raises Refusal KEY_UNKNOWN."""
        known = await self._store.key(key_id)
        if known is not None and owner in (None, known.account_id):
            known = await self._store.revoke(key_id, self._clock())
            if known is not None:
                return known
        raise Refusal(Reason.KEY_UNKNOWN, "there is no such API key", field="key_id")

    async def _good(self, text: str) -> tuple[Account, ApiKey] | None:
        key_id, secret = read_key(text) or (UUID(int=0), "")
        key = await self._store.key(key_id)
        if key is None or not hmac.compare_digest(key.secret_hash, hashed(secret)):
            return None
        account = await self._store.account(key.account_id)
        if account is None or not key.is_good(self._clock()) or not key.roles & account.may_give:
            return None
        return account, key

    async def _require_grant(self, account_id: UUID, wish: Wish) -> None:
        account = await self._store.account(account_id)
        if account is None:
            raise Refusal(Reason.ACCOUNT_UNKNOWN, "there is no such account")
        _require_rate(account, wish.rate)
        beyond = sorted(wish.roles - account.may_give)
        if beyond:
            raise Refusal(
                Reason.ROLE_REQUIRED,
                f"a key of this account cannot be {', '.join(beyond)}",
                field="roles",
                metadata={"roles": " ".join(sorted({*beyond, Role.ADMIN}))},
            )


def _require_rate(account: Account, rate: str) -> None:
    if Role.ADMIN in account.roles or not rate or not quotas.exceeds(quotas.read_rate(rate), MOST):
        return
    raise Refusal(
        Reason.ROLE_REQUIRED,
        f"only a key of an admin may have a higher rate than {quotas.spelled(MOST)}",
        field="rate",
        metadata={"roles": Role.ADMIN},
    )


def new_key(key_id: UUID, account_id: UUID, wish: Wish, secret: str, now: Micros) -> ApiKey:
    """The key that is wished for."""
    return ApiKey(
        key_id=key_id,
        account_id=account_id,
        label=wish.label,
        roles=wish.roles,
        scopes=wish.scopes,
        rate=wish.rate,
        secret_hash=hashed(secret),
        request_digest=_digest(wish),
        created_at=now,
        expires_at=None if wish.lasts is None else now + wish.lasts,
    )


def _digest(wish: Wish) -> bytes:
    parts = (wish.label, sorted(wish.roles), sorted(wish.scopes), wish.rate, wish.lasts)
    return hashlib.sha256(repr(parts).encode()).digest()[:16]
