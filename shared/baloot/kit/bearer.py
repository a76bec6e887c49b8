"""The token that comes with a call."""

from __future__ import annotations

from typing import Any, TypeAlias

import grpc
from baloot.core.errors import Reason, Refusal

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

MAX_TOKEN = 200
_BEARER = "bearer "


def token_of(context: Context) -> str | None:
    """The seat token that came with a call, if any. Raises Refusal when there is something else in its place."""
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            text = value if isinstance(value, str) else ""
            if not text.lower().startswith(_BEARER) or not len(_BEARER) < len(text) <= MAX_TOKEN:
                raise Refusal(
                    Reason.TOKEN_INVALID, "the metadata `authorization` must be `Bearer` and a seat token"
                )
            return text[len(_BEARER) :].strip()
    return None


def require_token(context: Context) -> str:
    """The seat token that came with a call."""
    token = token_of(context)
    if token is None:
        raise Refusal(
            Reason.TOKEN_REQUIRED, "this needs a seat token: metadata `authorization: Bearer <token>`"
        )
    return token
