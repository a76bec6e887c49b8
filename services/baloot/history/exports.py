"""Matches as texts: out of the logs, as far as everybody may know them, or as they were imported.

One match is in memory at a time. Telling one takes some milliseconds, so it is done beside the event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import Executor
from typing import NamedTuple, Protocol
from uuid import UUID

from baloot.history.opened import Log, opened
from baloot.history.records import MatchFilter, MatchSummary, Page
from baloot.history.tokens import write_token
from baloot.history.transcripts import transcript
from baloot.notation import text
from baloot.table.events import Entry

PAGE = 50


class Exported(NamedTuple):
    """A match as text. `page_token` goes on after it, where there is a list to go on with."""

    match_id: UUID
    text: str
    page_token: str = ""


class Known(Protocol):
    """What is asked of history."""

    async def list_matches(self, chosen: MatchFilter, size: int, token: str) -> Page: ...

    async def summary(self, match_id: UUID) -> MatchSummary: ...

    async def imported_text(self, match_id: UUID) -> str: ...


class Exports:
    """Tells the matches that history knows, in `beside`."""

    def __init__(self, log: Log, known: Known, beside: Executor) -> None:
        self._log = log
        self._known = known
        self._beside = beside

    async def by_ids(self, match_ids: Sequence[UUID]) -> AsyncGenerator[Exported, None]:
        """Some matches in order. Raises Refusal MATCH_UNKNOWN before the first one, or UNAVAILABLE."""
        matches = [await self._known.summary(match_id) for match_id in match_ids]
        for match in matches:
            yield Exported(match.match_id, await self._text(match))

    async def fitting(self, chosen: MatchFilter, token: str = "") -> AsyncGenerator[Exported, None]:
        """All matches that fit after the place of a page token. Raises Refusal FIELD_INVALID or UNAVAILABLE."""
        while True:
            page = await self._known.list_matches(chosen, PAGE, token)
            for match in page.matches:
                yield Exported(match.match_id, await self._text(match), write_token(match, chosen))
            token = page.next_token
            if not token:
                return

    async def _text(self, match: MatchSummary) -> str:
        if match.imported:
            return await self._known.imported_text(match.match_id)
        entries = await opened(self._log, match.match_id)
        return await asyncio.get_running_loop().run_in_executor(self._beside, _told, entries)


def _told(entries: Sequence[Entry]) -> str:
    return text(transcript(entries))
