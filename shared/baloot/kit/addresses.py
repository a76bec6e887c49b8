"""Addresses to listen on: `host:port`, `[v6]:port` or `unix:/path`, and errors of one line when it fails."""

from __future__ import annotations

import errno
import socket

import grpc

UNIX = "unix:"
_UNIX_PATH_BYTES = 107
_LOCAL = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}  # noqa: S104 - a name for it, nothing listens here


class CannotListen(OSError):
    """Nobody can listen on an address; the text is one line that says why."""

    def __init__(self, address: str, why: str) -> None:
        super().__init__(f"cannot listen on {address}: {why}")
        self.address = address


class AddressInUse(CannotListen):
    """Another server listens there."""

    def __init__(self, address: str) -> None:
        super().__init__(address, "another server is using it")


def bind(server: grpc.aio.Server, address: str) -> int:
    """Lets a server listen, and returns the port (0 for a unix socket). Raises CannotListen.

    It is tried with a plain socket first: gRPC only says that it failed, after some lines of its own.
    """
    require_free(address)
    port = _bind(server, address)
    return 0 if address.startswith(UNIX) else port


def require_free(address: str) -> None:
    """Raises CannotListen for an address that is none, or that somebody else listens at."""
    if address.startswith(UNIX):
        _try_unix(address)
        return
    host, port = split(address)
    if port:
        _try_tcp(address, host, port)


def reachable(address: str, port: int) -> str:
    """What a client on this machine connects to: the port in use, and loopback for a server on every interface."""
    if address.startswith(UNIX):
        return address
    host, _ = split(address)
    bracketed = f"[{host}]" if ":" in host else host
    return f"{_LOCAL.get(host, bracketed)}:{port}"


def split(address: str) -> tuple[str, int]:
    """Host and port; a v6 host without its brackets. Raises CannotListen when it is not `host:port`."""
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdecimal() and int(port) < 65536):
        raise CannotListen(address, "write host:port or unix:/path")
    return host.removeprefix("[").removesuffix("]"), int(port)


def _bind(server: grpc.aio.Server, address: str) -> int:
    try:
        return server.add_insecure_port(address)
    except RuntimeError:
        raise CannotListen(address, "gRPC refuses it") from None


def _try_tcp(address: str, host: str, port: int) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise CannotListen(address, error.strerror or "no such host") from None
    family, kind, protocol, _, place = found[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(place)
        except OSError as error:
            raise _refused(address, error) from None


def _try_unix(address: str) -> None:
    """A second server would take over the socket's file without a word, so somebody answering there is asked for."""
    path = address.removeprefix(UNIX)
    if len(path.encode()) > _UNIX_PATH_BYTES:
        raise CannotListen(address, f"the path is longer than {_UNIX_PATH_BYTES} bytes")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        if probe.connect_ex(path) == 0:
            raise AddressInUse(address)


def _refused(address: str, error: OSError) -> CannotListen:
    if error.errno == errno.EADDRINUSE:
        return AddressInUse(address)
    return CannotListen(address, (error.strerror or "it failed").lower())
