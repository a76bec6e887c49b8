"""Who may call an rpc, as the option `baloot.api.core.v1.access` of its proto says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from baloot.api.core.v1 import access_pb2
from baloot.core.access import Role
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor


class Permit(NamedTuple):
    """The roles that may call an rpc, each alone, and the scope that an API key's token must have besides."""

    roles: frozenset[Role]
    scope: str = ""

    @property
    def open(self) -> bool:
        """Whether no access token is asked for."""
        return Role.ANYONE in self.roles


NOBODY = Permit(frozenset())
ANYBODY = Permit(frozenset({Role.ANYONE}))


class NoPermit(Exception):
    """An rpc would be served that does not say who may call it."""


def permits_of(service: str) -> dict[str, Permit]:
    """Who may call each method of the service with this full name. Raises NoPermit, which names the method."""
    try:
        methods = descriptor_pool.Default().FindServiceByName(service).methods
    except KeyError:
        raise NoPermit(f"{service} has no proto that says who may call it") from None
    return {method.name: _permit(service, method) for method in methods}


def _permit(service: str, method: MethodDescriptor) -> Permit:
    options = method.GetOptions()
    if not options.HasExtension(access_pb2.access):
        raise NoPermit(
            f"{service}/{method.name} has no option (baloot.api.core.v1.access): say who may call it"
        )
    access = options.Extensions[access_pb2.access]
    roles = frozenset(_ROLES[number] for number in access.roles)
    if not roles:
        raise NoPermit(f"{service}/{method.name} names no role in its option (baloot.api.core.v1.access)")
    return Permit(roles, access.scope)


_ROLES: Mapping[int, Role] = {access_pb2.Role.Value(f"ROLE_{role.name}"): role for role in Role}
