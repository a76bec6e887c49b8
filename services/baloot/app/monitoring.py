"""The command `monitor deals`: whether the deals of an installation look as a fair shuffle makes them."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from baloot.app.commands import complain
from baloot.app.counting import counted
from baloot.app.errors import SetupError
from baloot.app.stored import Logs, reading
from baloot.app.terminal.console import open_console
from baloot.monitor.battery import Battery, Deal
from baloot.monitor.verdicts import Verdict
from baloot.table import events as ev
from baloot.table.codec import readable
from baloot.table.events import SECOND, Entry, Micros, SeedsRevealed
from baloot.table.store import Head, Store
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

ALARM = 1e-4
"""A test at which a fair shuffle comes out as far off less often than this raises an alarm."""
ALARMED = 1
"""The exit code of an alarm."""
_PAGE = 1000


@dataclass(frozen=True, slots=True)
class Span:
    """From which moment on deals are looked at, and before which; None for no bound."""

    since: Micros | None = None
    until: Micros | None = None

    def __contains__(self, moment: Micros) -> bool:
        return (self.since is None or moment >= self.since) and (self.until is None or moment < self.until)


@dataclass(slots=True)
class Looked:
    """What was looked at so far. `tables` are those with deals in the span, `live` deals are left out."""

    battery: Battery
    deals: int = 0
    tables: int = 0
    live: int = 0


async def monitor_deals(
    logs: Logs, since: datetime | None = None, until: datetime | None = None, *, as_json: bool = False
) -> int:
    """Prints a verdict of each test on all deals of rounds that are over. Returns the exit code.

    Moments are in UTC. Raises SetupError when there is no such time, no database, or no key for what is sealed.
    """
    span = _span(since, until)
    async with reading(logs) as store:
        looked = await _look(store, span)
    verdicts = looked.battery.verdicts()
    if as_json:
        print(json.dumps(_json(looked, verdicts, span), indent=2))
    else:
        _show(open_console(), looked, verdicts, span)
    _warn(looked, verdicts)
    return ALARMED if any(map(alarming, verdicts)) else 0


def alarming(verdict: Verdict) -> bool:
    return verdict.enough and verdict.odds < ALARM


def _span(since: datetime | None, until: datetime | None) -> Span:
    if since is not None and until is not None and since >= until:
        raise SetupError("--since must be before --until")
    return Span(_micros(since), _micros(until))


def _micros(moment: datetime | None) -> Micros | None:
    return None if moment is None else int(moment.replace(tzinfo=UTC).timestamp()) * SECOND


# What is looked at.


async def _look(store: Store, span: Span) -> Looked:
    heads = await _all_heads(store)
    looked = Looked(Battery())
    with _progress() as progress:
        for head in progress.track(heads, description="tables"):
            await _look_at(store, head, span, looked)
    return looked


async def _all_heads(store: Store) -> list[Head]:
    heads: list[Head] = []
    while page := await store.heads_after(heads[-1].table_id if heads else None, _PAGE, live=False):
        heads += page
    return heads


def _progress() -> Progress:
    """A bar on standard error, where somebody looks at it; what is printed has a line of its own for the numbers."""
    console = Console(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


async def _look_at(store: Store, head: Head, span: Span, looked: Looked) -> None:
    if not await _reaches(store, head, span):
        return
    entries = await store.read(head.table_id, secrets=False)
    over = {entry.sequence for entry in dealt_and_over(entries, ended=head.status.ended)}
    wanted = [entry.sequence for entry in entries if _deals(entry) and entry.at in span]
    looked.live += sum(sequence not in over for sequence in wanted)
    seeds = revealed(entries)
    deals = [deal async for deal in _opened(store, head, [n for n in wanted if n in over], seeds)]
    looked.tables += bool(deals)
    looked.deals += len(deals)
    for deal in deals:
        looked.battery.add(deal)


async def _reaches(store: Store, head: Head, span: Span) -> bool:
    """Whether anything at a table happened in the span: its first and its last entry tell, without the whole log."""
    if span.since is not None:
        last = await store.read(head.table_id, head.sequence - 1, 1, secrets=False)
        if last and last[0].at < span.since:
            return False
    if span.until is not None:
        first = await store.read(head.table_id, 0, 1, secrets=False)
        return not first or first[0].at < span.until
    return True


def dealt_and_over(entries: Sequence[Entry], *, ended: bool) -> Iterator[Entry]:
    """The entries that dealt a round which is over: scored, thrown in or void, or at a table that has `ended`."""
    running: Entry | None = None
    for entry in entries:
        for event in entry.events:
            if isinstance(event, ev.RoundDealt):
                running = entry
            elif isinstance(event, ev.RoundScored | ev.DealVoid) and running is not None:
                yield running
                running = None
    if ended and running is not None:
        yield running


def _deals(entry: Entry) -> bool:
    return any(isinstance(event, ev.RoundDealt) for event in entry.events)


def revealed(entries: Sequence[Entry]) -> dict[int, bytes]:
    """The seeds that everybody may know by now, by the number of their deal."""
    told = [event for entry in entries for event in entry.events if isinstance(event, SeedsRevealed)]
    return {number: seed for one in told for number, seed in enumerate(one.seeds, one.first_number)}


async def _opened(
    store: Store, head: Head, sequences: Sequence[int], seeds: Mapping[int, bytes]
) -> AsyncIterator[Deal]:
    """The decks of these entries. Nothing else that is secret is read, and no deck of a round that is still played."""
    for sequence in sequences:
        for entry in await store.read(head.table_id, sequence - 1, 1):
            for event in entry.events:
                if isinstance(event, ev.RoundDealt):
                    number = event.dealt.number
                    yield Deal(head.table_id.bytes, number, event.dealer, event.dealt.deck, seeds.get(number))


# What is told.


def _json(looked: Looked, verdicts: Sequence[Verdict], span: Span) -> dict[str, Any]:
    return {
        "since": None if span.since is None else readable(span.since),
        "until": None if span.until is None else readable(span.until),
        "tables": looked.tables,
        "deals": looked.deals,
        "live_deals_left_out": looked.live,
        "alarm_below": ALARM,
        "alarm": any(map(alarming, verdicts)),
        "tests": [_test(verdict) for verdict in verdicts],
    }


def _test(verdict: Verdict) -> dict[str, Any]:
    return {
        "name": verdict.about.name,
        "counts": verdict.about.counts,
        "size": verdict.size,
        "enough": verdict.enough,
        "value": verdict.value,
        "expected": verdict.expected,
        "degrees_of_freedom": verdict.freedom,
        "p": verdict.odds,
        "alarm": alarming(verdict),
        "classes": [cell._asdict() for cell in verdict.cells],
    }


def _show(console: Console, looked: Looked, verdicts: Sequence[Verdict], span: Span) -> None:
    table = Table(box=None, pad_edge=False)
    table.add_column("test", no_wrap=True)
    for name in ("of", "found", "expected", "degrees", "p"):
        table.add_column(name, justify="right", no_wrap=True)
    for verdict in verdicts:
        table.add_row(*_row(verdict), style="bold" if alarming(verdict) else None)
    console.print(_looked_at(looked, span), highlight=False, soft_wrap=True)
    console.print(table, highlight=False)
    for line in _conclusion(verdicts):
        console.print(line, highlight=False, soft_wrap=True)


def _row(verdict: Verdict) -> tuple[str, ...]:
    degrees = str(verdict.freedom) if verdict.freedom else ""
    figures = f"{verdict.size:,}", _figure(verdict.value), _figure(verdict.expected), degrees
    if not verdict.enough:
        return verdict.about.name, f"{verdict.size:,}", "", "", "", "too few"
    return verdict.about.name, *figures, f"{verdict.odds:.2g}" + (" !" if alarming(verdict) else "")


def _figure(value: float) -> str:
    """A whole number as it is, a small one with three digits behind the point; as good as nothing is 0."""
    if value == int(value) or value < 1e-9:
        return f"{int(value):,}"
    return f"{value:,.3f}"


def _looked_at(looked: Looked, span: Span) -> str:
    line = f"{counted(looked.deals, 'deal')} at {counted(looked.tables, 'table')}"
    if span.since is not None:
        line += f", from {readable(span.since)[:16]}"
    if span.until is not None:
        line += f", before {readable(span.until)[:16]}"
    return line + (f"; {looked.live:,} of rounds still played are left out" if looked.live else "")


def _conclusion(verdicts: Sequence[Verdict]) -> Iterator[str]:
    alarms = [verdict for verdict in verdicts if alarming(verdict)]
    for verdict in alarms:
        yield f"ALARM: {verdict.about.name} ({verdict.about.counts}): {_chance(verdict.odds)}"
    if not alarms:
        yield f"no alarm: no test is below {ALARM:g}"


def _chance(odds: float) -> str:
    if odds < 1e-15:
        return "a fair shuffle never gives this"
    return f"a fair shuffle gives this less than once in {math.floor(1 / odds):,} looks"


def _warn(looked: Looked, verdicts: Sequence[Verdict]) -> None:
    """Says on standard error where there were too few deals for a test to mean anything."""
    lacking = [verdict.about.name for verdict in verdicts if not verdict.enough]
    if lacking:
        are = "is" if looked.deals == 1 else "are"
        complain(f"{counted(looked.deals, 'deal')} {are} too few for: {', '.join(lacking)}")
