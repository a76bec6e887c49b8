"""What a process remembers of a table: one copy, nothing before the clock was read, and no action in its digest."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

import pytest
from baloot.app.rules import local_rules
from baloot.core.auction import PASS
from baloot.core.errors import Reason, Refusal
from baloot.table import decide, identity
from baloot.table.events import Entry, Micros, Settings
from baloot.table.live import LiveTable
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator
from baloot.table.store import StoreUnavailable

from tests.table.trial import KEY, Trial


class Eventful(MemoryStore):
    """A log in which something else happens after the first look at it, before the one who looked hears of it."""

    then: Callable[[], Awaitable[object]] | None = None

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        found = await super().read(table_id, after, limit, secrets=secrets)
        if self.then is not None:
            then, self.then = self.then, None
            await then()
        return found


async def test_who_waited_while_a_table_was_forgotten_gets_the_copy_that_is_kept() -> None:
    store = Eventful()
    await store.key("table", KEY)
    here, elsewhere = Orchestrator(store, local_rules(KEY)), Orchestrator(store, local_rules(KEY))
    request = UUID(int=1, version=4)
    table = identity.table_id(KEY, request)
    store.then = lambda: elsewhere.create(request, Settings())
    first, second = await asyncio.gather(here.current(table), here.current(table), return_exceptions=True)
    assert isinstance(first, Refusal)
    assert first.reason is Reason.TABLE_UNKNOWN
    assert isinstance(second, LiveTable)
    assert here.tables[table] is second


class Timeless(MemoryStore):
    """A store whose clock was never read."""

    def now(self) -> Micros:
        raise StoreUnavailable("the store's clock was never read")


async def test_nothing_is_done_before_the_clock_is_known() -> None:
    table = Orchestrator(Timeless(), local_rules(KEY))
    with pytest.raises(Refusal) as caught:
        await table.create(UUID(int=1, version=4), Settings())
    assert caught.value.reason is Reason.UNAVAILABLE


async def test_a_sealed_answer_cannot_be_guessed_from_its_digest() -> None:
    """The digest stands in the open half of the log, and there are only three answers to try."""
    trial = Trial(seed=7)
    state = await trial.deal()
    entry = await trial.act(state.questions[0].seat, PASS)
    assert entry.request_digest != identity.request_digest("act", decide.spelled(PASS))
