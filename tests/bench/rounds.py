"""Random legal rounds through the rules modules, beside a bare playout of eight tricks on bit masks."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from baloot.bidding import rules as bidding
from baloot.core.auction import AuctionRecord
from baloot.core.cards import CARDS, PLAIN_POINTS, PLAIN_STRENGTH, SUIT_MASK, TRUMP_POINTS, TRUMP_STRENGTH
from baloot.core.contract import Contract
from baloot.core.deal import Deck
from baloot.core.play import CardMove, PlayRecord
from baloot.core.score import RoundRecord
from baloot.core.seats import SEATS, Seat
from baloot.play import rules as play
from baloot.play.projects import declarations
from baloot.play.state import Play
from baloot.scoring import rules as scoring

_STRENGTH = tuple(
    tuple((16 + TRUMP_STRENGTH[c] if c >> 3 == t else PLAIN_STRENGTH[c]) for c in range(32)) for t in range(4)
)
_POINTS = tuple(
    tuple((TRUMP_POINTS[c] if c >> 3 == t else PLAIN_POINTS[c]) for c in range(32)) for t in range(4)
)


def per_second(work: Callable[[random.Random], int], seconds: float, seed: int) -> float:
    """Rounds per second of CPU time."""
    rng = random.Random(seed)
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        done += work(rng)
    return done / spent


def bare_playouts(rng: random.Random) -> int:
    """Fifty random playouts of eight tricks in Hokum: follow, trump and over-trump on masks, with nothing checked."""
    for _ in range(50):
        bare_playout(rng)
    return 50


def bare_playout(rng: random.Random) -> int:
    """One playout: the card points of the first side."""
    deck = list(range(32))
    rng.shuffle(deck)
    hands = [0, 0, 0, 0]
    for place, card in enumerate(deck):
        hands[place & 3] |= 1 << card
    trump = rng.randrange(4)
    trumps, strength, points = SUIT_MASK[trump], _STRENGTH[trump], _POINTS[trump]
    leader, won = 0, 0
    for _ in range(8):
        best, winner, led, value = -1, leader, 0, 0
        for turn in range(4):
            seat = (leader + turn) & 3
            allowed = hands[seat]
            if turn:
                allowed = _bare_legal(allowed, led, trumps, strength, best, partner=winner == (seat ^ 2))
            card = _pick(allowed, rng)
            hands[seat] ^= 1 << card
            value += points[card]
            if not turn:
                led = SUIT_MASK[card >> 3]
            if (led | trumps) >> card & 1 and (best < 0 or strength[card] > strength[best]):
                best, winner = card, seat
        leader = winner
        if not winner & 1:
            won += value
    return won


def _bare_legal(
    hand: int, led: int, trumps: int, strength: tuple[int, ...], best: int, *, partner: bool
) -> int:
    follow = hand & led
    if follow and led != trumps:
        return follow
    ruffs = hand & trumps
    if not ruffs or (partner and not follow):
        return follow or hand
    if trumps >> best & 1:
        higher = 0
        left = ruffs
        while left:
            low = left & -left
            if strength[low.bit_length() - 1] > strength[best]:
                higher |= low
            left ^= low
        return higher or follow or hand
    return ruffs


def _pick(allowed: int, rng: random.Random) -> int:
    skip = int(rng.random() * allowed.bit_count())
    while skip:
        allowed &= allowed - 1
        skip -= 1
    return (allowed & -allowed).bit_length() - 1


def legal_rounds(rng: random.Random) -> int:
    """One random legal round: auction, projects, eight tricks, score. Thrown-in deals are not counted."""
    deck = Deck(tuple(rng.sample(CARDS, 32)))
    dealer = SEATS[rng.randrange(4)]
    contract = random_auction(rng, deck, dealer)
    if contract is None:
        return 0
    record = PlayRecord(contract, dealer, deck.full_hands(dealer, contract.taker))
    state = play.start_play(record)
    for _ in range(4):
        state = first_card(state, contract, rng)
    play_card, legal_mask = play.play_card, play.legal_mask
    while (seat := state.turn) is not None:
        state = play_card(state, seat, play.SILENT[_pick(legal_mask(state), rng)])
    outcome = play.outcome(state)
    assert outcome is not None
    scoring.score_round(RoundRecord(contract, outcome), explained=False)
    return 1


def first_card(state: Play, contract: Contract, rng: random.Random) -> Play:
    """A random first card of a seat, with the best projects of its hand."""
    assert state.turn is not None
    declared = declarations(state.hands[state.turn], contract.mode, 2)
    move = CardMove(CARDS[_pick(play.legal_mask(state), rng)], declared[0] if declared else ())
    return play.play_card(state, state.turn, move)


def random_auction(rng: random.Random, deck: Deck, dealer: Seat) -> Contract | None:
    """A random legal auction; None when nothing was bought."""
    auction = bidding.start_auction(AuctionRecord(dealer, deck.up_card, deck.first_hands(dealer)))
    while (ended := bidding.outcome(auction)) is None:
        open_ = bidding.asked(auction)[0]
        legal = open_.legal
        auction = bidding.make_call(auction, open_.seat, legal[int(rng.random() * len(legal))])
    return ended if isinstance(ended, Contract) else None
