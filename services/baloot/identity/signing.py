"""Access tokens: JWTs signed by Ed25519, and the public keys by which others verify them."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import jwt
from baloot.core.access import Role
from baloot.identity.keyring import Keyring
from baloot.identity.records import SECOND, Access, Account, ApiKey, Micros, SigningKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

ALGORITHM = "EdDSA"
MARGIN: Micros = 60 * SECOND
"""How much longer a key that was replaced is told than its last token lasts, for clocks that differ."""


@dataclass(frozen=True, slots=True)
class Issuer:
    """Who issues, for whom, and for how long an access token is good."""

    name: str = "baloot"
    audience: str = "baloot"
    lasts: Micros = 600 * SECOND


def new_key(keyring: Keyring, now: Micros) -> SigningKey:
    """A fresh signing key, sealed. Its name is its thumbprint (RFC 7638)."""
    private = Ed25519PrivateKey.generate()
    public = private.public_key().public_bytes_raw()
    kid = _thumbprint(public)
    return SigningKey(kid, public, keyring.seal(private.private_bytes_raw(), kid), now)


def opened(key: SigningKey, keyring: Keyring) -> Ed25519PrivateKey | None:
    """The private half; None when another installation's key sealed it."""
    private = keyring.unseal(key.sealed, key.kid)
    return None if private is None else Ed25519PrivateKey.from_private_bytes(private)


def account_token(
    issuer: Issuer, kid: str, private: Ed25519PrivateKey, account: Account, now: Micros
) -> Access:
    """An access token of somebody who signed in."""
    claims = _claims(issuer, account, account.roles, now, issuer.lasts)
    return Access(jwt.encode(claims, private, ALGORITHM, {"kid": kid}), issuer.lasts)


def key_token(
    issuer: Issuer, kid: str, private: Ed25519PrivateKey, account: Account, key: ApiKey, now: Micros
) -> Access:
    """An access token made from an API key, with the roles that its account may still give it."""
    lasts = issuer.lasts if key.expires_at is None else min(issuer.lasts, key.expires_at - now)
    claims = _claims(issuer, account, key.roles & account.may_give, now, lasts)
    claims |= {"scope": " ".join(sorted(key.scopes)), "key": key.key_id.hex}
    claims |= {"rate": key.rate} if key.rate else {}
    return Access(jwt.encode(claims, private, ALGORITHM, {"kid": kid}), lasts)


def key_set(keys: Iterable[SigningKey], issuer: Issuer, now: Micros) -> dict[str, Any]:
    """The public keys of all tokens that may still be good, as a JSON Web Key Set."""
    return {"keys": [_told(key) for key in keys if _is_needed(key, issuer, now)]}


def _is_needed(key: SigningKey, issuer: Issuer, now: Micros) -> bool:
    return key.replaced_at is None or now <= key.replaced_at + issuer.lasts + MARGIN


def _told(key: SigningKey) -> dict[str, str]:
    return {**_jwk(key.public), "kid": key.kid, "alg": ALGORITHM, "use": "sig"}


def _claims(
    issuer: Issuer, account: Account, roles: frozenset[Role], now: Micros, lasts: Micros
) -> dict[str, Any]:
    return {
        "iss": issuer.name,
        "aud": issuer.audience,
        "sub": str(account.account_id),
        "iat": now // SECOND,
        "exp": (now + lasts) // SECOND,
        "jti": secrets.token_hex(16),
        "roles": sorted(role.value for role in roles),
    }


def _jwk(public: bytes) -> dict[str, str]:
    return {"crv": "Ed25519", "kty": "OKP", "x": base64.urlsafe_b64encode(public).decode().rstrip("=")}


def _thumbprint(public: bytes) -> str:
    digest = hashlib.sha256(json.dumps(_jwk(public), separators=(",", ":")).encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
