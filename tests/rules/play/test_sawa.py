"""Sawa: when it may be claimed, when a claim holds, and what it brings (rules 2.34)."""

from __future__ import annotations

from random import Random

import pytest
from baloot.core.cards import CARDS, Card, Hand, Suit
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove, Qaid, QaidGround, QaidMove, SawaMove, SeatMove
from baloot.core.ruleset import STANDARD, Ruleset, Sawa, SawaPenalty
from baloot.core.seats import SEATS, TEAMS, Seat
from baloot.play import rules
from baloot.play.legality import Terms
from baloot.play.sawa import sawa_holds, winning_order
from baloot.play.state import Play
from hypothesis import given

from tests.rules.play import naive
from tests.rules.play.rounds import after, cards, reason, rules_with, started, terms_of
from tests.strategies.cards import randoms
from tests.strategies.play import moments, play_ruleset, record

SURE = [
    # name, contract, claimer, right, partner, left, holds
    ("one top card", "sun", "AS", "KS", "QS", "7S", True),
    ("a card of a suit nobody has", "sun", "7S", "KH", "QH", "7D", True),
    ("one higher card anywhere", "sun", "KS", "10S", "7H", "8H", False),
    ("the partner's higher card breaks it too", "sun", "KS", "7H", "10S", "8H", False),
    ("the top ones draw the others", "sun", "AS 10S 7S", "KS QS 8H", "JS 9S 8D", "8S 7H 7D", True),
    ("but not three of them", "sun", "AS 10S 7S", "KS QS 8S", "JS 9S 8D", "9H 7H 7D", False),
    ("a guard is kept while other suits are led", "sun", "AS AH QH", "KH 7H 7D", "7S 8S 9S", "8H 8D 9D", False),
    ("top cards of all suits", "sun", "AS AH AD AC", "10S 10H 10D 10C", "KS KH KD KC", "QS QH QD QC", True),
    ("the last trump", "hokum H", "7H", "AS", "AD", "AC", True),
    ("a plain top card while a trump is out", "hokum H", "AS", "7H", "AD", "AC", False),
    ("the same when its holder must follow", "hokum H", "AS 10S", "7H 7S", "AD AC", "KC KD", False),
    ("the trump is drawn first", "hokum H", "JH AS", "7H 7D", "AD AC", "KC KD", True),
    ("but not in a locked round", "hokum H locked", "JH AS", "7H 7D", "AD AC", "KC KD", False),
    ("in a locked round after following", "hokum H locked", "JH AS", "7H 7S", "AD AC", "KC KD", True),
    ("two trumps against one draw", "hokum H", "JH AS", "8H 7H", "AD AC", "KC KD", False),
    ("two trumps against two draws", "hokum H", "JH 9H AS", "8H 7H 7D", "AD AC 7C", "KC KD 8C", True),
    ("a higher trump out", "hokum H", "9H AS", "JH 7S", "AD AC", "KC KD", False),
    ("the partner's trump breaks a plain lead", "hokum H", "AS", "AD", "7H", "AC", False),
    ("a trump Ace is under the nine", "hokum H", "AH", "7S", "7D", "9H", False),
    ("it must be used up, and is", "hokum H", "AS KS", "7S 7H", "8S 10D", "9S QD", False),
    ("all follow as often as they must", "hokum H", "AS 10S", "7S 8S", "9S JS", "QS KS", True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "bought", "claimer", "right", "partner", "left", "holds"), SURE, ids=[row[0] for row in SURE]
)
def test_a_claim(
    name: str, bought: str, claimer: str, right: str, partner: str, left: str, holds: bool
) -> None:
    on = terms_of(bought)
    hands = [Hand.parse(text) for text in (claimer, right, partner, left)]
    seated = [list(hand) for hand in hands]
    assert sawa_holds(on, [hand.mask for hand in hands], 0) is holds
    assert is_proof(winning_order(on, hands[0].mask), seated, 0, on, STANDARD) is holds
    assert naive.sawa(seated, 0, on.trump, locked=on.locked) is holds


def end_position(rng: Random, size: int, trump: Suit | None) -> list[list[Card]]:
    """Hands of that size, the claimer's first: made of the highest cards with a few exceptions, so that it is close."""
    deck = rng.sample(CARDS, min(32, 4 * size + rng.randint(0, 8)))
    order = sorted(deck, key=lambda card: (card.suit is trump, naive.strength(card, trump)), reverse=True)
    claimed: list[Card] = []
    while len(claimed) < size:
        claimed.append(order.pop(0 if rng.random() < 0.4 + 0.1 * size else rng.randrange(len(order))))
    others = rng.sample(order, 3 * size)
    return [claimed, *(others[size * n : size * (n + 1)] for n in range(3))]


def agrees(rng: Random, size: int) -> bool:
    """Whether a claim in some position holds, once both ways to know agree about it."""
    ruleset = rng.choice([STANDARD, play_ruleset(rng)])
    on = terms_of(rng.choice(["sun", "hokum H", "hokum S", "hokum D locked"]), ruleset)
    hands = end_position(rng, size, on.trump)
    claimer = rng.randrange(4)
    seated = [hands[(seat - claimer) % 4] for seat in SEATS]
    expected = naive.sawa(seated, claimer, on.trump, locked=on.locked, ruleset=ruleset)
    found = sawa_holds(on, [Hand.of(hand).mask for hand in seated], claimer)
    position = (str(on.trump), on.locked, [[str(card) for card in hand] for hand in hands])
    assert found is expected, position
    assert not found or is_proof(winning_order(on, Hand.of(hands[0]).mask), seated, claimer, on, ruleset), (
        position
    )
    return found


def is_proof(
    leads: tuple[Card, ...], hands: list[list[Card]], claimer: int, on: Terms, ruleset: Ruleset
) -> bool:
    """Whether the claimer may lead his cards in this order, and wins every trick so against all defences."""
    wins = naive.wins_all(hands, claimer, leads, on.trump, ruleset=ruleset)
    return wins and all(
        card in naive.legal(leads[place:], [], on.trump, locked=on.locked, ruleset=ruleset)
        for place, card in enumerate(leads)
    )


@pytest.mark.parametrize(("size", "positions"), [(1, 300), (2, 600), (3, 500), (4, 120)])
def test_the_answer_and_the_proof_are_those_of_trying_every_order_against_every_defence(
    size: int, positions: int
) -> None:
    rng = Random(size)
    held = sum(agrees(rng, size) for _ in range(positions))
    assert positions * 0.15 < held < positions * 0.85, "positions that mostly have one answer prove little"


STRONG = "AS KS QS JS 10S AH AD AC"
"""A hand whose claim holds in Sun whenever it is on lead."""


def on_to(play: Play, seat: Seat) -> Play:
    """Plays default cards until a seat is on turn."""
    while play.turn is not seat:
        assert play.turn is not None
        play = rules.play_card(play, play.turn, rules.default_move(play))
    return play


def trick(play: Play, lead: str) -> Play:
    """The seat on lead plays this card, the others default cards."""
    play = after(play, lead)
    while play.trick:
        assert play.turn is not None
        play = rules.play_card(play, play.turn, rules.default_move(play))
    return play


def offered(play: Play) -> bool:
    asked = rules.asked(play)
    assert asked is not None
    return asked.sawa


def test_a_claim_is_made_on_lead_after_the_first_trick() -> None:
    play = started("sun", {1: STRONG})
    for lead in ("AC", ""):
        assert not offered(play)
        assert play.turn is not None
        assert reason(play, play.turn, SawaMove()) is Reason.SAWA_WINDOW
        play = after(play, lead)
    play = on_to(play, Seat.SOUTH)
    assert offered(play)
    for seat in (Seat.EAST, Seat.NORTH, Seat.WEST):
        assert reason(play, seat, SawaMove()) is Reason.NOT_YOUR_TURN
    assert reason(play, Seat.SOUTH, SawaMove()) is None
    middle = after(play, "AD")
    assert not offered(middle)
    assert reason(middle, Seat.EAST, SawaMove()) is Reason.SAWA_WINDOW
    over = rules.claim_sawa(play, Seat.SOUTH)
    assert reason(over, Seat.SOUTH, SawaMove()) is Reason.WRONG_PHASE
    assert reason(over, Seat.SOUTH, CardMove(Card.parse("AD"))) is Reason.WRONG_PHASE


def test_a_claim_that_holds_ends_the_round_with_all_that_is_left() -> None:
    play = trick(started("sun", {1: STRONG}), "AC")
    over = rules.claim_sawa(play, Seat.SOUTH)
    outcome = rules.outcome(over)
    assert outcome is not None
    assert (outcome.tricks, outcome.card_points, outcome.sawa) == ((8, 0), (130, 0), Seat.SOUTH)
    step = rules.step(over)
    assert (step.asked, step.sawa, step.trick) == (None, True, None)
    assert step.proof == cards("AS 10S KS QS JS AH AD")
    assert rules.legal_mask(over) == 0
    assert len(over.record.moves) == 5
    assert over.record.moves[-1] == SeatMove(Seat.SOUTH, SawaMove())


def test_only_what_is_left_goes_to_the_claimer() -> None:
    held = {1: "AS 7H", 2: "7S AH 10H KH AD 10D AC 10C", 3: "8S QH", 4: "9S JH"}
    play = trick(trick(started("sun", held), "AS"), "7H")
    assert play.turn is Seat.EAST
    over = rules.claim_sawa(play, Seat.EAST)
    outcome = rules.outcome(over)
    assert outcome is not None
    first = play.tricks[0].points
    assert (outcome.tricks, outcome.card_points) == ((1, 7), (first, 130 - first))


def test_a_refused_claim_is_told_changes_nothing_else_and_is_the_only_one() -> None:
    play = trick(started("sun", {1: "AS 7S 7H 8H 7D 8D 7C 8C", 2: "AH AD AC"}), "AS")
    refused = rules.claim_sawa(play, Seat.SOUTH)
    step = rules.step(refused)
    assert (step.sawa, step.outcome, step.shown, step.baloot, step.proof) == (False, None, (), False, ())
    assert (refused.hands, refused.turn, refused.tricks) == (play.hands, play.turn, play.tricks)
    assert not offered(refused)
    assert rules.legal_mask(refused) == rules.legal_mask(play)
    assert reason(refused, Seat.SOUTH, SawaMove()) is Reason.SAWA_REPEATED


def test_another_seat_may_still_claim_after_a_refused_one() -> None:
    held = {1: "AS 7S 7H 8H 7D 8D 7C 8C", 2: "AH 10H KH AD 10D AC 10C KC"}
    play = rules.claim_sawa(trick(started("sun", held), "AS"), Seat.SOUTH)
    play = trick(play, "7H")
    assert play.turn is Seat.EAST
    assert offered(play)
    outcome = rules.outcome(rules.claim_sawa(play, Seat.EAST))
    assert outcome is not None
    assert outcome.sawa is Seat.EAST


def test_a_baloot_that_is_still_held_is_credited_with_the_claim() -> None:
    for lead in ("JH", "KH"):
        play = trick(started("hokum H", {1: "JH 9H AH 10H KH QH 8H 7H"}), lead)
        assert play.said.baloot == ()
        over = rules.claim_sawa(play, Seat.SOUTH)
        assert over.said.baloot == (Seat.SOUTH,)
        assert rules.step(over).baloot


def test_also_the_baloot_of_another_side() -> None:
    held = {1: "JH 9H AH 10H AS 10S KS QS", 2: "KH QH 7S", 3: "8S 8H", 4: "9S 7H"}
    over = rules.claim_sawa(trick(started("hokum H", held), "AS"), Seat.SOUTH)
    assert over.said.sawa is Seat.SOUTH
    assert over.said.baloot == (Seat.EAST,)


def test_not_one_that_was_credited_before() -> None:
    play = trick(trick(started("hokum H", {1: "JH 9H AH 10H KH QH 8H 7H"}), "KH"), "QH")
    over = rules.claim_sawa(play, Seat.SOUTH)
    assert over.said.baloot == (Seat.SOUTH,)
    assert not rules.step(over).baloot


def announcing(play: Play, lead: str) -> Play:
    """S1 leads this card and announces its automatic choice; the trick goes on with default cards."""
    asked = rules.asked(play)
    assert asked is not None
    play = rules.play_card(play, Seat.SOUTH, CardMove(Card.parse(lead), asked.declarations[0]))
    return on_to(play, Seat.SOUTH)


def test_not_one_that_an_announced_hundred_has_taken() -> None:
    play = announcing(started("hokum H", {1: "JH 9H AH 10H KH QH 8H 7H"}), "JH")
    over = rules.claim_sawa(play, Seat.SOUTH)
    assert over.said.sawa is Seat.SOUTH
    assert over.said.baloot == ()
    assert not rules.step(over).baloot


def test_a_claim_before_the_second_cards_shows_the_projects_that_count() -> None:
    play = announcing(started("sun", {1: STRONG}), "AC")
    early = rules.claim_sawa(play, Seat.SOUTH)
    outcome = rules.outcome(early)
    assert outcome is not None
    assert len(outcome.projects) == 2
    assert rules.step(early).shown == outcome.projects
    late = rules.claim_sawa(trick(play, "AD"), Seat.SOUTH)
    assert late.said.sawa is Seat.SOUTH
    assert rules.step(late).shown == ()


@given(randoms())
def test_claims_in_whole_rounds_keep_every_total(rng: Random) -> None:
    for play in moments(rng, record(rng), sawa=1):
        step = rules.step(play)
        if step.sawa:
            outcome = rules.outcome(play)
            assert outcome is not None
            assert sum(outcome.tricks) == 8
            assert sum(outcome.card_points) == (130 if play.start.on.trump is None else 162)
            assert outcome.tricks[play.moves[-1].seat.team] >= 8 - len(play.tricks)
            won = [sum(trick.winner.team is team for trick in play.tricks) for team in TEAMS]
            loser = play.moves[-1].seat.team.other
            assert outcome.tricks[loser] == won[loser]


# Under other rules.


def sentence(play: Play) -> str:
    assert play.turn is not None
    with pytest.raises(Refusal) as refused:
        rules.claim_sawa(play, play.turn)
    assert refused.value.reason is Reason.SAWA_WINDOW
    return refused.value.message


def test_sawa_off_offers_and_hears_none() -> None:
    play = trick(started("sun", {1: STRONG}, ruleset=rules_with(sawa=Sawa.OFF)), "AC")
    assert not offered(play)
    assert sentence(play) == "there is no Sawa in this rule set (rule 2.34)"


@pytest.mark.parametrize("most", range(1, 9))
def test_sawa_max_cards_are_the_most_that_may_be_left(most: int) -> None:
    play = started("sun", {1: STRONG}, ruleset=rules_with(sawa_max_cards=most))
    for lead in STRONG.split()[::-1]:
        left = play.hands[Seat.SOUTH].bit_count()
        assert offered(play) is (left <= min(most, 7))
        if 7 >= left > most:
            assert sentence(play) == f"Sawa is claimed with {most} cards at most (rule 2.34)"
        play = trick(play, lead)


def test_sawa_penalty_qaid_ends_the_round_against_the_claimer() -> None:
    held = {1: "AS 7S 7H 8H 7D 8D 7C 8C", 2: "AH AD AC"}
    play = trick(started("sun", held, ruleset=rules_with(sawa_penalty=SawaPenalty.QAID)), "AS")
    over = rules.claim_sawa(play, Seat.SOUTH)
    step = rules.step(over)
    assert step.sawa is False
    assert step.asked is None
    assert step.outcome is not None
    assert step.outcome.qaid == Qaid(Seat.SOUTH, QaidMove(QaidGround.WRONG_SAWA), right=False)
    assert step.outcome.qaid.winner is Seat.EAST.team
    assert step.outcome.sawa is None
    assert step.outcome.tricks == (1, 0)
    assert over.moves[-1] == SeatMove(Seat.SOUTH, SawaMove())
    assert reason(over, Seat.EAST, SawaMove()) is Reason.WRONG_PHASE
    assert step.proof == ()
    assert rules.fold(over.record) == over


def test_sawa_penalty_qaid_costs_nothing_if_the_claim_holds() -> None:
    play = trick(started("sun", {1: STRONG}, ruleset=rules_with(sawa_penalty=SawaPenalty.QAID)), "AC")
    outcome = rules.outcome(rules.claim_sawa(play, Seat.SOUTH))
    assert outcome is not None
    assert (outcome.sawa, outcome.qaid) == (Seat.SOUTH, None)
