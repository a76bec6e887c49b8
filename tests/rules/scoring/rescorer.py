"""A second scorer, written from the rules in another way, that must agree with the first."""

from __future__ import annotations

from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal

from baloot.core.score import RoundRecord
from baloot.core.seats import Team

BASE = {"HOKUM": 16, "SUN": 26}
KABOOT = {"HOKUM": 25, "SUN": 44}
POINT = {"HOKUM": 10, "SUN": 5}
WORTH = {
    "HOKUM": {"SIRA": 2, "FIFTY": 5, "HUNDRED": 10},
    "SUN": {"SIRA": 4, "FIFTY": 10, "HUNDRED": 20, "FOUR_HUNDRED": 40},
}


def rounded(mode: str, pile: int) -> int:
    """Card points to game points with decimal arithmetic."""
    tens = Decimal(pile) / 10
    if mode == "HOKUM":
        return int(tens.quantize(Decimal(1), ROUND_HALF_DOWN))
    return int(tens * 2) if pile % 10 == 5 else 2 * int(tens.quantize(Decimal(1), ROUND_HALF_UP))


def rescore(record: RoundRecord) -> tuple[tuple[int, int], Team | None]:
    """What each side writes, and who has won the match after it."""
    mode, level = record.contract.mode.name, record.contract.level.name
    multiplier = {"SINGLE": 1, "DOUBLE": 2, "THREE": 3, "FOUR": 4, "GAHWA": 0}[level]
    projects = dict.fromkeys(Team, 0)
    for owned in record.play.projects:
        projects[owned.team] += WORTH[mode][owned.project.kind.name]
    baloots = {team: 2 * sum(seat.team == team for seat in record.play.baloot) for team in Team}

    sweep = [team for team in Team if record.play.tricks[team] == 8]
    buyer = record.contract.buyer.team
    ahead = sweep[0] if sweep else _ahead(record, mode, projects, baloots)
    if level == "GAHWA":
        written = {ahead: record.ruleset.match_target}
    elif sweep:
        written = {ahead: KABOOT[mode] + projects[ahead] + baloots[ahead]}
    elif level == "SINGLE" and ahead == buyer:
        defenders = rounded(mode, record.play.card_points[buyer.other])
        written = {buyer: BASE[mode] - defenders, buyer.other: defenders}
        written = {team: points + projects[team] + baloots[team] for team, points in written.items()}
    else:
        written = {ahead: (BASE[mode] + sum(projects.values())) * multiplier + sum(baloots.values())}
    points = (written.get(Team(0), 0), written.get(Team(1), 0))
    return points, _over(record, points)


def _ahead(record: RoundRecord, mode: str, projects: dict[Team, int], baloots: dict[Team, int]) -> Team:
    """Best of (game points, card points, favoured by a tie)."""
    raises = record.contract.raises
    bound = raises[-1].seat.team if raises else record.contract.buyer.team
    favoured = bound.other if raises else bound
    pile = rounded(mode, record.play.card_points[bound.other])
    cards = {bound.other: pile, bound: BASE[mode] - pile}

    def rank(team: Team) -> tuple[int, int, bool]:
        extra = projects[team] + baloots[team]
        return cards[team] + extra, record.play.card_points[team] + POINT[mode] * extra, team == favoured

    return max(Team, key=rank)


def _over(record: RoundRecord, points: tuple[int, int]) -> Team | None:
    totals = {team: record.scores[team] + points[team] for team in Team}
    over = sorted((total, team) for team, total in totals.items() if total >= record.ruleset.match_target)
    return over[-1][1] if over and len(set(totals.values())) == 2 else None
