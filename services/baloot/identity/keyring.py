"""What comes out of the installation's key: sealed signing keys, and secrets that a repeated request derives again.

A refresh token is `br_` and the base64 of its sign-in (16 bytes), a nonce (16) and the HMAC of both (32). The nonce
follows from the token before and the request id. So whether this service gave a token is known without a list, the same
request gets the same token, and none can be made from what the database holds.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
_NONCE_BYTES = 12
_REFRESH = "br_"
_API_KEY = "bk_"
MAX_SECRET = 200
"""The longest text that is looked at as a token or a key."""


class RefreshToken(NamedTuple):
    """A refresh token that this service gave: its text, its sign-in and what is kept of it."""

    text: str
    family_id: UUID
    hash: bytes

    def __repr__(self) -> str:
        return f"RefreshToken({self.family_id})"


class Keyring:
    """The keys that are derived from the installation's, one for each purpose. Raises ValueError for another length."""

    def __init__(self, installation_key: bytes) -> None:
        if len(installation_key) != KEY_BYTES:
            raise ValueError(f"an installation's key has {KEY_BYTES} bytes")
        self._seal = AESGCM(_mac(installation_key, b"seal"))
        self._ids = _mac(installation_key, b"ids")
        self._refresh = _mac(installation_key, b"refresh")
        self._api = _mac(installation_key, b"api")

    def __repr__(self) -> str:
        return "Keyring(██)"

    # Signing keys.

    def seal(self, private: bytes, kid: str) -> bytes:
        """A private key as it is stored, bound to its name."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._seal.encrypt(nonce, private, kid.encode())

    def unseal(self, sealed: bytes, kid: str) -> bytes | None:
        """The private key; None when it was sealed by another installation's key."""
        try:
            return self._seal.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], kid.encode())
        except (InvalidTag, ValueError):
            return None

    # Ids.

    def derived_id(self, kind: str, *parts: bytes) -> UUID:
        """The id of what a request makes: the same for the same request."""
        return UUID(bytes=_mac(self._ids, kind.encode(), *parts)[:16], version=4)

    # Refresh tokens.

    def first_token(self, family_id: UUID, request_id: UUID) -> RefreshToken:
        """The first one of a sign-in."""
        return self._minted(family_id, _nonce(b"first", request_id))

    def next_token(self, token: RefreshToken, request_id: UUID) -> RefreshToken:
        """The one that a request gets for a token."""
        return self._minted(token.family_id, _nonce(token.hash, request_id))

    def read_token(self, text: str) -> RefreshToken | None:
        """A token that this service gave; None for any other text."""
        raw = _decoded(text, _REFRESH)
        if raw is None or len(raw) != 64:
            return None
        known = self._minted(UUID(bytes=raw[:16]), raw[16:32])
        return known if hmac.compare_digest(known.text.encode(), text.encode()) else None

    def _minted(self, family_id: UUID, nonce: bytes) -> RefreshToken:
        body = family_id.bytes + nonce
        text = _REFRESH + _encoded(body + _mac(self._refresh, body))
        return RefreshToken(text, family_id, hashed(text))

    # API keys.

    def api_secret(self, key_id: UUID, account_id: UUID, request_id: UUID) -> str:
        """The secret of the key that a request makes."""
        return _encoded(_mac(self._api, key_id.bytes, account_id.bytes, request_id.bytes))


def written_key(key_id: UUID, secret: str) -> str:
    """An API key as its holder has it."""
    return f"{_API_KEY}{key_id.hex}_{secret}"


def read_key(text: str) -> tuple[UUID, str] | None:
    """The id and the secret of an API key; None for any other text."""
    start, _, rest = text.partition("_")
    name, _, secret = rest.partition("_")
    if f"{start}_" != _API_KEY or len(text) > MAX_SECRET or len(name) != 32 or not secret:
        return None
    try:
        return UUID(hex=name), secret
    except ValueError:
        return None


def hashed(secret: str) -> bytes:
    """What is kept of a token or key. They are random, so a plain hash is as good as a slow one."""
    return hashlib.sha256(secret.encode()).digest()


def _nonce(before: bytes, request_id: UUID) -> bytes:
    return hashlib.sha256(before + request_id.bytes).digest()[:16]


def _mac(key: bytes, *parts: bytes) -> bytes:
    return hmac.digest(key, b"\0".join((b"baloot/identity/v1", *parts)), "sha256")


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def _decoded(text: str, start: str) -> bytes | None:
    if not text.startswith(start) or len(text) > MAX_SECRET:
        return None
    body = text.removeprefix(start)
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4), b"-_", validate=True)
    except (binascii.Error, ValueError):
        return None
