"""An issuer of access tokens, for tests: its keys, their rotation, and tokens with whatever claims."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import jwt
from baloot.core.access import Role
from baloot.kit.access import AccessSettings
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1
from cryptography.hazmat.primitives.asymmetric.ec import generate_private_key as generate_ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt.algorithms import ECAlgorithm, OKPAlgorithm

ISSUER = "https://accounts.example"
GONE = object()
"""In place of a claim: leaves it out."""


class Issuing:
    """Signs tokens with the newest of its keys, and publishes all of them."""

    def __init__(self, issuer: str = ISSUER, algorithm: str = "EdDSA") -> None:
        self.issuer = issuer
        self.keys: dict[str, tuple[Any, str]] = {}
        self.read = 0
        """How often its keys were read."""
        self.away = False
        self.rotate(algorithm)

    def rotate(self, algorithm: str = "EdDSA") -> str:
        """A new key, used from now on; those before stay published."""
        kid = f"key-{len(self.keys) + 1}"
        key: Any = Ed25519PrivateKey.generate() if algorithm == "EdDSA" else generate_ec(SECP256R1())
        self.keys[kid] = key, algorithm
        return kid

    async def source(self) -> Mapping[str, Any]:
        self.read += 1
        if self.away:
            raise ConnectionError("the issuer is away")
        return self.jwks()

    def jwks(self) -> Mapping[str, Any]:
        return {"keys": [{**public(key), "kid": kid, "use": "sig"} for kid, (key, _) in self.keys.items()]}

    def token(
        self,
        sub: str = "account-1",
        roles: Sequence[str] = ("player",),
        *,
        kid: str | None = None,
        headers: Mapping[str, Any] | None = None,
        **claims: Any,
    ) -> str:
        """A token that is good for a minute, with other claims where they are given."""
        kid = kid or next(reversed(self.keys))
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": "baloot", "sub": sub, "iat": now, "exp": now + 60}
        told = {**usual, "roles": list(roles), **claims}
        key, algorithm = self.keys[kid]
        told = {name: value for name, value in told.items() if value is not GONE}
        return jwt.encode(told, key, algorithm, headers={"kid": kid, **(headers or {})})

    def settings(self, **others: Any) -> AccessSettings:
        """The settings of a server that takes its tokens."""
        return AccessSettings(**{"issuers": {self.issuer: self.source}, **others})


def public(key: Any) -> dict[str, Any]:
    kind: Any = OKPAlgorithm if isinstance(key, Ed25519PrivateKey) else ECAlgorithm
    found: dict[str, Any] = json.loads(kind.to_jwk(key.public_key()))
    return found


def bearer(token: str | None) -> Sequence[tuple[str, str]]:
    return () if token is None else (("authorization", f"Bearer {token}"),)


EVERYBODY = tuple(role for role in Role if role is not Role.ANYONE)
"""The roles that a token can give."""
