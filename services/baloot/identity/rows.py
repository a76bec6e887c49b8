"""Between the records of identity and the rows of its tables."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from baloot.core.access import Role
from baloot.identity.records import Account, ApiKey, Ended, Family, Micros, SigningKey
from baloot.kit.database import to_micros, to_moment


def account_values(account: Account) -> dict[str, Any]:
    return {
        "account_id": account.account_id,
        "name": account.name,
        "folded": account.folded,
        "password_hash": account.password_hash,
        "roles": role_names(account.roles),
        "created_at": to_moment(account.created_at),
        "disabled": account.disabled,
    }


def to_account(row: Any) -> Account:
    return Account(
        row.account_id,
        row.name,
        row.folded,
        row.password_hash,
        _roles(row.roles),
        to_micros(row.created_at),
        row.disabled,
    )


def family_values(family: Family) -> dict[str, Any]:
    return {
        "family_id": family.family_id,
        "account_id": family.account_id,
        "current": family.current,
        "previous": family.previous,
        "used_at": to_moment(family.used_at),
        "ended": family.ended.value if family.ended else None,
    }


def to_family(row: Any) -> Family:
    ended = None if row.ended is None else Ended(row.ended)
    return Family(row.family_id, row.account_id, row.current, to_micros(row.used_at), row.previous, ended)


def key_values(key: ApiKey) -> dict[str, Any]:
    return {
        "key_id": key.key_id,
        "account_id": key.account_id,
        "label": key.label,
        "roles": role_names(key.roles),
        "scopes": sorted(key.scopes),
        "rate": key.rate,
        "secret_hash": key.secret_hash,
        "request_digest": key.request_digest,
        "created_at": to_moment(key.created_at),
        "expires_at": _to_moment(key.expires_at),
        "revoked_at": _to_moment(key.revoked_at),
    }


def to_key(row: Any) -> ApiKey:
    return ApiKey(
        key_id=row.key_id,
        account_id=row.account_id,
        label=row.label,
        roles=_roles(row.roles),
        scopes=frozenset(row.scopes),
        rate=row.rate,
        secret_hash=row.secret_hash,
        request_digest=row.request_digest,
        created_at=to_micros(row.created_at),
        expires_at=_to_micros(row.expires_at),
        revoked_at=_to_micros(row.revoked_at),
    )


def signing_values(key: SigningKey) -> dict[str, Any]:
    return {
        "kid": key.kid,
        "public": key.public,
        "sealed": key.sealed,
        "created_at": to_moment(key.created_at),
        "replaced_at": _to_moment(key.replaced_at),
    }


def to_signing(row: Any) -> SigningKey:
    return SigningKey(row.kid, row.public, row.sealed, to_micros(row.created_at), _to_micros(row.replaced_at))


def role_names(roles: Iterable[Role]) -> list[str]:
    return sorted(role.value for role in roles)


def _roles(names: Iterable[str]) -> frozenset[Role]:
    return frozenset(map(Role, names))


def _to_moment(micros: Micros | None) -> datetime | None:
    return None if micros is None else to_moment(micros)


def _to_micros(moment: datetime | None) -> Micros | None:
    return None if moment is None else to_micros(moment)
