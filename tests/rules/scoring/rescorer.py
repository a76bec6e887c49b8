"""A second scorer, written from the rules in another way, that must agree with the first for every rule set."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_DOWN, ROUND_HALF_UP, Decimal
from typing import Any

from baloot.core.score import RoundRecord
from baloot.core.seats import Team

BASE = {"HOKUM": 16, "SUN": 26}
POINT = {"HOKUM": 10, "SUN": 5}
WORTH = {
    "HOKUM": {"SIRA": 2, "FIFTY": 5, "HUNDRED": 10},
    "SUN": {"SIRA": 4, "FIFTY": 10, "HUNDRED": 20, "FOUR_HUNDRED": 40},
}
LEVELS = {"SINGLE": 1, "DOUBLE": 2, "THREE": 3, "FOUR": 4, "GAHWA": 5}
HALVES = {"DOWN": ROUND_HALF_DOWN, "UP": ROUND_HALF_UP}

Points = dict[Team, int]


class Retold:
    """One round, asked figure by figure."""

    def __init__(self, record: RoundRecord) -> None:
        self.record, self.play, self.bought = record, record.play, record.contract
        self.mode = record.contract.mode.name
        self.level = LEVELS[record.contract.level.name]
        self.buyer = record.contract.buyer.team
        self.base = BASE[self.mode]
        self.projects: Points = dict.fromkeys(Team, 0)
        for owned in record.play.projects:
            self.projects[owned.team] += WORTH[self.mode][owned.project.kind.name]
        self.baloot: Points = {team: 2 * sum(s.team == team for s in record.play.baloot) for team in Team}

    def chosen(self, option: str) -> str:
        value: Any = getattr(self.record.ruleset, option)
        return str(value.name)

    # The cards of each side in game points.

    def rounded(self, pile: int) -> int:
        """Card points to game points with decimal arithmetic."""
        tens = Decimal(pile) / 10
        if self.mode == "HOKUM":
            return int(tens.quantize(Decimal(1), HALVES[self.chosen("hokum_half")]))
        return int(tens * 2) if pile % 10 == 5 else 2 * int(tens.quantize(Decimal(1), ROUND_HALF_UP))

    def cards(self) -> Points:
        raw = self.play.card_points
        both = {team: self.rounded(raw[team]) for team in Team}
        if self.chosen("count_side") == "DEFENDERS":
            bound = self.bought.raises[-1].seat.team if self.bought.raises else self.buyer
            return {bound.other: both[bound.other], bound: self.base - both[bound.other]}
        if self.chosen("count_side") == "BOTH_REDUCE_LARGER":
            larger = max(Team, key=lambda team: raw[team])
            both[larger] -= sum(both.values()) - self.base
        return both

    # Who is ahead.

    def sweeper(self) -> Team | None:
        return next((team for team in Team if self.play.tricks[team] == 8), None)

    def ahead(self) -> Team:
        cards, raw = self.cards(), self.play.card_points
        extra = {team: self.projects[team] + self.baloot[team] for team in Team}

        def rank(team: Team) -> tuple[int, ...]:
            points = cards[team] + extra[team]
            abnat = raw[team] + POINT[self.mode] * extra[team]
            favoured = int(team == self.favoured())
            return {
                "GP_THEN_ABNAT": (points, abnat, favoured),
                "ABNAT": (abnat, favoured),
                "GP_ONLY": (points, favoured),
            }[self.chosen("success_basis")]

        return max(Team, key=rank)

    def favoured(self) -> Team:
        """Who wins an exact tie."""
        if self.bought.raises and self.chosen("tie_raised") == "LAST_RAISER_LOSES":
            return self.bought.raises[-1].seat.team.other
        if self.bought.raises and self.chosen("tie_raised") == "FIRST_DOUBLER_LOSES":
            return self.bought.raises[0].seat.team.other
        rule = self.chosen("tie_undoubled")
        safe = rule == "BUYER_SUCCEEDS" or (rule == "SUN_SUCCEEDS_HOKUM_FAILS" and self.mode == "SUN")
        return self.buyer if safe else self.buyer.other

    # What is written.

    def factor(self) -> int:
        """By what projects are multiplied."""
        return {
            "FULL": self.level,
            "CAP_X2": min(self.level, 2),
            "DOUBLE_ONLY": 2 if self.level == 2 else 1,
            "NONE": 1,
        }[self.chosen("project_multiplier")]

    def each_its_own(self) -> Points:
        cards = self.cards()
        return {
            team: cards[team] * self.level + self.projects[team] * self.factor() + self.baloot[team]
            for team in Team
        }

    def all_to(self, winner: Team) -> Points:
        """The round is lost by the other side, which is treated like a failed buyer."""
        loser = winner.other
        counted = {"TRANSFER": sum(self.projects.values()), "OWN_ONLY": self.projects[winner], "NONE": 0}
        rule = self.chosen("khosara_projects")
        if rule == "TRANSFER" and self.level > 1 and self.chosen("raised_projects") == "WINNERS_OWN":
            rule = "OWN_ONLY"
        written = {winner: self.base * self.level + counted[rule] * self.factor(), loser: 0}
        kept = {"TRANSFER": (sum(self.baloot.values()), 0), "NONE": (0, 0)}
        kept["OWNER_KEEPS"] = (self.baloot[winner], self.baloot[loser])
        for team, points in zip((winner, loser), kept[self.chosen("khosara_baloot")], strict=True):
            written[team] += points
        return written

    def kaboot_of(self, winner: Team) -> Points:
        projects = self.projects[winner]
        taken = {"VOID": False, "IF_BUYER": winner != self.buyer, "ALWAYS": True}
        if taken[self.chosen("kaboot_loser_projects")]:
            projects += self.projects[winner.other]
        value = self.kaboot_value(winner)
        once = {winner: value + projects + self.baloot[winner]}
        multiplied = {winner: value * self.level + projects * self.factor() + self.baloot[winner]}
        whole = self.all_to(winner) if self.level > 1 else once
        better = whole if whole[winner] > once[winner] else once
        how = {"FIXED": once, "MULTIPLIED": multiplied, "MAX_OF_BOTH": better}
        return how[self.chosen("kaboot_in_raised_hand")]

    def kaboot_value(self, winner: Team) -> int:
        record, rules = self.record, self.record.ruleset
        sun = self.mode == "SUN"
        on_ace = record.up_card is not None and str(record.up_card).startswith("A")
        buyer_led = record.dealer is not None and record.dealer.next == self.bought.buyer
        reverse = {
            "OFF": False,
            "FEDERATION": sun and winner != self.buyer and buyer_led and bool(record.buyer_had_ace),
            "ACE_UPCARD": sun and on_ace,
            "ACE_UPCARD_ANY": on_ace,
        }[self.chosen("reverse_kaboot")]
        return 88 if reverse else rules.kaboot_sun if sun else rules.kaboot_hokum

    def qaid_of(self, winner: Team) -> Points:
        rules = self.record.ruleset
        award = rules.qaid_sun if self.mode == "SUN" else rules.qaid_hokum
        return {winner: award * self.level + self.projects[winner] + self.baloot[winner]}

    def written(self) -> Points:
        qaid, sweeper = self.play.qaid, self.sweeper()
        claimed = None if qaid is None else qaid.claimer.team if qaid.right else qaid.claimer.team.other
        if self.level == 5:
            winner = claimed if claimed is not None else sweeper if sweeper is not None else self.ahead()
            return {winner: self.record.ruleset.match_target}
        if claimed is not None:
            return self.qaid_of(claimed)
        if sweeper is not None:
            return self.kaboot_of(sweeper)
        made = self.ahead() == self.buyer
        if self.level == 1:
            together = made or self.chosen("khosara") == "RAISED_ONLY"
        else:
            together = made and self.chosen("raised_points") == "SHARED"
        return self.each_its_own() if together else self.all_to(self.ahead())


def rescore(record: RoundRecord) -> tuple[tuple[int, int], Team | None]:
    """What each side writes, and who has won the match after it."""
    written = Retold(record).written()
    points = (written.get(Team(0), 0), written.get(Team(1), 0))
    return points, _over(record, points)


def _over(record: RoundRecord, points: tuple[int, int]) -> Team | None:
    totals = {team: record.scores[team] + points[team] for team in Team}
    reached = [team for team in Team if totals[team] >= record.ruleset.match_target]
    if len(reached) < 2:
        return reached[0] if reached else None
    rule = record.ruleset.both_over.name
    if rule == "BUYER_SIDE":
        return record.contract.buyer.team
    by: Callable[[Team], int] = totals.__getitem__ if rule == "HIGHER_TOTAL" else points.__getitem__
    return None if by(Team(0)) == by(Team(1)) else max(Team, key=by)
