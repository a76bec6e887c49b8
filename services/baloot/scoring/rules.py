"""What a finished round is worth (rules 2.26 to 2.32).

First it is decided who is ahead: all eight tricks, else game points, else card points, else the rule for ties. Then
lines are written; the score of a side is the sum of its lines. The `inputs` of each kind of line:

- CARDS: `defenders_card_points`, what they are `converted` to, and the `total` that both sides share.
- TAKES_ALL: `total` times `multiplier`, and both sides' `compared` and `raw` figures that decided it.
- KABOOT: the `tricks` and the `value` of all of them.
- PROJECT, BALOOT: `seat` and `value` times `multiplier` (0 when void); a project also its `project_kind`.
- GAHWA: the `match_target`, and the figures that decided it.
"""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.contract import Contract, Level, Mode
from baloot.core.play import PlayOutcome
from baloot.core.projects import BALOOT_POINTS, PROJECT_POINTS, ProjectKind, SeatProject
from baloot.core.ruleset import Ruleset
from baloot.core.score import LineKind, RoundRecord, RoundResult, RoundScore, ScoreLine
from baloot.core.seats import TEAMS, Seat, Team
from baloot.scoring.checks import CARD_POINTS, TRICKS, refuse, require_possible

Pair = tuple[int, int]
Inputs = tuple[tuple[str, int], ...]


def hokum_game_points(raw: int) -> int:
    """The game points of a pile in Hokum: tens, with a half dropped (2.26)."""
    return (raw + 4) // 10


def sun_game_points(raw: int) -> int:
    """The game points of a pile in Sun: rounded tens twice, while a pile that ends in 5 is not rounded (2.26)."""
    tens, units = divmod(raw, 10)
    return 2 * tens + (units >= 5) + (units > 5)


@dataclass(frozen=True, slots=True)
class Counting:
    """How one mode is counted (section 1). `converted` has the game points of each number of card points."""

    total: int
    raw_per_game_point: int
    converted: tuple[int, ...]
    project_points: dict[ProjectKind, int]


COUNTING: dict[Mode, Counting] = {
    Mode.HOKUM: Counting(
        16,
        10,
        tuple(hokum_game_points(raw) for raw in range(CARD_POINTS[Mode.HOKUM] + 1)),
        PROJECT_POINTS[Mode.HOKUM],
    ),
    Mode.SUN: Counting(
        26,
        5,
        tuple(sun_game_points(raw) for raw in range(CARD_POINTS[Mode.SUN] + 1)),
        PROJECT_POINTS[Mode.SUN],
    ),
}


@dataclass(frozen=True, slots=True)
class Figures:
    """What is compared, each figure by team. `cards` are game points, `compared` adds projects and Baloot."""

    cards: Pair
    compared: Pair
    raw: Pair


def score_round(record: RoundRecord) -> RoundScore:
    """The score sheet of a finished round.

    Raises Refusal (RECORD_INVALID) for a record that no round can have led to. The rule set must be playable
    (`baloot.core.ruleset.require_playable`).
    """
    require_possible(record)
    _require_unfinished(record.scores, record.ruleset)
    contract, play = record.contract, record.play
    counting = COUNTING[contract.mode]
    figures = compare(counting, contract, play)
    result, winner = decide(contract, play, figures)
    lines = _lines(record, counting, figures, result, winner)
    game_points = _sums(lines)
    totals = (record.scores[0] + game_points[0], record.scores[1] + game_points[1])
    return RoundScore(
        result=result,
        round_winner=winner,
        card_points=play.card_points,
        compared=figures.compared,
        lines=lines,
        game_points=game_points,
        totals=totals,
        winner=match_winner(totals, record.ruleset),
    )


def match_winner(totals: Pair, ruleset: Ruleset) -> Team | None:
    """Who has won the match: the higher total once the target is reached; nobody when both are equal (2.32)."""
    ours, theirs = totals
    if ours == theirs or max(ours, theirs) < ruleset.match_target:
        return None
    return TEAMS[ours < theirs]


def _require_unfinished(scores: Pair, ruleset: Ruleset) -> None:
    if min(scores) < 0:
        refuse("scores", "The scores before the round are not below zero.", scores=scores)
    if match_winner(scores, ruleset) is not None:
        refuse(
            "scores",
            f"The match was over before this round: {scores[0]} to {scores[1]} with {ruleset.match_target} to win.",
            scores=scores,
            match_target=ruleset.match_target,
        )


# Who is ahead.


def counted_team(contract: Contract) -> Team:
    """Whose pile is converted (2.26): the side opposing the last raiser, or the defenders when nobody raised."""
    return _pledged_team(contract).other


def _pledged_team(contract: Contract) -> Team:
    """The side that has to prove itself: the last raiser's, or the buyer's when nobody raised."""
    return contract.raises[-1].seat.team if contract.raises else contract.buying_team


def compare(counting: Counting, contract: Contract, play: PlayOutcome) -> Figures:
    """The game points and the raw points of both sides with projects and Baloot (2.26, 2.27)."""
    cards = _card_game_points(counting, counted_team(contract), play.card_points)
    extra = [0, 0]
    for owned in play.projects:
        extra[owned.team] += counting.project_points[owned.project.kind]
    for seat in play.baloot:
        extra[seat.team] += BALOOT_POINTS
    rate = counting.raw_per_game_point
    return Figures(
        cards=cards,
        compared=(cards[0] + extra[0], cards[1] + extra[1]),
        raw=(play.card_points[0] + rate * extra[0], play.card_points[1] + rate * extra[1]),
    )


def _card_game_points(counting: Counting, counted: Team, card_points: Pair) -> Pair:
    converted = counting.converted[card_points[counted]]
    rest = counting.total - converted
    return (rest, converted) if counted else (converted, rest)


def kaboot_team(tricks: Pair) -> Team | None:
    """The side that won all eight tricks (2.30)."""
    return TEAMS[tricks[1] == TRICKS] if TRICKS in tricks else None


def leading_team(contract: Contract, figures: Figures) -> Team:
    """The side with more game points, else with more raw points, else the one that ties favour (2.27)."""
    for ours, theirs in (figures.compared, figures.raw):
        if ours != theirs:
            return TEAMS[ours < theirs]
    return tie_team(contract)


def tie_team(contract: Contract) -> Team:
    """Who wins an exact tie (2.27): the buyer, but in a raised round the side opposing the last raiser."""
    return counted_team(contract) if contract.raises else contract.buying_team


def decide(contract: Contract, play: PlayOutcome, figures: Figures) -> tuple[RoundResult, Team | None]:
    """How the round ended, and the side that takes all; None when each side writes its own (2.27 to 2.31)."""
    kaboot = kaboot_team(play.tricks)
    ahead = leading_team(contract, figures) if kaboot is None else kaboot
    if contract.level is Level.GAHWA:
        return RoundResult.GAHWA, ahead
    if kaboot is not None:
        return RoundResult.KABOOT, kaboot
    if ahead is not contract.buying_team:
        return RoundResult.KHOSARA, ahead
    return RoundResult.MADE, ahead if contract.raises else None


# The lines.


def _lines(
    record: RoundRecord, counting: Counting, figures: Figures, result: RoundResult, winner: Team | None
) -> tuple[ScoreLine, ...]:
    if winner is None:
        return _shared_lines(record, counting, figures)
    if result is RoundResult.GAHWA:
        return (_gahwa_line(record, figures, winner),)
    if result is RoundResult.KABOOT:
        return _kaboot_lines(record, counting, winner)
    return _takes_all_lines(record, counting, figures, winner)


def _shared_lines(record: RoundRecord, counting: Counting, figures: Figures) -> tuple[ScoreLine, ...]:
    """The buyer made an unraised round: each side writes its own cards, projects and Baloot (2.26, 2.27)."""
    counted = counted_team(record.contract)
    inputs = (
        ("defenders_card_points", record.play.card_points[counted]),
        ("converted", figures.cards[counted]),
        ("total", counting.total),
    )
    return (
        *(ScoreLine(team, LineKind.CARDS, "2.26", figures.cards[team], inputs) for team in TEAMS),
        *(_project_line(counting, owned, owned.team, "2.21", 1) for owned in record.play.projects),
        *(_baloot_line(seat, seat.team, "2.25", 1) for seat in record.play.baloot),
    )


def _takes_all_lines(
    record: RoundRecord, counting: Counting, figures: Figures, winner: Team
) -> tuple[ScoreLine, ...]:
    """The failed buyer's points go across (2.28); a raised round goes to one side, multiplied (2.29)."""
    multiplier = round_multiplier(record.contract)
    rule = "2.29" if record.contract.raises else "2.28"
    inputs = (("total", counting.total), ("multiplier", multiplier), *_deciding(figures, winner))
    return (
        ScoreLine(winner, LineKind.TAKES_ALL, rule, counting.total * multiplier, inputs),
        *(_project_line(counting, owned, winner, rule, multiplier) for owned in record.play.projects),
        *(_baloot_line(seat, winner, rule, 1) for seat in record.play.baloot),
    )


def round_multiplier(contract: Contract) -> int:
    """By what the round and its projects are multiplied (2.29): 1 to 4."""
    return int(contract.level)


def _kaboot_lines(record: RoundRecord, counting: Counting, winner: Team) -> tuple[ScoreLine, ...]:
    """A kaboot is worth the same however the round is raised; what the other side has is void (2.30)."""
    value = kaboot_value(record.contract.mode, record.ruleset)
    inputs = (("tricks", TRICKS), ("value", value))
    play = record.play
    return (
        ScoreLine(winner, LineKind.KABOOT, "2.30", value, inputs),
        *(
            _project_line(counting, owned, owned.team, "2.30", int(owned.team is winner))
            for owned in play.projects
        ),
        *(_baloot_line(seat, seat.team, "2.30", int(seat.team is winner)) for seat in play.baloot),
    )


def kaboot_value(mode: Mode, ruleset: Ruleset) -> int:
    """The game points of all eight tricks (2.30)."""
    return ruleset.kaboot_sun if mode is Mode.SUN else ruleset.kaboot_hokum


def _gahwa_line(record: RoundRecord, figures: Figures, winner: Team) -> ScoreLine:
    """A Gahwa gives the match to the winner of its round and nothing to the other side (2.31)."""
    target = record.ruleset.match_target
    tricks = record.play.tricks[winner]
    inputs = (("match_target", target), ("tricks", tricks), *_deciding(figures, winner))
    return ScoreLine(winner, LineKind.GAHWA, "2.31", target, inputs)


def _deciding(figures: Figures, winner: Team) -> Inputs:
    loser = 1 - winner
    return (
        ("winner_compared", figures.compared[winner]),
        ("loser_compared", figures.compared[loser]),
        ("winner_raw", figures.raw[winner]),
        ("loser_raw", figures.raw[loser]),
    )


def _project_line(
    counting: Counting, owned: SeatProject, team: Team, rule: str, multiplier: int
) -> ScoreLine:
    kind = owned.project.kind
    value = counting.project_points[kind]
    inputs = (
        ("seat", int(owned.seat)),
        ("project_kind", int(kind)),
        ("value", value),
        ("multiplier", multiplier),
    )
    return ScoreLine(team, LineKind.PROJECT, rule, value * multiplier, inputs)


def _baloot_line(seat: Seat, team: Team, rule: str, multiplier: int) -> ScoreLine:
    inputs = (("seat", int(seat)), ("value", BALOOT_POINTS), ("multiplier", multiplier))
    return ScoreLine(team, LineKind.BALOOT, rule, BALOOT_POINTS * multiplier, inputs)


def _sums(lines: tuple[ScoreLine, ...]) -> Pair:
    sums = [0, 0]
    for line in lines:
        sums[line.team] += line.game_points
    return sums[0], sums[1]
