"""The environments of one runner, normalized by statistics that all runners share.

A runner normalizes with what all knew together at the last delivery, and collects what it sees meanwhile. The driver
merges what was collected and hands the whole back, so that every runner sees the world through the same numbers.
Before the first delivery a runner uses what it has collected itself.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.networks.normalizer import ObservationNormalizer, RewardScaler, RunningMoments
from jimbot.training.envs.normalized_vector import NormalizedVector, unbounded_fields
from jimbot.training.envs.packing import Packing

if TYPE_CHECKING:
    from collections.abc import Mapping

    import gymnasium
    from numpy.typing import ArrayLike, NDArray

    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.envs.protocol import Step
    from jimbot.training.envs.vectors import TrainingVector

__all__ = ["SharedScaler", "Statistics", "StatisticsVector"]

RETURNS = "returns"


class Statistics:
    """What is known about observations and returns, by all runners or by one since its last report.

    Attributes:
        observations: statistics of the unbounded fields, or None.
        returns: statistics of the discounted return, or None.
    """

    def __init__(self, observation_space: gymnasium.Space[Any], config: TrainerConfig) -> None:
        fields = unbounded_fields(observation_space) if config.normalize_obs else {}
        self.observations = ObservationNormalizer(fields) if fields else None
        self.returns = RunningMoments(()) if config.normalize_reward else None

    def merge(self, tree: Mapping[str, Any]) -> None:
        """Take in what another has seen, as plain data."""
        if self.observations is not None:
            self.observations.merge(ObservationNormalizer.from_state_dict(tree["observations"]))
        if self.returns is not None:
            self.returns.merge(RunningMoments.from_state(RETURNS, tree["returns"]))

    def restore(self, tree: Mapping[str, Any]) -> None:
        """Become what plain data says."""
        if self.observations is not None:
            self.observations = ObservationNormalizer.from_state_dict(tree["observations"])
        if self.returns is not None:
            self.returns = RunningMoments.from_state(RETURNS, tree["returns"])

    def state(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "observations": None if self.observations is None else self.observations.state_dict(),
            "returns": None if self.returns is None else self.returns.state(RETURNS),
        }


class SharedScaler(RewardScaler):
    """A reward scaler that learns into statistics apart from those it scales by."""

    def __init__(self, num_envs: int, discount: float, collected: RunningMoments) -> None:
        super().__init__(num_envs, discount=discount)
        self.collected = collected

    def __call__(self, rewards: ArrayLike, ended: ArrayLike) -> NDArray[np.float32]:
        """Rewards of one step, scaled, float32[num_envs]; ``ended`` says where an episode was over with it."""
        values = np.asarray(rewards, np.float64)
        self.returns = self.returns * self.discount + values
        self.collected.update(self.returns)
        self.returns[np.asarray(ended, np.bool_)] = 0.0
        if self.moments.count:
            return self.scale(values)
        known, self.moments = self.moments, self.collected
        scaled = self.scale(values)
        self.moments = known
        return scaled


class StatisticsVector(NormalizedVector):
    """A ``NormalizedVector`` whose statistics are collected apart from those in use."""

    normalizer: ObservationNormalizer | None
    scaler: RewardScaler | None

    def __init__(self, vector: TrainingVector, config: TrainerConfig) -> None:
        super().__init__(vector, config)
        self.packing = Packing(vector.observation_space)
        self._config = config
        self._collected = Statistics(vector.observation_space, config)
        self._seconds = 0.0
        if self._collected.returns is not None:
            self.scaler = SharedScaler(self.num_envs, config.hyperparams.gamma, self._collected.returns)

    def _learn_and_normalize(self, observation: Any) -> Any:
        collected = self._collected.observations
        if collected is None:
            return observation
        collected.update(observation)
        return self._normalized(observation)

    def _normalized(self, observation: Any) -> Any:
        if self.normalizer is None or self._collected.observations is None:
            return observation
        first = next(iter(self.normalizer.moments.values()))
        known = self.normalizer if first.count else self._collected.observations
        return known.normalize(observation)

    def step(self, actions: NDArray[Any]) -> Step:
        """Take one action in each environment."""
        started = time.perf_counter()
        step = super().step(actions)
        self._seconds += time.perf_counter() - started
        return step

    def take_seconds(self) -> float:
        """Seconds spent stepping since the last call."""
        spent, self._seconds = self._seconds, 0.0
        return spent

    def take_statistics(self) -> dict[str, Any]:
        """What was seen since the last call, as plain data."""
        taken = self._collected.state()
        self._collected = Statistics(self.observation_space, self._config)
        if isinstance(self.scaler, SharedScaler) and self._collected.returns is not None:
            self.scaler.collected = self._collected.returns
        return taken

    def set_statistics(self, tree: Mapping[str, Any]) -> None:
        """Use these from now on, for the present observation too."""
        if self.normalizer is not None:
            self.normalizer = ObservationNormalizer.from_state_dict(tree["observations"])
            if self.vector.observation() is not None:
                self._seen = self._normalized(self.vector.observation())
        if self.scaler is not None:
            self.scaler.moments = RunningMoments.from_state(RETURNS, tree["returns"])

    def snapshot(self) -> dict[str, Any]:
        """Environments and unfinished returns; the statistics are the driver's."""
        unfinished = None if self.scaler is None else self.scaler.returns.copy()
        return {"vector": self.vector.snapshot(), "unfinished": unfinished}

    def restore(self, tree: Mapping[str, Any]) -> Any:
        """Restore a snapshot; the statistics have been set before, and what was seen since is forgotten."""
        self.take_statistics()
        self._seen = self._normalized(self.vector.restore(tree["vector"]))
        if self.scaler is not None:
            self.scaler.returns = np.array(tree["unfinished"], np.float64)
        return self._seen
