"""Qaid: illegal cards are accepted, claims are judged, and both end the round (rules 2.33)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from baloot.core.cards import CARDS, Card
from baloot.core.errors import Reason
from baloot.core.play import CardMove, CardRefused, PlayRecord, Qaid, QaidGround, QaidMove, SawaMove, SeatMove
from baloot.core.ruleset import Akka, BalootSaying, IllegalPlay, ProjectShow
from baloot.core.seats import SEATS, Seat
from baloot.play import rules
from baloot.play.state import Play
from hypothesis import given, settings

from tests.rules.play.retold import duty_at, is_right, retold
from tests.rules.play.rounds import after, cards, reason, rules_with, started, to_the_end
from tests.strategies.cards import randoms
from tests.strategies.play import moments, of_some_rules

LENIENT = rules_with(illegal_play=IllegalPlay.ALLOW_WITH_QAID)
CLAIMABLE = [ground for ground in QaidGround if ground is not QaidGround.WRONG_SAWA]


def lenient(bought: str, held: dict[int, str], **options: object) -> Play:
    return started(bought, held, ruleset=LENIENT.with_options(**options))


def claim(text: str) -> QaidMove:
    """Reads `revoke 8D KS`."""
    ground, card, proof = text.split()
    return QaidMove(QaidGround[ground.upper()], Card.parse(card), Card.parse(proof))


def verdict(play: Play, seat: Seat, text: str) -> bool:
    """Whether a claim is right; the round is over with it in any case."""
    over = rules.claim_qaid(play, seat, claim(text))
    outcome = rules.outcome(over)
    assert outcome is not None
    assert outcome.qaid is not None
    assert outcome.qaid == Qaid(seat, claim(text), right=outcome.qaid.right)
    assert outcome.qaid.winner is (seat.team if outcome.qaid.right else seat.team.other)
    assert over.moves[-1] == SeatMove(seat, claim(text))
    return outcome.qaid.right


@pytest.mark.parametrize("card", ["8D", "AD"])
def test_lm_41_a_lenient_server_accepts_the_revoke_and_lists_it_as_refused(card: str) -> None:
    play = after(lenient("sun", {1: "JS", 2: "KS 8D AD"}), "JS")
    asked = rules.asked(play)
    assert asked is not None
    assert Card.parse(card) not in [choice.card for choice in asked.legal]
    assert CardRefused(Card.parse(card), Reason.MUST_FOLLOW) in asked.refused
    assert asked.default.card in [choice.card for choice in asked.legal]
    assert reason(play, Seat.EAST, CardMove(Card.parse(card))) is None
    assert after(play, card).trick == cards(f"JS {card}")


def test_a_card_that_is_not_held_stays_refused() -> None:
    play = after(lenient("sun", {1: "JS", 2: "KS 8D AD", 3: "7S"}), "JS")
    assert reason(play, Seat.EAST, CardMove(Card.parse("7S"))) is Reason.CARD_NOT_HELD
    assert reason(play, Seat.NORTH, CardMove(Card.parse("7S"))) is Reason.NOT_YOUR_TURN


def test_what_is_said_stays_checked() -> None:
    play = lenient("hokum H", {1: "10S KC", 2: "AS"})
    assert reason(play, Seat.SOUTH, CardMove(Card.parse("10S"), akka=True)) is Reason.AKKA_NOT_ALLOWED


def test_an_illegal_card_wins_by_the_same_order() -> None:
    play = after(lenient("hokum H", {1: "AS", 2: "7S 7H", 3: "8S", 4: "9S"}), "AS 7H 8S 9S")
    assert play.tricks[0].winner is Seat.EAST


JUDGED = [
    # name, contract, hands of S1 to S4, cards played, right claims, wrong claims (all by a seat of the other team)
    ("revoke", "sun", {1: "JS 7C", 2: "KS 8D AC", 3: "7S 8C", 4: "8S 9C"}, "JS 8D 7S 8S 7C KS",
     ["revoke 8D KS"], ["no_trump 8D KS", "locked_lead 8D KS", "revoke KS 8D", "revoke 8D AC", "false_akka 8D KS"]),
    ("no trump", "hokum H", {1: "KS 7C", 2: "8H KC AD KD QD JD 10D 9D", 3: "7S 8C", 4: "8S 9C"}, "KS KC 7S 8S 7C 8H",
     ["no_trump KC 8H"], ["no_over_trump KC 8H", "revoke KC 8H", "no_trump KC AD"]),
    ("a low trump instead of a higher", "hokum H", {1: "KH 7C", 2: "AH 8H AC", 3: "7S 8C", 4: "8S 9C"},
     "KH 8H 7S 8S 7C AH", ["no_over_trump 8H AH"], ["no_trump 8H AH", "revoke 8H AH", "no_over_trump 8H AC"]),
    ("threw a plain card over a ruff", "hokum H", {1: "AS 7C", 2: "QH 8C", 3: "9H 7H KC QC JC 10C AC 9D", 4: "8S 9C"},
     "AS QH KC 8S 8C 9H", ["no_over_trump KC 9H", "no_trump KC 9H"], ["no_trump KC 7H", "no_over_trump KC 7H"]),
    ("off suit on a trump lead", "hokum H", {1: "KH 7C", 2: "AH 8H AC", 3: "7S 8C", 4: "8S 9C"},
     "KH AC 7S 8S 7C AH", ["revoke AC AH", "no_over_trump AC AH"], ["no_trump AC AH", "revoke AC 8H"]),
    ("led a trump in a locked round", "hokum H locked", {1: "JH 7C", 2: "7H 8C", 3: "8H 9C", 4: "9H 10C"},
     "JH 7H 8H 9H 7C", ["locked_lead JH 7C"], ["revoke JH 7C", "no_trump JH 7C"]),
    ("led a trump in an open one", "hokum H", {1: "JH 7C", 2: "7H 8C", 3: "8H 9C", 4: "9H 10C"},
     "JH 7H 8H 9H 7C", [], ["locked_lead JH 7C"]),
    ("was free to under-trump", "hokum H", {1: "AS 7C", 2: "QH 8C", 3: "8H KC QC JC 10C AC 9D 8D", 4: "8S 9C"},
     "AS QH KC 8S 8C 8H", [], ["no_trump KC 8H", "no_over_trump KC 8H"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("bought", "held", "played", "right", "wrong"),
    [row[1:] for row in JUDGED],
    ids=[row[0] for row in JUDGED],
)
def test_a_claim_is_judged(
    bought: str, held: dict[int, str], played: str, right: list[str], wrong: list[str]
) -> None:
    play = after(lenient(bought, held), played)
    for text in (*right, *wrong):
        card = claim(text).card
        offender = next(
            made.seat for made in play.moves if isinstance(made.move, CardMove) and made.move.card is card
        )
        for seat in offender.team.other.seats:
            assert verdict(play, seat, text) is (text in right)


FALSE_AKKA = {1: "10S 7C", 2: "8S 8C", 3: "9H KD", 4: "AS 9C"}


def test_a_false_akka_is_shown_by_the_higher_card_whoever_held_it() -> None:
    play = after(lenient("hokum H", FALSE_AKKA, akka=Akka.MANUAL_UNCHECKED), "10S!")
    assert not verdict(play, Seat.EAST, "false_akka 10S AS")
    play = after(play, "8S KD AS")
    assert verdict(play, Seat.EAST, "false_akka 10S AS")
    assert not verdict(play, Seat.EAST, "false_akka 10S 8S")
    unsaid = after(lenient("hokum H", FALSE_AKKA, akka=Akka.MANUAL_UNCHECKED), "10S 8S KD AS")
    assert not verdict(unsaid, Seat.EAST, "false_akka 10S AS")


def test_a_hand_that_akka_freed_broke_no_duty_though_it_was_false() -> None:
    play = after(lenient("hokum H", FALSE_AKKA, akka=Akka.MANUAL_UNCHECKED), "10S! 8S KD AS 9C 7C 8C 9H")
    assert not verdict(play, Seat.EAST, "no_trump KD 9H")


def test_a_false_akka_is_true_of_ones_own_higher_card_too() -> None:
    held = {1: "KS 10S", 2: "8S", 3: "9S", 4: "7S"}
    play = after(lenient("hokum H", held, akka=Akka.MANUAL_UNCHECKED), "KS! 8S 9S 7S 10S")
    assert verdict(play, Seat.EAST, "false_akka KS 10S")


def revoked() -> Play:
    """EAST has revoked and played the king that shows it."""
    held = {1: "JS 7C 8C", 2: "KS 8D AC", 3: "7S 9C", 4: "8S 10C"}
    return after(lenient("sun", held), "JS 8D 7S 8S 7C KS")


def test_every_opponent_may_claim_on_turn_or_not() -> None:
    play = revoked()
    assert play.turn is Seat.NORTH
    for seat in (Seat.SOUTH, Seat.NORTH):
        assert verdict(play, seat, "revoke 8D KS")


def test_only_an_opponents_card_that_was_played_can_be_claimed() -> None:
    play = revoked()
    assert reason(play, Seat.WEST, claim("revoke 8D KS")) is Reason.QAID_WINDOW
    assert reason(play, Seat.EAST, claim("revoke 8D KS")) is Reason.QAID_WINDOW
    assert reason(play, Seat.SOUTH, claim("revoke AC KS")) is Reason.QAID_WINDOW
    assert reason(play, Seat.SOUTH, QaidMove(QaidGround.REVOKE, Card.parse("8D"))) is Reason.QAID_WINDOW
    assert reason(play, Seat.SOUTH, QaidMove(QaidGround.WRONG_SAWA)) is Reason.QAID_WINDOW
    wrong_sawa = QaidMove(QaidGround.WRONG_SAWA, Card.parse("8D"), Card.parse("KS"))
    assert reason(play, Seat.SOUTH, wrong_sawa) is Reason.QAID_WINDOW


def test_a_proof_that_is_still_held_is_a_wrong_claim_and_tells_nothing() -> None:
    play = revoked()
    for proof in CARDS:
        if proof is not Card.parse("KS"):
            assert not verdict(play, Seat.SOUTH, f"revoke 8D {proof}")


def test_where_illegal_cards_are_refused_there_is_nothing_to_claim() -> None:
    play = after(started("sun", {1: "AS", 2: "7S"}), "AS 7S")
    assert reason(play, Seat.SOUTH, claim("revoke 7S KS")) is Reason.QAID_OFF


def test_a_claim_is_heard_until_the_round_is_scored_and_only_one() -> None:
    play = to_the_end(revoked())
    outcome = rules.outcome(play)
    assert outcome is not None
    assert outcome.qaid is None
    assert sum(outcome.card_points) == 130
    over = rules.claim_qaid(play, Seat.SOUTH, claim("revoke 8D KS"))
    claimed = rules.outcome(over)
    assert claimed is not None
    assert claimed.qaid is not None
    assert replace(claimed, qaid=None) == outcome
    assert reason(over, Seat.NORTH, claim("revoke 8D KS")) is Reason.WRONG_PHASE
    assert rules.fold(over.record) == over


def test_a_claim_ends_the_round_for_everybody() -> None:
    over = rules.claim_qaid(revoked(), Seat.NORTH, claim("revoke 8D KS"))
    step = rules.step(over)
    assert (step.asked, step.sawa, step.trick) == (None, None, None)
    assert step.outcome is not None
    assert step.outcome.tricks == (1, 0)
    for seat in SEATS:
        assert reason(over, seat, SawaMove()) is Reason.WRONG_PHASE
        assert reason(over, seat, CardMove(Card.parse("9C"))) is Reason.WRONG_PHASE


def test_after_a_sawa_that_held_nothing_is_claimed() -> None:
    held = {1: "AS KS QS JS 10S AH AD AC", 2: "7S 7D", 3: "8S", 4: "9S"}
    play = after(lenient("sun", held), "AS 7D 8S 9S AD 7S")
    play = to_the_trick(play)
    assert play.turn is Seat.SOUTH
    over = rules.claim_sawa(play, Seat.SOUTH)
    assert over.said.sawa is Seat.SOUTH
    assert reason(over, Seat.SOUTH, claim("revoke 7D 7S")) is Reason.WRONG_PHASE


def to_the_trick(play: Play) -> Play:
    while play.trick:
        assert play.turn is not None
        play = rules.play_card(play, play.turn, rules.default_move(play))
    return play


# What a round that a claim has ended still counts.


def announced(play: Play, seat: Seat, card: str) -> Play:
    assert play.turn is seat
    asked = rules.asked(play)
    assert asked is not None
    return rules.play_card(play, seat, CardMove(Card.parse(card), asked.declarations[0]))


WITH_PROJECTS = {1: "JS 7H 8H 9H", 2: "KS 8D AC KC QC", 3: "7S", 4: "8S"}


@pytest.mark.parametrize("show", list(ProjectShow))
def test_projects_that_count_are_shown_with_the_claim(show: ProjectShow) -> None:
    play = announced(lenient("sun", WITH_PROJECTS, project_show=show), Seat.SOUTH, "JS")
    play = announced(play, Seat.EAST, "8D")
    early = rules.step(rules.claim_qaid(play, Seat.SOUTH, claim("revoke 8D KS")))
    assert early.outcome is not None
    assert [one.seat for one in early.outcome.projects] == [Seat.EAST]
    assert early.shown == early.outcome.projects
    play = after(play, "7S 8S 7H KS")
    late = rules.step(rules.claim_qaid(play, Seat.SOUTH, claim("revoke 8D KS")))
    assert late.outcome is not None
    if show is ProjectShow.AUTO:
        assert [one.seat for one in late.outcome.projects] == [Seat.EAST]
        assert late.shown == ()
    else:
        assert [one.seat for one in late.outcome.projects] == [Seat.SOUTH]
        assert late.shown == late.outcome.projects


@pytest.mark.parametrize("saying", list(BalootSaying))
def test_a_baloot_that_is_still_held_is_credited_with_the_claim(saying: BalootSaying) -> None:
    held = {1: "7S 7C", 2: "8D 8S KH QH", 3: "9S 8C", 4: "10S 9C"}
    play = after(lenient("hokum H", held, baloot=saying), "7S 8D")
    step = rules.step(rules.claim_qaid(play, Seat.SOUTH, claim("revoke 8D 8S")))
    assert step.outcome is not None
    assert step.outcome.baloot == (Seat.EAST,)
    assert step.baloot


# Laws.


@settings(max_examples=40)
@given(randoms())
def test_both_tellings_judge_every_claim_alike(rng: Random) -> None:
    play = rng.choice(
        [
            play
            for play in moments(rng, lenient_start(rng))
            if play.said.sawa is None and play.said.qaid is None
        ]
    )
    told = retold(play.record, [False] * len(play.said.refused))
    for one in told.played:
        seat = one.seat.team.other.seats[0]
        suspicious = one.move.akka or one.move.card not in duty_at(told, one)[0]
        for ground in CLAIMABLE if suspicious else [rng.choice(CLAIMABLE)]:
            for proof in CARDS if suspicious else rng.sample(CARDS, 4):
                made = QaidMove(ground, one.move.card, proof)
                over = rules.claim_qaid(play, seat, made)
                assert over.said.qaid == Qaid(seat, made, right=is_right(told, made))


def lenient_start(rng: Random) -> PlayRecord:
    start = of_some_rules(rng)
    ruleset = start.ruleset.with_options(name="lenient", illegal_play=IllegalPlay.ALLOW_WITH_QAID)
    return replace(start, ruleset=ruleset)


@settings(max_examples=20)
@given(randoms())
def test_at_the_end_every_offence_can_be_claimed_and_nobody_else_is_found_guilty(rng: Random) -> None:
    play = next(
        play for play in reversed(list(moments(rng, lenient_start(rng), sawa=0))) if play.said.qaid is None
    )
    told = retold(play.record, [])
    for one in told.played:
        if one.move.akka:
            continue
        card, allowed = one.move.card, duty_at(told, one)[0]
        seat = one.seat.team.other.seats[0]
        claims = [QaidMove(ground, card, proof) for ground in CLAIMABLE for proof in CARDS]
        right = [made for made in claims if is_found_guilty(play, seat, made)] if card not in allowed else []
        if len(play.tricks) == 8:
            assert bool(right) is (card not in allowed)
        if card in allowed:
            assert not any(is_found_guilty(play, seat, made) for made in rng.sample(claims, 20))


def is_found_guilty(play: Play, seat: Seat, made: QaidMove) -> bool:
    qaid = rules.claim_qaid(play, seat, made).said.qaid
    return qaid is not None and qaid.right
