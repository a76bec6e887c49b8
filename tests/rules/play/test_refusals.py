"""What a refused move teaches: the rule that forbids it, and what could have been played or said instead."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from baloot.core.cards import CARDS, Card
from baloot.core.contract import Mode
from baloot.core.errors import RULES, Reason, Refusal
from baloot.core.play import CardMove, Move, QaidGround, QaidMove, SawaMove
from baloot.core.ruleset import BalootSaying, IllegalPlay, Sawa
from baloot.core.seats import SEATS, Seat
from baloot.play import rules
from baloot.play.state import Play
from hypothesis import given

from tests.rules.play.rounds import after, rules_with, started, to_the_end
from tests.rules.play.test_options import PLAIN
from tests.rules.play.test_projects import announced, project
from tests.rules.play.test_showing import HELD, SAID, on_to, second_trick
from tests.strategies.cards import randoms
from tests.strategies.play import any_moment, of_some_rules, plays


def taught(play: Play, seat: Seat, move: Move) -> Refusal:
    with pytest.raises(Refusal) as refused:
        rules.move(play, seat, move)
    return refused.value


def card(text: str) -> CardMove:
    return CardMove(Card.parse(text))


def saying(text: str, *projects: str) -> CardMove:
    return CardMove(Card.parse(text), tuple(project(one, Mode.SUN) for one in projects))


HEARTS = "7H 8H 9H 10H JH QH KH AH"
VOID = "9H 7H KC QC JC 10D 9D 8D"
"""No spades, two trumps where hearts are trump."""
PROJECTS = "AS KS QS JS 9H 8H 7H 7D"
PROJECTS_HELD = "sira JS QS KS,sira QS KS AS,fifty JS QS KS AS,sira 7H 8H 9H"
WEAK = {1: "AS 7S 7H 8H 7D 8D 7C 8C", 2: "AH AD AC 8S", 3: "9S", 4: "10S"}
"""S1 wins the first trick and can be beaten then."""
SPADES = "AS 8S 9S 10S"


def first_trick(**options: object) -> Play:
    return started("sun", WEAK, ruleset=rules_with(**options))


def second_lead(**options: object) -> Play:
    return after(first_trick(**options), SPADES)


def ace_gone() -> Play:
    held = {1: "AS 10S KS AC", 2: "7S 8S", 3: "9S 7H 8H", 4: "JS QS"}
    return after(started("hokum H", held), "AS 7S 9S JS")


def projects_held() -> Play:
    return started("sun", {1: PROJECTS})


def shown_by_the_table() -> Play:
    return on_to(announced(started("sun", HELD), SAID), Seat.SOUTH)


def royal_left() -> Play:
    play = started("hokum H", {1: HEARTS}, ruleset=rules_with(baloot=BalootSaying.MANUAL_ALWAYS))
    return on_to(after(play, "KH"), Seat.SOUTH)


def royal_that_must_wait() -> Play:
    """S1 has played the king of trumps, and must follow spades with its last one."""
    held = {
        1: "KH QH JH 9H AH 10H 7S 8S",
        2: "AS KS 7D 8D 9D 10D JD QD",
        3: "7H 9S 10S KD AD 7C 8C 9C",
        4: "8H JS QS 10C JC QC KC AC",
    }
    play = started("hokum H", held, ruleset=rules_with(baloot=BalootSaying.MANUAL_ALWAYS))
    return after(play, "KH 7D 7H 8H 7S AS 9S JS KS 10S QS")


FIFTY = CardMove(Card.parse("10C"), shown=(project("AS KS QS JS", Mode.SUN), project("AD KD QD", Mode.SUN)))
KD = QaidMove(QaidGround.REVOKE, Card.parse("KD"), Card.parse("KC"))

ROWS: list[tuple[str, Callable[[], Play], Seat, Move, Reason, str]] = [
    # id, round, seat, move, reason, legal
    ("not on turn", lambda: started("sun", {2: "AS"}), Seat.EAST, card("AS"), Reason.NOT_YOUR_TURN, ""),
    ("a claim not on turn", second_lead, Seat.EAST, SawaMove(), Reason.NOT_YOUR_TURN, ""),
    ("over", lambda: to_the_end(started("sun", {})), Seat.EAST, card("AS"), Reason.WRONG_PHASE, ""),
    ("over for a claim", lambda: to_the_end(started("sun", {})), Seat.EAST, SawaMove(), Reason.WRONG_PHASE, ""),
    ("not held", lambda: started("sun", {1: HEARTS}), Seat.SOUTH, card("AS"), Reason.CARD_NOT_HELD, HEARTS),
    ("follow", lambda: after(started("sun", {1: "KS", 2: "AS 7S 8H 9H 10H JH QH KH"}), "KS"), Seat.EAST, card("QH"), Reason.MUST_FOLLOW, "7S AS"),
    ("trump", lambda: after(started("hokum H", {1: "KS", 2: VOID}), "KS"), Seat.EAST, card("KC"), Reason.MUST_TRUMP, "7H 9H"),
    ("over-trump", lambda: after(started("hokum H", {1: "AS", 2: "QH 8H AD KD QD JD AC 10C", 3: VOID.replace("10D", "7D")}), "AS QH"), Seat.NORTH, card("7H"), Reason.MUST_OVER_TRUMP, "9H"),
    ("locked", lambda: started("hokum H locked", {1: "JH 9H 10H KH AS 7S 8C 9C"}), Seat.SOUTH, card("JH"), Reason.LOCKED_LEAD, "7S AS 8C 9C"),
    ("too late to announce", second_lead, Seat.SOUTH, saying("7S", "7H 8H 9H"), Reason.PROJECT_WINDOW, ""),
    ("no such project", projects_held, Seat.SOUTH, saying("AS", "AD KD QD"), Reason.PROJECT_NOT_HELD, PROJECTS_HELD),
    ("a card twice", projects_held, Seat.SOUTH, saying("AS", "AS KS QS", "AS KS QS JS"), Reason.PROJECT_OVERLAP, PROJECTS_HELD),
    ("three projects", projects_held, Seat.SOUTH, saying("AS", "AS KS QS", "9H 8H 7H", "9H 8H 7H"), Reason.PROJECT_LIMIT, PROJECTS_HELD),
    ("no projects at all", lambda: started("sun", {1: "7S 8S 10S JS 7H 8H 7D 8D"}), Seat.SOUTH, saying("7S", "AD KD QD"), Reason.PROJECT_NOT_HELD, ""),
    ("shown by the table", shown_by_the_table, Seat.SOUTH, FIFTY, Reason.PROJECT_SHOW, ""),
    ("not to be shown", lambda: on_to(second_trick(), Seat.SOUTH), Seat.SOUTH, FIFTY, Reason.PROJECT_SHOW, "fifty JS QS KS AS,sira 7H 8H 9H"),
    ("a false Akka", ace_gone, Seat.SOUTH, CardMove(Card.parse("KS"), akka=True), Reason.AKKA_NOT_ALLOWED, "10S"),
    ("Akka behind a lead", lambda: after(started("hokum H", {1: "AS", 2: "10S KC"}), "AS"), Seat.EAST, CardMove(Card.parse("10S"), akka=True), Reason.AKKA_NOT_ALLOWED, ""),
    ("Baloot by itself", lambda: started("hokum H", {1: "KH QH"}), Seat.SOUTH, CardMove(Card.parse("KH"), baloot=True), Reason.BALOOT_AUTOMATIC, ""),
    ("Baloot with another card", royal_left, Seat.SOUTH, CardMove(Card.parse("7H"), baloot=True), Reason.BALOOT_NOT_ALLOWED, "QH"),
    ("Baloot while its card must wait", royal_that_must_wait, Seat.SOUTH, CardMove(Card.parse("8S"), baloot=True), Reason.BALOOT_NOT_ALLOWED, ""),
    ("Baloot too early", lambda: started("hokum H", {1: PLAIN}, ruleset=rules_with(baloot=BalootSaying.MANUAL)), Seat.SOUTH, CardMove(Card.parse("KH"), baloot=True), Reason.BALOOT_NOT_ALLOWED, ""),
    ("Sawa at once", first_trick, Seat.SOUTH, SawaMove(), Reason.SAWA_WINDOW, ""),
    ("no Sawa here", lambda: second_lead(sawa=Sawa.OFF), Seat.SOUTH, SawaMove(), Reason.SAWA_WINDOW, ""),
    ("Sawa with too many cards", lambda: second_lead(sawa_max_cards=3), Seat.SOUTH, SawaMove(), Reason.SAWA_WINDOW, ""),
    ("Sawa again", lambda: rules.claim_sawa(second_lead(), Seat.SOUTH), Seat.SOUTH, SawaMove(), Reason.SAWA_REPEATED, ""),
    ("no Qaid here", second_lead, Seat.SOUTH, KD, Reason.QAID_OFF, ""),
    ("a card that nobody played", lambda: second_lead(illegal_play=IllegalPlay.ALLOW_WITH_QAID), Seat.SOUTH, KD, Reason.QAID_WINDOW, ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "seat", "move", "reason", "legal"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_a_refusal_names_the_rule_and_what_was_legal(
    make: Callable[[], Play], seat: Seat, move: Move, reason: Reason, legal: str
) -> None:
    told = taught(make(), seat, move)
    assert (told.reason, told.rule, told.legal) == (reason, RULES[reason], legal)
    assert told.message.endswith(f" (rule {RULES[reason]})")
    assert not any(str(one) in told.message.split() for one in CARDS)


def test_the_rows_have_every_reason_of_the_play() -> None:
    in_order = list(Reason)
    of_play = in_order[in_order.index(Reason.CARD_NOT_HELD) : in_order.index(Reason.CUT_REQUIRED)]
    assert {row[4] for row in ROWS} == {Reason.NOT_YOUR_TURN, Reason.WRONG_PHASE, *of_play}


def test_a_limit_that_is_mentioned_stands_in_the_metadata() -> None:
    told = taught(second_lead(sawa_max_cards=3), Seat.SOUTH, SawaMove())
    assert told.metadata == {"limit": "3", "rule": "2.34"}
    told = taught(projects_held(), Seat.SOUTH, saying("AS", "AS KS QS", "9H 8H 7H", "9H 8H 7H"))
    assert told.metadata["limit"] == "2"


@given(plays())
def test_a_refused_card_tells_exactly_the_cards_of_the_question(play: Play) -> None:
    asked = rules.asked(play)
    if asked is None:
        return
    legal = " ".join(str(choice.card) for choice in asked.legal)
    refused = () if play.start.lenient else asked.refused
    for one in refused:
        told = taught(play, asked.seat, CardMove(one.card))
        assert (told.reason, told.legal) == (one.reason, legal)
    for missing in CARDS:
        if not play.hands[asked.seat] >> missing & 1:
            told = taught(play, asked.seat, CardMove(missing))
            assert (told.reason, told.legal) == (Reason.CARD_NOT_HELD, legal)


@given(randoms())
def test_no_seat_is_told_anything_while_another_is_on_turn(rng: Random) -> None:
    play = any_moment(rng, of_some_rules(rng))
    for seat in SEATS:
        if seat is not play.turn:
            for move in (CardMove(rng.choice(CARDS), akka=True), SawaMove()):
                told = taught(play, seat, move)
                assert set(told.metadata) == {"rule"}


@given(randoms())
def test_what_is_told_lies_in_the_question(rng: Random) -> None:
    """Whatever is refused, and whatever is said with a card, the actor is told only what he was asked."""
    play = any_moment(rng, of_some_rules(rng))
    asked = rules.asked(play)
    if asked is None:
        return
    known = {project for way in asked.declarations for project in way} | set(asked.showable)
    spelled = {" ".join((one.kind.name.lower(), *map(str, one.cards))) for one in known}
    spelled |= {str(choice.card) for choice in asked.legal}
    said = rng.choice(list(known)) if known else project("AS KS QS", Mode.SUN)
    for held in CARDS:
        for move in (CardMove(held, (said,) * 2), CardMove(held, akka=True), CardMove(held, baloot=True)):
            try:
                rules.move(play, asked.seat, move)
            except Refusal as told:
                legal = (
                    told.legal
                    if "," in told.legal or told.reason in OF_PROJECTS
                    else told.legal.replace(" ", ",")
                )
                assert set(filter(None, legal.split(","))) <= spelled


OF_PROJECTS = (Reason.PROJECT_NOT_HELD, Reason.PROJECT_OVERLAP, Reason.PROJECT_LIMIT, Reason.PROJECT_SHOW)
