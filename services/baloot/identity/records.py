"""What identity knows: accounts, sign-ins, API keys, and the tokens that it gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from baloot.core.access import Role

Micros = int
"""Microseconds: a length of time, or a moment since 1970."""
SECOND: Micros = 1_000_000
DAY: Micros = 86_400 * SECOND

NEW_ACCOUNT = frozenset({Role.PLAYER, Role.SPECTATOR})
"""The roles of whoever signs up."""
COMMON = frozenset({Role.PLAYER, Role.SPECTATOR, Role.BOT})
"""The roles that whoever may make API keys gives to them, without having them."""
GRANTED = frozenset(Role) - {Role.ANYONE}
"""The roles that an account or a key can have."""
SCOPES = frozenset({"play", "watch", "history", "judge"})
"""What an API key may be used for. None of them manages accounts or keys."""


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who signs in. `folded` is what his name is compared by; `password_hash` has its own salt in it."""

    account_id: UUID
    name: str
    folded: str
    password_hash: str
    roles: frozenset[Role]
    created_at: Micros
    disabled: bool = False

    def __repr__(self) -> str:
        return f"Account({self.account_id})"

    @property
    def may_give(self) -> frozenset[Role]:
        """The roles that an API key of this account can have now."""
        if self.disabled:
            return frozenset()
        return GRANTED if Role.ADMIN in self.roles else COMMON | self.roles


class Ended(Enum):
    """Why a sign-in is over before its time."""

    SIGNED_OUT = 1
    REUSED = 2


@dataclass(frozen=True, slots=True)
class Family:
    """The refresh tokens that come of one sign-in, each from the one before. Only the last one is good.

    `current` is its hash, `previous` that of the one before, and `used_at` when one gave the other.
    """

    family_id: UUID
    account_id: UUID
    current: bytes
    used_at: Micros
    previous: bytes | None = None
    ended: Ended | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants an API key to be. `lasts` is for how long; None for ever."""

    label: str
    roles: frozenset[Role]
    scopes: frozenset[str]
    rate: str = ""
    lasts: Micros | None = None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key without its secret, of which there is only a hash. `request_digest` tells requests with one id apart."""

    key_id: UUID
    account_id: UUID
    label: str
    roles: frozenset[Role]
    scopes: frozenset[str]
    rate: str
    secret_hash: bytes
    request_digest: bytes
    created_at: Micros
    expires_at: Micros | None = None
    revoked_at: Micros | None = None

    def is_good(self, now: Micros) -> bool:
        """Whether it may be used."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key that signs access tokens, and `sealed` its private half. `replaced_at` is when another took its place."""

    kid: str
    public: bytes
    sealed: bytes
    created_at: Micros
    replaced_at: Micros | None = None


class Access(NamedTuple):
    """An access token, and for how long it is good."""

    token: str
    lasts: Micros

    def __repr__(self) -> str:
        return "Access(██)"


class Tokens(NamedTuple):
    """What a sign-in gives."""

    access: Access
    refresh: str

    def __repr__(self) -> str:
        return "Tokens(██)"
