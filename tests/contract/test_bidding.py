"""The bidding service gives the same answers and the same refusals in this process and over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random

import grpc
import pytest
from baloot.api.bidding.v1 import bidding_pb2 as pb
from baloot.api.bidding.v1.bidding_pb2_grpc import BiddingServiceStub
from baloot.api.core.v1 import auction_pb2, cards_pb2, seats_pb2
from baloot.bidding import codec
from baloot.bidding.client import RemoteBidding
from baloot.bidding.local import LocalBidding
from baloot.bidding.rules import fold, make_call, start_auction, step
from baloot.bidding.server import NAME, service
from baloot.core.auction import CONFIRM, HOKUM, PASS, SUN, AuctionRecord, Call, CallKind, SeatCall
from baloot.core.cards import CARDS, Card, Hand
from baloot.core.errors import Reason, Refusal
from baloot.core.playable import unsupported
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import SEATS, Seat
from baloot.kit.errors import from_rpc_error

from tests.contract.served import served
from tests.strategies.auction import EVERY_CALL, forced_suns, open_calls, random_record, random_rule_set

Bidding = LocalBidding | RemoteBidding
FRESH = AuctionRecord(Seat.WEST, Card.CKH)
WORTHLESS = tuple(
    Hand.parse(text) for text in ("AS KS QS JS 10S", "7S 7C 8C 8D 9D", "KC QC JC 10C AC", "AD KD QD JD 10D")
)


def fresh_record(rng: Random) -> AuctionRecord:
    """Any dealer, up card, scores and rule set; half of the records with hands."""
    cards = rng.sample(CARDS, 21)
    hands = tuple(Hand.of(cards[5 * n : 5 * n + 5]) for n in range(4)) if rng.random() < 0.5 else ()
    scores = (rng.choice([0, 100, 101]), rng.choice([0, 100, 101]))
    return AuctionRecord(rng.choice(SEATS), cards[20], hands, scores, ruleset=playable(random_rule_set(rng)))


def playable(ruleset: Ruleset) -> Ruleset:
    """The rule set without the choices that do not work yet."""
    return ruleset.with_options(**{name: getattr(STANDARD, name) for name in unsupported(ruleset)})


@pytest.fixture(params=["local", "remote"])
async def bidding(request: pytest.FixtureRequest) -> AsyncIterator[Bidding]:
    if request.param == "local":
        yield LocalBidding()
        return
    async with served(service(LocalBidding())) as channel:
        yield RemoteBidding(channel)


@pytest.fixture
async def stub() -> AsyncIterator[BiddingServiceStub]:
    async with served(service(LocalBidding())) as channel:
        yield BiddingServiceStub(channel)


async def test_every_step_of_an_auction_is_that_of_the_rules(bidding: Bidding) -> None:
    rng = Random(152)
    for _ in range(30):
        record = random_record(fresh_record(rng), rng)
        auction = start_auction(replace(record, calls=()))
        assert await bidding.get_auction(auction.record) == step(auction)
        for said in record.calls:
            following = make_call(auction, said.seat, said.call)
            assert await bidding.make_call(auction.record, said.seat, said.call) == step(following)
            auction = following


async def test_a_record_is_answered_whether_or_not_the_service_saw_it_grow(bidding: Bidding) -> None:
    rng = Random(16)
    for _ in range(30):
        record = random_record(fresh_record(rng), rng)
        assert await bidding.get_auction(record) == step(fold(record))


async def test_the_same_request_twice_gives_the_same_answer_and_another_call_its_own(
    bidding: Bidding,
) -> None:
    first = await bidding.make_call(FRESH, Seat.SOUTH, HOKUM)
    assert await bidding.make_call(FRESH, Seat.SOUTH, HOKUM) == first
    other = await bidding.make_call(FRESH, Seat.SOUTH, SUN)
    assert other == step(make_call(start_auction(FRESH), Seat.SOUTH, SUN))


async def test_a_kawesh_out_of_turn_is_taken(bidding: Bidding) -> None:
    record = replace(FRESH, hands=WORTHLESS)
    followed = await bidding.make_call(record, Seat.EAST, Call(CallKind.KAWESH))
    assert (
        followed.outcome == step(make_call(start_auction(record), Seat.EAST, Call(CallKind.KAWESH))).outcome
    )
    assert followed.asked == ()


async def test_a_refused_call_is_told_with_its_rule_and_what_is_offered(bidding: Bidding) -> None:
    """South is asked first, and only South is told what it may say."""
    ashkal = Call(CallKind.ASHKAL)
    for seat, rule, legal in [(Seat.SOUTH, "2.8", "pass,hokum,sun"), (Seat.EAST, "2.36", "")]:
        with pytest.raises(Refusal) as refused:
            await bidding.make_call(FRESH, seat, ashkal)
        assert (refused.value.rule, refused.value.legal) == (rule, legal)


async def test_whatever_is_refused_is_refused_alike(bidding: Bidding) -> None:
    rng = Random(26)
    for _ in range(60):
        record = random_record(fresh_record(rng), rng, rng.randrange(12))
        auction, seat, call = fold(record), rng.choice(SEATS), rng.choice(EVERY_CALL)
        if (seat, call) in open_calls(auction) + forced_suns(auction):
            continue
        with pytest.raises(Refusal) as expected:
            make_call(auction, seat, call)
        with pytest.raises(Refusal) as refused:
            await bidding.make_call(record, seat, call)
        assert as_told(refused.value) == as_told(expected.value)


def as_told(refusal: Refusal) -> tuple[Reason, str, str, dict[str, str]]:
    return refusal.reason, refusal.message, refusal.field, refusal.metadata


BAD_RECORDS: list[tuple[str, AuctionRecord, Reason, str]] = [
    (
        "a call that was not legal",
        replace(FRESH, calls=(SeatCall(Seat.SOUTH, PASS), SeatCall(Seat.SOUTH, PASS))),
        Reason.RECORD_INVALID,
        "record.calls[1]",
    ),
    ("three hands", replace(FRESH, hands=WORTHLESS[:3]), Reason.RECORD_INVALID, "record.hands"),
    (
        "a card in two hands",
        replace(FRESH, hands=(*WORTHLESS[:3], WORTHLESS[0])),
        Reason.RECORD_INVALID,
        "record.hands",
    ),
    (
        "a match target out of range",
        replace(FRESH, ruleset=STANDARD.with_options(name="mine", match_target=0)),
        Reason.RULESET_INVALID,
        "ruleset.match_target",
    ),
]


@pytest.mark.parametrize(
    ("record", "reason", "field"), [case[1:] for case in BAD_RECORDS], ids=[case[0] for case in BAD_RECORDS]
)
async def test_a_bad_record_is_refused_alike_by_both_methods(
    bidding: Bidding, record: AuctionRecord, reason: Reason, field: str
) -> None:
    with pytest.raises(Refusal) as local:
        await LocalBidding().get_auction(record)
    with pytest.raises(Refusal) as got:
        await bidding.get_auction(record)
    with pytest.raises(Refusal) as called:
        await bidding.make_call(record, Seat.SOUTH, PASS)
    assert (got.value.reason, got.value.field) == (reason, field)
    assert as_told(got.value) == as_told(called.value) == as_told(local.value)


def request(**changes: object) -> pb.MakeCallRequest:
    message = codec.encode_make_call(FRESH, Seat.SOUTH, CONFIRM)
    for path, value in changes.items():
        *parents, name = path.split("__")
        target: object = message
        for parent in parents:
            target = getattr(target, parent)
        setattr(target, name, value)
    return message


def with_hand(*cards: cards_pb2.Card.ValueType) -> pb.MakeCallRequest:
    message = request()
    message.record.hands.add(cards=cards)
    return message


def with_calls(count: int) -> pb.MakeCallRequest:
    message = request()
    for _ in range(count):
        message.record.calls.append(auction_pb2.SeatCall(seat=seats_pb2.SEAT_SOUTH, call=message.call))
    return message


UNREADABLE: list[tuple[str, pb.MakeCallRequest, Reason, str]] = [
    ("nothing", pb.MakeCallRequest(), Reason.FIELD_REQUIRED, "record.dealer"),
    ("no up card", request(record__up_card=0), Reason.FIELD_REQUIRED, "record.up_card"),
    ("no seat", request(seat=0), Reason.FIELD_REQUIRED, "seat"),
    ("no call", request(call__kind=0), Reason.FIELD_REQUIRED, "call.kind"),
    ("an unknown seat", request(seat=5), Reason.FIELD_INVALID, "seat"),
    ("an unknown kind", request(call__kind=99), Reason.FIELD_INVALID, "call.kind"),
    ("an unknown suit", request(call__suit=5), Reason.FIELD_INVALID, "call.suit"),
    ("an unknown lock", request(call__lock=3), Reason.FIELD_INVALID, "call.lock"),
    (
        "a card twice",
        with_hand(cards_pb2.CARD_7S, cards_pb2.CARD_7S),
        Reason.FIELD_INVALID,
        "record.hands[0].cards",
    ),
    ("too many calls", with_calls(65), Reason.FIELD_INVALID, "record.calls"),
]


@pytest.mark.parametrize(
    ("message", "reason", "field"), [case[1:] for case in UNREADABLE], ids=[case[0] for case in UNREADABLE]
)
async def test_what_cannot_be_read_is_refused_by_its_path(
    stub: BiddingServiceStub, message: pb.MakeCallRequest, reason: Reason, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stub.MakeCall(message)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert from_rpc_error(refused.value).reason is reason
    assert from_rpc_error(refused.value).field == field


async def test_a_call_against_the_rules_fails_the_precondition(stub: BiddingServiceStub) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stub.MakeCall(request())
    assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert from_rpc_error(refused.value).reason is Reason.CALL_NOT_OFFERED


async def test_a_rule_set_that_is_not_told_is_standard(stub: BiddingServiceStub) -> None:
    message = codec.encode_get_auction(FRESH)
    message.record.ClearField("ruleset")
    assert codec.decode_got(await stub.GetAuction(message)) == step(start_auction(FRESH))


def test_the_name_served_is_the_one_in_the_contract() -> None:
    assert NAME == "baloot.api.bidding.v1.BiddingService"
