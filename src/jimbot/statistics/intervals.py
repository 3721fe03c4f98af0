"""Honest numbers: intervals for win rates, means, differences and aggregates, and how many games a comparison takes.

Every formula stands in its function's docstring; ``z(p)`` is the quantile of the standard normal
distribution, ``t(p, v)`` that of Student's t distribution with v degrees of freedom.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from jimbot.errors import JimbotError
from jimbot.statistics.distributions import normal_quantile, student_t_quantile

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    Numbers = NDArray[np.float64]

__all__ = [
    "Interval",
    "interquartile_mean",
    "mean_interval",
    "paired_difference",
    "paired_proportion_difference",
    "probability_of_improvement",
    "probability_of_improvement_interval",
    "sample_size_paired_difference",
    "sample_size_two_proportions",
    "standard_error",
    "stratified_bootstrap_interval",
    "wilson_interval",
]

CONFIDENCE = 0.95
POWER = 0.8
RESAMPLES = 10_000

Method = Literal["t", "bootstrap"]


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence interval.

    Attributes:
        estimate: the value itself.
        low: the lower end.
        high: the upper end.
        count: how many observations it rests on.
        confidence: how often such an interval covers the truth, as a fraction.
    """

    estimate: float
    low: float
    high: float
    count: int
    confidence: float = CONFIDENCE

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.estimate:.4g} [{self.low:.4g}, {self.high:.4g}]"


def wilson_interval(successes: int, trials: int, confidence: float = CONFIDENCE) -> Interval:
    """Wilson's interval for a proportion, which holds for few trials and for proportions near 0 and 1 too.

    With ``p = successes / trials`` and ``z = z((1 + confidence) / 2)``:
    ``(p + z²/2n ± z √(p (1 - p) / n + z²/4n²)) / (1 + z²/n)``.
    """
    check_confidence(confidence)
    if trials < 1 or not 0 <= successes <= trials:
        raise JimbotError(
            f"expected 0 <= successes <= trials and a trial at least, got {successes} of {trials}"
        )
    z = normal_quantile((1.0 + confidence) / 2.0)
    share = successes / trials
    scale = 1.0 + z * z / trials
    middle = (share + z * z / (2.0 * trials)) / scale
    half = z * math.sqrt(share * (1.0 - share) / trials + z * z / (4.0 * trials * trials)) / scale
    low = 0.0 if successes == 0 else max(0.0, middle - half)
    high = 1.0 if successes == trials else min(1.0, middle + half)
    return Interval(share, low, high, trials, confidence)


def interquartile_mean(scores: ArrayLike) -> float:
    """The mean of the middle half: of n sorted scores, ``⌊n/4⌋`` are left out at each end."""
    ordered = np.sort(numbers(scores, "scores").ravel())
    cut = ordered.size // 4
    return float(ordered[cut : ordered.size - cut].mean())


def mean_interval(
    values: ArrayLike,
    confidence: float = CONFIDENCE,
    method: Method = "t",
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """A mean with its interval.

    ``t``: ``mean ± t((1 + confidence) / 2, n - 1) s / √n``, s with n - 1 in its denominator. ``bootstrap``: the
    percentiles of the means of resampled values. One value alone has an infinite t interval.
    """
    check_confidence(confidence)
    sample = numbers(values, "values").ravel()
    if method == "bootstrap":
        return stratified_bootstrap_interval(
            sample, lambda scores: float(np.mean(scores)), confidence, resamples=resamples, seed=seed
        )
    if method != "t":
        raise JimbotError(f"unknown method {method!r}; expected t or bootstrap")
    mean = float(sample.mean())
    if sample.size == 1:
        return Interval(mean, -math.inf, math.inf, 1, confidence)
    half = student_t_quantile((1.0 + confidence) / 2.0, sample.size - 1) * standard_error(sample)
    return Interval(mean, mean - half, mean + half, int(sample.size), confidence)


def standard_error(values: ArrayLike) -> float:
    """How far a mean is off as a rule: ``s / √n``, s with n - 1 in its denominator; 0 for one value alone."""
    sample = numbers(values, "values").ravel()
    return float(sample.std(ddof=1)) / math.sqrt(sample.size) if sample.size > 1 else 0.0


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    confidence: float = CONFIDENCE,
    method: Method = "t",
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """The mean of ``first - second`` on common seeds, with its interval: ``mean_interval`` of the differences.

    What a seed brings to both cancels, so that far fewer games tell two players apart than independent ones would.
    """
    left, right = numbers(first, "first").ravel(), numbers(second, "second").ravel()
    if left.size != right.size:
        raise JimbotError(
            f"pairs need two results each, got {left.size} and {right.size}; use the same seeds for both"
        )
    return mean_interval(left - right, confidence, method, resamples=resamples, seed=seed)


def paired_proportion_difference(
    first: ArrayLike, second: ArrayLike, confidence: float = CONFIDENCE
) -> Interval:
    """The difference of two win rates on common seeds, with Agresti and Min's interval for matched pairs.

    With b pairs that only the first wins, c that only the second wins, n pairs and ``z = z((1 + confidence) / 2)``:
    ``d ± z √((b + c + 1) - (b - c)² / (n + 2)) / (n + 2)`` with ``d = (b - c) / (n + 2)``, cut off at ±1. Unlike the
    t interval it has a width when no pair differs. The estimate is ``(b - c) / n``.
    """
    check_confidence(confidence)
    left, right = numbers(first, "first").ravel(), numbers(second, "second").ravel()
    if left.size != right.size:
        raise JimbotError(
            f"pairs need two results each, got {left.size} and {right.size}; use the same seeds for both"
        )
    only_first, only_second = int(((left > 0) & (right <= 0)).sum()), int(((left <= 0) & (right > 0)).sum())
    count, apart = left.size, only_first - only_second
    z = normal_quantile((1.0 + confidence) / 2.0)
    half = z * math.sqrt(only_first + only_second + 1.0 - apart**2 / (count + 2.0)) / (count + 2.0)
    middle = apart / (count + 2.0)
    return Interval(apart / count, max(-1.0, middle - half), min(1.0, middle + half), int(count), confidence)


def stratified_bootstrap_interval(
    scores: ArrayLike,
    statistic: Callable[[Numbers], float] = interquartile_mean,
    confidence: float = CONFIDENCE,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """The percentile interval of a statistic under resampling of the runs within every task.

    Args:
        scores: float[runs, tasks], or float[runs] for one task.
        statistic: of scores of that shape.
        confidence: its ``(1 ± confidence) / 2`` quantiles are the ends.
        resamples: how many times the runs are drawn again, with replacement.
        seed: the same seed gives the same interval.
    """
    check_confidence(confidence)
    sample = as_matrix(scores, "scores")
    generator = np.random.default_rng(seed)
    found = [statistic(resampled(sample, generator)) for _ in range(resamples)]
    return interval_of(statistic(sample), found, int(sample.size), confidence)


def probability_of_improvement(first: ArrayLike, second: ArrayLike) -> float:
    """How likely a run of the first beats a run of the second, averaged over tasks; a tie counts one half.

    ``P = mean over tasks of (#{x > y} + #{x = y} / 2) / (runs_x runs_y)``, which is Mann-Whitney's U / (n m).

    Args:
        first: float[runs, tasks] or float[runs].
        second: the same tasks; the number of runs may differ.
    """
    left, right = as_matrix(first, "first"), as_matrix(second, "second")
    if left.shape[1] != right.shape[1]:
        raise JimbotError(f"expected the same tasks for both, got {left.shape[1]} and {right.shape[1]}")
    return float(np.mean([share_above(left[:, task], right[:, task]) for task in range(left.shape[1])]))


def probability_of_improvement_interval(
    first: ArrayLike,
    second: ArrayLike,
    confidence: float = CONFIDENCE,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """``probability_of_improvement`` with the percentile interval of resampling both within every task."""
    check_confidence(confidence)
    left, right = as_matrix(first, "first"), as_matrix(second, "second")
    generator = np.random.default_rng(seed)
    found = [
        probability_of_improvement(resampled(left, generator), resampled(right, generator))
        for _ in range(resamples)
    ]
    return interval_of(
        probability_of_improvement(left, right), found, int(left.size + right.size), confidence
    )


def sample_size_two_proportions(
    first: float, second: float, power: float = POWER, confidence: float = CONFIDENCE
) -> int:
    """How many independent games each of two players needs so that their win rates are told apart.

    ``n = (z((1 + confidence) / 2) √(2 p̄ (1 - p̄)) + z(power) √(p (1 - p) + q (1 - q)))² / (p - q)²``, rounded up, with
    ``p̄ = (p + q) / 2``: the two-sided test of two proportions with the pooled variance.
    """
    check_confidence(confidence)
    check_power(power)
    if not (0.0 <= first <= 1.0 and 0.0 <= second <= 1.0) or first == second:
        raise JimbotError(f"expected two different proportions from 0 to 1, got {first} and {second}")
    middle = (first + second) / 2.0
    under_equality = math.sqrt(2.0 * middle * (1.0 - middle))
    under_difference = math.sqrt(first * (1.0 - first) + second * (1.0 - second))
    wanted = (
        normal_quantile((1.0 + confidence) / 2.0) * under_equality + normal_quantile(power) * under_difference
    )
    return math.ceil(wanted**2 / (first - second) ** 2)


def sample_size_paired_difference(
    difference: float, deviation: float, power: float = POWER, confidence: float = CONFIDENCE
) -> int:
    """How many common seeds it takes to see a mean paired difference.

    ``n = ((z((1 + confidence) / 2) + z(power)) s / d)² + z((1 + confidence) / 2)² / 2``, rounded up; the last term
    makes up for the test being Student's and not the normal one.

    Args:
        difference: the mean difference d to be seen.
        deviation: the standard deviation s of the differences, from a pilot of a few dozen pairs.
        power: how often it is to be seen.
        confidence: 1 minus how often a difference may be seen that is not there.
    """
    check_confidence(confidence)
    check_power(power)
    if difference == 0.0 or deviation <= 0.0:
        raise JimbotError(
            f"expected a difference other than 0 and a positive deviation, got {difference}, {deviation}"
        )
    z = normal_quantile((1.0 + confidence) / 2.0)
    return max(2, math.ceil(((z + normal_quantile(power)) * deviation / difference) ** 2 + z * z / 2.0))


# --- inside ----------------------------------------------------------------------------------------------------------


def numbers(values: ArrayLike, what: str) -> Numbers:
    """The values as an array of doubles; an error if there is none or one is not a number."""
    found: Numbers = np.asarray(values, dtype=np.float64)
    if found.size == 0:
        raise JimbotError(f"{what} is empty; at least one number is needed")
    if np.isnan(found).any():
        raise JimbotError(
            f"{what} holds values that are not numbers; leave them out or count them as failures"
        )
    return found


def as_matrix(scores: ArrayLike, what: str) -> Numbers:
    """Scores as float[runs, tasks]."""
    found = numbers(scores, what)
    if found.ndim > 2:
        raise JimbotError(f"{what} must have the shape [runs] or [runs, tasks], got {found.shape}")
    return found.reshape(found.shape[0] if found.ndim else 1, -1)


def resampled(scores: Numbers, generator: np.random.Generator) -> Numbers:
    """Runs drawn with replacement, within every task on its own."""
    rows = generator.integers(scores.shape[0], size=scores.shape)
    return np.take_along_axis(scores, rows, axis=0)


def share_above(left: Numbers, right: Numbers) -> float:
    """The share of pairs in which the left is greater, ties as one half; by searching, not by listing all pairs."""
    ordered = np.sort(right)
    below = np.searchsorted(ordered, left, side="left")
    not_above = np.searchsorted(ordered, left, side="right")
    return float((below + not_above).sum()) / (2.0 * left.size * right.size)


def interval_of(estimate: float, found: list[float], count: int, confidence: float) -> Interval:
    """The percentile interval of bootstrap results."""
    if len(found) < 100:
        raise JimbotError(f"a bootstrap needs 100 resamples at least, got {len(found)}")
    ends: Any = np.quantile(found, [(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0])
    return Interval(estimate, float(ends[0]), float(ends[1]), count, confidence)


def check_confidence(confidence: float) -> None:
    """Raise unless it is a fraction."""
    if not 0.0 < confidence < 1.0:
        raise JimbotError(f"confidence must lie between 0 and 1, such as 0.95, got {confidence}")


def check_power(power: float) -> None:
    """Raise unless it is a fraction."""
    if not 0.0 < power < 1.0:
        raise JimbotError(f"power must lie between 0 and 1, such as 0.8, got {power}")
