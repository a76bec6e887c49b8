"""Whether the match is over (rules 2.32)."""

from __future__ import annotations

from collections.abc import Callable

from baloot.core.ruleset import BothOver, Ruleset
from baloot.core.seats import TEAMS, Team
from baloot.scoring.checks import refuse
from baloot.scoring.counting import Pair


def winner(totals: Pair, game_points: Pair, buying_team: Team, ruleset: Ruleset) -> Team | None:
    """Who has won the match after a round in which `game_points` were written (2.32).

    The side that reached the target; if both have, the one that the rule set chooses, or nobody yet.
    """
    target = ruleset.match_target
    ours, theirs = totals[0] >= target, totals[1] >= target
    if ours and theirs:
        return _BOTH_OVER[ruleset.both_over](totals, game_points, buying_team)
    return TEAMS[theirs] if ours or theirs else None


def require_unfinished(scores: Pair, ruleset: Ruleset) -> None:
    """Raises Refusal (RECORD_INVALID) for scores before a round with which the match was over."""
    ours, theirs = scores
    target = ruleset.match_target
    if ours < 0 or theirs < 0:
        refuse("2.32", "scores", "the scores before the round are not below zero", scores=scores)
    if ours < target and theirs < target:
        return
    if ours >= target and theirs >= target and _goes_on(scores, ruleset):
        return
    refuse(
        "2.32",
        "scores",
        f"the match was over before this round: {ours} to {theirs} with {target} to win",
        scores=scores,
        match_target=target,
    )


def _goes_on(scores: Pair, ruleset: Ruleset) -> bool:
    """Whether a match can go on with both sides over. What the round before gave is not known here."""
    if ruleset.both_over is BothOver.HIGHER_TOTAL:
        return scores[0] == scores[1]
    return ruleset.both_over is BothOver.HAND_POINTS


def _higher(pair: Pair) -> Team | None:
    return None if pair[0] == pair[1] else TEAMS[pair[0] < pair[1]]


_BOTH_OVER: dict[BothOver, Callable[[Pair, Pair, Team], Team | None]] = {
    BothOver.HIGHER_TOTAL: lambda totals, _game_points, _buying_team: _higher(totals),
    BothOver.HAND_POINTS: lambda _totals, game_points, _buying_team: _higher(game_points),
    BothOver.BUYER_SIDE: lambda _totals, _game_points, buying_team: buying_team,
}
