"""API keys over gRPC and Postgres: what they may be, what they give, and whose business they are."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from baloot.api.core.v1 import access_pb2
from baloot.api.identity.v1 import identity_pb2 as pb
from baloot.core.access import Role
from baloot.core.errors import Reason, Refusal
from baloot.identity.api_keys import MOST
from baloot.identity.service import Identity
from baloot.kit.quotas import PUBLIC
from google.protobuf.duration_pb2 import Duration

from tests.identity.served import Clock, Served, caller_of, fresh_id

BOT, ADMIN, REFEREE = access_pb2.ROLE_BOT, access_pb2.ROLE_ADMIN, access_pb2.ROLE_REFEREE


def wish(**changes: Any) -> pb.CreateApiKeyRequest:
    usual: dict[str, Any] = {
        "request_id": fresh_id(),
        "label": "my bot",
        "roles": [BOT],
        "scopes": ["watch", "play"],
    }
    return pb.CreateApiKeyRequest(**(usual | changes))


async def organiser(served: Served, name: str = "Noura") -> pb.Account:
    account = (await served.sign_up(name)).account
    roles = frozenset({Role.ORGANISER, Role.PLAYER})
    await served.identity.accounts.set_roles(UUID(account.account_id), roles)
    return account


async def made(served: Served, account: pb.Account, **changes: Any) -> pb.CreateApiKeyResponse:
    by = caller_of(account, Role.ORGANISER)
    answer: pb.CreateApiKeyResponse = await served.ask("CreateApiKey", wish(**changes), by=by)
    return answer


async def exchanged(served: Served, key: str) -> dict[str, Any]:
    answer = await served.ask("ExchangeApiKey", pb.ExchangeApiKeyRequest(api_key=key))
    claims = await served.claims(answer.access_token)
    assert 0 <= claims["exp"] - claims["iat"] - answer.expires_in.seconds <= 1
    return claims


async def reason_of_exchange(served: Served, key: str) -> Reason:
    with pytest.raises(Refusal) as refusal:
        await served.ask("ExchangeApiKey", pb.ExchangeApiKeyRequest(api_key=key))
    return refusal.value.reason


async def test_a_key_gives_tokens_that_say_what_it_may(served: Served) -> None:
    account = await organiser(served)
    plain, limited = await made(served, account), await made(served, account, rate="50/s+100")
    claims = await exchanged(served, plain.api_key)
    assert claims["sub"] == account.account_id
    assert (claims["roles"], claims["scope"], claims["key"]) == (["bot"], "play watch", plain.key.key_id)
    assert "rate" not in claims
    assert (await exchanged(served, limited.api_key))["rate"] == "50/s+100"
    assert plain.api_key.startswith(f"bk_{plain.key.key_id}_")


async def test_the_same_request_makes_one_key(served: Served) -> None:
    account, request_id = await organiser(served), fresh_id()
    first, second = [await made(served, account, request_id=request_id) for _ in range(2)]
    assert first == second
    with pytest.raises(Refusal) as refusal:
        await made(served, account, request_id=request_id, label="another")
    assert refusal.value.reason is Reason.REQUEST_ID_REUSED
    other = await made(served, await organiser(served, "Fahad"), request_id=request_id)
    assert other.api_key != first.api_key


async def test_two_keys_are_good_at_once_until_one_is_revoked(served: Served, clock: Clock) -> None:
    account = await organiser(served)
    by = caller_of(account, Role.ORGANISER)
    old, new = await made(served, account), await made(served, account, expires_in=Duration(seconds=900))
    for _ in range(2):
        await served.ask("RevokeApiKey", pb.RevokeApiKeyRequest(key_id=old.key.key_id), by=by)
    assert await reason_of_exchange(served, old.api_key) is Reason.KEY_INVALID
    assert (await exchanged(served, new.api_key))["key"] == new.key.key_id
    listed = (await served.ask("ListApiKeys", pb.ListApiKeysRequest(), by=by)).keys
    assert [key.key_id for key in listed] == [new.key.key_id, old.key.key_id]
    assert [key.HasField("revoke_time") for key in listed] == [False, True]
    clock.pass_seconds(600)
    claims = await exchanged(served, new.api_key)
    assert 0 < claims["exp"] - claims["iat"] <= 300
    clock.pass_seconds(300)
    assert await reason_of_exchange(served, new.api_key) is Reason.KEY_INVALID


@pytest.mark.parametrize(
    "spoil",
    [
        lambda key: key[:-1],
        lambda key: key + "A",
        lambda key: "bk_" + "0" * 32 + key[35:],
        lambda key: key.replace("bk_", "br_"),
        lambda _: "bk_",
        lambda _: "",
        lambda _: "bk_" + "z" * 32 + "_secret",
    ],
)
async def test_what_is_no_key_is_refused(served: Served, spoil: Any) -> None:
    key = (await made(served, await organiser(served))).api_key
    assert await reason_of_exchange(served, spoil(key)) is Reason.KEY_INVALID


WRONG: dict[str, tuple[dict[str, Any], Reason, str]] = {
    "no label": ({"label": " "}, Reason.FIELD_REQUIRED, "label"),
    "no role": ({"roles": []}, Reason.FIELD_REQUIRED, "roles"),
    "anyone": ({"roles": [access_pb2.ROLE_ANYONE]}, Reason.FIELD_INVALID, "roles[0]"),
    "no scope": ({"scopes": []}, Reason.FIELD_REQUIRED, "scopes"),
    "a scope that is none": ({"scopes": ["play", "accounts"]}, Reason.FIELD_INVALID, "scopes[1]"),
    "a rate that is none": ({"rate": "fast"}, Reason.FIELD_INVALID, "rate"),
    "no rate at all": ({"rate": "0"}, Reason.FIELD_INVALID, "rate"),
    "no time": ({"expires_in": Duration()}, Reason.FIELD_INVALID, "expires_in"),
    "no request id": ({"request_id": ""}, Reason.FIELD_REQUIRED, "request_id"),
    "a role above one's own": ({"roles": [BOT, REFEREE]}, Reason.ROLE_REQUIRED, "roles"),
    "to be an admin": ({"roles": [ADMIN]}, Reason.ROLE_REQUIRED, "roles"),
}


@pytest.mark.parametrize("case", WRONG)
async def test_what_a_key_cannot_be(served: Served, case: str) -> None:
    changes, reason, field = WRONG[case]
    account = await organiser(served)
    with pytest.raises(Refusal) as refusal:
        await made(served, account, **changes)
    assert (refusal.value.reason, refusal.value.field) == (reason, field)


async def test_a_key_has_no_more_than_its_account(served: Served, identity: Identity) -> None:
    account = await organiser(served)
    account_id = UUID(account.account_id)
    await identity.accounts.set_roles(account_id, frozenset({Role.ADMIN}))
    key = (await made(served, account, roles=[REFEREE, BOT])).api_key
    only = (await made(served, account, roles=[REFEREE])).api_key
    assert (await exchanged(served, key))["roles"] == ["bot", "referee"]
    await identity.accounts.set_roles(account_id, frozenset({Role.PLAYER}))
    assert (await exchanged(served, key))["roles"] == ["bot"]
    assert await reason_of_exchange(served, only) is Reason.KEY_INVALID
    await identity.accounts.set_disabled(account_id, disabled=True)
    assert await reason_of_exchange(served, key) is Reason.KEY_INVALID


async def test_only_the_keys_of_an_admin_may_call_more_often_than_anybody(
    served: Served, identity: Identity
) -> None:
    account = await organiser(served)
    assert PUBLIC.calls == MOST
    for rate in ("50/s+200", "3000/m+200"):
        assert (await exchanged(served, (await made(served, account, rate=rate)).api_key))["rate"] == rate
    for rate in ("51/s+200", "3001/m+1", "50/s+201"):
        with pytest.raises(Refusal) as refusal:
            await made(served, account, rate=rate)
        assert (refusal.value.reason, refusal.value.field) == (Reason.ROLE_REQUIRED, "rate")
        assert refusal.value.metadata == {"roles": "admin"}
    await identity.accounts.set_roles(UUID(account.account_id), frozenset({Role.ADMIN}))
    assert (await made(served, account, rate="500/s+1000")).api_key


async def test_the_keys_of_others_are_nobodys_business(served: Served) -> None:
    mine, other = await organiser(served), await organiser(served, "Fahad")
    key = await made(served, mine)
    listing = pb.ListApiKeysRequest(account_id=mine.account_id)
    revoking = pb.RevokeApiKeyRequest(key_id=key.key.key_id)
    for method, request, reason in (
        ("ListApiKeys", listing, Reason.ROLE_REQUIRED),
        ("RevokeApiKey", revoking, Reason.KEY_UNKNOWN),
        ("RevokeApiKey", pb.RevokeApiKeyRequest(key_id="0" * 32), Reason.KEY_UNKNOWN),
        ("RevokeApiKey", pb.RevokeApiKeyRequest(key_id="0"), Reason.FIELD_INVALID),
        ("GetAccount", pb.GetAccountRequest(account_id=mine.account_id), Reason.ROLE_REQUIRED),
    ):
        with pytest.raises(Refusal) as refusal:
            await served.ask(method, request, by=caller_of(other, Role.ORGANISER))
        assert refusal.value.reason is reason
    assert await exchanged(served, key.api_key)
    admin = caller_of(other, Role.ADMIN)
    assert len((await served.ask("ListApiKeys", listing, by=admin)).keys) == 1
    assert (await served.ask("RevokeApiKey", revoking, by=admin)).key.HasField("revoke_time")


async def test_accounts_are_told_and_changed(served: Served) -> None:
    account = (await served.sign_up()).account
    own, admin = caller_of(account, Role.PLAYER), caller_of(account, Role.ADMIN)
    assert (await served.ask("GetAccount", pb.GetAccountRequest(), by=own)).account == account
    roles = pb.SetRolesRequest(account_id=account.account_id, roles=[REFEREE, access_pb2.ROLE_PLAYER])
    assert (await served.ask("SetRoles", roles, by=admin)).account.roles == [
        access_pb2.ROLE_PLAYER,
        REFEREE,
    ]
    shut = pb.SetDisabledRequest(account_id=account.account_id, disabled=True)
    assert (await served.ask("SetDisabled", shut, by=admin)).account.disabled
    for method, request in (
        ("SetRoles", pb.SetRolesRequest(account_id=fresh_id())),
        ("SetDisabled", pb.SetDisabledRequest(account_id=fresh_id())),
        ("GetAccount", pb.GetAccountRequest(account_id=fresh_id())),
    ):
        with pytest.raises(Refusal) as refusal:
            await served.ask(method, request, by=admin)
        assert (refusal.value.reason, refusal.value.field) == (Reason.ACCOUNT_UNKNOWN, "account_id")


@pytest.mark.parametrize(
    ("method", "request_"),
    [
        ("CreateApiKey", wish()),
        ("ListApiKeys", pb.ListApiKeysRequest()),
        ("GetAccount", pb.GetAccountRequest()),
    ],
)
async def test_a_guest_has_no_account(served: Served, method: str, request_: Any) -> None:
    with pytest.raises(Refusal) as refusal:
        await served.ask(method, request_)
    assert refusal.value.reason is Reason.TOKEN_REQUIRED
