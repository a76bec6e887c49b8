"""Nothing that a viewer gets over the wire tells of a card that it may not know: no entry, no view, no error, no size."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from typing import Any

import grpc
import pytest
from baloot.api.table.v1 import table_pb2 as pb
from baloot.app.rules import local_rules
from baloot.core.auction import HOKUM, KAWESH, PASS, SUN, Asked, Call, CallKind, QuestionKind
from baloot.core.cards import CARDS, SUITS, Card, Rank
from baloot.core.deal import Deck
from baloot.core.errors import Reason
from baloot.core.play import CardMove, PlayAsked, SawaMove
from baloot.core.projects import Project, ProjectKind
from baloot.core.ruleset import STANDARD
from baloot.core.seats import SEATS, Seat
from baloot.kit.errors import from_rpc_error
from baloot.table.dealing import AddSeed
from baloot.table.decide import Action, ComeBack
from baloot.table.events import Settings
from baloot.table.server import NAME
from baloot.table.state import Phase, TableState
from baloot.table.views import Viewer

from tests.table.served import Replica, acting, bearer, replica, watching
from tests.table.test_views import FixedDealing, cards_in, may_know, swapped
from tests.table.trial import KEY, Trial

VIEWERS: tuple[Viewer, ...] = (None, *SEATS)
SETTINGS = Settings(round_pause=0, ruleset=STANDARD.with_options(match_target=1000))

CALLS: list[Action] = [
    *(Call(kind) for kind in CallKind),
    *(Call(CallKind.CONFIRM, suit) for suit in SUITS),
    *(Call(kind, locked=locked) for kind in (CallKind.DOUBLE, CallKind.FOUR) for locked in (True, False)),
]
RUNS = [
    Project(ProjectKind.SIRA, tuple(Card.of(suit, rank) for rank in list(Rank)[first : first + 3]))
    for suit in SUITS
    for first in range(6)
]
MOVES: list[Action] = [
    SawaMove(),
    *(CardMove(card) for card in CARDS),
    *(CardMove(card, akka=True) for card in CARDS),
    *(CardMove(card, baloot=True) for card in CARDS[::5]),
    *(CardMove(run.cards[0], (run,)) for run in RUNS),
    CardMove(CARDS[0], (RUNS[0], RUNS[1])),
    CardMove(CARDS[0], (RUNS[0], RUNS[6], RUNS[12])),
]


def is_offered(state: TableState, seat: Seat, action: Action) -> bool:
    """Whether an action would be done."""
    open_ = state.question_to(seat)
    if open_ is None:
        return False
    if isinstance(open_.question, PlayAsked):
        legal = {choice.card for choice in open_.question.legal}
        return not isinstance(action, Call | ComeBack | AddSeed) and (
            isinstance(action, SawaMove) or action.card in legal
        )
    return action in open_.question.legal


@dataclass
class Heard:
    """An error as it came over the wire."""

    reason: Reason
    text: str
    legal: str
    """What it says that the seat could have done instead; all else is in the text."""
    raw: bytes = field(repr=False)


async def refusal(served: Replica, trial: Trial, seat: Seat, action: Action) -> Heard:
    """What a seat is told for something that it may not do."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await served.stub.SubmitAction(acting(trial, action), metadata=bearer(trial.tokens[seat]))
    error = caught.value
    told = from_rpc_error(error)
    trailing = [value for _, value in error.trailing_metadata() or ()]
    raw = b"|".join(value if isinstance(value, bytes) else str(value).encode() for value in trailing)
    legal = told.metadata.pop("legal", "")
    text = f"{told.message} {told.field} {told.metadata} {error.details()}"
    return Heard(told.reason, text, legal, raw)


def own(state: TableState, seat: Seat) -> set[str]:
    """All that a seat's question lists, in the spelling of refusals."""
    open_ = state.question_to(seat)
    if open_ is None:
        return set()
    if isinstance(open_.question, Asked):
        return {str(call) for call in open_.question.legal}
    projects = {project for way in open_.question.declarations for project in way}
    spelled = {" ".join((one.kind.name.lower(), *map(str, one.cards))) for one in projects}
    return spelled | {str(choice.card) for choice in open_.question.legal}


CARD = re.compile(r"\b(?:10|[7-9TJQKA])(?:[SHDC]\b|[♠♥♦♣])|(?i:\b(?:[7-9]|10|jack|queen|king|ace) of )")
SUIT = re.compile(r"(?i:\b(?:spade|heart|diamond|club)s?\b)|[♠♥♦♣]")


@pytest.mark.parametrize("seed", range(3))
async def test_no_error_names_a_card_or_a_suit_but_what_its_reader_was_asked(seed: int) -> None:
    trial = Trial(seed=seed, settings=SETTINGS)
    state = await trial.deal()
    reasons, taught = set(), set()
    async with replica(trial.table) as served:
        for _ in range(45):
            for seat in SEATS:
                for action in trial.random.sample(CALLS, 6) + trial.random.sample(MOVES, 4):
                    if not is_offered(state, seat, action):
                        heard = await refusal(served, trial, seat, action)
                        reasons.add(heard.reason)
                        assert not CARD.search(heard.text), heard
                        assert not SUIT.search(heard.text), heard
                        legal = heard.legal
                        told = legal.split() if CARD.match(legal) else legal.split(",")
                        assert set(filter(None, told)) <= own(state, seat), heard
                        assert set(CARD.findall(heard.raw.decode("latin1"))) <= set(CARD.findall(legal)), (
                            heard
                        )
                        assert heard.reason is not Reason.NOT_YOUR_TURN or legal in ("", "kawesh"), heard
                        if legal:
                            taught.add(heard.reason)
            assert (await trial.state()) == state
            state = await trial.play(1)
    assert {Reason.NOT_YOUR_TURN, Reason.WRONG_PHASE, Reason.CARD_NOT_HELD, Reason.MUST_FOLLOW} <= reasons
    assert {Reason.CALL_NOT_OFFERED, Reason.CARD_NOT_HELD, Reason.MUST_FOLLOW} <= taught


@pytest.mark.parametrize("seed", range(12))
async def test_what_a_seat_cannot_know_changes_no_error_that_it_gets(seed: int) -> None:
    """Two deals that differ only in the hidden cards of others refuse a seat with the same bytes."""
    shuffled = random.Random(seed)
    cards = shuffled.sample(CARDS, 32)
    prober = shuffled.choice(SEATS)
    one = await probed(cards, prober, seed)
    other = await probed(swapped(cards, prober, shuffled), prober, seed)
    assert len(one) > 10
    assert one == other


async def probed(cards: list[Card], prober: Seat, seed: int) -> list[Heard]:
    """All the errors that a seat gets for all that it can try, from the deal to the first card of all."""
    trial = Trial(seed=seed, settings=SETTINGS, rules=dealing(cards))
    state = await trial.deal()
    heard = []
    while state.round is not None and state.round.phase is Phase.AUCTION:
        heard += await told(trial, prober)
        open_ = next(open_ for open_ in state.questions if not open_.private)
        question = open_.question
        assert isinstance(question, Asked)
        await trial.act(open_.seat, trial.random.choice([call for call in question.legal if call != KAWESH]))
        state = await trial.state()
    return heard + await told(trial, prober, MOVES)


def dealing(cards: list[Card]) -> Any:
    """Local rules, but for the deck."""
    return replace(local_rules(KEY), dealing=FixedDealing(Deck(tuple(cards))))


# Entries and views.


def raw_watch(served: Replica, trial: Trial, viewer: Viewer, after: int = 0) -> Any:
    """A watch that gives the bytes as they come."""
    method: Any = served.channel.unary_stream(f"/{NAME}/WatchTable")
    token = None if viewer is None else trial.tokens[viewer]
    return method(watching(trial, after).SerializeToString(), metadata=bearer(token))


async def raw_view(served: Replica, trial: Trial, viewer: Viewer) -> bytes:
    method: Any = served.channel.unary_unary(f"/{NAME}/GetTable")
    token = None if viewer is None else trial.tokens[viewer]
    request = pb.GetTableRequest(table_id=str(trial.table_id)).SerializeToString()
    return bytes(await method(request, metadata=bearer(token)))


@pytest.mark.parametrize("seed", range(2))
async def test_no_byte_that_comes_shows_a_card_that_its_reader_may_not_know(seed: int) -> None:
    trial = Trial(seed=seed, settings=SETTINGS)
    state = await trial.deal()
    async with replica(trial.table) as served:
        streams = {viewer: raw_watch(served, trial, viewer, state.sequence) for viewer in VIEWERS}
        for _ in range(110):
            state = await trial.play(1)
            for viewer, stream in streams.items():
                known = may_know(state, viewer)
                entry = pb.WatchTableResponse.FromString(await stream.read())
                view = pb.GetTableResponse.FromString(await raw_view(served, trial, viewer))
                assert cards_in(entry) <= known, entry
                assert cards_in(view) <= known, view
        for stream in streams.values():
            stream.cancel()


async def test_the_answer_to_an_action_shows_what_its_seat_may_know() -> None:
    trial = Trial(seed=3, settings=SETTINGS)
    state = await trial.deal()
    async with replica(trial.table) as served:
        for _ in range(120):
            waiting = [open_ for open_ in state.questions if not open_.private]
            if not waiting:
                state = await trial.play(1)
                continue
            seat, action = waiting[0].seat, waiting[0].question.default
            answer = await served.stub.SubmitAction(
                acting(trial, action), metadata=bearer(trial.tokens[seat])
            )
            state = await trial.state()
            assert cards_in(answer) <= may_know(state, seat)


# Sizes.


async def sent(trial: Trial, viewer: Viewer) -> list[bytes]:
    """Everything that a viewer is sent from the first entry on."""
    count = (await trial.state()).sequence
    async with replica(trial.table) as served:
        stream = raw_watch(served, trial, viewer)
        messages = [bytes(await stream.read()) for _ in range(count)]
        stream.cancel()
        view = pb.GetTableResponse.FromString(await raw_view(served, trial, viewer))
        assert len(view.chain) == 32  # a hash over what is sealed, too: it differs and says nothing
        view.ClearField("chain")
        return [*messages, view.SerializeToString(deterministic=True)]


WORTHLESS = [Card.of(suit, rank) for suit in SUITS[:2] for rank in (Rank.SEVEN, Rank.EIGHT, Rank.NINE)][:5]


async def test_an_offer_of_kawesh_changes_nothing_that_others_get() -> None:
    """West's hand is worthless in one deal, and in the other it has swapped one card with a neighbour."""
    rest = [card for card in CARDS if card not in WORTHLESS]
    deck = random.Random(1).sample(rest, len(rest))
    first = Deck((*deck, *WORTHLESS)).first_hands(Seat.SOUTH)
    places = [n for n in range(20) if [*deck, *WORTHLESS][n] in first[Seat.WEST]]
    offered = list(deck)
    for place, card in zip(places, WORTHLESS, strict=True):
        offered.insert(place, card)
    north = next(
        n for n in range(20) if offered[n] in Deck(tuple(offered)).first_hands(Seat.SOUTH)[Seat.NORTH]
    )
    plain = list(offered)
    plain[places[0]], plain[north] = plain[north], plain[places[0]]

    worlds = []
    for cards in (offered, plain):
        trial = Trial(seed=2, settings=SETTINGS, rules=dealing(cards))
        state = await trial.deal()
        kinds = {open_.kind for open_ in state.questions}
        assert (QuestionKind.KAWESH in kinds) is (cards is offered)
        for _ in range(2):
            asked = next(open_ for open_ in (await trial.state()).questions if not open_.private)
            await trial.act(asked.seat, PASS)
        worlds.append(trial)
    for viewer in (None, Seat.SOUTH, Seat.EAST):
        assert await sent(worlds[0], viewer) == await sent(worlds[1], viewer)


async def test_a_sealed_answer_changes_nothing_that_others_get() -> None:
    worlds = [await answered(call) for call in (SUN, PASS)]
    seat = worlds[0][1]
    for viewer in VIEWERS:
        one, other = [await sent(trial, viewer) for trial, _ in worlds]
        assert (one == other) is (viewer is not seat)
    for prober in SEATS:
        if prober is not seat:
            one_told, other_told = [await told(trial, prober) for trial, _ in worlds]
            assert one_told == other_told


async def told(trial: Trial, prober: Seat, moves: list[Action] = MOVES[:3]) -> list[Heard]:
    """All the errors that a seat gets now for all that it can try."""
    state = await trial.state()
    async with replica(trial.table) as served:
        return [
            await refusal(served, trial, prober, action)
            for action in (*CALLS, *moves)
            if not is_offered(state, prober, action)
        ]


async def answered(call: Call) -> tuple[Trial, Seat]:
    """A table at which the last of three seats that are asked has answered a Hokum first, and which seat."""
    cards = random.Random(5).sample(CARDS, 32)
    trial = Trial(seed=2, settings=SETTINGS, rules=dealing(cards))
    state = await trial.deal()
    await trial.act(next(open_.seat for open_ in state.questions if not open_.private), HOKUM)
    state = await trial.state()
    waiting = [open_.seat for open_ in state.questions if open_.kind is QuestionKind.ANSWER]
    assert len(waiting) == 3
    await trial.act(waiting[2], call)
    assert (await trial.state()).round.sealed  # type: ignore[union-attr]
    return trial, waiting[2]
