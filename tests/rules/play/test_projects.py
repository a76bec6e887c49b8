"""Projects and Baloot: what may be announced, whose count, and when they are shown (rules 2.21 to 2.25)."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from baloot.core.cards import Card, Hand, Rank, cards_of
from baloot.core.contract import Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove, PlayOutcome
from baloot.core.projects import BALOOT_POINTS, PROJECT_POINTS, Declaration, Project, ProjectKind, SeatProject
from baloot.core.seats import POSITIONS, Position, Seat, Team
from baloot.play import rules
from baloot.play.projects import declarations, points, projects_in, require_declarable, winning_team
from baloot.play.state import Play
from hypothesis import given

from tests.rules.play import naive
from tests.rules.play.rounds import DEALER, cards, reason, started, to_the_end
from tests.strategies.cards import hands, randoms
from tests.strategies.play import finished, plays, record


def project(text: str, mode: Mode) -> Project:
    found = naive.project(tuple(sorted(cards(text))), mode)
    assert found is not None
    return found


@given(hands())
def test_the_search_finds_exactly_the_subsets_that_are_projects(hand: Hand) -> None:
    for mode in Mode:
        found = projects_in(hand.mask, mode)
        assert len(found) == len(set(found))
        assert set(found) == naive.projects(hand, mode)


@given(hands())
def test_the_declarations_are_all_single_projects_and_disjoint_pairs(hand: Hand) -> None:
    for mode in Mode:
        expected = naive.declarations(hand, mode, 2)
        ways = declarations(hand.mask, mode, 2)
        assert len(ways) == len(expected)
        assert {frozenset(way) for way in ways} == expected


@given(hands())
def test_the_automatic_choice_has_most_points_then_the_strongest_single_project(hand: Hand) -> None:
    for mode in Mode:
        ways = declarations(hand.mask, mode, 2)
        values = [points(way, mode) for way in ways]
        assert values == sorted(values, reverse=True)
        for way in ways:
            assert (points(way, mode), strongest(way)) <= (points(ways[0], mode), strongest(ways[0]))
            assert strongest(way) == rank_of(way[0])


def rank_of(one: Project) -> tuple[int, Rank]:
    """400, then a run of five, four of a kind, fifty, sira; then the top card."""
    places = {ProjectKind.SIRA: 0, ProjectKind.FIFTY: 1, ProjectKind.HUNDRED: 2, ProjectKind.FOUR_HUNDRED: 4}
    run_of_five = len(one.cards) == 5
    return (3 if run_of_five else places[one.kind]), one.cards[-1].rank


def strongest(way: Declaration) -> tuple[int, Rank]:
    return max(rank_of(one) for one in way)


def test_a_limit_of_one_leaves_single_projects() -> None:
    hand = Hand.parse("AS KS QS JH 10H 9H 7D 8C").mask
    assert [len(way) for way in declarations(hand, Mode.SUN, 1)] == [1, 1]
    assert [len(way) for way in declarations(hand, Mode.SUN, 2)] == [2, 1, 1]


OWN_CHOICE = [
    # id, mode, hand of eight, game points of the automatic choice
    ("P-1", Mode.SUN, "AS KS QS 7H 8H 10D JC 9C", 4),
    ("P-2", Mode.HOKUM, "AS KS QS 7H 8H 10D JC 9C", 2),
    ("P-4", Mode.SUN, "AH KH QH JH 10H 7S 8S 9D", 20),
    ("P-5", Mode.SUN, "KS QS JS 10S 9S 8S AD 7C", 20),
    ("P-7", Mode.SUN, "7S 8S 9S 10S JS QS KS AS", 24),
    ("P-8", Mode.SUN, "AS KS QS JH 10H 9H 7D 8C", 8),
    ("P-10 in Sun", Mode.SUN, "AS AH AD AC 7S 8H 9D 10C", 40),
    ("P-10 in Hokum", Mode.HOKUM, "AS AH AD AC 7S 8H 9D 10C", 10),
    ("P-11", Mode.SUN, "9S 9H 9D 9C AS KH QD JC", 0),
    ("P-13", Mode.SUN, "AS AH AD AC KS QS JS 7D", 44),
    ("P-14", Mode.SUN, "KS KH KD KC QS JS 10S AS", 24),
    ("two fifties", Mode.SUN, "AS KS QS JS 7H 8H 9H 10H", 20),
    ("two fours of a kind", Mode.HOKUM, "KS KH KD KC QS QH QD QC", 20),
    ("no run round the corner", Mode.SUN, "7S AS KS 8H 7H AH 9D 9C", 0),
    ("no run over two suits", Mode.SUN, "7S 8S 9H 10H JD QD KC AC", 0),
    ("four eights and four sevens", Mode.SUN, "8S 8H 8D 8C 7S 7H 7D 7C", 0),
]


@pytest.mark.parametrize(("name", "mode", "hand", "value"), OWN_CHOICE, ids=[row[0] for row in OWN_CHOICE])
def test_the_value_of_a_hand(name: str, mode: Mode, hand: str, value: int) -> None:
    ways = declarations(Hand.parse(hand).mask, mode, 2)
    assert (points(ways[0], mode) if ways else 0) == value


def test_p_7_is_a_hundred_with_a_sira_below_it() -> None:
    best = declarations(Hand.parse("7S 8S 9S 10S JS QS KS AS").mask, Mode.SUN, 2)[0]
    assert best == (project("AS KS QS JS 10S", Mode.SUN), project("9S 8S 7S", Mode.SUN))


def test_p_5_is_the_king_high_run_and_its_last_card_is_nothing() -> None:
    hand = Hand.parse("KS QS JS 10S 9S 8S AD 7C").mask
    assert declarations(hand, Mode.SUN, 2)[0] == (project("KS QS JS 10S 9S", Mode.SUN),)


def test_p_14_offers_the_run_and_the_four_kings() -> None:
    ways = declarations(Hand.parse("KS KH KD KC QS JS 10S AS").mask, Mode.SUN, 2)
    assert ways[0] == (project("KS KH KD KC", Mode.SUN), project("QS JS 10S", Mode.SUN))
    assert (project("AS KS QS JS 10S", Mode.SUN),) in ways


# Rounds: the rows of 4.7 with more than one seat. Sides are S1 with S3, and S2 with S4; figures are game points.

ROUNDS = [
    # id, contract, hands by position, announced by position, points of either side with its Baloot
    ("P-14 run against kings", "sun", {1: "KS QS JS 10S AS", 2: "AH KH QH JH 10H"},
     {1: ["AS KS QS JS 10S"], 2: ["AH KH QH JH 10H"]}, (20, 0)),
    ("P-16", "sun", {1: "JS 10S 9S 8S 7S", 2: "KS KH KD KC"}, {1: ["JS 10S 9S 8S 7S"], 2: ["KS KH KD KC"]}, (20, 0)),
    ("P-17", "hokum H", {1: "KH", 2: "AS AH AD AC", 3: "JS 10S 9S 8S 7S", 4: "QH"},
     {2: ["AS AH AD AC"], 3: ["JS 10S 9S 8S 7S"]}, (10, 0)),
    ("P-19", "sun", {1: "AS KS QS", 2: "JH 10H 9H 8H", 3: "KD QD JD", 4: "9C 8C 7C"},
     {1: ["AS KS QS"], 2: ["JH 10H 9H 8H"], 3: ["KD QD JD"], 4: ["9C 8C 7C"]}, (0, 14)),
    ("P-20", "sun", {1: "QS JS 10S", 4: "KH QH JH"}, {1: ["QS JS 10S"], 4: ["KH QH JH"]}, (0, 4)),
    ("P-22", "hokum H", {2: "AS KS QS", 3: "AH KH QH"}, {2: ["AS KS QS"], 3: ["AH KH QH"]}, (2, 2)),
    ("P-23", "sun", {1: "KS QS JS", 2: "10H 9H 8H 7H", 3: "10D 9D 8D 7D"},
     {1: ["KS QS JS"], 2: ["10H 9H 8H 7H"], 3: ["10D 9D 8D 7D"]}, (0, 10)),
    ("P-25", "hokum H", {1: "KH QH JH"}, {1: ["KH QH JH"]}, (4, 0)),
    ("P-26", "hokum H", {1: "KH QH JH 10H"}, {1: ["KH QH JH 10H"]}, (7, 0)),
    ("P-28", "hokum H", {1: "QS QH QD QC KH"}, {1: ["QS QH QD QC"]}, (10, 0)),
    ("P-29", "hokum H", {1: "KH QH"}, {}, (2, 0)),
    ("P-31", "hokum H", {1: "KH QH JH", 2: "AS KS QS JS"}, {1: ["KH QH JH"], 2: ["AS KS QS JS"]}, (2, 5)),
    ("P-32", "sun", {1: "AS KS QS JS", 2: "9H 8H 7H"}, {2: ["9H 8H 7H"]}, (0, 4)),
    ("P-34", "hokum H", {1: "KH", 2: "QD KD AD", 3: "8S 9S 10S", 4: "QH"}, {2: ["QD KD AD"], 3: ["8S 9S 10S"]}, (0, 2)),
    ("P-35", "hokum S", {1: "9S 10S JS", 2: "KS", 3: "QS", 4: "7H 8H 9H"}, {1: ["9S 10S JS"], 4: ["7H 8H 9H"]}, (2, 0)),
    ("both of a side count, a loser's two do not", "sun",
     {1: "AS KS QS JH 10H 9H", 2: "9S 8S 7S", 4: "10D JD QD KD"},
     {1: ["AS KS QS", "JH 10H 9H"], 2: ["9S 8S 7S"], 4: ["10D JD QD KD"]}, (0, 14)),
    ("an exact tie goes to S2 before S3", "sun", {2: "AS KS QS", 3: "AH KH QH"},
     {2: ["AS KS QS"], 3: ["AH KH QH"]}, (0, 4)),
    ("four Aces are above four Kings in Hokum", "hokum H", {2: "KS KH KD KC", 3: "AS AH AD AC", 4: "QH"},
     {2: ["KS KH KD KC"], 3: ["AS AH AD AC"]}, (10, 0)),
    ("400 is above a run of five", "sun", {1: "JS 10S 9S 8S 7S", 2: "AS AH AD AC"},
     {1: ["JS 10S 9S 8S 7S"], 2: ["AS AH AD AC"]}, (0, 40)),
    ("a run of five with both takes the Baloot", "hokum H", {1: "KH QH JH 10H 9H"}, {1: ["KH QH JH 10H 9H"]}, (10, 0)),
    ("a run of five with the Queen alone takes it too", "hokum H", {1: "KH QH JH 10H 9H 8H"},
     {1: ["QH JH 10H 9H 8H"]}, (10, 0)),
    ("so does a hundred that is out-ranked", "hokum H", {1: "QS QH QD QC KH", 2: "AS KS JS 10S 9S 8S 7S"},
     {1: ["QS QH QD QC"], 2: ["JS 10S 9S 8S 7S"]}, (0, 10)),
    ("an unannounced hundred does not", "hokum H", {1: "KH QH JH 10H 9H"}, {}, (2, 0)),
    ("nor a smaller part of it", "hokum H", {1: "KH QH JH 10H 9H"}, {1: ["JH 10H 9H"]}, (4, 0)),
    ("a hundred of other cards does not", "hokum H", {1: "KH QH AS AH AD AC"}, {1: ["AS AH AD AC"]}, (12, 0)),
    ("K and Q in two hands are no Baloot", "hokum H", {1: "KH", 3: "QH"}, {}, (0, 0)),
    ("there is no Baloot in Sun", "sun", {1: "KH QH"}, {}, (0, 0)),
    ("nor in a plain suit", "hokum H", {1: "KS QS", 2: "KH", 4: "QH"}, {}, (0, 0)),
]  # fmt: skip


def announced(play: Play, said: dict[int, list[str]]) -> Play:
    """Plays the first trick with default cards and these announcements."""
    mode = play.start.record.contract.mode
    for position in POSITIONS:
        seat = position.seat(DEALER)
        way = tuple(project(text, mode) for text in said.get(position, []))
        play = (
            rules.play_card(play, seat, CardMove(rules.default_move(play).card, way))
            if play.turn is seat
            else play
        )
    return play


def sides(outcome: PlayOutcome | None, mode: Mode) -> tuple[int, int]:
    assert outcome is not None
    written = [0, 0]
    for counted in outcome.projects:
        written[counted.team] += PROJECT_POINTS[mode][counted.project.kind]
    for seat in outcome.baloot:
        written[seat.team] += BALOOT_POINTS
    return written[0], written[1]


@pytest.mark.parametrize(
    ("name", "bought", "held", "said", "expected"), ROUNDS, ids=[row[0] for row in ROUNDS]
)
def test_a_round_with_projects(
    name: str, bought: str, held: dict[int, str], said: dict[int, list[str]], expected: tuple[int, int]
) -> None:
    for seed in range(3):
        play = started(bought, held, seed)
        play = to_the_end(announced(play, said))
        assert sides(rules.outcome(play), play.start.record.contract.mode) == expected


def test_a_seat_that_announces_an_overlapping_or_foreign_project_is_refused() -> None:
    hand = Hand.parse("AS KS QS JS 9H 8H 7H 7D").mask
    sira, fifty, low = (project(text, Mode.SUN) for text in ("AS KS QS", "AS KS QS JS", "9H 8H 7H"))
    foreign = project("AD KD QD", Mode.SUN)
    false_kind = Project(ProjectKind.FOUR_HUNDRED, fifty.cards)
    disordered = Project(ProjectKind.SIRA, sira.cards[::-1])
    for way, why in [
        ((sira, fifty), Reason.PROJECT_OVERLAP),
        ((sira, sira), Reason.PROJECT_OVERLAP),
        ((foreign,), Reason.PROJECT_NOT_HELD),
        ((false_kind,), Reason.PROJECT_NOT_HELD),
        ((disordered,), Reason.PROJECT_NOT_HELD),
        ((sira, low, low), Reason.PROJECT_LIMIT),
    ]:
        with pytest.raises(Refusal) as refused:
            require_declarable(way, hand, Mode.SUN, 2)
        assert refused.value.reason is why
    require_declarable((low, sira), hand, Mode.SUN, 2)


def test_projects_that_share_a_card_are_found_wherever_they_stand() -> None:
    hand = Hand.parse("AS KS QS JS 9H 8H 7H 7D").mask
    high, between, low = (project(text, Mode.SUN) for text in ("AS KS QS", "9H 8H 7H", "KS QS JS"))
    with pytest.raises(Refusal) as refused:
        require_declarable((high, between, low), hand, Mode.SUN, 8)
    assert refused.value.reason is Reason.PROJECT_OVERLAP


@given(hands(8, 8))
def test_a_way_is_listed_exactly_when_it_is_accepted(hand: Hand) -> None:
    for mode in Mode:
        listed = set(declarations(hand.mask, mode, 2))
        found = projects_in(hand.mask, mode)
        for way in [(one,) for one in found] + list(combinations(found, 2)):
            try:
                require_declarable(way, hand.mask, mode, 2)
            except Refusal:
                assert way not in listed
            else:
                assert way in listed or way[::-1] in listed


def test_projects_are_for_ones_first_card() -> None:
    play = announced(started("sun", {1: "AS KS QS"}), {})
    while play.turn is not Seat.SOUTH:
        assert play.turn is not None
        play = rules.play_card(play, play.turn, rules.default_move(play))
    asked = rules.asked(play)
    assert asked is not None
    assert asked.declarations == ()
    card = rules.default_move(play).card
    assert reason(play, Seat.SOUTH, CardMove(card, (project("AS KS QS", Mode.SUN),))) is Reason.PROJECT_WINDOW


def test_a_project_may_be_declined_and_one_of_a_pair_announced() -> None:
    play = started("sun", {1: "AS KS QS JH 10H 9H"})
    asked = rules.asked(play)
    assert asked is not None
    card = asked.default.card
    assert asked.default.projects == ()
    for way in ((), *asked.declarations):
        assert reason(play, Seat.SOUTH, CardMove(card, way)) is None


def test_a_seat_announces_with_its_own_first_card_though_others_led() -> None:
    play = announced(started("sun", {4: "AS KS QS"}), {4: ["AS KS QS"]})
    assert play.said.announced == (SeatProject(Seat.WEST, project("AS KS QS", Mode.SUN)),)


def test_the_side_is_told_by_the_first_tricks_last_card_and_cards_are_shown_with_the_second_card() -> None:
    held = {1: "AS KS QS", 3: "9D 8D 7D", 2: "9H 8H 7H"}
    play = announced(started("sun", held), {1: ["AS KS QS"], 3: ["9D 8D 7D"], 2: ["9H 8H 7H"]})
    told = rules.step(play)
    assert told.projects_team is Team.SOUTH_NORTH
    assert told.trick is not None
    assert told.shown == ()
    shown = []
    for _ in range(8):
        assert play.turn is not None
        seat = play.turn
        play = rules.play_card(play, seat, rules.default_move(play))
        step = rules.step(play)
        assert step.projects_team is None
        assert all(laid.seat is seat for laid in step.shown)
        shown.append((seat, step.shown))
    assert {seat for seat, laid in shown[:4] if laid} == {Seat.SOUTH, Seat.NORTH}
    assert not any(laid for _, laid in shown[4:])


def test_p_35_the_beaten_side_shows_nothing() -> None:
    play = announced(
        started("hokum S", {1: "9S 10S JS", 2: "KS", 3: "QS", 4: "7H 8H 9H"}),
        {1: ["9S 10S JS"], 4: ["7H 8H 9H"]},
    )
    shown = list(rules.step(play).shown)
    while play.turn is not None:
        play = rules.play_card(play, play.turn, rules.default_move(play))
        shown += rules.step(play).shown
    assert shown == [SeatProject(Seat.SOUTH, project("9S 10S JS", Mode.HOKUM))]


def test_without_an_announcement_no_side_is_told() -> None:
    step = rules.step(announced(started("sun", {1: "AS KS QS"}), {}))
    assert step.trick is not None
    assert step.projects_team is None


def test_a_baloot_is_credited_with_the_second_card_of_the_pair_and_only_then() -> None:
    play = started("hokum H", {1: "KH QH"})
    credited = []
    while play.turn is not None:
        play = rules.play_card(play, play.turn, rules.default_move(play))
        if rules.step(play).baloot:
            credited.append(play.moves[-1])
            assert not play.hands[Seat.SOUTH] & play.start.royals
    assert [made.seat for made in credited] == [Seat.SOUTH]
    outcome = rules.outcome(play)
    assert outcome is not None
    assert outcome.baloot == (Seat.SOUTH,)


def test_a_baloot_need_not_be_said() -> None:
    play = started("hokum H", {1: "KH QH"})
    assert reason(play, Seat.SOUTH, CardMove(Card.parse("KH"), baloot=True)) is Reason.BALOOT_AUTOMATIC


@given(randoms())
def test_all_projects_of_the_side_with_the_single_best_count_and_nobody_elses(rng: Random) -> None:
    play = finished(rng, record(rng), sawa=0)
    said = play.said.announced
    dealer = play.start.record.dealer
    outcome = rules.outcome(play)
    assert outcome is not None
    if not said:
        assert outcome.projects == ()
        return
    best = max(rank_of(one.project) for one in said)
    first = min((one.seat - dealer - 1) % 4 for one in said if rank_of(one.project) == best)
    side = Position(first + 1).seat(dealer).team
    assert outcome.projects == tuple(one for one in said if one.team is side)
    assert winning_team(reversed(said), dealer) is side


@given(randoms())
def test_a_baloot_is_credited_iff_a_hand_held_both_and_no_announced_hundred_has_one(rng: Random) -> None:
    play = finished(rng, sawa=0)
    start = play.start.record
    outcome = rules.outcome(play)
    assert outcome is not None
    pair = (
        {Card.of(start.contract.trump, rank) for rank in (Rank.QUEEN, Rank.KING)}
        if start.contract.trump is not None
        else {None}
    )
    owners = tuple(seat for seat in Seat if pair <= set(start.hands[seat]))
    blocked = any(
        one.project.kind is ProjectKind.HUNDRED and pair & set(one.project.cards)
        for one in play.said.announced
    )
    assert outcome.baloot == (() if blocked else owners)


@given(plays())
def test_a_play_prints_no_card_that_is_held(play: Play) -> None:
    printed = f"{play!r} {play} {play.start!r} {play.said!r} {play.record.hands!r}"
    claimed = {play.said.qaid.claim.proof} if play.said.qaid is not None else set()
    held = [card for hand in play.hands for card in cards_of(hand) if card not in claimed]
    assert not any(f" {card}" in printed or card.name in printed for card in held)
    assert all(
        str(hand) not in printed.replace("(", " ").replace(",", " ").split()
        for hand in play.hands
        if hand > 99
    )
