"""Whole matches of random players under a rule set, as logs: what the notation is tried on.

`python -m tests.notation.matches` plays the golden matches anew and writes them into `tests/games`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from random import Random
from uuid import UUID

from baloot.app.rules import local_rules
from baloot.core.auction import PASS
from baloot.core.cards import CARDS, Hand, Rank
from baloot.core.catalogue import NAMES, RULESETS
from baloot.core.deal import NO_SEAT_SEEDS, Deck, SealedSeed
from baloot.core.play import PlayAsked
from baloot.core.ruleset import IllegalPlay
from baloot.core.seats import SEATS, Seat
from baloot.core.transcript import Transcript
from baloot.dealing.local import LocalDealing
from baloot.dealing.rules import byte_stream, commitment, hand_key, permutation
from baloot.dealing.sealing import NONCE_BYTES, seal
from baloot.history.transcripts import transcript
from baloot.notation import text
from baloot.table.deals import SeatSeeds
from baloot.table.decide import Action
from baloot.table.events import Entry, OpenQuestion, Settings

from tests.table.trial import KEY, Trial

GAMES = Path(__file__).parents[1] / "games"
EACH = 3
"""Golden matches of each rule set."""
FIRST_SEED = 49
"""With it, all that there is to write comes up in the golden matches."""
PASSES = (3, 20, 1)
"""How likely passing is beside any other call, by the seed of the match: then many deals are thrown in, or raised."""
BEACON = "the house's dice"
"""The beacon of the last match of each rule set."""
TRIES = 200
"""Seeds that are looked at for a deal with much in it."""


class Dealing(LocalDealing):
    """Deals as they are dealt, but that it knows what the seats will add, and looks for seeds with much in their decks."""

    def __init__(self, random: Random, seat_seeds: SeatSeeds, beacon: bytes) -> None:
        super().__init__(KEY)
        self._random = random
        self._first = (seat_seeds, beacon)
        self._later = (NO_SEAT_SEEDS, beacon)

    async def commit_deals(self, match_id: UUID, first_number: int, count: int) -> Sequence[SealedSeed]:
        added = self._first if first_number == 1 else self._later
        return [self._chosen(match_id, first_number + n, *added) for n in range(count)]

    def _chosen(self, match_id: UUID, number: int, seat_seeds: SeatSeeds, beacon: bytes) -> SealedSeed:
        """The seed of one deal: any, or that of many which gives the most of something."""
        wanted = self._random.choices((None, most_together, most_low_cards), (6, 2, 2))[0]
        seeds = [self._random.randbytes(32) for _ in range(1 if wanted is None else TRIES)]

        def worth(seed: bytes) -> int:
            key = hand_key(seed, match_id.bytes, number, 0, seat_seeds, beacon)
            return wanted(Deck(permutation(byte_stream(key)))) if wanted else 0

        seed = max(seeds, key=worth)
        nonce = self._random.randbytes(NONCE_BYTES)
        sealed = seal(KEY, seed, nonce, match_id.bytes, number)
        return SealedSeed(commitment(match_id.bytes, number, 0, seed), sealed)


def most_together(deck: Deck) -> int:
    """How much lies together in one hand: cards of one rank, and cards of one suit in a row."""
    return max(map(_together, deck.full_hands(Seat.SOUTH, Seat.EAST)))


def _together(hand: Hand) -> int:
    cards = set(hand)
    same = max(
        sum(card.rank is rank for card in cards) for rank in (Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)
    )
    runs = [list(group) for _, group in groupby(CARDS, key=lambda card: (card.suit, card in cards))]
    return max(2 * same, *(len(run) for run in runs if run[0] in cards))


def most_low_cards(deck: Deck) -> int:
    """How many of the first cards of one seat are worthless."""
    hands = deck.first_hands(Seat.SOUTH)
    return max(sum(card.rank <= Rank.NINE for card in hand) for hand in hands)


class Table(Trial):
    """A table of players who pass more or less often."""

    def choose(self, open_: OpenQuestion) -> Action:
        question = open_.question
        if isinstance(question, PlayAsked):
            return super().choose(open_)
        passes = PASSES[self.seed % len(PASSES)]
        weights = [passes if call == PASS else 1 for call in question.legal]
        return self.random.choices(question.legal, weights)[0]


def claims_are_heard(rules: str) -> bool:
    return RULESETS[rules].illegal_play is IllegalPlay.ALLOW_WITH_QAID


@cache
def log(rules: str, seed: int = 0) -> Sequence[Entry]:
    """The log of a match. Where claims are heard, some are made, unless the seed is 0."""
    with ThreadPoolExecutor(1) as pool:  # a test may have a loop of its own
        return pool.submit(lambda: asyncio.run(_played(rules, seed))).result()


@cache
def match(rules: str, seed: int = 0) -> Transcript:
    """The transcript of a match."""
    return transcript(log(rules, seed))


async def _played(rules: str, seed: int) -> Sequence[Entry]:
    random = Random(f"{rules} {seed}")
    added = (random.randbytes(32), b"", random.randbytes(32), b"") if seed else (b"",) * len(SEATS)
    beacon = random.randbytes(32) if seed == EACH - 1 else b""
    settings = Settings(RULESETS[rules], round_pause=0, event_id="house cup", beacon=BEACON if beacon else "")
    dealing = Dealing(random, tuple(seat or bytes(32) for seat in added), beacon)
    trial = Table(
        seed=FIRST_SEED + EACH * NAMES.index(rules) + seed,
        settings=settings,
        rules=replace(local_rules(KEY), dealing=dealing),
        claims=0.01 if seed and claims_are_heard(rules) else 0,
    )
    await trial.open()
    for seat in SEATS:
        table, id_ = trial.table_id, trial.id()
        _, token = await trial.table.take_seat(table, id_, seat, f"player {seat}", seed=added[seat])
        trial.tokens[seat] = token
    if beacon:
        await trial.table.give_beacon(trial.table_id, trial.id(), beacon)
    await trial.play()
    return await trial.entries()


def write_golden() -> None:
    """Writes the golden matches."""
    for rules in NAMES:
        for seed in range(EACH):
            (GAMES / f"{rules}-{seed + 1}.baloot").write_text(text(match(rules, seed)), encoding="utf-8")


if __name__ == "__main__":
    write_golden()
