"""How often somebody may try to sign in, so that passwords cannot be guessed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from baloot.core.errors import Reason, Refusal
from baloot.kit import metering
from baloot.kit.buckets import NANOS, Buckets, Rate

SIGN_INS = Rate(5, 60, 5)
"""Attempts from one address for one name. Each process counts for itself."""
WIDER = 6
"""How many times as many may come for a name from all addresses, and from an address for all names."""
LIMIT = "sign_ins"
"""The metadata `limit` of the refusal."""


class Attempts:
    """Counts attempts. The clock gives nanoseconds and never goes back."""

    def __init__(self, rate: Rate = SIGN_INS, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._narrow = Buckets(rate)
        self._wide = Buckets(replace(rate, calls=rate.calls * WIDER, burst=rate.burst * WIDER))
        self._clock = clock

    def take(self, folded: str) -> None:
        """Counts one for a name, and for the caller's address where the server looks at addresses.

        Raises Refusal RATE_LIMITED. The address pays first: one that may not try any more locks nobody else out. Where
        addresses are not looked at, a name has the narrow rate.
        """
        address = metering.address() or ""
        self._take(self._narrow, (folded, address))
        if address:
            self._take(self._wide, ("address", address))
            self._take(self._wide, ("name", folded))

    def _take(self, buckets: Buckets, key: tuple[str, str]) -> None:
        wait = buckets.take(key, self._clock())
        if wait:
            raise Refusal(
                Reason.RATE_LIMITED,
                f"too many attempts to sign in; wait {wait / NANOS:.0f} seconds",
                metadata={"limit": LIMIT},
                retry_after=wait,
            )
