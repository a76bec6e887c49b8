"""A table to try things on: an orchestrator over a store, rules in this process, and a clock that stands still."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from baloot.app.rules import local_rules
from baloot.app.substitute import substitute
from baloot.core.auction import PASS, Call
from baloot.core.cards import CARDS
from baloot.core.deal import SEED_BYTES, SealedSeed
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove, PlayAsked, QaidGround, QaidMove, SawaMove, SeatMove
from baloot.core.ruleset import IllegalPlay
from baloot.core.seats import SEATS, Seat
from baloot.dealing import rules
from baloot.dealing.local import LocalDealing
from baloot.dealing.sealing import NONCE_BYTES, seal
from baloot.table.decide import Action
from baloot.table.events import SECOND, Entry, Micros, OpenQuestion, Settings
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator
from baloot.table.rules import Rules
from baloot.table.state import Phase, TableState
from baloot.table.store import Store
from baloot.table.substitute import Substitute

KEY = bytes(range(32))
START: Micros = 1_700_000_000 * SECOND


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> Micros:
        return self.now

    def pass_(self, length: Micros) -> None:
        self.now += length


class KnownDealing(LocalDealing):
    """Deals that follow from a seed, so that what fails once fails again."""

    def __init__(self, key: bytes, seed: int) -> None:
        super().__init__(key)
        self._seed = seed

    def _commit(self, match_id: UUID, number: int) -> SealedSeed:
        chance = random.Random(f"{self._seed} {match_id} {number}")
        seed, nonce = chance.randbytes(SEED_BYTES), chance.randbytes(NONCE_BYTES)
        sealed = seal(self._key, seed, nonce, match_id.bytes, number)
        return SealedSeed(rules.commitment(match_id.bytes, number, 0, seed), sealed)


def known_rules(seed: int) -> Rules:
    """The four rule services in this process, whose deals follow from a seed."""
    return replace(local_rules(KEY), dealing=KnownDealing(KEY, seed))


def cards_played(state: TableState) -> list[SeatMove]:
    """The cards of a round in which a Qaid may still be claimed."""
    round_ = state.round
    if round_ is None or round_.play is None or round_.phase not in (Phase.PLAY, Phase.REVIEW):
        return []
    return [made for made in round_.play.moves if isinstance(made.move, CardMove)]


@dataclass
class Trial:
    """One table and everything needed to play on it."""

    seed: int = 0
    settings: Settings = field(default_factory=lambda: Settings(round_pause=0))
    clock: Clock = field(default_factory=Clock)
    store: Store | None = None
    rules: Rules | None = None
    bot: Substitute = substitute
    """Who plays for absent players."""
    claims: float = 0
    """How often a random player claims a Qaid instead of the next action, once a card is played."""

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.log = self.store or MemoryStore(self.clock)
        self.table = Orchestrator(self.log, self.rules or known_rules(self.seed), self.bot)
        self.tokens: dict[Seat, str] = {}
        self.table_id = UUID(int=0)

    def id(self) -> UUID:
        """A fresh request id."""
        return UUID(int=self.random.getrandbits(128), version=4)

    async def open(self) -> None:
        await self.log.key("table", KEY)
        self.table_id = (await self.table.create(self.id(), self.settings)).table_id

    async def fill(self) -> None:
        """Opens the table and takes all four seats."""
        await self.open()
        for seat in SEATS:
            _, self.tokens[seat] = await self.table.take_seat(
                self.table_id, self.id(), seat, f"player {seat}"
            )

    async def deal(self) -> TableState:
        """Fills the table and lets it deal the first round."""
        await self.fill()
        await self.table.step(self.table_id)
        return await self.state()

    async def state(self) -> TableState:
        return await self.table.state(self.table_id)

    async def act(
        self, seat: Seat, action: Action, request_id: UUID | None = None, expected: int | None = None
    ) -> Entry:
        return await self.table.submit(
            self.table_id, self.tokens[seat], request_id or self.id(), expected, action
        )

    async def play(self, steps: int | None = None) -> TableState:
        """Lets random players play until the table ends, or for a number of entries."""
        state = await self.state()
        while not state.status.ended and (steps is None or steps > 0):
            await self.one_more(state)
            state = await self.state()
            steps = None if steps is None else steps - 1
        return state

    async def one_more(self, state: TableState) -> None:
        """One random action, or the table's own step when nobody is asked."""
        if self.claims and (played := cards_played(state)) and self.random.random() < self.claims:
            try:
                await self.act(*self.claim(played))
            except Refusal as refusal:
                if refusal.reason is not Reason.WRONG_PHASE:  # a claim may have ended the play meanwhile
                    raise
            else:
                return
        waiting = [open_ for open_ in state.questions if not open_.private or self.random.random() < 0.5]
        if not waiting:
            await self.table.step(self.table_id)
            return
        open_ = self.random.choice(waiting)
        await self.act(open_.seat, self.choose(open_))

    def claim(self, played: Sequence[SeatMove]) -> tuple[Seat, QaidMove]:
        """Any claim about a card that was played, right or wrong."""
        made = self.random.choice(played)
        assert isinstance(made.move, CardMove)
        ground = self.random.choice([one for one in QaidGround if one is not QaidGround.WRONG_SAWA])
        return made.seat.next, QaidMove(ground, made.move.card, self.random.choice(CARDS))

    def choose(self, open_: OpenQuestion) -> Action:
        """A random legal action; passing is likelier than anything else."""
        question = open_.question
        if isinstance(question, PlayAsked):
            if question.sawa and self.random.random() < 0.05:
                return SawaMove()
            return self.choose_card(question)
        weights = [3 if call == PASS else 1 for call in question.legal]
        call: Call = self.random.choices(question.legal, weights)[0]
        return call

    def choose_card(self, question: PlayAsked) -> CardMove:
        """A random card with some of what may be said with it; one in ten is illegal where that is accepted."""
        lenient = self.settings.ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID
        if lenient and question.refused and self.random.random() < 0.1:
            return CardMove(self.random.choice(question.refused).card)
        choice = self.random.choice(question.legal)
        declared = self.random.choice([(), *question.declarations[:3]])
        akka = choice.akka and self.random.random() < 0.5
        shown = tuple(project for project in question.showable if self.random.random() < 0.5)
        return CardMove(choice.card, declared, akka, choice.baloot and not shown, shown)

    async def entries(self) -> list[Entry]:
        return list(await self.log.read(self.table_id))
