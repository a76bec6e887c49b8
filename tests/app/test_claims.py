"""Claiming a Qaid at a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing

import pytest
from baloot.api.core.v1.play_pb2 import QAID_GROUND_NO_TRUMP, ClaimQaid, Qaid
from baloot.api.core.v1.seats_pb2 import SEAT_SOUTH, SEAT_WEST
from baloot.api.table.v1.events_pb2 import QaidClaimed, TableEntry, TableEvent
from baloot.api.table.v1.table_pb2 import TABLE_STATUS_FINISHED, TableView
from baloot.app.playing import Person
from baloot.app.terminal.claims import claim_menu, why_wrong
from baloot.app.terminal.language import Language
from baloot.app.terminal.menu import CLAIM_KEY, Menu
from baloot.app.terminal.narrator import Narrator
from baloot.app.terminal.terms import Word
from baloot.bots.choosing import Action, choose, default_of
from baloot.bots.claiming import is_lenient, may_claim, provable
from baloot.client.table import TableClient
from baloot.client.watching import Update
from baloot.codec.enums import CARD, SEAT
from baloot.codec.play import encode_qaid_move
from baloot.codec.ruleset import encode_ruleset
from baloot.core.cards import Card
from baloot.core.errors import Refusal
from baloot.core.ruleset import Akka
from baloot.core.seats import Seat

from tests.app import scenes
from tests.app.claims import offence, view_of
from tests.app.test_playing import Typist
from tests.bots.matches import LENIENT, careless
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


def test_only_the_opponents_cards_with_an_open_proof_are_offered() -> None:
    menu = claim_menu(offence(), ClaimQaid(), Language.ENGLISH)
    assert menu is not None
    assert [choice.text.plain for choice in menu.choices] == ["8♦ Fahad (trick 1, J♠ led)", "nothing"]
    assert menu.chosen("0") == ClaimQaid()
    offenders_partner = offence()
    offenders_partner.viewer = SEAT_WEST
    assert claim_menu(offenders_partner, ClaimQaid(), Language.ENGLISH) is None


@pytest.mark.parametrize("played", ["JS 8D", "JS 8D 7S 8S 7C"])
def test_without_an_open_proof_there_is_nothing_to_choose(played: str) -> None:
    held = {1: "JS 7C", 2: "KS 8D AC", 3: "7S 8C", 4: "8S 9C"}
    view = view_of(after(lenient("sun", held), played), Seat.SOUTH)
    assert claim_menu(view, ClaimQaid(), Language.ENGLISH) is None


def shown(view: TableView, made: ClaimQaid) -> list[str]:
    menu = claim_menu(view, made, Language.ENGLISH)
    assert menu is not None
    return [choice.text.plain for choice in menu.choices]


def test_only_cards_that_can_prove_the_duty_are_offered_as_proofs() -> None:
    """He may have had no spade when he threw the king: then the trump shows it, and the club does not."""
    held = {1: "KS 7C 7D", 2: "8H KC AC AD KD QD", 3: "7S 8C 9D", 4: "8S 9C 10C"}
    view = view_of(after(lenient("hokum H", held), "KS KC 7S 8S 7C AC 8C 9C 8H"), Seat.SOUTH)
    assert shown(view, ClaimQaid()) == ["K♣ Fahad (trick 1, K♠ led)", "nothing"]
    king = ClaimQaid(card=CARD.encode(Card.parse("KC")))
    assert shown(view, king) == ["did not trump", "nothing"]
    king.ground = QAID_GROUND_NO_TRUMP
    assert shown(view, king) == ["8♥ (trick 3, a lead)", "nothing"]


WRONG = [
    ("REVOKE 8D AC", "A♣ does not prove it"),
    ("REVOKE 7S KS", "7♠ is of the suit led"),
    ("NO_TRUMP 8D KS", "no open card shows that 8♦ broke this duty"),
    ("LOCKED_LEAD 7C KS", "no open card shows that 7♣ broke this duty"),
]


@pytest.mark.parametrize(("made", "why"), WRONG)
@pytest.mark.parametrize("viewer", [None, *Seat])
def test_a_wrong_claim_is_told_with_what_the_open_cards_say(made: str, why: str, viewer: Seat | None) -> None:
    view = offence()
    view.viewer = SEAT.encode_optional(viewer)
    claimer = Seat.SOUTH if "8D" in made else Seat.EAST
    qaid = Qaid(claimer=SEAT.encode(claimer), claim=encode_qaid_move(claim(made)))
    told = TableEntry(events=[TableEvent(qaid_claimed=QaidClaimed(qaid=qaid))])
    to, out = scenes.console()
    Narrator(to).tell(Update(view, told))
    assert out.getvalue().splitlines()[-1] == f"    {why}"
    told.events[0].qaid_claimed.qaid.right = True
    to, out = scenes.console()
    Narrator(to).tell(Update(view, told))
    assert why not in out.getvalue()


def test_a_wrong_claim_that_the_open_cards_bear_out_was_excused_by_a_hidden_one() -> None:
    held = {1: "KS 7C 7D", 2: "8H KC AC AS KD QD", 3: "7S 8C 9D", 4: "8S 9C 10C"}
    view = view_of(after(lenient("hokum H", held), "KS KC 7S 8S 7C AC 8C 9C 8H"), Seat.SOUTH)
    qaid = Qaid(claimer=SEAT_SOUTH, claim=encode_qaid_move(claim("NO_TRUMP KC 8H")))
    assert why_wrong(view, qaid, Language.ENGLISH) == "he held a card, not open yet, that freed him"


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
        table = await tables.create_table(rules=encode_ruleset(LENIENT), round_pause=0)
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
        return CLAIM_KEY if len(tried) < 2 and provable(person._view) else "1"

    screen, view = await played(type_)
    assert view.status == TABLE_STATUS_FINISHED
    assert tried
    assert "Omar claims" not in screen
