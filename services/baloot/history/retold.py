"""From the text of a match to what history tells of it, as from a log. Pure: the same text is always told alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from uuid import UUID

from baloot.core.auction import CallKind
from baloot.core.deal import DealEnd
from baloot.core.score import RoundScore
from baloot.core.seats import Seat
from baloot.core.transcript import DealTranscript, Transcript
from baloot.history.checked import Disagreement, Result
from baloot.history.fold import MatchOver, Told
from baloot.history.records import MatchStatus, MatchSummary, RoundHistory
from baloot.table.events import SECOND, Micros
from baloot.table.policy import ForfeitReason

MAX_NUMBER = 10_000
"""The greatest number of a deal that is taken in."""
MAX_FIGURE = 30_000
"""The greatest figure of a sheet, either way."""
MAX_WORDS = 200
"""The longest name, in characters."""
MAX_LISTED = 40
"""Lines of a sheet, figures of a line, raises and projects of a deal, each."""
_EARLIEST = date(1970, 1, 1)
_DAY: Micros = 86_400 * SECOND
_REASONS = {reason.name.lower(): reason for reason in ForfeitReason}


def retold(match_id: UUID, transcript: Transcript, results: Sequence[Result], imported_at: Micros) -> Told:
    """What is told of a match with the results of its deals.

    A text has a date at most, so all that happened did so at its beginning; without one, at the moment of the import.
    """
    at = _began(transcript.date, imported_at)
    south, east, north, west = transcript.players
    begun = MatchSummary(
        match_id,
        MatchStatus.PLAYING,
        transcript.ruleset.name,
        transcript.ruleset.hash,
        (south.name, east.name, north.name, west.name),
        at,
        player_ids=(south.account, east.account, north.account, west.account),
        event_id=transcript.event,
        imported=True,
    )
    over = MatchOver(_status(transcript), transcript.winner, at, _REASONS.get(transcript.forfeit))
    pairs = zip(transcript.deals, results, strict=True)
    rounds = tuple(_round(deal, deal.end, result, at) for deal, result in pairs if deal.end is not None)
    return Told(0, 0, begun, rounds, over, done=True)


def _began(day: date | None, imported_at: Micros) -> Micros:
    if day is None:
        return imported_at
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * SECOND


def _status(transcript: Transcript) -> MatchStatus:
    """It is not on, here; whoever left it without a result gave it up."""
    return MatchStatus.ABANDONED if transcript.winner is None else MatchStatus.FINISHED


def _round(deal: DealTranscript, end: DealEnd, result: Result, at: Micros) -> RoundHistory:
    if end is not DealEnd.SCORED:
        return RoundHistory(deal.number, deal.dealer, end, at, kawesh=_kawesh(deal))
    return RoundHistory(deal.number, deal.dealer, end, at, result.contract, deal.shown, result.score)


def _kawesh(deal: DealTranscript) -> Seat | None:
    """Who called Kawesh, if that ended the auction."""
    last = deal.calls[-1] if deal.calls else None
    return last.seat if last is not None and last.call.kind is CallKind.KAWESH else None


# What can be kept.


def unkeepable(transcript: Transcript, results: Sequence[Result], now: Micros) -> Disagreement | None:
    """What history cannot keep of a match, though it may be right: what is longer, larger or later than it has room for."""
    for text in _texts(transcript):
        if len(text) > MAX_WORDS:
            return Disagreement(None, f"names have at most {MAX_WORDS} characters")
    if (transcript.date is not None and not transcript.date >= _EARLIEST) or _began(
        transcript.date, now
    ) > now + _DAY:
        return Disagreement(None, f"the match began on {transcript.date}, which is before 1970 or to come")
    if transcript.forfeit and transcript.forfeit not in _REASONS:
        return Disagreement(None, f"a match is forfeited by one of {', '.join(_REASONS)}")
    for deal, result in zip(transcript.deals, results, strict=True):
        if (why := _too_much(deal, result)) is not None:
            return Disagreement(deal.number, why)
    return None


def _texts(transcript: Transcript) -> Iterable[str]:
    yield from (transcript.event, transcript.site, transcript.ruleset.name)
    for player in transcript.players:
        yield from player


def _too_much(deal: DealTranscript, result: Result) -> str | None:
    if deal.number > MAX_NUMBER:
        return f"deals are numbered up to {MAX_NUMBER}"
    if deal.end is DealEnd.SCORED and (result.score is None or result.contract is None):
        return "the deal was scored, and its contract or its sheet is not told and does not follow"
    raises = 0 if result.contract is None else len(result.contract.raises)
    lines = () if result.score is None else result.score.lines
    counts = (len(deal.shown), raises, len(lines), *(len(line.inputs) for line in lines))
    if max(counts) > MAX_LISTED:
        return f"there are more than {MAX_LISTED} of something in the deal"
    if result.score is not None and max(map(abs, _figures(result.score))) > MAX_FIGURE:
        return f"figures of the sheet are at most {MAX_FIGURE}"
    return None


def _figures(score: RoundScore) -> Iterable[int]:
    yield from (*score.card_points, *score.compared, *score.game_points, *score.totals)
    for line in score.lines:
        yield line.game_points
        yield from (value for _, value in line.inputs)
