"""Early stopping: a target score is reached, or the score has not improved for a while."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.training.config.trainer_config import EarlyStopConfig

__all__ = ["EarlyStop"]


class EarlyStop:
    """Watches the scores of evaluations. Without a configuration it never stops anything.

    Attributes:
        best: the score that later ones must beat.
        since_best: evaluations since then.
        reason: why to stop, for people; empty while there is none.
        reached: whether an evaluation has reached the target: that is what converged means; running out of patience
            is not.
    """

    def __init__(self, config: EarlyStopConfig | None) -> None:
        self.config = config
        self.best: float | None = None
        self.since_best = 0
        self.reason = ""
        self.reached = False

    @property
    def due(self) -> bool:
        """Whether to stop now."""
        return bool(self.reason)

    def see(self, score: float) -> None:
        """Count an evaluation's score."""
        config = self.config
        if config is None:
            return
        if self.best is None or score > self.best + config.min_improvement:
            self.best, self.since_best = score, 0
        else:
            self.since_best += 1
        if config.target_score is not None and score >= config.target_score:
            self.reason, self.reached = f"reached {config.target_score:g}", True
        elif config.patience is not None and self.since_best >= config.patience:
            self.reason = f"no better evaluation in {config.patience}"

    def state(self) -> dict[str, Any]:
        """Plain data for a checkpoint."""
        return {
            "best": self.best,
            "since_best": self.since_best,
            "reason": self.reason,
            "reached": self.reached,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore from a checkpoint."""
        self.best, self.since_best, self.reason = state["best"], state["since_best"], state["reason"]
        # Older checkpoints say so by the reason alone.
        self.reached = bool(state.get("reached", self.reason.startswith("reached")))
