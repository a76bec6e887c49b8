"""A refusal's sentence fits why the move is refused, also where several things speak against it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from baloot.core.cards import Card, Hand
from baloot.core.contract import Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove, Move, SawaMove
from baloot.core.ruleset import Sawa
from baloot.core.seats import Seat
from baloot.play import rules
from baloot.play.state import Play

from tests.rules.play.rounds import contract, rules_with, started
from tests.rules.play.test_projects import project
from tests.rules.play.test_showing import SHOWING


def refused(play: Play, seat: Seat, move: Move) -> Refusal:
    with pytest.raises(Refusal) as raised:
        rules.move(play, seat, move)
    return raised.value


def test_a_sawa_out_of_turn_is_told_of_the_turn() -> None:
    play = started("sun", {}, ruleset=rules_with(sawa=Sawa.OFF))
    why = refused(play, Seat.EAST, SawaMove())
    assert why.reason is Reason.NOT_YOUR_TURN
    assert "Sawa" not in why.message
    assert "no Sawa" in refused(play, Seat.SOUTH, SawaMove()).message


ANNOUNCED = [
    (("AS KS QS", "JH 10H 9H", "7D 8D 9D"), Reason.PROJECT_LIMIT, "a player may announce 2 projects at most"),
    (("AD KD QD",), Reason.PROJECT_NOT_HELD, "you may announce only projects that you hold"),
    (("AS KS QS", "AS KS QS"), Reason.PROJECT_OVERLAP, "a card may belong to one project only"),
]


@pytest.mark.parametrize(("texts", "reason", "sentence"), ANNOUNCED, ids=[str(row[1]) for row in ANNOUNCED])
def test_a_refused_announcement_says_why(texts: tuple[str, ...], reason: Reason, sentence: str) -> None:
    play = started("sun", {1: "AS KS QS JH 10H 9H", 2: "AD"})
    way = tuple(project(text, Mode.SUN) for text in texts)
    why = refused(play, Seat.SOUTH, CardMove(Card.parse("AS"), way))
    assert why.reason is reason
    assert why.message.startswith(sentence)
    assert why.metadata.get("limit") == ("2" if reason is Reason.PROJECT_LIMIT else None)


def test_a_record_that_no_round_starts_from_is_told_in_a_sentence() -> None:
    record = started("sun", {1: "7S AS", 2: "AC"}).start.record
    south, east, north, west = record.hands
    twice = Hand.of([Card.parse("AC") if card is Card.parse("7S") else card for card in south])
    impossible = [
        (record.after(Seat.SOUTH, CardMove(Card.parse("AS"))), "a play starts with a record without moves"),
        (replace(record, contract=contract("hokum")), "a Hokum has a trump suit, a Sun has none"),
        (
            replace(record, hands=(twice, east, north, west)),
            "the four hands of a record are the 32 cards, eight each",
        ),
    ]
    for wrong, sentence in impossible:
        with pytest.raises(Refusal) as raised:
            rules.start_play(wrong)
        assert raised.value.message == sentence


def test_who_shows_projects_is_told_by_the_rule_set() -> None:
    run = CardMove(Card.parse("AS"), shown=(project("AS KS QS", Mode.SUN),))
    for ruleset, who in ((rules_with(), "by the table"), (SHOWING, "with one's second card")):
        why = refused(started("sun", {1: "AS KS QS"}, ruleset=ruleset), Seat.SOUTH, run)
        assert why.reason is Reason.PROJECT_SHOW
        assert who in why.message
