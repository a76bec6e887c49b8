"""Token buckets: what they let through, and what they remember. Time is told to them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate

import pytest
from baloot.kit.buckets import NANOS, Buckets, Rate
from hypothesis import given
from hypothesis import strategies as st

FIVE = Rate(5, 1, 10)
RATES = st.builds(Rate, st.integers(1, 50), st.sampled_from([1, 7, 60]), st.integers(1, 12))


def taken(rate: Rate, moments: list[float]) -> str:
    """A `+` for each call that is let through, a `-` for each that is not; moments are in seconds."""
    buckets = Buckets(rate)
    return "".join("-" if buckets.take("a", round(at * NANOS)) else "+" for at in moments)


CASES = [
    ("a burst, and no more", FIVE, [0] * 12, "++++++++++--"),
    ("one comes back after a fifth of a second", FIVE, [*[0] * 11, 0.2, 0.2], "++++++++++-+-"),
    ("not before", FIVE, [*[0] * 10, 0.199999999], "++++++++++-"),
    ("a rest fills it again, up to the burst", FIVE, [*[0] * 10, *[3600] * 11], "++++++++++++++++++++-"),
    ("what is refused costs nothing", FIVE, [*[0] * 30, 0.2], "++++++++++--------------------+"),
    ("a burst of one", Rate(1, 1, 1), [0, 0.5, 1, 1.5, 2], "+-+-+"),
    ("by the minute", Rate(10, 60, 2), [0, 0, 0, 5.9, 6, 6], "++--+-"),
    ("a rate that is no whole part of a second", Rate(3, 1, 1), [0, 1 / 3, 2 / 3, 1], "+-+-"),
]


@pytest.mark.parametrize(("rate", "moments", "told"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_what_a_bucket_lets_through(rate: Rate, moments: list[float], told: str) -> None:
    assert taken(rate, moments) == told


@dataclass
class Plain:
    """A bucket as it is told in books: tokens that drip in, counted in fractions."""

    rate: Rate
    tokens: Fraction = field(init=False)
    at: int = 0

    def __post_init__(self) -> None:
        self.tokens = Fraction(self.rate.burst)

    def take(self, now: int) -> bool:
        dripped = Fraction((now - self.at) * self.rate.calls, self.rate.seconds * NANOS)
        self.tokens, self.at = min(Fraction(self.rate.burst), self.tokens + dripped), now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


@st.composite
def calls(draw: st.DrawFn) -> tuple[Rate, list[tuple[str, int]]]:
    """A rate, and calls of a few keys in order of time, about as often as the rate allows."""
    rate = draw(RATES)
    step = rate.seconds * NANOS // rate.calls
    gaps = st.one_of(st.just(0), st.integers(0, 2 * step), st.integers(0, 20 * step))
    made = draw(st.lists(st.tuples(st.sampled_from("abc"), gaps), max_size=60))
    moments = accumulate((gap for _, gap in made), initial=draw(st.integers(0, 10**18)))
    return rate, list(zip((key for key, _ in made), moments, strict=False))


@given(calls())
def test_every_key_has_the_bucket_of_the_books(made: tuple[Rate, list[tuple[str, int]]]) -> None:
    rate, sent = made
    buckets, plain = Buckets(rate), {key: Plain(rate) for key in "abc"}
    for key, now in sent:
        assert (buckets.take(key, now) == 0) == plain[key].take(now)


@given(calls())
def test_no_span_has_more_than_the_burst_and_what_the_rate_gives_in_it(
    made: tuple[Rate, list[tuple[str, int]]],
) -> None:
    rate, sent = made
    buckets = Buckets(rate)
    let_in = [now for _, now in sent if buckets.take("a", now) == 0]
    for first, begin in enumerate(let_in):
        for last in range(first, len(let_in)):
            given_ = (let_in[last] - begin) * rate.calls // (rate.seconds * NANOS)
            assert last - first + 1 <= rate.burst + given_


@given(RATES, st.integers(0, 10**18), st.integers(1, 300))
def test_who_keeps_to_the_rate_is_never_refused(rate: Rate, start: int, count: int) -> None:
    buckets = Buckets(Rate(rate.calls, rate.seconds, 1))
    step = -(-rate.seconds * NANOS // rate.calls)
    assert not any(buckets.take("a", start + number * step) for number in range(count))


@given(calls())
def test_the_time_to_wait_suffices_and_less_does_not(made: tuple[Rate, list[tuple[str, int]]]) -> None:
    rate, sent = made
    buckets = Buckets(rate)
    for _, now in sent:
        if wait := buckets.take("a", now):
            assert buckets.take("a", now + wait - 1) == 1
            assert buckets.take("a", now + wait) == 0
            return


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, NANOS)), max_size=300))
def test_no_more_keys_are_remembered_than_were_allowed(made: list[tuple[int, int]]) -> None:
    buckets, now = Buckets(FIVE, remembered=8), 0
    for key, gap in made:
        now += gap
        buckets.take(key, now)
        assert len(buckets) <= 8


def test_full_buckets_are_forgotten_as_others_come() -> None:
    buckets = Buckets(FIVE)
    for key in range(1000):
        buckets.take(key, 0)
    for number in range(500):
        buckets.take("later", NANOS * (number + 1))
    assert len(buckets) <= 2


@pytest.mark.parametrize("wrong", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_a_rate_of_nothing_is_none(wrong: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Rate(*wrong)
