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

What an option changes is worked out beside its row in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from baloot.bidding.rules import Auction, asked, make_call, outcome
from baloot.core.auction import Call, KaweshCalled
from baloot.core.cards import Hand
from baloot.core.catalogue import NAMES, values_of
from baloot.core.contract import Mode
from baloot.core.ruleset import STANDARD
from baloot.core.seats import Seat, position

from tests.rules.bidding.story import Questions, Setting, story
from tests.rules.bidding.told import DEALER, rules_of, said, tell
from tests.strategies.auction import OPTIONS_OF_THE_AUCTION, forced_suns, open_calls

FOUR_PASSES = "S1:pass S2:pass S3:pass S4:pass"
S2_WORTHLESS = tuple(
    Hand.parse(text) for text in ("AS KS QS JS 10S", "7S 7C 8C 8D 9D", "KC QC JC 10C AC", "AD KD QD JD 10D")
)


def is_bought(auction: Auction) -> bool:
    return auction.contract is not None


Heard = Callable[[Auction], list[tuple[Seat, Call]]]


def everything_heard(auction: Auction) -> list[tuple[Seat, Call]]:
    """What is legal, and a wrong Ashkal where it counts as Sun."""
    return open_calls(auction) + forced_suns(auction)


def ends(
    auction: Auction,
    *,
    stop: Callable[[Auction], bool] = lambda _: False,
    in_order: bool = True,
    heard: Heard = open_calls,
) -> list[Auction]:
    """Every way the auction may end; with `in_order` the earliest seat that is asked answers first."""
    if outcome(auction) is not None or stop(auction):
        return [auction]
    first = asked(auction)[0].seat
    return [
        end
        for seat, call in heard(auction)
        if seat is first or not in_order
        for end in ends(make_call(auction, seat, call), stop=stop, in_order=in_order, heard=heard)
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


# For each value of an option the up card, and the ways to buy in the first and in the second bidding.
BUYING_BY_OPTION = [
    # A Hokum of Sk: T of each seat before, who has no Ashkal, and kept or turned.
    ("sun_over_hokum_first=earlier_only", "KH", (1 + 2) + (2 + 3) + (6 + 5) + (8 + 8), 26),
    # Every chain is one long: a Sun 1, and a Hokum 1 for each claim and 2 for the caller.
    ("sun_takeover_first=none", "KH", (1 + 7) + (1 + 7) + (2 + 6) + (2 + 5), 26),
    # The partner is one more to ask but nobody is asked again: S1, S2 and S3 each yes, or all no. T is as before.
    ("sun_takeover_first=earlier_any", "KH", 73, 26),
    # T = 4 for everybody: one of the three others, or nobody.
    ("sun_takeover_first=anyone_in_turn", "KH", (4 + 22) + (4 + 22) + (8 + 18) + (8 + 14), 26),
    # On an Ace S2 may take a Sun of S3, and S1 one of S4, but never who called the Hokum that it beats.
    ("sun_takeover_second=thalith", "AH", 44, (1 + 7) + (1 + 6) + (2 + 5) + (2 + 3)),
    ("sun_takeover_second=thalith", "KH", 73, 26),
    # T as in the first: S1 1, S2 2, S3 3, S4 4; over a Hokum the later ones' T, and 3 suits or Sun.
    ("sun_takeover_second=earlier_opponents", "KH", 73, (1 + 13) + (2 + 11) + (3 + 8) + (4 + 4)),
    ("sun_over_hokum_second=opponents_any", "KH", 73, (1 + 7) + (1 + 7) + (1 + 6) + (1 + 6)),
    ("sun_over_hokum_second=anyone", "KH", 73, 4 * (1 + 7)),
    # Four turned Suns less in each bidding, or only in the first.
    ("confirm_step=off", "KH", 73 - 4, 26 - 4),
    ("confirm_step=second_only", "KH", 73 - 4, 26),
    ("turn_to_sun_on_ace=first_seat_only", "AH", 44 + 1, 22 + 1),
    ("turn_to_sun_on_ace=always", "AH", 44 + 4, 22 + 4),
    # A Sun that Sk turned to has T(k) ways instead of 1.
    ("turned_sun_takeover=as_sun", "KH", 73 + 0 + 1 + 2 + 3, 26),
    ("unnamed_suit=reprompt", "KH", 73, 26),
    # Without Ashkal: Hokum of S1 2 + 3 + 4 + 2, of S2 1 + 3 + 4 + 2, of S3 1 + 2 + 4 + 2, of S4 1 + 2 + 3 + 2.
    ("ashkal_seats=off", "KH", (1 + 11) + (2 + 10) + (3 + 9) + (4 + 8), 26),
    # One more for each Sun that S3 and S4 may say.
    ("ashkal_biddings=both", "KH", 73, (1 + 9) + (1 + 8) + (2 + 6) + (2 + 4)),
    # As on a king, but nothing is turned.
    ("ashkal_on_ace=true", "AH", 73 - 4, 22),
    # A wrong Ashkal of Sk is T(k) ways more: of S1 and of S2 in turn, and of S2 over S1, of S1 over S2, of S1 and S2
    # over S3, of all three over S4. In the second bidding each Sun may be said in a wrong way too.
    (
        "illegal_ashkal=forced_sun",
        "KH",
        (1 + 1 + 18 + 2) + (2 + 2 + 17 + 1) + (6 + 13 + 3) + (8 + 8 + 6),
        (2 + 10) + (2 + 8) + (2 + 6) + (2 + 4),
    ),
    ("ashkal_over_hokum=no", "KH", (1 + 11) + (2 + 10) + (6 + 9) + (8 + 8), 26),
    # S3 has none over S1 (3 less) and S4 none over S2 (4 less).
    ("ashkal_over_hokum=opponents_only", "KH", 73 - 3 - 4, 26),
]


@pytest.mark.parametrize(("options", "up", "first", "second"), BUYING_BY_OPTION)
def test_the_number_of_ways_to_buy_under_an_option(options: str, up: str, first: int, second: int) -> None:
    bought = [
        end.contract for end in ends(said(up, "", options=options), stop=is_bought, heard=everything_heard)
    ]
    biddings = Counter(contract.bidding.value for contract in bought if contract is not None)
    assert (biddings[1], biddings[2], bought.count(None)) == (first, second, 1)


S1_KEEPS = "S1:hokum S2:pass S3:pass S4:pass S1:confirm"
S1_SUN = "S1:sun"
# Nobody doubles, or one of two defenders in so many ways, then what follows a three, a four and a gahwa.
LADDERS = [
    ("", S1_KEEPS, 1 + 2 * 2 * (1 + (1 + 2 * 2))),
    ("three_by=team", S1_KEEPS, 1 + 2 * 2 * (1 + 2 * (1 + 2 * 2))),
    ("four_by=team", S1_KEEPS, 1 + 2 * 2 * (1 + (1 + 2 * 2 * 2))),
    ("gahwa_by=team", S1_KEEPS, 1 + 2 * 2 * (1 + (1 + 2 * 3))),
    ("lock_choice=always", S1_KEEPS, 1 + 2 * (1 + (1 + 2))),
    ("lock_choice=off", S1_KEEPS, 1 + 2 * (1 + (1 + 2))),
    ("lock_choice=any_raiser", S1_KEEPS, 1 + 2 * 2 * (1 + 2 * (1 + 2 * 2))),
    ("", S1_SUN, 1 + 2),
    ("lock_choice=any_raiser", S1_SUN, 1 + 2),
    ("sun_raise_ceiling=full", S1_SUN, 1 + 2 * (1 + (1 + 2))),
    ("sun_raise_ceiling=full four_by=team", S1_SUN, 1 + 2 * (1 + (1 + 2 * 2))),
    ("sun_double_threshold=off sun_raise_ceiling=full", S1_SUN, 1),
]


@pytest.mark.parametrize(("options", "text", "ladders"), LADDERS)
def test_the_number_of_ladders(options: str, text: str, ladders: int) -> None:
    assert len(ends(said("KH", text, scores=(101, 0), options=options))) == ladders


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


Course = tuple[tuple[int, str], ...]


def story_ends(setting: Setting, *, in_order: bool, so_far: Course = ()) -> dict[Course, str]:
    """Every way the story may end, by the calls that lead there."""
    telling = story(setting)
    questions = next(telling)
    try:
        for said_before in so_far:
            questions = telling.send(said_before)
    except StopIteration as end:
        return {so_far: end.value}
    found: dict[Course, str] = {}
    for place, call in story_calls(setting, questions, in_order=in_order):
        found |= story_ends(setting, in_order=in_order, so_far=(*so_far, (place, call)))
    return found


def story_calls(setting: Setting, questions: Questions, *, in_order: bool) -> list[tuple[int, str]]:
    """What the story would hear; in order, only from the earliest of those that are waited for."""
    waited_for = [place for place, (kind, _, _) in questions.items() if kind != "kawesh"]
    places = [min(waited_for)] if in_order else list(questions)
    forced = {"ashkal"} if setting.has("illegal_ashkal", "forced_sun") else set()
    return [
        (place, call)
        for place in places
        for call in questions[place][1] | (forced if questions[place][0] in BIDS else set())
    ]


BIDS = ("first", "answer", "second")


def in_places(auction: Auction) -> Course:
    return tuple((position(one.seat, DEALER).value, str(one.call)) for one in auction.record.calls)


def told_ends(auction: Auction, *, in_order: bool) -> dict[Course, str]:
    return {in_places(end): tell(end) for end in ends(auction, in_order=in_order, heard=everything_heard)}


@pytest.mark.parametrize(
    ("up", "scores", "worthless"),
    [("KH", (0, 0), False), ("KH", (101, 100), False), ("AH", (100, 101), False), ("KH", (0, 0), True)],
)
def test_the_auctions_that_exist_are_those_of_the_story(
    up: str, scores: tuple[int, int], worthless: bool
) -> None:
    """All of them, one by one, with the answers in every order."""
    setting = Setting(up, rules_of(STANDARD), frozenset({2} if worthless else ()), scores)
    auction = said(up, "", hands=S2_WORTHLESS if worthless else (), scores=scores)
    assert told_ends(auction, in_order=False) == story_ends(setting, in_order=False)


OTHER_VALUES = [
    f"{option}={value}"
    for option in OPTIONS_OF_THE_AUCTION
    for value in values_of(option)
    if value != rules_of(STANDARD)[option]
]


@pytest.mark.parametrize("up", ["KH", "AH"])
@pytest.mark.parametrize("options", [*NAMES, *OTHER_VALUES])
def test_the_auctions_under_a_rule_set_or_an_option_are_those_of_the_story(options: str, up: str) -> None:
    auction = said(up, "", hands=S2_WORTHLESS, scores=(101, 60), options=options)
    setting = Setting(up, rules_of(auction.record.ruleset), frozenset({2}), (101, 60))
    assert told_ends(auction, in_order=True) == story_ends(setting, in_order=True)
