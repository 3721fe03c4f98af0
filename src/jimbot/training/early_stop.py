"""When training ends before its time: a score reached, or no better one for long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.training.config import EarlyStopConfig

__all__ = ["EarlyStop"]


class EarlyStop:
    """Watches the panels' scores. Without a configuration it never stops anything."""

    def __init__(self, config: EarlyStopConfig | None) -> None:
        self.config = config
        self.best: float | None = None
        self.since_best = 0
        self.reason = ""

    @property
    def reached(self) -> bool:
        """Whether it is time to stop."""
        return bool(self.reason)

    def see(self, score: float) -> None:
        """Count a panel's score."""
        config = self.config
        if config is None:
            return
        if self.best is None or score > self.best + config.min_improvement:
            self.best, self.since_best = score, 0
        else:
            self.since_best += 1
        if config.target_score is not None and score >= config.target_score:
            self.reason = f"reached {config.target_score:g}"
        elif config.patience is not None and self.since_best >= config.patience:
            self.reason = f"no better panel in {config.patience}"

    def state(self) -> dict[str, Any]:
        """Plain data for a checkpoint."""
        return {"best": self.best, "since_best": self.since_best, "reason": self.reason}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go back to a checkpoint."""
        self.best, self.since_best, self.reason = state["best"], state["since_best"], state["reason"]
