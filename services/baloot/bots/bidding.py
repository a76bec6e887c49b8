"""Choosing a call.

A hand is worth the game points by which its side is expected to be ahead if the seat buys with it. The figures were
found by playing many deals out with bots and fitting what the cards contributed; the thresholds say how much a seat
wants to see before it speaks, and make buyers fail about as often as people do.
"""

from __future__ import annotations

from collections.abc import Callable

from baloot.bots.sight import Sight
from baloot.core.auction import ASHKAL, HOKUM, KAWESH, PASS, QABLAK, SUN, Asked, Call, CallKind, QuestionKind
from baloot.core.cards import SUITS, Rank, Suit
from baloot.core.contract import Mode
from baloot.core.seats import Position, position

_TEN, _JACK, _QUEEN, _KING, _ACE, _NINE = (
    1 << rank for rank in (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE, Rank.NINE)
)

# What a seat wants to see before it speaks, in game points.
SUN_FIRST = 5.5
SUN_SECOND = 5.0
HOKUM_FIRST = 3.5
HOKUM_SECOND = 3.0
OVER_PARTNER = 9.0
"""A Sun over the partner's Hokum."""
TAKEOVER = 6.0
RAISES = {
    QuestionKind.DOUBLE: 5.0,
    QuestionKind.THREE: 11.0,
    QuestionKind.FOUR: 9.0,
    QuestionKind.GAHWA: 14.0,
}
"""How strong a hand must be for each raise, of a Hokum: see `_strength_of_raise`."""


def sun_worth(cards: int, place: Position) -> float:
    """What buying Sun with these cards is worth, the up card included if the seat takes it."""
    worth = -7.95 - (1.0 if place is Position.S1 else 0.0)
    for suit in SUITS:
        held = cards >> suit * 8 & 0xFF
        count = held.bit_count()
        if held & _ACE:
            worth += 6.1 + 1.2 * max(count - 2, 0)
        if held & _TEN:
            worth += 2.5 if held & _ACE else 4.5 if count > 1 else 0.0
        if held & _KING:
            worth += 0.8 if held & (_ACE | _TEN) else -0.7
    return worth + _runs_worth(cards, Mode.SUN)


def hokum_worth(cards: int, trump: Suit) -> float:
    """What buying Hokum in this suit with these cards is worth."""
    trumps = cards >> trump * 8 & 0xFF
    worth = -7.1 + 2.05 * trumps.bit_count()
    worth += sum(gain for rank, gain in _TRUMP_GAINS if trumps & rank)
    if trumps & _JACK and trumps & _NINE:
        worth += 0.9
    if trumps & _KING and trumps & _QUEEN:
        worth += 2.7
    for suit in SUITS:
        if suit is not trump:
            worth += _side_worth(cards >> suit * 8 & 0xFF)
    return worth + _runs_worth(cards, Mode.HOKUM)


_TRUMP_GAINS = ((_JACK, 4.0), (_NINE, 1.3), (_ACE, 1.15), (_TEN, 1.0))
_RUN_GAINS = {Mode.SUN: (4.9, 9.6, 14.8), Mode.HOKUM: (1.5, 5.4, 9.0)}


def _side_worth(held: int) -> float:
    """What a plain suit adds to a Hokum."""
    if held & _ACE:
        return 2.2 + (0.5 if held & _TEN else 0.3 if held & _KING else 0.0)
    return 1.0 if held & _TEN and held.bit_count() > 1 else 0.0


def _runs_worth(cards: int, mode: Mode) -> float:
    """What the longest run adds, which may become a project."""
    longest = max(_longest_run(cards >> suit * 8 & 0xFF) for suit in SUITS)
    return _RUN_GAINS[mode][min(longest, 5) - 3] if longest >= 3 else 0.0


def _longest_run(held: int) -> int:
    length = 0
    while held:
        held &= held >> 1
        length += 1
    return length


def choose_call(sight: Sight, asked: Asked) -> Call:
    """What to say; always one of the legal calls."""
    choose = _CHOOSE.get(asked.kind)
    call = choose(sight, asked) if choose is not None else asked.default
    return call if call in asked.legal else asked.default


def _with_up_card(sight: Sight) -> int:
    return sight.hand | 1 << sight.up_card


def _place(sight: Sight) -> Position:
    return position(sight.seat, sight.dealer)


def _sun(sight: Sight) -> float:
    return sun_worth(_with_up_card(sight), _place(sight))


def _first(sight: Sight, asked: Asked) -> Call:
    if KAWESH in asked.legal:
        return KAWESH
    sun = _best_sun(sight, asked)
    hokum = hokum_worth(_with_up_card(sight), sight.up_card.suit)
    if sun[0] > SUN_FIRST and sun[0] > hokum:
        return sun[1]
    return HOKUM if hokum > HOKUM_FIRST else PASS


def _best_sun(sight: Sight, asked: Asked) -> tuple[float, Call]:
    """Sun, or Ashkal where the up card serves the partner better."""
    sun = _sun(sight)
    ashkal = sun_worth(sight.hand, _place(sight)) + ASHKAL_GAIN if ASHKAL in asked.legal else -99.0
    return (ashkal, ASHKAL) if ashkal > sun else (sun, SUN)


ASHKAL_GAIN = 0.5
"""What the up card in the partner's hand and a third card from the stock are worth together."""


def _second(sight: Sight, _: Asked) -> Call:
    sun = _sun(sight)
    hokum = _best_trump_worth(sight)
    if sun > SUN_SECOND and sun > hokum:
        return SUN
    return HOKUM if hokum > HOKUM_SECOND else PASS


def _best_trump_worth(sight: Sight) -> float:
    """What a Hokum of the second bidding is worth in its best suit."""
    return max(hokum_worth(_with_up_card(sight), suit) for suit in SUITS if suit is not sight.up_card.suit)


def _answer(sight: Sight, asked: Asked) -> Call:
    buyer = next(said.seat for said in reversed(sight.calls) if said.call.kind is CallKind.HOKUM)
    sun, call = _best_sun(sight, asked)
    wanted = OVER_PARTNER if buyer is sight.seat.partner else SUN_FIRST
    return call if sun > wanted else PASS


def _take_over(sight: Sight, _: Asked) -> Call:
    return QABLAK if _sun(sight) > TAKEOVER else PASS


def _confirm(sight: Sight, asked: Asked) -> Call:
    """Keeps the Hokum, in the second bidding in its best suit, unless Sun is worth clearly more."""
    named = [call for call in asked.legal if call.kind is CallKind.CONFIRM]
    cards = _with_up_card(sight)
    worths = [hokum_worth(cards, sight.up_card.suit if call.suit is None else call.suit) for call in named]
    best, call = max(zip(worths, named, strict=True), key=lambda pair: pair[0])
    return SUN if SUN in asked.legal and _sun(sight) > max(best, SUN_FIRST) else call


def _raise(sight: Sight, asked: Asked) -> Call:
    """Raises only with a hand that is all but sure, and locks what may be locked: the buyer's trumps are the danger."""
    contract = sight.contract
    assert contract is not None
    if contract.trump is None:
        return PASS
    strength = _strength_of_raise(sight, contract.trump, buying=contract.buyer is sight.seat)
    if strength < RAISES[asked.kind]:
        return PASS
    raises = [call for call in asked.legal if call.kind is not CallKind.PASS]
    return next((call for call in raises if call.locked), raises[0])


def _strength_of_raise(sight: Sight, trump: Suit, *, buying: bool) -> float:
    """A buyer's hand as when it bought; a defender's by its trumps and the tricks it takes beside them."""
    cards = _with_up_card(sight) if buying else sight.hand
    return hokum_worth(cards, trump)


def _show_kawesh(_: Sight, __: Asked) -> Call:
    return KAWESH


_CHOOSE: dict[QuestionKind, Callable[[Sight, Asked], Call]] = {
    QuestionKind.FIRST: _first,
    QuestionKind.ANSWER: _answer,
    QuestionKind.TAKEOVER: _take_over,
    QuestionKind.SECOND: _second,
    QuestionKind.CONFIRM: _confirm,
    QuestionKind.DOUBLE: _raise,
    QuestionKind.THREE: _raise,
    QuestionKind.FOUR: _raise,
    QuestionKind.GAHWA: _raise,
    QuestionKind.KAWESH: _show_kawesh,
}
