"""The fixed vectors of the shuffle, and each part of its byte layout worked out by hand."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from baloot.core.cards import CARDS
from baloot.dealing.rules import byte_stream, commitment, deal, hand_key, permutation, shuffle


@dataclass(frozen=True, slots=True)
class Vector:
    name: str
    seed: bytes
    match_id: bytes
    number: int
    redeal: int
    seats: tuple[bytes, ...]
    beacon: bytes
    commit: str
    key: str
    bytes_used: int
    deck: str
    root: str


COUNTED_SEATS = tuple(bytes([n]) * 32 for n in (1, 2, 3, 4))
VECTORS = [
    Vector(
        "V1",
        bytes(32),
        bytes(16),
        1,
        0,
        (bytes(32),) * 4,
        b"",
        "124872083509d1cbb105d2fce9397140ad006d08afac9f3acdc673981b626ae6",
        "667dab4877d84c37602de0c9a6657ad727aba0f5627d7c1b1ebbf37083d254d7",
        31,
        "9C QD JD AS 9D KC 8C JC 7H AD AH 10S 8D 10H KS 7D 10D 9S 7S KD QS JH AC 9H 7C 8H 8S QC JS KH QH 10C",
        "d2dcb212c9eb19ae018c3e5ec6d4470007b42add44b31f1eb8dd5d2b5c71a871",
    ),
    Vector(
        "V2",
        bytes(range(32)),
        bytes(range(16)),
        7,
        0,
        COUNTED_SEATS,
        b"",
        "9119b11992dbfd495be147f48d9c351e0ca1e00254edd6cc9b21aadc2cb16251",
        "42b71411407a0de4f58f4a7762c74baa6a983cc7a127314a3b030b49182bcd4f",
        32,
        "QD KH QH 7D 7S 8C JS KD QS JH 10C AS QC AC 10H KC JC 9S 10S 9C KS 8H 8D AH JD 10D AD 7H 7C 9D 8S 9H",
        "d325ebd866b3f79b78d27760b96d99d2738bcf248819868293e29cf7ad65e742",
    ),
    Vector(
        "V3",
        bytes(range(32)),
        bytes(range(16)),
        7,
        1,
        COUNTED_SEATS,
        hashlib.sha256(b"beacon").digest(),
        "091edf6040754d81ce67e656199d3d86f51316bf35310ce2051c378b7696d206",
        "4519e6e0e16a5a97e6cd3c1912ce2bdf6cbcc48b4345a9aeee5597f5879efda8",
        31,
        "JD KD KS 7C 8S 7H JH AS AH 9H JC AC 8C 9S QS 7S 10H 10C 7D 9C 8H QD 8D JS KC 10D 10S QH 9D AD KH QC",
        "9afd923b5d49292c2ef4bcc4e603e67e797096abd70839a6bd4adcea8e62ef1e",
    ),
]
by_name = pytest.mark.parametrize("v", VECTORS, ids=[v.name for v in VECTORS])


@by_name
def test_the_commitment_is_the_fixed_one(v: Vector) -> None:
    assert commitment(v.match_id, v.number, v.redeal, v.seed).hex() == v.commit


@by_name
def test_key_deck_and_root_are_the_fixed_ones(v: Vector) -> None:
    shuffled = shuffle(v.seed, v.match_id, v.number, v.redeal, v.seats, v.beacon)
    assert shuffled.hand_key.hex() == v.key
    assert " ".join(map(str, shuffled.deck.cards)) == v.deck
    assert shuffled.deck_root.hex() == v.root


@by_name
def test_the_shuffle_draws_as_many_bytes_as_the_fixed_one(v: Vector) -> None:
    drawn = 0

    def counted() -> Iterator[int]:
        nonlocal drawn
        for byte in byte_stream(bytes.fromhex(v.key)):
            drawn += 1
            yield byte

    assert " ".join(map(str, permutation(counted()))) == v.deck
    assert drawn == v.bytes_used


def test_a_deal_of_a_match_is_the_first_vector_without_contributions() -> None:
    v = VECTORS[0]
    dealt = deal(v.match_id, v.number, v.seed)
    assert " ".join(map(str, dealt.deck.cards)) == v.deck
    assert (dealt.number, dealt.commitment.hex(), dealt.deck_root.hex()) == (1, v.commit, v.root)


def test_a_deal_takes_seat_seeds_and_beacon_and_has_redeal_zero() -> None:
    v = VECTORS[1]
    dealt = deal(v.match_id, v.number, v.seed, v.seats, v.beacon)
    assert (" ".join(map(str, dealt.deck.cards)), dealt.deck_root.hex()) == (v.deck, v.root)
    with_beacon = deal(v.match_id, v.number, v.seed, v.seats, VECTORS[2].beacon)
    assert with_beacon.deck == shuffle(v.seed, v.match_id, 7, 0, v.seats, VECTORS[2].beacon).deck


@by_name
def test_the_layout_written_out_by_hand_agrees(v: Vector) -> None:
    place = v.match_id + bytes([0, 0, 0, v.number, 0, 0, 0, v.redeal])
    context = b"baloot/deal/v1" + b"\x00" + place + b"".join(v.seats) + v.beacon
    key = hmac.new(v.seed, context, hashlib.sha256).digest()
    assert key == hand_key(v.seed, v.match_id, v.number, v.redeal, v.seats, v.beacon)
    shuffled = shuffle(v.seed, v.match_id, v.number, v.redeal, v.seats, v.beacon)
    level = []
    for i, card in enumerate(shuffled.deck.cards):
        salt = hmac.new(key, b"salt\x00" + bytes([i]), hashlib.sha256).digest()[:16]
        assert salt == shuffled.salts[i]
        level.append(hashlib.sha256(b"\x00" + place + bytes([i, int(card)]) + salt).digest())
    assert tuple(level) == shuffled.leaves
    while len(level) > 1:
        level = [hashlib.sha256(b"\x01" + level[n] + level[n + 1]).digest() for n in range(0, len(level), 2)]
    assert level[0] == shuffled.deck_root


def test_the_stream_goes_on_after_its_first_block() -> None:
    key = b"k" * 32
    stream = byte_stream(key)
    blocks = [
        hmac.new(key, b"stream\x00" + n.to_bytes(4, "big"), hashlib.sha256).digest() for n in range(300)
    ]
    assert bytes(next(stream) for _ in range(32 * 300)) == b"".join(blocks)


def test_a_byte_that_would_favour_some_cards_is_thrown_away() -> None:
    # 31 choices come second: 256 - 256 % 31 = 248 is the first byte that is not fair.
    rest = [5] + [0] * 29
    assert permutation(iter([31, 248, 255, *rest])) == permutation(iter([31, *rest]))
    edge = permutation(iter([31, 247] + [0] * 29))
    assert edge[30] is CARDS[247 % 31]


def test_a_shuffle_of_highest_choices_leaves_every_card_in_place() -> None:
    assert permutation(iter(range(31, 0, -1))) == CARDS
