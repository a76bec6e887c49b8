"""What a finished round is worth (rules 2.26 to 2.33).

First it is decided who is ahead: by a Qaid, all eight tricks, or what the rule set compares. Then lines are written; the
score of a side is the sum of its lines (`endings` tells what their inputs are).
"""

from __future__ import annotations

from baloot.core.score import RoundRecord, RoundScore
from baloot.scoring import match
from baloot.scoring.checks import completed, require_possible
from baloot.scoring.combinations import require_holdings
from baloot.scoring.counting import Figures, Pair, compare, counting_of
from baloot.scoring.endings import lines
from baloot.scoring.sheet import Lines, settle
from baloot.scoring.verdict import decide

_NOTHING_COMPARED = Figures((0, 0), (0, 0), (0, 0))


def score_round(record: RoundRecord, *, explained: bool = True) -> RoundScore:
    """The score sheet of a finished round; its lines have sentences unless they need not be `explained`.

    Raises Refusal (RECORD_INVALID) for a record that no round can have led to, or that lacks what its rule set asks for.
    The rule set must be playable (`baloot.core.playable.require_playable`).
    """
    require_possible(record)
    require_holdings(record)
    match.require_unfinished(record.scores, record.ruleset)
    record = completed(record)
    contract, play, ruleset = record.contract, record.play, record.ruleset
    counting = counting_of(contract.mode, ruleset)
    figures = compare(counting, contract, play, ruleset) if play.qaid is None else _NOTHING_COMPARED
    verdict = decide(record, figures)
    written = lines(settle(record, counting, figures, verdict))
    game_points = _sums(written)
    totals = (record.scores[0] + game_points[0], record.scores[1] + game_points[1])
    return RoundScore(
        result=verdict.result,
        round_winner=verdict.takes_all,
        card_points=play.card_points,
        compared=figures.compared,
        lines=tuple([draft.explained() if explained else draft.plain for draft in written]),
        game_points=game_points,
        totals=totals,
        winner=match.winner(totals, game_points, contract.buying_team, ruleset),
    )


def _sums(written: Lines) -> Pair:
    sums = [0, 0]
    for draft in written:
        sums[draft.plain.team] += draft.plain.game_points
    return sums[0], sums[1]
