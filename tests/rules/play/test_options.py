"""The options of what is said with the cards, value by value (rules 2.17 and 2.20 to 2.25)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from baloot.core.cards import Card, Hand, cards_of
from baloot.core.contract import Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove, SeatMove
from baloot.core.projects import Declaration
from baloot.core.ruleset import (
    Akka,
    BalootBlock,
    BalootSaying,
    FirstLeader,
    HundredOrder,
    ProjectTie,
    Ruleset,
)
from baloot.core.seats import SEATS, Position, Seat
from baloot.play import rules
from baloot.play.projects import ProjectOrder, declarations, points
from baloot.play.state import Play

from tests.rules.play.rounds import DEALER, after, cards, reason, rules_with, started, to_the_end
from tests.rules.play.test_projects import announced, project, sides

# first_leader


@pytest.mark.parametrize("buyer", SEATS)
@pytest.mark.parametrize("ashkal", [False, True])
def test_first_leader_buyer_gives_the_lead_to_him_who_called(buyer: Seat, ashkal: bool) -> None:
    record = started("sun", {}, ruleset=rules_with(first_leader=FirstLeader.BUYER)).start.record
    bought = replace(record.contract, buyer=buyer, taker=buyer.partner if ashkal else buyer)
    play = rules.start_play(replace(record, contract=bought))
    assert play.turn is play.leader is buyer
    assert reason(play, buyer.next, CardMove(rules.default_move(play).card)) is Reason.NOT_YOUR_TURN


def test_first_leader_buyer_leaves_ties_of_projects_to_the_places_from_s1() -> None:
    """S2 leads and S3 has the same Sira: as S1's neighbour S2 comes first under both rules; S4 leads and loses to it."""
    for leader in (Position.S2, Position.S4):
        play = started(
            "sun", {2: "AS KS QS", 3: "AH KH QH", 4: "7D"}, ruleset=rules_with(first_leader=FirstLeader.BUYER)
        )
        record = play.start.record
        buyer = leader.seat(DEALER)
        play = rules.start_play(replace(record, contract=replace(record.contract, buyer=buyer, taker=buyer)))
        while len(play.tricks) < 1:
            asked = rules.asked(play)
            assert asked is not None
            way = asked.declarations[0] if asked.seat in (Seat.EAST, Seat.NORTH) else ()
            play = rules.play_card(play, asked.seat, CardMove(asked.default.card, way))
        assert play.said.counting is Seat.EAST.team


# akka

AKKA_HELD = {1: "AS 10S KS AC QD AH", 2: "7S 8S", 3: "9S 7H 8H", 4: "JS QS"}


def leading(akka: Akka, played: str = "") -> Play:
    return after(started("hokum H", AKKA_HELD, ruleset=rules_with(akka=akka)), played)


def offered(play: Play) -> tuple[Card, ...]:
    asked = rules.asked(play)
    assert asked is not None
    return tuple(choice.card for choice in asked.legal if choice.akka)


def test_akka_auto_is_said_by_the_server_whenever_it_is_true() -> None:
    play = leading(Akka.AUTO)
    for card in cards_of(play.hands[Seat.SOUTH]):
        assert not spoken_akka(rules.play_card(play, Seat.SOUTH, CardMove(card)))
    play = after(play, "AS 7S 9S JS")
    assert offered(play) == cards("10S")
    for card in cards_of(play.hands[Seat.SOUTH]):
        assert spoken_akka(rules.play_card(play, Seat.SOUTH, CardMove(card))) is (card is Card.parse("10S"))
    said = rules.play_card(play, Seat.SOUTH, CardMove(Card.parse("10S"), akka=True))
    assert said == rules.play_card(play, Seat.SOUTH, CardMove(Card.parse("10S")))
    assert said.akka
    assert reason(play, Seat.SOUTH, CardMove(Card.parse("KS"), akka=True)) is Reason.AKKA_NOT_ALLOWED


def spoken_akka(play: Play) -> bool:
    move = play.moves[-1].move
    assert isinstance(move, CardMove)
    return move.akka


def test_akka_auto_frees_the_partner_without_a_word() -> None:
    play = after(leading(Akka.AUTO, "AS 7S 9S JS"), "10S 8S")
    assert len(rules.legal_cards(play, Seat.NORTH)) == 7


def test_akka_manual_unchecked_takes_any_plain_lead_but_an_ace() -> None:
    play = leading(Akka.MANUAL_UNCHECKED)
    plain = tuple(
        card for card in cards_of(play.hands[Seat.SOUTH]) if str(card)[-1] != "H" and str(card)[0] != "A"
    )
    assert offered(play) == plain
    assert len(plain) < 8
    false = after(play, "KS!")
    assert false.akka
    with pytest.raises(Refusal) as refused:
        rules.play_card(play, Seat.SOUTH, CardMove(Card.parse("AS"), akka=True))
    assert refused.value.reason is Reason.AKKA_NOT_ALLOWED
    assert "highest" not in refused.value.message


@pytest.mark.parametrize("akka", list(Akka))
def test_no_akka_in_sun(akka: Akka) -> None:
    play = started("sun", AKKA_HELD, ruleset=rules_with(akka=akka))
    assert offered(play) == ()
    assert not spoken_akka(rules.play_card(play, Seat.SOUTH, CardMove(Card.parse("10S"))))


def test_akka_off_leaves_a_led_ace_alone_to_free() -> None:
    play = leading(Akka.OFF, "AS 7S")
    assert len(rules.legal_cards(led_to_trumps(Akka.OFF, "AS"), Seat.NORTH)) == 8
    assert rules.legal_cards(led_to_trumps(Akka.OFF, "10S"), Seat.NORTH) == cards("7H 9H")
    play = after(play, "9S JS")
    assert offered(play) == ()
    assert reason(play, Seat.SOUTH, CardMove(Card.parse("10S"), akka=True)) is Reason.AKKA_NOT_ALLOWED


def led_to_trumps(akka: Akka, lead: str) -> Play:
    """S1 has led to a partner who has trumps and none of the suit."""
    held = {1: "AS 10S", 2: "7S", 3: "9H 7H KC QC JC 10C KD QD"}
    return after(started("hokum H", held, ruleset=rules_with(akka=akka)), f"{lead} 7S")


# max_projects_per_player

TWO = "AS KS QS JH 10H 9H 7D 8C"


@pytest.mark.parametrize(("limit", "value"), [(1, 4), (2, 8), (3, 8), (8, 8)])
def test_p_8_max_projects_per_player(limit: int, value: int) -> None:
    play = started("sun", {1: TWO}, ruleset=rules_with(max_projects_per_player=limit))
    asked = rules.asked(play)
    assert asked is not None
    assert points(asked.declarations[0], Mode.SUN) == value
    both: Declaration = (project("AS KS QS", Mode.SUN), project("JH 10H 9H", Mode.SUN))
    why = Reason.PROJECT_LIMIT if limit == 1 else None
    assert reason(play, Seat.SOUTH, CardMove(Card.parse("7D"), both)) is why


@pytest.mark.parametrize(("limit", "value"), [(1, 20), (2, 24)])
def test_p_7_the_sira_below_a_hundred_is_a_second_project(limit: int, value: int) -> None:
    eight = Hand.parse("7S 8S 9S 10S JS QS KS AS").mask
    assert points(declarations(eight, Mode.SUN, limit)[0], Mode.SUN) == value


# project_auto


def declared(play: Play) -> Declaration:
    move = play.moves[-1].move
    assert isinstance(move, CardMove)
    return move.projects


def test_project_auto_announces_the_best_for_whoever_says_nothing() -> None:
    play = started("sun", {1: TWO, 2: "AH KH QH", 3: "7S 8D"}, ruleset=rules_with(project_auto=True))
    asked = rules.asked(play)
    assert asked is not None
    assert asked.default == CardMove(asked.default.card)
    play = rules.play_card(play, Seat.SOUTH, asked.default)
    assert declared(play) == asked.declarations[0]
    assert {one.project for one in play.said.announced} == set(asked.declarations[0])
    assert play.record.moves[-1] == SeatMove(Seat.SOUTH, CardMove(asked.default.card, asked.declarations[0]))
    over = to_the_end(play)
    assert [bool(made.move.projects) for made in over.moves[4:] if isinstance(made.move, CardMove)] == [
        False
    ] * 28
    assert rules.fold(over.record) == over


def test_project_auto_leaves_a_choice_to_him_who_announces() -> None:
    play = started("sun", {1: TWO}, ruleset=rules_with(project_auto=True))
    sira = (project("JH 10H 9H", Mode.SUN),)
    assert declared(rules.play_card(play, Seat.SOUTH, CardMove(Card.parse("7D"), sira))) == sira


def test_project_auto_says_nothing_where_there_is_nothing() -> None:
    play = started("sun", {1: "7S 9S JS KH 10H 8H 7D 8C"}, ruleset=rules_with(project_auto=True))
    assert declared(rules.play_card(play, Seat.SOUTH, CardMove(Card.parse("7D")))) == ()


# hundred_order and project_tie

FOUR_FIRST = rules_with(hundred_order=HundredOrder.FOUR_FIRST)
TRUMP_FIRST = rules_with(project_tie=ProjectTie.TRUMP_FIRST)
COMPARED = [
    # id, rules, contract, hands by position, announced by position, points of either side with its Baloot
    ("P-14 four_first", FOUR_FIRST, "sun", {1: "KS QS JS 10S AS", 2: "JH JD JC 10D QD"}, {1: ["AS KS QS JS 10S"]}, (20, 0)),
    ("P-16 four_first", FOUR_FIRST, "sun", {1: "JS 10S 9S 8S 7S", 2: "KS KH KD KC"},
     {1: ["JS 10S 9S 8S 7S"], 2: ["KS KH KD KC"]}, (0, 20)),
    ("P-17 four_first", FOUR_FIRST, "hokum H", {1: "KH", 2: "AS AH AD AC", 3: "JS 10S 9S 8S 7S", 4: "QH"},
     {2: ["AS AH AD AC"], 3: ["JS 10S 9S 8S 7S"]}, (0, 10)),
    ("P-10 four_first, 400 above all", FOUR_FIRST, "sun", {1: "KS KH KD KC", 2: "AS AH AD AC"},
     {1: ["KS KH KD KC"], 2: ["AS AH AD AC"]}, (0, 40)),
    ("P-19 four_first, a four is above a fifty as before", FOUR_FIRST, "sun", {1: "10S 10H 10D 10C", 2: "AS KS QS JS"},
     {1: ["10S 10H 10D 10C"], 2: ["AS KS QS JS"]}, (20, 0)),
    ("P-22 trump_first", TRUMP_FIRST, "hokum H", {2: "AS KS QS", 3: "AH KH QH"}, {2: ["AS KS QS"], 3: ["AH KH QH"]}, (4, 0)),
    ("P-23 trump_first, no trump among them", TRUMP_FIRST, "hokum C", {1: "KS QS JS", 2: "10H 9H 8H 7H", 3: "10D 9D 8D 7D QC", 4: "KC"},
     {1: ["KS QS JS"], 2: ["10H 9H 8H 7H"], 3: ["10D 9D 8D 7D"]}, (0, 5)),
    ("P-20 trump_first, the higher card comes first", TRUMP_FIRST, "hokum S", {1: "QS JS 10S", 3: "KS", 4: "KH QH JH"},
     {1: ["QS JS 10S"], 4: ["KH QH JH"]}, (0, 2)),
    ("P-16 trump_first, the sort comes first", TRUMP_FIRST, "hokum H", {1: "AS AH AD AC QH", 2: "JH 10H 9H 8H 7H", 3: "KH"},
     {1: ["AS AH AD AC"], 2: ["JH 10H 9H 8H 7H"]}, (0, 10)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("ruleset", "bought", "held", "said", "expected"),
    [row[1:] for row in COMPARED],
    ids=[row[0] for row in COMPARED],
)
def test_a_round_compared_by_other_rules(
    ruleset: Ruleset,
    bought: str,
    held: dict[int, str],
    said: dict[int, list[str]],
    expected: tuple[int, int],
) -> None:
    for seed in range(2):
        play = to_the_end(announced(started(bought, held, seed, ruleset), said))
        assert sides(rules.outcome(play), play.start.record.contract.mode) == expected


def test_p_14_the_strongest_of_equal_ways_follows_the_order() -> None:
    hand = Hand.parse("KS KH KD KC QS JS 10S AS").mask
    for order, strongest in (
        (ProjectOrder(), "AS KS QS JS 10S"),
        (ProjectOrder(four_first=True), "KS KH KD KC"),
    ):
        (first, *_) = declarations(hand, Mode.SUN, 1, order)
        assert first == (project(strongest, Mode.SUN),)


# baloot and baloot_block


def last_royal(ruleset: Ruleset, held: str, said: list[str], shown: bool = True) -> tuple[Play, Card]:
    """A Hokum in hearts in which S1 has played the king, and comes to play the queen."""
    play = started("hokum H", {1: held}, ruleset=ruleset)
    ways = tuple(project(text, Mode.HOKUM) for text in said)
    play = rules.play_card(play, Seat.SOUTH, CardMove(Card.parse("KH"), ways))
    while True:
        while play.turn is not Seat.SOUTH:
            assert play.turn is not None
            play = rules.play_card(play, play.turn, rules.default_move(play))
        asked = rules.asked(play)
        assert asked is not None
        legal = [choice.card for choice in asked.legal]
        if Card.parse("QH") in legal:
            return play, Card.parse("QH")
        play = rules.play_card(play, Seat.SOUTH, CardMove(legal[0], shown=asked.showable if shown else ()))


def credited(play: Play, move: CardMove) -> bool:
    after_card = rules.play_card(play, Seat.SOUTH, move)
    assert rules.step(after_card).baloot is bool(after_card.said.baloot)
    return bool(after_card.said.baloot)


PLAIN = "KH QH 7S 8S 7D 8D 7C 8C"
RUN = "KH QH JH 8S 7D 8D 7C 8C"


@pytest.mark.parametrize(
    ("saying", "hand", "said", "unsaid"),
    [
        (BalootSaying.AUTO, PLAIN, [], True),
        (BalootSaying.MANUAL, PLAIN, [], False),
        (BalootSaying.MANUAL_ALWAYS, PLAIN, [], False),
        (BalootSaying.MANUAL, RUN, ["KH QH JH"], True),
        (BalootSaying.MANUAL_ALWAYS, RUN, ["KH QH JH"], False),
        (BalootSaying.MANUAL, RUN, [], False),
    ],
)
def test_baloot_is_credited_when_it_need_not_be_said_or_is(
    saying: BalootSaying, hand: str, said: list[str], unsaid: bool
) -> None:
    play, queen = last_royal(rules_with(baloot=saying), hand, said)
    asked = rules.asked(play)
    assert asked is not None
    assert [choice.card for choice in asked.legal if choice.baloot] == (
        [] if saying is BalootSaying.AUTO else [queen]
    )
    assert credited(play, CardMove(queen)) is unsaid
    if saying is BalootSaying.AUTO:
        assert reason(play, Seat.SOUTH, CardMove(queen, baloot=True)) is Reason.BALOOT_AUTOMATIC
    else:
        assert credited(play, CardMove(queen, baloot=True))


@pytest.mark.parametrize("saying", [BalootSaying.MANUAL, BalootSaying.MANUAL_ALWAYS])
def test_baloot_is_said_with_the_second_card_of_ones_own_pair(saying: BalootSaying) -> None:
    ruleset = rules_with(baloot=saying)
    play = started("hokum H", {1: PLAIN}, ruleset=ruleset)
    for card in cards("KH 7S"):
        assert reason(play, Seat.SOUTH, CardMove(card, baloot=True)) is Reason.BALOOT_NOT_ALLOWED
    split = started("hokum H", {1: "KH", 2: "QH AS"}, ruleset=ruleset)
    assert reason(after(split, "KH"), Seat.EAST, CardMove(Card.parse("QH"), baloot=True)) in (
        Reason.BALOOT_NOT_ALLOWED,
        Reason.MUST_OVER_TRUMP,
    )
    sun = started("sun", {1: PLAIN}, ruleset=ruleset)
    assert (
        reason(after(sun, ""), Seat.SOUTH, CardMove(Card.parse("KH"), baloot=True))
        is Reason.BALOOT_NOT_ALLOWED
    )


def test_baloot_manual_that_is_forgotten_is_lost() -> None:
    play, queen = last_royal(rules_with(baloot=BalootSaying.MANUAL), PLAIN, [])
    outcome = rules.outcome(to_the_end(rules.play_card(play, Seat.SOUTH, CardMove(queen))))
    assert outcome is not None
    assert outcome.baloot == ()


BLOCKED = [
    # id, hand, announced, the blocks that take the Baloot
    ("a run of five with both", "KH QH JH 10H 9H 8S 7D 7C", ["KH QH JH 10H 9H"],
     {"DECLARED_HUNDRED", "SCORED_HUNDRED", "HUNDRED_OR_SPLIT", "ANY_DECLARED"}),
    ("four kings", "KH QH KS KD KC 8S 7D 7C", ["KS KH KD KC"],
     {"DECLARED_HUNDRED", "SCORED_HUNDRED", "FOUR_KIND_ONLY", "HUNDRED_OR_SPLIT", "ANY_DECLARED"}),
    ("P-28 four queens", "QS QH QD QC KH 8S 7D 7C", ["QS QH QD QC"],
     {"DECLARED_HUNDRED", "SCORED_HUNDRED", "FOUR_KIND_ONLY", "HUNDRED_OR_SPLIT", "ANY_DECLARED"}),
    ("P-25 a Sira with both", "KH QH JH 8S 9S 7D 8D 7C", ["KH QH JH"], {"ANY_DECLARED"}),
    ("P-26 a Fifty with both", "KH QH JH 10H 8S 7D 8D 7C", ["KH QH JH 10H"], {"ANY_DECLARED"}),
    ("a Sira with the queen alone", "KH QH JH 10H 8S 7D 8D 7C", ["QH JH 10H"], {"HUNDRED_OR_SPLIT", "ANY_DECLARED"}),
    ("a run of five with the queen alone", "KH QH JH 10H 9H 8H 7D 7C", ["QH JH 10H 9H 8H"],
     {"DECLARED_HUNDRED", "SCORED_HUNDRED", "HUNDRED_OR_SPLIT", "ANY_DECLARED"}),
    ("a project of other cards", "KH QH AS KS QS 7D 8D 7C", ["AS KS QS"], set()),
    ("four Aces", "KH QH AS AH AD AC 7D 7C", ["AS AH AD AC"], set()),
    ("P-29 nothing announced", "KH QH JH 10H 9H 8S 7D 7C", [], set()),
]  # fmt: skip


@pytest.mark.parametrize("saying", [BalootSaying.AUTO, BalootSaying.MANUAL_ALWAYS])
@pytest.mark.parametrize("block", list(BalootBlock), ids=lambda block: block.name.lower())
@pytest.mark.parametrize(
    ("hand", "said", "taken"), [row[1:] for row in BLOCKED], ids=[row[0] for row in BLOCKED]
)
def test_baloot_block(
    hand: str, said: list[str], taken: set[str], block: BalootBlock, saying: BalootSaying
) -> None:
    play, queen = last_royal(rules_with(baloot_block=block, baloot=saying), hand, said)
    manual = saying is BalootSaying.MANUAL_ALWAYS
    free = block.name not in taken
    if manual:
        why = None if free else Reason.BALOOT_NOT_ALLOWED
        assert reason(play, Seat.SOUTH, CardMove(queen, baloot=True)) is why
    if free or not manual:
        assert credited(play, CardMove(queen, baloot=manual)) is free


@pytest.mark.parametrize("block", list(BalootBlock), ids=lambda block: block.name.lower())
def test_a_hundred_that_is_out_ranked_blocks_unless_it_must_be_scored(block: BalootBlock) -> None:
    held = {1: "QS QH QD QC KH", 2: "AS KS JS 10S 9S 8S 7S"}
    play = announced(
        started("hokum H", held, ruleset=rules_with(baloot_block=block)),
        {1: ["QS QH QD QC"], 2: ["JS 10S 9S 8S 7S"]},
    )
    free = block is BalootBlock.SCORED_HUNDRED
    assert sides(rules.outcome(to_the_end(play)), Mode.HOKUM) == (2 if free else 0, 10)
