"""Token buckets: how often something may be done, for each of many keys, in bounded memory.

A bucket is one number, the moment at which it will be full again. Taking moves that moment on by the time of one call;
it may lie ahead of now by no more than the burst takes. Moments are counted in parts of a nanosecond, so that no rate
is rounded: nobody gets more than `burst + rate * time` in any span, and whoever keeps to the rate is never refused.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass

NANOS = 1_000_000_000
REMEMBERED = 16_384
"""Keys of a limit that are remembered. Who is forgotten begins anew with a full bucket."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many calls in so many seconds for as long as one likes, and `burst` of them at once."""

    calls: int
    seconds: int
    burst: int

    def __post_init__(self) -> None:
        if min(self.calls, self.seconds, self.burst) < 1:
            raise ValueError("a rate has at least one call, one second and a burst of one")


class Buckets:
    """A bucket for each key, full until something is taken from it. The clock is the caller's."""

    def __init__(self, rate: Rate, remembered: int = REMEMBERED) -> None:
        self._parts = rate.calls
        self._cost = rate.seconds * NANOS
        self._most = rate.burst * self._cost
        self._remembered = remembered
        self._full_at: OrderedDict[Hashable, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: Hashable, now: int) -> int:
        """Takes one call at `now`, in nanoseconds of a clock that never goes back.

        Returns 0, or the nanoseconds after which it could be taken; then nothing is taken.
        """
        moment = now * self._parts
        full_at = max(self._full_at.get(key, moment), moment) + self._cost
        over = full_at - moment - self._most
        if over > 0:
            return -(-over // self._parts)
        self._full_at[key] = full_at
        self._full_at.move_to_end(key)
        self._forget(moment)
        return 0

    def _forget(self, moment: int) -> None:
        """Lets go of two keys whose buckets are full again, which is as if they had never come, and of all too many."""
        for _ in range(2):
            oldest = next(iter(self._full_at))
            if self._full_at[oldest] > moment:
                break
            del self._full_at[oldest]
        if len(self._full_at) > self._remembered:
            self._full_at.popitem(last=False)
