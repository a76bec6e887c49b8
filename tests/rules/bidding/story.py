"""The auction told a second time, as a story instead of a state, to compare the rules with.

Written from the rules of the game in places S1 to S4 and in notation, and without any of the rules' code. Each `yield` says who
is asked (place -> kind of question, what may be said, what is said for him) and gets who said what; the return value is the end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

Question = tuple[str, frozenset[str], str]
Questions = dict[int, Question]
Said = tuple[int, str]
Story = Generator[Questions, Said, str]
Claim = tuple[int, str] | None


@dataclass(frozen=True)
class Setting:
    """What lies on the table before the first call; `team_scores` are those of S1 and S3, then of S2 and S4."""

    up: str
    worthless: frozenset[int] = frozenset()
    team_scores: tuple[int, int] = (0, 0)

    @property
    def ace(self) -> bool:
        return self.up.startswith("A")


def one(place: int, kind: str, default: str, *calls: str) -> Questions:
    return {place: (kind, frozenset(calls), default)}


def story(setting: Setting) -> Story:
    """The whole auction."""
    for place in (1, 2, 3, 4):
        who, said = yield first_questions(setting, place)
        if said == "kawesh":
            return f"kawesh of S{who}"
        if said == "hokum":
            return (yield from first_hokum(setting, place))
        if said != "pass":
            return (yield from sun_in_the_first(setting, place, said))
    for place in (1, 2, 3, 4):
        _, said = yield one(place, "second", "pass", "pass", "hokum", "sun")
        if said == "sun":
            return (yield from sun_bought(setting, place, place, "second"))
        if said == "hokum":
            return (yield from second_hokum(setting, place))
    return "thrown in"


def first_questions(setting: Setting, place: int) -> Questions:
    """The seat on turn, and everybody else who holds nothing."""
    calls = {"pass", "hokum", "sun"}
    if place in (3, 4) and not setting.ace:
        calls.add("ashkal")
    if place in setting.worthless:
        calls.add("kawesh")
    questions: Questions = {other: ("kawesh", frozenset({"kawesh"}), "pass") for other in setting.worthless}
    questions[place] = ("first", frozenset(calls), "pass")
    return questions


def answers(questions: Questions) -> Generator[Questions, Said, Claim]:
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
        given[who] = said


def first_hokum(setting: Setting, bidder: int) -> Story:
    questions: Questions = {}
    for place in {1, 2, 3, 4} - {bidder}:
        ashkal = place in (3, 4) and place > bidder and not setting.ace
        questions[place] = ("answer", frozenset({"pass", "sun"} | ({"ashkal"} if ashkal else set())), "pass")
    claim = yield from answers(questions)
    if claim is not None:
        return (yield from sun_in_the_first(setting, *claim))
    if not setting.ace:
        _, said = yield one(bidder, "confirm", "confirm", "confirm", "sun")
        if said == "sun":
            return (yield from sun_bought(setting, bidder, bidder, "first"))
    return (yield from hokum_bought(setting.up[-1], bidder, "first"))


def second_hokum(setting: Setting, bidder: int) -> Story:
    later = range(bidder + 1, 5)
    claim = yield from answers({place: ("answer", frozenset({"pass", "sun"}), "pass") for place in later})
    if claim is not None:
        return (yield from sun_bought(setting, claim[0], claim[0], "second"))
    calls = [f"confirm {suit}" for suit in "SHDC" if suit != setting.up[-1]]
    if not setting.ace:
        calls.append("sun")
    _, said = yield one(bidder, "confirm", calls[0] if setting.ace else "sun", *calls)
    if said == "sun":
        return (yield from sun_bought(setting, bidder, bidder, "second"))
    return (yield from hokum_bought(said[-1], bidder, "second"))


def sun_in_the_first(setting: Setting, holder: int, said: str) -> Story:
    """Opponents seated earlier are asked, the earliest first, none of them twice."""
    taker = partner(holder) if said == "ashkal" else holder
    been: set[int] = set()
    while True:
        left = [place for place in range(1, holder) if place % 2 != holder % 2 and place not in been]
        if not left:
            return (yield from sun_bought(setting, holder, taker, "first"))
        been.add(left[0])
        _, said = yield one(left[0], "takeover", "pass", "pass", "qablak")
        if said == "qablak":
            holder = taker = left[0]


def partner(place: int) -> int:
    return {1: 3, 2: 4, 3: 1, 4: 2}[place]


def defenders(buyer: int) -> Iterator[int]:
    """First the one who sits next after the buyer."""
    following = {1: 2, 2: 3, 3: 4, 4: 1}[buyer]
    return iter((following, partner(following)))


def sun_bought(setting: Setting, buyer: int, taker: int, bidding: str) -> Story:
    end = f"sun by S{buyer} {bidding}" + (f" card to S{taker}" if taker != buyer else "")
    theirs, others = setting.team_scores if buyer in (1, 3) else setting.team_scores[::-1]
    if theirs >= 101 and others <= 100:
        for defender in defenders(buyer):
            _, said = yield one(defender, "double", "pass", "pass", "double")
            if said == "double":
                return f"{end}, S{defender} double"
    return end


def hokum_bought(suit: str, buyer: int, bidding: str) -> Story:
    end = f"hokum {suit} by S{buyer} {bidding}"
    for defender in defenders(buyer):
        _, said = yield one(defender, "double", "pass", "pass", "double open", "double locked")
        if said != "pass":
            return (yield from raised(end, buyer, defender, said))
    return end


def raised(end: str, buyer: int, doubler: int, said: str) -> Story:
    end += f", S{doubler} {said}"
    _, said = yield one(buyer, "three", "pass", "pass", "three")
    if said == "pass":
        return end
    end += f", S{buyer} three"
    _, said = yield one(doubler, "four", "pass", "pass", "four open", "four locked")
    if said == "pass":
        return end
    end += f", S{doubler} {said}"
    _, said = yield one(buyer, "gahwa", "pass", "pass", "gahwa")
    return end if said == "pass" else f"{end}, S{buyer} gahwa"
