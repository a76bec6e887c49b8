"""Matches as text over the wire: given out as the logs tell them, and nothing that is hidden."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any
from uuid import UUID, uuid4

import grpc.aio
import pytest
from baloot.api.history.v1 import archive_pb2 as pb
from baloot.api.history.v1.history_pb2 import (
    ListMatchesRequest,
)
from baloot.core.catalogue import NAMES
from baloot.core.errors import Reason, Refusal
from baloot.history.checked import disagreement
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.history.transcripts import transcript
from baloot.kit.errors import from_rpc_error
from baloot.notation import parse, text
from baloot.table import events as ev
from baloot.table.events import SECOND, Entry, Settings
from baloot.table.memory import MemoryStore
from baloot.table.store import SecretsSealed

from tests.history.archives import Archive, archive, filled
from tests.history.played import append_all, states
from tests.notation.matches import EACH, log, match
from tests.postgres import fresh_database
from tests.table.trial import Trial

ALL = [log(rules, seed) for rules in NAMES[:3] for seed in range(EACH)]
TEXT = text(match("standard", 2))


@pytest.fixture
async def here(migrated_url: str) -> AsyncIterator[Archive]:
    """An archive of matches that were played here."""
    async with archive(migrated_url, await filled(*ALL)) as here:
        yield here


@pytest.fixture
async def small(migrated_url: str) -> AsyncIterator[Archive]:
    """An archive of one match that was played here."""
    async with archive(migrated_url, await filled(ALL[0])) as small:
        yield small


@pytest.fixture
async def there(postgres: str, migrated: str) -> AsyncIterator[Archive]:
    """An archive of another installation, in which nothing was played."""
    async with fresh_database(postgres, migrated) as url, archive(url) as there:
        yield there


async def refusal(asked: Any) -> Refusal:
    with pytest.raises(Refusal) as refused:
        await asked
    return refused.value


async def exported(archive: Archive, *match_ids: str, **filters: Any) -> list[pb.ExportMatchesResponse]:
    client = archive.client("player")
    if match_ids:
        return [one async for one in client.matches(match_ids)]
    return [one async for one in client.matches_of(ListMatchesRequest(**filters))]


# Given out.


async def test_matches_are_given_out_as_their_logs_tell_them(here: Archive) -> None:
    every = await exported(here)
    assert {one.match_id: one.text for one in every} == {
        str(log[0].table_id): text(transcript(log)) for log in ALL
    }
    listed = [one.match_id async for one in here.told.matches()]
    assert [one.match_id for one in every] == listed
    assert all(disagreement(told) is None for one in every for told in parse(one.text))


async def test_they_are_given_out_by_their_ids_and_by_filters(here: Archive) -> None:
    wanted = [str(entries[0].table_id) for entries in (ALL[4], ALL[1])]
    assert [one.match_id for one in await exported(here, *wanted)] == wanted
    some = await exported(here, ruleset_name=NAMES[1])
    assert {one.match_id for one in some} == {str(log(NAMES[1], seed)[0].table_id) for seed in range(EACH)}


async def test_an_export_goes_on_after_a_break(here: Archive) -> None:
    every = [one.match_id for one in await exported(here)]
    for n, one in enumerate(await exported(here)):
        rest = await exported(here, page_token=one.page_token)
        assert [late.match_id for late in rest] == every[n + 1 :]


@pytest.mark.parametrize(
    ("request_", "reason", "field"),
    [
        (pb.ExportMatchesRequest(match_ids=["7"]), Reason.FIELD_INVALID, "match_ids[0]"),
        (pb.ExportMatchesRequest(match_ids=[str(uuid4())] * 101), Reason.FIELD_INVALID, "match_ids"),
        (pb.ExportMatchesRequest(match_ids=[str(ALL[0][0].table_id), str(uuid4())]), Reason.MATCH_UNKNOWN, "match_id"),
        (pb.ExportMatchesRequest(match_ids=[str(uuid4())], filter=ListMatchesRequest()), Reason.FIELD_INVALID, "filter"),
        (pb.ExportMatchesRequest(filter=ListMatchesRequest(page_token="?")), Reason.FIELD_INVALID, "page_token"),
    ],
    ids=["no id", "too many", "unknown", "both", "token"],
)  # fmt: skip
async def test_an_export_is_refused_before_its_first_match(
    small: Archive, request_: pb.ExportMatchesRequest, reason: Reason, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await small.stub.ExportMatches(request_).read()
    refused = from_rpc_error(error.value)
    assert (refused.reason, refused.field) == (reason, field)


class Sealed(MemoryStore):
    """A store that has no key."""

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        if secrets:
            raise SecretsSealed("sealed")
        return await super().read(table_id, after, limit, secrets=secrets)


async def test_without_a_key_an_export_says_so(migrated_url: str) -> None:
    store = Sealed()
    await append_all(store, ALL[0])
    async with archive(migrated_url, store) as sealed:
        refused = await refusal(exported(sealed))
    assert refused.reason is Reason.UNAVAILABLE
    assert "no key to open the hands" in refused.message


# A match that is on.


async def test_nothing_hidden_of_a_match_that_is_on_is_given_out(migrated_url: str) -> None:
    """After every entry: the text tells no card of a hand that nobody has shown, and no seed that is not revealed."""
    hidden = 0
    entries = next(log(rules, 1) for rules in NAMES if void(log(rules, 1)))
    known, written = states(tuple(entries)), 0
    store = MemoryStore()
    async with archive(migrated_url, store) as live:
        projection = Projection(PublicLog(store), live.history)
        for at in moments(entries):
            await append_all(store, entries[written:at], known[written:at])
            written = at
            await projection.catch_up()
            (one,) = await exported(live)
            (told,) = parse(one.text)
            assert one.text == text(transcript(entries[:at]))
            over = {*ended(entries[:at]), *void(entries[:at])}
            assert {deal.number for deal in told.deals} == over
            waiting = [deal for deal in told.deals if deal.number == begun(entries[:at]) and not deal.score]
            assert all(not deal.first and not deal.hands and deal.proof.seed is None for deal in waiting)
            hidden += len(waiting)
    assert hidden


def moments(entries: Sequence[Entry]) -> list[int]:
    """After so many entries a round has ended, or some cards later."""
    over = [n for n, entry in enumerate(entries, 1) if any(isinstance(e, OVER) for e in entry.events)]
    return sorted({*over, *(n + 3 for n in over if n + 3 <= len(entries))})


OVER = (ev.RoundScored, ev.DealVoid)


def numbers(entries: Sequence[Entry], kind: type[ev.Event]) -> Iterator[int]:
    number = 0
    for entry in entries:
        for event in entry.events:
            if isinstance(event, ev.RoundDealt):
                number = event.dealt.number
            if isinstance(event, kind):
                yield number


def ended(entries: Sequence[Entry]) -> list[int]:
    return list(numbers(entries, ev.RoundScored))


def void(entries: Sequence[Entry]) -> list[int]:
    return list(numbers(entries, ev.DealVoid))


def begun(entries: Sequence[Entry]) -> int:
    """The number of the last deal that has begun."""
    opened = [
        event.number for entry in entries for event in entry.events if isinstance(event, ev.RoundOpened)
    ]
    return max([*numbers(entries, ev.RoundDealt), *opened])


async def test_an_export_keeps_the_delay_of_the_table(migrated_url: str) -> None:
    trial = Trial(3, Settings(round_pause=0, spectator_delay=60 * SECOND))
    await trial.fill()
    await trial.play(150)
    async with archive(migrated_url, trial.log) as late:
        assert await exported(late) == []
        trial.clock.pass_(61 * SECOND)
        await Projection(PublicLog(trial.log), late.history).catch_up()
        known = len(await trial.entries())
        await trial.play(150)
        (one,) = await exported(late)
        assert one.text == text(transcript((await trial.entries())[:known]))
