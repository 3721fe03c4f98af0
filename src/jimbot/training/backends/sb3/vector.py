"""Our environments as a Stable-Baselines3 ``VecEnv``: packed arrays, and no Python object per step that need not be."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from jimbot.training.envs.creation import unwrap_environments
from jimbot.training.envs.packing import Packing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from jimbot.training.envs.protocol import SteppedEnvironments

__all__ = ["SB3Vector"]


class SB3Vector(VecEnv):
    """A ``VecEnv`` over a trainer's environments. Observations are packed (see ``Packing``)."""

    def __init__(self, source: SteppedEnvironments) -> None:
        self.source = source
        self.packing = Packing(source.observation_space)
        super().__init__(source.num_envs, self.packing.space, source.action_space)
        self.seconds = 0.0
        self._blocks = self.packing.empty(self.num_envs)
        self._final = self.packing.empty(self.num_envs)
        self._actions: NDArray[Any] = np.zeros(self.num_envs, np.int64)
        self._no_news: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]

    def reset(self) -> Any:
        """The observation the environments are at; they are started and restored by whoever owns them."""
        seen = self.source.observation()
        self.packing.pack(self.source.reset() if seen is None else seen, self._blocks)
        return self._copy()

    def step_async(self, actions: NDArray[Any]) -> None:
        """Keep the actions for ``step_wait``."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Step all environments: packed observations, rewards, ends, infos."""
        started = time.perf_counter()
        step = self.source.step(self._actions)
        self.packing.pack(step.observation, self._blocks)
        dones = step.terminated | step.truncated
        infos = self._no_news
        if dones.any():
            self.packing.pack(step.final, self._final)
            infos = list(infos)
            for row in np.flatnonzero(dones):
                infos[row] = {
                    "terminal_observation": {name: block[row].copy() for name, block in self._final.items()},
                    "TimeLimit.truncated": bool(step.truncated[row] and not step.terminated[row]),
                }
        self.seconds += time.perf_counter() - started
        return self._copy(), step.rewards.copy(), dones.copy(), infos

    def _copy(self) -> dict[str, NDArray[Any]]:
        # The library keeps the previous observation while it steps.
        return {name: block.copy() for name, block in self._blocks.items()}

    def close(self) -> None:
        """Nothing: the environments belong to the trainer."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the vector, once per environment."""
        return [
            getattr(unwrap_environments(self.source), attr_name, None) for _ in self._get_indices(indices)
        ]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not possible: the environments are one object."""
        raise AttributeError(f"{attr_name} cannot be set on environments that are stepped as one")

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        """Call a method of the vector, once."""
        result = getattr(unwrap_environments(self.source), method_name)(*arguments, **named)
        return [result for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Whether environments are wrapped: they are not."""
        return [False for _ in self._get_indices(indices)]

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Nothing: seeds are the trainer's."""
        return [seed] * self.num_envs
