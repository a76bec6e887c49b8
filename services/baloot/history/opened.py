"""The whole log of a match with its hands open, or why it cannot be read here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from baloot.core.errors import Reason, Refusal
from baloot.table.events import Entry
from baloot.table.store import SecretsSealed, StoreUnavailable


class Log(Protocol):
    """What is read of the tables' logs, as far as everybody may know them."""

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]: ...


async def opened(
    log: Log, match_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
) -> Sequence[Entry]:
    """Entries of a match, as `Log.read` gives them. Raises Refusal UNAVAILABLE."""
    try:
        return await log.read(match_id, after, limit, secrets=secrets)
    except SecretsSealed as error:
        raise Refusal(
            Reason.UNAVAILABLE,
            "this server has no key to open the hands of matches; ask one that has",
        ) from error
    except StoreUnavailable as error:
        raise Refusal(Reason.UNAVAILABLE, "the log cannot be read now; try again") from error
