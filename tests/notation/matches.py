"""Whole matches of random players under a rule set, as logs: what the notation is tried on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from baloot.core.catalogue import RULESETS
from baloot.core.transcript import Transcript
from baloot.history.transcripts import transcript
from baloot.table.events import Entry, Settings

from tests.table.trial import Trial


@cache
def log(rules: str, seed: int = 0, claims: float = 0.0) -> Sequence[Entry]:
    """The log of a match. Where claims are heard, `claims` is how often a player makes one instead of an action."""
    return asyncio.run(_played(rules, seed, claims))


@cache
def match(rules: str, seed: int = 0, claims: float = 0.0) -> Transcript:
    """The transcript of a match."""
    return transcript(log(rules, seed, claims))


async def _played(rules: str, seed: int, claims: float) -> Sequence[Entry]:
    settings = replace(Settings(RULESETS[rules], round_pause=0), event_id="house cup")
    trial = Trial(seed=seed, settings=settings, claims=claims)
    await trial.fill()
    await trial.play()
    return await trial.entries()
