"""Seats of accounts: bound to whoever signs in, from any device, and to nobody else's token."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from baloot.api.table.v1 import table_pb2 as pb
from baloot.client.table import TableClient
from baloot.core.auction import PASS
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Seat
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.quotas import Quotas, read_rate
from baloot.table.events import Settings
from baloot.table.identity import Account
from baloot.table.mine import MOST

from tests.kit.issuing import Issuing, bearer
from tests.kit.test_access import BAD, STALE
from tests.table.served import QUIET, Replica, acting, read, replica, watching
from tests.table.trial import KEY, Trial


@dataclass
class World:
    trial: Trial
    issuing: Issuing
    served: Replica

    @property
    def stub(self) -> Any:
        return self.served.stub

    def who(self, seat: Seat) -> Any:
        """The metadata of the account that sits there, with a token of its own for every call."""
        return bearer(self.issuing.token(f"account-{seat}", jti=str(self.trial.id())))

    def taking(self, seat: Seat | None = None) -> pb.TakeSeatRequest:
        return pb.TakeSeatRequest(
            table_id=str(self.trial.table_id),
            request_id=str(self.trial.id()),
            seat=None if seat is None else seat + 1,  # type: ignore[arg-type]
            player_name="Noura",
        )

    async def view(self, metadata: Any) -> pb.TableView:
        request = pb.GetTableRequest(table_id=str(self.trial.table_id))
        answer: pb.GetTableResponse = await self.stub.GetTable(request, metadata=metadata)
        return answer.view

    async def seated(self) -> None:
        """All four seats are taken by accounts, and the first round is dealt."""
        for seat in SEATS:
            answer = await self.stub.TakeSeat(self.taking(seat), metadata=self.who(seat))
            assert answer.seat_token == ""
        await self.trial.table.step(self.trial.table_id)

    async def asked(self) -> Seat:
        return (await self.trial.state()).questions[0].seat

    async def refused(self, call: Any) -> Reason:
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await (call.read() if hasattr(call, "read") else call)
        return from_rpc_error(error.value).reason


@asynccontextmanager
async def world(quotas: Quotas | None = None, trial: Trial | None = None) -> AsyncIterator[World]:
    trial, issuing = trial or Trial(), Issuing()
    await trial.open()
    async with replica(trial.table, QUIET, quotas, access=issuing.settings()) as served:
        yield World(trial, issuing, served)


@pytest.fixture
async def made() -> AsyncIterator[World]:
    async with world() as made:
        yield made


async def test_a_seat_is_the_accounts_from_any_device_and_with_any_of_its_tokens(made: World) -> None:
    await made.seated()
    seat = await made.asked()
    async with open_channel(made.served.server.address) as other_device:
        first = made.stub.WatchTable(watching(made.trial, 0), metadata=made.who(seat))
        before = await read(first, 6)
        second = pb_stub(other_device).WatchTable(watching(made.trial, 0), metadata=made.who(seat))
        assert await read(second, 6) == before
        assert before[-1].entry.HasField("question")
        assert await made.refused(first) is Reason.STREAM_SUPERSEDED
        request = acting(made.trial, PASS)
        answer = await pb_stub(other_device).SubmitAction(request, metadata=made.who(seat))
        assert [each.entry for each in await read(second, 1)] == [answer.entry]
        again = await made.stub.SubmitAction(request, metadata=made.who(seat))
        assert again == answer
        second.cancel()
    view = await made.view(made.who(seat))
    assert view.viewer == seat + 1
    assert len(view.round.hand) == 5
    assert [each.player_id for each in view.seats] == [f"account-{each}" for each in SEATS]


def pb_stub(channel: grpc.aio.Channel) -> Any:
    from baloot.api.table.v1.table_pb2_grpc import TableServiceStub

    return TableServiceStub(channel)


@pytest.mark.parametrize(("event", "accounts"), [("cup-7", True), ("cup-7", False), ("", True)])
async def test_in_an_event_guests_take_no_seat_where_there_are_accounts(event: str, accounts: bool) -> None:
    """A referee who also plays as a guest would not be known."""
    trial = Trial(settings=Settings(event_id=event))
    trial.table.accounts_at_events = accounts
    async with world(trial=trial) as made:
        guest = made.stub.TakeSeat(made.taking(Seat.EAST))
        if event and accounts:
            assert await made.refused(guest) is Reason.TOKEN_REQUIRED
            assert (await trial.state()).seats == (None,) * 4
        else:
            assert (await guest).seat_token
        answer = await made.stub.TakeSeat(made.taking(Seat.WEST), metadata=made.who(Seat.WEST))
        assert answer.seat_token == ""


async def test_another_process_knows_whose_the_seats_are(made: World) -> None:
    await made.seated()
    seat = await made.asked()
    again = Trial(store=made.trial.log)
    async with replica(again.table, QUIET, access=made.issuing.settings()) as served:
        request = pb.GetTableRequest(table_id=str(made.trial.table_id))
        view = (await served.stub.GetTable(request, metadata=made.who(seat))).view
        assert view == await made.view(made.who(seat))
        await served.stub.SubmitAction(acting(made.trial, PASS), metadata=made.who(seat))


async def test_a_wrong_token_disturbs_neither_seat_nor_clock_nor_stream(made: World) -> None:
    """Whatever others send, the player whose seat it is goes on as if they had not."""
    await made.seated()
    seat = await made.asked()
    stream = made.stub.WatchTable(watching(made.trial), metadata=made.who(seat))
    await read(stream, 1)
    before = await made.trial.state()
    somebody = bearer(made.issuing.token("somebody"))
    for_seat = pb.LeaveSeatRequest(table_id=str(made.trial.table_id), request_id=str(made.trial.id()))
    wrong: dict[Reason, list[Any]] = {
        Reason.NOT_YOUR_SEAT: [somebody],
        Reason.TOKEN_INVALID: [
            bearer("x" * 43),
            bearer(f"account-{seat}"),
            bearer(Issuing(made.issuing.issuer).token(f"account-{seat}")),
        ],
        Reason.TOKEN_REQUIRED: [()],
        Reason.ROLE_REQUIRED: [bearer(made.issuing.token(f"account-{seat}", ["spectator"]))],
        Reason.SCOPE_REQUIRED: [bearer(made.issuing.token(f"account-{seat}", scope="watch"))],
    }
    for reason, senders in wrong.items():
        for metadata in senders:
            acted = made.stub.SubmitAction(acting(made.trial, PASS), metadata=metadata)
            assert await made.refused(acted) is reason
            assert await made.refused(made.stub.LeaveSeat(for_seat, metadata=metadata)) is reason
    assert await made.trial.state() == before
    answer = await made.stub.SubmitAction(acting(made.trial, PASS), metadata=made.who(seat))
    assert [message.entry for message in await read(stream, 1)] == [answer.entry]
    stream.cancel()


async def test_no_malformed_or_stale_token_changes_anything(made: World) -> None:
    await made.seated()
    before = await made.trial.entries()
    for name, make in {**BAD, **STALE}.items():
        metadata = bearer(make(made.issuing))
        expected = Reason.TOKEN_EXPIRED if name in STALE else Reason.TOKEN_INVALID
        table = pb.GetTableRequest(table_id=str(made.trial.table_id))
        for call in (
            made.stub.CreateTable(pb.CreateTableRequest(request_id=str(made.trial.id())), metadata=metadata),
            made.stub.TakeSeat(made.taking(), metadata=metadata),
            made.stub.SubmitAction(acting(made.trial, PASS), metadata=metadata),
            made.stub.ListMySeats(pb.ListMySeatsRequest(), metadata=metadata),
            made.stub.GetTable(table, metadata=metadata),
            made.stub.WatchTable(watching(made.trial), metadata=metadata),
        ):
            assert await made.refused(call) is expected, name
    assert await made.trial.entries() == before
    assert len(await made.trial.log.heads_after(None, 10, live=False)) == 1


async def test_an_account_without_a_seat_sees_what_everybody_sees(made: World) -> None:
    await made.seated()
    view = await made.view(bearer(made.issuing.token("somebody")))
    assert view == await made.view(())
    assert not view.round.hand
    assert not view.HasField("question")


async def test_an_account_sits_at_a_table_once(made: World) -> None:
    request = made.taking(Seat.EAST)
    first = await made.stub.TakeSeat(request, metadata=made.who(Seat.SOUTH))
    assert await made.stub.TakeSeat(request, metadata=made.who(Seat.SOUTH)) == first
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await made.stub.TakeSeat(made.taking(), metadata=made.who(Seat.SOUTH))
    assert error.value.code() is grpc.StatusCode.ALREADY_EXISTS
    refusal = from_rpc_error(error.value)
    assert (refusal.reason, refusal.metadata) == (Reason.ALREADY_SEATED, {"seat": "EAST"})
    for other in (made.who(Seat.NORTH), (), bearer("a-seat-token")):
        again = made.stub.TakeSeat(request, metadata=other)
        assert await made.refused(again) is Reason.REQUEST_ID_REUSED
    leaving = pb.LeaveSeatRequest(table_id=str(made.trial.table_id), request_id=str(made.trial.id()))
    await made.stub.LeaveSeat(leaving, metadata=made.who(Seat.SOUTH))
    assert (await made.stub.TakeSeat(made.taking(), metadata=made.who(Seat.SOUTH))).seat == Seat.SOUTH + 1


async def test_guests_and_accounts_sit_at_one_table(made: World) -> None:
    """A guest's seat is the seat token's, also where an account asks for it."""
    guest = await made.stub.TakeSeat(made.taking(Seat.SOUTH))
    await made.stub.TakeSeat(made.taking(Seat.EAST), metadata=made.who(Seat.EAST))
    assert (await made.view(bearer(guest.seat_token))).viewer == Seat.SOUTH + 1
    view = await made.view(made.who(Seat.EAST))
    assert [each.player_id for each in view.seats] == ["", "account-east", "", ""]
    leaving = pb.LeaveSeatRequest(table_id=str(made.trial.table_id), request_id=str(made.trial.id()))
    left = made.stub.LeaveSeat(leaving, metadata=made.who(Seat.SOUTH))
    assert await made.refused(left) is Reason.NOT_YOUR_SEAT


# The seats of a caller.


async def mine(made: World, metadata: Any) -> list[pb.MySeat]:
    answer = await made.stub.ListMySeats(pb.ListMySeatsRequest(), metadata=metadata)
    return list(answer.seats)


async def test_an_account_is_told_all_its_seats_and_nobody_elses(made: World) -> None:
    south = made.who(Seat.SOUTH)
    tables = []
    for n in range(4):
        await made.trial.open()
        tables.append(made.trial.table_id)
        made.trial.clock.pass_(1000)
        await made.stub.TakeSeat(made.taking(Seat(n)), metadata=south)
    for seat in SEATS[:3]:
        await made.stub.TakeSeat(made.taking(seat), metadata=bearer(made.issuing.token(f"b-{seat}")))
    await made.trial.table.step(tables[3])
    for left in (tables[0], tables[1]):
        await made.trial.table.leave_seat(left, Account("account-south"), made.trial.id())
    told = await mine(made, made.who(Seat.SOUTH))
    assert [seat.table_id for seat in told] == [str(tables[3]), str(tables[2])]
    assert [seat.seat for seat in told] == [Seat.WEST + 1, Seat.NORTH + 1]
    assert [seat.status for seat in told] == [pb.TABLE_STATUS_PLAYING, pb.TABLE_STATUS_OPEN]
    state = await made.trial.state()
    assert told[0].sequence == state.sequence == 6
    assert told[0].asked == (state.question_to(Seat.WEST) is not None)
    assert told[0].HasField("deadline")
    assert await mine(made, made.who(Seat.EAST)) == []
    await made.trial.table.leave_seat(tables[3], Account("account-south"), made.trial.id())
    assert [seat.table_id for seat in await mine(made, south)] == [str(tables[2])]


async def test_a_guest_is_told_the_seat_of_its_token(made: World) -> None:
    guest = await made.stub.TakeSeat(made.taking(Seat.WEST))
    (seat,) = await mine(made, bearer(guest.seat_token))
    assert (seat.table_id, seat.seat) == (str(made.trial.table_id), Seat.WEST + 1)
    assert await mine(made, bearer("made-up")) == []
    assert await made.refused(made.stub.ListMySeats(pb.ListMySeatsRequest())) is Reason.TOKEN_REQUIRED


async def test_a_table_that_ends_while_it_is_looked_for_is_not_told(made: World) -> None:
    await made.seated()
    table = made.trial.table_id
    await made.trial.table.leave_seat(table, Account("account-east"), made.trial.id())

    async def late(_holder: bytes, _limit: int) -> Any:
        return [table, made.trial.id()]

    made.trial.log.held_by = late  # type: ignore[method-assign, assignment]
    assert await mine(made, made.who(Seat.SOUTH)) == []


async def test_no_more_than_so_many_seats_are_told(made: World) -> None:
    await made.trial.log.key("table", KEY)
    for _ in range(MOST + 5):
        await made.trial.open()
        account = Account("account-south")
        await made.trial.table.take_seat(made.trial.table_id, made.trial.id(), None, "Huda", account)
    assert len(await mine(made, made.who(Seat.SOUTH))) == MOST


# What an account may use.


async def test_an_account_has_limits_of_its_own_whatever_its_address_does() -> None:
    async with world(Quotas(calls=read_rate("1/h+3"))) as made:
        south = [made.who(Seat.SOUTH) for _ in range(2)]
        for metadata in (*south, ()):  # paid for by the address: nobody knew the tokens
            await made.view(metadata)
        assert await made.refused(looking(made, ())) is Reason.RATE_LIMITED
        for metadata in (*south, south[0]):
            await made.view(metadata)
        assert await made.refused(looking(made, south[1])) is Reason.RATE_LIMITED


async def test_an_api_key_has_its_own_quota_for_all_its_calls() -> None:
    async with world(Quotas(calls=read_rate("1/h+2"), opens=read_rate("1/h+1"))) as made:
        keyed = [made.issuing.token(sub, key="k-1", rate="1/h+4", jti=sub) for sub in ("a", "b")]
        for token in keyed:
            await made.view(bearer(token))
        for token in (*keyed, *keyed):
            await made.view(bearer(token))
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await made.stub.TakeSeat(made.taking(), metadata=bearer(keyed[0]))
        assert from_rpc_error(error.value).metadata == {"limit": "key"}


async def test_a_stream_of_an_account_is_counted_for_the_account() -> None:
    async with world(Quotas(streams=1)) as made:
        south = made.who(Seat.SOUTH)
        first = made.stub.WatchTable(watching(made.trial), metadata=south)
        await read(first, 1)
        for metadata in (south, made.who(Seat.SOUTH)):
            another = made.stub.WatchTable(watching(made.trial), metadata=metadata)
            assert await made.refused(another) is Reason.TOO_MANY_STREAMS
        await read(made.stub.WatchTable(watching(made.trial)), 1)
        first.cancel()


def looking(made: World, metadata: Any) -> Any:
    return made.stub.GetTable(pb.GetTableRequest(table_id=str(made.trial.table_id)), metadata=metadata)


# The client.


async def test_a_client_with_an_account_plays_and_refreshes_its_token(made: World) -> None:
    given: list[str | None] = []

    async def access(expired: str | None) -> str:
        given.append(expired)
        return made.issuing.token("account-south", exp=0 if expired is None else int(time.time()) + 3600)

    tables = TableClient(made.served.channel, str(made.trial.table_id), access=access)
    seat = await tables.take_seat("Noura")
    assert (seat.seat, seat.seat_token) == (Seat.SOUTH + 1, None)
    assert given[0] is None
    assert given[1] is not None
    assert [each.table_id for each in await seat.my_seats()] == [str(made.trial.table_id)]
    async with asyncio.timeout(10):
        async for update in seat.watch():
            assert update.view.viewer == Seat.SOUTH + 1
            break


async def test_a_client_whose_new_token_has_expired_too_gives_up(made: World) -> None:
    stale = made.issuing.token("account-south", exp=0)

    async def access(_: str | None) -> str:
        return stale

    client = TableClient(made.served.channel, str(made.trial.table_id), access=access)
    with pytest.raises(Refusal) as refused:
        await client.view()
    assert refused.value.reason is Reason.TOKEN_EXPIRED
    with pytest.raises(Refusal) as refused:
        async with asyncio.timeout(10):
            await anext(client.watch())
    assert refused.value.reason is Reason.TOKEN_EXPIRED
