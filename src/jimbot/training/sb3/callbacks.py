"""Callbacks for Stable-Baselines3's own ``learn``, for those who use the library without the framework."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from stable_baselines3.common.callbacks import BaseCallback

from jimbot.training.evaluation import single_numbers
from jimbot.training.metrics import BalatroMetrics

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BalatroMetricsCallback"]


class BalatroMetricsCallback(BaseCallback):
    """Collects ante, blinds, wins and reward terms of ended episodes from ``infos``, and records their means.

    Args:
        window: episodes over which means are taken.
        verbose: as in the library.
    """

    def __init__(self, window: int = 100, verbose: int = 0) -> None:
        super().__init__(verbose)
        self.window = window
        self.metrics = BalatroMetrics()

    def _on_step(self) -> bool:
        infos: list[Mapping[str, Any]] = self.locals.get("infos", [])
        dones: Any = self.locals.get("dones", [])
        for info, done in zip(infos, dones, strict=False):
            if done and "ante" in info:
                numbers = dict(single_numbers(info))
                episode: Mapping[str, Any] = info.get("episode", {})
                self.metrics.add_episode(
                    reward=float(episode.get("r", 0.0)),
                    ante=int(numbers.get("ante", 0)),
                    score=numbers.get("best_hand", 0.0),
                    length=int(episode.get("l", numbers.get("steps", 0))),
                    won=bool(numbers.get("won", 0.0)),
                )
        return True

    def _on_rollout_end(self) -> None:
        for name, value in self.metrics.get_summary().items():
            self.logger.record(f"balatro/{name}", value)
