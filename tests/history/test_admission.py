"""What is taken in is whole and can be shown, and a check says of a text what an import says."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from baloot.core.errors import Reason
from baloot.core.ruleset import STANDARD
from baloot.core.seats import Team
from baloot.history.imports import told_of
from baloot.history.transcripts import transcript
from baloot.notation import text
from baloot.table import events as ev
from baloot.table.events import AbandonReason, Event
from baloot.table.policy import ForfeitReason

from tests.history.archives import Archive, archive, refusal, refusal_alike
from tests.history.test_transcripts import ended, until
from tests.notation.matches import log, match

HEAD = '[Baloot "1"]\n'
TEXT = text(match("standard", 2))


@pytest.fixture
async def there(migrated_url: str) -> AsyncIterator[Archive]:
    """An archive in which nothing was played."""
    async with archive(migrated_url) as there:
        yield there


NAMED = "the value of {} has a sign that cannot be shown (U+{})"
BUY = "contract hokum-S by W\n"
NOT_TAKEN_IN = {
    "a direction": (f'{HEAD}[South "a\u202eb"]\n', 2, 8, NAMED.format("South", "202E")),
    "a line break": (f'{HEAD}[South "a\\nb"]\n', 2, 8, NAMED.format("South", "000A")),
    "no sign": (f'{HEAD}[South "a\\u0000b"]\n', 2, 8, NAMED.format("South", "0000")),
    "a blank letter": (f'{HEAD}[event  "\u3164"]\n', 2, 9, NAMED.format("Event", "3164")),
    "a blank name": (f'{HEAD}\n[West "Huda"] [North " "]\n', 3, 22, "the value of North has nothing in it that can be seen"),
    "an account": (f'{HEAD}[EastAccount "a\\tb"]\n', 2, 14, NAMED.format("EastAccount", "0009")),
    "rules": (f'{HEAD}[Rules "a\\u200bb"]\n[Option "kawesh=false"]\n', 2, 8, NAMED.format("Rules", "200B")),
    "of the second match": (f'{TEXT}\n{HEAD}[Site "\\u202e"]\n', TEXT.count("\n") + 3, 7, NAMED.format("Site", "202E")),
    "a head alone": (HEAD, 1, 13, "this match has no deal"),
    "heads alone": (HEAD * 3, 1, 13, "this match has no deal"),
    "a deal without an end": (f"{HEAD}deal S\nup 7S\n{BUY}", 4, 22, "deal 1 has no end"),
    "cut short after a deal": (f"{HEAD}deal S up 7S end thrown_in\ndeal E up 8S\n", 3, 13, "deal 2 has no end"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_TAKEN_IN)
async def test_what_is_not_taken_in_is_refused_with_its_place(there: Archive, name: str) -> None:
    given, line, column, why = NOT_TAKEN_IN[name]
    refused = await refusal(there.organiser.import_matches(given))
    assert (refused.reason, refused.field) == (Reason.NOTATION_INVALID, "text")
    assert refused.metadata == {"line": str(line), "column": str(column)}
    assert refused.message.startswith(f"line {line}, column {column}: {why}")
    assert refused.message.isprintable()
    assert await refusal_alike(there, given, refused)
    assert [one async for one in there.told.matches()] == []


@pytest.mark.parametrize(
    "given",
    [
        f'{HEAD}[Abandoned "left"]\n',
        f'{HEAD}[Winner "SN"]\n[Forfeit "no_show"]\n',
        f'{HEAD}[Abandoned "idle"]\ndeal S\nup 7S\n{BUY}',
        f'{HEAD}[South "نُورَةُ"]\n[East "❤️ Huda"]\ndeal S up 7S end thrown_in\n',
    ],
)
async def test_what_says_how_it_ended_is_taken_in(there: Archive, given: str) -> None:
    await there.client().check(given)
    assert (await there.organiser.import_matches(given)).added == 1


async def test_of_a_text_that_broke_off_within_a_deal_nothing_is_taken_in(there: Archive) -> None:
    """A match that is on has no winner yet, so only its last deal shows where it breaks off."""
    lines = re.sub(r'\[Winner "\w+"\]\n', "", TEXT).split("\n\ndeal 3 ")[0].splitlines(keepends=True)
    ends = [n for n, line in enumerate(lines) if line.startswith("end ")]
    assert len(ends) == 2
    begins = [n for n, line in enumerate(lines) if line.startswith("deal ")]
    for n in (*range(1, ends[0] + 1), *range(begins[1] + 1, ends[1] + 1)):
        assert (await refusal(there.client().check("".join(lines[:n])))).reason is Reason.NOTATION_INVALID
    assert (await there.client().check("".join(lines))).deals == 2


ENDINGS: dict[str, Event] = {
    "given up": ev.TableAbandoned(AbandonReason.IDLE),
    "forfeited": ev.MatchForfeited(Team.EAST_WEST, ForfeitReason.LEFT),
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("count", [1, 2])
async def test_a_match_that_its_table_cut_off_is_taken_in(there: Archive, count: int, ending: str) -> None:
    """In the middle of its first deal, or of a later one."""
    entries = until(log("standard"), ev.PlayStarted, count)
    given = text(transcript(ended(entries, ENDINGS[ending])))
    await there.client().check(given)
    assert (await there.organiser.import_matches(given)).added == 1


async def test_a_match_that_is_on_is_taken_in_once_a_deal_is_over(there: Archive) -> None:
    entries = log("standard")
    given = text(transcript(until(entries, ev.PlayStarted, 1)))
    assert (await refusal(there.client().check(given))).reason is Reason.NOTATION_INVALID
    given = text(transcript(until(entries, ev.RoundScored, 1)))
    await there.client().check(given)
    assert (await there.organiser.import_matches(given)).added == 1


async def test_a_text_may_have_an_older_rule_set_under_a_known_name(there: Archive) -> None:
    given = f'{HEAD}[Rules "standard"]\n[Option "match_target=1"]\ndeal S up 7S end thrown_in\n'
    (match_id,) = (await there.organiser.import_matches(given)).match_ids
    told = (await there.told.match(match_id)).match
    assert (told.ruleset_name, told.ruleset_hash == STANDARD.hash) == ("standard", False)


@pytest.mark.parametrize("kept", [HEAD, f'{HEAD}[South "a\\nb"]\ndeal S\nup 7S\n'])
def test_a_text_that_is_stored_already_is_told_as_before(kept: str) -> None:
    assert told_of(UUID(int=7), kept, 0).rounds == ()
