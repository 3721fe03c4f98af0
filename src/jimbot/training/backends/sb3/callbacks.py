"""Callbacks for Stable-Baselines3's own ``learn``, for those who use the library without the framework."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback

from jimbot.errors import JimbotError
from jimbot.training.envs.evaluation import single_numbers
from jimbot.training.metrics import BalatroMetrics

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["BalatroMetricsCallback"]

TERMS = "reward/"
"""What the names of reward terms begin with."""


class BalatroMetricsCallback(BaseCallback):
    """Collects reward, ante, blinds, wins and reward terms of ended episodes, and records their means.

    Reward and length are those of the library's ``Monitor`` if there is one; otherwise the rewards that the learner
    gets are added up here. The rest is read from an episode's last info. Recorded after every rollout: the summary of
    ``BalatroMetrics`` as ``balatro/…``, with ``balatro/mean_blinds`` and ``balatro/reward/<term>``.

    Args:
        window: episodes over which means are taken, the last ones.
        verbose: as in the library.

    Attributes:
        metrics: all episodes so far.
    """

    def __init__(self, window: int = 100, verbose: int = 0) -> None:
        super().__init__(verbose)
        if window < 1:
            raise JimbotError(f"window must be at least 1, got {window}")
        self.window = window
        self.metrics = BalatroMetrics()
        self._rewards: NDArray[np.float64] = np.zeros(0)
        self._lengths: NDArray[np.int64] = np.zeros(0, np.int64)

    def _on_training_start(self) -> None:
        count = self.training_env.num_envs
        if self.num_timesteps == 0 or len(self._rewards) != count:  # otherwise episodes go on where they were
            self._rewards, self._lengths = np.zeros(count), np.zeros(count, np.int64)

    def _on_step(self) -> bool:
        self._rewards += np.asarray(self.locals["rewards"], np.float64)
        self._lengths += 1
        infos: list[Mapping[str, Any]] = self.locals["infos"]
        for row in np.flatnonzero(self.locals["dones"]):
            if "ante" in infos[row]:
                self._add(infos[row], float(self._rewards[row]), int(self._lengths[row]))
            self._rewards[row], self._lengths[row] = 0.0, 0
        return True

    def _add(self, info: Mapping[str, Any], reward: float, length: int) -> None:
        """Count an episode that ended with this info."""
        numbers = dict(single_numbers(info))
        monitored: Mapping[str, Any] = info.get("episode", {})
        more = {name: value for name, value in numbers.items() if name == "blinds" or name.startswith(TERMS)}
        self.metrics.add_episode(
            reward=float(monitored.get("r", reward)),
            ante=int(numbers["ante"]),
            score=numbers.get("best_hand", 0.0),
            length=int(monitored.get("l", length)),
            won=bool(numbers.get("won", 0.0)),
            **more,
        )

    def summary(self) -> dict[str, float]:
        """The last ``window`` episodes in numbers; ``episodes`` and ``total_steps`` count all of them."""
        recent = BalatroMetrics()
        recent.episodes = self.metrics.episodes[-self.window :]
        every = {
            "episodes": len(self.metrics),
            "total_steps": sum(each.length for each in self.metrics.episodes),
        }
        found = {**recent.get_summary(), **every}
        return {name.replace(f"mean_{TERMS}", TERMS): value for name, value in found.items()}

    def _on_rollout_end(self) -> None:
        for name, value in self.summary().items():
            self.logger.record(f"balatro/{name}", value)
