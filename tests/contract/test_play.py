"""The play service gives the same answers and the same refusals in this process and over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random

import grpc
import pytest
from baloot.api.core.v1 import play_pb2, seats_pb2
from baloot.api.play.v1 import play_pb2 as pb
from baloot.api.play.v1.play_pb2_grpc import PlayServiceStub
from baloot.codec.play import encode_project
from baloot.core.cards import CARDS, Hand
from baloot.core.contract import Bidding, Contract, Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove, Move, PlayRecord, QaidGround, QaidMove, SawaMove, SeatMove
from baloot.core.projects import Project, ProjectKind
from baloot.core.ruleset import STANDARD
from baloot.core.seats import SEATS, Seat
from baloot.kit.errors import from_rpc_error
from baloot.play import codec, rules
from baloot.play.client import RemotePlay
from baloot.play.local import LocalPlay
from baloot.play.server import NAME, service

from tests.contract.served import served
from tests.strategies.play import moments, of_some_rules

Playing = LocalPlay | RemotePlay
SUITS_DEALT = tuple(Hand.of(CARDS[8 * n : 8 * n + 8]) for n in range(4))
"""One whole suit to each seat: SOUTH has the spades and leads."""
FRESH = PlayRecord(
    Contract(Mode.SUN, None, Seat.SOUTH, Seat.SOUTH, Bidding.FIRST),
    Seat.WEST,
    (SUITS_DEALT[0], SUITS_DEALT[1], SUITS_DEALT[2], SUITS_DEALT[3]),
)
LEAD = CardMove(CARDS[7])


@pytest.fixture(params=["local", "remote"])
async def playing(request: pytest.FixtureRequest) -> AsyncIterator[Playing]:
    if request.param == "local":
        yield LocalPlay()
        return
    async with served(service(LocalPlay())) as channel:
        yield RemotePlay(channel)


@pytest.fixture
async def stub() -> AsyncIterator[PlayServiceStub]:
    async with served(service(LocalPlay())) as channel:
        yield PlayServiceStub(channel)


async def test_every_step_of_a_round_is_that_of_the_rules(playing: Playing) -> None:
    rng = Random(162)
    for _ in range(16):
        before, *later = moments(rng, of_some_rules(rng), sawa=0.2)
        assert await playing.get_play(before.record) == rules.step(before)
        for after in later:
            made = after.moves[-1]
            assert await playing.make_move(before.record, made.seat, made.move) == rules.step(after)
            before = after


async def test_a_record_is_answered_whether_or_not_the_service_saw_it_grow(playing: Playing) -> None:
    rng = Random(130)
    for _ in range(12):
        play = rng.choice(list(moments(rng, of_some_rules(rng))))
        assert await playing.get_play(play.record) == rules.step(play)


async def test_the_same_request_twice_gives_the_same_answer_and_another_card_its_own(
    playing: Playing,
) -> None:
    first = await playing.make_move(FRESH, Seat.SOUTH, LEAD)
    assert await playing.make_move(FRESH, Seat.SOUTH, LEAD) == first
    other = await playing.make_move(FRESH, Seat.SOUTH, CardMove(CARDS[0]))
    assert other == rules.step(rules.play_card(rules.start_play(FRESH), Seat.SOUTH, CardMove(CARDS[0])))


def any_move(rng: Random) -> Move:
    """Mostly nonsense, so that every reason comes up."""
    if rng.random() < 0.2:
        return SawaMove()
    if rng.random() < 0.2:
        return QaidMove(rng.choice(list(QaidGround)), rng.choice(CARDS), rng.choice(CARDS))
    run = Project(ProjectKind.SIRA, CARDS[5:8])
    projects = tuple(run for _ in range(rng.choice([0, 0, 0, 1, 2, 3])))
    shown = (run,) if rng.random() < 0.1 else ()
    return CardMove(rng.choice(CARDS), projects, rng.random() < 0.2, rng.random() < 0.2, shown)


async def test_whatever_is_refused_is_refused_alike(playing: Playing) -> None:
    rng = Random(44)
    reasons = set()
    for _ in range(150):
        play = rng.choice(list(moments(rng, of_some_rules(rng))))
        seat = rng.choice(SEATS) if play.turn is None or rng.random() < 0.1 else play.turn
        move = any_move(rng)
        try:
            rules.move(play, seat, move)
        except Refusal as refusal:
            expected = refusal
        else:
            continue
        with pytest.raises(Refusal) as refused:
            await playing.make_move(play.record, seat, move)
        assert as_told(refused.value) == as_told(expected)
        reasons.add(refused.value.reason)
    assert len(reasons) > 9


def as_told(refusal: Refusal) -> tuple[Reason, str, str, dict[str, str]]:
    return refusal.reason, refusal.message, refusal.field, refusal.metadata


async def test_a_refused_card_is_told_with_its_rule_and_the_legal_ones(playing: Playing) -> None:
    """East has one spade to follow with, and only East is told of it."""
    south, east, north, west = FRESH.hands
    spade, heart = Hand.of(CARDS[:1]), Hand.of(CARDS[8:9])
    dealt = (south.without(CARDS[0]) | heart, east.without(CARDS[8]) | spade, north, west)
    led = replace(FRESH, hands=dealt).after(Seat.SOUTH, LEAD)
    with pytest.raises(Refusal) as refused:
        await playing.make_move(led, Seat.EAST, CardMove(CARDS[9]))
    assert refused.value.metadata == {"rule": "2.19", "legal": "7S"}
    for other in (Seat.SOUTH, Seat.NORTH, Seat.WEST):
        with pytest.raises(Refusal) as refused:
            await playing.make_move(led, other, CardMove(CARDS[9]))
        assert refused.value.metadata == {"rule": "2.36"}


async def test_the_record_has_what_the_rule_set_says_for_the_player(playing: Playing) -> None:
    auto = replace(FRESH, ruleset=STANDARD.with_options(name="mine", project_auto=True))
    step = await playing.make_move(auto, Seat.SOUTH, LEAD)
    (made,) = step.record.moves
    assert isinstance(made.move, CardMove)
    assert [project.kind for project in made.move.projects] == [ProjectKind.HUNDRED, ProjectKind.SIRA]
    assert await playing.get_play(step.record) == step


async def test_a_sawa_that_does_not_hold_is_an_answer_and_not_an_error(playing: Playing) -> None:
    rng = Random(3)
    play = next(
        after
        for _ in range(1000)
        for after in moments(rng, sawa=1)
        if after.moves and isinstance(after.moves[-1].move, SawaMove) and after.turn is not None
    )
    before = replace(play.record, moves=play.moves[:-1])
    step = await playing.make_move(before, play.moves[-1].seat, SawaMove())
    assert step.sawa is False
    assert step.record == play.record
    assert step.asked is not None


BAD_RECORDS: list[tuple[str, PlayRecord, Reason, str]] = [
    ("a move that was not legal", FRESH.after(Seat.EAST, LEAD), Reason.RECORD_INVALID, "record.moves[0]"),
    (
        "a card in two hands",
        replace(FRESH, hands=(*FRESH.hands[:3], FRESH.hands[0])),
        Reason.RECORD_INVALID,
        "record.hands",
    ),
    (
        "a Sun with a trump suit",
        replace(FRESH, contract=replace(FRESH.contract, trump=CARDS[0].suit)),
        Reason.RECORD_INVALID,
        "record.contract.trump",
    ),
    (
        "more cards left for a Sawa than there are",
        replace(FRESH, ruleset=STANDARD.with_options(name="mine", sawa_max_cards=9)),
        Reason.RULESET_INVALID,
        "ruleset.sawa_max_cards",
    ),
    (
        "a limit out of range",
        replace(FRESH, ruleset=STANDARD.with_options(name="mine", max_projects_per_player=0)),
        Reason.RULESET_INVALID,
        "ruleset.max_projects_per_player",
    ),
]


@pytest.mark.parametrize(
    ("bad", "reason", "field"), [case[1:] for case in BAD_RECORDS], ids=[case[0] for case in BAD_RECORDS]
)
async def test_a_bad_record_is_refused_alike_by_both_methods(
    playing: Playing, bad: PlayRecord, reason: Reason, field: str
) -> None:
    with pytest.raises(Refusal) as local:
        await LocalPlay().get_play(bad)
    with pytest.raises(Refusal) as got:
        await playing.get_play(bad)
    with pytest.raises(Refusal) as moved:
        await playing.make_move(bad, Seat.SOUTH, LEAD)
    assert got.value.reason is reason
    assert got.value.field == field
    assert as_told(got.value) == as_told(moved.value) == as_told(local.value)


def request(**changes: object) -> pb.MakeMoveRequest:
    """South leads its Ace, but with these fields; `__` goes one message deeper."""
    message = codec.encode_make_move(FRESH, Seat.SOUTH, LEAD)
    for path, value in changes.items():
        *parents, name = path.split("__")
        target: object = message
        for parent in parents:
            target = getattr(target, parent)
        setattr(target, name, value)
    return message


def with_moves(count: int) -> pb.MakeMoveRequest:
    message = request()
    message.record.moves.extend([message.move] * count)
    return message


def with_hands(count: int) -> pb.MakeMoveRequest:
    message = request()
    del message.record.hands[count:]
    return message


def with_projects(*projects: play_pb2.Project) -> pb.MakeMoveRequest:
    message = request()
    message.move.card.projects.extend(projects)
    return message


SIRA = encode_project(Project(ProjectKind.SIRA, CARDS[5:8]))
UNREADABLE: list[tuple[str, pb.MakeMoveRequest, Reason, str]] = [
    ("no seat", request(move__seat=0), Reason.FIELD_REQUIRED, "move.seat"),
    ("no card", request(move__card__card=0), Reason.FIELD_REQUIRED, "move.card.card"),
    ("an unknown seat", request(move__seat=5), Reason.FIELD_INVALID, "move.seat"),
    ("an unknown card", request(move__card__card=33), Reason.FIELD_INVALID, "move.card.card"),
    ("no dealer", request(record__dealer=0), Reason.FIELD_REQUIRED, "record.dealer"),
    ("no mode", request(record__contract__mode=0), Reason.FIELD_REQUIRED, "record.contract.mode"),
    ("three hands", with_hands(3), Reason.FIELD_INVALID, "record.hands"),
    ("too many moves", with_moves(38), Reason.FIELD_INVALID, "record.moves"),
    ("a project without a kind", with_projects(play_pb2.Project(cards=SIRA.cards)), Reason.FIELD_REQUIRED, "move.card.projects[0].kind"),
    ("a project without cards", with_projects(play_pb2.Project(kind=SIRA.kind)), Reason.FIELD_REQUIRED, "move.card.projects[0].cards"),
    ("a move that is neither", pb.MakeMoveRequest(record=request().record, move=play_pb2.SeatMove(seat=seats_pb2.SEAT_SOUTH)), Reason.FIELD_REQUIRED, "move.move"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "reason", "field"), [case[1:] for case in UNREADABLE], ids=[case[0] for case in UNREADABLE]
)
async def test_what_cannot_be_read_is_refused_by_its_path(
    stub: PlayServiceStub, message: pb.MakeMoveRequest, reason: Reason, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stub.MakeMove(message)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    told = from_rpc_error(refused.value)
    assert told.reason is reason
    assert told.field == field


async def test_a_card_against_the_rules_fails_the_precondition(stub: PlayServiceStub) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stub.MakeMove(request(move__card__card=9))
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert from_rpc_error(refused.value).reason is Reason.CARD_NOT_HELD


async def test_the_cards_of_a_project_may_come_in_any_order(stub: PlayServiceStub) -> None:
    message = with_projects(play_pb2.Project(kind=SIRA.kind, cards=reversed(SIRA.cards)))
    step = codec.decode_made(await stub.MakeMove(message))
    said = CardMove(LEAD.card, (Project(ProjectKind.SIRA, CARDS[5:8]),))
    assert step.record.moves == (SeatMove(Seat.SOUTH, said),)


async def test_a_rule_set_that_is_not_told_is_standard(stub: PlayServiceStub) -> None:
    message = codec.encode_get_play(FRESH)
    message.record.ClearField("ruleset")
    assert codec.decode_got(await stub.GetPlay(message)) == rules.step(rules.start_play(FRESH))


def test_the_name_served_is_the_one_in_the_contract() -> None:
    assert NAME == "baloot.api.play.v1.PlayService"
