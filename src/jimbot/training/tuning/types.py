"""The settings of a hyperparameter search, and its results."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["Finalist", "TuningError", "TuningResult", "TuningSettings"]


class TuningError(JimbotError, ValueError):
    """A search that cannot be started or continued."""


@dataclass(frozen=True)
class TuningSettings:
    """The settings of a search.

    Attributes:
        seeds: training runs of each trial; their mean score is what counts.
        search: paths to search, and where; all that the configuration's fields declare if empty.
        startup_trials: proposals drawn at random before TPE learns from results; pruning begins after them too.
        prune: end trials whose evaluations lie below the median of the others'.
        top: how many of the best are trained anew.
        final_seeds: fresh runs of each of them.
        final_episodes: episodes each is measured on.
    """

    seeds: int = 2
    search: tuple[str, ...] = ()
    startup_trials: int = 5
    prune: bool = True
    top: int = 3
    final_seeds: int = 3
    final_episodes: int = 100

    def check(self) -> None:
        """Raise on what cannot be."""
        for name in ("seeds", "startup_trials", "top", "final_seeds", "final_episodes"):
            if getattr(self, name) < 1:
                raise TuningError(f"{name} must be at least 1, got {getattr(self, name)}")


@dataclass(frozen=True)
class Finalist:
    """One of the best trials, trained anew.

    Attributes:
        trial: its number.
        values: its hyperparameters by path.
        search_score: its mean score in the search.
        scores: by fresh seed.
    """

    trial: int
    values: dict[str, Any]
    search_score: float
    scores: dict[str, float]

    @property
    def mean(self) -> float:
        """Mean score on the fresh seeds."""
        return statistics.fmean(self.scores.values())


@dataclass(frozen=True)
class TuningResult:
    """How a search ended.

    Attributes:
        directory: the study's.
        trials: how many were finished, pruned ones included.
        pruned: how many of them were pruned.
        finalists: the best trained anew, the winner first.
        config: the winner's configuration.
    """

    directory: Path
    trials: int
    pruned: int
    finalists: list[Finalist]
    config: TrainerConfig

    @property
    def tied(self) -> list[Finalist]:
        """The others that are as good as the winner on the fresh seeds; it was named for its score in the search."""
        first, *others = self.finalists
        return [each for each in others if math.isclose(each.mean, first.mean, rel_tol=1e-9, abs_tol=1e-12)]
