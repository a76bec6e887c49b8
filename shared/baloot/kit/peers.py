"""Where a call comes from: the address of whoever sends it, through the proxies that are trusted to tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote

import grpc

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Address = IPv4Address | IPv6Address

FORWARDED = "x-forwarded-for"
"""The metadata in which proxies tell for whom they call, each one at the end of what it was told."""
UNIX = "unix"
_NOWHERE = IPv4Address(0)
_PREFIX = 64


class Sender(NamedTuple):
    """Who sends a call: an address, None for a unix socket, and what it is counted as (see `sent_by`)."""

    address: Address | None
    key: str


def sent_by(address: Address | None) -> Sender:
    """A sender is counted as its v4 address, or its v6 network, since everybody has 2**64 addresses in one."""
    if isinstance(address, IPv6Address):
        return Sender(address, str(IPv6Address(int(address) >> _PREFIX << _PREFIX)))
    return Sender(address, UNIX if address is None else str(address))


@dataclass(frozen=True, slots=True)
class Places:
    """Networks, and whether unix sockets belong to them."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    unix: bool = False

    def __contains__(self, sender: Sender) -> bool:
        address = sender.address
        if address is None:
            return self.unix
        return bool(self.networks) and any(address in network for network in self.networks)

    def __bool__(self) -> bool:
        return self.unix or bool(self.networks)


def places(texts: Iterable[str]) -> Places:
    """Places from networks like `10.0.0.0/8`, addresses, and `unix`; `none` is nowhere. Raises ValueError."""
    named = {text for text in texts if text != "none"}
    return Places(tuple(ip_network(text) for text in sorted(named - {UNIX})), UNIX in named)


NONE = Places()
_HERE = ("127.0.0.0/8", "::1", UNIX)
_PRIVATE = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/10")
OWN = places((*_HERE, *_PRIVATE))
"""This machine and private networks, where one's own services are and nobody comes from outside."""


def sender_of(context: Context, trusted: Places) -> Sender:
    """Who sends a call: the peer, or the last one that a chain of trusted proxies names. The rest of it may be lies."""
    sender = _peer(context.peer())
    if not trusted or sender not in trusted:
        return sender
    for text in reversed(_forwarded(context)):
        named = _read(text.strip())
        if named is None:
            return sender
        sender = sent_by(named)
        if sender not in trusted:
            break
    return sender


@lru_cache(maxsize=4096)
def _peer(peer: str) -> Sender:
    """The sender in gRPC's text for a peer: `ipv4:1.2.3.4:5`, `ipv6:%5B::1%5D:5` or `unix:`.

    All that have an address of no such kind are one.
    """
    family, _, rest = peer.partition(":")
    return sent_by(None if family == UNIX else _read(unquote(rest)) or _NOWHERE)


def _forwarded(context: Context) -> Sequence[str]:
    told = [str(value) for key, value in context.invocation_metadata() or () if key == FORWARDED]
    return ",".join(told).split(",") if told else ()


def _read(text: str) -> Address | None:
    """An address, alone or with a port: `1.2.3.4`, `1.2.3.4:5`, `::1`, `[::1]:5`."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
