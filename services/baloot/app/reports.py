"""The commands `history` and `explain`: what was played, as tables, and how its figures came about."""

from __future__ import annotations

from datetime import UTC, datetime

from baloot.api.core.v1.seats_pb2 import TeamPoints
from baloot.api.history.v1.history_pb2 import (
    MATCH_STATUS_ABANDONED,
    MATCH_STATUS_FINISHED,
    MATCH_STATUS_PLAYING,
    ROUND_END_KAWESH,
    ROUND_END_SCORED,
    GetMatchResponse,
    ListMatchesRequest,
    MatchStatus,
    MatchSummary,
    RoundHistory,
)
from baloot.app.errors import SetupError
from baloot.app.named import match_named
from baloot.app.reaching import Asked, history_of
from baloot.app.terminal.console import open_console
from baloot.app.terminal.language import Language
from baloot.app.terminal.names import contract_text, read_contract, shortened
from baloot.app.terminal.sheet import match_sheet, round_sheet
from baloot.app.terminal.terms import Word, comma, say
from baloot.codec.enums import SEAT, TEAM
from baloot.core.catalogue import CATALOGUE
from baloot.core.seats import SEATS, TEAMS, Seat
from baloot.table.codec import FORFEIT_REASON
from google.protobuf.timestamp_pb2 import Timestamp
from rich.console import Console

STATUSES = ("playing", "finished", "abandoned")
LISTED = 20


def status_number(status: str | None) -> MatchStatus.ValueType:
    """The status that a person typed. Raises SetupError for one that does not exist."""
    if status is None:
        return MatchStatus.Value("MATCH_STATUS_UNSPECIFIED")
    if status not in STATUSES:
        raise SetupError(f"--status {status}: choose one of {', '.join(STATUSES)}")
    return MatchStatus.Value(f"MATCH_STATUS_{status.upper()}")


async def list_matches(
    asked: Asked, player: str, status: str | None, count: int = LISTED, language: Language = Language.ENGLISH
) -> None:
    """Prints the latest matches, two lines each, which are whole on any terminal and in any file."""
    wanted = ListMatchesRequest(status=status_number(status), player_name=player, page_size=min(count, 100))
    await print_matches(asked, wanted, count, language)


async def print_matches(asked: Asked, wanted: ListMatchesRequest, count: int, language: Language) -> None:
    """Prints the latest matches that fit, at most `count`."""
    console, listed = open_console(), 0
    async with history_of(asked) as history:
        async for match in history.matches_of(wanted):
            console.print(_listed(match, language), highlight=False, soft_wrap=True)
            listed += 1
            if listed == count:
                break
    if not listed:
        console.print(say(Word.NO_MATCHES, language))


def _listed(match: MatchSummary, language: Language) -> str:
    status = say(Word.STATUS_FORFEITED if match.forfeit_reason else _STATUS_WORDS[match.status], language)
    if match.imported:
        status += comma(language) + say(Word.IMPORTED, language)
    sides = " · ".join(_sides(match, language))
    return f"{match.match_id}  {when(match.start_time)}  {status}\n    {sides}"


_STATUS_WORDS = {
    MATCH_STATUS_PLAYING: Word.STATUS_PLAYING,
    MATCH_STATUS_FINISHED: Word.STATUS_FINISHED,
    MATCH_STATUS_ABANDONED: Word.STATUS_ABANDONED,
}


def _sides(match: MatchSummary, language: Language) -> tuple[str, str]:
    """The points of each side and who sat there."""
    points = _pair(match.scores)
    names: tuple[list[str], list[str]] = ([], [])
    for seat in match.seats:
        names[SEAT.value_of[seat.seat].team].append(shortened(seat.player_name))
    ours, theirs = (f"{points[team]} {comma(language).join(names[team])}" for team in TEAMS)
    return ours, theirs


def _pair(points: TeamPoints) -> tuple[int, int]:
    return points.south_north, points.east_west


async def show_match(asked: Asked, match: str, language: Language) -> None:
    """Prints one match: who played, every round's sheet, and the match's."""
    match_id = str(match_named(match))
    async with history_of(asked) as history:
        answer = await history.match(match_id)
    console = open_console()
    console.print(*_heading(answer, language), sep="\n", highlight=False)
    for round_ in answer.rounds:
        _show_round(console, round_, language)
    scored = [round_ for round_ in answer.rounds if round_.end == ROUND_END_SCORED]
    rows = [(round_.number, read_contract(round_.contract), round_.score) for round_ in scored]
    if rows:
        console.print(match_sheet(rows, language))


async def explain_match(asked: Asked, match: str, number: int | None, language: Language) -> None:
    """Prints how every figure of a match came about, or those of one round. Raises SetupError for a round it has not."""
    match_id = str(match_named(match))
    async with history_of(asked) as history:
        answer = await history.match(match_id)
    rounds = [round_ for round_ in answer.rounds if number in (None, round_.number)]
    if number is not None and not rounds:
        there = f"rounds 1 to {len(answer.rounds)}" if answer.rounds else "no finished round"
        raise SetupError(f"--round {number}: the match has {there}")
    console = open_console()
    console.print(*_heading(answer, language), sep="\n", highlight=False)
    for round_ in rounds:
        _show_round(console, round_, language, _names(answer.match, language))


def _names(match: MatchSummary, language: Language) -> dict[Seat, str]:
    names = {SEAT.value_of[seat.seat]: shortened(seat.player_name) for seat in match.seats}
    return {seat: names.get(seat) or say(seat, language) for seat in SEATS}


def _heading(answer: GetMatchResponse, language: Language) -> list[str]:
    """Which match it is, and how it ended if it was not played out."""
    match = answer.match
    lines = [
        f"{say(Word.MATCH_OF, language)} {match.match_id}",
        " · ".join(_sides(match, language)),
        say(Word.STARTED, language, when(match.start_time)),
    ]
    if match.winner:
        lines.append(_won(match, language))
    else:
        lines.append(say(_STATUS_WORDS[match.status], language))
    lines.append(f"{say(Word.BY_RULES, language, _rules(match, language))} {match.ruleset_hash[:12]}")
    return lines if answer.rounds else [*lines, say(Word.NO_ROUNDS, language)]


def _won(match: MatchSummary, language: Language) -> str:
    winner = say(TEAM.value_of[match.winner], language)
    if match.forfeit_reason not in FORFEIT_REASON.value_of:
        return say(Word.WON_BY, language, winner)
    return say(
        Word.WON_BY_FORFEIT, language, winner, say(FORFEIT_REASON.value_of[match.forfeit_reason], language)
    )


def _rules(match: MatchSummary, language: Language) -> str:
    """The name of a rule set as the language has it; one that this version does not know keeps its own."""
    known = CATALOGUE.get(match.ruleset_name)
    return match.ruleset_name if known is None or language is Language.ENGLISH else known.arabic


def _show_round(
    console: Console, round_: RoundHistory, language: Language, names: dict[Seat, str] | None = None
) -> None:
    """With names, a scored round also tells who bought what and how high it was raised."""
    dealer = say(SEAT.value_of[round_.dealer], language)
    console.print(
        f"\n{say(Word.ROUND, language)} {round_.number} · {say(Word.DEALS, language, dealer)}", style="bold"
    )
    if round_.end == ROUND_END_SCORED:
        if names is not None:
            console.print(contract_text(read_contract(round_.contract), names, language))
        console.print(round_sheet(round_.score, read_contract(round_.contract), language))
    elif round_.end == ROUND_END_KAWESH:
        console.print(say(Word.KAWESH_SHOWN, language, say(SEAT.value_of[round_.kawesh], language)))
    else:
        console.print(say(Word.THROWN_IN, language))


def when(moment: Timestamp) -> str:
    """A moment to the minute, in UTC."""
    return datetime.fromtimestamp(moment.seconds, tz=UTC).strftime("%Y-%m-%d %H:%M")
