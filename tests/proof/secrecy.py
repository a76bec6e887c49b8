"""Non-interference: what a viewer may not know changes no byte that it gets.

A pair of worlds has the same public history and the same cards of the viewer, and other cards where the viewer cannot
see: cards that nobody has played yet are dealt among the others anew, and all that was done is done again. Whatever
the viewer gets in both, at any moment up to then and however often it asks, must be the same bytes.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from baloot.api.table.v1.table_pb2 import SubmitActionRequest
from baloot.app.rules import local_rules
from baloot.core import catalogue
from baloot.core.cards import CARDS, Card
from baloot.core.deal import UP_CARD_POSITION, Deck
from baloot.core.errors import Refusal
from baloot.core.ruleset import IllegalPlay
from baloot.core.seats import SEATS, Seat
from baloot.table import decide
from baloot.table import events as ev
from baloot.table.events import Entry, Settings
from baloot.table.state import Phase, TableState
from baloot.table.views import Viewer

from tests.proof.report import Figure, Progress, Tell, at_least, none_of
from tests.proof.window import Window
from tests.table.served import acting
from tests.table.test_server_leaks import CALLS, MOVES
from tests.table.test_views import FixedDealing
from tests.table.trial import KEY, Trial

PAIRS, QUICK_PAIRS = 10_000, 100
TRIES = 30
"""Hidden cards that are dealt anew may make the history impossible: how often others are tried."""
EARLY = 8
"""Half of the pairs end within so many entries after the deal, in the auction of most rounds."""
PROBES = 4
"""How many things that it may not do a seat tries at each moment."""
Step = tuple[Seat, Any] | None
"""What a seat did, or None for what the table did by itself."""

MAY_DIFFER = (ev.RoundDealt, ev.HandsCompleted, ev.PlayStarted)
"""The events that hold hidden cards; every other event of two equal histories is the same."""
MAY_TELL = (ev.ProjectsDecided, ev.ProjectsShown, ev.SawaClaimed, ev.QaidClaimed, ev.CardPlayed)
"""The events by which the rules lay open what was hidden: worlds that differ in one have another public history."""


@dataclass
class World:
    """One table with its deck, and what its viewers got so far."""

    trial: Trial
    window: Window
    got: dict[Viewer, list[bytes]] = field(default_factory=dict)
    done: dict[Seat, SubmitActionRequest] = field(default_factory=dict)
    """The last request of each seat."""

    @classmethod
    async def begin(cls, ruleset: str, cards: Sequence[Card], seed: int) -> World:
        settings = Settings(round_pause=0, ruleset=catalogue.CATALOGUE[ruleset].ruleset)
        rules: Any = replace(local_rules(KEY), dealing=FixedDealing(Deck(tuple(cards))))
        lenient = settings.ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID
        trial = Trial(seed=seed, settings=settings, rules=rules, claims=0.02 if lenient else 0)
        await trial.deal()
        return cls(trial, Window(trial))

    async def does(self, step: Step) -> None:
        """Raises Refusal when that cannot be done in this world."""
        if step is None:
            await self.trial.table.step(self.trial.table_id)
            return
        seat, action = step
        self.done[seat] = acting(self.trial, action)
        await self.trial.act(seat, action, UUID(self.done[seat].request_id))

    async def ask(self, viewer: Viewer, probes: random.Random) -> None:
        """Lets a viewer ask for all that it can get, and for some things that it must not."""
        heard = self.got.setdefault(viewer, [])
        state = await self.trial.state()
        heard += await self.window.asked(viewer, after=probes.randrange(state.sequence + 1))
        if viewer is None:
            return
        for action in probes.sample(CALLS, PROBES // 2) + probes.sample(MOVES, PROBES):
            if not await self.would_do(state, viewer, action):
                heard.append(await self.window.refused(viewer, action, probes))
        if viewer in self.done:
            heard += await self.window.repeated(viewer, self.done[viewer], probes.choice(MOVES))

    async def would_do(self, state: TableState, seat: Seat, action: Any) -> bool:
        """Whether an action would be done: then it is no refusal, and would change the table."""
        try:
            await decide.act(self.trial.table._rules, state, seat, action)
        except Refusal:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Pair:
    """What was found out about one pair of worlds."""

    stage: str
    messages: int
    leaks: tuple[str, ...]
    rejected: Counter[str]
    """Why worlds that were tried were no pair."""


async def pair(ruleset: str, seed: int) -> Pair:
    """Makes the pair of a seed, and compares all that is the same in both for whoever cannot tell them apart."""
    rng = random.Random(f"{ruleset} {seed}")
    cards = rng.sample(CARDS, len(CARDS))
    whole = await played(ruleset, cards, seed)
    rejected: Counter[str] = Counter()
    while True:
        steps = whole[: rng.randint(0, rng.choice((len(whole), min(EARLY, len(whole)))))]
        one = await history(ruleset, cards, seed, steps)
        for _ in range(TRIES):
            other_cards = dealt_anew(one.state, cards, rng.choice(SEATS), rng)
            other = await twin(one, ruleset, other_cards, seed, steps)
            if isinstance(other, History):
                worlds = (
                    await World.begin(ruleset, cards, seed),
                    await World.begin(ruleset, other_cards, seed),
                )
                return await compared(f"{ruleset} {seed}", worlds, (one, other), steps, rejected)
            rejected[other] += 1


@dataclass(frozen=True, slots=True)
class History:
    """The log of a world and its state in the end."""

    log: list[Entry]
    state: TableState


async def played(ruleset: str, cards: Sequence[Card], seed: int) -> list[Step]:
    """What random players do in a round, up to the last moment before it ends."""
    world = await World.begin(ruleset, cards, seed)
    steps: list[Step] = []
    act = world.trial.act

    async def noted(seat: Seat, action: Any, *arguments: Any) -> Entry:
        steps.append((seat, action))
        return await act(seat, action, *arguments)

    world.trial.act = noted  # type: ignore[assignment,method-assign]
    while True:
        count = len(steps)
        state = await world.trial.play(1)
        if state.round is not None and state.round.phase not in (Phase.AUCTION, Phase.PLAY):
            return steps[:count]
        if len(steps) == count:
            steps.append(None)


async def history(ruleset: str, cards: Sequence[Card], seed: int, steps: Sequence[Step]) -> History:
    """A world after all these steps. Raises Refusal when one cannot be done."""
    world = await World.begin(ruleset, cards, seed)
    for step in steps:
        await world.does(step)
    return History(await world.trial.entries(), await world.trial.state())


def dealt_anew(state: TableState, cards: Sequence[Card], viewer: Seat, rng: random.Random) -> list[Card]:
    """The deck with some of the cards that the viewer cannot know in other places."""
    places = [place for place in range(len(cards)) if cards[place] in hidden_from(state, viewer)]
    moved = rng.sample(places, min(len(places), rng.choice((2, 2, 3, len(places)))))
    changed = list(cards)
    for place, source in zip(moved, (*moved[1:], *moved[:1]), strict=True):
        changed[place] = cards[source]
    return changed


def hidden_from(state: TableState, viewer: Seat) -> set[Card]:
    """The cards that the viewer neither holds nor has seen."""
    round_ = state.round
    if round_ is None:
        return set(CARDS)
    known = {round_.deck.cards[UP_CARD_POSITION], *round_.hands[viewer]}
    known |= {card for trick in round_.tricks for card in trick.cards}
    known |= {lying.move.card for lying in round_.trick}
    known |= {card for owned in round_.shown for card in owned.project.cards}
    return set(CARDS) - known


async def twin(
    one: History, ruleset: str, cards: Sequence[Card], seed: int, steps: Sequence[Step]
) -> History | str:
    """The other world of a pair, or why a deck makes none: something else happens that all can see."""
    try:
        other = await history(ruleset, cards, seed, steps)
    except Refusal as refusal:
        return f"refused: {refusal.reason.value}"
    if len(one.log) != len(other.log):
        return "another length"
    for first, second in zip(one.log, other.log, strict=True):
        if why := other_events(first, second) or other_questions(first, second):
            return why
    return "the same world" if one.state == other.state else other


def other_events(first: Entry, second: Entry) -> str | None:
    """Which event differs in what everybody sees of it by the rules."""
    if [type(event) for event in first.events] != [type(event) for event in second.events]:
        return "other events"
    for event, twin in zip(first.events, second.events, strict=True):
        if event != twin and not isinstance(event, MAY_DIFFER):
            return type(event).__name__
    return None


def other_questions(first: Entry, second: Entry) -> str | None:
    """Whether others are asked; offers that only their own seat hears of may differ."""
    one, other = (
        [(open_.seat, open_.kind) for open_ in entry.questions if not open_.private]
        for entry in (first, second)
    )
    return None if one == other else "others are asked"


async def compared(
    name: str,
    worlds: tuple[World, World],
    ends: tuple[History, History],
    steps: Sequence[Step],
    rejected: Counter[str],
) -> Pair:
    """Plays both worlds side by side and compares what those get who cannot tell them apart."""
    viewers = alike(ends[0].state, ends[1].state)
    for world in worlds:
        await observed(world, viewers, steps, name)
    leaks = [
        f"{name}: what {viewer!r} gets differs at message {place}"
        for viewer in viewers
        if (place := first_difference(*(world.got[viewer] for world in worlds))) is not None
    ]
    messages = sum(len(got) for got in worlds[0].got.values())
    return Pair(stage_of(ends[0].state), messages, tuple(leaks), rejected)


def alike(one: TableState, other: TableState) -> list[Viewer]:
    """Who cannot tell two worlds apart: the public, and every seat that holds the same and is offered the same."""
    same = [seat for seat in SEATS if dealt_to(one, seat) == dealt_to(other, seat)]
    return [None, *same]


def dealt_to(state: TableState, seat: Seat) -> tuple[Any, ...]:
    """All that a seat was dealt in the round so far."""
    round_ = state.round
    if round_ is None:
        return ()
    return round_.deck.first_hands(round_.dealer)[seat], round_.hands[seat]


async def observed(world: World, viewers: Sequence[Viewer], steps: Sequence[Step], name: str) -> None:
    """Does the steps while the viewers watch all the time, and ask at some moments and in the end."""
    probes = random.Random(name)
    moments = {0, len(steps), *(probes.randrange(len(steps) + 1) for _ in range(2))}
    lasting = Window(world.trial)  # of its own: a seat has one stream in each
    streams = {viewer: lasting.watch(viewer, after=0) for viewer in viewers}
    for number in range(len(steps) + 1):
        if number:
            await world.does(steps[number - 1])
        if number in moments:
            for viewer in viewers:
                await world.ask(viewer, probes)
    for viewer, stream in streams.items():
        world.got[viewer] += await stream.end()


def first_difference(one: Sequence[bytes], other: Sequence[bytes]) -> int | None:
    """The first message that differs, in bytes or because the other got none."""
    for place, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return place
    return None if len(one) == len(other) else min(len(one), len(other))


def stage_of(state: TableState) -> str:
    return "play" if state.round is not None and state.round.phase is Phase.PLAY else "auction"


async def pairs(count: int, first: int = 0, progress: Progress | None = None) -> list[Pair]:
    """So many pairs, of every rule set that ships in turn."""
    found = []
    for number in range(first, first + count):
        found.append(await pair(catalogue.NAMES[number % len(catalogue.NAMES)], number))
        await asyncio.sleep(0)
        if progress is not None:
            progress.step()
    return found


def figures(found: Sequence[Pair], held_to: int) -> list[Figure]:
    """What the pairs show."""
    stages = Counter(pair_.stage for pair_ in found)
    strange = {why for pair_ in found for why in pair_.rejected} - ACCEPTED_REASONS
    return [
        at_least("pairs of deals", len(found), held_to),
        Figure("of them in the auction and in the play", f"{stages['auction']:,} and {stages['play']:,}"),
        Figure("messages compared", f"{sum(pair_.messages for pair_ in found):,}"),
        none_of("viewers for whom a byte differed", [leak for pair_ in found for leak in pair_.leaks]),
        none_of("events that told more than the rules do", sorted(strange - refusals(strange))),
    ]


ACCEPTED_REASONS = {
    "the same world", "another length", "other events", "others are asked", *(kind.__name__ for kind in MAY_TELL)
}  # fmt: skip


def refusals(reasons: set[str]) -> set[str]:
    return {why for why in reasons if why.startswith("refused: ")}


async def prove(quick: bool, tell: Tell) -> list[Figure]:
    count = QUICK_PAIRS if quick else PAIRS
    return figures(await pairs(count, progress=Progress(tell, "pairs", count)), count)
