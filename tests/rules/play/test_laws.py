"""What holds in every round, whatever is dealt, bought and played."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from baloot.core.cards import CARDS, LAST_TRICK_POINTS, Card, Hand, Suit, card_points, cards_of
from baloot.core.contract import Contract
from baloot.core.errors import Refusal
from baloot.core.play import CardMove, PlayRecord, QaidMove, SawaMove, SeatMove
from baloot.core.projects import Declaration, Project, SeatProject
from baloot.core.ruleset import FirstLeader
from baloot.core.seats import SEATS, TEAMS, Position, Seat
from baloot.play import rules
from baloot.play.state import Play
from hypothesis import given, settings

from tests.rules.play import naive
from tests.rules.play.rounds import reason, rotated
from tests.strategies.cards import randoms
from tests.strategies.play import finished, finished_plays, moments, of_some_rules, plays

WHOLE = (1 << 32) - 1


def accepted(play: Play, seat: Seat, card: Card) -> bool:
    try:
        rules.play_card(play, seat, CardMove(card))
    except Refusal:
        return False
    return True


@settings(max_examples=25)
@given(randoms())
def test_a_card_is_legal_iff_playing_it_is_not_refused(rng: Random) -> None:
    for play in moments(rng, of_some_rules(rng)):
        question = rules.asked(play)
        for seat in SEATS:
            taken = [card for card in CARDS if accepted(play, seat, card)]
            held = tuple(cards_of(play.hands[seat])) if seat is play.turn else ()
            assert tuple(taken) == (held if play.start.lenient else rules.legal_cards(play, seat))
            assert bool(taken) is (seat is play.turn)
            assert set(rules.legal_cards(play, seat)) <= set(taken)
        if question is not None:
            hand = play.hands[question.seat]
            assert [choice.card for choice in question.legal] == list(cards_of(rules.legal_mask(play)))
            assert sorted([c.card for c in question.legal] + [c.card for c in question.refused]) == list(
                cards_of(hand)
            )
            for refused in question.refused:
                why = None if play.start.lenient else refused.reason
                assert reason(play, question.seat, CardMove(refused.card)) is why


@given(plays())
def test_what_is_offered_beside_the_card_is_accepted_and_nothing_else(play: Play) -> None:
    question = rules.asked(play)
    if question is None:
        return
    for choice in question.legal:
        refused = reason(play, question.seat, CardMove(choice.card, akka=True))
        assert (refused is None) is choice.akka
        refused = reason(play, question.seat, CardMove(choice.card, baloot=True))
        assert (refused is None) is choice.baloot
    card = question.default.card
    assert all(reason(play, question.seat, CardMove(card, way)) is None for way in question.declarations)
    for project in {said.project for said in play.said.announced}:
        refused = reason(play, question.seat, CardMove(card, shown=(project,)))
        assert (refused is None) is (project in question.showable)
    assert reason(play, question.seat, CardMove(card, shown=question.showable)) is None
    assert (reason(play, question.seat, SawaMove()) is None) is question.sawa
    assert all(reason(play, seat, SawaMove()) is not None for seat in SEATS if seat is not question.seat)
    assert question.default == rules.default_move(play)
    assert question.default.card in [choice.card for choice in question.legal]


@given(randoms())
def test_the_32_cards_are_conserved_at_each_step(rng: Random) -> None:
    for play in moments(rng, of_some_rules(rng)):
        played = [made.move.card for made in play.moves if isinstance(made.move, CardMove)]
        held = [card for hand in play.hands for card in cards_of(hand)]
        assert sorted(played + held) == list(CARDS)
        on_table = [card for trick in play.tricks for card in trick.cards] + list(play.trick)
        assert on_table == played


@given(finished_plays())
def test_card_points_and_tricks_add_up(play: Play) -> None:
    outcome = rules.outcome(play)
    assert outcome is not None
    trump = play.start.record.contract.trump
    total = 130 if trump is None else 162
    whole = outcome.qaid is None or len(play.tricks) == 8
    assert (sum(outcome.card_points) == total) is whole
    assert (sum(outcome.tricks) == 8) is whole
    won = [0, 0]
    for trick in play.tricks:
        assert trick.points == sum(card_points(card, trump) for card in trick.cards)
        won[trick.winner.team] += trick.points
    if not whole:
        assert outcome.card_points == tuple(won)
        return
    last = outcome.sawa if outcome.sawa is not None else play.tricks[-1].winner
    assert outcome.card_points[last.team.other] == won[last.team.other]
    assert outcome.card_points[last.team] >= won[last.team] + LAST_TRICK_POINTS


@given(finished_plays())
def test_a_trick_is_won_by_its_highest_card_and_its_winner_leads_the_next(play: Play) -> None:
    start = play.start.record
    buyer_leads = start.ruleset.first_leader is FirstLeader.BUYER
    leader = start.contract.buyer if buyer_leads else Position.S1.seat(start.dealer)
    for trick in play.tricks:
        best = naive.winning(trick.cards, play.start.record.contract.trump)
        assert trick.leader is leader
        leader = trick.winner
        assert leader is SEATS[(trick.leader + trick.cards.index(best)) % 4]


@given(randoms())
def test_the_carried_facts_are_those_that_the_moves_give(rng: Random) -> None:
    for play in moments(rng, of_some_rules(rng)):
        start = play.start.record
        made = [made for made in play.moves if isinstance(made.move, CardMove)]
        gone = {made.move.card for made in made if isinstance(made.move, CardMove)}
        assert [set(cards_of(hand)) for hand in play.hands] == [set(hand) - gone for hand in start.hands]
        table = made[len(made) // 4 * 4 :]
        on_table = tuple(one.move.card for one in table if isinstance(one.move, CardMove))
        assert play.trick == on_table
        assert len(play.tricks) == len(made) // 4
        assert play.akka is any(isinstance(one.move, CardMove) and one.move.akka for one in table)
        if on_table:
            assert on_table[play.best] is naive.winning(on_table, start.contract.trump)
            assert play.leader is table[0].seat
        assert play.said.announced == tuple(
            said for one in made if isinstance(one.move, CardMove) for said in announced(one)
        )
        assert rules.fold(play.record) == play


def announced(made: SeatMove) -> list[SeatProject]:
    assert isinstance(made.move, CardMove)
    return [SeatProject(made.seat, project) for project in made.move.projects]


@given(plays(), randoms())
def test_rotating_the_seats_changes_only_names(play: Play, rng: Random) -> None:
    by = rng.randint(1, 3)
    turned = rules.fold(rotated(play.record, by))
    assert turned.turn == (None if play.turn is None else SEATS[(play.turn + by) % 4])
    assert rules.legal_mask(turned) == rules.legal_mask(play)
    for seat in SEATS:
        assert turned.hands[(seat + by) % 4] == play.hands[seat]
    assert [trick.points for trick in turned.tricks] == [trick.points for trick in play.tricks]
    assert [(trick.winner - by) % 4 for trick in turned.tricks] == [trick.winner for trick in play.tricks]
    before, after = rules.outcome(play), rules.outcome(turned)
    if before is not None:
        assert after is not None
        for side in TEAMS:
            assert after.card_points[(side + by) % 2] == before.card_points[side]
            assert after.tricks[(side + by) % 2] == before.tricks[side]
        assert [said.project for said in after.projects] == [said.project for said in before.projects]
        assert after.baloot == tuple(SEATS[(seat + by) % 4] for seat in before.baloot)


def recoloured(record: PlayRecord, suits: list[Suit]) -> PlayRecord:
    """The same round with other names for its suits."""

    def card(old: Card) -> Card:
        return Card.of(suits[old.suit], old.rank)

    def declaration(old: Declaration) -> Declaration:
        return tuple(Project(one.kind, tuple(sorted(map(card, one.cards)))) for one in old)

    def move(made: SeatMove) -> SeatMove:
        old = made.move
        if isinstance(old, SawaMove):
            return made
        if isinstance(old, QaidMove):
            assert old.card is not None
            assert old.proof is not None
            return SeatMove(made.seat, QaidMove(old.ground, card(old.card), card(old.proof)))
        projects, shown = declaration(old.projects), declaration(old.shown)
        return SeatMove(made.seat, CardMove(card(old.card), projects, old.akka, old.baloot, shown))

    bought = record.contract
    trump = suits[bought.trump] if bought.trump is not None else None
    south, east, north, west = (Hand.of(card(old) for old in hand) for hand in record.hands)
    return PlayRecord(
        Contract(bought.mode, trump, bought.buyer, bought.taker, bought.bidding, bought.raises),
        record.dealer,
        (south, east, north, west),
        tuple(move(made) for made in record.moves),
        record.ruleset,
    )


@given(plays(), randoms())
def test_renaming_the_suits_changes_only_names(play: Play, rng: Random) -> None:
    suits = rng.sample(list(Suit), 4)
    other = rules.fold(recoloured(play.record, suits))
    assert other.turn is play.turn
    renamed = {Card.of(suits[card.suit], card.rank) for card in cards_of(rules.legal_mask(play))}
    assert set(cards_of(rules.legal_mask(other))) == renamed
    assert [trick.winner for trick in other.tricks] == [trick.winner for trick in play.tricks]
    before, after = rules.outcome(play), rules.outcome(other)
    if before is not None:
        assert after is not None
        assert replace(after, projects=(), qaid=None) == replace(before, projects=(), qaid=None)
        assert (after.qaid is None) is (before.qaid is None)
        assert (after.qaid and after.qaid.right) == (before.qaid and before.qaid.right)
        assert [said.seat for said in after.projects] == [said.seat for said in before.projects]


@given(randoms())
def test_every_round_ends_after_32_cards_or_a_claim_that_ends_it(rng: Random) -> None:
    play = finished(rng, of_some_rules(rng))
    cards = sum(isinstance(made.move, CardMove) for made in play.moves)
    claims = [made.seat for made in play.moves if isinstance(made.move, SawaMove)]
    claimed = play.said.sawa is not None or play.said.qaid is not None
    assert claimed or cards == 32
    assert cards < 32 or play.said.sawa is None
    assert len(set(claims)) >= len(claims) - (play.said.sawa is not None)
    assert rules.asked(play) is None


@given(randoms())
def test_default_moves_end_every_round_and_announce_nothing(rng: Random) -> None:
    play = rules.start_play(of_some_rules(rng))
    while play.turn is not None:
        made = rules.default_move(play)
        assert made == CardMove(made.card)
        play = rules.play_card(play, play.turn, made)
        if not play.start.prompts:
            assert play.moves[-1].move == made
    assert len(play.moves) == 32
