"""The client of accounts: signed in for as long as it wants, one refresh at a time, and nothing lost by a break."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from baloot.api.identity.v1 import identity_pb2 as pb
from baloot.client.identity import IdentityClient, Kept
from baloot.client.retrying import Pace
from baloot.core.errors import Reason, Refusal

from tests.identity.served import Served

PACE = Pace(first=0.01, longest=0.05, give_up_after=5)


class Device:
    """What a device keeps, and its clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.kept: list[Kept | None] = []

    def token(self) -> str:
        """The refresh token that was kept last."""
        kept = self.kept[-1]
        assert kept is not None
        return kept.refresh_token


@pytest.fixture
def device() -> Device:
    return Device()


@pytest.fixture
async def client(served: Served, device: Device) -> IdentityClient:
    return started(served, device)


def started(served: Served, device: Device) -> IdentityClient:
    return IdentityClient(served.channel, pace=PACE, keep=device.kept.append, clock=lambda: device.now)


def refreshes(served: Served, monkeypatch: pytest.MonkeyPatch, *, lost: int = 0) -> list[str]:
    """The request ids of the refreshes that the service answers; so many of the first answers are lost."""
    seen: list[str] = []
    plain = served.identity.accounts.refresh

    async def noted(text: str, request_id: Any) -> Any:
        seen.append(str(request_id))
        answer = await plain(text, request_id)
        if len(seen) <= lost:
            raise Refusal(Reason.UNAVAILABLE, "lost")
        return answer

    monkeypatch.setattr(served.identity.accounts, "refresh", noted)
    return seen


async def test_a_token_is_renewed_before_it_expires_and_once_for_all_who_ask(
    served: Served, client: IdentityClient, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = await client.sign_up("Noura", "correct horse")
    seen = refreshes(served, monkeypatch)
    first = await client.access_token()
    device.now = 479
    assert await client.access_token() == first
    device.now = 481
    tokens = await asyncio.gather(*(client.access_token() for _ in range(10)))
    assert len(set(tokens)) == 1
    assert tokens[0] != first
    assert len(seen) == 1
    assert (await served.claims(tokens[0]))["sub"] == account.account_id


async def test_a_lost_answer_is_asked_for_again(
    served: Served, client: IdentityClient, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    await client.sign_up("Noura", "correct horse")
    seen = refreshes(served, monkeypatch, lost=2)
    for device.now in (500, 1000):
        assert await client.access_token()
    assert len(seen) == 4
    assert len(set(seen)) == 2


async def test_a_refresh_that_is_interrupted_is_repeated_and_not_made_anew(
    served: Served, client: IdentityClient, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the same client, and by one that starts from what the device kept."""
    await client.sign_up("Noura", "correct horse")
    plain = served.identity.accounts.refresh
    done = asyncio.Event()

    async def stuck(text: str, request_id: Any) -> Any:
        await plain(text, request_id)
        done.set()
        await asyncio.Event().wait()

    device.now = 500
    monkeypatch.setattr(served.identity.accounts, "refresh", stuck)
    asking = asyncio.create_task(client.access_token())
    await done.wait()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    monkeypatch.setattr(served.identity.accounts, "refresh", plain)
    restarted = started(served, device)
    assert device.kept[-1] is not None
    restarted.resume(device.kept[-1])
    assert await restarted.access_token()
    assert await client.access_token()


async def test_what_is_over_is_forgotten(served: Served, client: IdentityClient, device: Device) -> None:
    await client.sign_up("Noura", "correct horse")
    token = device.token()
    await served.refresh(token)
    device.now = 500
    for reason in (Reason.REFRESH_REUSED, Reason.TOKEN_REQUIRED):
        with pytest.raises(Refusal) as refusal:
            await client.access_token()
        assert refusal.value.reason is reason
    assert device.kept[-1] is None
    assert not client.signed_in


async def test_whoever_signs_out_is_out(served: Served, client: IdentityClient, device: Device) -> None:
    await client.sign_up("Noura", "correct horse")
    token = device.token()
    for _ in range(2):
        await client.sign_out()
    with pytest.raises(Refusal) as refusal:
        await served.refresh(token)
    assert refusal.value.reason is Reason.REFRESH_INVALID
    assert (await client.sign_in("noura", "correct horse")).name == "Noura"
    assert await client.access_token()


async def test_a_wrong_password_is_no_reason_to_try_again(served: Served, client: IdentityClient) -> None:
    await served.ask("GetKeySet", pb.GetKeySetRequest())
    with pytest.raises(Refusal) as refusal:
        await client.sign_in("Noura", "wrong horse")
    assert refusal.value.reason is Reason.SIGN_IN_FAILED
    assert not client.signed_in
