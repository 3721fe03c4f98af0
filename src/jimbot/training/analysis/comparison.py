"""Trainings grouped by what they repeat, ranked with intervals, and compared in pairs on common seeds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from jimbot.errors import JimbotError
from jimbot.statistics.intervals import (
    Interval,
    interquartile_mean,
    mean_interval,
    paired_difference,
    probability_of_improvement_interval,
    sample_size_paired_difference,
    stratified_bootstrap_interval,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jimbot.training.analysis.metrics import Goal, PerformanceMetrics, Unit

__all__ = ["Comparison", "Group", "Ranked", "compare", "group_runs", "rank"]

RESAMPLES = 1_000


@dataclass(frozen=True)
class Ranked:
    """A place in a ranking.

    Attributes:
        rank: from 1; equal values share one, and the next is left out.
        name: of the group.
        value: what was ranked.
        interval: 95 %; None where one training does not give any.
        runs: trainings it rests on.
        tied_with: groups whose intervals overlap with this one's: the data do not tell them apart.
    """

    rank: int
    name: str
    value: float
    interval: Interval | None
    runs: int
    tied_with: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Two groups on common ground.

    Attributes:
        first, second: their names.
        difference: mean of first minus second, paired.
        unit: what was paired: training seeds, or the episodes of one training each (then it speaks of those two
            trained policies, not of the algorithms).
        improvement: probability that a training (or an episode) of the first beats one of the second.
        seeds_needed: pairs that would tell this difference apart four times of five; None if it is told, or is 0.
    """

    first: str
    second: str
    difference: Interval
    unit: Literal["seeds", "episodes"]
    improvement: Interval
    seeds_needed: int | None

    @property
    def told_apart(self) -> bool:
        """Whether the difference's interval leaves out 0."""
        return 0.0 not in self.difference


@dataclass
class Group:
    """Trainings that differ in their seed alone."""

    name: str
    runs: list[PerformanceMetrics] = field(default_factory=list["PerformanceMetrics"])

    def known(self, read: Callable[[PerformanceMetrics], float]) -> list[float]:
        """A number of every training that has it."""
        return [value for value in map(read, self.runs) if not math.isnan(value)]

    def throughput(self) -> Interval | None:
        """Steps a second: mean and Student's interval."""
        found = self.known(lambda run: run.steps_per_second)
        return mean_interval(found) if found else None

    def quality(self) -> Interval | None:
        """Interquartile mean of the trainings' rewards with its bootstrap interval; of the episodes if there is one."""
        found = self.known(lambda run: run.mean_reward)
        if not found:
            return None
        episodes = [each for run in self.runs for each in run.scores if not math.isnan(each)]
        if len(found) > 1 or len(episodes) < 2:
            if len(found) == 1:
                return Interval(found[0], -math.inf, math.inf, 1)
            return stratified_bootstrap_interval(found, interquartile_mean, resamples=RESAMPLES)
        spread = stratified_bootstrap_interval(
            episodes, lambda scores: float(np.mean(scores)), resamples=RESAMPLES
        )
        return Interval(found[0], spread.low, spread.high, spread.count)

    def convergence(self, share: float, goal: Goal, unit: Unit) -> Interval:
        """Mean time to a level; infinite if a training never reached it."""
        times = [run.time_to(share, goal, unit) for run in self.runs]
        reached = [time for time in times if time is not None]
        if len(reached) < len(times):
            return Interval(math.inf, math.inf, math.inf, len(reached))
        return mean_interval(reached)


def group_runs(runs: Sequence[PerformanceMetrics]) -> list[Group]:
    """Groups in the order they came; one name for several configurations gets the configuration's hash."""
    recipes: dict[str, list[str]] = {}
    for run in runs:
        known = recipes.setdefault(run.name, [])
        if run.recipe_hash not in known:
            known.append(run.recipe_hash)
    groups: dict[str, Group] = {}
    for run in runs:
        name = run.name if len(recipes[run.name]) == 1 else f"{run.name} ({run.recipe_hash[:6] or 'other'})"
        group = groups.setdefault(name, Group(name))
        if any(other.seed == run.seed for other in group.runs):
            raise JimbotError(
                f"{name} has seed {run.seed} twice; add every training once, and give repetitions other seeds"
            )
        group.runs.append(run)
    return list(groups.values())


def rank(
    groups: Sequence[Group], read: Callable[[Group], Interval | None], *, highest_first: bool
) -> list[Ranked]:
    """Groups in order; those without a number come last, as NaN."""
    found = {group.name: read(group) for group in groups}
    sizes = {group.name: len(group.runs) for group in groups}

    def order(name: str) -> float:
        interval = found[name]
        if interval is None or math.isnan(interval.estimate):
            return math.inf
        return -interval.estimate if highest_first else interval.estimate

    names = sorted(found, key=order)
    ranked: list[Ranked] = []
    for place, name in enumerate(names, start=1):
        interval = found[name]
        value = math.nan if interval is None else interval.estimate
        same = bool(ranked) and ranked[-1].value == value
        bounded = interval is not None and math.isfinite(interval.low) and math.isfinite(interval.high)
        ties = tuple(other for other in names if other != name and overlap(interval, found[other]))
        number = ranked[-1].rank if same else place
        ranked.append(Ranked(number, name, value, interval if bounded else None, sizes[name], ties))
    return ranked


def overlap(one: Interval | None, other: Interval | None) -> bool:
    """Whether two intervals share a value; without bounds only equal values do."""
    if one is None or other is None:
        return False
    if not all(map(math.isfinite, (one.low, one.high, other.low, other.high))):
        return one.estimate == other.estimate
    return one.low <= other.high and other.low <= one.high


def compare(first: Group, second: Group) -> Comparison:
    """Two groups on the seeds they have in common, or on the episodes if each is one training."""
    mine, theirs, unit = common_ground(first, second)
    difference = paired_difference(mine, theirs)
    deviation = float(np.std(np.subtract(mine, theirs), ddof=1))
    needed = None
    if 0.0 in difference and difference.estimate != 0.0 and deviation > 0.0:
        needed = sample_size_paired_difference(difference.estimate, deviation)
    improvement = probability_of_improvement_interval(mine, theirs, resamples=RESAMPLES)
    return Comparison(first.name, second.name, difference, unit, improvement, needed)


def common_ground(
    first: Group, second: Group
) -> tuple[list[float], list[float], Literal["seeds", "episodes"]]:
    """Numbers in pairs and what pairs them."""
    mine = {run.seed: run.mean_reward for run in first.runs if not math.isnan(run.mean_reward)}
    theirs = {run.seed: run.mean_reward for run in second.runs if not math.isnan(run.mean_reward)}
    seeds = [seed for seed in mine if seed in theirs]
    if len(seeds) > 1:
        return [mine[seed] for seed in seeds], [theirs[seed] for seed in seeds], "seeds"
    if len(first.runs) == len(second.runs) == 1:
        pairs = [
            (left, right)
            for left, right in zip(first.runs[0].scores, second.runs[0].scores, strict=False)
            if not (math.isnan(left) or math.isnan(right))
        ]
        if len(pairs) > 1:
            return [left for left, _ in pairs], [right for _, right in pairs], "episodes"
    raise JimbotError(
        f"{first.name} and {second.name} have {len(seeds)} seeds in common; a comparison needs two at least"
    )
