"""Quantiles of the normal and Student's t distribution, to the accuracy of a double, without SciPy."""

from __future__ import annotations

import math
from statistics import NormalDist

from jimbot.errors import JimbotError

__all__ = ["normal_quantile", "student_t_cumulative", "student_t_quantile"]

TINY = 1e-300
MOST_TERMS = 10_000


def normal_quantile(probability: float) -> float:
    """The value that a standard normal variable stays below with a probability."""
    if not 0.0 < probability < 1.0:
        raise JimbotError(f"a probability must lie between 0 and 1, got {probability}")
    return NormalDist().inv_cdf(probability)


def student_t_cumulative(value: float, degrees: float) -> float:
    """The probability that a Student t variable with some degrees of freedom stays below a value.

    For t >= 0 it is ``1 - I_x(v/2, 1/2) / 2`` with ``x = v / (v + t²)`` and the regularised incomplete beta function I.
    """
    whole = degrees + value * value
    tail = 0.5 * incomplete_beta(degrees / 2.0, 0.5, degrees / whole, value * value / whole)
    return 1.0 - tail if value >= 0.0 else tail


def student_t_quantile(probability: float, degrees: float) -> float:
    """The value that a Student t variable with some degrees of freedom stays below with a probability."""
    if degrees <= 0:
        raise JimbotError(f"degrees of freedom must be positive, got {degrees}")
    if not 0.0 < probability < 1.0:
        raise JimbotError(f"a probability must lie between 0 and 1, got {probability}")
    if probability == 0.5:
        return 0.0
    if probability < 0.5:
        return -student_t_quantile(1.0 - probability, degrees)
    low, high = 0.0, 1.0
    while student_t_cumulative(high, degrees) < probability:
        low, high = high, high * 2.0
    while True:  # halving the interval ends at two neighbouring doubles
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return middle
        if student_t_cumulative(middle, degrees) < probability:
            low = middle
        else:
            high = middle


def incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function ``I_x(a, b)``, by its continued fraction; ``rest`` is 1 - x.

    Both are given since 1 - x, worked out here, would lose the digits of a small one.
    """
    if x <= 0.0:
        return 0.0
    if rest <= 0.0:
        return 1.0
    if x > (a + 1.0) / (a + b + 2.0):  # the fraction converges fast on the other side only
        return 1.0 - incomplete_beta(b, a, rest, x)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    )
    return front / (a * beta_fraction(a, b, x))


def beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    value, upper, lower = 1.0, 1.0, 0.0
    for term in range(1, MOST_TERMS):
        half = term // 2
        if term % 2 == 0:
            factor = half * (b - half) * x / ((a + term - 1.0) * (a + term))
        else:
            factor = -(a + half) * (a + b + half) * x / ((a + term - 1.0) * (a + term))
        lower = 1.0 + factor * lower
        lower = 1.0 / (lower if abs(lower) > TINY else TINY)
        upper = 1.0 + factor / upper
        upper = upper if abs(upper) > TINY else TINY
        change = upper * lower
        value *= change
        if abs(change - 1.0) < 1e-16:
            break
    return value
