"""The dealing service deals the same and refuses the same in this process and over gRPC."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import UUID

import grpc
import pytest
from baloot.api.core.v1.seats_pb2 import SEAT_SOUTH
from baloot.api.dealing.v1 import dealing_pb2 as pb
from baloot.api.dealing.v1.dealing_pb2_grpc import DealingServiceStub
from baloot.core.deal import NO_SEAT_SEEDS, DealEnd, SealedSeed
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD, FirstDealer, KaweshRedeal, Ruleset
from baloot.core.seats import SEATS, TEAMS, Seat
from baloot.dealing import codec, rules
from baloot.dealing.client import RemoteDealing
from baloot.dealing.local import LocalDealing
from baloot.dealing.sealing import match_key, seal, store_key
from baloot.dealing.server import NAME, service
from baloot.kit.errors import from_rpc_error

from tests.contract.served import served

KEY = bytes(range(32))
MATCH, OTHER_MATCH = UUID(bytes=bytes(range(16))), UUID(int=5)
SEED = bytes(range(32, 64))
SEALED = SealedSeed(rules.commitment(MATCH.bytes, 7, 0, SEED), seal(KEY, SEED, b"n" * 12, MATCH.bytes, 7))
SEATS_ADD = tuple(bytes([n]) * 32 for n in range(1, 5))
BEACON = b"b" * 32

Dealing = LocalDealing | RemoteDealing


@pytest.fixture(params=["local", "remote"])
async def dealing(request: pytest.FixtureRequest) -> AsyncIterator[Dealing]:
    if request.param == "local":
        yield LocalDealing(KEY)
        return
    async with served(service(LocalDealing(KEY))) as channel:
        yield RemoteDealing(channel)


@pytest.fixture
async def stub() -> AsyncIterator[DealingServiceStub]:
    async with served(service(LocalDealing(KEY))) as channel:
        yield DealingServiceStub(channel)


async def test_commitments_open_to_the_deals_they_were_made_for(dealing: Dealing) -> None:
    committed = await dealing.commit_deals(MATCH, 3, 64)
    assert len(committed) == 64
    assert len({seed.commitment for seed in committed}) == 64
    for number, sealed in list(enumerate(committed, start=3))[::21]:
        seed = await dealing.reveal(MATCH, number, sealed)
        assert rules.commitment(MATCH.bytes, number, 0, seed) == sealed.commitment
        assert await dealing.deal(MATCH, number, sealed) == rules.deal(MATCH.bytes, number, seed)


async def test_each_commitment_has_a_seed_of_its_own(dealing: Dealing) -> None:
    first, again = await dealing.commit_deals(MATCH, 1, 1), await dealing.commit_deals(MATCH, 1, 1)
    assert first[0].commitment != again[0].commitment
    assert first[0].sealed != again[0].sealed


async def test_a_deal_takes_seat_seeds_and_beacon(dealing: Dealing) -> None:
    dealt = await dealing.deal(MATCH, 7, SEALED, SEATS_ADD, BEACON)
    assert dealt == rules.deal(MATCH.bytes, 7, SEED, SEATS_ADD, BEACON)
    assert dealt == await dealing.deal(MATCH, 7, SEALED, SEATS_ADD, BEACON)
    assert dealt.deck != (await dealing.deal(MATCH, 7, SEALED, SEATS_ADD)).deck
    assert await dealing.deal(MATCH, 7, SEALED) == rules.deal(MATCH.bytes, 7, SEED)


async def test_any_instance_with_the_key_opens_what_another_sealed(dealing: Dealing) -> None:
    committed = await LocalDealing(KEY).commit_deals(MATCH, 1, 1)
    assert await dealing.deal(MATCH, 1, committed[0]) == await LocalDealing(KEY).deal(MATCH, 1, committed[0])


async def test_the_first_dealer_follows_from_the_first_deal_where_it_is_given(dealing: Dealing) -> None:
    (sealed,) = await LocalDealing(KEY).commit_deals(MATCH, 1, 1)
    seed = await dealing.reveal(MATCH, 1, sealed)
    for seats, beacon in ((NO_SEAT_SEEDS, b""), (SEATS_ADD, b""), (SEATS_ADD, BEACON)):
        key = rules.hand_key(seed, MATCH.bytes, 1, 0, seats, beacon)
        lot = hmac.digest(key, b"baloot/dealer/v1\0" + MATCH.bytes, "sha256")[0]
        chosen = await dealing.choose_dealer(MATCH, STANDARD, None, None, sealed, seats, beacon)
        assert chosen is SEATS[lot % 4]
    losers = STANDARD.with_options(first_dealer=FirstDealer.LOSING_TEAM)
    lot = hmac.digest(
        rules.hand_key(seed, MATCH.bytes, 1, 0, NO_SEAT_SEEDS, b""),
        b"baloot/dealer/v1\0" + MATCH.bytes,
        "sha256",
    )[0]
    for lost in TEAMS:
        assert await dealing.choose_dealer(MATCH, losers, None, lost, sealed) is lost.seats[lot % 2]


async def test_cards_are_opened_in_the_order_asked_for(dealing: Dealing) -> None:
    dealt = await dealing.deal(MATCH, 7, SEALED, SEATS_ADD, BEACON)
    openings = await dealing.open_cards(MATCH, 7, SEALED, SEATS_ADD, BEACON, (20, 3, 31))
    assert [opened.position for opened in openings] == [20, 3, 31]
    for opened in openings:
        assert opened.card is dealt.deck.cards[opened.position]
        assert rules.verify_opening(dealt.deck_root, MATCH.bytes, 7, 0, opened)
    assert not await dealing.open_cards(MATCH, 7, SEALED, SEATS_ADD, BEACON, ())


async def test_each_match_has_a_key_that_every_instance_knows(dealing: Dealing) -> None:
    assert await dealing.match_key(MATCH) == match_key(KEY, MATCH.bytes)
    assert await dealing.match_key(MATCH) != await dealing.match_key(OTHER_MATCH)


async def test_a_database_has_a_key_that_every_instance_knows(dealing: Dealing) -> None:
    assert await dealing.store_key() == store_key(KEY)


async def test_the_first_dealer_is_drawn_and_the_others_follow(dealing: Dealing) -> None:
    draws = Counter([await dealing.choose_dealer(MATCH, STANDARD, None) for _ in range(120)])
    assert set(draws) == set(SEATS)
    for dealer in SEATS:
        for end in DealEnd:
            chosen = await dealing.choose_dealer(MATCH, STANDARD, (dealer, end))
            assert chosen is (dealer if end is DealEnd.KAWESH else dealer.next)


async def test_who_deals_follows_the_rule_set(dealing: Dealing) -> None:
    rotating = STANDARD.with_options(kawesh_redeal=KaweshRedeal.ROTATE)
    assert await dealing.choose_dealer(MATCH, rotating, (Seat.SOUTH, DealEnd.KAWESH)) is Seat.EAST
    losers = STANDARD.with_options(first_dealer=FirstDealer.LOSING_TEAM)
    for lost in TEAMS:
        draws = {await dealing.choose_dealer(MATCH, losers, None, lost) for _ in range(40)}
        assert draws == set(lost.seats)
    assert {await dealing.choose_dealer(MATCH, losers, None) for _ in range(120)} == set(SEATS)


def with_target(match_target: int) -> Ruleset:
    return STANDARD.with_options(name="mine", match_target=match_target)


REFUSED: list[tuple[str, Callable[[Dealing], Awaitable[object]], Reason, str]] = [
    ("no commitments", lambda d: d.commit_deals(MATCH, 1, 0), Reason.FIELD_INVALID, "count"),
    ("too many commitments", lambda d: d.commit_deals(MATCH, 1, 65), Reason.FIELD_INVALID, "count"),
    ("deals before the first", lambda d: d.commit_deals(MATCH, 0, 1), Reason.FIELD_INVALID, "first_number"),
    ("another number", lambda d: d.deal(MATCH, 8, SEALED), Reason.RECORD_INVALID, "seed.sealed"),
    ("another match", lambda d: d.deal(OTHER_MATCH, 7, SEALED), Reason.RECORD_INVALID, "seed.sealed"),
    (
        "another match revealed",
        lambda d: d.reveal(OTHER_MATCH, 7, SEALED),
        Reason.RECORD_INVALID,
        "seed.sealed",
    ),
    (
        "a changed seal",
        lambda d: d.deal(MATCH, 7, SealedSeed(SEALED.commitment, SEALED.sealed[:-1] + b"?")),
        Reason.RECORD_INVALID,
        "seed.sealed",
    ),
    (
        "another commitment",
        lambda d: d.reveal(MATCH, 7, SealedSeed(bytes(32), SEALED.sealed)),
        Reason.RECORD_INVALID,
        "seed.commitment",
    ),
    (
        "a dealer by another deal's lot",
        lambda d: d.choose_dealer(MATCH, STANDARD, None, None, SEALED),
        Reason.RECORD_INVALID,
        "seed.sealed",
    ),
    (
        "a card outside of the deck",
        lambda d: d.open_cards(MATCH, 7, SEALED, SEATS_ADD, b"", (3, 32)),
        Reason.FIELD_INVALID,
        "position",
    ),
    (
        "more cards than there are",
        lambda d: d.open_cards(MATCH, 7, SEALED, SEATS_ADD, b"", (0,) * 33),
        Reason.FIELD_INVALID,
        "positions",
    ),
    (
        "cards of another deal",
        lambda d: d.open_cards(MATCH, 8, SEALED, SEATS_ADD, b"", (3,)),
        Reason.RECORD_INVALID,
        "seed.sealed",
    ),
    ("three seats", lambda d: d.deal(MATCH, 7, SEALED, SEATS_ADD[:3]), Reason.FIELD_INVALID, "seat_seeds"),
    ("short seat seeds", lambda d: d.deal(MATCH, 7, SEALED, (b"x",) * 4), Reason.FIELD_INVALID, "seat_seeds"),
    ("a short beacon", lambda d: d.deal(MATCH, 7, SEALED, SEATS_ADD, b"x"), Reason.FIELD_INVALID, "beacon"),
    (
        "a match target out of range",
        lambda d: d.choose_dealer(MATCH, with_target(0), None),
        Reason.RULESET_INVALID,
        "ruleset.match_target",
    ),
]


@pytest.mark.parametrize(
    ("ask", "reason", "field"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
async def test_a_refusal_is_the_same_in_every_wiring(
    dealing: Dealing, ask: Callable[[Dealing], Awaitable[object]], reason: Reason, field: str
) -> None:
    with pytest.raises(Refusal) as local:
        await ask(LocalDealing(KEY))
    with pytest.raises(Refusal) as refused:
        await ask(dealing)
    assert refused.value.reason is reason
    assert refused.value.field == field
    assert (refused.value.message, refused.value.metadata) == (local.value.message, local.value.metadata)


async def test_a_refusal_does_not_tell_the_seed(dealing: Dealing) -> None:
    for changed in (SealedSeed(bytes(32), SEALED.sealed), SealedSeed(SEALED.commitment, SEED * 2)):
        with pytest.raises(Refusal) as refused:
            await dealing.deal(MATCH, 7, changed)
        assert SEED.hex() not in repr(refused.value)
        assert repr(SEED)[2:-1] not in refused.value.message


async def test_another_key_opens_nothing() -> None:
    with pytest.raises(Refusal) as refused:
        await LocalDealing(bytes(32)).deal(MATCH, 7, SEALED)
    assert refused.value.reason is Reason.RECORD_INVALID


Unreadable = tuple[str, str, object, Reason, str]
UNREADABLE: list[Unreadable] = [
    ("no match", "CommitDeals", pb.CommitDealsRequest(count=1), Reason.FIELD_REQUIRED, "match_id"),
    (
        "a short match id",
        "CommitDeals",
        pb.CommitDealsRequest(match_id=b"x", first_number=1, count=1),
        Reason.FIELD_INVALID,
        "match_id",
    ),
    ("no match to choose for", "ChooseDealer", pb.ChooseDealerRequest(), Reason.FIELD_REQUIRED, "match_id"),
    (
        "a dealer without an end",
        "ChooseDealer",
        pb.ChooseDealerRequest(match_id=MATCH.bytes, previous_dealer=SEAT_SOUTH),
        Reason.FIELD_REQUIRED,
        "previous_end",
    ),
    (
        "an end without a dealer",
        "ChooseDealer",
        pb.ChooseDealerRequest(match_id=MATCH.bytes, previous_end=pb.DEAL_END_KAWESH),
        Reason.FIELD_REQUIRED,
        "previous_dealer",
    ),
    (
        "an unknown end",
        "ChooseDealer",
        pb.ChooseDealerRequest(match_id=MATCH.bytes, previous_dealer=SEAT_SOUTH, previous_end=9),  # type: ignore[arg-type]
        Reason.FIELD_INVALID,
        "previous_end",
    ),
    ("no seed", "Deal", pb.DealRequest(match_id=MATCH.bytes, number=7), Reason.FIELD_REQUIRED, "seed.sealed"),
    (
        "nothing to open",
        "OpenCards",
        pb.OpenCardsRequest(match_id=MATCH.bytes, number=7),
        Reason.FIELD_REQUIRED,
        "seed.sealed",
    ),
    ("no match to seal", "GetMatchKey", pb.GetMatchKeyRequest(), Reason.FIELD_REQUIRED, "match_id"),
    (
        "nothing to reveal",
        "Reveal",
        pb.RevealRequest(match_id=MATCH.bytes),
        Reason.FIELD_REQUIRED,
        "seed.sealed",
    ),
]


@pytest.mark.parametrize(
    ("method", "message", "reason", "field"), [c[1:] for c in UNREADABLE], ids=[c[0] for c in UNREADABLE]
)
async def test_what_cannot_be_read_is_refused_by_its_path(
    stub: DealingServiceStub, method: str, message: object, reason: Reason, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await getattr(stub, method)(message)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert from_rpc_error(refused.value).reason is reason
    assert from_rpc_error(refused.value).field == field


async def test_seats_that_say_nothing_add_zeros(stub: DealingServiceStub) -> None:
    request = codec.encode_deal(MATCH, 7, SEALED, (), b"")
    assert codec.decode_dealt_answer(await stub.Deal(request)) == rules.deal(MATCH.bytes, 7, SEED)


async def test_a_rule_set_that_is_not_told_is_standard(stub: DealingServiceStub) -> None:
    request = pb.ChooseDealerRequest(
        match_id=MATCH.bytes, previous_dealer=SEAT_SOUTH, previous_end=pb.DEAL_END_SCORED
    )
    assert codec.decode_chosen(await stub.ChooseDealer(request)) is Seat.EAST


def test_the_names_are_those_of_the_contract() -> None:
    assert NAME == "baloot.api.dealing.v1.DealingService"
    assert [codec.DEAL_END.encode(end) for end in DealEnd] == [end.value for end in DealEnd]
