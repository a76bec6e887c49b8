"""Claiming a Qaid at a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing

import pytest
from baloot.api.core.v1.play_pb2 import ClaimQaid
from baloot.api.core.v1.seats_pb2 import SEAT_WEST
from baloot.api.table.v1.table_pb2 import TABLE_STATUS_FINISHED, TableView
from baloot.app.playing import Person
from baloot.app.terminal.claims import claim_menu, is_lenient
from baloot.app.terminal.menu import CLAIM_KEY, Menu
from baloot.app.terminal.narrator import Narrator
from baloot.app.terminal.terms import Language, Word
from baloot.bots.choosing import Action, choose, default_of
from baloot.bots.claiming import may_claim, provable
from baloot.client.table import TableClient
from baloot.codec.enums import CARD
from baloot.codec.play import encode_qaid_move
from baloot.codec.ruleset import encode_ruleset
from baloot.core.cards import Card
from baloot.core.errors import Refusal
from baloot.core.ruleset import Akka
from baloot.core.seats import Seat

from tests.app import scenes
from tests.app.claims import offence, view_of
from tests.app.test_playing import Typist
from tests.bots.matches import careless
from tests.bots.served import served
from tests.bots.test_claiming import PROVEN
from tests.rules.play.rounds import after
from tests.rules.play.test_qaid import claim, lenient

WANTED = [row for row in PROVEN if row[-1] is not None]


def step_towards(menu: Menu, wanted: ClaimQaid) -> str:
    """The key of the choice that a claim needs next."""
    for choice in menu.choices:
        action = choice.action
        if isinstance(action, ClaimQaid) and action.card == wanted.card:
            fits = action.ground in (0, wanted.ground) and action.proof in (0, wanted.proof)
            if fits:
                return choice.key
    raise AssertionError(f"no choice leads to {wanted}")


@pytest.mark.parametrize(
    ("position", "played", "seat", "wanted"), [row[1:] for row in WANTED], ids=[row[0] for row in WANTED]
)
def test_every_claim_that_can_be_proved_can_be_typed(
    position: tuple[str, dict[int, str]], played: str, seat: Seat, wanted: str
) -> None:
    view = view_of(after(lenient(*position, akka=Akka.MANUAL_UNCHECKED), played), seat)
    made = ClaimQaid()
    for _ in range(3):
        menu = claim_menu(view, made, Language.ENGLISH)
        assert menu is not None
        chosen = menu.chosen(step_towards(menu, encode_qaid_move(claim(wanted))))
        assert isinstance(chosen, ClaimQaid)
        made = chosen
    assert made == encode_qaid_move(claim(wanted))


def test_only_the_opponents_cards_that_a_duty_forbids_are_offered() -> None:
    menu = claim_menu(offence(), ClaimQaid(), Language.ENGLISH)
    assert menu is not None
    assert [choice.text.plain for choice in menu.choices] == ["K♠ Fahad", "8♦ Fahad", "nothing"]
    assert menu.chosen("0") == ClaimQaid()
    offenders_partner = offence()
    offenders_partner.viewer = SEAT_WEST
    assert claim_menu(offenders_partner, ClaimQaid(), Language.ENGLISH) is None


@pytest.mark.parametrize("played", ["JS 8D", "JS 8D 7S 8S 7C"])
def test_without_an_open_proof_there_is_nothing_to_choose(played: str) -> None:
    held = {1: "JS 7C", 2: "KS 8D AC", 3: "7S 8C", 4: "8S 9C"}
    view = view_of(after(lenient("sun", held), played), Seat.SOUTH)
    menu = claim_menu(view, ClaimQaid(), Language.ENGLISH)
    assert menu is not None
    duty = claim_menu(view, menu.choices[0].action, Language.ENGLISH)  # type: ignore[arg-type]
    assert duty is not None
    assert claim_menu(view, duty.choices[0].action, Language.ENGLISH) is None  # type: ignore[arg-type]


def test_a_claim_about_a_card_of_another_round_comes_to_nothing() -> None:
    view = view_of(after(lenient(*PROVEN[0][1]), PROVEN[0][2]), Seat.SOUTH)
    unknown = ClaimQaid(card=CARD.encode(Card.parse("9D")))
    assert claim_menu(view, unknown, Language.ENGLISH) is None


def test_where_illegal_cards_are_refused_nothing_is_claimed() -> None:
    assert not is_lenient(scenes.play())
    assert not may_claim(scenes.play())
    assert may_claim(scenes.at_risk())
    assert may_claim(scenes.review())


# A person at a table with one who is careless.

PROMPTS = tuple(
    word.value.english.split("{}", maxsplit=1)[0]
    for word in (Word.WHICH_CARD, Word.WHICH_DUTY, Word.WHICH_PROOF)
)


async def answering(seat: TableClient, player: Callable[[TableView], Action]) -> None:
    """Answers every question as the player says; a refusal means that somebody else has claimed."""
    answered = 0
    async with aclosing(seat.watch()) as updates:
        async for update in updates:
            if update.view.question.asked_at > answered:
                answered = update.view.question.asked_at
                try:
                    await seat.submit(player(update.view))
                except Refusal:
                    continue


async def played(type_: Callable[[Person, str], str]) -> tuple[str, TableView]:
    """Seats a person with a partner who claims nothing and two careless opponents; what was on the screen."""
    async with served(seed=5) as tables:
        table = await tables.create_table(rules=encode_ruleset(scenes.LENIENT), round_pause=0)
        console, out = scenes.console()
        seat = await table.take_seat("Omar")
        lines = Typist(out, lambda screen: type_(person, screen), PROMPTS)
        person = Person(seat, Narrator(console), lines, Language.ENGLISH)
        players = [careless(choose, 1), lambda view: default_of(view.question), careless(choose, 2)]
        others = [
            asyncio.create_task(answering(await table.take_seat(name), player))
            for name, player in zip("ABC", players, strict=True)
        ]
        async with asyncio.timeout(60):
            await person.play(asyncio.Event())
            await asyncio.gather(*others)
        return out.getvalue(), await table.view()


def claiming(person: Person, _screen: str) -> str:
    """Claims whatever can be proved, and else does the first thing that is offered."""
    wanted = provable(person._view)
    if person._claim is None:
        return "1" if wanted is None else CLAIM_KEY
    assert wanted is not None
    assert person._menu is not None
    return step_towards(person._menu, encode_qaid_move(wanted))


async def test_a_person_claims_what_opponents_break() -> None:
    screen, view = await played(claiming)
    assert view.status == TABLE_STATUS_FINISHED
    assert "Omar claims a violation (did not follow): right" in screen
    assert "Omar claims a violation (did not follow): wrong" not in screen
    assert "anything to claim?" in screen


async def test_a_claim_can_be_taken_back() -> None:
    tried: list[str] = []

    def type_(person: Person, screen: str) -> str:
        if person._claim is not None:
            tried.append(screen)
            return "0"
        return CLAIM_KEY if len(tried) < 2 and may_claim(person._view) and person._view.round.tricks else "1"

    screen, view = await played(type_)
    assert view.status == TABLE_STATUS_FINISHED
    assert tried
    assert "Omar claims" not in screen
