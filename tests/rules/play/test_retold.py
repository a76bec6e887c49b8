"""Whole rounds under any rules, told a second time from their moves: both tellings agree about everything."""

from __future__ import annotations

from collections import Counter
from random import Random

from baloot.core.cards import cards_of
from baloot.core.play import CardMove, QaidMove, SawaMove
from baloot.play import rules
from baloot.play.state import Play
from hypothesis import given

from tests.rules.play import naive
from tests.rules.play.retold import outcome, retold, showable
from tests.strategies.cards import randoms
from tests.strategies.play import finished, moments, of_some_rules


def sawas(play: Play) -> list[bool]:
    """Of each claim of the rest, whether it held: the last one may have."""
    claims = [made for made in play.moves if isinstance(made.move, SawaMove)]
    return [play.said.sawa is not None and made is play.moves[-1] for made in claims]


@given(randoms())
def test_both_tellings_agree_about_the_outcome(rng: Random) -> None:
    play = finished(rng, of_some_rules(rng))
    assert rules.outcome(play) == outcome(retold(play.record, sawas(play)))


@given(randoms())
def test_both_tellings_agree_at_every_moment(rng: Random) -> None:
    for play in moments(rng, of_some_rules(rng)):
        told = retold(play.record, sawas(play))
        assert play.said.baloot == tuple(told.baloot)
        assert play.said.shown == tuple(told.shown)
        asked = rules.asked(play)
        if asked is None:
            continue
        assert asked.seat is told.turn
        assert set(asked.showable) == showable(told, told.turn)
        start = play.start.record
        lead = told.played[len(told.played) - len(told.table)].move if told.table else None
        legal = naive.legal(
            list(cards_of(play.hands[told.turn])),
            told.table,
            told.trump,
            locked=start.contract.locked,
            akka=lead is not None and lead.akka,
            ruleset=start.ruleset,
        )
        assert {choice.card for choice in asked.legal} == legal


def test_the_rounds_of_these_tests_have_everything_in_them() -> None:
    """What is compared comes up often enough to be compared."""
    rng, seen = Random(7), Counter[str]()
    for _ in range(400):
        play = finished(rng, of_some_rules(rng))
        end = rules.outcome(play)
        assert end is not None
        cards = [made.move for made in play.moves if isinstance(made.move, CardMove)]
        seen["akka"] += any(card.akka for card in cards)
        seen["baloot"] += bool(end.baloot)
        seen["said"] += any(card.baloot for card in cards)
        seen["shown"] += bool(play.said.shown)
        seen["shown by the beaten side"] += any(one.team is not play.said.counting for one in play.said.shown)
        seen["sawa"] += end.sawa is not None
        if end.qaid is not None:
            seen[f"{end.qaid.claim.ground.name} {end.qaid.right}"] += 1
            seen["qaid after the last card"] += len(play.tricks) == 8
            seen["qaid and baloot"] += bool(end.baloot)
            seen["qaid and projects"] += bool(end.projects)
        seen["claimed"] += any(isinstance(made.move, QaidMove) for made in play.moves)
    expected = (
        "akka",
        "baloot",
        "said",
        "shown",
        "shown by the beaten side",
        "sawa",
        "WRONG_SAWA False",
        "claimed",
    )
    assert all(seen[name] > 4 for name in expected), seen
