"""The commands of `history` that ask for more than lists: replays, what players did, and links."""

from __future__ import annotations

from uuid import uuid4

from baloot.api.core.v1.seats_pb2 import Seat as SeatNumber
from baloot.api.history.v1.history_pb2 import (
    CreateShareRequest,
    GetReplayRequest,
    ListMatchesRequest,
    Outcome,
    Record,
    SeenRound,
)
from baloot.api.history.v1.history_pb2 import Share as ShareMessage
from baloot.app.counting import counted, counted_matches
from baloot.app.errors import SetupError
from baloot.app.named import match_named
from baloot.app.reaching import Asked, history_of
from baloot.app.reports import status_number
from baloot.app.terminal.console import open_console
from baloot.app.terminal.language import Language
from baloot.app.terminal.narrator import Narrator
from baloot.client import follow
from baloot.client.history import HistoryClient
from baloot.client.watching import Update
from baloot.codec.enums import PROJECT_KIND, SEAT
from baloot.core.seats import SEATS
from baloot.table.codec import decode_time, encode_duration, readable
from baloot.table.events import SECOND

OUTCOMES = ("won", "lost")
_ACCOUNTS = "an account is named by its id, not by a player's name: a name goes with `baloot history matches --player NAME`"
_DAY = 86_400 * SECOND


def wanted(
    player: str,
    player_id: str,
    partner: str,
    opponent: str,
    outcome: str | None,
    rules: str,
    event: str,
    status: str | None,
    count: int,
) -> ListMatchesRequest:
    """The request for what a person typed. Raises SetupError for words that are none."""
    if outcome not in (None, *OUTCOMES):
        raise SetupError(f"--outcome {outcome}: choose one of {', '.join(OUTCOMES)}")
    return ListMatchesRequest(
        page_size=min(count, 100),
        status=status_number(status),
        player_name=player,
        player_id=player_id,
        partner_id=partner,
        opponent_id=opponent,
        outcome=Outcome.Value(f"OUTCOME_{(outcome or 'unspecified').upper()}"),
        ruleset_name=rules,
        event_id=event,
    )


def seat_number(seat: str | None, *, open_: bool) -> SeatNumber.ValueType:
    """The seat that a person typed. Raises SetupError for one that does not exist, or beside all hands."""
    if seat is None:
        return SEAT.encode_optional(None)
    if open_:
        raise SetupError("--open shows all seats: leave --seat out")
    named = {str(one).lower(): one for one in SEATS}
    if seat.lower() not in named:
        raise SetupError(f"--seat {seat}: choose one of {', '.join(named)}")
    return SEAT.encode(named[seat.lower()])


async def replay(
    asked: Asked, match: str, number: int, seat: str | None, at: int, language: Language, *, open_: bool
) -> None:
    """Tells a round line by line, as it was told when it was played; with all hands open, from each seat in turn."""
    viewer = seat_number(seat, open_=open_)
    request = GetReplayRequest(
        match_id=str(match_named(match)), number=number, viewer=viewer, open=open_, up_to_sequence=at
    )
    async with history_of(asked) as history:
        told = await history.replay(request)
    for seen in told.seen:
        _narrate(seen, language, heading=open_)


def _narrate(seen: SeenRound, language: Language, *, heading: bool) -> None:
    narrator = Narrator(open_console(), language)
    view = seen.view
    if heading:
        narrator.print(f"— {SEAT.value_of[view.viewer]} —")
    for entry in seen.entries:
        follow.apply(view, entry)
        narrator.tell(Update(view, entry))
    narrator.end_line()


async def statistics(asked: Asked, player_id: str, other_id: str | None) -> None:
    """Prints what an account did: with another one, or in all. Raises SetupError when no match is known of it."""
    console = open_console()
    async with history_of(asked) as history:
        if other_id is not None:
            lines = await _both_of(history, player_id, other_id)
        else:
            lines = await _all_of(history, player_id)
    for line in lines:
        console.print(line, highlight=False, soft_wrap=True)


async def _both_of(history: HistoryClient, player_id: str, other_id: str) -> list[str]:
    both = await history.head_to_head(player_id, other_id)
    if not both.as_opponents.matches and not both.as_partners.matches:
        raise SetupError(
            f"no finished match is known that {player_id} and {other_id} both played; {_ACCOUNTS}"
        )
    return [_line("against", both.as_opponents), _line("together", both.as_partners)]


async def _all_of(history: HistoryClient, player_id: str) -> list[str]:
    told = await history.statistics(player_id)
    if not told.record.matches:
        raise SetupError(f"no finished match of an account {player_id} is known; {_ACCOUNTS}")
    projects = ", ".join(
        f"{one.count} {PROJECT_KIND.value_of[one.kind].name.lower().replace('_', ' ')}"
        for one in told.projects
    )
    results = f"won {told.bought_won}, khosara {told.khosara}"
    modes = f"sun {told.bought_sun}, hokum {told.bought_hokum}"
    return [
        _line("all", told.record),
        f"bought {told.bought}: {results}; {modes}",
        f"raised {counted(told.raises, 'time')}; projects: {projects or 'none'}",
        *[
            _line(f"with {one.player_name} ({one.player_id})", one.record)
            async for one in history.partners(player_id)
        ],
    ]


def _line(what: str, record: Record) -> str:
    last = f", last {readable(decode_time(record.last_start_time))}" if record.matches else ""
    return (
        f"{what}: {counted_matches(record.matches)}, {record.wins:,} won, {counted(record.rounds, 'round')}, "
        f"points {record.points}:{record.points_against} (margin {record.average_margin:+.1f}), "
        f"kaboots {record.kaboots}:{record.kaboots_against}{last}"
    )


async def share(
    asked: Asked,
    match: str,
    number: int,
    seat: str | None,
    days: float,
    *,
    open_: bool,
) -> None:
    """Makes a link and prints its token."""
    request = CreateShareRequest(
        request_id=str(uuid4()),
        match_id=str(match_named(match)),
        number=number,
        viewer=seat_number(seat, open_=open_),
        open=open_,
        expires_in=encode_duration(round(days * _DAY)),
    )
    async with history_of(asked) as history:
        made = await history.create_share(request)
    print(made.token)


async def list_shares(asked: Asked) -> None:
    """Prints the links of an account, the newest first."""
    async with history_of(asked) as history:
        shares = await history.shares()
    console = open_console()
    for one in shares:
        console.print(_share_line(one), highlight=False, soft_wrap=True)
    if not shares:
        console.print("no link is good now")


def _share_line(one: ShareMessage) -> str:
    what = f"round {one.number} of {one.match_id}" if one.number else f"match {one.match_id}"
    return f"{one.share_id}  {what}, until {readable(decode_time(one.expire_time))}"


async def withdraw(asked: Asked, share_id: str) -> None:
    """Ends a link."""
    async with history_of(asked) as history:
        await history.withdraw_share(share_id)
    print("the link is withdrawn")
