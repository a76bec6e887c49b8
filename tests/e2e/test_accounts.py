"""Accounts in both wirings, and identity services that are killed while their players stay signed in."""

from __future__ import annotations

import asyncio
import random
from typing import Any
from uuid import uuid4

import grpc.aio
import jwt
from baloot.api.identity.v1.identity_pb2 import (
    RefreshTokensRequest,
    SignUpRequest,
    Tokens,
)
from baloot.api.identity.v1.identity_pb2_grpc import IdentityServiceStub
from baloot.client.identity import IdentityClient, key_set
from baloot.client.retrying import UNKNOWN_OUTCOME
from baloot.client.table import TableClient
from baloot.core.errors import Refusal
from baloot.kit.calling import call
from baloot.kit.channels import open_channel

from tests.e2e.platforms import Platform, identity_process, running
from tests.e2e.servers import ServerProcess
from tests.postgres import reachable_folder

PLAYERS = 6
ROUNDS = 4
PASSWORD = "correct horse"


async def test_somebody_signs_up_and_is_known_by_the_key_set(platform: Platform) -> None:
    async with open_channel(platform.identity) as channel:
        client = IdentityClient(channel)
        account = await client.sign_up("Noura", PASSWORD)
        token = await client.access_token()
        known = await key_set(channel)
    key = jwt.PyJWKSet.from_dict(known)[jwt.get_unverified_header(token)["kid"]]
    options: Any = {"verify_iat": False}  # the service's clock may be ahead of ours
    claims = jwt.decode(token, key, algorithms=["EdDSA"], audience="baloot", issuer="baloot", options=options)
    assert claims["sub"] == account.account_id


async def test_an_account_has_its_seat_on_every_device(platform: Platform) -> None:
    async with open_channel(platform.identity) as channel:
        client = IdentityClient(channel)
        account = await client.sign_up("Huda", PASSWORD)
        async with TableClient(platform.table, access=client.access_token) as tables:
            table = await tables.create_table()
            await table.take_seat("Huda")
        async with TableClient(platform.table, access=client.access_token) as another:
            (mine,) = await another.my_seats()
    assert mine.table_id == table.table_id
    async with TableClient(platform.table, table.table_id) as guest:
        assert [seat.player_id for seat in (await guest.view()).seats] == [account.account_id, "", "", ""]


class Player:
    """Refreshes again and again, at any server that answers, and never loses its place."""

    def __init__(self, stubs: list[IdentityServiceStub], token: str) -> None:
        self._stubs = stubs
        self.token = token
        self.repeated = 0

    async def refresh(self) -> None:
        request = RefreshTokensRequest(refresh_token=self.token, request_id=str(uuid4()))
        while True:
            try:
                answer = await call(random.choice(self._stubs).RefreshTokens, request, timeout=2)
            except Refusal as refusal:
                if refusal.reason not in UNKNOWN_OUTCOME:
                    raise
                self.repeated += 1
                await asyncio.sleep(0.02)
                continue
            assert answer.tokens.refresh_token != self.token
            self.token = answer.tokens.refresh_token
            return


async def test_nobody_is_signed_out_by_servers_that_are_killed(migrated_url: str) -> None:
    """Both servers are killed in the midst of refreshes, in turns: every refresh is done once and answered in the end."""
    with reachable_folder() as folder:
        servers = [identity_process(folder, migrated_url) for _ in range(2)]
        with running(servers[0], ServerProcess.kill), running(servers[1], ServerProcess.kill):
            async with open_channel(servers[0].address) as one, open_channel(servers[1].address) as other:
                stubs = [IdentityServiceStub(channel) for channel in (one, other)]
                players = await signed_up(stubs, one)
                ended = asyncio.Event()
                playing = [asyncio.create_task(refreshing(player, ended)) for player in players]
                for number in range(ROUNDS):
                    await asyncio.sleep(random.uniform(0.1, 0.4))
                    servers[number % 2].kill()
                    await asyncio.to_thread(servers[number % 2].listen)
                ended.set()
                counts = await asyncio.gather(*playing)
    assert all(counts)
    assert sum(player.repeated for player in players) > 0


async def signed_up(stubs: list[IdentityServiceStub], channel: grpc.aio.Channel) -> list[Player]:
    players = []
    for number in range(PLAYERS):
        request = SignUpRequest(name=f"player {number}", password=PASSWORD, request_id=str(uuid4()))
        tokens: Tokens = (await call(IdentityServiceStub(channel).SignUp, request)).tokens
        players.append(Player(stubs, tokens.refresh_token))
    return players


async def refreshing(player: Player, ended: asyncio.Event) -> int:
    count = 0
    while not ended.is_set():
        await player.refresh()
        count += 1
    return count
