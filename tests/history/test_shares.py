"""Links: who makes them, what they open, and that nothing opens after their time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import grpc.aio
import pytest
import sqlalchemy as sa
from baloot.api.history.v1 import history_pb2 as pb
from baloot.api.history.v1.history_pb2_grpc import HistoryServiceStub
from baloot.core.errors import Reason
from baloot.history import shares
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.server import service
from baloot.history.statements import one_by_one
from baloot.kit.channels import open_channel
from baloot.kit.database import open_engine
from baloot.kit.errors import from_rpc_error
from baloot.kit.serving import ServerSettings, start
from google.protobuf.duration_pb2 import Duration

from tests.history.played import logbooks, store_with
from tests.kit.issuing import Issuing, bearer

MATCH, OTHER = (str(log[0].table_id) for log in logbooks()[:2])
CLOSED: frozenset[Any] = frozenset()


@dataclass
class World:
    """A history service that lets guests do nothing but follow links."""

    url: str
    issuing: Issuing
    stub: HistoryServiceStub

    async def ask(self, method: str, who: str | None, **fields: Any) -> Any:
        request = getattr(pb, f"{method}Request")(**fields)
        token = None if who is None else self.issuing.token(sub=who, roles=["player"])
        return await getattr(self.stub, method)(request, metadata=bearer(token))

    async def share(self, who: str = "noura", **fields: Any) -> Any:
        return await self.ask("CreateShare", who, **{"request_id": str(uuid4()), "match_id": MATCH, **fields})

    async def refusal(self, method: str, who: str | None, **fields: Any) -> tuple[Reason, str]:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await self.ask(method, who, **fields)
        refused = from_rpc_error(error.value)
        return refused.reason, refused.field

    async def run(self, statement: str) -> Any:
        engine = open_engine(self.url, "test", size=1)
        async with engine.begin() as connection:
            result = await connection.execute(sa.text(statement))
            rows = result.all() if result.returns_rows else ()
        await engine.dispose()
        return rows


@pytest.fixture
async def world(migrated_url: str) -> AsyncIterator[World]:
    store = await store_with(*logbooks()[:2])
    issuing = Issuing()
    async with PostgresHistory(migrated_url) as history:
        await Projection(store, history).catch_up()
        settings = ServerSettings("127.0.0.1:0", grace=0.2, access=issuing.settings(guests=CLOSED))
        server = await start([service(history, store)], settings)
        try:
            async with open_channel(server.address) as channel:
                yield World(migrated_url, issuing, HistoryServiceStub(channel))
        finally:
            await server.stop()


async def test_a_link_opens_its_match_to_anybody(world: World) -> None:
    made = await world.share(open=True)
    told = await world.ask("GetShared", None, token=made.token)
    whole = await world.ask("GetMatch", "noura", match_id=MATCH)
    assert (told.share, told.match, list(told.rounds)) == (made.share, whole.match, list(whole.rounds))
    assert not told.HasField("replay")
    told = await world.ask("GetShared", None, token=made.token, number=2)
    replay = (await world.ask("GetReplay", "noura", match_id=MATCH, number=2, open=True)).replay
    assert told.replay == replay
    at = replay.last_sequence - 1
    told = await world.ask("GetShared", None, token=made.token, number=2, up_to_sequence=at)
    assert [entry.sequence for entry in told.replay.seen[0].entries] == [at + 1]


async def test_a_link_to_a_round_opens_that_round_as_it_says(world: World) -> None:
    made = await world.share(number=2, viewer=3)
    told = await world.ask("GetShared", None, token=made.token)
    assert [round_.number for round_ in told.rounds] == [2]
    assert told.replay == (await world.ask("GetReplay", "noura", match_id=MATCH, number=2, viewer=3)).replay
    assert await world.refusal("GetShared", None, token=made.token, number=1) == (
        Reason.ROUND_UNKNOWN,
        "number",
    )


async def test_a_link_opens_nothing_else(world: World) -> None:
    """Nothing of the service is open to whoever has a link and no account."""
    made = await world.share()
    for method in pb.DESCRIPTOR.services_by_name["HistoryService"].methods_by_name:
        if method not in ("GetShared", "GetProof"):
            assert (await world.refusal(method, None))[0] is Reason.TOKEN_REQUIRED, method
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await world.stub.GetMatch(pb.GetMatchRequest(match_id=MATCH), metadata=bearer(made.token))
    assert from_rpc_error(error.value).reason is Reason.TOKEN_REQUIRED


async def test_unknown_expired_and_withdrawn_links_are_alike(world: World) -> None:
    expired, withdrawn, good = [await world.share() for _ in range(3)]
    await world.run(
        f"UPDATE history_share SET expires_at = now() WHERE share_id = '{expired.share.share_id}'"
    )
    await world.ask("WithdrawShare", "noura", share_id=withdrawn.share.share_id)
    await world.ask("WithdrawShare", "noura", share_id=withdrawn.share.share_id)
    for token in (expired.token, withdrawn.token, good.token[:-1], good.token + "A", "x", "é" * 9, "\0"):
        assert await world.refusal("GetShared", None, token=token) == (Reason.SHARE_UNKNOWN, "token")
    assert list((await world.ask("ListShares", "noura")).shares) == [good.share]
    assert (await world.ask("GetShared", None, token=good.token)).share == good.share


async def test_the_database_tells_the_time(world: World) -> None:
    made = await world.share(expires_in=Duration(seconds=3600))
    assert made.share.expire_time.seconds - made.share.create_time.seconds == 3600
    ((now,),) = await world.run("SELECT extract(epoch FROM now())")
    assert 0 <= float(now) - made.share.create_time.seconds < 60
    month = (await world.share()).share
    assert month.expire_time.seconds - month.create_time.seconds == 30 * 86_400


async def test_the_same_request_gives_the_same_link(world: World) -> None:
    request_id = str(uuid4())
    answers = await asyncio.gather(*(world.share(request_id=request_id, number=2) for _ in range(5)))
    assert all(answer == answers[0] for answer in answers)
    assert len((await world.ask("ListShares", "noura")).shares) == 1
    for other in ({"number": 1}, {"number": 2, "open": True}, {"number": 2, "match_id": OTHER}):
        fields = {"request_id": request_id, "match_id": MATCH, **other}
        assert await world.refusal("CreateShare", "noura", **fields) == (
            Reason.REQUEST_ID_REUSED,
            "request_id",
        )
    of_another = await world.share("fahad", request_id=request_id, number=2)
    assert of_another.token != answers[0].token


async def test_links_belong_to_their_accounts(world: World) -> None:
    made = await world.share()
    assert list((await world.ask("ListShares", "fahad")).shares) == []
    for share_id in (made.share.share_id, str(uuid4())):
        assert await world.refusal("WithdrawShare", "fahad", share_id=share_id) == (
            Reason.SHARE_UNKNOWN,
            "share_id",
        )
    assert (await world.ask("GetShared", None, token=made.token)).share == made.share


async def test_an_account_has_so_many_good_links(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "MOST", 3)
    made = await asyncio.gather(*(world.share() for _ in range(6)), return_exceptions=True)
    links = [one for one in made if not isinstance(one, BaseException)]
    assert len(links) == 3
    fields = {"request_id": str(uuid4()), "match_id": MATCH}
    assert (await world.refusal("CreateShare", "noura", **fields))[0] is Reason.LIMIT_EXCEEDED
    await world.share("fahad")
    await world.ask("WithdrawShare", "noura", share_id=links[0].share.share_id)
    await world.ask("CreateShare", "noura", **fields)


async def end(world: World, share_id: str, column: str, ago: str) -> None:
    await world.run(
        f"UPDATE history_share SET {column} = now() - interval '{ago}' WHERE share_id = '{share_id}'"
    )


async def test_a_request_whose_link_has_ended_is_refused_for_a_day(world: World) -> None:
    """And then it is forgotten, so that it may make a link anew."""
    for column in ("withdrawn_at", "expires_at"):
        fields = {"request_id": str(uuid4()), "match_id": MATCH}
        made = await world.ask("CreateShare", "noura", **fields)
        await end(world, made.share.share_id, column, "23 hours")
        assert await world.refusal("CreateShare", "noura", **fields) == (Reason.SHARE_UNKNOWN, "request_id")
        assert await world.refusal("CreateShare", "noura", **{**fields, "number": 1}) == (
            Reason.REQUEST_ID_REUSED,
            "request_id",
        )
        await end(world, made.share.share_id, column, "25 hours")
        again = await world.ask("CreateShare", "noura", **fields)
        assert again.share.share_id != made.share.share_id
        assert (await world.ask("GetShared", None, token=again.token)).share == again.share


async def test_links_that_ended_are_counted_for_a_day_and_then_deleted(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often an account makes links and takes them back, its rows stay few."""
    monkeypatch.setattr(shares, "MOST_KEPT", 4)
    made = [await world.share() for _ in range(4)]
    others = await world.share("fahad")
    for one in (*made, others):
        await world.ask("WithdrawShare", "fahad" if one is others else "noura", share_id=one.share.share_id)
    fields = {"request_id": str(uuid4()), "match_id": MATCH}
    assert (await world.refusal("CreateShare", "noura", **fields))[0] is Reason.LIMIT_EXCEEDED
    await end(world, made[0].share.share_id, "withdrawn_at", "25 hours")
    await end(world, others.share.share_id, "withdrawn_at", "25 hours")
    await world.ask("CreateShare", "noura", **fields)
    rows = await world.run(
        "SELECT player_id, count(*) FROM history_share GROUP BY player_id ORDER BY player_id"
    )
    assert [tuple(row) for row in rows] == [("fahad", 1), ("noura", 4)]


@pytest.mark.parametrize("name", ["history rebuild", "history imports"])
async def test_no_account_holds_up_what_has_its_name(world: World, name: str) -> None:
    """Accounts are named by whoever issues their tokens, and locks of the database know names alone."""
    engine = open_engine(world.url, "test", size=1)
    async with engine.begin() as connection:
        await connection.execute(one_by_one(name))
        async with asyncio.timeout(3):
            await world.share(name)
    await engine.dispose()


async def test_nothing_that_opens_a_link_is_stored(world: World) -> None:
    request_id = str(uuid4())
    made = await world.share(request_id=request_id)
    stored = repr([tuple(row) for row in await world.run("SELECT * FROM history_share")])
    assert made.token not in stored
    assert request_id not in stored
    assert made.token not in repr(shares.Made(made.token, None))  # type: ignore[arg-type]


GOOD = {"request_id": str(UUID(int=5, version=4)), "match_id": MATCH}
BAD: dict[str, tuple[str, dict[str, Any], Reason, str]] = {
    "no request id": ("CreateShare", {"request_id": ""}, Reason.FIELD_REQUIRED, "request_id"),
    "no match": ("CreateShare", {"match_id": ""}, Reason.FIELD_REQUIRED, "match_id"),
    "another match": ("CreateShare", {"match_id": str(UUID(int=9))}, Reason.MATCH_UNKNOWN, "match_id"),
    "a round that never was": ("CreateShare", {"number": 99}, Reason.ROUND_UNKNOWN, "number"),
    "no round": ("CreateShare", {"number": -1}, Reason.FIELD_INVALID, "number"),
    "no seat": ("CreateShare", {"viewer": 9}, Reason.FIELD_INVALID, "viewer"),
    "a seat and all": ("CreateShare", {"viewer": 1, "open": True}, Reason.FIELD_INVALID, "viewer"),
    "no time": ("CreateShare", {"expires_in": {"seconds": 0}}, Reason.FIELD_INVALID, "expires_in"),
    "for ever": ("CreateShare", {"expires_in": {"seconds": 367 * 86400}}, Reason.FIELD_INVALID, "expires_in"),
    "no link": ("GetShared", {"token": ""}, Reason.FIELD_REQUIRED, "token"),
    "a link to no id": ("WithdrawShare", {"share_id": "x"}, Reason.FIELD_INVALID, "share_id"),
}


async def test_what_cannot_be_shared_is_refused(world: World) -> None:
    for case, (method, fields, reason, path) in BAD.items():
        chosen = {**GOOD, **fields} if method == "CreateShare" else fields
        assert await world.refusal(method, "noura", **chosen) == (reason, path), case
