"""A memory of carried states: what a record folds to, kept so that the next move goes on from there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Record = TypeVar("Record", bound=Hashable)
State = TypeVar("State")

REMEMBERED = 4096
"""How many states are kept."""


class Carried(Generic[Record, State]):
    """The states of the records used last. Nothing depends on it: a record it does not know is folded anew."""

    def __init__(self, fold: Callable[[Record], State], remembered: int = REMEMBERED) -> None:
        self._fold = fold
        self._remembered = remembered
        self._states: OrderedDict[Record, State] = OrderedDict()

    def state_of(self, record: Record) -> State:
        """What the record folds to."""
        state = self._states.get(record)
        return self.keep(record, self._fold(record)) if state is None else state

    def keep(self, record: Record, state: State) -> State:
        """Keeps the state of a record, and lets the one kept longest go when there are too many."""
        self._states[record] = state
        if len(self._states) > self._remembered:
            self._states.popitem(last=False)
        return state
