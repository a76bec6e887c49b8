"""Who a caller is: a role for each thing that somebody may be, and the account behind an access token."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique


@unique
class Role(StrEnum):
    """What a caller is, as `baloot.api.core.v1.Role` says it. The values are those of the claim `roles`."""

    ANYONE = "anyone"
    PLAYER = "player"
    SPECTATOR = "spectator"
    ORGANISER = "organiser"
    REFEREE = "referee"
    ADMIN = "admin"
    BOT = "bot"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a call. `player_id` is the account of the access token; None for a guest, who came without one.

    `scopes` are what a token that was made from an API key may be used for; None where everything is open to it. `key`
    is the id of that API key, and `rate` the quota of its calls as `kit.quotas` writes rates; both empty without one.
    `expires` is when the token does, in seconds since 1970; None for a guest.
    """

    player_id: str | None
    roles: frozenset[Role]
    scopes: frozenset[str] | None = None
    key: str = ""
    rate: str = ""
    expires: float | None = None

    def is_any(self, *roles: Role) -> bool:
        """Whether the caller has one of the roles."""
        return not self.roles.isdisjoint(roles)


GUEST = Caller(None, frozenset({Role.ANYONE, Role.PLAYER, Role.SPECTATOR, Role.BOT}))
"""Whoever comes without an access token, where guests may play."""

INSIDE = GUEST.roles | {Role.SERVICE}
"""The roles of whoever comes without one to a rule service alone, which only the installation's own services reach."""
