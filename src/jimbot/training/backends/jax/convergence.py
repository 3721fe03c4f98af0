"""Convergence: a target for the average reward over a sliding window of episodes, and patience."""

from __future__ import annotations

from collections import deque
from typing import Any

from jimbot.errors import JimbotError

__all__ = ["ConvergenceMonitor"]


class ConvergenceMonitor:
    """Decides from episode rewards whether training has converged.

    The average of the last ``window`` episodes counts once the window is full. Training has converged when the average
    has reached the target and stayed there for ``patience`` more episodes; falling below the target restarts the wait.

    Attributes:
        best_average: the best average of a full window; None before the window is full.
        converged: whether training has converged.
        episode: number of episodes seen.
    """

    def __init__(self, target: float, window: int, patience: int) -> None:
        if window < 1 or patience < 0:
            needed = "convergence_window must be at least 1 and early_stopping_patience at least 0"
            raise JimbotError(f"{needed}, got {window} and {patience}")
        self.target, self.window, self.patience = target, window, patience
        self.recent: deque[float] = deque(maxlen=window)
        self.episode = 0
        self.at_target = 0
        self.best_average: float | None = None
        self.converged = False

    @property
    def average(self) -> float:
        """Average reward of the last ``window`` episodes or of those so far; 0 before the first."""
        return sum(self.recent) / len(self.recent) if self.recent else 0.0

    def add(self, reward: float) -> bool:
        """Add an episode; whether training has converged."""
        self.recent.append(reward)
        self.episode += 1
        if len(self.recent) < self.window:
            return self.converged
        average = self.average
        if self.best_average is None or average > self.best_average:
            self.best_average = average
        self.at_target = self.at_target + 1 if average >= self.target else 0
        if self.at_target > self.patience:
            self.converged = True
        return self.converged

    def state(self) -> dict[str, Any]:
        """Everything that changes, as plain values."""
        return {
            "recent": list(self.recent),
            "episode": self.episode,
            "at_target": self.at_target,
            "best_average": self.best_average,
            "converged": self.converged,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from ``state``."""
        self.recent = deque(state["recent"], maxlen=self.window)
        self.episode, self.at_target = state["episode"], state["at_target"]
        self.best_average, self.converged = state["best_average"], state["converged"]
