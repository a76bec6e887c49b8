"""Runs the benchmarks and prints their table. `python -m tests.bench [--quick]`."""

from __future__ import annotations

import argparse
import asyncio
import statistics
from collections.abc import Sequence

from baloot.kit import loops
from rich.console import Console
from rich.table import Table

from tests.bench import audits, load, reading, rebuild, rounds
from tests.bench.process import server
from tests.postgres import fresh_database, migrated_template, shared_postgres

ROUNDS_FLOOR = 0.2
READING_FLOOR = 0.02
ACTIONS_FLOOR = 0.6
REBUILD_MINUTES = 10
AUDIT_FLOOR = 0.031
"""1,000 rounds a second where the bare playout makes 32,000."""
console = Console(width=100)


def main() -> None:
    arguments = argparse.ArgumentParser(
        prog="make bench", description="How fast it is, as ratios within one run."
    )
    arguments.add_argument("--quick", action="store_true", help="one short run of each, to see that it works")
    quick = arguments.parse_args().quick
    measure_rounds(runs=1 if quick else 5, seconds=0.5 if quick else 2.0)
    measure_reading(runs=1 if quick else 5, seconds=0.5 if quick else 2.0)
    with shared_postgres() as postgres, migrated_template(postgres) as template:
        loops.run(measure_audits(postgres, template, 10 if quick else 150, runs=1 if quick else 3))
    loops.run(measure_actions(runs=1 if quick else 3, seconds=1.5 if quick else 5.0))
    loops.run(measure_rebuild(10_000 if quick else 100_000))


def measure_rounds(runs: int, seconds: float) -> None:
    """Alternates the two, so that whatever slows the machine slows both."""
    bare, legal = [], []
    for run in range(runs):
        console.print(f"rounds, run {run + 1} of {runs} …")
        bare.append(rounds.per_second(rounds.bare_playouts, seconds, run))
        legal.append(rounds.per_second(rounds.legal_rounds, seconds, run))
    table = Table("rules, one core", "per second", "of bare", "floor")
    ratio = statistics.median(one / other for one, other in zip(legal, bare, strict=True))
    table.add_row("bare playout of 8 tricks on bit masks", f"{statistics.median(bare):,.0f}", "", "")
    table.add_row(
        "random legal round (auction, projects, 8 tricks, score)",
        f"{statistics.median(legal):,.0f}", f"{ratio:.2f}", verdict(ratio, ROUNDS_FLOOR),
    )  # fmt: skip
    console.print(table)


def measure_reading(runs: int, seconds: float) -> None:
    """Alternates the two as well."""
    split, whole = [], []
    for run in range(runs):
        console.print(f"reading, run {run + 1} of {runs} …")
        split.append(rounds.per_second(reading.split_deals, seconds, run))
        whole.append(rounds.per_second(reading.read_deals, seconds, run))
    table = Table("notation, one core", "deals per second", "of split", "floor")
    ratio = statistics.median(one / other for one, other in zip(whole, split, strict=True))
    table.add_row("the same text split into words, line by line", f"{statistics.median(split):,.0f}", "", "")
    table.add_row(
        "matches read", f"{statistics.median(whole):,.0f}", f"{ratio:.3f}", verdict(ratio, READING_FLOOR)
    )
    console.print(table)


async def measure_audits(postgres: str, template: str, matches: int, runs: int) -> None:
    """Judges the same matches again and again, with the bare playout in between."""
    bare: list[float] = []
    rates: list[tuple[float, float]] = []
    async with fresh_database(postgres, template) as url:
        console.print(f"audit, writing {matches} matches …")
        await audits.write(url, matches)
        for run in range(runs):
            console.print(f"audit, run {run + 1} of {runs} …")
            bare.append(rounds.per_second(rounds.bare_playouts, 1.0, run))
            rates.append(await audits.per_second(url))
    ratio = statistics.median(by_cpu / plain for (_, by_cpu), plain in zip(rates, bare, strict=True))
    table = Table("audit from Postgres, one core", "per second", "of CPU", "of bare", "floor")
    table.add_row("bare playout of 8 tricks on bit masks", "", f"{statistics.median(bare):,.0f}", "", "")
    by_clock, by_cpu = (statistics.median(column) for column in zip(*rates, strict=True))
    table.add_row(
        "rounds judged again, reading included", f"{by_clock:,.0f}", f"{by_cpu:,.0f}", f"{ratio:.3f}",
        verdict(ratio, AUDIT_FLOOR),
    )  # fmt: skip
    console.print(table)


async def measure_actions(runs: int, seconds: float) -> None:
    table = Table(
        "actions over gRPC, 4 watchers a table", "tables", "per second", "server CPU", "of floor", "floor"
    )
    latency = Table("at half that rate", "tables", "p50 ms", "p99 ms")
    for count in (1, 64, 256):
        real, floor = await alternated(count, runs, seconds)
        ratio = statistics.median(one / other for (one, _), (other, _) in zip(real, floor, strict=True))
        for name, rates, last in (
            ("floor: same kit, nothing decided", floor, ""),
            ("SubmitAction", real, f"{ratio:.2f}"),
        ):
            table.add_row(
                name, str(count), f"{statistics.median(rate for rate, _ in rates):,.0f}",
                f"{statistics.median(cpu for _, cpu in rates) * 1e6:,.0f} us", last,
                verdict(ratio, ACTIONS_FLOOR) if last and count == 64 else "",
            )  # fmt: skip
        await measure_latency(latency, count, seconds, statistics.median(rate for rate, _ in real) / 2)
    console.print(table)
    console.print(latency)
    await measure_memory()


async def alternated(
    count: int, runs: int, seconds: float
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Rates and CPU seconds per action of both servers, run by run."""
    figures: dict[str, list[tuple[float, float]]] = {"floor": [], "real": []}
    for run in range(runs):
        for name, kept in figures.items():
            console.print(f"{count} tables, run {run + 1} of {runs}, {name} …")
            async with server(name) as measured:
                kept.append(await load.closed_loop(measured, count, seconds))
    return figures["real"], figures["floor"]


async def measure_latency(table: Table, count: int, seconds: float, rate: float) -> None:
    console.print(f"{count} tables, latency at {rate:,.0f} actions per second …")
    async with server("real") as measured:
        samples = await load.open_loop(measured.address, count, seconds, rate)
    for name, values in (("to acknowledgement", samples.acknowledged), ("to a watcher", samples.watched)):
        table.add_row(name, str(count), f"{percentile(values, 50):.1f}", f"{percentile(values, 99):.1f}")


async def measure_memory() -> None:
    """Memory of the server's process: so many idle tables without watchers, then each with four."""
    count = 400
    async with server("real") as measured:
        await load.closed_loop(measured, 1, 1.0)
        samples = load.Samples()
        before = measured.resident_bytes()
        async with load.tables(measured.address, count, samples):
            await asyncio.sleep(2)
            watched = measured.resident_bytes() - before
    console.print(f"memory: {watched / count / 1000:,.0f} kB for a live table with its four watches")


async def measure_rebuild(entries: int) -> None:
    """How long history takes to be made anew out of a million entries, by the rate of some of them."""
    console.print(f"history is made anew out of {entries:,} entries …")
    done = await rebuild.rebuilt(entries)
    minutes = 1_000_000 / (done.entries / done.seconds) / 60
    held = "met" if minutes <= REBUILD_MINUTES else "MISSED"
    console.print(
        f"history made anew: {done.entries / done.seconds:,.0f} entries a second, a million in "
        f"{minutes:.1f} minutes (at most {REBUILD_MINUTES}: {held})"
    )


def percentile(values: Sequence[float], part: int) -> float:
    """In milliseconds."""
    if len(values) < 2:
        return float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[part - 1] * 1000


def verdict(ratio: float, floor: float) -> str:
    return f"{floor:g} {'met' if ratio >= floor else 'MISSED'}"


if __name__ == "__main__":
    main()
