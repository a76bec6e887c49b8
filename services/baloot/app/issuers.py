"""Whose access tokens a server takes, and what guests may be, as an operator says it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from baloot.client.identity import key_set
from baloot.core.access import Role
from baloot.kit.access import AccessSettings
from baloot.kit.channels import open_channel
from baloot.kit.keysets import Source, parsed, source, usable

GRPC = "grpc://"
"""Before the address of an identity service, where a JWKS may be."""
NONE = "none"
GUESTS = (Role.PLAYER, Role.SPECTATOR, Role.BOT, Role.SERVICE)
"""What guests can be made: everything else needs an account."""


def told_access(issuers: Sequence[str], audience: str, guests: str) -> AccessSettings:
    """What `--issuer`, `--audience` and `--guests` come to. Raises ValueError, in words for the operator."""
    if not audience.strip():
        raise ValueError(
            "--audience is empty: name what access tokens for this server have in their claim aud"
        )
    return AccessSettings(dict(map(_issuer, issuers)), audience, _guests(guests))


def _issuer(argument: str) -> tuple[str, Source]:
    """An issuer and where its keys are. A file is read at once, so that a wrong one is not found out by players."""
    issuer, _, place = argument.partition("=")
    if not issuer or not place:
        raise ValueError(
            f"--issuer {argument}: write ISSUER=JWKS, with the JWKS a file, a URL, or grpc:// and the address of an identity service"
        )
    if place.startswith(GRPC):
        return issuer, _served(place.removeprefix(GRPC))
    keys = source(place)
    if "://" not in place:
        _require_keys(Path(place))
    return issuer, keys


def _served(address: str) -> Source:
    """The key set of an identity service at an address."""

    async def read() -> Mapping[str, Any]:
        async with open_channel(address) as channel:
            return await key_set(channel)

    return read


def _require_keys(path: Path) -> None:
    try:
        found = usable(parsed(path.read_bytes()))
    except OSError as error:
        raise ValueError(f"--issuer: the JWKS {path} cannot be read: {error.strerror}") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"--issuer: the JWKS {path} is not JSON") from error
    except ValueError as error:
        raise ValueError(f"--issuer: {path}: {error}") from error
    if not found:
        raise ValueError(f"--issuer: the JWKS {path} has no public key for EdDSA or ES256 with a kid")


def _guests(text: str) -> frozenset[Role]:
    if text == NONE:
        return frozenset()
    known = {role.value: role for role in GUESTS}
    names = [name.strip() for name in text.split(",")]
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"--guests {text}: {unknown[0]!r} is none of {', '.join(known)}; or write {NONE}")
    return frozenset(known[name] for name in names)
