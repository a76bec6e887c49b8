# ruff: noqa: B023 - what is defined in a loop is called in the same turn of it
"""What history tells of accounts: against the logs, summed up once more without a database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any
from uuid import UUID

import grpc.aio
import pytest
from baloot.api.history.v1 import history_pb2 as pb
from baloot.api.history.v1.history_pb2_grpc import HistoryServiceStub
from baloot.client.history import HistoryClient
from baloot.core.contract import Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.projects import ProjectKind
from baloot.core.score import RoundResult, RoundScore
from baloot.core.seats import SEATS, Seat
from baloot.history.figures import Partner, Record, Statistics
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.records import Match, MatchFilter, MatchStatus, Outcome
from baloot.kit.errors import from_rpc_error
from baloot.table.events import SECOND
from baloot.table.memory import MemoryStore

from tests.history.accounts import Accounts, seated
from tests.history.played import append_all, expected, forfeits, logbooks, owners_show, states
from tests.history.test_service import served
from tests.postgres import fresh_database

PEOPLE = ("noura", "fahad", "salem", "huda", "omar")


async def crowd() -> tuple[MemoryStore, list[Match]]:
    """Matches of five accounts and some guests, in every status, some of them begun at the same moment."""
    rng = Random(5)
    played = [(log, states(log)) for log in (*logbooks()[:4], forfeits()[0], owners_show())]
    store, matches = MemoryStore(), []
    for n in range(18):
        chosen = [who if rng.random() < 0.9 else "" for who in rng.sample(PEOPLE, 4)]
        accounts: Accounts = (chosen[0], chosen[1], chosen[2], chosen[3])
        log, known = played[n % len(played)]
        log = seated(log, UUID(int=rng.getrandbits(128), version=4), accounts, n // 3 * 60 * SECOND)
        await append_all(store, log, known)
        match = expected(log)
        assert match is not None
        matches.append(match)
    return store, matches


@dataclass
class Told:
    """History, and what it must tell."""

    history: PostgresHistory
    matches: list[Match]

    def where(self, fits: Callable[[Match], bool]) -> list[UUID]:
        fitting = [match.summary for match in self.matches if fits(match)]
        ordered = sorted(fitting, key=lambda one: (one.started_at, one.match_id), reverse=True)
        return [one.match_id for one in ordered]

    async def listed(self, chosen: MatchFilter, size: int = 3) -> list[UUID]:
        found, token = [], ""
        for _ in range(40):
            page = await self.history.list_matches(chosen, size, token)
            found += [one.match_id for one in page.matches]
            token = page.next_token
            if not token:
                break
        return found


@pytest.fixture(scope="module")
def told_in(postgres: str, migrated: str) -> Iterator[tuple[str, list[Match]]]:
    """The address of a database in which the crowd is told; nobody changes it."""
    with asyncio.Runner() as runner:
        database = fresh_database(postgres, migrated)
        url = runner.run(database.__aenter__())
        try:
            yield url, runner.run(_told(url))
        finally:
            runner.run(database.__aexit__(None, None, None))


async def _told(url: str) -> list[Match]:
    store, matches = await crowd()
    async with PostgresHistory(url) as history:
        await Projection(store, history).catch_up()
    return matches


@pytest.fixture
async def told(told_in: tuple[str, list[Match]]) -> AsyncIterator[Told]:
    url, matches = told_in
    async with PostgresHistory(url) as history:
        yield Told(history, matches)


def seat_of(match: Match, who: str) -> Seat | None:
    ids = match.summary.player_ids
    return SEATS[ids.index(who)] if who in ids else None


def together(match: Match, who: str, other: str) -> bool | None:
    """Whether two accounts sat side by side; None if not both were there."""
    ours, theirs = seat_of(match, who), seat_of(match, other)
    return None if ours is None or theirs is None else ours.team is theirs.team


def won(match: Match, who: str) -> bool | None:
    seat, winner = seat_of(match, who), match.summary.winner
    return None if seat is None or winner is None else winner is seat.team


async def test_a_match_tells_its_accounts(told: Told) -> None:
    for match in told.matches:
        assert await told.history.get_match(match.summary.match_id) == match
    assert any("" in match.summary.player_ids for match in told.matches)


async def test_matches_are_found_by_account_partner_and_opponent(told: Told) -> None:
    for who in PEOPLE:
        assert await told.listed(MatchFilter(player_id=who)) == told.where(
            lambda match: seat_of(match, who) is not None
        )
        for other in PEOPLE:
            beside, against = (
                MatchFilter(player_id=who, partner_id=other),
                MatchFilter(player_id=who, opponent_id=other),
            )
            if who != other:
                assert await told.listed(beside) == told.where(
                    lambda match: together(match, who, other) is True
                )
                assert await told.listed(against) == told.where(
                    lambda match: together(match, who, other) is False
                )


async def test_filters_apply_together(told: Told) -> None:
    first, *_, last = sorted(match.summary.started_at for match in told.matches)
    middle = (first + last) // 2
    for who, partner in combinations(PEOPLE[:3], 2):
        for outcome, status in ((Outcome.WON, None), (Outcome.LOST, None), (None, MatchStatus.ABANDONED)):
            chosen = MatchFilter(
                player_id=who, partner_id=partner, opponent_id="omar", outcome=outcome, status=status
            )
            assert await told.listed(chosen) == told.where(
                lambda match: (
                    together(match, who, partner) is True
                    and together(match, who, "omar") is False
                    and (outcome is None or won(match, who) is (outcome is Outcome.WON))
                    and (status is None or match.summary.status is status)
                )
            )
        later = MatchFilter(player_id=who, ruleset_name="short", started_after=middle, player_name="HUDA")
        assert await told.listed(later) == told.where(
            lambda match: (
                seat_of(match, who) is not None
                and match.summary.ruleset_name == "short"
                and match.summary.started_at >= middle
                and "HUDA" in match.summary.players
            )
        )
    before = MatchFilter(started_before=middle, started_after=first)
    assert await told.listed(before) == told.where(lambda match: match.summary.started_at < middle)
    assert await told.listed(MatchFilter(event_id="cup")) == []


def summed(matches: Iterable[Match], who: str) -> Record:
    """The sums of finished matches, plainly."""
    figures = dict.fromkeys(Record.__dataclass_fields__, 0)
    last: tuple[int, UUID] | None = None
    for match in matches:
        seat, summary = seat_of(match, who), match.summary
        assert seat is not None
        scores = [round_.score for round_ in match.rounds if round_.score is not None]
        figures["matches"] += 1
        figures["wins"] += summary.winner is seat.team
        figures["rounds"] += len(scores)
        figures["points"] += summary.scores[seat.team]
        figures["points_against"] += summary.scores[seat.team.other]
        figures["kaboots"] += sum(is_kaboot(score, seat) for score in scores)
        figures["kaboots_against"] += sum(is_kaboot(score, seat.next) for score in scores)
        last = max(last or (0, UUID(int=0)), (summary.started_at, summary.match_id))
    del figures["last_match"], figures["last_started_at"]
    return Record(**figures, last_match=last[1] if last else None, last_started_at=last[0] if last else None)


def is_kaboot(score: RoundScore, seat: Seat) -> bool:
    return score.result is RoundResult.KABOOT and score.round_winner is seat.team


def finished(told: Told, fits: Callable[[Match], bool]) -> list[Match]:
    return [match for match in told.matches if match.summary.status is MatchStatus.FINISHED and fits(match)]


async def test_head_to_head_sums_up_finished_matches(told: Told) -> None:
    kaboots = 0
    for who in PEOPLE:
        for other in PEOPLE:
            both = await told.history.head_to_head(who, other)
            if who == other:
                assert both.as_opponents == both.as_partners == Record()
                continue
            against = finished(told, lambda match: together(match, who, other) is False)
            beside = finished(told, lambda match: together(match, who, other) is True)
            assert both.as_opponents == summed(against, who)
            assert both.as_partners == summed(beside, who)
            kaboots += both.as_opponents.kaboots + both.as_partners.kaboots_against
    assert kaboots > 0, "without one, little is proved"


async def test_partners_come_in_order_and_page_by_page(told: Told) -> None:
    for who in PEOPLE:
        listed: list[Partner] = []
        token = ""
        for _ in PEOPLE:
            page = await told.history.partners(who, 1, token)
            listed += page.partners
            token = page.next_token
            if not token:
                break
        records = {
            other: summed(finished(told, lambda match: together(match, who, other) is True), who)
            for other in PEOPLE
            if other != who
        }
        known = sorted((-record.matches, other) for other, record in records.items() if record.matches)
        assert [(-one.record.matches, one.player_id) for one in listed] == known
        assert [one.record for one in listed] == [records[other] for _, other in known]
        assert all(one.player_name == one.player_id.upper() for one in listed)


async def test_statistics_are_those_of_the_sheets(told: Told) -> None:
    for who in PEOPLE:
        matches = finished(told, lambda match: seat_of(match, who) is not None)
        pairs = [(seat_of(match, who), round_) for match in matches for round_ in match.rounds]
        bought = [
            (seat, round_)
            for seat, round_ in pairs
            if round_.contract is not None and round_.contract.buyer is seat
        ]
        results = [
            round_.score.round_winner is seat.team
            for seat, round_ in bought
            if round_.score is not None and round_.score.round_winner is not None
        ]
        modes = [round_.contract.mode for _, round_ in bought if round_.contract is not None]
        kinds = [
            owned.project.kind for seat, round_ in pairs for owned in round_.projects if owned.seat is seat
        ]
        raises = [
            made
            for seat, round_ in pairs
            if round_.contract is not None
            for made in round_.contract.raises
            if made.seat is seat
        ]
        assert await told.history.statistics(who) == Statistics(
            summed(matches, who),
            len(bought),
            results.count(True),
            results.count(False),
            modes.count(Mode.SUN),
            modes.count(Mode.HOKUM),
            len(raises),
            tuple((kind, kinds.count(kind)) for kind in ProjectKind if kind in kinds),
        )


async def test_who_never_played_has_nothing(told: Told) -> None:
    assert await told.history.statistics("nobody") == Statistics()
    assert (await told.history.partners("nobody")).partners == ()


@pytest.fixture
async def channel(told: Told) -> AsyncIterator[grpc.aio.Channel]:
    async with served(told.history) as channel:
        yield channel


async def test_the_wire_tells_the_same(told: Told, channel: grpc.aio.Channel) -> None:
    client = HistoryClient(channel)
    both = await client.head_to_head("noura", "fahad")
    known = await told.history.head_to_head("noura", "fahad")
    assert both.as_opponents.matches == known.as_opponents.matches > 0
    assert both.as_opponents.average_margin == known.as_opponents.average_margin
    assert both.as_opponents.last_match_id == str(known.as_opponents.last_match)
    assert [one.player_id async for one in client.partners("noura")] == [
        one.player_id for one in (await told.history.partners("noura")).partners
    ]
    statistics, sums = await client.statistics("noura"), await told.history.statistics("noura")
    assert (statistics.bought, statistics.khosara) == (sums.bought, sums.khosara)
    wanted = pb.ListMatchesRequest(player_id="noura", outcome=pb.OUTCOME_WON, page_size=2)
    listed = [UUID(match.match_id) async for match in client.matches_of(wanted)]
    assert listed == await told.listed(MatchFilter(player_id="noura", outcome=Outcome.WON))


FAR = {"seconds": 300_000_000_000}
BAD: dict[str, tuple[str, dict[str, Any], Reason, str]] = {
    "a partner of nobody": ("ListMatches", {"partner_id": "a"}, Reason.FIELD_REQUIRED, "player_id"),
    "an opponent of nobody": ("ListMatches", {"opponent_id": "a"}, Reason.FIELD_REQUIRED, "player_id"),
    "an outcome for nobody": ("ListMatches", {"outcome": 1}, Reason.FIELD_REQUIRED, "player_id"),
    "an unknown outcome": (
        "ListMatches", {"player_id": "a", "outcome": 7}, Reason.FIELD_INVALID, "outcome",
    ),
    "no text": ("ListMatches", {"event_id": "a\0"}, Reason.FIELD_INVALID, "event_id"),
    "a time that never comes": (
        "ListMatches", {"started_after": FAR}, Reason.FIELD_INVALID, "started_after",
    ),
    "a time before all": (
        "ListMatches", {"started_before": {"seconds": -1}}, Reason.FIELD_INVALID, "started_before",
    ),
    "nobody": ("GetHeadToHead", {"other_player_id": "a"}, Reason.FIELD_REQUIRED, "player_id"),
    "nobody else": ("GetHeadToHead", {"player_id": "a"}, Reason.FIELD_REQUIRED, "other_player_id"),
    "partners of nobody": ("GetPartners", {}, Reason.FIELD_REQUIRED, "player_id"),
    "no partners": ("GetPartners", {"player_id": "a", "page_size": 0}, Reason.FIELD_INVALID, "page_size"),
    "a token that is none": (
        "GetPartners", {"player_id": "a", "page_token": "AAAA"}, Reason.FIELD_INVALID, "page_token",
    ),
    "figures of nobody": ("GetPlayerStatistics", {}, Reason.FIELD_REQUIRED, "player_id"),
    "no account": ("GetPlayerStatistics", {"player_id": "\0"}, Reason.FIELD_INVALID, "player_id"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
async def test_what_cannot_be_asked_is_refused(channel: grpc.aio.Channel, case: str) -> None:
    method, fields, reason, path = BAD[case]
    request = getattr(pb, f"{method}Request")(**fields)
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await getattr(HistoryServiceStub(channel), method)(request)
    refusal = from_rpc_error(error.value)
    assert (refusal.reason, refusal.field) == (reason, path)


async def test_a_token_of_other_partners_is_refused(told: Told) -> None:
    token = (await told.history.partners("noura", 1)).next_token
    for foreign in (token[:-1] + ("A" if token[-1] != "A" else "B"), "B" + token[1:], token + "AAAA"):
        with pytest.raises(Refusal) as refused:
            await told.history.partners("noura", 1, foreign)
        assert (refused.value.reason, refused.value.field) == (Reason.FIELD_INVALID, "page_token")
    with pytest.raises(Refusal):
        await told.history.partners("fahad", 1, token)
