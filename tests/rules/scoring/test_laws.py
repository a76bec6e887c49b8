"""What holds for every round, and a second scorer that must agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import pytest
from baloot.core.catalogue import RULESETS
from baloot.core.contract import Contract, Level, Mode
from baloot.core.play import PlayOutcome
from baloot.core.projects import SeatProject
from baloot.core.ruleset import IllegalPlay, SunRaiseCeiling
from baloot.core.score import LineKind, RoundRecord, RoundResult, RoundScore, ScoreLine
from baloot.core.seats import TEAMS, Seat
from baloot.scoring.rules import score_round
from hypothesis import given, settings

from tests.rules.parts import PARTS
from tests.rules.scoring.rescorer import rescore
from tests.strategies.score import SCORING_OPTIONS, any_round_records, round_record, round_records, ruleset

ROUNDS = 2500


def seen_alike(rounds: Iterable[RoundRecord]) -> Counter[tuple[Mode, Level, RoundResult]]:
    """How rounds ended, after asserting that the second scorer writes the same for each."""
    seen: Counter[tuple[Mode, Level, RoundResult]] = Counter()
    for record in rounds:
        score = score_round(record)
        seen[record.contract.mode, record.contract.level, score.result] += 1
        assert (score.game_points, score.winner) == rescore(record), record
    return seen


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", RULESETS)
def test_a_second_scorer_agrees_on_thousands_of_rounds_of_every_rule_set(name: str, part: int) -> None:
    ruleset, rng = RULESETS[name], Random(f"{name} {part}")
    seen = seen_alike(round_record(rng, ruleset) for _ in range(ROUNDS))
    claims = ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID
    sun_levels = 2 if ruleset.sun_raise_ceiling is SunRaiseCeiling.DOUBLE else 4
    ends = len(RoundResult) - 1 if claims else 3
    gahwas = 2 if sun_levels == 4 else 1
    assert len(seen) == (4 + sun_levels) * ends + gahwas, "every mode, level and result comes up"


def test_a_second_scorer_agrees_under_any_options_whatever() -> None:
    rng = Random(152)
    rounds = (round_record(rng, drawn) for drawn in (ruleset(rng) for _ in range(1500)) for _ in range(4))
    assert seen_alike(rounds).total() == 6000


@pytest.mark.parametrize("option", SCORING_OPTIONS)
def test_a_second_scorer_agrees_when_one_option_differs_from_standard(option: str) -> None:
    rng = Random(option)
    assert seen_alike(round_record(rng, ruleset(rng, (option,))) for _ in range(150)).total() == 150


@given(any_round_records)
def test_the_lines_of_a_side_add_up_to_what_it_writes(record: RoundRecord) -> None:
    score = score_round(record)
    for team in TEAMS:
        assert sum(line.game_points for line in score.lines if line.team is team) == score.game_points[team]
        assert score.totals[team] == record.scores[team] + score.game_points[team]


AMOUNTS: dict[LineKind, Callable[[dict[str, int]], int]] = {
    LineKind.TAKES_ALL: lambda inputs: inputs["total"] * inputs["multiplier"],
    LineKind.PROJECT: lambda inputs: inputs["value"] * inputs["multiplier"],
    LineKind.BALOOT: lambda inputs: inputs["value"] * inputs["multiplier"],
    LineKind.KABOOT: lambda inputs: inputs["value"] * inputs["multiplier"],
    LineKind.QAID: lambda inputs: inputs["value"] * inputs["multiplier"],
    LineKind.GAHWA: lambda inputs: inputs["match_target"],
}


def of_cards(line: ScoreLine, bought: Contract) -> int:
    """What a line of cards comes to by its inputs."""
    inputs = dict(line.inputs)
    counted = bought.buying_team if "buyers_card_points" in inputs else bought.buying_team.other
    if "card_points" in inputs:
        own = inputs["converted"] - inputs["reduced"]
    else:
        own = inputs["converted"] if line.team is counted else inputs["total"] - inputs["converted"]
    assert inputs.get("own", own) == own
    return own * inputs.get("multiplier", 1)


@given(any_round_records)
def test_every_line_follows_from_its_inputs(record: RoundRecord) -> None:
    for line in score_round(record).lines:
        cards = line.kind is LineKind.CARDS
        expected = of_cards(line, record.contract) if cards else AMOUNTS[line.kind](dict(line.inputs))
        assert line.game_points == expected


@given(any_round_records)
def test_every_project_and_baloot_has_a_line_unless_a_gahwa_settles_it(record: RoundRecord) -> None:
    score = score_round(record)
    kinds = Counter(line.kind for line in score.lines)
    if score.result is RoundResult.GAHWA:
        assert kinds == {LineKind.GAHWA: 1}
    else:
        assert kinds[LineKind.PROJECT] == len(record.play.projects)
        assert kinds[LineKind.BALOOT] == len(record.play.baloot)


@given(round_records)
def test_an_unraised_round_shares_out_exactly_sixteen_or_twenty_six(record: RoundRecord) -> None:
    score = score_round(record)
    if score.result is RoundResult.GAHWA or score.result is RoundResult.KABOOT:
        return
    extras = sum(line.game_points for line in score.lines if line.kind in {LineKind.PROJECT, LineKind.BALOOT})
    whole = 16 if record.contract.mode is Mode.HOKUM else 26
    assert sum(score.game_points) - extras == whole * record.contract.level


@given(round_records)
def test_both_sides_write_only_when_the_buyer_makes_an_unraised_round(record: RoundRecord) -> None:
    score = score_round(record)
    shared = score.result is RoundResult.MADE and not record.contract.raises
    assert (score.round_winner is None) is shared
    if score.round_winner is not None:
        assert score.game_points[score.round_winner.other] == 0
        assert score.game_points[score.round_winner] > 0


def one_seat_on(record: RoundRecord) -> RoundRecord:
    """The same round with every seat's right-hand neighbour in its place."""
    bought, play = record.contract, record.play
    return replace(
        record,
        contract=_turned(bought),
        play=PlayOutcome(
            play.tricks[::-1],
            play.card_points[::-1],
            tuple(SeatProject(owned.seat.next, owned.project) for owned in play.projects),
            tuple(seat.next for seat in play.baloot),
            qaid=play.qaid and replace(play.qaid, claimer=play.qaid.claimer.next),
        ),
        scores=record.scores[::-1],
        dealer=None if record.dealer is None else record.dealer.next,
    )


def _turned(bought: Contract) -> Contract:
    return replace(
        bought,
        buyer=bought.buyer.next,
        taker=bought.taker.next,
        raises=tuple(replace(step, seat=step.seat.next) for step in bought.raises),
    )


def turned_score(score: RoundScore) -> RoundScore:
    return replace(
        score,
        round_winner=None if score.round_winner is None else score.round_winner.other,
        card_points=score.card_points[::-1],
        compared=score.compared[::-1],
        lines=tuple(sorted((turned_line(line) for line in score.lines), key=repr)),
        game_points=score.game_points[::-1],
        totals=score.totals[::-1],
        winner=None if score.winner is None else score.winner.other,
    )


def turned_line(line: ScoreLine) -> ScoreLine:
    """Without its sentences, which name seats."""
    inputs = tuple((name, int(Seat(n).next) if name == "seat" else n) for name, n in line.inputs)
    return replace(line, team=line.team.other, inputs=inputs, english="", arabic="")


@given(any_round_records)
def test_turning_the_table_changes_only_names(record: RoundRecord) -> None:
    turned = score_round(one_seat_on(record))
    lines = (replace(line, english="", arabic="") for line in turned.lines)
    assert replace(turned, lines=tuple(sorted(lines, key=repr))) == turned_score(score_round(record))


@given(any_round_records)
@settings(max_examples=50)
def test_a_score_depends_on_nothing_but_its_record(record: RoundRecord) -> None:
    assert score_round(record) == score_round(record)
