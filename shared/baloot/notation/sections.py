"""The sections of a deal but for its sheet: what the words after each keyword mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from baloot.core.auction import SeatCall
from baloot.core.cards import Card, Hand, mask_of
from baloot.core.contract import Bidding, Contract, Raise
from baloot.core.deal import FIRST_CARDS
from baloot.core.play import CardMove, Qaid, QaidMove, SawaMove, SeatMove
from baloot.core.projects import Project, SeatProject
from baloot.core.seats import SEATS, Seat
from baloot.notation import sheet
from baloot.notation.cursor import CARD, SEAT, Cursor, options, shown
from baloot.notation.errors import BadWord
from baloot.notation.words import (
    BIDDINGS,
    CARD_WORDS,
    CONTRACTS,
    CUTS,
    ENDS,
    RAISES,
    SEAT_CALLS,
    SEAT_WORDS,
    SILENT,
    find,
    read_claim,
    read_project,
    read_seat_project,
)

Draft = dict[str, Any]
"""The fields of a deal that are known so far."""
SEED_BYTES = 32
CALL = "a call with its seat (such as S:pass, E:hokum, E:confirm-H or N:double-open)"
RAISE = "by, taker, bidding, or a raise with its seat (such as N:double or E:three-locked)"
CONTRACT = "sun, or hokum with its suit (such as hokum-H)"
PROJECT = "a project (such as sira=9H-10H-JH)"
SEAT_PROJECT = "a project with its seat (such as S:sira=9H-10H-JH)"
CLAIM = "a claim (such as revoke/7S/8S: the ground, the card, the proof)"
MOVE = f"{CARD}, sawa, qaid= or {SEAT} with a colon"
EACH_HAND = "five cards, or five cards, + and three more, or eight cards"
HAND_SEAT = f"{SEAT} with a colon"
VERDICTS = {"RIGHT": True, "WRONG": False, "right": True, "wrong": False}


def _deck(words: Cursor, draft: Draft) -> None:
    draft["cut"] = words.one(CUTS, f"one of {options(CUTS)}")


def _up(words: Cursor, draft: Draft) -> None:
    draft["up_card"] = words.card()


def _end(words: Cursor, draft: Draft) -> None:
    draft["end"] = words.one(ENDS, f"one of {options(ENDS)}")


# Hands.


def _hands(words: Cursor, draft: Draft) -> None:
    """All four seats have five cards, or eight, or five and then three."""
    began = words.at
    first: dict[Seat, Hand] = {}
    whole: dict[Seat, Hand] = {}
    while words.more:
        at = words.at
        seat = _seat_colon(words, HAND_SEAT)
        if seat in first or seat in whole:
            raise BadWord(at, f"the hand of {seat} stands here twice")
        _hand(words, seat, first, whole)
    for name, found in (("first", first), ("hands", whole)):
        if found and len(found) != len(SEATS):
            raise BadWord(began, "the four hands are written alike: all with five cards, or all with eight")
        draft[name] = tuple(found[seat] for seat in SEATS) if found else ()
    if not first and not whole:
        words.fail(HAND_SEAT)
    _require_different(began, draft)


def _hand(words: Cursor, seat: Seat, first: dict[Seat, Hand], whole: dict[Seat, Hand]) -> None:
    at = words.at
    cards, more = _cards(words), None
    if words.more and words.words[words.at] == "+":
        words.at += 1
        more = _cards(words)
    hand = _mask(at, cards + (more or []))
    counts = (len(cards), None if more is None else len(more))
    if counts not in ((5, None), (5, 3), (8, None)):
        raise BadWord(
            at, f"a hand is {EACH_HAND}; {seat} has {' + '.join(str(n) for n in counts if n is not None)}"
        )
    if len(cards) == FIRST_CARDS:
        first[seat] = Hand(mask_of(cards))
    if hand.bit_count() > FIRST_CARDS:
        whole[seat] = Hand(hand)


def _cards(words: Cursor) -> list[Card]:
    cards = []
    while words.more and (card := find(CARD_WORDS, words.words[words.at])) is not None:
        cards.append(card)
        words.at += 1
    if words.more and words.words[words.at] != "+" and not words.words[words.at].endswith(":"):
        words.fail(CARD)
    return cards


def _mask(at: int, cards: list[Card]) -> int:
    mask = 0
    for n, card in enumerate(cards):
        if mask >> card & 1:
            raise BadWord(min(at + n, at + len(cards) - 1), f"{card} is in this hand twice")
        mask |= 1 << card
    return mask


def _require_different(at: int, draft: Draft) -> None:
    """No card is in two hands."""
    for name in ("first", "hands"):
        known = 0
        for hand in draft[name]:
            if known & hand.mask:
                twice = next(iter(Hand(known & hand.mask)))
                raise BadWord(at, f"{twice} is in two hands")
            known |= hand.mask


def _seat_colon(words: Cursor, expected: str) -> Seat:
    """The seat of a word such as `S:`."""
    word = words.words[words.at]
    seat = find(SEAT_WORDS, word[:-1]) if word[-1:] == ":" else None
    if seat is None:
        words.fail(expected)
    words.at += 1
    return seat


# The auction.


def _calls(words: Cursor, draft: Draft) -> None:
    draft["calls"] = tuple([_call(words) for _ in range(words.at, words.end)])


def _call(words: Cursor) -> SeatCall:
    said = SEAT_CALLS.get(words.words[words.at])
    if said is None:
        return words.one(SEAT_CALLS, CALL)
    words.at += 1
    return said


def _contract(words: Cursor, draft: Draft) -> None:
    mode, trump = words.one(CONTRACTS, CONTRACT)
    buyer: Seat | None = None
    taker: Seat | None = None
    bidding = Bidding.FIRST
    raises: list[Raise] = []
    while words.more:
        word = words.words[words.at].lower()
        if word == "by":
            words.at += 1
            buyer = words.seat()
        elif word == "taker":
            words.at += 1
            taker = words.seat()
        elif word == "bidding":
            words.at += 1
            bidding = words.one(BIDDINGS, f"one of {options(BIDDINGS)}")
        else:
            raises.append(words.one(RAISES, RAISE))
    if buyer is None:
        words.fail("`by` and the seat of the buyer")
    draft["contract"] = Contract(
        mode, trump, buyer, buyer if taker is None else taker, bidding, tuple(raises)
    )


# The play.


def _play(words: Cursor, draft: Draft) -> None:
    """Moves one after the other; after a card the next seat is on turn unless another is named."""
    moves: list[SeatMove] = []
    spelled, end, seat = words.words, words.end, -1
    while words.at < end:
        word = spelled[words.at]
        if seat >= 0 and (move := SILENT[seat].get(word)) is not None:
            moves.append(move)
            seat = (seat + 1) & 3
            words.at += 1
        elif word[-1] == ":":
            seat = _seat_colon(words, MOVE)
        elif word[0] in "+!":
            moves[-1:] = [_with_said(words, moves[-1] if moves else None)]
        else:
            moves.append(_other_move(words, seat))
            seat = (seat + 1) & 3 if isinstance(moves[-1].move, CardMove) else seat
    draft["moves"] = tuple(moves)


def _other_move(words: Cursor, seat: int) -> SeatMove:
    """A move that is not spelled as it is written: a claim, or a card in other letters."""
    if seat < 0:
        words.fail(f"{SEAT} with a colon, for who leads (such as S:)")
    word = words.words[words.at].lower()
    made: SawaMove | QaidMove
    if word == "sawa":
        made = SawaMove()
    elif word.startswith("qaid="):
        made = _claim(words, word[5:])
    else:
        return SeatMove(SEATS[seat], CardMove(words.one(CARD_WORDS, MOVE)))
    words.at += 1
    return SeatMove(SEATS[seat], made)


def _claim(words: Cursor, word: str) -> QaidMove:
    claim = read_claim(word)
    if claim is None:
        words.fail(CLAIM)
    return claim


def _with_said(words: Cursor, made: SeatMove | None) -> SeatMove:
    """The last card with one thing more that was said with it."""
    word = words.words[words.at]
    if made is None or not isinstance(made.move, CardMove):
        raise BadWord(words.at, f"{shown(word)} is said with a card, and none stands before it")
    said, move = word[1:].lower(), made.move
    if word[0] == "!":
        move = _said(move, shown=(*move.shown, _project(words, said)))
    elif said in ("akka", "baloot"):
        if getattr(move, said):
            raise BadWord(words.at, f"{shown(word)} stands here twice")
        move = _said(move, **{said: True})
    else:
        move = _said(move, projects=(*move.projects, _project(words, said)))
    words.at += 1
    return SeatMove(made.seat, move)


def _said(move: CardMove, **more: Any) -> CardMove:
    known: dict[str, Any] = {
        "projects": move.projects, "akka": move.akka, "baloot": move.baloot, "shown": move.shown,
    }  # fmt: skip
    return CardMove(move.card, **(known | more))


def _project(words: Cursor, word: str) -> Project:
    project = read_project(word)
    if project is None:
        words.fail(f"+akka, +baloot, or {PROJECT} with + where it is announced and ! where it is shown")
    return project


def _shown(words: Cursor, draft: Draft) -> None:
    draft["shown"] = tuple(_seat_project(words) for _ in range(words.at, words.end))


def _seat_project(words: Cursor) -> SeatProject:
    owned = read_seat_project(words.words[words.at])
    if owned is None:
        words.fail(SEAT_PROJECT)
    words.at += 1
    return owned


def _credited(words: Cursor, draft: Draft) -> None:
    draft["credited"] = tuple(words.seat() for _ in range(words.at, words.end))


def _sawa_proof(words: Cursor, draft: Draft) -> None:
    draft["sawa_proof"] = tuple(words.card() for _ in range(words.at, words.end))


def _verdict(words: Cursor, draft: Draft) -> None:
    spelled = words.take(f"{SEAT}, a colon and {CLAIM}")
    name, _, rest = spelled.partition(":")
    seat, claim = find(SEAT_WORDS, name), read_claim(rest)
    if seat is None or claim is None:
        words.at -= 1
        words.fail(f"{SEAT}, a colon and {CLAIM}")
    draft["qaid"] = Qaid(seat, claim, words.one(VERDICTS, "right or wrong"))


# What verifies the deal.


def _bytes(name: str) -> Callable[[Cursor, Draft], None]:
    def read(words: Cursor, draft: Draft) -> None:
        draft.setdefault("proof", {})[name] = words.octets(SEED_BYTES)

    return read


def _seat_seeds(words: Cursor, draft: Draft) -> None:
    draft.setdefault("proof", {})["seat_seeds"] = tuple(words.octets(SEED_BYTES) for _ in SEATS)


Section = Callable[[Cursor, Draft], None]
SECTIONS: Mapping[str, Section] = {
    "deck": _deck,
    "up": _up,
    "hands": _hands,
    "calls": _calls,
    "contract": _contract,
    "play": _play,
    "shown": _shown,
    "credited": _credited,
    "proof": _sawa_proof,
    "verdict": _verdict,
    "end": _end,
    "score": sheet.read_score,
    "line": sheet.read_line,
    "commitment": _bytes("commitment"),
    "root": _bytes("deck_root"),
    "seed": _bytes("seed"),
    "seats": _seat_seeds,
    "beacon": _bytes("beacon"),
}
"""Each section of a deal by its keyword, in the order in which they are written."""
