"""The token that comes with a call: a seat token, which a guest got with a seat, or an access token of an account."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

import grpc
from baloot.core.errors import Reason, Refusal

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

MAX_TOKEN = 200
MAX_ACCESS_TOKEN = 4096
_BEARER = "bearer "
_SHAPE = re.compile(r"[A-Za-z0-9_.~+/=-]+")
"""What tokens are made of (RFC 6750). Nothing else may come near the hashes of seats."""


def token_of(context: Context) -> str | None:
    """The token that came with a call, if any. Raises Refusal when there is something else in its place."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            text = value if isinstance(value, str) else ""
            token = text[len(_BEARER) :].strip()
            most = MAX_ACCESS_TOKEN if is_access(token) else MAX_TOKEN
            if text[: len(_BEARER)].lower() != _BEARER or not _SHAPE.fullmatch(token) or len(text) > most:
                raise Refusal(
                    Reason.TOKEN_INVALID,
                    "the metadata `authorization` must be `Bearer` and a seat token or an access token",
                )
            return token
    return None


def is_access(token: str) -> bool:
    """Whether a token is an access token, if it is any: those have dots, and seat tokens never do."""
    return "." in token
