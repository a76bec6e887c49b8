"""History's records as rows of its tables, and back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any
from uuid import UUID

from baloot.core.cards import CARDS, SUITS
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.deal import DealEnd
from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.score import LineKind, RoundResult, RoundScore, ScoreLine
from baloot.core.seats import SEATS, TEAMS
from baloot.history.figures import Record
from baloot.history.records import Match, MatchStatus, MatchSummary, RoundHistory, Span
from baloot.history.replays import Eyes
from baloot.history.schema import LineRow, MatchRow, ProjectRow, RaiseRow, RoundRow
from baloot.history.shares import Share
from baloot.kit.database import to_micros, to_moment
from baloot.table.policy import ForfeitReason

Values = dict[str, Any]


def match_values(match: MatchSummary) -> Values:
    return {
        "match_id": match.match_id,
        "status": match.status.value,
        "ruleset_name": match.ruleset_name,
        "ruleset_hash": match.ruleset_hash,
        "score_south_north": match.scores[0],
        "score_east_west": match.scores[1],
        "rounds": match.rounds,
        "winner": match.winner,
        "started_at": to_moment(match.started_at),
        "ended_at": None if match.ended_at is None else to_moment(match.ended_at),
        "forfeit": match.forfeit and match.forfeit.value,
        "event_id": match.event_id,
        "rematch_of": match.rematch_of,
        "imported": match.imported,
    }


def seat_values(match: MatchSummary) -> list[Values]:
    key = {"match_id": match.match_id, "started_at": to_moment(match.started_at)}
    seated = zip(SEATS, match.players, match.player_ids, strict=True)
    return [{**key, "seat": seat, "player_name": name, "player_id": known} for seat, name, known in seated]


def pair_values(match: MatchSummary) -> Iterator[Values]:
    """Each account at a match beside each other one."""
    key = {"match_id": match.match_id, "started_at": to_moment(match.started_at)}
    for seat, other in permutations(SEATS, 2):
        ours, theirs = match.player_ids[seat], match.player_ids[other]
        if ours and theirs and ours != theirs:
            accounts = {"player_id": ours, "other_id": theirs, "partner": seat.team is other.team}
            yield {**key, "seat": seat, "other": other, **accounts}


def round_values(match_id: UUID, round_: RoundHistory) -> Values:
    return {
        "match_id": match_id,
        "number": round_.number,
        "dealer": round_.dealer,
        "end": round_.end.value,
        "ended_at": to_moment(round_.ended_at),
        "kawesh": round_.kawesh,
        **_span_values(round_.span),
        **_contract_values(round_.contract),
        **_score_values(round_.score),
    }


def _span_values(span: Span | None) -> Values:
    first, last = span or (None, None)
    return {"first_sequence": first, "last_sequence": last}


def to_span(first: int | None, last: int | None) -> Span | None:
    """The span of a round; None where it is not stored."""
    return None if first is None or last is None else Span(first, last)


def _contract_values(contract: Contract | None) -> Values:
    if contract is None:
        return dict.fromkeys(("mode", "trump", "buyer", "taker", "bidding"))
    return {
        "mode": contract.mode.value,
        "trump": contract.trump,
        "buyer": contract.buyer,
        "taker": contract.taker,
        "bidding": contract.bidding,
    }


_PAIRS = (
    ("card_points", "card_points"),
    ("compared", "compared"),
    ("game_points", "game_points"),
    ("totals", "total"),
)
_SIDES = ("south_north", "east_west")


def _score_values(score: RoundScore | None) -> Values:
    values: Values = {
        f"{column}_{side}": None if score is None else getattr(score, pair)[n]
        for pair, column in _PAIRS
        for n, side in enumerate(_SIDES)
    }
    values["result"] = None if score is None else score.result.value
    values["round_winner"] = None if score is None else score.round_winner
    values["winner"] = None if score is None else score.winner
    return values


def raise_values(match_id: UUID, round_: RoundHistory) -> Iterator[Values]:
    for step, made in enumerate(round_.contract.raises if round_.contract else ()):
        key = {"match_id": match_id, "number": round_.number, "step": step}
        yield {**key, "seat": made.seat, "level": made.level, "locked": made.locked}


def project_values(match_id: UUID, round_: RoundHistory) -> Iterator[Values]:
    for place, owned in enumerate(round_.projects):
        key = {"match_id": match_id, "number": round_.number, "place": place}
        yield {**key, "seat": owned.seat, "kind": owned.project.kind, "cards": list(owned.project.cards)}


def line_values(match_id: UUID, round_: RoundHistory) -> Iterator[Values]:
    for place, line in enumerate(round_.score.lines if round_.score else ()):
        yield {
            "match_id": match_id,
            "number": round_.number,
            "place": place,
            "team": line.team,
            "kind": line.kind.value,
            "rule": line.rule,
            "game_points": line.game_points,
            "inputs": [list(pair) for pair in line.inputs],
            "english": line.english,
            "arabic": line.arabic,
        }


def to_summary(row: MatchRow) -> MatchSummary:
    names = [seat.player_name for seat in row.seats]
    ids = [seat.player_id for seat in row.seats]
    return MatchSummary(
        match_id=row.match_id,
        status=MatchStatus(row.status),
        ruleset_name=row.ruleset_name,
        ruleset_hash=row.ruleset_hash,
        players=(names[0], names[1], names[2], names[3]),
        started_at=to_micros(row.started_at),
        scores=(row.score_south_north, row.score_east_west),
        rounds=row.rounds,
        winner=None if row.winner is None else TEAMS[row.winner],
        ended_at=None if row.ended_at is None else to_micros(row.ended_at),
        forfeit=None if row.forfeit is None else ForfeitReason(row.forfeit),
        player_ids=(ids[0], ids[1], ids[2], ids[3]),
        event_id=row.event_id,
        rematch_of=row.rematch_of,
        imported=row.imported,
    )


def to_record(row: Any) -> Record:
    """A row of sums."""
    last = row.last_started_at
    return Record(
        row.matches,
        row.wins,
        int(row.rounds),
        int(row.points),
        int(row.points_against),
        int(row.kaboots),
        int(row.kaboots_against),
        row.last_match,
        None if last is None else to_micros(last),
    )


def to_share(row: Any) -> Share:
    """A row of links, or what was selected of one."""
    eyes = Eyes(None if row.viewer is None else SEATS[row.viewer], row.open)
    times = to_micros(row.created_at), to_micros(row.expires_at)
    return Share(row.share_id, row.match_id, row.number, eyes, *times)


def to_match(row: MatchRow) -> Match:
    return Match(to_summary(row), tuple(_to_round(round_) for round_ in row.round_rows))


def _to_round(row: RoundRow) -> RoundHistory:
    return RoundHistory(
        number=row.number,
        dealer=SEATS[row.dealer],
        end=DealEnd(row.end),
        ended_at=to_micros(row.ended_at),
        contract=_to_contract(row),
        projects=tuple(_to_project(project) for project in row.projects),
        score=_to_score(row),
        kawesh=None if row.kawesh is None else SEATS[row.kawesh],
        span=to_span(row.first_sequence, row.last_sequence),
    )


def _to_contract(row: RoundRow) -> Contract | None:
    if row.mode is None or row.buyer is None or row.taker is None or row.bidding is None:
        return None
    return Contract(
        mode=Mode(row.mode),
        trump=None if row.trump is None else SUITS[row.trump],
        buyer=SEATS[row.buyer],
        taker=SEATS[row.taker],
        bidding=Bidding(row.bidding),
        raises=tuple(_to_raise(made) for made in row.raises),
    )


def _to_raise(row: RaiseRow) -> Raise:
    return Raise(SEATS[row.seat], Level(row.level), row.locked)


def _to_project(row: ProjectRow) -> SeatProject:
    cards = tuple(CARDS[card] for card in row.cards)
    return SeatProject(SEATS[row.seat], Project(ProjectKind(row.kind), cards))


def _to_score(row: RoundRow) -> RoundScore | None:
    if row.result is None:
        return None
    pairs = {pair: tuple(getattr(row, f"{column}_{side}") for side in _SIDES) for pair, column in _PAIRS}
    return RoundScore(
        result=RoundResult(row.result),
        round_winner=None if row.round_winner is None else TEAMS[row.round_winner],
        card_points=pairs["card_points"],
        compared=pairs["compared"],
        lines=tuple(_to_line(line) for line in row.lines),
        game_points=pairs["game_points"],
        totals=pairs["totals"],
        winner=None if row.winner is None else TEAMS[row.winner],
    )


def _to_line(row: LineRow) -> ScoreLine:
    inputs = tuple((name, value) for name, value in row.inputs)
    return ScoreLine(
        TEAMS[row.team], LineKind(row.kind), row.rule, row.game_points, inputs, row.english, row.arabic
    )
