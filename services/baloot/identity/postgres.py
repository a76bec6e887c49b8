"""Identity in Postgres. Each change is one transaction, so that no process sees half of one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Self
from uuid import UUID

import sqlalchemy as sa
from baloot.core.access import Role
from baloot.identity import rows, schema
from baloot.identity.families import IDLE, Verdict
from baloot.identity.records import Account, ApiKey, Ended, Family, Micros, SigningKey
from baloot.kit.database import TIMEOUT, open_engine, refusing, to_moment
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

CONNECTIONS = 4
MAX_KEYS_TOLD = 200

_account, _family, _key, _signing = schema.account, schema.family, schema.api_key, schema.signing_key


class Turn(NamedTuple):
    """What became of a refresh, and whose it is."""

    verdict: Verdict
    account: Account


class PostgresIdentity:
    """A migrated database's accounts. Every method may raise Refusal UNAVAILABLE. Use it as `async with`."""

    def __init__(self, url: str, *, connections: int = CONNECTIONS, timeout: float = TIMEOUT) -> None:
        self._engine = open_engine(url, "baloot identity", size=connections, timeout=timeout)

    async def close(self) -> None:
        await self._engine.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # Accounts.

    async def account(self, account_id: UUID) -> Account | None:
        return await self._account(_account.c.account_id == account_id)

    async def account_named(self, folded: str) -> Account | None:
        return await self._account(_account.c.folded == folded)

    async def add_account(self, account: Account, family: Family | None = None) -> bool:
        """Adds an account, and its first sign-in if there is one. False, and nothing added, if the id or name is taken."""
        add = insert(_account).values(rows.account_values(account)).on_conflict_do_nothing()
        async with self._writing() as connection:
            if await connection.scalar(add.returning(_account.c.account_id)) is None:
                return False
            if family is not None:
                await connection.execute(sa.insert(_family).values(rows.family_values(family)))
        return True

    async def set_roles(self, account_id: UUID, roles: frozenset[Role]) -> Account | None:
        """The account with its new roles; None when there is none."""
        return await self._change(account_id, {"roles": rows.role_names(roles)})

    async def set_disabled(self, account_id: UUID, *, disabled: bool) -> Account | None:
        return await self._change(account_id, {"disabled": disabled})

    async def renew_hash(self, account: Account, password_hash: str) -> None:
        """Keeps another hash of the same password, unless the password has been changed since."""
        same = sa.update(_account).where(*_as_known(account)).values(password_hash=password_hash)
        async with self._writing() as connection:
            await connection.execute(same)

    async def set_password(self, account_id: UUID, password_hash: str, *, revoked_at: Micros | None) -> None:
        """Changes a password for another one, which ends all sign-ins of the account.

        Its API keys end as well, at `revoked_at`, unless that is None: whoever knew the password may have made one.
        """
        change = sa.update(_account).where(_account.c.account_id == account_id)
        end = sa.update(_family).where(_family.c.account_id == account_id, _family.c.ended.is_(None))
        async with self._writing() as connection:
            await connection.execute(change.values(password_hash=password_hash))
            await connection.execute(end.values(ended=Ended.SIGNED_OUT.value))
            if revoked_at is not None:
                await connection.execute(_revoking(_key.c.account_id == account_id, revoked_at))

    # Sign-ins.

    async def add_family(self, account: Account, family: Family) -> bool:
        """Adds a sign-in, and forgets those of the same account that have expired.

        False when the password has been changed, or the account shut out, since the account was read.
        """
        still = sa.select(_account.c.account_id).where(*_as_known(account)).with_for_update()
        expired = sa.delete(_family).where(
            _family.c.account_id == family.account_id,
            _family.c.used_at < to_moment(family.used_at - IDLE),
        )
        async with self._writing() as connection:
            if (await connection.execute(still)).one_or_none() is None:
                return False
            await connection.execute(expired)
            await connection.execute(sa.insert(_family).values(rows.family_values(family)))
        return True

    async def turn(
        self, family_id: UUID, successor: bytes, judge: Callable[[Family], Verdict], now: Micros
    ) -> Turn | None:
        """Judges a refresh and does what follows, while no other one of the sign-in can; None for no such sign-in.

        Nothing changes for an account that is disabled: its refresh is OVER.
        """
        found = sa.select(_family).where(_family.c.family_id == family_id).with_for_update()
        async with self._writing() as connection:
            row = (await connection.execute(found)).one_or_none()
            if row is None:
                return None
            family = rows.to_family(row)
            owner = sa.select(_account).where(_account.c.account_id == family.account_id)
            account = rows.to_account((await connection.execute(owner)).one())
            verdict = Verdict.OVER if account.disabled else judge(family)
            await _follow(connection, family, verdict, successor, now)
        return Turn(verdict, account)

    async def sign_out(self, family_id: UUID) -> None:
        """Ends a sign-in, if it is there and not over yet."""
        end = sa.update(_family).where(_family.c.family_id == family_id, _family.c.ended.is_(None))
        async with self._writing() as connection:
            await connection.execute(end.values(ended=Ended.SIGNED_OUT.value))

    # API keys.

    async def add_key(self, key: ApiKey) -> ApiKey:
        """Adds a key, and gives it back; or the one that has its id already."""
        add = insert(_key).values(rows.key_values(key)).on_conflict_do_nothing()
        async with self._writing() as connection:
            await connection.execute(add)
            kept = await connection.execute(sa.select(_key).where(_key.c.key_id == key.key_id))
            return rows.to_key(kept.one())

    async def key(self, key_id: UUID) -> ApiKey | None:
        row = await self._first(sa.select(_key).where(_key.c.key_id == key_id))
        return None if row is None else rows.to_key(row)

    async def keys(self, account_id: UUID | None) -> Sequence[ApiKey]:
        """The keys of an account, or of all, the newest first, at most MAX_KEYS_TOLD."""
        query = sa.select(_key).order_by(_key.c.created_at.desc(), _key.c.key_id).limit(MAX_KEYS_TOLD)
        if account_id is not None:
            query = query.where(_key.c.account_id == account_id)
        return [rows.to_key(row) for row in await self._all(query)]

    async def revoke(self, key_id: UUID, now: Micros) -> ApiKey | None:
        """The key, which is no good from now on; None when there is none."""
        end = _revoking(_key.c.key_id == key_id, now).returning(_key)
        async with self._writing() as connection:
            row = (await connection.execute(end)).one_or_none()
        return None if row is None else rows.to_key(row)

    # Signing keys.

    async def signing_keys(self) -> Sequence[SigningKey]:
        """All of them, the one that signs first."""
        query = sa.select(_signing).order_by(_signing.c.replaced_at.desc().nulls_first())
        return [rows.to_signing(row) for row in await self._all(query)]

    async def add_signing_key(self, key: SigningKey, *, replace: bool, revoke: bool = False) -> None:
        """Makes a key the one that signs: in place of another, or only where there is none.

        With `revoke`, all others are forgotten at once, and the tokens that they signed with them.
        """
        current = sa.select(_signing.c.kid).where(_signing.c.replaced_at.is_(None))
        retire = sa.update(_signing).where(_signing.c.replaced_at.is_(None))
        async with self._writing() as connection:
            # Two processes that find none, or replace the same one, come one after the other.
            await connection.execute(sa.text("LOCK TABLE identity_signing_key IN SHARE ROW EXCLUSIVE MODE"))
            if not replace and await connection.scalar(current) is not None:
                return
            others = sa.delete(_signing) if revoke else retire.values(replaced_at=to_moment(key.created_at))
            await connection.execute(others)
            await connection.execute(sa.insert(_signing).values(rows.signing_values(key)))

    async def _account(self, which: sa.ColumnElement[bool]) -> Account | None:
        row = await self._first(sa.select(_account).where(which))
        return None if row is None else rows.to_account(row)

    async def _change(self, account_id: UUID, values: dict[str, Any]) -> Account | None:
        change = sa.update(_account).where(_account.c.account_id == account_id).values(values)
        async with self._writing() as connection:
            row = (await connection.execute(change.returning(_account))).one_or_none()
        return None if row is None else rows.to_account(row)

    async def _first(self, query: sa.Select[Any]) -> Any:
        found = await self._all(query)
        return found[0] if found else None

    async def _all(self, query: sa.Select[Any]) -> Sequence[Any]:
        with refusing("accounts"):
            async with self._engine.connect() as connection:
                found: Sequence[Any] = (await connection.execute(query)).all()
        return found

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        with refusing("accounts"):
            async with self._engine.begin() as connection:
                yield connection


async def _follow(
    connection: AsyncConnection, family: Family, verdict: Verdict, successor: bytes, now: Micros
) -> None:
    change = sa.update(_family).where(_family.c.family_id == family.family_id)
    if verdict is Verdict.ROTATE:
        rotated = change.values(previous=family.current, current=successor, used_at=to_moment(now))
        await connection.execute(rotated)
    elif verdict is Verdict.REUSED:
        await connection.execute(change.values(ended=Ended.REUSED.value))


def _revoking(which: sa.ColumnElement[bool], now: Micros) -> sa.Update:
    """Ends API keys; those that are ended stay as they are."""
    revoked = sa.func.coalesce(_key.c.revoked_at, to_moment(now))
    return sa.update(_key).where(which).values(revoked_at=revoked)


def _as_known(account: Account) -> tuple[sa.ColumnElement[bool], ...]:
    """That an account is as it was when its password was verified."""
    return (
        _account.c.account_id == account.account_id,
        _account.c.password_hash == account.password_hash,
        _account.c.disabled.is_(False),
    )
