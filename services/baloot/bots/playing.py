"""Choosing a card.

Each legal card is weighed in card points: what the trick is worth to the seat's side when it is played, plus what the
cards that stay in hand are worth later. The figures in `SUN` and `HOKUM` were found by letting bots play each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from baloot.bots.order import ORDERS, Order, winning_place
from baloot.bots.sight import Sight
from baloot.bots.sureness import is_sure_of_the_rest
from baloot.bots.unseen import Unseen, unseen_by
from baloot.core.cards import LAST_TRICK_POINTS, SUIT_MASK, SUITS, Card, Rank, cards_of, mask_of
from baloot.core.contract import Contract
from baloot.core.play import CardMove, PlayAsked, SawaMove
from baloot.core.projects import Declaration, ProjectKind
from baloot.core.seats import Seat, from_seat

_ROYALS = mask_of(Card.of(suit, rank) for suit in SUITS for rank in (Rank.QUEEN, Rank.KING))


@dataclass(frozen=True, slots=True)
class Weights:
    """The figures behind the choice, in card points unless they are chances."""

    given: float
    """What a seat still to play adds to a trick that its side wins."""
    kept: float
    """What a seat still to play adds to a trick that its side loses."""
    later: float
    """What the others add to a later trick."""
    lost: float
    """The part of its own points that a card costs when it does not win a later trick; below zero it gains them."""
    tempo: float
    """Winning the trick, beside its points."""
    guarded: tuple[float, ...]
    """The chance that a card wins a later trick, by how many stronger ones are out, with as many lower ones beside it."""
    bare: tuple[float, ...]
    """The same without enough lower cards to wait for that."""
    back: float
    """Leading a plain suit that the partner led before."""
    against: float = -2.0
    """Leading a plain suit that an opponent led before."""
    length: float = 1.0
    """Leading from a plain suit, for each card in it beyond the second."""
    unruffed: tuple[float, ...] = (1.0, 1.0, 1.0)
    """The chance that the first, second and a later round of a plain suit is not ruffed."""
    trumps: tuple[float, ...] = ()
    """What a trump wins later, as parts of a trick, by how many stronger ones are out."""
    control: float = 0.0
    """A trump in hand, beside the trick it may win."""
    draw: float = 0.0
    """Leading a trump while opponents of the buyer's side may still hold some."""
    feed: float = 0.0
    """Leading a trump against the buyer."""


SUN = Weights(
    given=6.0,
    kept=2.0,
    later=9.0,
    lost=-0.38,
    tempo=2.0,
    guarded=(0.95, 0.5, 0.1, 0.1),
    bare=(0.9, 0.2, 0.05, 0.0),
    back=2.0,
)
HOKUM = Weights(
    given=6.0,
    kept=1.0,
    later=13.0,
    lost=0.0,
    tempo=-2.0,
    guarded=(0.95, 0.5, 0.1, 0.1),
    bare=(0.9, 0.1, 0.05, 0.0),
    back=5.0,
    unruffed=(0.5, 0.5, 0.2),
    trumps=(1.5, 1.1, 0.5, 0.35),
    control=14.0,
    draw=12.0,
    feed=-8.0,
)


def choose_move(sight: Sight, asked: PlayAsked, weights: Weights | None = None) -> CardMove | SawaMove:
    """The card to play with all that is worth saying with it, or the claim of the rest where nothing can go wrong.

    Akka is said only if it is true, which some rule sets do not check.
    """
    contract = sight.contract
    assert contract is not None, "a seat is asked for a card when something is bought"
    order = ORDERS[contract.trump]
    unseen = unseen_by(sight, order)
    if asked.sawa and is_sure_of_the_rest(order, sight.hand, unseen.cards, locked=contract.locked):
        return SawaMove()
    choice = asked.legal[0]
    if len(asked.legal) > 1:
        weights = weights or (SUN if contract.trump is None else HOKUM)
        weighing = Weighing(sight, contract, order, unseen, weights)
        choice = max(asked.legal, key=lambda legal: weighing.worth(legal.card))
    projects = asked.declarations[0] if asked.declarations else ()
    akka = choice.akka and not order.stronger[choice.card] & (sight.hand | unseen.cards)
    baloot = choice.baloot and not _takes_baloot(sight, order, asked.showable)
    return CardMove(choice.card, projects, akka, baloot, asked.showable)


def _takes_baloot(sight: Sight, order: Order, shown: Declaration) -> bool:
    """Whether showing these, which is worth more, takes the Baloot that could be said with the same card (2.25)."""
    royals = order.trumps & _ROYALS
    return sight.scored_hundred and any(
        project.kind is ProjectKind.HUNDRED and project.mask & royals for project in shown
    )


@dataclass(frozen=True, slots=True)
class Weighing:
    """One seat's decision on one card."""

    sight: Sight
    contract: Contract
    order: Order
    unseen: Unseen
    weights: Weights

    def worth(self, card: Card) -> float:
        """What playing a card is worth to the seat's side, in card points."""
        weights, points = self.weights, self.order.points
        to_play = 3 - len(self.sight.trick)
        ours, theirs = to_play // 2, (to_play + 1) // 2
        stake = sum(points[lying] for lying in self.sight.trick) + points[card]
        if len(self.sight.tricks) == 7:
            stake += LAST_TRICK_POINTS
        won = self._chance_to_win(card)
        return (
            won * (stake + ours * weights.given + theirs * weights.kept + weights.tempo)
            - (1 - won) * (stake + ours * weights.kept + theirs * weights.given)
            + self._lead_bonus(card)
            + self._hand_worth(self.sight.hand & ~(1 << card))
        )

    # The trick on the table.

    def _chance_to_win(self, card: Card) -> float:
        """How likely the seat's side wins the trick, each seat after this one taking it if it can."""
        trick = (*self.sight.trick, card)
        place = winning_place(self.order, trick)
        best, led = trick[place], trick[0]
        won = 1.0 if (len(trick) - 1 - place) % 2 == 0 else 0.0
        for seat in from_seat(self.sight.seat.next)[: 4 - len(trick)]:
            beats = self._chance_to_beat(seat, led, best)
            if seat.team is self.sight.seat.team:
                won += (1 - won) * beats
            else:
                won -= won * beats
        return won

    def _chance_to_beat(self, seat: Seat, led: Card, best: Card) -> float:
        unseen, order = self.unseen, self.order
        suit = SUIT_MASK[led.suit]
        follows = unseen.chance(seat, unseen.cards & suit)
        higher = order.beats[best] & unseen.cards
        beats = unseen.chance(seat, higher & suit) if higher & suit else 0.0
        if not order.trumps or order.trumps & suit:
            return beats
        return beats + (1 - follows) * unseen.chance(seat, higher & order.trumps)

    def _lead_bonus(self, card: Card) -> float:
        if self.sight.trick:
            return 0.0
        if not self.order.trumps >> card & 1:
            return self._plain_lead_bonus(card)
        if self.contract.buying_team is not self.sight.seat.team:
            return self.weights.feed
        return self.weights.draw * self._opponents_trumps()

    def _plain_lead_bonus(self, card: Card) -> float:
        weights, suit = self.weights, SUIT_MASK[card.suit]
        leaders = [trick.leader for trick in self.sight.tricks if suit >> trick.cards[0] & 1]
        bonus = weights.length * ((self.sight.hand & suit).bit_count() - 2)
        if self.sight.seat.partner in leaders:
            bonus += weights.back
        elif any(leader.team is not self.sight.seat.team for leader in leaders):
            bonus += weights.against
        return bonus

    def _opponents_trumps(self) -> float:
        """How likely an opponent still holds a trump."""
        none = 1.0
        for seat in self.sight.seat.team.other.seats:
            none *= 1 - self.unseen.chance(seat, self.unseen.cards & self.order.trumps)
        return 1 - none

    # The cards that stay.

    def _hand_worth(self, hand: int) -> float:
        ruffing = self._opponents_trumps() if self.order.trumps else 0.0
        return sum(
            self._trumps_worth(hand & suit)
            if suit == self.order.trumps
            else self._plain_worth(hand & suit, suit, ruffing)
            for suit in SUIT_MASK
            if hand & suit
        )

    def _plain_worth(self, held: int, suit: int, ruffing: float) -> float:
        weights, order = self.weights, self.order
        rounds = sum(1 for trick in self.sight.tricks if suit >> trick.cards[0] & 1)
        worth = 0.0
        for nth, card in enumerate(_strongest_first(order, held)):
            above = (order.stronger[card] & self.unseen.cards).bit_count()
            below = held.bit_count() - 1 - nth
            chances = weights.guarded if below >= above else weights.bare
            wins = chances[min(above, 3)]
            if ruffing:
                unruffed = weights.unruffed[min(rounds + max(nth, above), 2)]
                wins *= 1 - ruffing * (1 - unruffed)
            worth += self._card_worth(card, wins)
        return worth

    def _trumps_worth(self, held: int) -> float:
        worth = 0.0
        for card in cards_of(held):
            above = (self.order.stronger[card] & self.unseen.cards).bit_count()
            worth += self.weights.control + self._card_worth(card, self.weights.trumps[min(above, 3)])
        return worth

    def _card_worth(self, card: Card, wins: float) -> float:
        points = self.order.points[card]
        return wins * (points + self.weights.later) - (1 - wins) * self.weights.lost * points


def _strongest_first(order: Order, held: int) -> list[Card]:
    return sorted(cards_of(held), key=order.strength.__getitem__, reverse=True)
