"""No password, token, key or private half of one stands in a log line, an error, a repr or the database."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
import structlog
from baloot.api.core.v1 import access_pb2
from baloot.api.identity.v1 import identity_pb2 as pb
from baloot.core.access import Caller, Role
from baloot.core.errors import Refusal
from baloot.identity.signing import opened
from baloot.kit import logs
from baloot.kit.database import open_engine

from tests.identity.served import Served, caller_of, fresh_id

PASSWORD = "correct horse battery staple"


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """All that is logged, down to what helps to debug."""
    before, handlers, level = structlog.get_config(), logging.root.handlers, logging.root.level
    out = io.StringIO()
    logs.configure("debug", out=out)
    logging.root.setLevel(logging.DEBUG)
    yield out
    structlog.configure(**before)
    logging.root.handlers = handlers
    logging.root.setLevel(level)


@dataclass
class Story:
    """What was done with a service, all that must stay secret in it, and what it refused."""

    secrets: list[str]
    refusals: list[Refusal]


async def refused(served: Served, method: str, request: Any, by: Caller | None = None) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        await served.ask(method, request, by=by)
    return refusal.value


@pytest.fixture
async def story(logged: io.StringIO, served: Served) -> Story:
    made = await served.sign_up("Noura", PASSWORD)
    first, by = made.tokens.refresh_token, caller_of(made.account, Role.ADMIN)
    second = await served.refresh(first)
    wanted = pb.CreateApiKeyRequest(
        request_id=fresh_id(), label="bot", roles=[access_pb2.ROLE_BOT], scopes=["play"]
    )
    key = (await served.ask("CreateApiKey", wanted, by=by)).api_key
    token = (await served.ask("ExchangeApiKey", pb.ExchangeApiKeyRequest(api_key=key))).access_token
    wrong = PASSWORD + "!"
    refusals = [
        await refused(served, "SignIn", pb.SignInRequest(name="Noura", password=wrong)),
        await refused(served, "SignIn", pb.SignInRequest(name="Noura", password=PASSWORD * 9)),
        await refused(
            served, "SignUp", pb.SignUpRequest(name="noura", password=PASSWORD, request_id=fresh_id())
        ),
        await refused(served, "RefreshTokens", pb.RefreshTokensRequest(refresh_token=first, request_id="x")),
        await refused(
            served, "RefreshTokens", pb.RefreshTokensRequest(refresh_token=first, request_id=fresh_id())
        ),
        await refused(served, "ExchangeApiKey", pb.ExchangeApiKeyRequest(api_key=key + "x")),
        await refused(served, "RevokeApiKey", pb.RevokeApiKeyRequest(key_id=key), by),
    ]
    return Story(
        [PASSWORD, first, second.refresh_token, second.access_token, token, key, key.split("_", 2)[2]],
        refusals,
    )


async def test_nothing_secret_is_logged(
    story: Story, logged: io.StringIO, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(PASSWORD)

    monkeypatch.setattr(served.identity.accounts, "sign_in", broken)
    refusal = await refused(served, "SignIn", pb.SignInRequest(name="Noura", password=PASSWORD))
    text = logged.getvalue()
    assert refusal.metadata["error_id"] in text
    assert "IdentityService/RefreshTokens" in text
    assert [secret for secret in story.secrets if secret in text] == []


async def test_nothing_secret_is_in_an_error(story: Story) -> None:
    told = [f"{r.message} {r.field} {r.metadata}" for r in story.refusals]
    assert [secret for secret in story.secrets for text in told if secret in text] == []


async def test_nothing_secret_is_in_the_database(story: Story, served: Served, migrated_url: str) -> None:
    keys = await served.identity.store.signing_keys()
    private = opened(keys[0], served.identity.signer._keyring)
    assert private is not None
    dump = await _dump(migrated_url)
    assert b"Noura" in dump
    assert b"$argon2id$" in dump
    assert [secret for secret in story.secrets if secret.encode() in dump] == []
    assert private.private_bytes_raw() not in dump


async def test_nothing_secret_is_in_a_repr(served: Served) -> None:
    account, tokens = await served.identity.accounts.sign_up("Salem", PASSWORD, uuid4())
    keyring = served.identity.signer._keyring
    token = keyring.read_token(tokens.refresh)
    text = repr((account, tokens, tokens.access, keyring, token))
    assert "██" in text
    assert account.password_hash not in text
    assert tokens.refresh not in text
    assert tokens.access.token not in text


async def _dump(url: str) -> bytes:
    """All that the tables of identity hold."""
    engine = open_engine(url, "test", size=1)
    found: list[bytes] = []
    async with engine.connect() as connection:
        for name in ("account", "family", "api_key", "signing_key"):
            rows = await connection.execute(sa.text(f"SELECT * FROM identity_{name}"))
            found += [v if isinstance(v, bytes) else str(v).encode() for row in rows for v in row]
    await engine.dispose()
    return b"\n".join(found)
