"""The token that comes with a call."""

from __future__ import annotations

from typing import Any

import pytest
from baloot.core.errors import Reason, Refusal
from baloot.kit import bearer


class Calling:
    def __init__(self, authorization: str | bytes) -> None:
        self._authorization = authorization

    def invocation_metadata(self) -> Any:
        return (("x", "y"), ("authorization", self._authorization))


def token_of(authorization: str | bytes) -> str | None:
    context: Any = Calling(authorization)
    return bearer.token_of(context)


@pytest.mark.parametrize("token", ["Zm9v_-", "a.b.c", "x" * 180])
def test_what_tokens_are_made_of_is_taken(token: str) -> None:
    assert token_of(f"Bearer {token}") == token
    assert token_of(f"bearer  {token} ") == token


@pytest.mark.parametrize(
    "authorization",
    [
        "",
        "Bearer",
        "Bearer ",
        "Basic eA",
        b"Bearer x",
        "Bearer x" * 40,
        "Bearer a b",
        "Bearer \u0646",
        "Bearer account\0me",
    ],
)
def test_nothing_else_comes_near_the_hashes_of_seats(authorization: str | bytes) -> None:
    """The hash of an account is made of a text with a NUL, which no token can hold."""
    with pytest.raises(Refusal) as refused:
        token_of(authorization)
    assert refused.value.reason is Reason.TOKEN_INVALID
