"""Whole random rounds under every rule set, told twice: 2,000 of each in `make test`, 100,000 in `make test-long`."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from baloot.core.catalogue import NAMES, RULESETS
from baloot.core.contract import Bidding, Level, Mode
from baloot.core.projects import ProjectKind
from baloot.core.ruleset import Akka, BalootSaying, IllegalPlay, ProjectShow, Ruleset, Sawa
from baloot.core.score import RoundResult

from tests.rules.parts import PARTS
from tests.rules.whole.compared import compare_round
from tests.rules.whole.dealt import deal, own_rules

ROUNDS = 2_000
OWN = "own"
"""Rule sets of one's own: any values of all options, others for each twenty rounds."""


def compared(name: str, part: int) -> Counter[str]:
    """So many rounds that were played to their end, compared; what came up, and how often."""
    seen: Counter[str] = Counter()
    ruleset = RULESETS.get(name)
    for number in range(2 * ROUNDS):
        rng = Random(f"{name} {part} {number}")
        if name == OWN and number % 20 == 0:
            ruleset = own_rules(rng)
        assert ruleset is not None
        seen.update(one_round(rng, ruleset, f"round {number} of part {part} under {name}"))
        if seen["played"] == ROUNDS:
            return seen
    raise AssertionError(f"too many void deals: {seen}")


def one_round(rng: Random, ruleset: Ruleset, which: str) -> set[str]:
    try:
        return compare_round(rng, deal(rng, ruleset))
    except Exception as failure:
        failure.add_note(which)
        raise


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", [*NAMES, OWN])
def test_both_tellings_of_whole_rounds_agree(name: str, part: int) -> None:
    seen = compared(name, part)
    assert seen["played"] == ROUNDS
    rare = {mark for mark in expected(name) if seen[mark] < 3}
    assert part or not rare, f"hardly anything of {rare} came up in the first part: {seen}"


SECOND_TELLINGS = ("bidding/story", "play/naive", "play/retold", "scoring/rescorer", "dealing/odds")


@pytest.mark.parametrize("telling", SECOND_TELLINGS)
def test_a_second_telling_shares_no_rules_with_the_first(telling: str) -> None:
    """It knows the words of the game and other second tellings, and nothing else of this project."""
    source = Path(__file__).parents[1].joinpath(f"{telling}.py").read_text(encoding="utf-8")
    imports = re.findall(
        r"^\s*(?:from|import) ((?:baloot|tests)[\w.]*)(?: import (\w+))?", source, flags=re.MULTILINE
    )
    own = {f"tests.rules.{one.replace('/', '.')}" for one in SECOND_TELLINGS}
    foreign = [
        name for name in imports if not name[0].startswith("baloot.core.") and ".".join(name) not in own
    ]
    assert foreign == []


def expected(name: str) -> set[str]:
    """What must come up for its comparison to mean something."""
    kinds: list[type[Mode | Level | Bidding | ProjectKind]] = [Mode, Level, Bidding, ProjectKind]
    found = {one.name for kind in kinds for one in kind} | {one.name for one in RoundResult}
    found |= {"ThrownIn", "ashkal", "locked", "baloot"}
    ruleset = RULESETS.get(name)
    if ruleset is None:
        return found | {"KaweshCalled", "akka", "said", "shown", "sawa", "sawa refused", "wrong_sawa wrong"}
    if ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID:
        found |= {f"{ground} {end}" for ground in CLAIMED for end in ("right", "wrong")}
    else:
        found.discard(RoundResult.QAID.name)
    return found | {mark for mark, there in of_options(ruleset).items() if there}


CLAIMED = ("revoke", "no_trump", "no_over_trump")


def of_options(ruleset: Ruleset) -> dict[str, bool]:
    return {
        "KaweshCalled": ruleset.kawesh,
        "akka": ruleset.akka is not Akka.OFF,
        "said": ruleset.baloot is not BalootSaying.AUTO,
        "shown": ruleset.project_show is not ProjectShow.AUTO,
        "sawa": ruleset.sawa is not Sawa.OFF,
        "sawa refused": ruleset.sawa is not Sawa.OFF,
    }
