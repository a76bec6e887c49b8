"""Deals on the wire: sealed seeds and dealt decks."""

from __future__ import annotations

from collections.abc import Sequence

from baloot.api.core.v1 import deal_pb2 as pb
from baloot.codec.cards import decode_cards, encode_cards
from baloot.codec.enums import CARD
from baloot.codec.fields import invalid, missing
from baloot.core.cards import CARDS_IN_DECK
from baloot.core.deal import Dealt, Deck, Opening, SealedSeed

HASH_BYTES = 32
MAX_SEALED_BYTES = 1024
"""The longest sealed seed; today's are shorter by far, those of another cipher may not be."""


def encode_sealed_seed(seed: SealedSeed) -> pb.SealedSeed:
    return pb.SealedSeed(commitment=seed.commitment, sealed=seed.sealed)


def decode_sealed_seed(message: pb.SealedSeed, path: str) -> SealedSeed:
    sealed = message.sealed
    if not sealed:
        raise missing(f"{path}.sealed")
    if len(sealed) > MAX_SEALED_BYTES:
        raise invalid(f"{path}.sealed", f"has {len(sealed)} bytes, and may have {MAX_SEALED_BYTES}")
    return SealedSeed(decode_hash(message.commitment, f"{path}.commitment"), sealed)


def encode_dealt(dealt: Dealt) -> pb.Dealt:
    return pb.Dealt(
        number=dealt.number,
        deck=encode_cards(dealt.deck.cards),
        commitment=dealt.commitment,
        deck_root=dealt.deck_root,
    )


def decode_dealt(message: pb.Dealt, path: str) -> Dealt:
    if message.number < 1:
        raise invalid(f"{path}.number", "must be 1 or more")
    return Dealt(
        number=message.number,
        deck=decode_deck(message.deck, f"{path}.deck"),
        commitment=decode_hash(message.commitment, f"{path}.commitment"),
        deck_root=decode_hash(message.deck_root, f"{path}.deck_root"),
    )


def encode_opening(opening: Opening) -> pb.Opening:
    return pb.Opening(
        position=opening.position, card=CARD.encode(opening.card), salt=opening.salt, path=opening.path
    )


def decode_opening(message: pb.Opening, path: str) -> Opening:
    if message.position not in range(CARDS_IN_DECK):
        raise invalid(f"{path}.position", f"must be between 0 and {CARDS_IN_DECK - 1}")
    hashes = tuple(decode_hash(value, f"{path}.path[{n}]") for n, value in enumerate(message.path))
    return Opening(message.position, CARD.decode(message.card, f"{path}.card"), message.salt, hashes)


def decode_deck(numbers: Sequence[int], path: str) -> Deck:
    """All 32 cards in dealing order."""
    cards = decode_cards(numbers, path)
    if not cards:
        raise missing(path)
    if len(cards) != CARDS_IN_DECK:
        raise invalid(path, f"holds {len(cards)} cards, and a deck has {CARDS_IN_DECK}")
    return Deck(cards)


def decode_hash(value: bytes, path: str) -> bytes:
    """The 32 bytes of a SHA-256."""
    if not value:
        raise missing(path)
    if len(value) != HASH_BYTES:
        raise invalid(path, f"has {len(value)} bytes, and must have {HASH_BYTES}")
    return value
