"""Whole matches played locally and fast: the table's own decisions and views, without servers, stores or clocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar
from uuid import UUID

from baloot.api.core.v1.auction_pb2 import Call
from baloot.api.core.v1.play_pb2 import ClaimQaid, ClaimSawa, PlayCard
from baloot.api.core.v1.ruleset_pb2 import ILLEGAL_PLAY_ALLOW_WITH_QAID
from baloot.api.table.v1.table_pb2 import TableView
from baloot.bidding.local import LocalBidding
from baloot.bots.choosing import Action
from baloot.codec.auction import decode_call
from baloot.codec.play import decode_card_move, decode_qaid_move
from baloot.core import auction
from baloot.core.cards import CARDS
from baloot.core.contract import Mode
from baloot.core.deal import DealEnd, Dealt, Deck, Opening, SealedSeed
from baloot.core.errors import Refusal
from baloot.core.keys import StoreKey
from baloot.core.play import Move, SawaMove
from baloot.core.ruleset import STANDARD, Akka, BalootSaying, IllegalPlay, ProjectShow, Ruleset
from baloot.core.score import RoundResult
from baloot.core.seats import SEATS, Seat, Team
from baloot.play.local import LocalPlay
from baloot.scoring.local import LocalScoring
from baloot.table import dealing, decide
from baloot.table import events as ev
from baloot.table.codec import encode_table
from baloot.table.decision import Decision
from baloot.table.due import due
from baloot.table.entries import Request, entry_of
from baloot.table.events import Entry, Settings
from baloot.table.evolve import evolve
from baloot.table.revealing import with_seeds
from baloot.table.state import TableState
from baloot.table.timing import Moment
from baloot.table.views import see

Player = Callable[[TableView], Action]
"""What a seat does about its open question."""

TABLE = UUID(int=1)
SETTINGS = Settings(round_pause=0)

_Answer = TypeVar("_Answer")


class SeededDealing:
    """Deals that a seed decides. Implements the table's port for dealing."""

    def __init__(self, random: Random) -> None:
        self._random = random

    async def commit_deals(self, _match_id: UUID, _first: int, count: int) -> Sequence[SealedSeed]:
        return [SealedSeed(bytes(32), b"")] * count

    async def choose_dealer(
        self,
        _match_id: UUID,
        _ruleset: Ruleset,
        previous: tuple[Seat, DealEnd] | None,
        _lost_before: Team | None = None,
        *_: object,
    ) -> Seat:
        if previous is None:
            return self._random.choice(SEATS)
        dealer, end = previous
        return dealer if end is DealEnd.KAWESH else dealer.next

    async def deal(self, _match_id: UUID, number: int, *_: object) -> Dealt:
        return Dealt(number, Deck(tuple(self._random.sample(CARDS, 32))), bytes(32), bytes(32))

    async def open_cards(self, *_: object) -> Sequence[Opening]:
        return ()

    async def reveal(self, *_: object) -> bytes:
        return bytes(32)

    async def match_key(self, _match_id: UUID) -> bytes:
        return bytes(32)

    async def store_key(self) -> StoreKey:
        return StoreKey(bytes(32), bytes(16))


@dataclass(frozen=True)
class SeededRules:
    """The four services of a match whose deals a seed decides."""

    dealing: SeededDealing
    bidding: LocalBidding = field(default_factory=LocalBidding)
    play: LocalPlay = field(default_factory=LocalPlay)
    scoring: LocalScoring = field(default_factory=LocalScoring)


@dataclass
class Tally:
    """What happened in some matches."""

    wins: Counter[Team] = field(default_factory=Counter)
    deals: Counter[str] = field(default_factory=Counter)
    """By how they ended: thrown in, kawesh, or the mode that was played."""
    results: Counter[tuple[Mode, RoundResult]] = field(default_factory=Counter)
    raised: int = 0
    defaulted: int = 0
    """Choices that were refused."""

    @property
    def rounds(self) -> int:
        return self.results.total()

    def share(self, result: RoundResult, *modes: Mode) -> float:
        """The part of the rounds in these modes, or in all, that ended so."""
        ended: Counter[RoundResult] = Counter()
        for (mode, end), count in self.results.items():
            if mode in (modes or tuple(Mode)):
                ended[end] += count
        return ended[result] / max(ended.total(), 1)

    def __str__(self) -> str:
        deals = self.deals.total()
        ends = ", ".join(f"{name} {count / deals:.1%}" for name, count in self.deals.most_common())
        failed = [f"{mode.name.lower()} {self.share(RoundResult.KHOSARA, mode):.1%}" for mode in Mode]
        return "\n".join(
            (
                f"matches {self.wins.total()}, deals {deals}: {ends}",
                f"failed {self.share(RoundResult.KHOSARA):.1%} ({', '.join(failed)})",
                f"kaboot {self.share(RoundResult.KABOOT):.1%}, gahwa {self.share(RoundResult.GAHWA):.1%}",
                f"raised {self.raised / max(self.rounds, 1):.1%}, refused {self.defaulted}",
            )
        )


def play_match(seed: int, players: Sequence[Player], tally: Tally) -> Team:
    """Plays one match; the same seed and the same players give the same match."""
    table = LocalTable(SeededRules(SeededDealing(Random(seed))))
    while table.state.winner is None:
        if not table.state.questions:
            tally_round(table.state, tally)
        tally.defaulted += not table.step(players)
    tally_round(table.state, tally)
    tally.wins[table.state.winner] += 1
    return table.state.winner


def tally_round(state: TableState, tally: Tally) -> None:
    """Counts the round that has just ended, if any."""
    round_ = state.round
    if round_ is None:
        return
    if round_.score is None or round_.contract is None:
        tally.deals["kawesh" if round_.kawesh is not None else "thrown in"] += 1
        return
    mode = round_.contract.mode
    tally.deals[mode.name.lower()] += 1
    tally.results[mode, round_.score.result] += 1
    tally.raised += bool(round_.contract.raises)


LENIENT = STANDARD.with_options(
    name="lenient",
    illegal_play=IllegalPlay.ALLOW_WITH_QAID,
    akka=Akka.MANUAL_UNCHECKED,
    baloot=BalootSaying.MANUAL_ALWAYS,
    project_show=ProjectShow.MANUAL_SECOND_TRICK,
)
"""What is left to the players: duties, true Akkas, Baloot and showing projects."""


class LocalTable:
    """A table whose four seats are taken, moved on by hand. `entries` is its log."""

    def __init__(
        self,
        rules: SeededRules,
        names: Sequence[str] = ("S", "E", "N", "W"),
        ruleset: Ruleset = SETTINGS.ruleset,
    ) -> None:
        self._rules = rules
        created = ev.TableCreated(replace(SETTINGS, ruleset=ruleset))
        committed = _now(dealing.commit(rules, TABLE, 1))
        self.entries = [_next(None, Decision((created, committed)))]
        self._states = [evolve(None, self.entries[0])]
        for seat in SEATS:
            self.append(decide.take_seat(self.state, seat, names[seat], bytes(32)))

    @property
    def state(self) -> TableState:
        """The table after its last entry."""
        return self._states[-1]

    def view(self, seat: Seat | None, sequence: int = 0) -> TableView:
        """What the server would tell this viewer, or would have told it after an earlier entry."""
        return encode_table(see(self._states[sequence - 1], seat))

    def step(self, players: Sequence[Player]) -> bool:
        """Asks a player, or does what the table does by itself. False when a choice was refused."""
        open_ = [open_ for open_ in self.state.questions if not open_.private]
        if not open_:
            self.go_on()
            return True
        seat = open_[0].seat
        if self.act(seat, players[seat](self.view(seat))):
            return True
        self.go_on()
        return False

    def act(self, seat: Seat, action: Action) -> bool:
        """Does what a seat wants; False when it is refused."""
        try:
            self.append(_now(decide.act(self._rules, self.state, seat, _decoded(action))), seat)
        except Refusal:
            return False
        return True

    def go_on(self) -> None:
        """Does what the table does when time has passed: the next deal, or a default action."""
        decision = _now(due(self._rules, self.state, _no_bot, self.state.deadline or 0))
        assert decision is not None
        self.append(decision)

    def append(self, decision: Decision, actor: Seat | None = None) -> None:
        """Writes a decision into the log."""
        decision = _now(with_seeds(self._rules, self.state, decision))
        self.entries.append(_next(self.state, decision, actor))
        self._states.append(evolve(self.state, self.entries[-1]))


async def _no_bot(_state: TableState, _seat: Seat) -> None:
    """Nobody is away from these tables."""


def _next(state: TableState | None, decision: Decision, actor: Seat | None = None) -> Entry:
    """The entry after `state`; each comes a second after the one before."""
    moment = Moment(((state.sequence if state else 0) + 1) * ev.SECOND)
    return entry_of(TABLE, state, decision, actor, Request(b"", TABLE, b""), moment)


def _decoded(action: Action) -> auction.Call | Move:
    match action:
        case Call():
            return decode_call(action, "call")
        case PlayCard():
            return decode_card_move(action, "card")
        case ClaimSawa():
            return SawaMove()
        case ClaimQaid():
            return decode_qaid_move(action, "qaid")


def _now(work: Coroutine[Any, Any, _Answer]) -> _Answer:
    """The result of a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        result: _Answer = done.value
        return result
    raise AssertionError("a local rule service waited for something")


def careless(player: Player, seed: int) -> Player:
    """Plays a card against its duty now and then, where that is accepted."""
    random = Random(seed)

    def play(view: TableView) -> Action:
        accepted = view.settings.ruleset.illegal_play == ILLEGAL_PLAY_ALLOW_WITH_QAID
        refused = view.question.play.refused
        if accepted and refused and random.random() < 0.2:
            return PlayCard(card=random.choice(refused).card)
        return player(view)

    return play


def random_player(seed: int) -> Player:
    """Does anything legal, each with the same chance; of the calls of Hokum and the like that means wild ones."""
    random = Random(seed)

    def play(view: TableView) -> Action:
        question = view.question
        if question.WhichOneof("question") == "call":
            return random.choice(list(question.call.legal))
        card = random.choice(list(question.play.legal)).card
        declared = random.choice([(), *(way.projects for way in question.play.declarations)])
        return PlayCard(card=card, projects=declared)

    return play
