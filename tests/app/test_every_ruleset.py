"""Every rule set that ships, at a terminal: played by somebody who types at random, and drawn at every moment."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest
from baloot.api.core.v1.play_pb2 import ClaimQaid
from baloot.api.table.v1.table_pb2 import ROUND_PHASE_CUT, TABLE_STATUS_FINISHED, RoundPhase, TableView
from baloot.app.playing import Person
from baloot.app.terminal.claims import claim_menu
from baloot.app.terminal.language import Language
from baloot.app.terminal.menu import CLAIM_KEY, menu_of
from baloot.app.terminal.narrator import Narrator
from baloot.app.terminal.table import draw_table, trick_lines
from baloot.app.terminal.terms import Word
from baloot.bots.bot import play_seat
from baloot.bots.choosing import choose
from baloot.bots.claiming import is_lenient, may_claim
from baloot.core.catalogue import NAMES, RULESETS
from baloot.core.ruleset import Cut, IllegalPlay
from baloot.core.seats import Seat

from tests.app import scenes
from tests.app.test_claims import PROMPTS, answering
from tests.app.test_playing import Typist
from tests.bots.matches import careless
from tests.bots.served import served

ROUNDS = 8
"""After so many rounds the random typist leaves, if the match is not over."""
REFUSING = (Word.NO_PROOF_YET.value.english,)


class Monkey:
    """Types any key that is offered, claims and cards against a duty included."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self.typed: Counter[str] = Counter()
        self.phases: set[RoundPhase.ValueType] = set()
        self.person: Person | None = None

    def type(self, _screen: str) -> str | None:
        assert self.person is not None
        view, menu = self.person._view, self.person._menu
        self.phases.add(view.round.phase)
        if view.round.number > ROUNDS:
            return None
        keys = [choice.key for choice in menu.choices if choice.key] if menu else ["t"]
        key = self._random.choice([*keys, "t"])
        self.typed[key] += 1
        return key


@pytest.mark.parametrize("name", NAMES)
async def test_every_rule_set_can_be_played_by_any_keys(name: str) -> None:
    monkey = Monkey(NAMES.index(name))
    async with served(seed=11) as tables:
        table = await tables.create_table(rules=name, round_pause=0)
        console, out = scenes.console()
        seat = await table.take_seat("Omar")
        person = Person(
            seat, Narrator(console), Typist(out, monkey.type, PROMPTS + REFUSING), Language.ENGLISH
        )
        monkey.person = person
        breaker = answering(await table.take_seat("A"), careless(choose, 1))
        others: list[asyncio.Task[object]] = [asyncio.create_task(breaker)]
        others += [asyncio.create_task(play_seat(await table.take_seat(bot))) for bot in ("B", "C")]
        async with asyncio.timeout(120):
            await person.play(asyncio.Event())
            await asyncio.gather(*others)
        view = await table.view()
    assert view.status == TABLE_STATUS_FINISHED or view.round.number > ROUNDS
    assert (ROUND_PHASE_CUT in monkey.phases) == (RULESETS[name].cut is Cut.PRIVILEGES)
    if RULESETS[name].illegal_play is IllegalPlay.ALLOW_WITH_QAID:
        assert monkey.typed[CLAIM_KEY] > 0


def test_a_bot_cuts_the_deck_though_no_card_is_dealt() -> None:
    view = scenes.cutting()
    assert choose(view) == view.question.call.default_call


@pytest.mark.parametrize(("viewer", "language"), [(Seat.SOUTH, Language.ENGLISH), (None, Language.ARABIC)])
@pytest.mark.parametrize("name", NAMES)
def test_every_moment_of_every_rule_set_is_drawn_and_told(
    name: str, viewer: Seat | None, language: Language
) -> None:
    to, out = scenes.console()
    narrator = Narrator(to, language)
    for update in scenes.match(3, viewer, RULESETS[name]):
        narrator.tell(update)
        to.print(draw_table(update.view, language), *trick_lines(update.view, language))
        _ask(update.view, language)
        if update.view.round.number > ROUNDS:
            break
    assert out.getvalue()


def _ask(view: TableView, language: Language) -> None:
    if view.HasField("question"):
        menu_of(view.question, view.round, language, lenient=is_lenient(view))
    if may_claim(view):
        claim_menu(view, ClaimQaid(), language)
