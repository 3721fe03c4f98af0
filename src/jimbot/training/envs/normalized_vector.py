"""The environments as a learner sees them: observations normalized, rewards scaled, if the configuration says so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from jimbot.networks.normalizer import ObservationNormalizer, RewardScaler

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.envs.protocol import Episode, Step
    from jimbot.training.envs.vectors import TrainingVector

__all__ = ["BOUND", "NormalizedVector", "unbounded_fields"]

BOUND = 10.0
"""Arrays that stay within this are left as they are: whoever made the environment has scaled them."""
PLAIN_NAME = "observation"


def unbounded_fields(space: gymnasium.Space[Any]) -> dict[str, tuple[int, ...]]:
    """Names and shapes of the float arrays that are not bounded to ±``BOUND``."""
    parts = space.spaces if isinstance(space, gymnasium.spaces.Dict) else {PLAIN_NAME: space}
    found: dict[str, tuple[int, ...]] = {}
    for name, part in parts.items():
        if not isinstance(part, gymnasium.spaces.Box) or part.dtype.kind != "f":
            continue
        if not (np.abs(part.low) <= BOUND).all() or not (np.abs(part.high) <= BOUND).all():
            found[name] = part.shape
    return found


class NormalizedVector:
    """``SteppedEnvironments`` over a ``TrainingVector``, with an observation normalizer and a reward scaler, or not.

    Attributes:
        on_step: called with the number of environments after every step, or None.
    """

    def __init__(self, vector: TrainingVector, config: TrainerConfig) -> None:
        self.vector = vector
        self.num_envs = vector.num_envs
        self.observation_space: gymnasium.Space[Any] = vector.observation_space
        self.action_space: gymnasium.Space[Any] = vector.action_space
        fields = unbounded_fields(vector.observation_space) if config.normalize_obs else {}
        self.normalizer = ObservationNormalizer(fields) if fields else None
        self.scaler = (
            RewardScaler(vector.num_envs, discount=config.hyperparams.gamma)
            if config.normalize_reward
            else None
        )
        self.on_step: Callable[[int], None] | None = None
        self._seen: Any = None

    @property
    def stage(self) -> int:
        """The stage of the curriculum that episodes begin in now."""
        return self.vector.stage

    def has(self, method: str) -> bool:
        """Whether every environment has a method of this name."""
        return self.vector.has(method)

    def tell(self, method: str, value: Any, stage: int) -> None:
        """Call a method of every environment; episodes that begin from then on are of this stage."""
        self.vector.tell(method, value, stage)

    def reset(self, seed: int | None = None) -> Any:
        """Start all environments; the first observation as the learner sees it."""
        self._seen = self._learn_and_normalize(self.vector.reset(seed))
        return self._seen

    def observation(self) -> Any:
        """The observation after the last reset, step or restore, as the learner sees it."""
        return self._seen

    def step(self, actions: NDArray[Any]) -> Step:
        """Take one action in each environment."""
        step = self.vector.step(actions)
        if self.on_step is not None:
            self.on_step(self.num_envs)
        rewards, final = step.rewards, step.final
        if self.scaler is not None:
            rewards = self.scaler(rewards, step.terminated | step.truncated)
        self._seen = self._learn_and_normalize(step.observation)
        if self.normalizer is not None and final is not None:
            final = self.normalizer.normalize(final)
        return replace(step, observation=self._seen, rewards=rewards, final=final)

    def _learn_and_normalize(self, observation: Any) -> Any:
        return observation if self.normalizer is None else self.normalizer(observation)

    def drain(self) -> list[Episode]:
        """The episodes that ended since the last call."""
        return self.vector.drain()

    def snapshot(self) -> dict[str, Any]:
        """Environments, statistics, and the present observation as the learner saw it."""
        return {
            "vector": self.vector.snapshot(),
            "normaliser": self.normalizer.state_dict() if self.normalizer is not None else None,
            "scaler": self.scaler.state_dict() if self.scaler is not None else None,
        }

    def restore(self, tree: Mapping[str, Any]) -> Any:
        """Restore a snapshot; the observation of that moment as the learner saw it."""
        observation = self.vector.restore(tree["vector"])
        if self.normalizer is not None:
            self.normalizer = ObservationNormalizer.from_state_dict(tree["normaliser"])
            observation = self.normalizer.normalize(observation)
        if self.scaler is not None:
            self.scaler = RewardScaler.from_state_dict(tree["scaler"])
        self._seen = observation
        return observation

    def close(self) -> None:
        """Release the environments."""
        self.vector.close()
