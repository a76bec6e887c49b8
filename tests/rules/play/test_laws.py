"""What holds in every round, whatever is dealt, bought and played."""

from __future__ import annotations

from random import Random

from baloot.core.cards import CARDS, LAST_TRICK_POINTS, Card, Hand, Suit, card_points, cards_of
from baloot.core.contract import Contract
from baloot.core.errors import Refusal
from baloot.core.play import CardMove, PlayRecord, SawaMove, SeatMove
from baloot.core.projects import Project, SeatProject
from baloot.core.seats import SEATS, TEAMS, Position, Seat
from baloot.play import rules
from baloot.play.state import Play
from hypothesis import given, settings

from tests.rules.play import naive
from tests.rules.play.rounds import reason, rotated
from tests.strategies.cards import randoms
from tests.strategies.play import finished, finished_plays, moments, plays, record

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
    for play in moments(rng):
        question = rules.asked(play)
        for seat in SEATS:
            legal = [card for card in CARDS if accepted(play, seat, card)]
            assert tuple(legal) == rules.legal_cards(play, seat)
            assert bool(legal) is (seat is play.turn)
        if question is not None:
            hand = play.hands[question.seat]
            assert [choice.card for choice in question.legal] == list(cards_of(rules.legal_mask(play)))
            assert sorted([c.card for c in question.legal] + [c.card for c in question.refused]) == list(
                cards_of(hand)
            )
            for refused in question.refused:
                assert reason(play, question.seat, CardMove(refused.card)) is refused.reason


@given(plays())
def test_what_is_offered_beside_the_card_is_accepted_and_nothing_else(play: Play) -> None:
    question = rules.asked(play)
    if question is None:
        return
    for choice in question.legal:
        refused = reason(play, question.seat, CardMove(choice.card, akka=True))
        assert (refused is None) is choice.akka
    card = question.default.card
    assert all(reason(play, question.seat, CardMove(card, way)) is None for way in question.declarations)
    assert (reason(play, question.seat, SawaMove()) is None) is question.sawa
    assert all(reason(play, seat, SawaMove()) is not None for seat in SEATS if seat is not question.seat)
    assert question.default == rules.default_move(play)
    assert question.default.card in [choice.card for choice in question.legal]


@given(randoms())
def test_the_32_cards_are_conserved_at_each_step(rng: Random) -> None:
    for play in moments(rng):
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
    assert sum(outcome.card_points) == (130 if trump is None else 162)
    assert sum(outcome.tricks) == 8
    won = [0, 0]
    for trick in play.tricks:
        assert trick.points == sum(card_points(card, trump) for card in trick.cards)
        won[trick.winner.team] += trick.points
    last = outcome.sawa if outcome.sawa is not None else play.tricks[-1].winner
    assert outcome.card_points[last.team.other] == won[last.team.other]
    assert outcome.card_points[last.team] >= won[last.team] + LAST_TRICK_POINTS


@given(finished_plays())
def test_a_trick_is_won_by_its_highest_card_and_its_winner_leads_the_next(play: Play) -> None:
    leader = Position.S1.seat(play.start.record.dealer)
    for trick in play.tricks:
        best = naive.winning(trick.cards, play.start.record.contract.trump)
        assert trick.leader is leader
        leader = trick.winner
        assert leader is SEATS[(trick.leader + trick.cards.index(best)) % 4]


@given(randoms())
def test_the_carried_facts_are_those_that_the_moves_give(rng: Random) -> None:
    for play in moments(rng):
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

    def move(made: SeatMove) -> SeatMove:
        if not isinstance(made.move, CardMove):
            return made
        projects = tuple(
            Project(project.kind, tuple(sorted(card(old) for old in project.cards)))
            for project in made.move.projects
        )
        return SeatMove(made.seat, CardMove(card(made.move.card), projects, made.move.akka))

    bought = record.contract
    trump = suits[bought.trump] if bought.trump is not None else None
    south, east, north, west = (Hand.of(card(old) for old in hand) for hand in record.hands)
    return PlayRecord(
        Contract(bought.mode, trump, bought.buyer, bought.taker, bought.bidding, bought.raises),
        record.dealer,
        (south, east, north, west),
        tuple(move(made) for made in record.moves),
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
        assert (after.tricks, after.card_points, after.baloot, after.sawa) == (
            before.tricks,
            before.card_points,
            before.baloot,
            before.sawa,
        )
        assert [said.seat for said in after.projects] == [said.seat for said in before.projects]


@given(randoms())
def test_every_round_ends_after_32_cards_or_a_sawa_that_holds(rng: Random) -> None:
    play = finished(rng, record(rng))
    cards = sum(isinstance(made.move, CardMove) for made in play.moves)
    claims = [made.seat for made in play.moves if isinstance(made.move, SawaMove)]
    assert (cards == 32) is (play.said.sawa is None)
    assert len(set(claims)) >= len(claims) - (play.said.sawa is not None)


@given(randoms())
def test_default_moves_end_every_round_and_announce_nothing(rng: Random) -> None:
    play = rules.start_play(record(rng))
    while play.turn is not None:
        made = rules.default_move(play)
        assert made == CardMove(made.card)
        play = rules.play_card(play, play.turn, made)
    assert len(play.moves) == 32
