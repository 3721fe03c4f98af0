"""Rollouts of environments that are not written in JAX: any Gymnasium vector, and the framework's own vectors.

Every step is copied into NumPy arrays that are made once; acting is one compiled call per step, and the same compiled
update learns from the arrays.
"""

# Gymnasium's and JAX's own signatures name types that they do not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from gymnasium.vector import AutoresetMode

from jimbot.errors import JimbotError
from jimbot.training.backends.jax.state import Rollout
from jimbot.training.envs.protocol import Episode, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from jimbot.training.backends.jax.ppo import PPO
    from jimbot.training.backends.jax.state import PPOState

__all__ = ["Episode", "GymnasiumVector", "HostVector", "ObservationLayout", "PlainLayout", "VectorCollector"]


class HostVector(Protocol):
    """What a collector needs of environments; ``SteppedEnvironments`` of the framework have it."""

    @property
    def num_envs(self) -> int:
        """How many there are."""
        ...

    @property
    def observation_space(self) -> gymnasium.Space[Any]:
        """Of one environment."""
        ...

    def reset(self) -> Any:
        """Start all environments; their observations."""
        ...

    def observation(self) -> Any:
        """The current observations; None before the first reset."""
        ...

    def step(self, actions: NDArray[Any]) -> Step:
        """Take one action in each environment; ended ones start again."""
        ...

    def drain(self) -> list[Episode]:
        """The episodes that ended since the last call."""
        ...


class ObservationLayout(Protocol):
    """How observations are stored; ``jimbot.training.envs.packing.Packing`` is one."""

    def empty(self, rows: int) -> Any:
        """Arrays for ``rows`` observations."""
        ...

    def pack(self, observation: Any, blocks: Any, /) -> None:
        """Copy a batch of observations into arrays."""
        ...


class VectorCollector:
    """Rollouts of a vector environment with discrete actions.

    Args:
        ppo: the algorithm, on observations as ``layout`` stores them.
        env: the environments. A Gymnasium vector is reset at once and wrapped in a ``GymnasiumVector``.
        rollout_steps: steps of each environment per rollout.
        seed: given to the first reset of a Gymnasium vector.
        layout: how observations are stored; by default as they come.

    Attributes:
        vector: the environments, with ``drain()`` for the episodes that ended.
        env_seconds: time spent in the environments so far.
    """

    def __init__(
        self,
        ppo: PPO,
        env: gymnasium.vector.VectorEnv[Any, Any, Any] | HostVector,
        rollout_steps: int,
        seed: int | None = None,
        *,
        layout: ObservationLayout | None = None,
    ) -> None:
        self.ppo, self.rollout_steps = ppo, rollout_steps
        self.vector: HostVector = (
            GymnasiumVector(env, seed) if isinstance(env, gymnasium.vector.VectorEnv) else env
        )
        self.layout = PlainLayout(self.vector.observation_space) if layout is None else layout
        shape = (rollout_steps, self.vector.num_envs)
        stored = self.layout.empty((rollout_steps + 1) * self.vector.num_envs)
        stored = map_arrays(
            lambda array: array.reshape(rollout_steps + 1, shape[1], *array.shape[1:]), stored
        )
        self.observations = map_arrays(lambda array: array[:-1], stored)
        self.rows = [map_arrays(lambda array, at=at: array[at], stored) for at in range(rollout_steps + 1)]
        self.final_observations = self.layout.empty(shape[1])
        self.actions = np.zeros(shape, np.int32)
        self.rewards, self.log_probs, self.values, self.final_values = np.zeros((4, *shape), np.float32)
        self.terminated, self.truncated, self.valid = np.zeros((3, *shape), bool)
        self.env_seconds = 0.0

    @property
    def observation(self) -> Any:
        """The current observations."""
        current = self.vector.observation()
        return self.vector.reset() if current is None else current

    def collect(self, state: PPOState) -> tuple[PPOState, Rollout]:
        """Play ``rollout_steps`` steps with the policy of a state.

        Returns:
            The state with its key advanced, and the rollout. Its arrays are overwritten by the next call.
        """
        # The last update may still be reading the arrays that are overwritten now.
        jax.block_until_ready(state)
        keys = np.asarray(jax.random.split(state.key, self.rollout_steps + 1))
        observation, next_step = self.observation, False
        self.final_values[:] = 0.0
        self.valid[:] = True
        for at in range(self.rollout_steps):
            self.layout.pack(observation, self.rows[at])
            choice = self.ppo.act(state.params, state.normalizer, self.rows[at], keys[at + 1])
            self.actions[at] = choice.actions
            step = self.step(at, state, keys[0])
            self.log_probs[at] = choice.log_probs
            self.values[at] = choice.values
            observation = step.observation
            if isinstance(step, AutoresetStep):
                self.valid[at], next_step = step.valid, True
        self.layout.pack(observation, self.rows[-1])
        last_values = self.predict_values(self.rows[-1], state, keys[0])
        if next_step:  # the last observation of an episode is the next row
            self.final_values[:-1], self.final_values[-1] = self.values[1:], last_values
        # NumPy arrays stand in for JAX's here; the compiled update takes either.
        parts: dict[str, Any] = {
            "actions": self.actions,
            "rewards": self.rewards,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "log_probs": self.log_probs,
            "values": self.values,
            "final_values": self.final_values,
            "last_values": last_values,
            "valid": self.valid if next_step else None,
        }
        return state._replace(key=jnp.asarray(keys[0])), Rollout(self.observations, **parts)

    def step(self, at: int, state: PPOState, key: NDArray[Any]) -> Step:
        """Step the environments and store the result in row ``at``."""
        started = time.perf_counter()
        step = self.vector.step(self.actions[at].astype(np.int64))
        self.env_seconds += time.perf_counter() - started
        self.rewards[at] = step.rewards
        self.terminated[at] = step.terminated
        # An end that is both counts as a termination: nothing follows it.
        truncated = step.truncated & ~step.terminated
        self.truncated[at] = truncated
        if step.final is not None and truncated.any():
            self.layout.pack(step.final, self.final_observations)
            values = self.predict_values(self.final_observations, state, key)
            self.final_values[at] = np.where(truncated, values, 0.0)
        return step

    def predict_values(self, observations: Any, state: PPOState, key: NDArray[Any]) -> NDArray[np.float32]:
        """float32[num_envs], read off the compiled acting: a function of values alone would be compiled too."""
        choice = self.ppo.act(state.params, state.normalizer, observations, cast("Any", key))
        return np.asarray(choice.values)


@dataclass(frozen=True)
class AutoresetStep(Step):
    """A step under ``NEXT_STEP`` autoreset: where ``valid`` is False, the environment was only reset."""

    valid: NDArray[np.bool_]


class GymnasiumVector:
    """A Gymnasium vector as a ``HostVector``.

    Both ways of autoreset are understood. Under ``SAME_STEP`` the last observation of an episode is in the infos as
    ``final_obs``. Under ``NEXT_STEP`` it is the next observation, and the step after it, which only resets, is marked
    as not valid.

    Args:
        env: the environments.
        seed: given to the first reset.
    """

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any], seed: int | None = None) -> None:
        action_space = cast("gymnasium.Space[Any]", env.single_action_space)
        if not isinstance(action_space, gymnasium.spaces.Discrete):
            kind = type(action_space).__name__
            raise JimbotError(f"PPO in JAX needs a Discrete action space, got {kind}; choose another backend")
        mode = env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
        if mode not in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
            raise JimbotError(f"cannot collect with autoreset {mode}; expected SAME_STEP or NEXT_STEP")
        self.env = env
        self.num_envs = env.num_envs
        self.observation_space = cast("gymnasium.Space[Any]", env.single_observation_space)
        self.same_step = mode == AutoresetMode.SAME_STEP
        self.first_action = int(action_space.start)
        self.resetting = np.zeros(self.num_envs, bool)
        self.returns = np.zeros(self.num_envs)
        self.lengths = np.zeros(self.num_envs, np.int64)
        self._layout = PlainLayout(self.observation_space)
        self._final = self._layout.empty(self.num_envs)
        self._episodes: list[Episode] = []
        self._observation = self.reset(seed)

    def reset(self, seed: int | None = None) -> Any:
        """Start all environments; their observations."""
        for array in (self.resetting, self.returns, self.lengths):
            array[:] = 0
        self._observation = self.env.reset(seed=seed)[0]
        return self._observation

    def observation(self) -> Any:
        """The current observations."""
        return self._observation

    def step(self, actions: NDArray[Any]) -> Step:
        """Take one action, counted from 0, in each environment."""
        observation, rewards, terminated, truncated, infos = self.env.step(actions + self.first_action)
        self._observation = observation
        valid = ~self.resetting
        rewards = np.where(valid, np.asarray(rewards, np.float32), np.float32(0.0))
        terminated, truncated = np.asarray(terminated), np.asarray(truncated)
        self.count(rewards, valid, terminated, truncated)
        if self.same_step:
            cut = truncated & ~terminated
            final = self.take_final(infos, cut) if cut.any() else None
            return Step(observation, rewards, terminated, truncated, final)
        self.resetting = terminated | truncated
        return AutoresetStep(observation, rewards, terminated, truncated, None, valid)

    def take_final(self, infos: dict[str, Any], where: NDArray[np.bool_]) -> Any:
        """The last observations of truncated episodes; other rows mean nothing."""
        if "final_obs" not in infos:
            raise JimbotError(
                "an episode was truncated but the infos hold no 'final_obs'; expected it with SAME_STEP"
            )
        given = infos["final_obs"]
        if not (isinstance(given, np.ndarray) and given.dtype == object):
            return cast("Any", given)
        for row in np.flatnonzero(where):  # one observation per environment, or None
            self._layout.pack(
                given[row], map_arrays(lambda array, row=row: array[row : row + 1], self._final)
            )
        return self._final

    def count(
        self,
        rewards: NDArray[Any],
        valid: NDArray[np.bool_],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
    ) -> None:
        """Add a step to the running episodes, and keep those that it ended."""
        self.returns += rewards
        self.lengths += valid
        for row in np.flatnonzero(terminated | truncated):
            cut = bool(truncated[row] and not terminated[row])
            self._episodes.append(Episode(float(self.returns[row]), int(self.lengths[row]), 0, cut))
            self.returns[row], self.lengths[row] = 0.0, 0

    def drain(self) -> list[Episode]:
        """The episodes that ended since the last call."""
        ended, self._episodes = self._episodes, []
        return ended

    def state_tree(self) -> dict[str, Any]:
        """Where collecting stands, as plain arrays. The environments' own state is theirs to save."""
        return {
            "observation": map_arrays(np.array, self._observation),
            "resetting": self.resetting.copy(),
            "returns": self.returns.copy(),
            "lengths": self.lengths.copy(),
        }

    def restore(self, tree: dict[str, Any]) -> None:
        """Continue where ``state_tree`` was taken; the environments must stand there too."""
        self._observation = map_arrays(np.array, tree["observation"])
        for name in ("resetting", "returns", "lengths"):
            setattr(self, name, np.array(tree[name]))


class PlainLayout:
    """Observations stored as they come; float64 becomes float32."""

    def __init__(self, space: gymnasium.Space[Any]) -> None:
        self.space = space

    def empty(self, rows: int) -> Any:
        """Arrays of zeros for ``rows`` observations."""
        return zeros_of(self.space, rows)

    def pack(self, observation: Any, blocks: Any, /) -> None:
        """Copy a batch of observations into arrays."""
        if isinstance(blocks, dict):
            for name, block in cast("dict[str, Any]", blocks).items():
                self.pack(observation[name], block)
        else:
            np.copyto(blocks, observation, casting="same_kind")


def zeros_of(space: gymnasium.Space[Any], rows: int) -> Any:
    """Arrays of zeros for ``rows`` observations of a space."""
    if isinstance(space, gymnasium.spaces.Dict):
        return {name: zeros_of(part, rows) for name, part in space.spaces.items()}
    if space.shape is None or space.dtype is None:
        raise JimbotError(
            f"cannot store observations of {space}; expected boxes, discrete numbers, or a Dict of them"
        )
    dtype = np.float32 if space.dtype == np.float64 else space.dtype
    return np.zeros((rows, *space.shape), dtype)


def map_arrays(function: Callable[[Any], Any], arrays: Any) -> Any:
    """An array, or a (nested) dictionary of arrays, with a function applied to each."""
    if isinstance(arrays, dict):
        return {name: map_arrays(function, part) for name, part in cast("dict[str, Any]", arrays).items()}
    return function(arrays)
