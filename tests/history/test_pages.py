"""Lists of matches: their order, filters and pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random
from uuid import UUID

import pytest
import sqlalchemy as sa
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Team
from baloot.history import postgres
from baloot.history.fold import MatchOver, Told
from baloot.history.postgres import PostgresHistory
from baloot.history.records import MatchFilter, MatchStatus, MatchSummary
from baloot.history.schema import MatchRow
from baloot.history.tokens import Place, read_token, to_bytes, to_text, write_token
from hypothesis import given
from hypothesis import strategies as st

ANY = MatchFilter()


@pytest.fixture
async def history(migrated_url: str) -> AsyncIterator[PostgresHistory]:
    async with PostgresHistory(migrated_url) as history:
        yield history


def match(rng: Random, started_at: int) -> MatchSummary:
    players = tuple(rng.choice(["نورة", "Sami", "50% _", "x' OR 1=1"]) for _ in range(4))
    return MatchSummary(
        match_id=UUID(int=rng.getrandbits(128), version=4),
        status=rng.choice(list(MatchStatus)),
        ruleset_name="standard",
        ruleset_hash="ab" * 32,
        players=(players[0], players[1], players[2], players[3]),
        started_at=started_at,
    )


async def keep(history: PostgresHistory, matches: list[MatchSummary]) -> None:
    for begun in matches:
        over = None
        if begun.status is MatchStatus.FINISHED:
            over = MatchOver(MatchStatus.FINISHED, Team.EAST_WEST, begun.started_at + 5)
        playing = replace(begun, status=MatchStatus.PLAYING)
        kept = begun if over is None else playing
        assert await history.record(begun.match_id, None, Told(9, 9, kept, (), over, done=False))


def in_order(matches: list[MatchSummary]) -> list[UUID]:
    return [
        one.match_id for one in sorted(matches, key=lambda one: (one.started_at, one.match_id), reverse=True)
    ]


async def test_a_list_that_takes_too_long_is_given_up(
    history: PostgresHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = sa.select(MatchRow).where(sa.cast(sa.func.pg_sleep(30), sa.Text) == "x")
    await keep(history, [match(Random(1), 5)])
    monkeypatch.setattr(postgres, "page_of", lambda *_: slow)
    async with asyncio.timeout(4):
        with pytest.raises(Refusal) as refused:
            await history.list_matches()
    assert refused.value.reason is Reason.UNAVAILABLE


async def test_lists_leave_a_connection_for_all_else(
    migrated_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = sa.select(MatchRow).where(sa.cast(sa.func.pg_sleep(0.9), sa.Text) == "x")
    async with PostgresHistory(migrated_url, connections=2) as history:
        await keep(history, [match(Random(1), 5)])
        monkeypatch.setattr(postgres, "page_of", lambda *_: slow)
        lists = [asyncio.create_task(history.list_matches()) for _ in range(6)]
        await asyncio.sleep(0)
        await history.ping()
        assert not any(one.done() for one in lists)
        for one in lists:
            one.cancel()
        await asyncio.gather(*lists, return_exceptions=True)


async def walked(history: PostgresHistory, chosen: MatchFilter, size: int) -> list[UUID]:
    found, token = [], ""
    while True:
        page = await history.list_matches(chosen, size, token)
        found += [one.match_id for one in page.matches]
        token = page.next_token
        if not token:
            return found
        assert len(page.matches) == size


async def test_the_latest_started_comes_first(history: PostgresHistory) -> None:
    rng = Random(1)
    matches = [match(rng, rng.randrange(5) * 10**6) for _ in range(40)]  # many began at the same moment
    await keep(history, matches)
    for size in (1, 7, 20, 40, 100):
        assert await walked(history, ANY, size) == in_order(matches)
    assert len((await history.list_matches()).matches) == 20


async def test_filters_choose(history: PostgresHistory) -> None:
    rng = Random(2)
    matches = [match(rng, rng.randrange(10**15)) for _ in range(40)]
    await keep(history, matches)
    for status in (None, *MatchStatus):
        for name in ("", "نورة", "50% _", "x' OR 1=1", "nobody"):
            fitting = [
                one
                for one in matches
                if (status is None or one.status is status) and (not name or name in one.players)
            ]
            assert await walked(history, MatchFilter(status, name), 3) == in_order(fitting)


async def test_pages_do_not_move_when_matches_begin(history: PostgresHistory) -> None:
    rng = Random(3)
    matches = [match(rng, n) for n in range(20)]
    await keep(history, matches)
    page = await history.list_matches(size=8)
    await keep(history, [match(rng, 20 + n) for n in range(5)])
    rest = await history.list_matches(size=100, token=page.next_token)
    assert [one.match_id for one in (*page.matches, *rest.matches)] == in_order(matches)
    assert rest.next_token == ""


async def test_a_finished_match_has_its_winner(history: PostgresHistory) -> None:
    begun = replace(match(Random(4), 77), status=MatchStatus.FINISHED)
    await keep(history, [begun])
    (listed,) = (await history.list_matches()).matches
    assert listed == replace(begun, winner=Team.EAST_WEST, ended_at=82)


@pytest.mark.parametrize("size", [-1, 0, 101, 2**31 - 1])
async def test_a_page_has_1_to_100_matches(history: PostgresHistory, size: int) -> None:
    with pytest.raises(Refusal) as told:
        await history.list_matches(ANY, size)
    assert (told.value.reason, told.value.field) == (Reason.FIELD_INVALID, "page_size")


async def test_a_name_that_the_database_cannot_hold_is_refused(history: PostgresHistory) -> None:
    with pytest.raises(Refusal) as told:
        await history.list_matches(MatchFilter(player_name="a\0b"))
    assert (told.value.reason, told.value.field) == (Reason.FIELD_INVALID, "player_name")


FILTERS = st.builds(MatchFilter, st.sampled_from([None, *MatchStatus]), st.text(max_size=5))


@given(st.integers(0, 2**57), st.uuids(), FILTERS)
def test_a_token_holds_its_place(started_at: int, match_id: UUID, chosen: MatchFilter) -> None:
    last = replace(match(Random(5), started_at), match_id=match_id)
    assert read_token(write_token(last, chosen), chosen) == Place(started_at, match_id)


@given(st.integers(0, 2**50), st.uuids(), st.integers(0, 255), FILTERS)
def test_a_token_that_was_changed_is_refused(
    started_at: int, match_id: UUID, bit: int, chosen: MatchFilter
) -> None:
    raw = bytearray(to_bytes(write_token(replace(match(Random(5), started_at), match_id=match_id), chosen)))
    raw[bit // 8] ^= 1 << bit % 8
    with pytest.raises(Refusal) as told:
        read_token(to_text(bytes(raw)), chosen)
    assert (told.value.reason, told.value.field) == (Reason.FIELD_INVALID, "page_token")


@given(FILTERS, FILTERS)
def test_a_token_belongs_to_its_filter(chosen: MatchFilter, other: MatchFilter) -> None:
    token = write_token(match(Random(6), 5), chosen)
    if chosen != other:
        with pytest.raises(Refusal) as told:
            read_token(token, other)
        assert (told.value.reason, told.value.field) == (Reason.FIELD_INVALID, "page_token")


@given(st.text(max_size=60) | st.binary(max_size=40).map(lambda raw: raw.hex()))
def test_what_is_no_token_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as told:
        read_token(text, ANY)
    assert (told.value.reason, told.value.field) == (Reason.FIELD_INVALID, "page_token")


@pytest.mark.parametrize("started_at", [-1, 2**60, 2**63 - 1])
def test_a_place_at_no_time_is_refused(started_at: int) -> None:
    with pytest.raises(Refusal) as told:
        read_token(write_token(match(Random(7), started_at), ANY), ANY)
    assert told.value.reason is Reason.FIELD_INVALID
