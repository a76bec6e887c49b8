"""Projects that their owners show, with `project_show: manual_trick2` (rules 2.22)."""

from __future__ import annotations

import pytest
from baloot.core.cards import Card
from baloot.core.contract import Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove
from baloot.core.ruleset import BalootBlock, BalootSaying, ProjectShow
from baloot.core.seats import Seat
from baloot.play import rules
from baloot.play.state import Play

from tests.rules.play.rounds import after, reason, rules_with, started, to_the_end
from tests.rules.play.test_options import credited, last_royal
from tests.rules.play.test_projects import announced, project

SHOWING = rules_with(project_show=ProjectShow.MANUAL_SECOND_TRICK)
HELD = {1: "AS KS QS JS 9H 8H 7H", 2: "JH 10H", 3: "10S 9S 8S", 4: "AD KD QD"}
SAID = {1: ["AS KS QS JS", "9H 8H 7H"], 3: ["10S 9S 8S"], 4: ["AD KD QD"]}
"""S1's side has the best with a Fifty; S4 announces a Sira."""


def second_trick() -> Play:
    return announced(started("sun", HELD, ruleset=SHOWING), SAID)


def on_to(play: Play, seat: Seat) -> Play:
    """Plays default cards until this seat is on turn."""
    while play.turn is not seat:
        assert play.turn is not None
        play = rules.play_card(play, play.turn, rules.default_move(play))
    return play


def showing(play: Play, seat: Seat, *texts: str) -> Play:
    """This seat plays its default card and shows these; whoever is before it plays on silently."""
    play = on_to(play, seat)
    shown = tuple(project(text, Mode.SUN) for text in texts)
    return rules.play_card(play, seat, CardMove(rules.default_move(play).card, shown=shown))


def counted(play: Play) -> set[str]:
    outcome = rules.outcome(to_the_end(play))
    assert outcome is not None
    return {" ".join(str(card) for card in reversed(one.project.cards)) for one in outcome.projects}


def open_to(play: Play) -> int:
    asked = rules.asked(play)
    assert asked is not None
    return len(asked.showable)


def test_manual_trick2_only_what_its_owner_shows_counts() -> None:
    play = on_to(second_trick(), Seat.SOUTH)
    assert open_to(play) == 2
    assert counted(showing(play, Seat.SOUTH, "AS KS QS JS")) == {"AS KS QS JS"}
    both = showing(showing(play, Seat.SOUTH, "AS KS QS JS"), Seat.NORTH, "10S 9S 8S")
    assert counted(both) == {"AS KS QS JS", "10S 9S 8S"}


def test_manual_trick2_a_lesser_project_that_is_shown_counts_and_beats() -> None:
    play = showing(second_trick(), Seat.SOUTH, "9H 8H 7H")
    assert counted(play) == {"9H 8H 7H"}
    while play.turn is not None:
        assert play.turn is not Seat.WEST or open_to(play) == 0
        play = rules.play_card(play, play.turn, rules.default_move(play))


def test_p_32_manual_trick2_what_is_not_announced_is_lost_all_the_same() -> None:
    play = started("sun", {1: "AS KS QS JS", 2: "9H 8H 7H"}, ruleset=SHOWING)
    play = announced(play, {2: ["9H 8H 7H"]})
    assert counted(showing(play, Seat.EAST, "9H 8H 7H")) == {"9H 8H 7H"}


def test_p_32_manual_trick2_the_other_side_shows_until_its_third_card() -> None:
    play = second_trick()
    while play.turn is not None:
        west = play.turn is Seat.WEST
        on_second_or_third = len(play.tricks) in (1, 2)
        passed = len(play.tricks) == 2 or len(play.trick) == 3
        assert (open_to(play) > 0) is (
            (west and on_second_or_third and passed)
            or (len(play.tricks) == 1 and play.turn in (Seat.SOUTH, Seat.NORTH))
        )
        play = rules.play_card(play, play.turn, rules.default_move(play))
    assert counted(play) == set()


def test_p_32_manual_trick2_what_the_other_side_shows_counts() -> None:
    play = second_trick()
    while len(play.tricks) < 2:
        assert play.turn is not None
        play = rules.play_card(play, play.turn, rules.default_move(play))
    play = showing(play, Seat.WEST, "AD KD QD")
    assert rules.step(play).shown == play.said.shown
    assert counted(play) == {"AD KD QD"}


def test_manual_trick2_is_told_with_the_card_and_refused_else() -> None:
    play = on_to(second_trick(), Seat.SOUTH)
    fifty, foreign = project("AS KS QS JS", Mode.SUN), project("AD KD QD", Mode.SUN)
    card = rules.default_move(play).card
    for shown in [(foreign,), (fifty, fifty), (project("AS KS QS", Mode.SUN),)]:
        with pytest.raises(Refusal) as refused:
            rules.play_card(play, Seat.SOUTH, CardMove(card, shown=shown))
        assert refused.value.reason is Reason.PROJECT_SHOW
        assert "second card" in refused.value.message
    step = rules.step(rules.play_card(play, Seat.SOUTH, CardMove(card, shown=(fifty,))))
    assert [one.project for one in step.shown] == [fifty]
    standard = on_to(announced(started("sun", HELD), SAID), Seat.SOUTH)
    assert reason(standard, Seat.SOUTH, CardMove(card, shown=(fifty,))) is Reason.PROJECT_SHOW


def test_manual_trick2_a_sawa_shows_what_could_still_be_shown() -> None:
    held = {1: "AS KS QS JS 10S AH AD AC", 2: "KH QH JH"}
    play = started("sun", held, ruleset=SHOWING)
    play = announced(play, {1: ["AS KS QS JS 10S"], 2: ["KH QH JH"]})
    play = on_to(play, Seat.SOUTH)
    over = rules.claim_sawa(play, Seat.SOUTH)
    step = rules.step(over)
    assert over.said.sawa is Seat.SOUTH
    assert step.outcome is not None
    assert [one.seat for one in step.outcome.projects] == [Seat.SOUTH] == [one.seat for one in step.shown]


def test_baloot_manual_a_run_that_was_not_shown_frees_from_nothing() -> None:
    ruleset = SHOWING.with_options(baloot=BalootSaying.MANUAL)
    play, queen = last_royal(ruleset, "KH QH JH 7H 8H 9H 10H AH", ["KH QH JH"], shown=False)
    shown = CardMove(queen, shown=(project("KH QH JH", Mode.HOKUM),))
    assert not credited(play, CardMove(queen))
    asked = rules.asked(play)
    assert asked is not None
    assert asked.showable == shown.shown
    assert credited(play, shown)


@pytest.mark.parametrize("shown", [True, False])
def test_scored_hundred_with_manual_trick2_looks_at_what_is_shown(shown: bool) -> None:
    ruleset = SHOWING.with_options(baloot_block=BalootBlock.SCORED_HUNDRED)
    play, queen = last_royal(ruleset, "KH QH JH 10H 9H 8S 7D 7C", ["KH QH JH 10H 9H"], shown=shown)
    asked = rules.asked(play)
    assert asked is not None
    move = CardMove(queen, shown=asked.showable if shown else ())
    assert credited(play, move) is not shown


@pytest.mark.parametrize("shown", [True, False])
def test_scored_hundred_is_free_once_the_best_side_has_shown(shown: bool) -> None:
    """S2's four queens are beaten by S1's run, if that is shown; if not, S2 may still show them."""
    held = {1: "JS 10S 9S 8S 7S 8H 7H", 2: "QS QH QD QC KH", 4: "JH 9H AH 10H"}
    ruleset = SHOWING.with_options(baloot_block=BalootBlock.SCORED_HUNDRED)
    run, queens = (project(text, Mode.HOKUM) for text in ("JS 10S 9S 8S 7S", "QS QH QD QC"))
    play = started("hokum H", held, ruleset=ruleset)
    play = rules.play_card(play, Seat.SOUTH, CardMove(Card.parse("8H"), (run,)))
    play = rules.play_card(play, Seat.EAST, CardMove(Card.parse("KH"), (queens,)))
    play = on_to(play, Seat.WEST)
    play = after(after(play, "JH"), "9H")
    play = rules.play_card(play, Seat.SOUTH, CardMove(Card.parse("7H"), shown=(run,) if shown else ()))
    play = after(play, "QH")
    assert bool(play.said.baloot) is shown
