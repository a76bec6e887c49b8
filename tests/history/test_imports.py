"""Matches brought as text: told as where they were played, stored once, and refused with the place of what is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID, uuid4

import grpc.aio
import pytest
import sqlalchemy as sa
from baloot.api.history.v1 import archive_pb2 as pb
from baloot.api.history.v1.history_pb2 import (
    GetMatchResponse,
    GetReplayRequest,
    ListMatchesRequest,
    MatchSummary,
)
from baloot.core.catalogue import NAMES
from baloot.core.deal import DealEnd
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Seat
from baloot.history import archive_server
from baloot.history.archive_server import NAME
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.history.rebuilding import Rebuild
from baloot.kit.database import open_engine
from baloot.kit.errors import from_rpc_error
from baloot.notation import text
from baloot.table.events import Entry

from tests.history.archives import Archive, archive, filled, refusal, refusal_alike
from tests.history.played import append_all
from tests.kit.issuing import bearer
from tests.notation.matches import EACH, log, match
from tests.postgres import fresh_database

ALL = [log(rules, seed) for rules in NAMES[:3] for seed in range(EACH)]
TEXT = text(match("standard", 2))


@pytest.fixture
async def here(migrated_url: str) -> AsyncIterator[Archive]:
    """An archive of matches that were played here."""
    async with archive(migrated_url, await filled(*ALL)) as here:
        yield here


@pytest.fixture
async def there(postgres: str, migrated: str) -> AsyncIterator[Archive]:
    """An archive of another installation, in which nothing was played."""
    async with fresh_database(postgres, migrated) as url, archive(url) as there:
        yield there


async def exported(archive: Archive, *match_ids: str, **filters: Any) -> list[pb.ExportMatchesResponse]:
    client = archive.client("player")
    if match_ids:
        return [one async for one in client.matches(match_ids)]
    return [one async for one in client.matches_of(ListMatchesRequest(**filters))]


async def test_what_is_taken_in_is_told_as_where_it_was_played(here: Archive, there: Archive) -> None:
    texts = [one.text for one in await exported(here)]
    answer = await there.organiser.import_matches("\n".join(texts))
    assert (len(answer.match_ids), answer.added) == (len(ALL), len(ALL))
    for match_id in answer.match_ids:
        assert timeless(await there.told.match(match_id)) == timeless(await here.told.match(match_id))
    again = {one.match_id: one.text for one in await exported(there)}
    assert again == {one.match_id: one.text for one in await exported(here)}
    assert {one.imported async for one in there.told.matches()} == {True}
    assert {one.imported async for one in here.told.matches()} == {False}


def timeless(told: GetMatchResponse) -> GetMatchResponse:
    """A match without what no text tells: its times, and whether it was imported."""
    plain = GetMatchResponse()
    plain.CopyFrom(told)
    for part in (plain.match, *plain.rounds):
        part.ClearField("end_time")
    plain.match.ClearField("start_time")
    plain.match.ClearField("imported")
    return plain


async def test_a_match_is_stored_once(there: Archive) -> None:
    request_id = uuid4()
    first = await there.organiser.import_matches(TEXT, request_id)
    assert await there.organiser.import_matches(TEXT, request_id) == first
    other = await there.organiser.import_matches("# typed again\n" + TEXT.replace("\n\n", "\n"))
    assert (list(other.match_ids), other.added) == (list(first.match_ids), 0)
    refused = await refusal(there.organiser.import_matches(text(match("standard")), request_id))
    assert (refused.reason, refused.field) == (Reason.REQUEST_ID_REUSED, "request_id")
    assert len([one async for one in there.told.matches()]) == 1


async def test_two_at_once_store_it_once(there: Archive) -> None:
    answers = await asyncio.gather(*(there.organiser.import_matches(TEXT) for _ in range(4)))
    assert sum(answer.added for answer in answers) == 1
    assert len({tuple(answer.match_ids) for answer in answers}) == 1


async def test_a_match_that_is_here_is_never_touched(here: Archive) -> None:
    """Neither by its own text, nor by another one that has its id; nor is one whose table history has not told yet."""
    mine = str(log("standard", 2)[0].table_id)
    before = await here.told.match(mine)
    answer = await here.organiser.import_matches(TEXT)
    assert answer.added == 1
    assert list(answer.match_ids) != [mine]
    assert await here.told.match(mine) == before
    await append_all(here.store, fresh := moved(ALL[0]))  # type: ignore[arg-type]
    answer = await here.organiser.import_matches(
        TEXT.replace(mine, str(fresh[0].table_id)).replace("\nseed", "\n# seed")
    )
    assert list(answer.match_ids) != [str(fresh[0].table_id)]
    await Projection(PublicLog(here.store), here.history).catch_up()
    assert not (await here.told.match(str(fresh[0].table_id))).match.imported


def moved(entries: Sequence[Entry]) -> Sequence[Entry]:
    table_id = UUID(int=7, version=4)
    return [replace(entry, table_id=table_id) for entry in entries]


async def test_two_matches_with_one_id_are_two(there: Archive) -> None:
    (first,) = (await there.organiser.import_matches(TEXT)).match_ids
    before = await there.told.match(first)
    changed = TEXT.replace("player south", "Noura")
    (second,) = (await there.organiser.import_matches(changed)).match_ids
    assert second != first
    assert await there.told.match(first) == before
    assert (await there.told.match(second)).match.seats[0].player_name == "Noura"
    (one,) = [one async for one in there.client().matches([second])]
    assert one.text == changed


async def test_a_match_without_an_id_gets_the_same_one_everywhere(here: Archive, there: Archive) -> None:
    typed = f'{HEAD}[South "Noura"]\n[Date "2026-03-01"]\n[Abandoned "left"]\n'
    answers = [await one.organiser.import_matches(typed) for one in (here, there)]
    assert answers[0].match_ids == answers[1].match_ids
    told = (await here.told.match(answers[0].match_ids[0])).match
    assert summed_up(told) == ("Noura", 3, 1_772_323_200)


def summed_up(told: MatchSummary) -> tuple[str, int, int]:
    return told.seats[0].player_name, told.status, told.start_time.seconds


async def test_an_imported_match_has_no_log(there: Archive) -> None:
    (match_id,) = (await there.organiser.import_matches(TEXT)).match_ids
    refused = await refusal(there.told.replay(GetReplayRequest(match_id=match_id, number=1)))
    assert (refused.reason, "imported" in refused.message) == (Reason.ROUND_UNKNOWN, True)
    refused = await refusal(anext(there.told.proof(match_id)))
    assert (refused.reason, refused.field) == (Reason.MATCH_UNKNOWN, "match_id")
    assert (
        refused.message
        == f"match {match_id} was imported as a text: it has no log here that could be verified"
    )
    assert refused.metadata == {"imported": "true"}
    refused = await refusal(anext(there.told.proof(str(UUID(int=9)))))
    assert (refused.reason, "imported" in refused.message) == (Reason.MATCH_UNKNOWN, False)


async def test_an_imported_match_is_found_and_not_summed_up(there: Archive) -> None:
    names = [f'[{seat}Account "account-{seat.lower()}"]' for seat in ("South", "East", "North", "West")]
    given = TEXT.replace("[Rules ", "\n".join([*names, "[Rules "]), 1)
    (match_id,) = (await there.organiser.import_matches(given)).match_ids
    wanted = ListMatchesRequest(player_id="account-south", partner_id="account-north")
    assert [one.match_id async for one in there.told.matches_of(wanted)] == [match_id]
    assert (await there.told.statistics("account-south")).record.matches == 0
    assert (await there.told.head_to_head("account-south", "account-east")).as_opponents.matches == 0
    assert [one async for one in there.told.partners("account-south")] == []


async def test_a_rebuild_tells_imported_matches_by_their_texts(here: Archive) -> None:
    await here.organiser.import_matches(TEXT + "\n" + text(match("pagat", 1)))
    before = {one.match.match_id: one for one in await everything(here)}
    await run(here.history, "DELETE FROM history_match")
    done = await Rebuild(here.store, here.history).run()
    assert (done.imported, done.failed) == (2, 0)
    assert {one.match.match_id: one for one in await everything(here)} == before
    await Rebuild(here.store, here.history).run()
    assert {one.match.match_id: one for one in await everything(here)} == before


async def test_a_rebuild_leaves_a_match_alone_that_was_played(here: Archive) -> None:
    (match_id,) = (await here.organiser.import_matches(TEXT)).match_ids
    mine = str(log("standard", 2)[0].table_id)
    before = await here.told.match(mine)
    await run(here.history, f"UPDATE history_import SET match_id = '{mine}' WHERE match_id = '{match_id}'")
    await Rebuild(here.store, here.history).run()
    assert await here.told.match(mine) == before


async def everything(archive: Archive) -> list[GetMatchResponse]:
    return [await archive.told.match(one.match_id) async for one in archive.told.matches()]


async def run(history: PostgresHistory, statement: str) -> None:
    engine = open_engine(history._engine.url.render_as_string(hide_password=False), "test", size=1)
    async with engine.begin() as connection:
        await connection.execute(sa.text(statement))
    await engine.dispose()


# Refused.


HEAD = '[Baloot "1"]\n'
REFUSED: dict[str, tuple[str, Reason, dict[str, str]]] = {
    "nothing": ("", Reason.FIELD_REQUIRED, {}),
    "no match": ("# no match\n", Reason.NOTATION_INVALID, {"line": "1", "column": "1"}),
    "a word": (f"{HEAD}\ndeal 1 N\nup 1S\n", Reason.NOTATION_INVALID, {"line": "4", "column": "4"}),
    "the second one": (f'{TEXT}\n{HEAD}[Winner "SN"]\n', Reason.MATCH_INVALID, {"match": "2"}),
    "a sheet": (TEXT.replace("totals ", "totals 1", 1), Reason.MATCH_INVALID, {"match": "1", "deal": "1"}),
    "a seed": (TEXT.replace("\nseed ", f"\nseed {'0' * 64} # ", 1), Reason.MATCH_INVALID, {"match": "1", "deal": "1"}),
    "a rule": (
        f"{HEAD}deal 1 S\nup 7S\ncalls W:hokum\n", Reason.MATCH_INVALID, {"match": "1", "deal": "1"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
async def test_what_is_wrong_is_refused_as_a_whole_with_its_place(there: Archive, name: str) -> None:
    given, reason, place = REFUSED[name]
    for asked in (there.client().check(given), there.organiser.import_matches(given)):
        refused = await refusal(asked)
        assert (refused.reason, refused.field) == (reason, "text")
        assert place.items() <= refused.metadata.items()
    assert [one async for one in there.told.matches()] == []


async def test_what_is_right_is_counted(there: Archive) -> None:
    answer = await there.client().check(TEXT + "\n" + text(match("pagat", 1)))
    assert (answer.matches, answer.deals) == (
        2,
        len(match("standard", 2).deals) + len(match("pagat", 1).deals),
    )
    assert [one async for one in there.told.matches()] == []


SHEET = "deal 1 S\nup 7S\ncontract sun by S\nend scored\nscore made abnat 1 1 compared 1 1 writes 1 1 totals {} 1\n"
UNKEEPABLE = {
    "a number": f"{HEAD}deal 70000 S\nup 7S\nend thrown_in\n",
    "a figure": f"{HEAD}{SHEET.format(40000)}",
    "a sheet alone": f"{HEAD}{SHEET.format(2)}".replace("contract sun by S\n", ""),
    "a name": f'{HEAD}[South "{"a" * 3000}"]\n',
    "long ago": f'{HEAD}[Date "1900-01-01"]\n',
    "to come": f'{HEAD}[Date "9999-01-01"]\n',
    "a forfeit": f'{HEAD}[Winner "SN"]\n[Forfeit "bored"]\n',
    "raises": f"{HEAD}{SHEET.format(2)}".replace("by S", f"by S {'N:double ' * 50}"),
    "no sheet": f"{HEAD}deal 1 S\nup 7S\ncontract sun by S\nend scored\n",
    "inputs": f"{HEAD}{SHEET.format(2)}line SN cards 1 - {'x=1 ' * 50}\n",
}


@pytest.mark.parametrize("name", UNKEEPABLE)
async def test_what_cannot_be_kept_is_refused_with_a_reason(there: Archive, name: str) -> None:
    refused = await refusal(there.organiser.import_matches(UNKEEPABLE[name]))
    assert refused.reason is Reason.MATCH_INVALID
    assert await refusal_alike(there, UNKEEPABLE[name], refused)
    assert [one async for one in there.told.matches()] == []


async def test_texts_of_any_size_are_answered(there: Archive) -> None:
    small = f"{HEAD}deal S up 7S end thrown_in\n"
    for given, reason in (
        (small * 101, Reason.LIMIT_EXCEEDED),
        ("#" * 1_000_001, Reason.LIMIT_EXCEEDED),
        (TEXT + "#" * (1_000_000 - len(TEXT)), None),
        ("[" * 900_000, Reason.NOTATION_INVALID),
        (HEAD + "deal 1 S\nup 7S\nplay S: " + "7S " * 300_000, Reason.NOTATION_INVALID),
        (HEAD + '[Abandoned "idle"]\ndeal 1 S\nup 7S\nplay S: ' + "7S " * 300_000, None),
    ):
        client = there.organiser
        if reason is None:
            assert (await client.import_matches(given)).match_ids
        else:
            assert (await refusal(client.import_matches(given))).reason is reason


async def test_damaged_texts_are_refused_or_right(there: Archive) -> None:
    """Whatever is done to a text: it is never an error of the server."""
    rng = Random(11)
    reasons = set()
    for _ in range(120):
        at, length = rng.randrange(len(TEXT)), rng.randrange(12)
        given = TEXT[:at] + "".join(rng.choices(TEXT, k=rng.randrange(8))) + TEXT[at + length :]
        try:
            await there.organiser.import_matches(given)
        except Refusal as refused:
            reasons.add(refused.reason)
    assert reasons == {Reason.NOTATION_INVALID, Reason.MATCH_INVALID}
    for told in await everything(there):
        assert len(told.match.seats) == 4


@pytest.mark.parametrize("roles", [(), ("player",), ("referee",), ("bot", "spectator")])
async def test_only_organisers_and_admins_bring_matches(there: Archive, roles: tuple[str, ...]) -> None:
    refused = await refusal(there.client(*roles).import_matches(TEXT))
    assert refused.reason is (Reason.ROLE_REQUIRED if roles else Reason.TOKEN_REQUIRED)
    assert (await there.client("admin").import_matches(TEXT)).added == 1


@pytest.mark.parametrize("request_id", ["", "7"])
async def test_a_request_id_is_needed(there: Archive, request_id: str) -> None:
    token = there.issuing.token(roles=["organiser"])
    pieces = [pb.ImportMatchesRequest(request_id=request_id, text=TEXT)]
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await there.stub.ImportMatches(iter(pieces), metadata=[("authorization", f"Bearer {token}")])
    assert from_rpc_error(error.value).field == "request_id"


async def test_a_piece_that_is_no_message_is_refused(there: Archive) -> None:
    ask: Any = there.channel.stream_unary(f"/{NAME}/ImportMatches")
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await ask(iter([b"\xff"]), metadata=bearer(there.issuing.token(roles=["organiser"])))
    assert from_rpc_error(error.value).reason is Reason.MALFORMED


async def test_whoever_never_ends_a_text_is_refused(there: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_server, "UPLOAD_SECONDS", 0.2)
    gone = asyncio.Event()

    async def pieces() -> AsyncIterator[pb.ImportMatchesRequest]:
        yield pb.ImportMatchesRequest(request_id=str(uuid4()), text=TEXT)
        await gone.wait()

    token = bearer(there.issuing.token(roles=["organiser"]))
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await there.stub.ImportMatches(pieces(), metadata=token)
    gone.set()
    assert from_rpc_error(error.value).reason is Reason.DEADLINE_EXCEEDED
    assert [one async for one in there.told.matches()] == []


async def test_a_match_that_was_thrown_in_only_is_told(there: Archive) -> None:
    """By hand, with the least that there is: one deal that nobody wanted, and one with a Kawesh."""
    given = f"{HEAD}deal 1 S\nup 7S\nend thrown_in\ndeal E\nup 8S\ncalls N:pass W:kawesh\nend kawesh\n"
    (match_id,) = (await there.organiser.import_matches(given)).match_ids
    told = await there.history.get_match(UUID(match_id))
    first, second = told.rounds
    assert (first.number, first.end, first.kawesh) == (1, DealEnd.THROWN_IN, None)
    assert (second.number, second.end, second.kawesh) == (2, DealEnd.KAWESH, Seat.WEST)
