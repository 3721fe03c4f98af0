"""How fast a run trains: steps per second, and the seconds that each phase of an iteration took."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.training.loop.progress import Status

__all__ = ["SpeedMeter"]

LEAST_SECONDS = 1.0
"""Time that a rate is measured over, at least."""


class SpeedMeter:
    """Adds up the seconds of phases such as collecting and learning, and measures steps per second."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.start_at(0)

    def start_at(self, timesteps: int) -> None:
        """Measure the rate from now on, for a run that has trained this many steps."""
        self._measured_at, self._measured_steps = time.monotonic(), timesteps

    def update(self, seconds: Mapping[str, float], timesteps: int, status: Status) -> None:
        """Add an iteration, and write the rate and the share of each phase into the status.

        Args:
            seconds: The iteration's seconds by phase.
            timesteps: Steps of the whole run after the iteration.
            status: Its ``shares`` and ``rate`` are set.
        """
        for phase, spent in seconds.items():
            self.seconds[phase] = self.seconds.get(phase, 0.0) + spent
        total = sum(self.seconds.values())
        status.shares = {phase: spent / total for phase, spent in self.seconds.items()} if total else {}
        elapsed = time.monotonic() - self._measured_at
        if elapsed > LEAST_SECONDS or not status.rate:
            status.rate = (timesteps - self._measured_steps) / max(elapsed, 1e-9)
            self.start_at(timesteps)

    def metrics(self) -> dict[str, float]:
        """Return the seconds of each phase so far, by metric name."""
        return {f"time/{phase}_seconds": spent for phase, spent in self.seconds.items()}
