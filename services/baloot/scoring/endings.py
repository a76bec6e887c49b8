"""The lines of each way in which a round can end (rules 2.26 to 2.31, 2.33).

The `inputs` of each kind of line:

- CARDS: where one pile is converted, `defenders_card_points` (or `buyers_card_points`), what they are `converted` to,
  and the `total` that both sides share; where both are, the side's `card_points`, what they are `converted` to and by
  how much that is `reduced`. In a raised round that both sides share also what is the side's
  `own` of these, and the `multiplier`.
- TAKES_ALL: `total` times `multiplier`, and both sides' `compared` and `raw` figures that decided it; after a kaboot in
  place of these its `tricks` and its `value`, which is less.
- KABOOT: the `tricks`, and the `value` of all of them times `multiplier`.
- PROJECT, BALOOT: `seat` and `value` times `multiplier` (0 when void); a project also its `project_kind`.
- QAID: the seat that claimed, the `ground`, whether the claim was `right`, and `value` times `multiplier`.
- GAHWA: the `match_target`, the `tricks` of the winner, and the figures that decided it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from baloot.core.contract import Level, Mode
from baloot.core.play import Qaid
from baloot.core.ruleset import (
    CountSide,
    KabootLoserProjects,
    KabootRaised,
    ReverseKaboot,
    SuccessBasis,
    TieRaised,
)
from baloot.core.score import LineKind, RoundResult
from baloot.core.seats import TEAMS, Team
from baloot.scoring.checks import TRICKS
from baloot.scoring.counting import Pair, counted_team
from baloot.scoring.holdings import Goes, Spoils, holdings, spoils_of_lost
from baloot.scoring.kaboot import is_reverse, kaboot_value
from baloot.scoring.sheet import Clauses, Draft, Inputs, Lines, Settled, line
from baloot.scoring.texts import GROUNDS, LEVELS, MODES, SEATS, Clause, Word
from baloot.scoring.verdict import Ground

# Members of an Enum are slow to get by name in Python 3.11, and these are needed in most rounds.
_DEFENDERS, _TO_OWNER, _TAKES_ALL = CountSide.DEFENDERS, Goes.TO_OWNER, LineKind.TAKES_ALL
_CARD_POINTS, _TIE = Ground.CARD_POINTS, Ground.TIE


def lines(settled: Settled) -> Lines:
    """All lines of a round. The points of a side are the sum of its lines."""
    if settled.verdict.takes_all is None:
        return _shared(settled)
    return _ENDINGS[settled.verdict.result](settled)


# Each side writes its own.


def _shared(settled: Settled) -> Lines:
    """Each side writes its own cards, projects and Baloot; in a raised round times the level (2.26, 2.27, 2.29)."""
    rule = "2.29" if settled.level > 1 else ""
    cards = _one_pile if settled.record.ruleset.count_side is _DEFENDERS else _own_piles
    return cards(settled) + holdings(settled, Spoils(_TO_OWNER, _TO_OWNER, settled.project_times, rule))


def _one_pile(settled: Settled) -> Lines:
    contract = settled.record.contract
    counted = counted_team(contract)
    pile, bought = settled.record.play.card_points[counted], counted is contract.buying_team
    return _pile_lines(pile, settled.figures.cards, counted, contract.level, bought=bought)


@cache
def _pile_lines(pile: int, cards: Pair, counted: Team, level: Level, *, bought: bool) -> Lines:
    """The cards of both sides. There are few such lines and they are written most often, so each is made once."""
    name, clause = _COUNTED[bought]
    inputs = ((name, pile), ("converted", cards[counted]), ("total", sum(cards)))
    return tuple(
        _cards(team, cards[team], level, inputs, (clause if team is counted else Clause.REST,))
        for team in TEAMS
    )


_COUNTED = (
    ("defenders_card_points", Clause.DEFENDERS_PILE),
    ("buyers_card_points", Clause.BUYERS_PILE),
)


def _own_piles(settled: Settled) -> Lines:
    return tuple(_own_pile(settled, team) for team in TEAMS)


def _own_pile(settled: Settled, team: Team) -> Draft:
    pile, own = settled.record.play.card_points[team], settled.figures.cards[team]
    converted = settled.counting.converted[pile]
    reduced = converted - own
    inputs = (("card_points", pile), ("converted", converted), ("reduced", reduced))
    clauses = (Clause.OWN_PILE, Clause.REDUCED) if reduced else (Clause.OWN_PILE,)
    return _cards(team, own, settled.record.contract.level, inputs, clauses)


def _cards(team: Team, own: int, level: Level, inputs: Inputs, clauses: Clauses) -> Draft:
    if level is Level.SINGLE:
        clauses = (*clauses, Clause.WHICH_IS) if clauses[-1] in _WITHOUT_RESULT else clauses
        return line(team, LineKind.CARDS, "2.26", own, inputs, clauses)
    inputs = (*inputs, ("own", own), ("multiplier", int(level)))
    clauses = (*clauses, Clause.CARDS_TIMES)
    return line(team, LineKind.CARDS, "2.29", own * level, inputs, clauses, ("level", LEVELS[level]))


_WITHOUT_RESULT = (Clause.REST, Clause.REDUCED)
"""The clauses that tell how cards are counted and not what they come to."""


# One side takes all.


def _takes_all(settled: Settled) -> Lines:
    """The failed buyer's points go across (2.28); a raised round goes to one side, multiplied (2.29)."""
    rule, award = _AWARDS[settled.level > 1]
    return _all_of_it(settled, rule, _deciding(settled), (*_reason(settled), award))


_AWARDS = (("2.28", Clause.KHOSARA), ("2.29", Clause.RAISED))


def _all_of_it(settled: Settled, rule: str, why: Inputs, clauses: Clauses) -> Lines:
    total, level = settled.counting.total, settled.level
    inputs = (("total", total), ("multiplier", level), *why)
    winner = settled.verdict.ahead
    return (
        line(winner, _TAKES_ALL, rule, total * level, inputs, clauses, settled.level_word),
        *holdings(settled, spoils_of_lost(settled, rule)),
    )


def _deciding(settled: Settled) -> Inputs:
    winner = settled.verdict.ahead
    _, compared, raw = settled.figures
    return (
        ("winner_compared", compared[winner]),
        ("loser_compared", compared[1 - winner]),
        ("winner_raw", raw[winner]),
        ("loser_raw", raw[1 - winner]),
    )


def _reason(settled: Settled) -> Clauses:
    """Why the winner is ahead, in words."""
    ground, basis = settled.verdict.ground, settled.record.ruleset.success_basis
    if ground is _CARD_POINTS and basis is SuccessBasis.GP_THEN_ABNAT:
        return Clause.EQUAL_GAME_POINTS, Clause.CARD_POINTS
    if ground is not _TIE:
        return _REASONS[ground]
    equal = Clause.EQUAL_WRITTEN if basis is SuccessBasis.GP_ONLY else Clause.EQUAL
    return equal, _tie_reason(settled)


_REASONS: dict[Ground, Clauses] = {
    Ground.TRICKS: (Clause.ALL_TRICKS,),
    Ground.GAME_POINTS: (Clause.GAME_POINTS,),
    Ground.CARD_POINTS: (Clause.CARD_POINTS,),
}


def _tie_reason(settled: Settled) -> Clause:
    contract = settled.record.contract
    rule = settled.record.ruleset.tie_raised if contract.raises else TieRaised.COUNTED_AS_USUAL
    if rule is TieRaised.LAST_RAISER_LOSES:
        return Clause.TIE_LAST_RAISER
    if rule is TieRaised.FIRST_DOUBLER_LOSES:
        return Clause.TIE_DOUBLER
    safe = settled.verdict.ahead is contract.buying_team
    return Clause.TIE_BUYER_SAFE if safe else Clause.TIE_BUYER_FAILS


# Kaboot.


def _kaboot(settled: Settled) -> Lines:
    """All eight tricks, by what the rule set makes of them in a raised round (2.30)."""
    how = settled.record.ruleset.kaboot_in_raised_hand
    if settled.level == 1 or how is KabootRaised.FIXED:
        return _kaboot_times(settled, 1, 1)
    if how is KabootRaised.MULTIPLIED:
        return _kaboot_times(settled, settled.level, settled.project_times)
    return _better(settled, _kaboot_times(settled, 1, 1), _raised_kaboot(settled))


def _kaboot_times(settled: Settled, times: int, project_times: int) -> Lines:
    record, winner = settled.record, settled.verdict.ahead
    value = kaboot_value(record, winner)
    inputs = (("tricks", TRICKS), ("value", value), ("multiplier", times))
    clause, mode = _kaboot_clause(settled), ("mode", MODES[record.contract.mode])
    spoils = Spoils(_kaboot_projects(settled), Goes.WINNERS_OWN, project_times, "2.30", Clause.BECAUSE_KABOOT)
    return (
        line(winner, LineKind.KABOOT, "2.30", value * times, inputs, (clause,), mode),
        *holdings(settled, spoils),
    )


def _kaboot_clause(settled: Settled) -> Clause:
    if not is_reverse(settled.record, settled.verdict.ahead):
        return Clause.KABOOT
    reverse = settled.record.ruleset.reverse_kaboot
    return Clause.REVERSE_KABOOT if reverse is ReverseKaboot.FEDERATION else Clause.KABOOT_ON_ACE


def _kaboot_projects(settled: Settled) -> Goes:
    rule = settled.record.ruleset.kaboot_loser_projects
    losers_bought = settled.verdict.ahead is not settled.record.contract.buying_team
    taken = rule is KabootLoserProjects.ALWAYS or (rule is KabootLoserProjects.IF_BUYER and losers_bought)
    return Goes.ALL_TO_WINNER if taken else Goes.WINNERS_OWN


def _raised_kaboot(settled: Settled) -> Lines:
    """A kaboot counted like any raised round."""
    why = (("tricks", TRICKS), ("value", kaboot_value(settled.record, settled.verdict.ahead)))
    return _all_of_it(settled, "2.30", why, (Clause.ALL_TRICKS, Clause.RAISED_KABOOT))


def _better(settled: Settled, first: Lines, second: Lines) -> Lines:
    """What gives the winner more, the first if both give the same."""
    winner = settled.verdict.ahead
    ours, theirs = (
        sum(one.plain.game_points for one in each if one.plain.team is winner) for each in (first, second)
    )
    return second if theirs > ours else first


# Qaid and Gahwa.


def _qaid(settled: Settled) -> Lines:
    """A Qaid gives its winner 16 or 26 times the level, and his side's own projects and Baloot once (2.33)."""
    record, qaid = settled.record, settled.record.play.qaid
    assert qaid is not None
    ruleset, level = record.ruleset, settled.level
    value = ruleset.qaid_sun if record.contract.mode is Mode.SUN else ruleset.qaid_hokum
    inputs = (
        ("seat", int(qaid.claimer)),
        ("ground", qaid.claim.ground.value),
        ("right", int(qaid.right)),
        ("value", value),
        ("multiplier", level),
    )
    spoils = Spoils(Goes.WINNERS_OWN, Goes.WINNERS_OWN, 1, "2.33", Clause.BECAUSE_QAID)
    clauses = (_qaid_reason(qaid), Clause.QAID_AWARD)
    return (
        line(qaid.winner, LineKind.QAID, "2.33", value * level, inputs, clauses, *_qaid_words(qaid)),
        *holdings(settled, spoils),
    )


def _qaid_reason(qaid: Qaid) -> Clause:
    return Clause.QAID_RIGHT if qaid.right else Clause.QAID_WRONG


def _qaid_words(qaid: Qaid) -> tuple[Word, ...]:
    return ("seat", SEATS[qaid.claimer]), ("ground", GROUNDS[qaid.claim.ground])


def _gahwa(settled: Settled) -> Lines:
    """A Gahwa gives the match to the winner of its round and nothing to the other side (2.31)."""
    record, winner = settled.record, settled.verdict.ahead
    target, qaid = record.ruleset.match_target, record.play.qaid
    inputs = (("match_target", target), ("tricks", record.play.tricks[winner]), *_deciding(settled))
    reason, words = (_reason(settled), ()) if qaid is None else ((_qaid_reason(qaid),), _qaid_words(qaid))
    return (line(winner, LineKind.GAHWA, "2.31", target, inputs, (*reason, Clause.GAHWA), *words),)


_ENDINGS: dict[RoundResult, Callable[[Settled], Lines]] = {
    RoundResult.MADE: _takes_all,
    RoundResult.KHOSARA: _takes_all,
    RoundResult.KABOOT: _kaboot,
    RoundResult.GAHWA: _gahwa,
    RoundResult.QAID: _qaid,
}
