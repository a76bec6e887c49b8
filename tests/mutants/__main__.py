"""Changes the rules at every place where a test should notice, and lists what none noticed.

`python -m tests.mutants [module ...]`. It fails when a change survives that `survivors.toml` does not explain.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

from tests.mutants.known import Known, known
from tests.mutants.workshop import MODULES, STILL, Mutant, Workshop


def main() -> int:
    arguments = argparse.ArgumentParser(prog="make mutants", description="Mutation testing of the rules.")
    # With `choices`, argparse of Python 3.11 refuses that none is named.
    arguments.add_argument("modules", nargs="*", type=_module, metavar="module", help=", ".join(MODULES))
    arguments.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants tried at a time")
    arguments.add_argument(
        "--again", action="store_true", help="only what survived the last run, on new tests"
    )
    chosen = arguments.parse_args()
    clean = [
        try_module(Workshop(module), chosen.jobs, again=chosen.again) for module in chosen.modules or MODULES
    ]
    return 0 if all(clean) else 1


def _module(name: str) -> str:
    if name not in MODULES:
        raise argparse.ArgumentTypeError(f"there is no {name}; there are {', '.join(MODULES)}")
    return name


def try_module(shop: Workshop, jobs: int, *, again: bool) -> bool:
    """Whether every mutant of a module is dead or explained."""
    began = monotonic()
    if again:
        shop.bring_tests()
    else:
        make_and_try(shop, jobs)
    results = shop.results()
    left = looked_at(shop, [name for name, status in results.items() if status in STILL], jobs)
    explanations = known(shop.module)
    explained = [mutant for mutant in left if any(one.explains(mutant) for one in explanations)]
    unexplained = survivors(shop, [mutant for mutant in left if mutant not in explained], jobs)
    print(summary(shop.module, results, len(explained), len(unexplained), monotonic() - began))
    report("survives and is not explained", unexplained)
    report("is explained, but does not survive", unmet(explanations, left))
    return not unexplained


def make_and_try(shop: Workshop, jobs: int) -> None:
    print(f"== {shop.module}: making mutants and trying them", flush=True)
    shop.lay_out()
    shop.run(jobs)


def looked_at(shop: Workshop, names: Sequence[str], jobs: int) -> list[Mutant]:
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(shop.look, names))


def survivors(shop: Workshop, mutants: Sequence[Mutant], jobs: int) -> list[Mutant]:
    """Those that survive all tests of the module, each in a process of its own."""
    print(
        f"== {shop.module}: looking closer at {len(mutants)} that survived and are not explained", flush=True
    )
    with ThreadPoolExecutor(jobs) as pool:
        survive = list(pool.map(shop.survives_alone, mutants))
    return [mutant for mutant, survives in zip(mutants, survive, strict=True) if survives]


def summary(module: str, results: dict[str, str], explained: int, unexplained: int, seconds: float) -> str:
    typed = Counter(results.values())["caught by type check"]
    killed = len(results) - typed - explained - unexplained
    return (
        f"== {module}: {len(results)} mutants, {killed} killed by tests and {typed} by types; {explained} survived "
        f"and are explained, {unexplained} are not; {seconds / 60:.0f} minutes"
    )


def unmet(explanations: Sequence[Known], left: Sequence[Mutant]) -> list[Known]:
    """The explanations that no survivor needs any more."""
    return [one for one in explanations if not any(one.explains(mutant) for mutant in left)]


def report(what: str, mutants: Sequence[Mutant | Known]) -> None:
    for mutant in mutants:
        print(f"{mutant.function}: {what}\n  - {mutant.was}\n  + {mutant.becomes}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
