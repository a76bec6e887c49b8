"""Who is taken for the sender of a call."""

from __future__ import annotations

from typing import Any

import pytest
from baloot.kit.peers import NONE, OWN, Places, places, sender_of

PROXY = places(["10.0.0.0/8", "2001:db8:1::/48"])


class Call:
    """All that is asked of a context."""

    def __init__(self, peer: str, *forwarded: str) -> None:
        self._peer = peer
        self._metadata = tuple(("x-forwarded-for", text) for text in forwarded)

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return self._metadata


def counted_as(trusted: Places, peer: str, *forwarded: str) -> str:
    call: Any = Call(peer, *forwarded)
    return sender_of(call, trusted).key


@pytest.mark.parametrize(
    ("peer", "key"),
    [
        ("ipv4:192.0.2.7:5000", "192.0.2.7"),
        ("ipv4:192.0.2.7:5001", "192.0.2.7"),
        ("ipv6:%5B2001:db8:5:6:1:2:3:4%5D:5000", "2001:db8:5:6::"),
        ("ipv6:[2001:db8:5:6::9]:5000", "2001:db8:5:6::"),
        ("ipv6:%5B2001:db8:5:7::9%5D:5000", "2001:db8:5:7::"),
        ("ipv6:%5B::ffff:192.0.2.7%5D:5000", "192.0.2.7"),
        ("ipv6:%5Bfe80::1%25eth0%5D:5000", "fe80::"),
        ("unix:", "unix"),
        ("unix:/tmp/socket", "unix"),
        ("vsock:3:5000", "0.0.0.0"),
        ("", "0.0.0.0"),
    ],
)
def test_a_peer_is_its_address_or_its_network(peer: str, key: str) -> None:
    assert counted_as(NONE, peer) == key


@pytest.mark.parametrize(
    ("peer", "forwarded", "key"),
    [
        ("ipv4:192.0.2.7:5000", ["198.51.100.1"], "192.0.2.7"),
        ("ipv4:10.0.0.1:5000", [], "10.0.0.1"),
        ("ipv4:10.0.0.1:5000", ["198.51.100.1"], "198.51.100.1"),
        ("ipv4:10.0.0.1:5000", ["203.0.113.1, 198.51.100.1"], "198.51.100.1"),
        ("ipv4:10.0.0.1:5000", ["203.0.113.1", "198.51.100.1"], "198.51.100.1"),
        ("ipv4:10.0.0.1:5000", ["203.0.113.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        ("ipv4:10.0.0.1:5000", ["10.0.0.3,10.0.0.2"], "10.0.0.3"),
        ("ipv4:10.0.0.1:5000", ["198.51.100.1:4711"], "198.51.100.1"),
        ("ipv4:10.0.0.1:5000", ["[2001:db8:5:6::9]:4711"], "2001:db8:5:6::"),
        ("ipv4:10.0.0.1:5000", ["2001:db8:5:6::9"], "2001:db8:5:6::"),
        ("ipv6:%5B2001:db8:1::1%5D:5000", ["198.51.100.1"], "198.51.100.1"),
        ("ipv4:10.0.0.1:5000", ["nonsense"], "10.0.0.1"),
        ("ipv4:10.0.0.1:5000", ["198.51.100.1, nonsense"], "10.0.0.1"),
        ("ipv4:10.0.0.1:5000", ["198.51.100.1, nonsense, 10.0.0.2"], "10.0.0.2"),
        ("ipv4:10.0.0.1:5000", [","], "10.0.0.1"),
        ("unix:", ["198.51.100.1"], "unix"),
    ],
)
def test_a_proxy_is_believed_where_it_is_trusted_and_its_callers_are_not(
    peer: str, forwarded: list[str], key: str
) -> None:
    assert counted_as(PROXY, peer, *forwarded) == key


def test_a_proxy_at_a_unix_socket_can_be_trusted() -> None:
    assert counted_as(places(["unix"]), "unix:", "198.51.100.1") == "198.51.100.1"


def test_places_are_read_as_they_are_written() -> None:
    assert places([]) == places(["none"]) == NONE
    assert not NONE
    assert places(["unix"])
    for wrong in ("everybody", "10.0.0.1/8", "10.0.0.0/40", ""):
        with pytest.raises(ValueError, match=r".+"):
            places([wrong])


@pytest.mark.parametrize(
    ("peer", "own"),
    [
        ("ipv4:127.0.0.1:1", True),
        ("ipv4:172.20.0.3:1", True),
        ("ipv4:172.32.0.3:1", False),
        ("ipv4:100.64.1.1:1", True),
        ("ipv6:%5B::1%5D:1", True),
        ("ipv6:%5B2001:db8::1%5D:1", False),
        ("unix:", True),
        ("vsock:3:1", False),
    ],
)
def test_own_services_are_on_this_machine_or_in_a_private_network(peer: str, own: bool) -> None:
    call: Any = Call(peer)
    assert (sender_of(call, NONE) in OWN) is own
