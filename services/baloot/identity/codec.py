"""The identity service's requests and answers on the wire."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from baloot.api.core.v1 import access_pb2
from baloot.api.identity.v1 import identity_pb2 as pb
from baloot.codec.enums import EnumCodec
from baloot.codec.fields import decode_each, invalid, missing
from baloot.core.access import Role
from baloot.identity.records import (
    DAY,
    GRANTED,
    SCOPES,
    SECOND,
    Access,
    Account,
    ApiKey,
    Micros,
    Tokens,
    Wish,
)
from baloot.kit import checks, quotas
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

ROLE = EnumCodec(Role, access_pb2.Role)

MAX_LABEL = 60
_KEY_ID = re.compile(r"[0-9a-f]{32}")
_MAX_ROLES = 16
_LONGEST: Micros = 3660 * DAY

# Requests.


def decode_wish(request: pb.CreateApiKeyRequest) -> Wish:
    """Raises Refusal with the path of the field that cannot be read."""
    return Wish(
        label=checked_label(request.label),
        roles=decode_roles(request.roles, least=1),
        scopes=checked_scopes(request.scopes),
        rate=checked_rate(request.rate),
        lasts=_decode_lasts(request),
    )


def decode_roles(numbers: Sequence[int], *, least: int = 0) -> frozenset[Role]:
    """Roles that somebody can have. Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
    checks.entries(numbers, "roles", least=least, most=_MAX_ROLES)
    roles = decode_each(ROLE.decode, numbers, "roles", most=_MAX_ROLES)
    for place, role in enumerate(roles):
        if role not in GRANTED:
            raise invalid(f"roles[{place}]", f"is {role}, which is no role of an account")
    return frozenset(roles)


def checked_label(label: str) -> str:
    """Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
    return checks.text(label, "label", most=MAX_LABEL)


def checked_scopes(scopes: Sequence[str]) -> frozenset[str]:
    """Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
    checks.entries(scopes, "scopes", least=1, most=len(SCOPES))
    for place, scope in enumerate(scopes):
        if scope not in SCOPES:
            raise invalid(f"scopes[{place}]", f"is none of {', '.join(sorted(SCOPES))}")
    return frozenset(scopes)


def checked_rate(rate: str) -> str:
    """A rate as an operator writes one, or none. Raises Refusal FIELD_INVALID."""
    if not rate:
        return ""
    try:
        known = quotas.told(quotas.Quotas(), [f"calls={rate}"]).calls
    except ValueError:
        known = None
    if known is None:
        raise invalid("rate", "must be CALLS/s+BURST, or /m, /h")
    return rate


def decode_account_id(text: str, own: UUID) -> UUID:
    """The account that is asked for: one's own where none is named."""
    return checks.uuid(text, "account_id") if text else own


def decode_key_id(text: str) -> UUID:
    """The id of a key, as it stands in the key itself. Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
    if not text:
        raise missing("key_id")
    if _KEY_ID.fullmatch(text) is None:
        raise invalid("key_id", "is not an id of 32 hexadecimal digits")
    return UUID(hex=text)


def _decode_lasts(request: pb.CreateApiKeyRequest) -> Micros | None:
    if not request.HasField("expires_in"):
        return None
    lasts = request.expires_in.seconds * SECOND + request.expires_in.nanos // 1000
    if not SECOND <= lasts <= _LONGEST:
        raise invalid("expires_in", "must be a second to 10 years")
    return lasts


# Answers.


def encode_account(account: Account) -> pb.Account:
    return pb.Account(
        account_id=str(account.account_id),
        name=account.name,
        roles=_encode_roles(account.roles),
        disabled=account.disabled,
        create_time=_encode_time(account.created_at),
    )


def encode_tokens(tokens: Tokens) -> pb.Tokens:
    return pb.Tokens(
        access_token=tokens.access.token,
        expires_in=_encode_length(tokens.access.lasts),
        refresh_token=tokens.refresh,
    )


def encode_access(access: Access) -> pb.ExchangeApiKeyResponse:
    return pb.ExchangeApiKeyResponse(access_token=access.token, expires_in=_encode_length(access.lasts))


def encode_key(key: ApiKey) -> pb.ApiKey:
    return pb.ApiKey(
        key_id=key.key_id.hex,
        account_id=str(key.account_id),
        label=key.label,
        roles=_encode_roles(key.roles),
        scopes=sorted(key.scopes),
        rate=key.rate,
        create_time=_encode_time(key.created_at),
        expire_time=None if key.expires_at is None else _encode_time(key.expires_at),
        revoke_time=None if key.revoked_at is None else _encode_time(key.revoked_at),
    )


def encode_keys(keys: Iterable[ApiKey]) -> pb.ListApiKeysResponse:
    return pb.ListApiKeysResponse(keys=map(encode_key, keys))


def encode_key_set(known: dict[str, Any]) -> pb.GetKeySetResponse:
    return pb.GetKeySetResponse(jwks=json.dumps(known, separators=(",", ":")))


def _encode_roles(roles: Iterable[Role]) -> list[access_pb2.Role.ValueType]:
    return sorted(map(ROLE.encode, roles))


def _encode_time(moment: Micros) -> Timestamp:
    return Timestamp(seconds=moment // SECOND, nanos=moment % SECOND * 1000)


def _encode_length(length: Micros) -> Duration:
    return Duration(seconds=length // SECOND, nanos=length % SECOND * 1000)
