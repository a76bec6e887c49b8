"""Records that no round can have led to are refused with a telling message."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from baloot.core.cards import Suit
from baloot.core.contract import Level, Mode, Raise
from baloot.core.errors import Reason, Refusal
from baloot.core.play import Qaid, QaidGround, QaidMove
from baloot.core.projects import ProjectKind
from baloot.core.ruleset import STANDARD, BalootBlock, BothOver, IllegalPlay, SawaPenalty
from baloot.core.score import RoundRecord
from baloot.core.seats import Seat
from baloot.scoring.rules import score_round

from tests.rules.scoring.rounds import cards, finished, owned

HOKUM = finished("hokum", 1, "92", "70")
SUN = finished("sun", 1, "66", "64")
SOUTH, EAST, NORTH, WEST = Seat
SIRA, FIFTY, HUNDRED, FOUR_HUNDRED = ProjectKind


def contract(record: RoundRecord, **changes: Any) -> RoundRecord:
    return replace(record, contract=replace(record.contract, **changes))


def play(record: RoundRecord, **changes: Any) -> RoundRecord:
    return replace(record, play=replace(record.play, **changes))


def raised(record: RoundRecord, *steps: tuple[Seat, Level]) -> RoundRecord:
    return contract(record, raises=tuple(Raise(seat, level) for seat, level in steps))


CLAIMS = STANDARD.with_options(illegal_play=IllegalPlay.ALLOW_WITH_QAID, sawa_penalty=SawaPenalty.QAID)
REVOKE = Qaid(EAST, QaidMove(QaidGround.REVOKE), right=True)
SAWA = Qaid(EAST, QaidMove(QaidGround.WRONG_SAWA), right=True)
WITH_QAID = replace(play(HOKUM, qaid=REVOKE), ruleset=CLAIMS)
FOUR_ACES = "AS AH AD AC"
RUN = "10S JS QS KS AS"

CASES: list[tuple[str, RoundRecord, str, str]] = [
    ("a hokum without trump", contract(HOKUM, trump=None), "contract.trump", "has a trump suit"),
    ("a sun with trump", contract(SUN, trump=Suit.SPADES), "contract.trump", "has none"),
    ("an opponent takes the up card", contract(SUN, taker=EAST), "contract.taker", "up card"),
    ("an Ashkal in hokum", contract(HOKUM, taker=NORTH), "contract.taker", "Ashkal"),
    ("a three without a double", raised(HOKUM, (SOUTH, Level.THREE)), "contract.raises", "one step"),
    (
        "a step left out",
        raised(HOKUM, (EAST, Level.DOUBLE), (SOUTH, Level.FOUR)),
        "contract.raises",
        "one step",
    ),
    ("the buyer doubles", raised(HOKUM, (NORTH, Level.DOUBLE)), "contract.raises", "defenders double"),
    (
        "the defenders say three",
        raised(HOKUM, (EAST, Level.DOUBLE), (WEST, Level.THREE)),
        "contract.raises",
        "buyer's side says three",
    ),
    (
        "a sun beyond double",
        raised(SUN, (EAST, Level.DOUBLE), (SOUTH, Level.THREE)),
        "contract.raises",
        "no further than double",
    ),
    ("seven tricks", play(HOKUM, tricks=(4, 3)), "play.tricks", "8 tricks, not 4 and 3"),
    ("nine tricks", play(HOKUM, tricks=(9, -1)), "play.tricks", "8 tricks, not 9 and -1"),
    ("161 in hokum", play(HOKUM, card_points=(91, 70)), "play.card_points", "162, not 91 and 70"),
    ("162 in sun", play(SUN, card_points=(92, 70)), "play.card_points", "130, not 92 and 70"),
    ("less than nothing", play(HOKUM, card_points=(163, -1)), "play.card_points", "162, not 163 and -1"),
    ("points without a trick", play(HOKUM, tricks=(8, 0)), "play.card_points", "without a trick"),
    ("points without a trick, buyer", play(HOKUM, tricks=(0, 8)), "play.card_points", "without a trick"),
    (
        "a kaboot without all card points",
        play(SUN, tricks=(0, 8), card_points=(1, 129)),
        "play.card_points",
        "eight tricks",
    ),
    (
        "a Sawa of the side without a trick",
        play(SUN, tricks=(8, 0), card_points=(130, 0), sawa=EAST),
        "play.sawa",
        "its side has none",
    ),
    (
        "projects of both sides",
        play(HOKUM, projects=(owned(SOUTH, SIRA, "7S 8S 9S"), owned(EAST, SIRA, "7D 8D 9D"))),
        "play.projects",
        "one side's",
    ),
    (
        "four hundred in hokum",
        play(HOKUM, projects=(owned(SOUTH, FOUR_HUNDRED, FOUR_ACES),)),
        "play.projects",
        "four hundred do not make one in a Hokum",
    ),
    (
        "four aces as a hundred in sun",
        play(SUN, projects=(owned(SOUTH, HUNDRED, FOUR_ACES),)),
        "play.projects",
        "hundred do not make one in a Sun",
    ),
    (
        "four nines",
        play(SUN, projects=(owned(SOUTH, HUNDRED, "9S 9H 9D 9C"),)),
        "play.projects",
        "do not make one",
    ),
    (
        "a run with a gap",
        play(SUN, projects=(owned(SOUTH, SIRA, "7S 8S 10S"),)),
        "play.projects",
        "do not make one",
    ),
    (
        "a run round the corner of a suit",
        play(SUN, projects=(owned(SOUTH, SIRA, "KS AS 7H"),)),
        "play.projects",
        "do not make one",
    ),
    (
        "a run of four as sira",
        play(SUN, projects=(owned(SOUTH, SIRA, "7S 8S 9S 10S"),)),
        "play.projects",
        "sira do not make one",
    ),
    (
        "four hundred in hokum, without cards",
        play(HOKUM, projects=(owned(SOUTH, FOUR_HUNDRED, ""),)),
        "play.projects",
        "no four hundred in a Hokum",
    ),
    (
        "two four hundreds",
        play(SUN, projects=(owned(SOUTH, FOUR_HUNDRED, ""), owned(NORTH, FOUR_HUNDRED, ""))),
        "play.projects",
        "four Aces",
    ),
    (
        "a fifty and a hundred and a sira of one seat, without cards",
        play(SUN, projects=tuple(owned(SOUTH, kind, "") for kind in (FIFTY, HUNDRED, SIRA))),
        "play.projects",
        "more cards than a hand",
    ),
    (
        "a card in two projects of a seat",
        play(SUN, projects=(owned(SOUTH, SIRA, "7S 8S 9S"), owned(SOUTH, SIRA, "9S 10S JS"))),
        "play.projects",
        "in two",
    ),
    (
        "a card in the projects of two seats",
        play(SUN, projects=(owned(SOUTH, HUNDRED, RUN), owned(NORTH, FOUR_HUNDRED, FOUR_ACES))),
        "play.projects",
        "in two",
    ),
    (
        "three projects of a seat",
        play(SUN, projects=tuple(owned(SOUTH, SIRA, f"7{s} 8{s} 9{s}") for s in "SHD")),
        "play.projects",
        "more cards than a hand",
    ),
    (
        "nine cards in a hand",
        play(SUN, projects=(owned(SOUTH, HUNDRED, "7S 8S 9S 10S JS"), owned(SOUTH, FOUR_HUNDRED, FOUR_ACES))),
        "play.projects",
        "more cards than a hand",
    ),
    (
        "two projects where one is allowed",
        replace(
            play(SUN, projects=(owned(SOUTH, SIRA, "7S 8S 9S"), owned(SOUTH, SIRA, "7D 8D 9D"))),
            ruleset=STANDARD.with_options(max_projects_per_player=1),
        ),
        "play.projects",
        "than the 1 it may have",
    ),
    ("a Baloot in sun", play(SUN, baloot=(SOUTH,)), "play.baloot", "no Baloot in a Sun"),
    ("two Baloots", play(HOKUM, baloot=(SOUTH, EAST)), "play.baloot", "one Baloot at most"),
    ("one Baloot twice", play(HOKUM, baloot=(SOUTH, SOUTH)), "play.baloot", "one Baloot at most"),
    (
        "a card of the Baloot with somebody else",
        play(HOKUM, projects=(owned(NORTH, SIRA, "QH KH AH"),), baloot=(SOUTH,)),
        "play.baloot",
        "another seat's",
    ),
    (
        "a Baloot beside seven other cards",
        play(
            HOKUM,
            projects=(owned(SOUTH, SIRA, "7S 8S 9S"), owned(SOUTH, FIFTY, "7D 8D 9D 10D")),
            baloot=(SOUTH,),
        ),
        "play.baloot",
        "more cards than a hand",
    ),
    (
        "a Baloot in a hundred",
        play(HOKUM, projects=(owned(SOUTH, HUNDRED, "10H JH QH KH AH"),), baloot=(SOUTH,)),
        "play.baloot",
        "blocks",
    ),
    (
        "a Baloot with four kings",
        play(HOKUM, projects=(owned(SOUTH, HUNDRED, "KS KH KD KC"),), baloot=(SOUTH,)),
        "play.baloot",
        "blocks",
    ),
    (
        "all card points, and nobody tells whether it was a kaboot",
        play(HOKUM, tricks=(0, 0), card_points=(162, 0)),
        "play.tricks",
        "all eight are a kaboot",
    ),
    (
        "no points at all",
        play(HOKUM, tricks=(0, 0), card_points=(0, 0)),
        "play.card_points",
        "162, not 0 and 0",
    ),
    ("tricks without points", play(HOKUM, card_points=(0, 0)), "play.card_points", "162, not 0 and 0"),
    ("a qaid where illegal cards are refused", play(HOKUM, qaid=REVOKE), "play.qaid", "illegal_play"),
    ("a wrong Sawa that costs nothing", play(HOKUM, qaid=SAWA), "play.qaid", "sawa_penalty"),
    ("nine tricks before a qaid", play(WITH_QAID, tricks=(5, 4)), "play.tricks", "8 tricks, not 5 and 4"),
    ("a trick below zero before a qaid", play(WITH_QAID, tricks=(-1, 4)), "play.tricks", "8 tricks"),
    (
        "too many points before a qaid",
        play(WITH_QAID, card_points=(100, 63)),
        "play.card_points",
        "162, not 100 and 63",
    ),
    ("less than nothing before a qaid", play(WITH_QAID, card_points=(-1, 5)), "play.card_points", "162, not"),
    (
        "one over, and both may go on",
        replace(HOKUM, scores=(152, 151), ruleset=STANDARD.with_options(both_over=BothOver.HAND_POINTS)),
        "scores",
        "was over",
    ),
    (
        "both over, and the buyer's side had won",
        replace(HOKUM, scores=(160, 160), ruleset=STANDARD.with_options(both_over=BothOver.BUYER_SIDE)),
        "scores",
        "was over",
    ),
    ("a score below zero", replace(HOKUM, scores=(-1, 5)), "scores", "not below zero"),
    ("a match that is over", replace(HOKUM, scores=(152, 10)), "scores", "152 to 10 with 152 to win"),
    ("a match that is over, both over", replace(HOKUM, scores=(155, 160)), "scores", "was over"),
    (
        "a match that is over by its rule set",
        replace(HOKUM, scores=(100, 0), ruleset=STANDARD.with_options(match_target=100)),
        "scores",
        "100 to win",
    ),
]


UNNAMED = re.compile(r"\b(sun|hokum|baloot|sawa|qaid|ashkal)\b")
"""The game's own words as nobody writes them: they are proper names, also in a refusal."""


@pytest.mark.parametrize(("record", "field", "message"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_an_impossible_record_is_refused(record: RoundRecord, field: str, message: str) -> None:
    with pytest.raises(Refusal) as refused:
        score_round(record)
    assert refused.value.reason is Reason.RECORD_INVALID
    assert refused.value.field == f"record.{field}"
    assert message in refused.value.message
    assert refused.value.message.endswith(f"(rule {refused.value.rule})")
    assert not UNNAMED.search(refused.value.message)
    assert not any(figure.startswith("(") for figure in refused.value.metadata.values())


POSSIBLE: list[tuple[str, Callable[[], RoundRecord]]] = [
    (
        "a Baloot in a fifty",
        lambda: play(HOKUM, projects=(owned(SOUTH, FIFTY, "10H JH QH KH"),), baloot=(SOUTH,)),
    ),
    (
        "a Baloot of the other side",
        lambda: play(HOKUM, projects=(owned(SOUTH, HUNDRED, RUN),), baloot=(EAST,)),
    ),
    (
        "four aces and Baloot",
        lambda: play(HOKUM, projects=(owned(SOUTH, HUNDRED, FOUR_ACES),), baloot=(SOUTH,)),
    ),
    (
        "eight spades",
        lambda: play(SUN, projects=(owned(SOUTH, HUNDRED, RUN), owned(SOUTH, SIRA, "7S 8S 9S"))),
    ),
    ("an Ashkal", lambda: contract(SUN, taker=NORTH)),
    ("equal scores over the target", lambda: replace(SUN, scores=(152, 152))),
    ("a trick without points", lambda: play(SUN, tricks=(7, 1), card_points=(130, 0))),
    ("a Sawa", lambda: play(SUN, sawa=EAST)),
    ("projects without cards", lambda: play(SUN, projects=(owned(SOUTH, SIRA, ""), owned(SOUTH, FIFTY, "")))),
    (
        "two hundreds and a Baloot without cards",
        lambda: play(HOKUM, projects=(owned(SOUTH, HUNDRED, ""), owned(SOUTH, HUNDRED, "")), baloot=(SOUTH,)),
    ),
    ("a round of which nobody counted the tricks", lambda: play(HOKUM, tricks=(0, 0))),
    ("a kaboot of which nobody counted the points", lambda: play(HOKUM, tricks=(8, 0), card_points=(0, 0))),
    ("a qaid before the first trick", lambda: play(WITH_QAID, tricks=(0, 0), card_points=(0, 0))),
    ("a qaid at the end", lambda: WITH_QAID),
    ("a wrong Sawa with its price", lambda: play(WITH_QAID, qaid=SAWA)),
    (
        "both over with another hand",
        lambda: replace(
            HOKUM, scores=(160, 158), ruleset=STANDARD.with_options(both_over=BothOver.HAND_POINTS)
        ),
    ),
    ("the partner doubles on", lambda: raised(HOKUM, (EAST, Level.DOUBLE), (NORTH, Level.THREE))),
]


@pytest.mark.parametrize("record", [case[1] for case in POSSIBLE], ids=[case[0] for case in POSSIBLE])
def test_what_is_only_unusual_is_scored(record: Callable[[], RoundRecord]) -> None:
    assert score_round(record()).game_points != (0, 0)


HELD = {
    "two of a hundred": (HUNDRED, "10H JH QH KH AH"),
    "one of a run of five": (HUNDRED, "8H 9H 10H JH QH"),
    "one of four queens": (HUNDRED, "QS QH QD QC"),
    "one of a fifty": (FIFTY, "9H 10H JH QH"),
    "two of a sira": (SIRA, "JH QH KH"),
}
BLOCKED: dict[BalootBlock, set[str]] = {
    BalootBlock.DECLARED_HUNDRED: {"two of a hundred", "one of a run of five", "one of four queens"},
    BalootBlock.SCORED_HUNDRED: {"two of a hundred", "one of a run of five", "one of four queens"},
    BalootBlock.FOUR_KIND_ONLY: {"one of four queens"},
    BalootBlock.HUNDRED_OR_SPLIT: set(HELD) - {"two of a sira"},
    BalootBlock.ANY_DECLARED: set(HELD),
}


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("block", BalootBlock, ids=lambda block: str(block.name))
def test_a_baloot_that_the_rule_set_blocks_is_refused(block: BalootBlock, held: str) -> None:
    kind, text = HELD[held]
    record = play(HOKUM, projects=(owned(SOUTH, kind, text),), baloot=(SOUTH,))
    record = replace(record, ruleset=STANDARD.with_options(baloot_block=block))
    if held not in BLOCKED[block]:
        assert score_round(record).game_points != (0, 0)
        return
    with pytest.raises(Refusal, match="blocks the Baloot"):
        score_round(record)


def test_every_project_that_exists_is_accepted_and_no_other() -> None:
    runs = {
        kind: [
            [f"{rank}{suit}" for rank in window]
            for suit in "SHDC"
            for window in _windows(["7", "8", "9", "10", "J", "Q", "K", "A"], kind + 2)
        ]
        for kind in (SIRA, FIFTY, HUNDRED)
    }
    fours = [[f"{rank}{suit}" for suit in "SHDC"] for rank in ["10", "J", "Q", "K"]]
    every = [(kind, text) for kind, texts in runs.items() for text in texts] + [
        (HUNDRED, four) for four in fours
    ]
    assert len(every) == 24 + 20 + 16 + 4
    for kind, text in every:
        for record in (HOKUM, SUN):
            projects = (owned(SOUTH, kind, " ".join(text)),)
            assert score_round(play(record, projects=projects)).lines[2].game_points > 0


def _windows(ranks: list[str], length: int) -> list[list[str]]:
    return [ranks[first : first + length] for first in range(len(ranks) + 1 - length)]


def test_the_message_names_no_card() -> None:
    names = {str(card) for card in cards("7S 8S 9S 10S JS QS KS AS AH AD AC 9H 9D 9C KH KD KC")}
    for _, record, _, _ in CASES:
        with pytest.raises(Refusal) as refused:
            score_round(record)
        words = set(refused.value.message.replace(",", " ").replace(".", " ").split())
        assert words.isdisjoint(names)


def test_modes_differ_in_what_four_aces_are() -> None:
    assert score_round(play(HOKUM, projects=(owned(SOUTH, HUNDRED, FOUR_ACES),))).compared[0] == 9 + 10
    assert score_round(play(SUN, projects=(owned(SOUTH, FOUR_HUNDRED, FOUR_ACES),))).compared[0] == 14 + 40
    assert SUN.contract.mode is Mode.SUN
