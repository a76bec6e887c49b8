"""Signing up and in, and staying signed in."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from uuid import UUID

from baloot.core.access import Role
from baloot.core.errors import Reason, Refusal
from baloot.identity.attempts import Attempts
from baloot.identity.families import Verdict, judge
from baloot.identity.keyring import Keyring, RefreshToken
from baloot.identity.names import checked_name, checked_password, folded, given_name
from baloot.identity.passwords import Passwords
from baloot.identity.postgres import PostgresIdentity
from baloot.identity.records import NEW_ACCOUNT, Account, Family, Micros, Tokens
from baloot.identity.signer import Signer


class Accounts:
    """The accounts of one installation. Every method may raise Refusal UNAVAILABLE."""

    def __init__(
        self,
        store: PostgresIdentity,
        keyring: Keyring,
        passwords: Passwords,
        signer: Signer,
        attempts: Attempts,
        clock: Callable[[], Micros],
    ) -> None:
        self._store = store
        self._keyring = keyring
        self._passwords = passwords
        self._signer = signer
        self._attempts = attempts
        self._clock = clock

    async def sign_up(self, name: str, password: str, request_id: UUID) -> tuple[Account, Tokens]:
        """A new account, signed in. Raises Refusal NAME_TAKEN, REQUEST_ID_REUSED, RATE_LIMITED or of a field.

        The same request gives the same account and refresh token.
        """
        name, password = checked_name(name), checked_password(password)
        self._attempts.take(folded(name))
        account = await self._new_account(name, password, request_id)
        token = self._keyring.first_token(account.account_id, request_id)
        if not await self._store.add_account(account, self._family(account.account_id, token)):
            account = await self._same(account, password)
        return account, await self._tokens(account, token)

    async def sign_in(self, name: str, password: str) -> tuple[Account, Tokens]:
        """An account by its name and password. Raises Refusal SIGN_IN_FAILED, RATE_LIMITED or of a field."""
        name, password = given_name(name), checked_password(password)
        self._attempts.take(folded(name))
        account = await self._store.account_named(folded(name))
        right = await self._passwords.verify(account.password_hash if account else None, password)
        if account is None or account.disabled or not right:
            raise _sign_in_failed()
        token = self._keyring.first_token(_random_id(), _random_id())
        if not await self._store.add_family(account, self._family(account.account_id, token)):
            raise _sign_in_failed()
        await self._renew_hash(account, password)
        return account, await self._tokens(account, token)

    async def refresh(self, text: str, request_id: UUID) -> Tokens:
        """The tokens after these. Raises Refusal REFRESH_INVALID or REFRESH_REUSED."""
        token = self._read(text)
        successor = self._keyring.next_token(token, request_id)
        now = self._clock()

        def judged(family: Family) -> Verdict:
            return judge(family, token.hash, successor.hash, now)

        turn = await self._store.turn(token.family_id, successor.hash, judged, now)
        if turn is None or turn.verdict is Verdict.OVER:
            raise _refresh_invalid()
        if turn.verdict is Verdict.REUSED:
            raise Refusal(
                Reason.REFRESH_REUSED,
                "this refresh token was used before, so its sign-in is over: sign in again",
            )
        return await self._tokens(turn.account, successor)

    async def sign_out(self, text: str) -> None:
        """Ends the sign-in of any of its refresh tokens. Raises Refusal REFRESH_INVALID."""
        await self._store.sign_out(self._read(text).family_id)

    async def account(self, account_id: UUID) -> Account:
        """Raises Refusal ACCOUNT_UNKNOWN."""
        return _known(await self._store.account(account_id))

    async def set_roles(self, account_id: UUID, roles: frozenset[Role]) -> Account:
        """Raises Refusal ACCOUNT_UNKNOWN."""
        return _known(await self._store.set_roles(account_id, roles))

    async def set_disabled(self, account_id: UUID, *, disabled: bool) -> Account:
        """Raises Refusal ACCOUNT_UNKNOWN."""
        return _known(await self._store.set_disabled(account_id, disabled=disabled))

    async def _new_account(self, name: str, password: str, request_id: UUID) -> Account:
        account_id = self._keyring.derived_id("account", request_id.bytes)
        hashed = await self._passwords.hash(password)
        return Account(account_id, name, folded(name), hashed, NEW_ACCOUNT, self._clock())

    async def _same(self, wanted: Account, password: str) -> Account:
        """The account that this very request made before. Raises Refusal when it made none."""
        known = await self._store.account(wanted.account_id)
        if known is None:
            raise Refusal(Reason.NAME_TAKEN, "another account has this name", field="name")
        same = await self._passwords.verify(known.password_hash, password)
        if known.name != wanted.name or not same or known.disabled:
            raise Refusal(Reason.REQUEST_ID_REUSED, "this request id was used for another account")
        return known

    async def _renew_hash(self, account: Account, password: str) -> None:
        if self._passwords.is_old(account.password_hash):
            await self._store.renew_hash(account, await self._passwords.hash(password))

    async def _tokens(self, account: Account, token: RefreshToken) -> Tokens:
        return Tokens(await self._signer.for_account(account), token.text)

    def _family(self, account_id: UUID, token: RefreshToken) -> Family:
        return Family(token.family_id, account_id, token.hash, self._clock())

    def _read(self, text: str) -> RefreshToken:
        token = self._keyring.read_token(text)
        if token is None:
            raise _refresh_invalid()
        return token


def _sign_in_failed() -> Refusal:
    return Refusal(Reason.SIGN_IN_FAILED, "there is no account with this name and password")


def _random_id() -> UUID:
    return UUID(bytes=secrets.token_bytes(16), version=4)


def _refresh_invalid() -> Refusal:
    return Refusal(Reason.REFRESH_INVALID, "this refresh token is none, has expired or was signed out")


def _known(account: Account | None) -> Account:
    if account is None:
        raise Refusal(Reason.ACCOUNT_UNKNOWN, "there is no such account", field="account_id")
    return account
