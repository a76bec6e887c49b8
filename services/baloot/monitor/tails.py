"""How likely chance alone gives a value at least as far out: the tails of three distributions."""

from __future__ import annotations

from math import erfc, exp, lgamma, log, sqrt

_EXACT = 1e-14
_TINY = 1e-300
_STEPS = range(1, 1_000_000)
"""More than any value needs."""


def chi_square_odds(value: float, freedom: int) -> float:
    """How likely a chi-square with so many degrees of freedom is at least as high."""
    return upper_gamma(freedom / 2, value / 2)


def normal_odds(z: float) -> float:
    """How likely a standard normal value is at least as far from 0, on either side."""
    return erfc(abs(z) / sqrt(2))


def poisson_odds(seen: int, expected: float) -> float:
    """Twice how likely a count is at least as far from what is expected on the side on which it lies; at most 1."""
    at_least = 1 - upper_gamma(seen, expected) if seen else 1.0
    at_most = upper_gamma(seen + 1, expected)
    return min(1.0, 2 * min(at_least, at_most))


def upper_gamma(shape: float, x: float) -> float:
    """The upper incomplete gamma function of a positive `shape`, regularized: 1 at 0, falling to 0."""
    if x <= 0:
        return 1.0
    scale = exp(shape * log(x) - x - lgamma(shape))
    return max(0.0, 1 - scale * _series(shape, x)) if x < shape + 1 else scale * _fraction(shape, x)


def _series(shape: float, x: float) -> float:
    term = total = 1 / shape
    for n in _STEPS:
        term *= x / (shape + n)
        total += term
        if term < _EXACT * total:
            break
    return total


def _fraction(shape: float, x: float) -> float:
    """The continued fraction, from its front by Lentz's method."""
    b = x + 1 - shape
    c, d = 1 / _TINY, 1 / b
    value = d
    for n in _STEPS:
        a = -n * (n - shape)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        value *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return value
