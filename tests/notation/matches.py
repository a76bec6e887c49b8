"""Whole matches of random players under a rule set, as logs: what the notation is tried on.

`python -m tests.notation.matches` plays the golden matches anew and writes them into `tests/games`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

from baloot.core.auction import PASS
from baloot.core.catalogue import NAMES, RULESETS
from baloot.core.deal import DealEnd
from baloot.core.play import PlayAsked
from baloot.core.ruleset import IllegalPlay, Ruleset
from baloot.core.seats import Seat, Team
from baloot.core.transcript import Transcript
from baloot.dealing.rules import next_dealer
from baloot.history.transcripts import transcript
from baloot.notation import text
from baloot.table.decide import Action
from baloot.table.events import Entry, OpenQuestion, Settings

from tests.bots.matches import SeededDealing, SeededRules
from tests.rules.whole.dealt import low_cards_first, shuffled, sorted_by_suit
from tests.table.trial import Trial

GAMES = Path(__file__).parents[1] / "games"
EACH = 3
"""Golden matches of each rule set."""
FIRST_SEED = 42
"""With it, all that there is to write comes up in the golden matches."""
PASSES = (3, 20, 1)
"""How likely passing is beside any other call, by the seed of the match: then many deals are thrown in, or raised."""


class Decks(Random):
    """Draws decks of which some are full of projects and some have worthless first hands."""

    def sample(self, *_: Any, **__: Any) -> list[Any]:
        inner = Random(self.getrandbits(64))
        makes = inner.choices((shuffled, sorted_by_suit, low_cards_first), (6, 2, 2))[0]
        return list(makes(inner))


class Dealing(SeededDealing):
    """Such decks, and the next dealer as the rules have it."""

    async def choose_dealer(
        self,
        match_id: UUID,
        ruleset: Ruleset,
        previous: tuple[Seat, DealEnd] | None,
        lost_before: Team | None = None,
    ) -> Seat:
        if previous is not None:
            return next_dealer(*previous, ruleset)
        return await super().choose_dealer(match_id, ruleset, previous, lost_before)


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
    trial = Table(
        seed=FIRST_SEED + EACH * NAMES.index(rules) + seed,
        settings=Settings(RULESETS[rules], round_pause=0, event_id="house cup"),
        rules=SeededRules(Dealing(Decks(f"{rules} {seed}"))),
        claims=0.01 if seed and claims_are_heard(rules) else 0,
    )
    await trial.fill()
    await trial.play()
    return await trial.entries()


def write_golden() -> None:
    """Writes the golden matches."""
    for rules in NAMES:
        for seed in range(EACH):
            (GAMES / f"{rules}-{seed + 1}.baloot").write_text(text(match(rules, seed)), encoding="utf-8")


if __name__ == "__main__":
    write_golden()
