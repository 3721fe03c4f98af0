"""The performance of one training: how fast, how soon, how good. Benchmark results and run directories become one."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from jimbot.errors import JimbotError
from jimbot.training.experiments.result import ExperimentResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.tracking.events import Event

__all__ = ["LEVELS", "PerformanceMetrics"]

LEVELS = (0.5, 0.75, 0.9)
"""Shares of the way from the untrained policy to its final or best level."""
FINAL_SHARE = 0.1
"""The final level is the mean of this last share of a curve's points."""
CURVES = ("evaluation/mean_reward", "rollout/mean_reward")
"""What convergence is read from: evaluations, or else training episodes."""

TIME = re.compile(r"time/\w+_seconds")
LEAST_GAIN = 1e-6
"""Rewards that rise by less are taken as zero: that is rounding, not learning."""

Goal = Literal["final", "best"]
Unit = Literal["seconds", "steps"]


@dataclass
class PerformanceMetrics:
    """One training in numbers.

    Attributes:
        name: what tables call it; trainings of one name and configuration are its repetitions.
        algorithm: that was trained.
        seed: of the training.
        steps_per_second: environment steps over the time of training alone, without evaluations and checkpoints.
        mean_reward: of the final evaluation; NaN if there is none.
        std_reward: over its episodes.
        scores: reward of every episode; episode i is the same game for all.
        timesteps: trained.
        wall_seconds: that took.
        steps, values, seconds: the learning curve, of one length.
        peak_memory_bytes: most memory held.
        env: trained on; metrics of different environments cannot be compared.
        recipe_hash: of the configuration without its seed.
        config_hash: of the configuration.
        run_directory: of the training.
        provenance: commit, versions, hardware.
    """

    name: str
    algorithm: str = ""
    seed: int = 0
    steps_per_second: float = math.nan
    mean_reward: float = math.nan
    std_reward: float = math.nan
    scores: list[float] = field(default_factory=list[float])
    timesteps: int = 0
    wall_seconds: float = math.nan
    steps: list[int] = field(default_factory=list[int])
    values: list[float] = field(default_factory=list[float])
    seconds: list[float] = field(default_factory=list[float])
    peak_memory_bytes: int | None = None
    env: str = ""
    recipe_hash: str = ""
    config_hash: str = ""
    run_directory: str | None = None
    provenance: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        lengths = {"steps": len(self.steps), "values": len(self.values), "seconds": len(self.seconds)}
        if len(set(lengths.values())) > 1:
            raise JimbotError(f"{self.name}: a learning curve needs lists of one length, got {lengths}")
        if any(later < earlier for earlier, later in zip(self.steps, self.steps[1:], strict=False)):
            raise JimbotError(f"{self.name}: the steps of a learning curve must not fall")

    @property
    def steps_per_minute(self) -> float:
        """Environment steps a minute."""
        return self.steps_per_second * 60.0

    @property
    def steps_per_hour(self) -> float:
        """Environment steps an hour."""
        return self.steps_per_second * 3600.0

    @property
    def final_level(self) -> float:
        """The mean of the curve's last tenth; NaN without a curve."""
        known = [value for value in self.values if not math.isnan(value)]
        return float(np.mean(known[-max(1, math.ceil(len(known) * FINAL_SHARE)) :])) if known else math.nan

    @property
    def best_level(self) -> float:
        """The curve's highest point; NaN without a curve."""
        known = [value for value in self.values if not math.isnan(value)]
        return max(known) if known else math.nan

    def time_to(self, share: float, goal: Goal = "final", unit: Unit = "seconds") -> float | None:
        """When the curve first reaches ``start + share * (goal - start)``, its start being its first point.

        None if it never does, or if nothing was learned (less than ``LEAST_GAIN``): then every point would do.
        """
        if not 0.0 < share <= 1.0:
            raise JimbotError(f"share must be above 0 and at most 1, such as 0.9, got {share}")
        if goal not in ("final", "best") or unit not in ("seconds", "steps"):
            raise JimbotError(
                f"expected goal final or best and unit seconds or steps, got {goal!r} and {unit!r}"
            )
        known = [place for place, value in enumerate(self.values) if not math.isnan(value)]
        level = self.final_level if goal == "final" else self.best_level
        start = self.values[known[0]] if known else math.nan
        if len(known) < 2 or level - start < LEAST_GAIN:
            return None
        wanted = start + share * (level - start)
        times: Sequence[float] = self.seconds if unit == "seconds" else self.steps
        return next((float(times[place]) for place in known if self.values[place] >= wanted), None)

    def convergence(self) -> dict[str, float | None]:
        """Seconds and steps to each level of the final and of the best."""
        units: tuple[Unit, ...] = ("seconds", "steps")
        goals: tuple[Goal, ...] = ("final", "best")
        return {
            f"{unit}_to_{share:.0%}_of_{goal}".replace("%", ""): self.time_to(share, goal, unit)
            for unit in units
            for goal in goals
            for share in LEVELS
        }

    @classmethod
    def of(cls, given: Any) -> PerformanceMetrics:
        """From a benchmark's result, from metrics as they are, or from a run's directory."""
        if isinstance(given, PerformanceMetrics):
            return given
        if isinstance(given, ExperimentResult):
            return of_result(given)
        if isinstance(given, str | Path):
            return of_run(Path(given))
        raise JimbotError(
            f"expected a benchmark's result, PerformanceMetrics or a run's directory, got {type(given).__name__}"
        )


def of_result(result: ExperimentResult) -> PerformanceMetrics:
    """The metrics of an experiment that finished."""
    curve = next(
        (result.curves[name] for name in CURVES if len(result.curves.get(name, Nothing).steps) > 1), None
    )
    return PerformanceMetrics(
        name=result.name,
        algorithm=result.algorithm,
        seed=result.seed,
        steps_per_second=result.steps_per_second,
        mean_reward=result.mean_reward,
        std_reward=result.std_reward,
        scores=list(result.scores),
        timesteps=result.timesteps,
        wall_seconds=result.wall_seconds,
        steps=list(curve.steps) if curve else [],
        values=list(curve.values) if curve else [],
        seconds=list(curve.seconds) if curve else [],
        peak_memory_bytes=result.peak_memory_bytes,
        env=result.env,
        recipe_hash=result.recipe_hash,
        config_hash=result.config_hash,
        run_directory=result.run_directory,
        provenance=result.provenance,
    )


class Nothing:
    """A curve without points."""

    steps: tuple[int, ...] = ()


def of_run(path: Path) -> PerformanceMetrics:
    """The metrics of a run's directory, read from its events; its last evaluation stands for the final evaluation."""
    from jimbot.tracking.events import read_events
    from jimbot.training.runs.directory import RunDirectory
    from jimbot.training.runs.opening import run_config

    run = RunDirectory.open(path)
    config = run_config(run)
    events = list(read_events(run.events_path)) if run.events_path.exists() else []
    if not events:
        raise JimbotError(f"{path} has no events; train it first")
    first, last = events[0].time, events[-1]
    points: dict[str, list[tuple[int, float, float]]] = {name: [] for name in CURVES}
    deviation = math.nan
    for event in events:
        numbers = event.numbers()
        deviation = numbers.get("evaluation/std_reward", deviation)
        for name in CURVES:
            if event.kind in ("metrics", "evaluation") and name in numbers:
                points[name].append((event.step, numbers[name], event.time - first))
    nothing: list[tuple[int, float, float]] = []
    chosen = next((points[name] for name in CURVES if len(points[name]) > 1), nothing)
    evaluations = points[CURVES[0]]
    seconds = last.time - first
    return PerformanceMetrics(
        name=run.name,
        algorithm=config.algorithm,
        seed=config.seed,
        steps_per_second=training_rate(events),
        mean_reward=evaluations[-1][1] if evaluations else math.nan,
        std_reward=deviation,
        timesteps=last.step,
        wall_seconds=seconds,
        steps=[each[0] for each in chosen],
        values=[each[1] for each in chosen],
        seconds=[each[2] for each in chosen],
        env=config.env,
        recipe_hash=config.copy_with(seed=0).hash(),
        config_hash=config.hash(),
        run_directory=str(path),
        provenance={name: run.provenance.get(name) for name in ("created_at", "git", "versions", "hardware")},
    )


def training_rate(events: Sequence[Event]) -> float:
    """Steps per second of collecting and learning, as logged; NaN if a run logged no times.

    The logged seconds are totals that begin anew whenever a run is resumed.
    """
    seconds = before = 0.0
    step = 0
    for event in events:
        numbers = event.numbers() if event.kind == "metrics" else {}
        parts = [value for name, value in numbers.items() if TIME.fullmatch(name)]
        if parts:
            total = sum(parts)
            seconds += total - before if total >= before else total
            before, step = total, event.step
    return step / seconds if seconds > 0 else math.nan
