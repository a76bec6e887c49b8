"""The table service over the wire: whole matches, requests that come again, and many at once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import grpc
import pytest
from baloot.api.core.v1.play_pb2 import PlayQuestion
from baloot.api.table.v1 import table_pb2 as pb
from baloot.app.rules import local_rules
from baloot.client.table import TableClient, time_control
from baloot.codec.ruleset import encode_ruleset
from baloot.core.auction import PASS
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD
from baloot.core.seats import SEATS, Seat
from baloot.kit.errors import from_rpc_error
from baloot.table.clocks import Clocks
from baloot.table.events import SECOND, Settings
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator
from baloot.table.postgres import PostgresStore
from baloot.table.store import Store

from tests.table.served import Replica, acting, bearer, replica
from tests.table.trial import KEY, Trial

LATE = {Reason.NOT_YOUR_TURN, Reason.SEQUENCE_STALE, Reason.WRONG_PHASE, Reason.TABLE_ENDED}
"""What whoever comes second is told: by then the seat is asked nothing, or something else."""
SHORT = STANDARD.with_options(name="short", match_target=40)
LONG = STANDARD.with_options(name="long", match_target=1000)


@pytest.fixture(params=["memory", "postgres"])
def url(request: pytest.FixtureRequest) -> str | None:
    """Where the log is; None for memory."""
    return str(request.getfixturevalue("migrated_url")) if request.param == "postgres" else None


@pytest.fixture
async def store(url: str | None) -> AsyncIterator[Store]:
    if url is None:
        yield MemoryStore()
    else:
        async with PostgresStore(url) as store:
            yield store


@pytest.fixture
async def trial(store: Store) -> Trial:
    """A table whose first round is dealt."""
    made = Trial(seed=3, settings=Settings(round_pause=0, ruleset=LONG), store=store)
    await made.deal()
    return made


@pytest.fixture
async def served(trial: Trial) -> AsyncIterator[Replica]:
    async with replica(trial.table) as made:
        yield made


# Whole matches.


class Player:
    """Plays at random what its question offers, and keeps every answer."""

    def __init__(self, seat: TableClient, seed: int) -> None:
        self.seat = seat
        self.rng = random.Random(seed)
        self.answers: list[Any] = []
        self.entries: list[Any] = []

    async def play(self) -> pb.TableView:
        """Plays until the table ends; the view that following it has made."""
        view = pb.TableView()
        async for update in self.seat.watch():
            view = update.view
            if update.entry is not None:
                self.entries.append(type(update.entry).FromString(update.entry.SerializeToString()))
            if view.HasField("question"):
                await self._answer(view)
        return view

    async def _answer(self, view: pb.TableView) -> None:
        question = getattr(view.question, view.question.WhichOneof("question") or "")
        if isinstance(question, PlayQuestion):
            action = type(question.default_move)(card=self.rng.choice(question.legal).card)
        else:
            action = self.rng.choice(question.legal)
        try:
            self.answers.append(await self.seat.submit(action, expected_sequence=view.sequence))
        except Refusal as refusal:
            if refusal.reason not in LATE:
                raise


async def test_four_clients_play_a_match_and_see_what_they_did(store: Store) -> None:
    table = Orchestrator(store, local_rules(KEY))
    async with Clocks(table), replica(table) as served, asyncio.timeout(30):
        opened = await TableClient(served.channel).create_table(rules=encode_ruleset(SHORT), round_pause=0)
        watched = asyncio.create_task(Player(opened, 9).play())
        players = [Player(await opened.take_seat(f"player {n}"), n) for n in range(4)]
        views = await asyncio.gather(*(player.play() for player in players))
        public = await watched
        assert public == await opened.view()
        assert public.status == pb.TABLE_STATUS_FINISHED
        for player, view in zip(players, views, strict=True):
            assert view == await player.seat.view()
            mine = {entry.sequence: entry for entry in player.entries}
            assert all(mine[answer.sequence] == answer for answer in player.answers)
            assert player.answers


async def test_a_table_gets_the_settings_asked_for_and_the_rest_by_default(store: Store) -> None:
    async with replica(Orchestrator(store, local_rules(KEY))) as served:
        table = await TableClient(served.channel).create_table(action_timeout=12.5)
        settings = (await table.view()).settings
        assert settings.action_timeout.ToTimedelta().total_seconds() == 12.5
        assert (settings.round_pause.seconds, settings.fill_timeout.seconds) == (5, 900)
        assert (settings.ruleset.name, settings.ruleset_hash) == ("standard", STANDARD.hash)


CONTROLS: list[tuple[dict[str, Any], tuple[float, float, float | None, float]]] = [
    ({}, (30, 30, None, 0.5)),
    ({"action_timeout": 0.2}, (0.2, 0.2, None, 0.2)),
    ({"time_control": time_control(call_time=12)}, (12, 30, None, 0.5)),
    ({"action_timeout": 9, "time_control": time_control(card_time=4.5, bank=60)}, (9, 4.5, 60, 0.5)),
    ({"time_control": time_control(0.3, 7, 0, None)}, (0.3, 7, None, 0.3)),
    ({"time_control": time_control(0.1, 600, 3600, 0)}, (0.1, 600, 3600, 0)),
    ({"time_control": time_control(600, 5, 0.001, 5)}, (600, 5, 0.001, 5)),
]


@pytest.mark.parametrize(("asked", "given"), CONTROLS)
async def test_a_table_tells_its_time_control_in_full(
    store: Store, asked: dict[str, Any], given: tuple[float, float, float | None, float]
) -> None:
    async with replica(Orchestrator(store, local_rules(KEY))) as served:
        table = await TableClient(served.channel).create_table(**asked)
        view = await table.view()
    assert view.settings.time_control == time_control(*given)
    assert view.settings.time_control.HasField("bank") == (given[2] is not None)
    for seat in view.seats:
        assert seat.bank == view.settings.time_control.bank
        assert seat.HasField("bank") == (given[2] is not None)


async def test_every_setting_may_be_at_either_end_of_its_range() -> None:
    lows: list[dict[str, Any]] = [{"action_timeout": 0.1}, {"round_pause": 0.0}, {"fill_timeout": 1.0}]
    highs: list[dict[str, Any]] = [{"action_timeout": 600}, {"round_pause": 60}, {"fill_timeout": 86_400}]
    lows += [{"spectator_delay": 0}, {"event_id": "a"}]
    highs += [{"spectator_delay": 1800}, {"event_id": "Cup-2027_r1.t2:" + "9" * 49}]
    async with replica(Trial().table) as served:
        for settings in (*lows, *highs):
            assert (await TableClient(served.channel).create_table(**settings)).table_id


@pytest.mark.parametrize("name", ["x", "ن" * 40, "  Abu Salem ", "🃏 عمر", "a\u0301"])
async def test_a_player_is_called_what_it_likes(name: str) -> None:
    async with replica(Trial().table) as served:
        table = await TableClient(served.channel).create_table()
        await table.take_seat(name)
        assert (await table.view()).seats[0].player_name == name.strip()


async def test_there_is_nothing_to_watch_after_the_end(trial: Trial, served: Replica) -> None:
    seat = TableClient(served.channel, str(trial.table_id), trial.tokens[Seat.EAST])
    await seat.leave_seat()
    async with asyncio.timeout(10):
        updates = [update async for update in seat.watch()]
        assert [update.entry for update in updates] == [None]
        assert [update async for update in seat.watch(known=updates[0].view)] == []


# The same request again.


async def test_every_request_gets_its_first_answer_again_whenever_it_comes(
    served: Replica, trial: Trial
) -> None:
    stub = served.stub
    created = pb.CreateTableRequest(request_id=str(trial.id()))
    first = await stub.CreateTable(created)
    about: dict[str, Any] = {"table_id": first.table_id}
    sent: list[tuple[Any, Any, Any, Any]] = [(stub.CreateTable, created, (), first)]
    for _ in range(4):
        take = pb.TakeSeatRequest(**about, request_id=str(trial.id()), player_name="Sami")
        sent.append((stub.TakeSeat, take, (), await stub.TakeSeat(take)))
    leave = pb.LeaveSeatRequest(**about, request_id=str(trial.id()))
    metadata = bearer(sent[-1][3].seat_token)
    sent.append((stub.LeaveSeat, leave, metadata, await stub.LeaveSeat(leave, metadata=metadata)))
    for _ in range(2):
        for method, request, metadata, answer in random.Random(1).sample(sent, len(sent)):
            assert await method(request, metadata=metadata) == answer
        trial.table.forget(UUID(about["table_id"]))


async def test_an_action_gets_its_first_answer_again_by_any_process(served: Replica, trial: Trial) -> None:
    sent = []
    for _ in range(25):
        request, metadata = await next_action(trial)
        sent.append((request, metadata, await served.stub.SubmitAction(request, metadata=metadata)))
    count = len(await trial.entries())
    async with replica(Orchestrator(trial.log, trial.table._rules)) as other:
        for request, metadata, answer in sent:
            assert await other.stub.SubmitAction(request, metadata=metadata) == answer
    assert len(await trial.entries()) == count


async def next_action(trial: Trial) -> tuple[pb.SubmitActionRequest, Any]:
    """The default action of whoever is asked, as a request; a deal comes first if it is due."""
    state = await trial.state()
    while not (waiting := [open_ for open_ in state.questions if not open_.private]):
        await trial.table.step(trial.table_id)
        state = await trial.state()
    action = waiting[0].question.default
    return acting(trial, action, expected=state.sequence), bearer(trial.tokens[waiting[0].seat])


# Many at once.


async def test_of_two_clients_that_race_for_a_turn_one_plays(trial: Trial, served: Replica) -> None:
    """The same seat played from two phones, each with its own request."""
    for _ in range(200 if isinstance(trial.log, MemoryStore) else 50):
        request, metadata = await next_action(trial)
        before = (await trial.state()).sequence
        twin = pb.SubmitActionRequest()
        twin.CopyFrom(request)
        twin.request_id = str(trial.id())
        done = await asyncio.gather(
            *(served.stub.SubmitAction(each, metadata=metadata) for each in (request, twin)),
            return_exceptions=True,
        )
        (answer,) = [each for each in done if isinstance(each, pb.SubmitActionResponse)]
        (error,) = [each for each in done if isinstance(each, grpc.aio.AioRpcError)]
        assert answer.entry.sequence == before + 1
        assert from_rpc_error(error).reason in LATE
        assert (await trial.state()).sequence == before + 1


async def test_of_four_clients_that_race_for_a_seat_one_gets_it(store: Store) -> None:
    replicas = [Orchestrator(store, local_rules(KEY)) for _ in range(2)]
    async with replica(replicas[0]) as here, replica(replicas[1]) as there:
        table_id = (await TableClient(here.channel).create_table()).table_id
        for seat in range(1, 5):
            racing = [
                TableClient(each.channel, table_id).take_seat("Reem", seat)  # type: ignore[arg-type]
                for each in (here, there, here, there)
            ]
            done = await asyncio.gather(*racing, return_exceptions=True)
            won = [each for each in done if isinstance(each, TableClient)]
            assert [each.seat for each in won] == [seat], done
    assert len(await store.read(UUID(table_id))) == 5


async def test_fifty_copies_of_a_request_make_one_entry_and_equal_answers(
    trial: Trial, served: Replica
) -> None:
    request, metadata = await next_action(trial)
    before = len(await trial.entries())
    answers = await asyncio.gather(*(served.stub.SubmitAction(request, metadata=metadata) for _ in range(50)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    assert len(await trial.entries()) == before + 1


async def test_fifty_copies_over_two_processes_make_one_entry_and_equal_answers(
    trial: Trial, served: Replica
) -> None:
    async with replica(Orchestrator(trial.log, trial.table._rules)) as other:
        for _ in range(5):
            request, metadata = await next_action(trial)
            before = len(await trial.entries())
            answers = await asyncio.gather(
                *(
                    random.choice([served, other]).stub.SubmitAction(request, metadata=metadata)
                    for _ in range(50)
                )
            )
            assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
            assert len(await trial.entries()) == before + 1


async def test_copies_of_the_other_requests_do_their_work_once(served: Replica, trial: Trial) -> None:
    create = pb.CreateTableRequest(request_id=str(trial.id()))
    tables = await asyncio.gather(*(served.stub.CreateTable(create) for _ in range(20)))
    assert len({str(answer) for answer in tables}) == 1
    take = pb.TakeSeatRequest(table_id=tables[0].table_id, request_id=str(trial.id()), player_name="Sami")
    seats = await asyncio.gather(*(served.stub.TakeSeat(take) for _ in range(20)))
    assert len({str(answer) for answer in seats}) == 1
    leave = pb.LeaveSeatRequest(table_id=tables[0].table_id, request_id=str(trial.id()))
    metadata = bearer(seats[0].seat_token)
    left = await asyncio.gather(*(served.stub.LeaveSeat(leave, metadata=metadata) for _ in range(20)))
    assert len({str(answer) for answer in left}) == 1
    assert len(await trial.log.read(UUID(tables[0].table_id))) == 3


async def test_all_four_seats_answer_at_once_and_none_is_lost() -> None:
    """Several are asked at once; everybody sends whatever comes to mind, again and again."""
    trial = Trial(seed=21, settings=Settings(round_pause=0, action_timeout=30 * SECOND))
    await trial.deal()
    async with replica(trial.table) as served:
        for _ in range(120):
            before = await trial.state()
            waiting = [open_ for open_ in before.questions if not open_.private]
            if not waiting:
                await trial.table.step(trial.table_id)
                continue
            actions = {open_.seat: open_.question.default for open_ in waiting}
            done = await asyncio.gather(
                *(
                    served.stub.SubmitAction(
                        acting(trial, actions.get(seat, PASS)), metadata=bearer(trial.tokens[seat])
                    )
                    for seat in SEATS
                ),
                return_exceptions=True,
            )
            answered = [each for each in done if isinstance(each, pb.SubmitActionResponse)]
            after = await trial.state()
            assert after.sequence == before.sequence + len(answered)
            assert len(answered) >= 1
            if after.status.ended:
                break


async def test_a_seat_is_shown_its_own_hand_and_nobody_else_is(trial: Trial, served: Replica) -> None:
    state = await trial.state()
    assert state.round is not None
    table_id = str(trial.table_id)
    for seat in SEATS:
        view = await TableClient(served.channel, table_id, trial.tokens[seat]).view()
        assert [number - 1 for number in view.round.hand] == list(state.round.hands[seat])
        assert view.viewer == Seat(seat) + 1
    assert not (await TableClient(served.channel, table_id).view()).round.hand
