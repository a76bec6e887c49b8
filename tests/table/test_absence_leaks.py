"""Nothing of a hidden hand shows in when the table or a bot acts, and a bot is told nothing but the view of its seat.

Two tables are dealt the same cards for South and the same up card, and other ones for the three others. As long as
everybody sees the same of both, they act at the same moments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from uuid import UUID

import pytest
from baloot.api.table.v1.table_pb2 import TableView
from baloot.app.substitute import substitute
from baloot.core.auction import PASS, SUN, QuestionKind
from baloot.core.cards import CARDS
from baloot.core.deal import Dealt, Deck
from baloot.core.play import PlayAsked
from baloot.core.seats import Seat
from baloot.table.codec import encode_entry
from baloot.table.events import Entry, Settings
from baloot.table.policy import LeavePolicy
from baloot.table.state import TableState
from baloot.table.views import see_entry

from tests.bots.matches import SeededDealing, SeededRules
from tests.table.absent import leave, settings, time_out
from tests.table.timed import waiting
from tests.table.trial import Trial

SOUTH, DEALER = Seat.SOUTH, Seat.WEST
PAIRS = 40


class OneDeck(SeededDealing):
    """Deals the same deck again and again."""

    def __init__(self, deck: Deck) -> None:
        super().__init__(Random(0))
        self.deck = deck

    async def choose_dealer(self, *_: object) -> Seat:
        return DEALER

    async def deal(self, _match_id: UUID, number: int, *_: object) -> Dealt:
        return Dealt(number, self.deck, bytes(32), bytes(32))


def pair_of_decks(rng: Random) -> tuple[Deck, Deck]:
    """Two decks that give South the same cards and show the same one."""
    deck = Deck(tuple(rng.sample(CARDS, len(CARDS))))
    known = {*deck.full_hands(DEALER, SOUTH)[SOUTH], deck.up_card}
    hidden = [card for card in deck.cards if card not in known]
    others = iter(rng.sample(hidden, len(hidden)))
    return deck, Deck(tuple(card if card in known else next(others) for card in deck.cards))


@dataclass
class World:
    """A table with one of the two decks, and what was given to its bots."""

    deck: Deck
    settings: Settings
    given: list[tuple[int, bytes]] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    """For each entry of the play how many cards the seat could play that the table acted for; else 0."""

    def __post_init__(self) -> None:
        rules = SeededRules(OneDeck(self.deck))
        self.trial = Trial(seed=1, settings=self.settings, rules=rules, bot=self._bot)

    async def _bot(self, view: bytes) -> bytes:
        self.given.append((TableView.FromString(view).sequence, view))
        return await substitute(view)

    async def play(self, entries: int) -> list[Entry]:
        """South buys Sun if it may, and the others are away."""
        while (state := await self.trial.state()).sequence < entries:
            self.choices += [0] * (state.sequence - len(self.choices))
            open_ = state.question_to(SOUTH)
            if open_ is None or open_.private or SOUTH in state.bots:
                self.note(state)
                await time_out(self.trial)
            elif open_.kind is QuestionKind.PLAY:
                await self.trial.act(SOUTH, open_.question.default)
            else:
                offered = getattr(open_.question, "legal", ())
                await self.trial.act(SOUTH, SUN if SUN in offered else PASS)
        return (await self.trial.entries())[:entries]

    def note(self, state: TableState) -> None:
        asked = [open_.question for open_ in waiting(state)]
        if asked and isinstance(asked[0], PlayAsked):
            self.choices.append(len(asked[0].legal))


def alike(here: Sequence[Entry], there: Sequence[Entry]) -> int:
    """How many entries everybody sees alike, but for their times."""
    for n, (one, other) in enumerate(zip(here, there, strict=True)):
        if what_is_seen(one) != what_is_seen(other):
            return n
    return len(here)


def what_is_seen(entry: Entry) -> tuple[object, ...]:
    asked = [(open_.seat, open_.kind) for open_ in entry.questions if not open_.private]
    return encode_entry(see_entry(entry, None)).events, asked


def moments(entry: Entry) -> tuple[object, ...]:
    clocks = [(open_.seat, open_.clock) for open_ in entry.questions if not open_.private]
    return entry.at, entry.actor, entry.by_default, entry.deadline, clocks


@pytest.mark.parametrize("away", [(), (Seat.EAST, Seat.NORTH, Seat.WEST)])
async def test_the_table_and_bots_act_at_the_same_moments_whatever_they_may_play(
    away: tuple[Seat, ...],
) -> None:
    """The table acts by default for the three others, or bots play for them."""
    compared = differently_free = 0
    for seed in range(PAIRS):
        worlds = [World(deck, settings(leaving=LeavePolicy.BOT)) for deck in pair_of_decks(Random(seed))]
        logs = []
        for world in worlds:
            await world.trial.deal()
            for seat in away:
                await leave(world.trial, seat)
            logs.append(await world.play(12 + len(away)))
        here, there = logs
        same = alike(here, there)
        compared += same
        assert [moments(entry) for entry in here[:same]] == [moments(entry) for entry in there[:same]]
        if same < len(here):  # the first card that tells them apart came at the same moment in both
            assert moments(here[same])[:3] == moments(there[same])[:3]
            differently_free += worlds[0].choices[same : same + 1] != worlds[1].choices[same : same + 1]
    assert compared >= 8 * PAIRS
    assert differently_free > PAIRS // 4


async def test_a_bot_is_given_the_same_for_the_same_view() -> None:
    """South's bot cannot tell the two tables apart until a card does."""
    given = 0
    for seed in range(PAIRS):
        worlds = [World(deck, settings(leaving=LeavePolicy.BOT)) for deck in pair_of_decks(Random(seed))]
        logs = []
        for world in worlds:
            await world.trial.deal()
            await leave(world.trial, SOUTH)
            logs.append(await world.play(14))
        same = alike(*logs)
        here, there = ([one for one in world.given if one[0] <= same] for world in worlds)
        assert here == there
        given += len(here)
    assert given > PAIRS
