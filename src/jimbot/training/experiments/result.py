"""The result of an experiment as one JSON file: scores, speed, curves, or the error it failed with."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from jimbot.errors import JimbotError
from jimbot.storage.strict_json import read_json, replace_nonfinite, write_json

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["Curve", "ExperimentResult"]

FORMAT_VERSION = 1


@dataclass(frozen=True)
class Curve:
    """One number over a training.

    Attributes:
        steps: environment steps at which it was taken.
        values: the number.
        seconds: training time until then, pauses between a crash and its resuming left out.
    """

    steps: list[int]
    values: list[float]
    seconds: list[float]


@dataclass
class ExperimentResult:
    """What an experiment gave.

    Attributes:
        name: what tables call it.
        algorithm: that was trained.
        seed: of the experiment.
        status: finished, or failed with ``error`` and ``traceback``.
        key: names the experiment: the same configuration and seed have the same.
        recipe_hash: the same for experiments that differ only in name and seed.
        config_hash: of the whole trainer configuration.
        env: trained on.
        backend: the library that trained.
        mean_reward: of the final policy on the evaluation episodes; NaN when there is none.
        std_reward: standard deviation over those episodes.
        scores: reward of every evaluation episode; episode i is the same game for every experiment on an environment.
        evaluation: further means of those episodes (blinds, win rate, …).
        best_score: best evaluation seen in training, and ``best_confirmed`` the same policy measured again.
        timesteps: trained.
        episodes: trained.
        wall_seconds: of training, its evaluations included.
        steps_per_second: of training alone, without evaluations and checkpoints.
        peak_memory_bytes: most memory the process held meanwhile; None where the system does not tell.
        curves: by name, such as ``evaluation/mean_reward``; its first point is the untrained policy.
        run_directory: of the training.
        stopped: why training ended.
        resumed: how often it was resumed after an interruption.
        provenance: commit, versions, hardware.
        error: one line.
        traceback: the whole of it.
    """

    name: str
    algorithm: str
    seed: int
    status: Literal["finished", "failed"] = "finished"
    key: str = ""
    recipe_hash: str = ""
    config_hash: str = ""
    env: str = ""
    backend: str = ""
    mean_reward: float = math.nan
    std_reward: float = math.nan
    scores: list[float] = field(default_factory=list[float])
    evaluation: dict[str, float] = field(default_factory=dict[str, float])
    best_score: float | None = None
    best_confirmed: float | None = None
    timesteps: int = 0
    episodes: int = 0
    wall_seconds: float = 0.0
    steps_per_second: float = 0.0
    peak_memory_bytes: int | None = None
    curves: dict[str, Curve] = field(default_factory=dict[str, Curve])
    run_directory: str | None = None
    stopped: str = ""
    resumed: int = 0
    provenance: dict[str, Any] = field(default_factory=dict[str, Any])
    error: str | None = None
    traceback: str | None = None

    @property
    def finished(self) -> bool:
        """Whether it has results."""
        return self.status == "finished"

    def number(self, metric: str) -> float:
        """A number by name: a field such as ``mean_reward``, or one of the evaluation such as ``win_rate``."""
        found = getattr(self, metric, None) if metric in {each.name for each in fields(self)} else None
        if found is None:
            found = self.evaluation.get(metric)
        if isinstance(found, bool) or not isinstance(found, int | float):
            known = [each.name for each in fields(self) if isinstance(getattr(self, each.name), float)]
            raise JimbotError(
                f"{self.name} has no number {metric!r}; it has {', '.join([*known, *self.evaluation])}"
            )
        return float(found)

    def to_dict(self) -> dict[str, Any]:
        """Plain data that JSON can hold; numbers that are not finite are written as words."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        values["curves"] = {
            name: {"steps": curve.steps, "values": curve.values, "seconds": curve.seconds}
            for name, curve in self.curves.items()
        }
        return {"format_version": FORMAT_VERSION, **replace_nonfinite(values, "text")}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ExperimentResult:
        """The result of plain data."""
        values = dict(data)
        version = values.pop("format_version", None)
        if version != FORMAT_VERSION:
            raise JimbotError(f"the result has format {version!r}; this jimbot reads {FORMAT_VERSION}")
        values["curves"] = {
            name: Curve(
                [int(each) for each in curve["steps"]], floats(curve["values"]), floats(curve["seconds"])
            )
            for name, curve in values.get("curves", {}).items()
        }
        values["scores"] = floats(values.get("scores", []))
        values["evaluation"] = {name: float(each) for name, each in values.get("evaluation", {}).items()}
        for name in ("mean_reward", "std_reward", "wall_seconds", "steps_per_second"):
            values[name] = float(values[name])
        for name in ("best_score", "best_confirmed"):
            values[name] = None if values.get(name) is None else float(values[name])
        return cls(**values)

    def save(self, path: Path) -> None:
        """Write it, whole or not at all."""
        write_json(path, self.to_dict(), indent=1)

    @classmethod
    def load(cls, path: Path) -> ExperimentResult:
        """Read it; one clear error if the file is no result."""
        try:
            return cls.from_dict(read_json(path))
        except OSError as error:
            raise JimbotError(f"cannot read the result {path}: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise JimbotError(f"{path} is not a result of an experiment: {error}") from None


def floats(values: list[Any]) -> list[float]:
    """Numbers of JSON, words for those that are not finite included."""
    return [float(each) for each in values]
