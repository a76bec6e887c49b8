"""The public keys of an issuer of access tokens: read from where it publishes them, and read again when they change."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import jwt
import structlog

Source = Callable[[], Awaitable[Mapping[str, Any]]]
"""Gives a JWKS as it is now. It may raise anything when there is none."""

ALGORITHMS = ("EdDSA", "ES256")
"""How access tokens may be signed: nothing else is looked at."""
MAX_BYTES = 65_536
MAX_KEYS = 64
TIMEOUT = 5.0
"""Seconds that reading a JWKS over HTTP may take."""
COOLDOWN = 10.0
"""Seconds in which a key that the issuer did not have is not looked for again."""
MISSING = 1024
"""Keys that the issuer did not have that are remembered."""
GAP = 1.0
"""Seconds between two readings: made-up keys must not make us ask all the time."""
MAX_AGE = 300.0
"""Seconds after which the keys are read again in any case, so that one that was withdrawn goes."""

log = structlog.get_logger()


class KeysUnavailable(Exception):
    """The keys cannot be read now, so nobody can say whether a token is good."""


class KeySet:
    """The keys of one issuer by their ids. The clock gives seconds and never goes back.

    A key that is not known is looked for at once, whenever the issuer may have made it, and a made-up one not again for
    COOLDOWN seconds. Between two readings lie at least `gap` seconds: whoever needs one earlier waits, with all others.
    """

    def __init__(
        self, source: Source, clock: Callable[[], float] = time.monotonic, *, gap: float = GAP
    ) -> None:
        self._source = source
        self._clock = clock
        self._gap = gap
        self._keys: Mapping[str, jwt.PyJWK] = {}
        self._missing: OrderedDict[str, float] = OrderedDict()
        self._read_at = float("-inf")
        self._readings = 0
        self._failed = False
        self._reading = asyncio.Lock()

    async def key(self, kid: str) -> jwt.PyJWK | None:
        """The key with this id; None when the issuer has none. Raises KeysUnavailable."""
        key = self._keys.get(kid)
        if key is not None and self._clock() - self._read_at < MAX_AGE:
            return key
        if key is None and self._clock() < self._missing.get(kid, 0):
            return None
        await self._read(self._readings)
        key = self._keys.get(kid)
        if key is None:
            if self._failed:
                raise KeysUnavailable
            self._miss(kid)
        return key

    def fresh_for(self) -> float:
        """The seconds until the keys are due to be read again."""
        return max(0.0, self._read_at + MAX_AGE - self._clock())

    async def _read(self, before: int) -> None:
        """Reads the keys, unless another one has begun that since there were `before` readings. Those that are known stay when it fails."""
        async with self._reading:
            rest = self._read_at + self._gap - self._clock()
            if self._readings > before or (self._failed and rest > 0):
                return
            await asyncio.sleep(max(0, rest))
            self._readings += 1
            try:
                self._keys, self._failed = usable(await self._source()), False
            except Exception as error:  # noqa: BLE001 - whatever it is, the next reading may do better
                self._failed = True
                log.warning("the keys of an issuer cannot be read", why=f"{type(error).__name__}: {error}")
            finally:
                self._read_at = self._clock()

    def _miss(self, kid: str) -> None:
        self._missing[kid] = self._clock() + COOLDOWN
        if len(self._missing) > MISSING:
            self._missing.popitem(last=False)


def usable(jwks: Mapping[str, Any]) -> dict[str, jwt.PyJWK]:
    """The keys of a JWKS that access tokens may be signed with, by their ids. Raises ValueError when it is none."""
    listed = jwks.get("keys")
    if not isinstance(listed, list):
        raise ValueError("a JWKS is an object with a list of keys")  # noqa: TRY004 - a file's, not an argument's
    keys: dict[str, jwt.PyJWK] = {}
    for each in listed[:MAX_KEYS]:
        key = _key(each)
        if key is not None:
            keys.setdefault(each["kid"], key)
    return keys


def _key(given: Any) -> jwt.PyJWK | None:
    """A public key for signatures; None for whatever else a JWKS may hold."""
    if not isinstance(given, dict) or not isinstance(given.get("kid"), str):
        return None
    if given.get("kty") not in ("EC", "OKP") or given.get("use", "sig") != "sig":
        return None
    public = {name: value for name, value in given.items() if name != "d"}
    try:
        key = jwt.PyJWK.from_dict(public)
    except (jwt.PyJWTError, ValueError, TypeError):
        return None
    return key if key.algorithm_name in ALGORITHMS else None


def source(place: str) -> Source:
    """The JWKS at a URL or in a file. Raises ValueError for a URL that is neither http nor https."""
    if "://" not in place:
        return from_file(Path(place))
    if urlsplit(place).scheme not in ("http", "https"):
        raise ValueError(f"{place}: a JWKS is a file, or at an http or https URL")
    return from_url(place)


def from_file(path: Path) -> Source:
    """The JWKS in a file, read anew each time."""

    async def read() -> Mapping[str, Any]:
        return parsed(await asyncio.to_thread(_beginning, path))

    return read


def from_url(url: str) -> Source:
    """The JWKS at an http or https URL, asked for in a thread of its own."""

    async def read() -> Mapping[str, Any]:
        return parsed(await asyncio.to_thread(_fetched, url))

    return read


def parsed(raw: bytes) -> Mapping[str, Any]:
    """The JSON object in these bytes. Raises ValueError."""
    if len(raw) > MAX_BYTES:
        raise ValueError(f"a JWKS has at most {MAX_BYTES} bytes")
    found = json.loads(raw)
    if not isinstance(found, dict):
        raise ValueError("a JWKS is an object")  # noqa: TRY004 - as above
    return found


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Follows nothing: the keys are where the operator said, and nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


_OPENER = urllib.request.build_opener(_Stay)


def _fetched(url: str) -> bytes:
    """What is at a URL, up to one byte more than may be. The whole of it takes no longer than TIMEOUT and one read."""
    give_up_at, raw = time.monotonic() + TIMEOUT, bytearray()
    with _OPENER.open(url, timeout=TIMEOUT) as answer:
        while len(raw) <= MAX_BYTES and (part := answer.read1(MAX_BYTES)):
            raw += part
            if time.monotonic() > give_up_at:
                raise TimeoutError(f"{url} is too slow")
    return bytes(raw)
