"""How often somebody may try to sign in, so that passwords cannot be guessed."""

from __future__ import annotations

import time
from collections.abc import Callable

from baloot.core.errors import Reason, Refusal
from baloot.kit import metering
from baloot.kit.buckets import NANOS, Buckets, Rate

SIGN_INS = Rate(5, 60, 5)
"""Attempts for each name, and for each address. Each process counts for itself."""
LIMIT = "sign_ins"
"""The metadata `limit` of the refusal."""


class Attempts:
    """Counts attempts. The clock gives nanoseconds and never goes back."""

    def __init__(self, rate: Rate = SIGN_INS, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._buckets = Buckets(rate)
        self._clock = clock

    def take(self, folded: str) -> None:
        """Counts one for a name, and for the caller's address where the server looks at addresses.

        Raises Refusal RATE_LIMITED. The address pays first: one that may not try any more locks nobody else out.
        """
        address = metering.address()
        if address is not None:
            self._take(("address", address))
        self._take(("name", folded))

    def _take(self, key: tuple[str, str]) -> None:
        wait = self._buckets.take(key, self._clock())
        if wait:
            raise Refusal(
                Reason.RATE_LIMITED,
                f"too many attempts to sign in; wait {wait / NANOS:.0f} seconds",
                metadata={"limit": LIMIT},
                retry_after=wait,
            )
