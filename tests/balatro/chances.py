"""Statistical tests in plain Python: how likely counts as far from expectation as these are."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

RARE = 1e-6
"""A test that gives less than this has found a difference: one false alarm in a million."""


def chi_square_chance(statistic: float, freedom: int) -> float:
    """Chance of a chi-square value at least as large: the regularized upper incomplete gamma function."""
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    scale = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for step in range(1, 10_000):
            term *= x / (a + step)
            total += term
            if term < total * 1e-15:
                break
        return 1 - scale * total
    b, c, d = x + 1 - a, 1e300, 1 / (x + 1 - a)
    fraction = d
    for step in range(1, 10_000):
        factor = -step * (step - a)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return scale * fraction


def fit_chance(counts: Mapping[Any, int], expected: Mapping[Any, float]) -> float:
    """Chance of such counts if the outcomes have the expected weights. Outcomes without weight are impossible."""
    if set(counts) - set(expected):
        return 0.0
    total, weight = sum(counts.values()), sum(expected.values())
    statistic = sum(
        (counts.get(key, 0) - total * share / weight) ** 2 / (total * share / weight)
        for key, share in expected.items()
    )
    return chi_square_chance(statistic, len(expected) - 1)


def same_source_chance(one: Counter[Any], other: Counter[Any]) -> float:
    """Chance of two samples so different if they come from one source; rare outcomes are put together."""
    pooled = one + other
    rare = {key for key, count in pooled.items() if count < 20}
    rows = [
        (sum(one[key] for key in group), sum(other[key] for key in group))
        for group in [[key] for key in pooled if key not in rare] + ([list(rare)] if rare else [])
    ]
    sizes = (one.total(), other.total())
    both = sum(sizes)
    statistic = sum(
        (row[side] - sum(row) * sizes[side] / both) ** 2 / (sum(row) * sizes[side] / both)
        for row in rows
        for side in (0, 1)
    )
    return chi_square_chance(statistic, len(rows) - 1) if len(rows) > 1 else 1.0
