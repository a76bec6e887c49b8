"""Access tokens and the key set: what verifies them, while keys are rotated and processes differ."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import jwt
import pytest
from baloot.api.identity.v1 import identity_pb2 as pb
from baloot.app import api_keys as commands
from baloot.core.errors import Reason, Refusal
from baloot.identity.passwords import Passwords
from baloot.identity.records import SECOND
from baloot.identity.service import Identity
from baloot.identity.signing import MARGIN, Issuer
from baloot.kit.keysets import KeySet

from tests.identity.served import KEY, Clock, Served


@pytest.fixture
async def second(migrated_url: str, clock: Clock, passwords: Passwords) -> AsyncIterator[Identity]:
    """Another process over the same database."""
    async with Identity(migrated_url, KEY, clock, passwords=passwords) as identity:
        yield identity


def kid(token: str) -> str:
    return str(jwt.get_unverified_header(token)["kid"])


async def told(identity: Identity) -> list[str]:
    return [key["kid"] for key in (await identity.key_set())["keys"]]


async def test_a_token_says_how_it_is_verified(served: Served) -> None:
    token = (await served.sign_up()).tokens.access_token
    header = jwt.get_unverified_header(token)
    assert header["alg"] == "EdDSA"
    (key,) = json.loads((await served.ask("GetKeySet", pb.GetKeySetRequest())).jwks)["keys"]
    assert key["kid"] == header["kid"]
    assert (key["kty"], key["crv"], key["alg"], key["use"]) == ("OKP", "Ed25519", "EdDSA", "sig")
    assert "d" not in key
    assert set(await served.claims(token)) == {"iss", "aud", "sub", "iat", "exp", "jti", "roles"}


async def test_after_a_rotation_both_keys_verify_until_the_last_token_has_expired(
    served: Served, clock: Clock
) -> None:
    old = await served.sign_up()
    await served.identity.signer.rotate()
    new = await served.refresh(old.tokens.refresh_token)
    assert kid(old.tokens.access_token) != kid(new.access_token)
    for token in (old.tokens.access_token, new.access_token):
        assert (await served.claims(token))["sub"] == old.account.account_id
    assert await told(served.identity) == [kid(new.access_token), kid(old.tokens.access_token)]
    clock.pass_seconds(600)
    assert len(await told(served.identity)) == 2
    clock.pass_seconds(MARGIN / SECOND + 1)
    assert await told(served.identity) == [kid(new.access_token)]


async def test_a_key_that_is_revoked_verifies_nothing_more(
    served: Served, second: Identity, migrated_url: str, tmp_path: Path
) -> None:
    """Whoever verifies finds out as soon as it reads the keys again; refresh tokens stay good."""
    first = await served.sign_up()
    await served.identity.signer.rotate()
    before = await served.refresh(first.tokens.refresh_token)
    clock = [0.0]
    keys = KeySet(served.identity.key_set, lambda: clock[0], gap=0)
    for token in (first.tokens.access_token, before.access_token):
        assert await keys.key(kid(token)) is not None
    file = tmp_path / "identity.key"
    file.write_bytes(KEY)
    await commands.rotate(migrated_url, commands.known_key(file), revoke=True)
    after = await served.refresh(before.refresh_token)
    assert await told(second) == [kid(after.access_token)]
    assert await keys.key(kid(after.access_token)) is not None
    for token in (first.tokens.access_token, before.access_token):
        assert await keys.key(kid(token)) is None


async def test_all_processes_agree_on_the_key(served: Served, second: Identity) -> None:
    sets = await asyncio.gather(
        *(identity.key_set() for identity in (served.identity, second) for _ in range(3))
    )
    assert all(known == sets[0] for known in sets)
    assert len(sets[0]["keys"]) == 1
    names = await asyncio.gather(*(identity.signer.rotate() for identity in (served.identity, second)))
    token = (await served.sign_up()).tokens.access_token
    assert kid(token) in names
    assert await told(second) == await told(served.identity)
    assert len(await told(second)) == 3
    assert (await second.store.signing_keys())[0].kid == kid(token)


async def test_the_command_rotates_for_a_running_service(
    served: Served, migrated_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "identity.key"
    file.write_bytes(KEY)
    before = (await served.sign_up()).tokens
    await commands.rotate(migrated_url, commands.known_key(file))
    after = await served.refresh(before.refresh_token)
    assert kid(after.access_token) in capsys.readouterr().out.splitlines()
    assert await served.claims(before.access_token)


async def test_another_installations_key_opens_nothing(
    served: Served, migrated_url: str, passwords: Passwords
) -> None:
    tokens = (await served.sign_up()).tokens
    async with Identity(migrated_url, bytes(32), Clock(), passwords=passwords) as other:
        with pytest.raises(Refusal) as refusal:
            await other.accounts.sign_in("Noura", "correct horse")
        assert refusal.value.reason is Reason.UNAVAILABLE
        assert "baloot keys rotate" in refusal.value.message
        with pytest.raises(Refusal) as refusal:
            await other.accounts.sign_out(tokens.refresh_token)
        assert refusal.value.reason is Reason.REFRESH_INVALID


async def test_the_issuer_says_its_name_its_audience_and_its_time(
    migrated_url: str, clock: Clock, passwords: Passwords
) -> None:
    issuer = Issuer("majlis", "tables", 60 * SECOND)
    async with Identity(migrated_url, KEY, clock, issuer=issuer, passwords=passwords) as identity:
        _, tokens = await identity.accounts.sign_up("Noura", "correct horse", uuid4())
        key = jwt.PyJWKSet.from_dict(await identity.key_set()).keys[0]
        claims = jwt.decode(
            tokens.access.token, key, algorithms=["EdDSA"], issuer="majlis", audience="tables"
        )
        assert claims["exp"] - claims["iat"] == 60
        with pytest.raises(jwt.InvalidAudienceError):
            jwt.decode(tokens.access.token, key, algorithms=["EdDSA"], audience="baloot")
