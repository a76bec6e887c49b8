"""Runs the proofs and prints their figures. `python -m tests.proof [--quick] [NAME ...]`."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Awaitable, Callable

from baloot.kit import logs, loops
from rich.console import Console
from rich.table import Table

from tests.proof import canary, cuts, fanout, phone, races, secrecy, stalled, tampering
from tests.proof.report import Figure, Tell

Prove = Callable[[bool, Tell], Awaitable[list[Figure]]]
"""Runs one proof, with small numbers or with all of them."""

PROOFS: dict[str, Prove] = {
    "cuts": cuts.prove,
    "secrets": secrecy.prove,
    "canary": canary.prove,
    "stalled": stalled.prove,
    "phone": phone.prove,
    "fanout": fanout.prove,
    "races": races.prove,
    "tampering": tampering.prove,
}
console = Console(width=120, highlight=False)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="make proof", description="What the promises hold, each held to its figure."
    )
    parser.add_argument("--quick", action="store_true", help="small numbers, to see that it works")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which of {', '.join(PROOFS)}; all without")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(PROOFS)
    if unknown:
        parser.error(f"no such proof: {', '.join(sorted(unknown))}")
    logs.configure("error")
    return loops.run(run(arguments.names or list(PROOFS), quick=arguments.quick))


async def run(names: list[str], *, quick: bool) -> int:
    """The exit code: 1 when a figure misses what it is held to, or a proof breaks off."""
    figures: dict[str, list[Figure]] = {}
    for name in names:
        began = time.monotonic()
        figures[name] = await proven(name, quick=quick)
        tell(name, f"took {time.monotonic() - began:,.0f} s")
    console.print(table_of(figures))
    return 0 if all(figure.holds for found in figures.values() for figure in found) else 1


async def proven(name: str, *, quick: bool) -> list[Figure]:
    """What a proof finds; one that breaks off has failed, and the others still run."""
    try:
        return await PROOFS[name](quick, lambda line: tell(name, line))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told in the table
        console.print_exception()
        return [Figure("it ran to its end", f"{type(error).__name__}: {error}"[:300], "yes", holds=False)]


def tell(name: str, line: str) -> None:
    console.print(f"{name}: {line}", markup=False)


def table_of(figures: dict[str, list[Figure]]) -> Table:
    table = Table("proof", "what", "figure", "held to", "")
    for name, found in figures.items():
        for number, figure in enumerate(found):
            table.add_row(
                "" if number else name, figure.what, figure.value, figure.floor, figure.verdict,
                end_section=number == len(found) - 1,
            )  # fmt: skip
    return table


if __name__ == "__main__":
    sys.exit(main())
