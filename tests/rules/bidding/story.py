"""The auction told a second time, as a story instead of a state, to compare the rules with.

Written from the rules of the game in places S1 to S4 and in notation, and without any of the rules' code. Each `yield` says who
is asked (place -> kind of question, what may be said, what is said for him) and gets who said what; the return value is the end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field

Question = tuple[str, frozenset[str], str]
Questions = dict[int, Question]
Said = tuple[int, str]
Story = Generator[Questions, Said, str]
Claim = tuple[int, str] | None

EVERYBODY = (1, 2, 3, 4)


@dataclass(frozen=True)
class Setting:
    """What lies on the table before the first call; `team_scores` are those of S1 and S3, then of S2 and S4.

    `rules` gives the value of each option of the auction by its name.
    """

    up: str
    rules: Mapping[str, str] = field(hash=False)
    worthless: frozenset[int] = frozenset()
    team_scores: tuple[int, int] = (0, 0)

    @property
    def ace(self) -> bool:
        return self.up.startswith("A")

    def has(self, option: str, *values: str) -> bool:
        assert option in self.rules
        return self.rules[option] in values


def one(place: int, kind: str, default: str, *calls: str) -> Questions:
    return {place: (kind, frozenset(calls), default)}


def partner(place: int) -> int:
    return {1: 3, 2: 4, 3: 1, 4: 2}[place]


def opponents(place: int) -> tuple[int, int]:
    """First the one who sits next."""
    following = {1: 2, 2: 3, 3: 4, 4: 1}[place]
    return following, partner(following)


def story(setting: Setting) -> Story:
    """The whole auction."""
    for place in EVERYBODY:
        questions = first_questions(setting, place)
        who, said = yield questions
        said = counted_as(setting, questions[who], said)
        if said == "kawesh":
            return f"kawesh of S{who}"
        if said == "hokum":
            return (yield from hokum(setting, place, "first"))
        if said != "pass":
            return (yield from sun(setting, place, said, "first"))
    for place in EVERYBODY:
        calls = ["ashkal"] if may_ashkal(setting, "second", place) else []
        questions = one(place, "second", "pass", "pass", "hokum", "sun", *calls)
        _, said = yield questions
        said = counted_as(setting, questions[place], said)
        if said == "hokum":
            return (yield from hokum(setting, place, "second"))
        if said != "pass":
            return (yield from sun(setting, place, said, "second"))
    return "thrown in"


def counted_as(setting: Setting, question: Question, said: str) -> str:
    """A wrong Ashkal is heard as Sun where the rules have it so."""
    if said == "ashkal" and said not in question[1]:
        assert setting.has("illegal_ashkal", "forced_sun")
        return "sun"
    return said


def first_questions(setting: Setting, place: int) -> Questions:
    """The seat on turn, and everybody else who holds nothing."""
    calls = {"pass", "hokum", "sun"}
    if may_ashkal(setting, "first", place):
        calls.add("ashkal")
    holders = setting.worthless if setting.has("kawesh", "true") else frozenset()
    if place in holders:
        calls.add("kawesh")
    questions: Questions = {}
    if setting.has("kawesh_turn", "any_time_first"):
        questions = {other: ("kawesh", frozenset({"kawesh"}), "pass") for other in holders}
    questions[place] = ("first", frozenset(calls), "pass")
    return questions


def may_ashkal(setting: Setting, bidding: str, place: int, bidder: int | None = None) -> bool:
    """Whether a place may say Ashkal, in turn or over somebody's Hokum."""
    if setting.has("ashkal_seats", "off") or place in (1, 2):
        return False
    if bidding == "second" and setting.has("ashkal_biddings", "first"):
        return False
    if setting.ace and setting.has("ashkal_on_ace", "false"):
        return False
    if bidder is None:
        return True
    has_passed = place < bidder
    over_partner = place == partner(bidder)
    return not (
        has_passed
        or setting.has("ashkal_over_hokum", "no")
        or (over_partner and setting.has("ashkal_over_hokum", "opponents_only"))
    )


# Hokum.


def hokum(setting: Setting, bidder: int, bidding: str) -> Story:
    questions: Questions = {}
    for place in heard_over_hokum(setting, bidder, bidding):
        calls = {"pass", "sun"}
        if may_ashkal(setting, bidding, place, bidder):
            calls.add("ashkal")
        if (
            bidding == "first"
            and place in setting.worthless
            and setting.has("kawesh", "true")
            and setting.has("kawesh_turn", "as_sun_call")
        ):
            calls.add("kawesh")
        questions[place] = ("answer", frozenset(calls), "pass")
    claim = yield from answers(setting, questions)
    if claim is not None and claim[1] == "kawesh":
        return f"kawesh of S{claim[0]}"
    if claim is not None:
        return (yield from sun(setting, *claim, bidding, over=bidder))
    return (yield from (kept_or_turned if bidding == "first" else named)(setting, bidder))


def heard_over_hokum(setting: Setting, bidder: int, bidding: str) -> list[int]:
    others = [place for place in EVERYBODY if place != bidder]
    if bidding == "first":
        earlier_only = setting.has("sun_over_hokum_first", "earlier_only")
        return [place for place in others if place < bidder or not earlier_only]
    if setting.has("sun_over_hokum_second", "anyone"):
        return others
    opponents_too = setting.has("sun_over_hokum_second", "opponents_any")
    return [place for place in others if place > bidder or (opponents_too and place in opponents(bidder))]


def answers(setting: Setting, questions: Questions) -> Generator[Questions, Said, Claim]:
    """Answers in any order, until it is certain who is the first in order to claim, or that nobody does."""
    given: dict[int, str] = {}
    while True:
        for place in sorted(questions):
            if given.get(place, "sun") != "pass":
                break
        else:
            return None
        if place in given:
            return place, given[place]
        who, said = yield {place: asked for place, asked in questions.items() if place not in given}
        if said == "kawesh":
            return who, said
        given[who] = counted_as(setting, questions[who], said)


def may_turn(setting: Setting, bidder: int, bidding: str) -> bool:
    if setting.has("confirm_step", "off") or (
        bidding == "first" and setting.has("confirm_step", "second_only")
    ):
        return False
    if not setting.ace or setting.has("turn_to_sun_on_ace", "always"):
        return True
    return bidder == 1 and setting.has("turn_to_sun_on_ace", "first_seat_only")


def kept_or_turned(setting: Setting, bidder: int) -> Story:
    if may_turn(setting, bidder, "first"):
        _, said = yield one(bidder, "confirm", "confirm", "confirm", "sun")
        if said == "sun":
            return (yield from turned(setting, bidder, "first"))
    return (yield from hokum_bought(setting, setting.up[-1], bidder, "first"))


def named(setting: Setting, bidder: int) -> Story:
    calls = [f"confirm {suit}" for suit in "SHDC" if suit != setting.up[-1]]
    default = calls[0]
    if may_turn(setting, bidder, "second"):
        calls.append("sun")
        if setting.has("unnamed_suit", "sun"):
            default = "sun"
    _, said = yield one(bidder, "confirm", default, *calls)
    if said == "sun":
        return (yield from turned(setting, bidder, "second"))
    return (yield from hokum_bought(setting, said[-1], bidder, "second"))


def turned(setting: Setting, bidder: int, bidding: str) -> Story:
    if setting.has("turned_sun_takeover", "as_sun"):
        return (yield from sun(setting, bidder, "sun", bidding))
    return (yield from sun_bought(setting, bidder, bidder, bidding))


# Sun.


def sun(setting: Setting, holder: int, said: str, bidding: str, over: int | None = None) -> Story:
    """Those who may take it over are asked one after the other, none of them twice."""
    taker = partner(holder) if said == "ashkal" else holder
    been: set[int] = set()
    while True:
        left = [place for place in takers(setting, holder, bidding, over) if place not in been]
        if not left:
            return (yield from sun_bought(setting, holder, taker, bidding))
        been.add(left[0])
        _, said = yield one(left[0], "takeover", "pass", "pass", "qablak")
        if said == "qablak":
            holder = taker = left[0]
            if bidding == "first" and setting.has("sun_takeover_first", "anyone_in_turn"):
                return (yield from sun_bought(setting, holder, taker, bidding))


def takers(setting: Setting, holder: int, bidding: str, over: int | None) -> list[int]:
    option = f"sun_takeover_{bidding}"
    if setting.has(option, "none"):
        return []
    if setting.has(option, "earlier_any"):
        return list(range(1, holder))
    if setting.has(option, "earlier_opponents"):
        return [place for place in range(1, holder) if place in opponents(holder)]
    if setting.has(option, "anyone_in_turn"):
        return [*range(holder + 1, 5), *range(1, holder)]
    assert setting.has(option, "thalith")
    passed_twice = {1, 2} - {over}
    return [
        place for place in opponents(holder) if setting.ace and holder in (3, 4) and place in passed_twice
    ]


def may_double_sun(setting: Setting, buyer: int) -> bool:
    theirs, others = setting.team_scores if buyer in (1, 3) else setting.team_scores[::-1]
    return {
        "gt100_le100": theirs >= 101 and others <= 100,
        "gt100_lt100": theirs >= 101 and others <= 99,
        "ge100_lt100": theirs >= 100 and others <= 99,
        "either_direction": sorted((theirs >= 101, others >= 101)) == [False, True],
        "off": False,
    }[setting.rules["sun_double_threshold"]]


def sun_bought(setting: Setting, buyer: int, taker: int, bidding: str) -> Story:
    end = f"sun by S{buyer} {bidding}" + (f" card to S{taker}" if taker != buyer else "")
    if not may_double_sun(setting, buyer):
        return end
    steps = STEPS if setting.has("sun_raise_ceiling", "full") else STEPS[:1]
    return (yield from raised(setting, end, buyer, {step: [step] for step in steps}))


def hokum_bought(setting: Setting, suit: str, buyer: int, bidding: str) -> Story:
    words = {step: [step] for step in STEPS}
    if not setting.has("lock_choice", "off"):
        for step in ("double", "four"):
            words[step] = [f"{step} open", f"{step} locked"]
    if setting.has("lock_choice", "always"):
        for step in ("double", "four"):
            del words[step][0]
    if setting.has("lock_choice", "any_raiser"):
        words["three"] = ["three open", "three locked"]
    return (yield from raised(setting, f"hokum {suit} by S{buyer} {bidding}", buyer, words))


# Raising.

STEPS = ("double", "three", "four", "gahwa")


def raised(setting: Setting, end: str, buyer: int, words: Mapping[str, Iterable[str]]) -> Story:
    doubler = 0
    for step, calls in words.items():
        for place in raisers(setting, step, buyer, doubler):
            _, said = yield one(place, step, "pass", "pass", *calls)
            if said != "pass":
                end += f", S{place} {said}"
                doubler = doubler or place
                break
        else:
            return end
    return end


def raisers(setting: Setting, step: str, buyer: int, doubler: int) -> tuple[int, ...]:
    if step == "double":
        return opponents(buyer)
    own = doubler if step == "four" else buyer
    return (own, partner(own)) if setting.has(f"{step}_by", "team") else (own,)
