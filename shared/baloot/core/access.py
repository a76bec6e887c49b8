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
    """Who makes a call. `player_id` is the account of the access token; None for a guest, who came without one."""

    player_id: str | None
    roles: frozenset[Role]

    def is_any(self, *roles: Role) -> bool:
        """Whether the caller has one of the roles."""
        return not self.roles.isdisjoint(roles)


GUEST = Caller(None, frozenset({Role.ANYONE, Role.PLAYER, Role.SPECTATOR, Role.BOT}))
"""Whoever comes without an access token, where guests may play."""
