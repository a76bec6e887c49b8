"""The dealing service's requests and answers on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from baloot.api.dealing.v1 import dealing_pb2 as pb
from baloot.codec.deal import (
    decode_dealt,
    decode_hash,
    decode_opening,
    decode_sealed_seed,
    encode_dealt,
    encode_opening,
    encode_sealed_seed,
)
from baloot.codec.enums import SEAT, TEAM, EnumCodec
from baloot.codec.fields import decode_each, invalid, missing
from baloot.codec.ruleset import decode_ruleset, encode_ruleset
from baloot.core.cards import CARDS_IN_DECK
from baloot.core.deal import NO_SEAT_SEEDS, DealEnd, Dealt, Opening, SealedSeed
from baloot.core.keys import StoreKey
from baloot.core.ruleset import Ruleset
from baloot.core.seats import Seat, Team
from baloot.dealing.local import MAX_COMMITMENTS
from baloot.dealing.rules import MATCH_ID_BYTES
from baloot.dealing.sealing import FINGERPRINT_BYTES

DEAL_END = EnumCodec(DealEnd, pb.DealEnd)

Previous = tuple[Seat, DealEnd] | None
ChooseArguments = tuple[UUID, Ruleset, Previous, Team | None, SealedSeed | None, tuple[bytes, ...], bytes]
OpenArguments = tuple[UUID, int, SealedSeed, tuple[bytes, ...], bytes, tuple[int, ...]]
DealArguments = tuple[UUID, int, SealedSeed, tuple[bytes, ...], bytes]


def decode_match_id(value: bytes) -> UUID:
    if not value:
        raise missing("match_id")
    if len(value) != MATCH_ID_BYTES:
        raise invalid("match_id", f"has {len(value)} bytes, and must have {MATCH_ID_BYTES}")
    return UUID(bytes=value)


# CommitDeals.


def encode_commit_deals(match_id: UUID, first_number: int, count: int) -> pb.CommitDealsRequest:
    return pb.CommitDealsRequest(match_id=match_id.bytes, first_number=first_number, count=count)


def decode_commit_deals(request: pb.CommitDealsRequest) -> tuple[UUID, int, int]:
    """Raises Refusal with the path of the field that cannot be read."""
    return decode_match_id(request.match_id), request.first_number, request.count


def encode_committed(seeds: Sequence[SealedSeed]) -> pb.CommitDealsResponse:
    return pb.CommitDealsResponse(seeds=[encode_sealed_seed(seed) for seed in seeds])


def decode_committed(response: pb.CommitDealsResponse) -> tuple[SealedSeed, ...]:
    return decode_each(decode_sealed_seed, response.seeds, "seeds", most=MAX_COMMITMENTS)


# ChooseDealer.


def encode_choose_dealer(
    match_id: UUID,
    ruleset: Ruleset,
    previous: Previous,
    lost_before: Team | None = None,
    seed: SealedSeed | None = None,
    seat_seeds: Sequence[bytes] = (),
    beacon: bytes = b"",
) -> pb.ChooseDealerRequest:
    dealer, end = previous or (None, None)
    return pb.ChooseDealerRequest(
        match_id=match_id.bytes,
        previous_dealer=SEAT.encode_optional(dealer),
        previous_end=DEAL_END.encode_optional(end),
        ruleset=encode_ruleset(ruleset),
        lost_before=TEAM.encode_optional(lost_before),
        seed=None if seed is None else encode_sealed_seed(seed),
        seat_seeds=seat_seeds,
        beacon=beacon,
    )


def decode_choose_dealer(request: pb.ChooseDealerRequest) -> ChooseArguments:
    """Raises Refusal with the path of the field that cannot be read."""
    ruleset = decode_ruleset(request.ruleset, "ruleset")
    lost_before = TEAM.decode_optional(request.lost_before, "lost_before")
    seed = decode_sealed_seed(request.seed, "seed") if request.HasField("seed") else None
    return (
        decode_match_id(request.match_id),
        ruleset,
        _decode_previous(request),
        lost_before,
        seed,
        tuple(request.seat_seeds) or NO_SEAT_SEEDS,
        request.beacon,
    )


def _decode_previous(request: pb.ChooseDealerRequest) -> Previous:
    if not request.previous_dealer and not request.previous_end:
        return None
    return (
        SEAT.decode(request.previous_dealer, "previous_dealer"),
        DEAL_END.decode(request.previous_end, "previous_end"),
    )


def encode_chosen(dealer: Seat) -> pb.ChooseDealerResponse:
    return pb.ChooseDealerResponse(dealer=SEAT.encode(dealer))


def decode_chosen(response: pb.ChooseDealerResponse) -> Seat:
    return SEAT.decode(response.dealer, "dealer")


# Deal.


def encode_deal(
    match_id: UUID, number: int, seed: SealedSeed, seat_seeds: Sequence[bytes], beacon: bytes
) -> pb.DealRequest:
    return pb.DealRequest(
        match_id=match_id.bytes,
        number=number,
        seed=encode_sealed_seed(seed),
        seat_seeds=seat_seeds,
        beacon=beacon,
    )


def decode_deal(request: pb.DealRequest) -> DealArguments:
    """Raises Refusal with the path of the field that cannot be read."""
    return (
        decode_match_id(request.match_id),
        request.number,
        decode_sealed_seed(request.seed, "seed"),
        tuple(request.seat_seeds) or NO_SEAT_SEEDS,
        request.beacon,
    )


def encode_dealt_answer(dealt: Dealt) -> pb.DealResponse:
    return pb.DealResponse(dealt=encode_dealt(dealt))


def decode_dealt_answer(response: pb.DealResponse) -> Dealt:
    return decode_dealt(response.dealt, "dealt")


# OpenCards.


def encode_open_cards(
    match_id: UUID,
    number: int,
    seed: SealedSeed,
    seat_seeds: Sequence[bytes],
    beacon: bytes,
    positions: Sequence[int],
) -> pb.OpenCardsRequest:
    return pb.OpenCardsRequest(
        match_id=match_id.bytes,
        number=number,
        seed=encode_sealed_seed(seed),
        seat_seeds=seat_seeds,
        beacon=beacon,
        positions=positions,
    )


def decode_open_cards(request: pb.OpenCardsRequest) -> OpenArguments:
    """Raises Refusal with the path of the field that cannot be read."""
    return (
        decode_match_id(request.match_id),
        request.number,
        decode_sealed_seed(request.seed, "seed"),
        tuple(request.seat_seeds) or NO_SEAT_SEEDS,
        request.beacon,
        tuple(request.positions),
    )


def encode_opened(openings: Sequence[Opening]) -> pb.OpenCardsResponse:
    return pb.OpenCardsResponse(openings=[encode_opening(opening) for opening in openings])


def decode_opened(response: pb.OpenCardsResponse) -> tuple[Opening, ...]:
    return decode_each(decode_opening, response.openings, "openings", most=CARDS_IN_DECK)


# Reveal.


def encode_reveal(match_id: UUID, number: int, seed: SealedSeed) -> pb.RevealRequest:
    return pb.RevealRequest(match_id=match_id.bytes, number=number, seed=encode_sealed_seed(seed))


def decode_reveal(request: pb.RevealRequest) -> tuple[UUID, int, SealedSeed]:
    """Raises Refusal with the path of the field that cannot be read."""
    return decode_match_id(request.match_id), request.number, decode_sealed_seed(request.seed, "seed")


def encode_revealed(seed: bytes) -> pb.RevealResponse:
    return pb.RevealResponse(seed=seed)


def decode_revealed(response: pb.RevealResponse) -> bytes:
    return decode_hash(response.seed, "seed")


# GetMatchKey.


def encode_get_match_key(match_id: UUID) -> pb.GetMatchKeyRequest:
    return pb.GetMatchKeyRequest(match_id=match_id.bytes)


def encode_match_key(key: bytes) -> pb.GetMatchKeyResponse:
    return pb.GetMatchKeyResponse(key=key)


def decode_match_key(response: pb.GetMatchKeyResponse) -> bytes:
    return decode_hash(response.key, "key")


# GetStoreKey.


def encode_store_key(store_key: StoreKey) -> pb.GetStoreKeyResponse:
    return pb.GetStoreKeyResponse(key=store_key.key, fingerprint=store_key.fingerprint)


def decode_store_key(response: pb.GetStoreKeyResponse) -> StoreKey:
    """Raises Refusal with the path of the field that cannot be read."""
    given = len(response.fingerprint)
    if given != FINGERPRINT_BYTES:
        raise invalid("fingerprint", f"has {given} bytes, and must have {FINGERPRINT_BYTES}")
    return StoreKey(decode_hash(response.key, "key"), response.fingerprint)
