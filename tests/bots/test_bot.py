"""A bot at a real table: it plays to the end whatever happens to its choices."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

import pytest
from baloot.api.core.v1.auction_pb2 import CALL_KIND_GAHWA, Call
from baloot.api.core.v1.cards_pb2 import Card
from baloot.api.core.v1.play_pb2 import PlayCard
from baloot.api.table.v1.table_pb2 import TABLE_STATUS_ABANDONED, TABLE_STATUS_FINISHED, TableView
from baloot.bots import bot
from baloot.bots.bot import play_seat
from baloot.bots.choosing import Action, choose
from baloot.client.table import TableClient
from baloot.core.errors import Refusal

from tests.bots.served import served


async def _four_bots(table: TableClient) -> list[TableView]:
    seats = [await table.take_seat(name) for name in ("Noura", "Fahad", "Salem", "Huda")]
    return await asyncio.gather(*(play_seat(seat) for seat in seats))


async def test_four_bots_play_a_match_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    submitted = _count_submissions(monkeypatch)
    async with served(seed=3) as tables:
        table = await tables.create_table(round_pause=0)
        async with asyncio.timeout(60):
            views = await _four_bots(table)
    assert {view.status for view in views} == {TABLE_STATUS_FINISHED}
    assert len({(view.winner, view.sequence) for view in views}) == 1
    assert submitted["refused"] == 0, "every question is answered once, with something legal"
    assert submitted["accepted"] > 100


def _count_submissions(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    counted: Counter[str] = Counter(refused=0)
    submit = TableClient.submit

    async def counting(
        client: TableClient, action: Action, *, expected_sequence: int | None = None
    ) -> object:
        try:
            entry = await submit(client, action, expected_sequence=expected_sequence)
        except Refusal:
            counted["refused"] += 1
            raise
        counted["accepted"] += 1
        return entry

    monkeypatch.setattr(TableClient, "submit", counting)
    return counted


def _unheld_card(view: TableView) -> Action:
    """A card that the seat does not hold, and a call that nobody may make yet."""
    if view.question.WhichOneof("question") == "call":
        return Call(kind=CALL_KIND_GAHWA)
    return PlayCard(card=next(card for card in Card.values()[1:] if card not in view.round.hand))


async def test_a_bot_whose_choices_are_all_refused_does_what_the_table_would(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers: list[bool] = []
    _count_answers(monkeypatch, _unheld_card, answers)
    async with served(seed=3) as tables:
        table = await tables.create_table(round_pause=0)
        playing = asyncio.create_task(_four_bots(table))
        async with asyncio.timeout(30):
            while answers.count(True) < 40:
                await asyncio.sleep(0.01)
        view = await table.view()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    assert view.sequence > 40, "nobody waited for the clock"
    assert answers.count(False) >= 40, "every choice was refused first"


def _count_answers(
    monkeypatch: pytest.MonkeyPatch, choice: Callable[[TableView], Action], answers: list[bool]
) -> None:
    done = bot._done

    async def counted(seat: TableClient, action: Action, view: TableView) -> bool:
        answers.append(await done(seat, action, view))
        return answers[-1]

    monkeypatch.setattr(bot, "_done", counted)
    monkeypatch.setattr(bot, "choose", choice)


async def test_a_bot_ends_when_somebody_leaves() -> None:
    async with served(seed=3) as tables:
        table = await tables.create_table()
        person = await table.take_seat("Omar")
        seats = [await table.take_seat(name) for name in ("Fahad", "Salem", "Huda")]
        playing = [asyncio.create_task(play_seat(seat, think=0.01)) for seat in seats]
        await person.leave_seat()
        async with asyncio.timeout(10):
            views = await asyncio.gather(*playing)
    assert {view.status for view in views} == {TABLE_STATUS_ABANDONED}


def test_a_bot_that_is_not_asked_chooses_nothing() -> None:
    with pytest.raises(ValueError, match="not asked"):
        choose(TableView())
