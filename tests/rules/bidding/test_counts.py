"""How many auctions there are from one deal. The numbers are worked out by hand from the rules, not measured.

Answers to a Hokum in order of seats, and only up to the contract. T(k) is the number of takeover chains over a Sun of Sk:
T(1) = 1, T(2) = 2 (S1 yes or no), T(3) = 1 + T(2) = 3, T(4) = 4 (S1 yes; S1 no and S3 no; S3 yes, and S2 yes or no).

Up card not an Ace. First bidding: a Sun gives T(k), an Ashkal again T(k) for S3 and S4, and a Hokum
  of S1: S2 sun 2, S3 sun or ashkal 6, S4 sun or ashkal 8, kept or turned 2 = 18
  of S2: S1 1, S3 6, S4 8, 2 = 17       of S3: S1 1, S2 2, S4 8, 2 = 13       of S4: S1 1, S2 2, S3 (no ashkal) 3, 2 = 8
so (1+18) + (2+17) + (3+3+13) + (4+4+8) = 73. Second bidding: a Sun is 1, a Hokum of Sk is (4-k) claims and 3 suits or Sun,
so (1+7) + (1+6) + (1+5) + (1+4) = 26, and 1 thrown in: 100 in all.

An Ace: no Ashkal, no turning, and the first Hokum is kept without a question: (1+10) + (2+9) + (3+8) + (4+7) = 44, then
(1+6) + (1+5) + (1+4) + (1+3) = 22 and 1: 67 in all.

Of each, 16 are Hokum contracts (4 of the first bidding, 4 x 3 suits of the second). A Hokum has 25 ladders: nobody doubles, or
one of two defenders in one of two ways, then 1 + (1 + 2 x 2) ways to go on. A Sun that may be doubled has 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from baloot.bidding.rules import Auction, asked, make_call, outcome
from baloot.core.auction import KaweshCalled
from baloot.core.cards import Hand
from baloot.core.contract import Mode
from baloot.core.seats import position

from tests.rules.bidding.story import Setting, story
from tests.rules.bidding.told import DEALER, said, tell

FOUR_PASSES = "S1:pass S2:pass S3:pass S4:pass"
S2_WORTHLESS = tuple(
    Hand.parse(text) for text in ("AS KS QS JS 10S", "7S 7C 8C 8D 9D", "KC QC JC 10C AC", "AD KD QD JD 10D")
)


def is_bought(auction: Auction) -> bool:
    return auction.contract is not None


def ends(
    auction: Auction, *, stop: Callable[[Auction], bool] = lambda _: False, in_order: bool = True
) -> list[Auction]:
    """Every way the auction may end; with `in_order` the earliest seat that is asked answers first."""
    if outcome(auction) is not None or stop(auction):
        return [auction]
    questions = asked(auction)
    return [
        end
        for question in (questions[:1] if in_order else questions)
        for call in question.legal
        for end in ends(make_call(auction, question.seat, call), stop=stop, in_order=in_order)
    ]


def modes(auctions: list[Auction]) -> Counter[str]:
    return Counter(
        "none" if auction.contract is None else auction.contract.mode.name.lower() for auction in auctions
    )


BUYING = [
    ("KH", "", {"sun": 83, "hokum": 16, "none": 1}),
    ("AH", "", {"sun": 50, "hokum": 16, "none": 1}),
    ("KH", "S1:hokum", {"sun": 17, "hokum": 1}),
    ("KH", "S1:pass S2:hokum", {"sun": 16, "hokum": 1}),
    ("KH", "S1:pass S2:pass S3:hokum", {"sun": 12, "hokum": 1}),
    ("KH", "S1:pass S2:pass S3:pass S4:hokum", {"sun": 7, "hokum": 1}),
    ("AH", "S1:hokum", {"sun": 9, "hokum": 1}),
    ("KH", "S1:pass S2:sun", {"sun": 2}),
    ("KH", "S1:pass S2:pass S3:sun", {"sun": 3}),
    ("KH", "S1:pass S2:pass S3:pass S4:sun", {"sun": 4}),
    ("KH", FOUR_PASSES, {"sun": 14, "hokum": 12, "none": 1}),
    ("AH", FOUR_PASSES, {"sun": 10, "hokum": 12, "none": 1}),
]


@pytest.mark.parametrize(("up", "text", "expected"), BUYING)
def test_the_number_of_ways_to_buy(up: str, text: str, expected: dict[str, int]) -> None:
    assert modes(ends(said(up, text), stop=is_bought)) == expected


WHOLE = [
    # scores, auctions on a king, auctions on an ace
    ((0, 0), 84 + 16 * 25, 51 + 16 * 25),
    ((151, 151), 84 + 16 * 25, 51 + 16 * 25),
]


@pytest.mark.parametrize(("scores", "on_king", "on_ace"), WHOLE)
def test_the_number_of_whole_auctions(scores: tuple[int, int], on_king: int, on_ace: int) -> None:
    assert len(ends(said("KH", "", scores=scores))) == on_king
    assert len(ends(said("AH", "", scores=scores))) == on_ace


def test_each_sun_of_the_team_over_100_has_three_ladders() -> None:
    bought = [end.contract for end in ends(said("KH", ""), stop=is_bought)]
    suns = [contract for contract in bought if contract is not None and contract.mode is Mode.SUN]
    theirs = sum(contract.buyer.team == 0 for contract in suns)
    whole = ends(said("KH", "", scores=(101, 100)))
    assert len(whole) == 16 * 25 + 1 + 3 * theirs + (len(suns) - theirs)


def test_a_worthless_hand_adds_one_end_for_each_moment_of_the_first_bidding() -> None:
    plain = ends(said("KH", ""), stop=is_bought, in_order=False)
    kawesh = ends(said("KH", "", hands=S2_WORTHLESS), stop=is_bought, in_order=False)
    shown = [end for end in kawesh if isinstance(outcome(end), KaweshCalled)]
    assert sorted(len(end.record.calls) for end in shown) == [1, 2, 3, 4]
    assert len(kawesh) == len(plain) + len(shown)


def story_ends(
    setting: Setting, said_so_far: tuple[tuple[int, str], ...] = ()
) -> dict[tuple[tuple[int, str], ...], str]:
    """Every way the story may end, by the calls that lead there."""
    telling = story(setting)
    questions = next(telling)
    try:
        for said_before in said_so_far:
            questions = telling.send(said_before)
    except StopIteration as end:
        return {said_so_far: end.value}
    found: dict[tuple[tuple[int, str], ...], str] = {}
    for place, (_, calls, _) in questions.items():
        for call in calls:
            found |= story_ends(setting, (*said_so_far, (place, call)))
    return found


def in_places(auction: Auction) -> tuple[tuple[int, str], ...]:
    return tuple((position(one.seat, DEALER).value, str(one.call)) for one in auction.record.calls)


@pytest.mark.parametrize(
    ("up", "scores", "worthless"),
    [("KH", (0, 0), False), ("KH", (101, 100), False), ("AH", (100, 101), False), ("KH", (0, 0), True)],
)
def test_the_auctions_that_exist_are_those_of_the_story(
    up: str, scores: tuple[int, int], worthless: bool
) -> None:
    """All of them, one by one, with the answers in every order."""
    hands = S2_WORTHLESS if worthless else ()
    found = {
        in_places(end): tell(end) for end in ends(said(up, "", hands=hands, scores=scores), in_order=False)
    }
    assert found == story_ends(Setting(up, frozenset({2} if worthless else ()), scores))
