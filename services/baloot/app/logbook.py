"""The command `log`: a table's log in plain words, straight out of the database."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any
from uuid import UUID

from baloot.app.counting import counted
from baloot.app.errors import SetupError
from baloot.app.named import table_named
from baloot.app.stored import Logs, reading
from baloot.core.cards import Card
from baloot.core.projects import Project, SeatProject
from baloot.core.seats import SEATS, TEAMS
from baloot.table import events as ev
from baloot.table.codec import readable
from baloot.table.events import (
    SECOND,
    BeaconGiven,
    DealsCommitted,
    Entry,
    Event,
    Micros,
    Presence,
    PresenceChanged,
    SeedAdded,
    SeedsRevealed,
    TimeUsed,
)
from baloot.table.policy import AbsencePolicy

HIDDEN = "██"

Lines = Iterator[str]
Show = Callable[[Iterable[object]], str]
"""Writes cards and calls that not everybody may see, or hides them."""


async def show_log(logs: Logs, table: str, *, secrets: bool) -> None:
    """Prints every entry of a table. Hands of a round that is still played stay hidden unless `secrets` is set.

    Raises SetupError for an id that is none, and what `read_log` raises.
    """
    for line in log_lines(await read_log(logs, table_named(table)), secrets=secrets):
        print(line)


async def read_log(logs: Logs, table_id: UUID) -> Sequence[Entry]:
    """Every entry of a table.

    Raises SetupError when the database is away, there is no such table, or it is sealed without a key.
    """
    async with reading(logs) as store:
        entries = await store.read(table_id)
    if not entries:
        raise SetupError(f"there is no table {table_id} in this database")
    return entries


def log_lines(entries: Sequence[Entry], *, secrets: bool = False) -> Lines:
    """The log line by line; each entry has its number, its time and who acted."""
    over = _last_ended_round(entries)
    yield f"table {entries[0].table_id}, {counted(len(entries), 'entry', 'entries')}"
    for entry in entries:
        actor = "table" if entry.actor is None else str(entry.actor)
        if entry.by_default:
            actor += " (out of time)"
        start = f"{entry.sequence:5}  {readable(entry.at)}  {actor:20}"
        for event in entry.events:
            show = _spelled if secrets or entry.sequence <= over else _hidden
            for line in told(event, show):
                yield f"{start}  {line}"
                start = " " * len(start)
        for used in entry.time_used:
            yield f"{' ' * len(start)}  {_took(used, entry.received)}"


def _took(used: TimeUsed, received: Micros | None) -> str:
    """What a seat took, by which moment it is reckoned, and what is left in its bank."""
    words = [f"{used.seat} took {used.used / SECOND:.3f} s"]
    if received is not None:
        words.append(f"received {readable(received)}")
    words.append(f"{used.bank / SECOND:.3f} s in the bank")
    return ", ".join(words)


def _last_ended_round(entries: Sequence[Entry]) -> int:
    """The number of the entry that ended the last round whose hands are no secret any more.

    Those of a deal that was not played out stay one until the next has begun, or none will.
    """
    over = void = 0
    for entry in entries:
        for event in entry.events:
            if isinstance(event, ev.RoundScored):
                over = entry.sequence
            elif isinstance(event, ev.DealVoid):
                void = entry.sequence
            elif isinstance(event, _GOES_ON):
                over = max(over, void)
    return over


_GOES_ON = (ev.RoundOpened, ev.RoundDealt, ev.MatchEnded, ev.MatchForfeited, ev.TableAbandoned)


def told(event: Event, show: Show) -> Lines:
    """What happened, in words."""
    return _TELL[type(event)](event, show)


def _spelled(what: Iterable[object]) -> str:
    return " ".join(str(each) for each in what)


def _hidden(_: Iterable[object]) -> str:
    return HIDDEN


def _created(event: ev.TableCreated, _: Show) -> Lines:
    settings, control = event.settings, event.settings.control
    yield f"opened: rules {settings.ruleset.name} {settings.ruleset.hash[:12]}"
    yield (
        f"{control.call_time / SECOND:g} s for a call, {control.card_time / SECOND:g} s for a card, "
        f"{control.bank / SECOND:g} s in the bank, {control.network_allowance / SECOND:g} s for the network"
    )
    yield f"{settings.round_pause / SECOND:g} s between rounds, {settings.fill_timeout / SECOND:g} s to fill"
    if settings.absence is not None:
        yield _policy(settings.absence)
    if settings.spectator_delay:
        yield f"spectators see it {settings.spectator_delay / SECOND:g} s later"
    if settings.event_id:
        yield f"event {settings.event_id}"


def _policy(policy: AbsencePolicy) -> str:
    """What happens when a player is away."""
    bot = f"a bot after {policy.bot_after} missed turns" if policy.bot_after else "no bot"
    forfeit = f"a forfeit after {policy.forfeit_after}" if policy.forfeit_after else "no forfeit"
    walkover = ", walk-overs" if policy.walkover else ""
    return f"{bot}, {forfeit}, leaving: {policy.leaving.name.lower()}{walkover}"


def _dealt(event: ev.RoundDealt, show: Show) -> Lines:
    dealt = event.dealt
    if event.cut is not None:
        yield f"the deck is cut: {event.cut.name.lower()}"
    yield f"deal {dealt.number}: {event.dealer} deals, up card {event.deck.up_card}"
    yield f"commitment {dealt.commitment.hex()}"
    yield from _hands(event.deck.first_hands(event.dealer), show)


def _opened(event: ev.RoundOpened, _: Show) -> Lines:
    yield f"round {event.number}: {event.dealer} deals, the deck may be cut"
    yield f"commitment {event.sealed_seed.commitment.hex()}"


def _numbers(first: int, last: int) -> str:
    return f"deal {first}" if first == last else f"deals {first} to {last}"


def _revealed(event: SeedsRevealed, _: Show) -> Lines:
    for number, seed in enumerate(event.seeds, event.first_number):
        yield f"the seed of deal {number} is {seed.hex()}"


def _completed(event: ev.HandsCompleted, show: Show) -> Lines:
    yield "the last cards are dealt"
    yield from _hands(event.hands, show)


def _asked_again(event: ev.AskedAgain, _: Show) -> Lines:
    yield f"{event.seat} is asked once more"


def _extended(_event: ev.ClockExtended, _: Show) -> Lines:
    yield "the table was away: everybody who is asked has the time once more"


def _accepted(event: ev.RoundAccepted, _: Show) -> Lines:
    yield f"{event.seat} has nothing to claim"


def _qaid(event: ev.QaidClaimed, _: Show) -> Lines:
    claim, verdict = event.qaid.claim, "right" if event.qaid.right else "wrong"
    what = f" with {claim.card}, proved by {claim.proof}" if claim.card is not None else ""
    yield f"{event.qaid.claimer} claims {claim.ground.name.lower()}{what}: {verdict}"


def _hands(hands: Iterable[Iterable[Card]], show: Show) -> Lines:
    for seat, hand in zip(SEATS, hands, strict=True):
        yield f"  {seat!s:5} {show(hand)}"


def _answers(event: ev.AnswersOpened, _: Show) -> Lines:
    yield "answers: " + ", ".join(f"{answer.seat} {answer.call}" for answer in event.answers)


def _void(event: ev.DealVoid, _: Show) -> Lines:
    if event.kawesh is None:
        yield "everybody passed twice: thrown in"
        return
    yield f"{event.kawesh} shows a kawesh: the deal is void"
    yield from _hands(event.hands, _spelled)


def _play_started(event: ev.PlayStarted, show: Show) -> Lines:
    yield f"play: {event.contract}, {event.leader} leads"
    yield from _hands(event.hands, show)


def _card(event: ev.CardPlayed, show: Show) -> Lines:
    said = [f"{_kind(project)} {show(project.cards)}" for project in event.move.projects]
    said += ["akka"] * event.move.akka + ["baloot"] * event.baloot
    yield f"{event.move.card}" + (f" ({', '.join(said)})" if said else "")


def _trick(event: ev.TrickWon, _: Show) -> Lines:
    trick = event.trick
    yield f"trick to {trick.winner}: {_spelled(trick.cards)}, {trick.points} abnat"


def _shown(event: ev.ProjectsShown, _: Show) -> Lines:
    yield "shown: " + ", ".join(_project(owned) for owned in event.projects)


def _project(owned: SeatProject) -> str:
    return f"{owned.seat} {_kind(owned.project)} {_spelled(owned.project.cards)}"


def _kind(project: Project) -> str:
    return _words(project.kind)


def _words(value: Enum) -> str:
    return value.name.lower().replace("_", " ")


def _sawa(event: ev.SawaClaimed, _: Show) -> Lines:
    yield f"sawa {'holds: ' + _spelled(event.cards) if event.held else 'does not hold'}"


def _scored(event: ev.RoundScored, _: Show) -> Lines:
    score = event.score
    yield f"scored: {score.result.name.lower()}, abnat {_pair(score.card_points)}"
    for line in score.lines:
        inputs = ", ".join(f"{name} {value}" for name, value in line.inputs)
        yield f"  {line.team!s:11} {line.game_points:+4d}  {line.kind.name.lower()} (rule {line.rule}; {inputs})"
    yield f"  writes {_pair(score.game_points)}, total {_pair(score.totals)}"


def _pair(points: tuple[int, int]) -> str:
    return ", ".join(f"{team} {points[team]}" for team in TEAMS)


def _one(line: Callable[[Any], str]) -> Callable[[Any, Show], Lines]:
    def tell(event: Any, _: Show) -> Lines:
        yield line(event)

    return tell


def _answer(event: ev.AnswerGiven, show: Show) -> Lines:
    yield f"answers {show([event.call])}"


_PRESENCES = {Presence.HERE: "connected", Presence.AWAY: "not connected any more"}

_TELL: dict[type[Event], Callable[[Any, Show], Lines]] = {
    ev.TableCreated: _created,
    ev.SeatTaken: _one(lambda event: f"takes the seat {event.seat} as {event.player_name!r}"),
    ev.SeatLeft: _one(lambda event: f"leaves the seat {event.seat}"),
    ev.BotSeated: _one(lambda event: f"a bot plays for {event.seat}"),
    ev.PlayerReturned: _one(lambda event: f"{event.seat} plays again"),
    ev.MatchForfeited: _one(lambda event: f"forfeited by {event.loser}: {_words(event.reason)}"),
    PresenceChanged: _one(lambda event: f"{event.seat} is {_PRESENCES[event.presence]}"),
    ev.MatchStarted: _one(lambda _: "the match starts"),
    ev.RoundOpened: _opened,
    ev.RoundDealt: _dealt,
    ev.HandsCompleted: _completed,
    ev.AskedAgain: _asked_again,
    ev.ClockExtended: _extended,
    ev.RoundAccepted: _accepted,
    ev.QaidClaimed: _qaid,
    ev.CallMade: _one(lambda event: f"{event.call}"),
    ev.AnswerGiven: _answer,
    ev.AnswersOpened: _answers,
    ev.Bought: _one(lambda event: f"bought: {event.contract}"),
    ev.DealVoid: _void,
    ev.PlayStarted: _play_started,
    ev.CardPlayed: _card,
    ev.TrickWon: _trick,
    ev.ProjectsDecided: _one(lambda event: f"the projects of {event.team} count"),
    ev.ProjectsShown: _shown,
    ev.SawaClaimed: _sawa,
    ev.RoundScored: _scored,
    DealsCommitted: _one(
        lambda event: f"commits to {_numbers(event.block.first_number, event.block.last_number)}"
    ),
    SeedAdded: _one(lambda event: f"{event.seat} adds to the deals from {event.first_number} on"),
    BeaconGiven: _one(lambda event: f"the beacon is {event.value.hex()}"),
    SeedsRevealed: _revealed,
    ev.MatchEnded: _one(lambda event: f"the match is won by {event.winner}: {_pair(event.totals)}"),
    ev.TableAbandoned: _one(lambda event: f"given up: {_words(event.reason)}"),
}
"""Every kind of event in words; a test compares it with the events there are."""
