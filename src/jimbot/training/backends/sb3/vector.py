"""Environments and rollouts as Stable-Baselines3 takes them: packed arrays, and no needless Python object per step."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from gymnasium.spaces import Box, Discrete, Space
from stable_baselines3.common.buffers import DictRolloutBuffer
from stable_baselines3.common.type_aliases import DictRolloutBufferSamples
from stable_baselines3.common.vec_env import VecEnv

from jimbot.training.envs.creation import unwrap_environments
from jimbot.training.envs.packing import Packing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from jimbot.training.envs.protocol import SteppedEnvironments

__all__ = ["SB3Vector", "TensorRolloutBuffer"]


class SB3Vector(VecEnv):
    """A ``VecEnv`` over a trainer's environments. Observations are packed (see ``Packing``)."""

    def __init__(self, source: SteppedEnvironments) -> None:
        self.source = source
        self.packing = Packing(source.observation_space)
        super().__init__(source.num_envs, self.packing.space, bounded(source.action_space))
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


def bounded(space: Space[Any]) -> Space[Any]:
    """The space with finite bounds in the place of infinite ones, which the library does not take."""
    if not isinstance(space, Box) or space.is_bounded():
        return space
    limits = np.finfo(cast("Any", space.dtype))
    return Box(
        np.maximum(space.low, limits.min), np.minimum(space.high, limits.max), dtype=cast("Any", space.dtype)
    )


COLUMNS = ("actions", "values", "log_probs", "advantages", "returns")


class TensorRolloutBuffer(DictRolloutBuffer):
    """The rollout of PPO and A2C as tensors, made once after collecting: a minibatch is then one gather per array.

    It gives the minibatches that the library's buffer gives, in the same order.
    """

    def reset(self) -> None:
        """Forget the rollout."""
        super().reset()
        self._tensors: dict[str, Any] | None = None

    def _get_samples(self, batch_inds: Any, env: Any = None) -> DictRolloutBufferSamples:
        if self._tensors is None:
            flat = {
                name: torch.as_tensor(getattr(self, name), device=self.device).flatten() for name in COLUMNS
            }
            if not isinstance(self.action_space, Discrete):
                flat["actions"] = torch.as_tensor(self.actions, device=self.device)
            seen = {
                name: torch.as_tensor(each, device=self.device) for name, each in self.observations.items()
            }
            self._tensors = {**flat, "observations": seen}
        rows = torch.as_tensor(batch_inds, device=self.device)
        tensors = self._tensors
        return DictRolloutBufferSamples(
            observations={name: each.index_select(0, rows) for name, each in tensors["observations"].items()},
            actions=tensors["actions"].index_select(0, rows),
            old_values=tensors["values"].index_select(0, rows),
            old_log_prob=tensors["log_probs"].index_select(0, rows),
            advantages=tensors["advantages"].index_select(0, rows),
            returns=tensors["returns"].index_select(0, rows),
        )
