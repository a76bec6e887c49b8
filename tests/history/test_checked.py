"""A transcript that the rules do not allow is found, with the number of its first wrong deal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from baloot.core.catalogue import NAMES
from baloot.history.checked import disagreement
from baloot.notation import parse

from tests.notation.matches import match

EXAMPLE = (Path(__file__).parents[1] / "notation/files/example.baloot").read_text(encoding="utf-8")


def changed(old: str, new: str) -> Callable[[], str]:
    def text() -> str:
        assert old in EXAMPLE
        return EXAMPLE.replace(old, new)

    return text


SECOND = "\ndeal 2 {dealer}\nup AS\n"
WRONG: dict[str, tuple[Callable[[], str], str]] = {
    "a call": (changed("S:confirm-H", "S:confirm-S"), "deal 1: call 8, confirm S by south, is not legal"),
    "the turn": (changed("calls N:pass W:pass", "calls W:pass N:pass"), "deal 1: call 0, pass by west"),
    "the contract": (changed("contract hokum-H by S", "contract hokum-D by S"), "deal 1: the contract is told as hokum D"),
    "the taker": (changed("by S bidding", "by S taker N bidding"), "deal 1: the contract is told as"),
    "the level": (changed("second W:double\n", "second\n"), "deal 1: the contract is told as"),
    "no end of the auction": (changed(" W:double-open S:pass", ""), "deal 1: the auction is not over"),
    "a card": (changed("  N: QH AH", "  N: QH KS"), "deal 1: move 9, by west, is not legal"),
    "who won a trick": (changed("  E: 9H JH", "  N: JH 9H"), "deal 1: move 4, by north, is not legal"),
    "no end of the play": (changed("  E: 7D 10S 9S AD\n", ""), "deal 1: the play is not over"),
    "the up card": (changed("up AS", "up QC"), "deal 1: south takes the up card QC and does not hold it"),
    "shown": (changed("shown E:", "shown W:"), "deal 1: west shows a project"),
    "the sheet": (changed("writes 0 36", "writes 0 35"), "the sheet tells the game points as 0 to 35"),
    "the totals": (changed("totals 0 36", "totals 2 36"), "the sheet tells the totals as 2 to 36, and by the rules it is 0 to 36"),
    "a line": (changed("takes_all 32", "takes_all 31"), "deal 1: line 1 of the sheet"),
    "a line too few": (
        changed("  line EW project 4 2.29 seat=1 project_kind=1 value=2 multiplier=2\n", ""),
        "deal 1: the sheet has 1 lines",
    ),
    "the end": (changed("end scored", "end thrown_in"), "deal 1: the deal is told as thrown_in"),
    "the winner": (changed('[Winner "EW"]', '[Winner "SN"]'), "the winner is told as south-north"),
    "no winner": (changed('[Winner "EW"]\n', ""), "the winner is told as none, and by the rules it is east-west"),
    "a deal too much": (lambda: EXAMPLE + SECOND.format(dealer="N"), "deal 2: the match was won by east-west"),
    "a forfeit after the end": (changed('[Winner "EW"]', '[Winner "EW"]\n[Forfeit "left"]'), "a match that is forfeited"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_the_rules_do_not_allow_is_found(name: str) -> None:
    make, told = WRONG[name]
    (wrong,) = parse(make())
    assert told in str(disagreement(wrong))


def test_the_next_dealer_is_who_the_rules_say() -> None:
    longer = re.sub(r'\[(Winner|RulesHash|Option) ".*\n', "", EXAMPLE).replace(" wins EW", "")
    for dealer, wrong in (("N", False), ("E", True), ("S", True), ("W", True)):
        (told,) = parse(longer + SECOND.format(dealer=dealer))
        found = str(disagreement(told))
        assert ("it is the turn of north" in found) is wrong


def test_a_deal_without_an_end_is_the_last() -> None:
    (told,) = parse(
        '[Baloot "1"]\n' + SECOND.format(dealer="N") + SECOND.replace("2", "3").format(dealer="W")
    )
    assert (
        str(disagreement(told))
        == "deal 3: deal 2 has no end, and only the last deal of a match can be cut off"
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rules", NAMES)
def test_every_match_that_was_played_agrees(rules: str, seed: int) -> None:
    assert disagreement(match(rules, seed)) is None


def test_what_is_left_out_is_not_judged() -> None:
    bare = re.sub(
        r"^(hands\n(  .*\n)+|calls.*\n|score.*\n(  line.*\n)+|shown.*\n)", "", EXAMPLE, flags=re.MULTILINE
    )
    (told,) = parse(bare)
    assert told.deals[0].hands == told.deals[0].calls == ()
    assert disagreement(told) is None  # the hands follow from the cards, and the sheet from them


def test_a_rule_set_that_cannot_be_played_is_named() -> None:
    (told,) = parse('[Baloot "1"] [Rules "mine"] [Option "match_target=0"]')
    assert "match_target" in str(disagreement(told))
