"""What each step tells, and when it tells nothing (rules 2.22, 2.25, 2.34)."""

from __future__ import annotations

import pytest
from baloot.core.cards import Card
from baloot.core.contract import Mode
from baloot.core.play import CardMove, PlayAsked, PlayStep
from baloot.core.projects import Project, SeatProject
from baloot.core.ruleset import Akka, BalootBlock, BalootSaying, HundredOrder, ProjectTie
from baloot.core.seats import Seat
from baloot.play import rules
from baloot.play.projects import winning_team
from baloot.play.state import Play
from hypothesis import given

from tests.rules.play.rounds import DEALER, after, rules_with, started
from tests.rules.play.test_projects import project
from tests.rules.play.test_sawa import announcing, sentence, trick
from tests.rules.play.test_showing import SHOWING
from tests.strategies.play import plays

SOUTH, EAST, NORTH, WEST = Seat


def steps(play: Play, leads: str) -> list[PlayStep]:
    """The steps of some tricks that the same seat leads; the others play default cards."""
    told = []
    for lead in leads.split():
        play = after(play, lead)
        told.append(rules.step(play))
        while play.trick:
            assert play.turn is not None
            play = rules.play_card(play, play.turn, rules.default_move(play))
            told.append(rules.step(play))
    return told


def announcing_one(play: Play, lead: str, owner: Seat, one: Project) -> Play:
    """The first trick, in which one seat announces one project."""
    card = Card.parse(lead)
    for _ in range(4):
        assert play.turn is not None
        said = (one,) if play.turn is owner else ()
        play = rules.play_card(play, play.turn, CardMove(card, said))
        card = rules.default_move(play).card
    return play


@pytest.mark.parametrize("pair", ["KH QH", "QH KH"])
def test_a_baloot_comes_with_the_second_of_its_cards_and_with_no_other(pair: str) -> None:
    play = started("hokum H", {1: "KH QH JH AH 10H 9H AS AC"})
    credited = [step.baloot for step in steps(play, f"9H {pair} JH AS")]
    assert [place for place, baloot in enumerate(credited) if baloot] == [8]


@pytest.mark.parametrize(("position", "seat", "place"), [(1, SOUTH, 0), (2, EAST, 1), (4, WEST, 3)])
def test_a_project_is_shown_with_its_owners_second_card(position: int, seat: Seat, place: int) -> None:
    held = {1: "AS KS QS AH AD AC 10C KC", 2: "KH QH JH", 4: "KD QD JD"}
    said = {1: "AS KS QS", 2: "KH QH JH", 4: "KD QD JD"}[position]
    play = announcing_one(started("sun", held), "AS", seat, project(said, Mode.SUN))
    assert rules.step(play).shown == ()
    shown = [step.shown for step in steps(play, "AD AC")]
    assert shown[place] == (SeatProject(seat, project(said, Mode.SUN)),)
    assert sum(map(len, shown)) == 1


def test_a_refused_sawa_shows_nothing_and_asks_the_same_again() -> None:
    play = announcing(started("sun", {1: "AS KS QS 7H 8H 7D 7C 8C", 2: "AH AD AC"}), "AS")
    step = rules.step(rules.claim_sawa(play, SOUTH))
    assert step.sawa is False
    assert step.shown == ()
    asked = rules.asked(play)
    assert asked is not None
    assert step.asked is not None
    assert (step.asked.seat, step.asked.legal) == (SOUTH, asked.legal)
    assert not step.asked.sawa


def test_a_sawa_in_the_middle_of_a_trick_is_refused_for_that() -> None:
    play = trick(
        started("sun", {1: "AS AH AD AC 10S 10H 10D 10C"}, ruleset=rules_with(sawa_max_cards=4)), "AS"
    )
    assert sentence(play) == "Sawa is claimed with 4 cards at most (rule 2.34)"
    assert sentence(after(play, "AH")) != sentence(play)


def test_the_start_of_a_play_prints_nothing_of_its_cards() -> None:
    assert repr(started("hokum H", {}).start) == "██"


def question(play: Play) -> PlayAsked:
    asked = rules.asked(play)
    assert asked is not None
    return asked


def test_a_hundred_that_may_yet_be_shown_keeps_the_baloot_from_being_said() -> None:
    ruleset = SHOWING.with_options(baloot=BalootSaying.MANUAL, baloot_block=BalootBlock.SCORED_HUNDRED)
    held = {1: "7C 8C 9C 10C JC 7H JH 9H", 2: "QS QH QD QC KH AH 10H 7S", 3: "8H", 4: "AS KS"}
    play = started("hokum H", held, ruleset=ruleset)
    said = {SOUTH: ("7C 8C 9C 10C JC", "7H"), EAST: ("QS QH QD QC", "KH")}
    for seat, (text, card) in said.items():
        play = rules.play_card(play, seat, CardMove(Card.parse(card), (project(text, Mode.HOKUM),)))
    play = after(after(play, "8H"), "AS")
    assert (play.turn, play.said.counting) == (EAST, SOUTH.team)
    asked = question(play)
    assert {"QH", "7S"} < {str(choice.card) for choice in asked.legal}
    assert not any(choice.baloot for choice in asked.legal)


@pytest.mark.parametrize("said", [said for said in Akka if said is not Akka.OFF])
def test_akka_is_not_offered_in_sun(said: Akka) -> None:
    asked = question(started("sun", {1: "7S AS 10S"}, ruleset=rules_with(akka=said)))
    assert not any(choice.akka for choice in asked.legal)


@pytest.mark.parametrize(
    ("order", "best"),
    [(HundredOrder.RUN_FIRST, "10S JS QS KS AS"), (HundredOrder.FOUR_FIRST, "KS KH KD KC")],
)
def test_the_first_declaration_is_the_best_by_the_order_of_the_rule_set(
    order: HundredOrder, best: str
) -> None:
    ruleset = rules_with(hundred_order=order, max_projects_per_player=1)
    asked = question(started("sun", {1: "10S JS QS KS AS KH KD KC"}, ruleset=ruleset))
    assert asked.declarations[0] == (project(best, Mode.SUN),)


@pytest.mark.parametrize(
    ("tie", "first", "second"),
    [(ProjectTie.SEAT_ORDER, "QS KS AS", "QH KH AH"), (ProjectTie.TRUMP_FIRST, "QH KH AH", "QS KS AS")],
)
def test_of_two_equal_runs_the_one_in_trumps_stands_first_where_that_decides(
    tie: ProjectTie, first: str, second: str
) -> None:
    asked = question(started("hokum H", {1: "AS KS QS AH KH QH 7D 7C"}, ruleset=rules_with(project_tie=tie)))
    runs = project(first, Mode.HOKUM), project(second, Mode.HOKUM)
    assert asked.declarations == (runs, runs[:1], runs[1:])


def test_nobodys_projects_count_where_nothing_was_announced() -> None:
    assert winning_team((), DEALER) is None


@given(plays())
def test_nothing_of_a_trick_is_carried_into_the_next(play: Play) -> None:
    if not play.trick:
        assert (play.best, play.akka) == (0, False)
