"""The mutants that may survive, each with the reason: it changes nothing that a caller could see."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple

from tests.mutants.workshop import Mutant

FILE = Path(__file__).with_name("survivors.toml")


class Known(NamedTuple):
    """A mutant by what it changes, which stays the same when lines move."""

    function: str
    was: str
    becomes: str
    why: str

    def explains(self, mutant: Mutant) -> bool:
        return (self.function, self.was, self.becomes) == (mutant.function, mutant.was, mutant.becomes)


def known(module: str) -> list[Known]:
    """What is explained of the functions of a module."""
    stated = tomllib.loads(FILE.read_text(encoding="utf-8"))["survivor"]
    return [Known(**each) for each in stated if each["function"].startswith(f"{module}.")]
