"""Verifiable shuffles, and who deals (rules 2.2 to 2.4, 2.11 and 2.12).

Before a deal its seed is committed to. The deck follows from the seed, from the place of the deal in its match, from
what the four seats contribute after the commitment, and from an optional public beacon; so nobody can choose it, and
whoever is told the seed afterwards can work it out again. Each card of the deck is also bound into `deck_root`, so
that a seat can check its own cards before the seed is known. All numbers are 4 bytes, most significant first.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import count

from baloot.core.cards import CARDS, CARDS_IN_DECK, Card
from baloot.core.deal import NO_SEAT_SEEDS, SEED_BYTES, DealEnd, Dealt, Deck, Opening
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD, FirstDealer, KaweshRedeal, Ruleset
from baloot.core.seats import SEATS, Seat, Team

MATCH_ID_BYTES = 16
SALT_BYTES = 16
HASH_BYTES = 32
PATH_LENGTH = 5
"""Hashes from a card to the root: 32 cards are 2 to the power of 5."""

_COMMIT = b"baloot/commit/v1\0"
_DEAL = b"baloot/deal/v1\0"
_DEALER = b"baloot/dealer/v1\0"
_STREAM = b"stream\0"
_SALT = b"salt\0"
_LEAF = b"\0"
_NODE = b"\1"
_POSITIONS = range(CARDS_IN_DECK)
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
"""What HMAC makes of each byte of its key for the hash within and for the one around it."""


@dataclass(frozen=True, slots=True, repr=False)
class Shuffle:
    """A shuffled deck with all that proves it. Secret until the round is over, so it prints as `██`.

    `salts` hide the cards behind the `leaves`, one of each for every position of the deck.
    """

    hand_key: bytes
    deck: Deck
    salts: tuple[bytes, ...]
    leaves: tuple[bytes, ...]
    deck_root: bytes

    def __repr__(self) -> str:
        return "██"


def commitment(match_id: bytes, number: int, redeal: int, seed: bytes) -> bytes:
    """The public hash (32 bytes) that binds the dealer to a seed. Raises Refusal (FIELD_INVALID)."""
    _require_length("seed", seed, SEED_BYTES)
    return sha256(_COMMIT + _place(match_id, number, redeal) + seed).digest()


def shuffle(
    seed: bytes,
    match_id: bytes,
    number: int,
    redeal: int,
    seat_seeds: Sequence[bytes],
    beacon: bytes,
) -> Shuffle:
    """The deck of one deal and its proofs.

    `seat_seeds` are 32 bytes of each seat in order of seats, zeros for an absent one; `beacon` is empty or 32 bytes.
    Raises Refusal (FIELD_INVALID).
    """
    key = hand_key(seed, match_id, number, redeal, seat_seeds, beacon)
    cards, hidden_by = permutation(byte_stream(key)), salts(key)
    leaves = _leaves(_place(match_id, number, redeal), cards, hidden_by)
    return Shuffle(key, Deck(cards), hidden_by, leaves, _levels(leaves)[-1][0])


def deal(
    match_id: bytes,
    number: int,
    seed: bytes,
    seat_seeds: Sequence[bytes] = NO_SEAT_SEEDS,
    beacon: bytes = b"",
) -> Dealt:
    """One deal of a match.

    `number` counts the deals of a match from 1 on, those thrown in or dealt again after a Kawesh included; therefore
    the redeal number is always 0 here. Raises Refusal (FIELD_INVALID).
    """
    shuffled = shuffle(seed, match_id, number, 0, seat_seeds, beacon)
    return Dealt(number, shuffled.deck, commitment(match_id, number, 0, seed), shuffled.deck_root)


def open_cards(
    match_id: bytes,
    number: int,
    seed: bytes,
    seat_seeds: Sequence[bytes],
    beacon: bytes,
    positions: Sequence[int],
) -> tuple[Opening, ...]:
    """The proofs of where some cards of a deal lay, in the order of the positions. Raises Refusal (FIELD_INVALID)."""
    shuffled = shuffle(seed, match_id, number, 0, seat_seeds, beacon)
    return tuple(opening(shuffled, position) for position in positions)


# From the seed to the deck.


def hand_key(
    seed: bytes,
    match_id: bytes,
    number: int,
    redeal: int,
    seat_seeds: Sequence[bytes],
    beacon: bytes,
) -> bytes:
    """The secret (32 bytes) that deck and salts follow from. Raises Refusal (FIELD_INVALID)."""
    _require_length("seed", seed, SEED_BYTES)
    if len(seat_seeds) != len(SEATS):
        _refuse("seat_seeds", f"A deal takes the seeds of {len(SEATS)} seats, not of {len(seat_seeds)}.")
    for seat_seed in seat_seeds:
        _require_length("seat_seeds", seat_seed, SEED_BYTES)
    if beacon:
        _require_length("beacon", beacon, HASH_BYTES)
    context = _DEAL + _place(match_id, number, redeal) + b"".join(seat_seeds) + beacon
    return hmac.digest(seed, context, "sha256")


def byte_stream(key: bytes) -> Iterator[int]:
    """The endless stream of bytes that a shuffle draws from."""
    for block in count():
        yield from hmac.digest(key, _STREAM + _number(block), "sha256")


def permutation(stream: Iterator[int]) -> tuple[Card, ...]:
    """All 32 cards in an order drawn from bytes, each order as likely as any other.

    Fisher and Yates' shuffle; a byte that would favour some cards is thrown away.
    """
    cards = list(CARDS)
    for last in range(CARDS_IN_DECK - 1, 0, -1):
        choices = last + 1
        fair = 256 - 256 % choices
        byte = next(stream)
        while byte >= fair:
            byte = next(stream)
        chosen = byte % choices
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


# From the deck to its root, and back from one card.


def salts(key: bytes) -> tuple[bytes, ...]:
    """What hides the card at each position (16 bytes each): without it one could try all 32 cards.

    They are HMACs with one key, so what HMAC makes of the key is hashed only once.
    """
    padded = key.ljust(sha256().block_size, b"\0")
    inner = sha256(padded.translate(_INNER) + _SALT).copy
    outer = sha256(padded.translate(_OUTER)).copy
    found = []
    for position in _POSITIONS:
        within, around = inner(), outer()
        within.update(b"%c" % position)
        around.update(within.digest())
        found.append(around.digest()[:SALT_BYTES])
    return tuple(found)


def opening(shuffled: Shuffle, position: int) -> Opening:
    """The proof that a card lay at a position of the deck; it tells nothing of the other cards."""
    _require_position(position)
    path, at = [], position
    for level in _levels(shuffled.leaves)[:-1]:
        path.append(level[at ^ 1])
        at >>= 1
    return Opening(position, shuffled.deck.cards[position], shuffled.salts[position], tuple(path))


def verify_opening(deck_root: bytes, match_id: bytes, number: int, redeal: int, opened: Opening) -> bool:
    """Whether the opened card lay at its position in the deck with this root."""
    if not _well_formed(opened):
        return False
    place = _place(match_id, number, redeal)
    node, at = _leaf(place, opened.position, opened.card, opened.salt), opened.position
    for sibling in opened.path:
        both = sibling + node if at & 1 else node + sibling
        node = sha256(_NODE + both).digest()
        at >>= 1
    return hmac.compare_digest(node, deck_root)


def _well_formed(opened: Opening) -> bool:
    return (
        opened.position in range(CARDS_IN_DECK)
        and opened.card in range(CARDS_IN_DECK)
        and len(opened.salt) == SALT_BYTES
        and [len(sibling) for sibling in opened.path] == [HASH_BYTES] * PATH_LENGTH
    )


def _levels(leaves: tuple[bytes, ...]) -> list[tuple[bytes, ...]]:
    """The levels of the hash tree, from the 32 leaves to the root."""
    levels = [leaves]
    while len(levels[-1]) > 1:
        below = iter(levels[-1])
        pairs = zip(below, below, strict=True)
        levels.append(tuple([sha256(_NODE + left + right).digest() for left, right in pairs]))
    return levels


def _leaves(place: bytes, cards: tuple[Card, ...], hidden_by: tuple[bytes, ...]) -> tuple[bytes, ...]:
    begun = sha256(_LEAF + place).copy
    leaves = []
    for position, card, card_salt in zip(_POSITIONS, cards, hidden_by, strict=True):
        leaf = begun()
        leaf.update(b"%c%c%b" % (position, card, card_salt))
        leaves.append(leaf.digest())
    return tuple(leaves)


def _leaf(place: bytes, position: int, card: Card, card_salt: bytes) -> bytes:
    return sha256(b"%b%b%c%c%b" % (_LEAF, place, position, card, card_salt)).digest()


# Who deals.


def first_dealer(
    match_id: bytes, randomness: bytes, ruleset: Ruleset = STANDARD, lost_before: Team | None = None
) -> Seat:
    """Who deals first, drawn by lot (2.2); `randomness` is the hand key of the first deal, or 32 bytes drawn for this alone.

    Each seat is as likely as any other: whoever would draw the highest card is the same lottery. Only where the losing
    team deals, and `lost_before` names the one that lost the match before, the lot is between its two seats.
    """
    _require_length("match_id", match_id, MATCH_ID_BYTES)
    _require_length("randomness", randomness, SEED_BYTES)
    seats: Sequence[Seat] = SEATS
    if ruleset.first_dealer is FirstDealer.LOSING_TEAM and lost_before is not None:
        seats = lost_before.seats
    return seats[hmac.digest(randomness, _DEALER + match_id, "sha256")[0] % len(seats)]


def next_dealer(dealer: Seat, end: DealEnd, ruleset: Ruleset = STANDARD) -> Seat:
    """Who deals after a deal: the one on the right, but after a Kawesh the same one where the rule set says so.

    Rules 2.2, 2.11 and 2.12.
    """
    again = end is DealEnd.KAWESH and ruleset.kawesh_redeal is KaweshRedeal.SAME_DEALER
    return dealer if again else dealer.next


# What the arguments must be.


def _place(match_id: bytes, number: int, redeal: int) -> bytes:
    """The place of a deal: the match and two numbers, as they go into every hash."""
    _require_length("match_id", match_id, MATCH_ID_BYTES)
    _require_number("number", number, 1)
    _require_number("redeal", redeal, 0)
    return match_id + _number(number) + _number(redeal)


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _require_length(field: str, value: bytes, length: int) -> None:
    if len(value) != length:
        _refuse(field, f"{field} must have {length} bytes, not {len(value)}.")


def _require_number(field: str, value: int, lowest: int) -> None:
    if not lowest <= value < 1 << 32:
        _refuse(field, f"{field} must be between {lowest} and {(1 << 32) - 1}.")


def _require_position(position: int) -> None:
    if position not in range(CARDS_IN_DECK):
        _refuse("position", f"A position of the deck is between 0 and {CARDS_IN_DECK - 1}.")


def _refuse(field: str, message: str) -> None:
    raise Refusal(Reason.FIELD_INVALID, message, field=field)
