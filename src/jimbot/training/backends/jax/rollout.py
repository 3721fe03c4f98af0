"""Collecting from environments that are not written in JAX: any Gymnasium vector environment, the native one included.

Steps are written into NumPy arrays that are made once; acting is one compiled call a step, and the same compiled update
learns from the arrays.
"""

# Gymnasium's and JAX's own signatures name types that they do not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
from gymnasium.vector import AutoresetMode

from jimbot.errors import JimbotError
from jimbot.training.backends.jax.types import Rollout

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from jimbot.training.backends.jax.ppo import PPO
    from jimbot.training.backends.jax.types import PPOState

__all__ = ["Episode", "VectorCollector"]


class Episode(NamedTuple):
    """An episode that ended: its undiscounted return and its length in steps."""

    total: float
    length: int


class VectorCollector:
    """Rollouts from a vector environment with discrete actions.

    Both ways of autoreset are understood. Under ``SAME_STEP`` the last observation of an episode is in the infos as
    ``final_obs``. Under ``NEXT_STEP`` it is the next observation, and the step after it, which only resets, is marked
    as not valid.

    Args:
        ppo: the algorithm.
        env: the environments.
        rollout_steps: steps of each environment per rollout.
        seed: given to the first reset.
    """

    def __init__(
        self,
        ppo: PPO,
        env: gymnasium.vector.VectorEnv[Any, Any, Any],
        rollout_steps: int,
        seed: int | None = None,
    ) -> None:
        action_space = cast("gymnasium.Space[Any]", env.single_action_space)
        space = cast("gymnasium.Space[Any]", env.single_observation_space)
        if not isinstance(action_space, gymnasium.spaces.Discrete):
            kind = type(action_space).__name__
            raise JimbotError(f"PPO in JAX needs a Discrete action space, got {kind}; choose another backend")
        mode = env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
        if mode not in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
            raise JimbotError(f"cannot collect with autoreset {mode}; expected SAME_STEP or NEXT_STEP")
        self.ppo = ppo
        self.env = env
        self.rollout_steps = rollout_steps
        self.same_step = mode == AutoresetMode.SAME_STEP
        self.first_action = int(action_space.start)
        shape = (rollout_steps, env.num_envs)
        self.observations = buffers(space, shape)
        self.final_observations = buffers(space, (env.num_envs,))
        self.actions = np.zeros(shape, np.int32)
        self.rewards, self.log_probs, self.values, self.final_values = np.zeros((4, *shape), np.float32)
        self.terminated, self.truncated, self.valid = np.zeros((3, *shape), bool)
        self.observation = buffers(space, (env.num_envs,))
        self.resetting = np.zeros(env.num_envs, bool)
        self.returns = np.zeros(env.num_envs)
        self.lengths = np.zeros(env.num_envs, np.int64)
        copy_into(self.observation, env.reset(seed=seed)[0])

    def collect(self, state: PPOState) -> tuple[PPOState, Rollout, list[Episode]]:
        """Play ``rollout_steps`` steps with the policy of a state.

        Returns:
            The state with its key moved on, the rollout (its arrays are overwritten by the next call), and the episodes
            that ended, in the order they did.
        """
        episodes: list[Episode] = []
        # The last update may still be reading the arrays that are overwritten now.
        jax.block_until_ready(state)
        key, *step_keys = np.asarray(jax.random.split(state.key, self.rollout_steps + 1))
        for time, step_key in enumerate(step_keys):
            store(self.observations, time, self.observation)
            choice = self.ppo.act(state.params, state.normaliser, self.observation, step_key)
            self.actions[time] = choice.actions
            self.log_probs[time] = choice.log_probs
            self.values[time] = choice.values
            self.advance(time, state)
            episodes += self.count(time)
        last = np.asarray(self.ppo.value(state.params, state.normaliser, self.observation))
        if not self.same_step:
            self.final_values[:-1] = self.values[1:]
            self.final_values[-1] = last
        valid = None if self.same_step else self.valid
        # NumPy arrays stand in for JAX's here; the compiled update takes either.
        rollout = Rollout(
            self.observations,
            *cast("tuple[Any, ...]", (self.actions, self.rewards, self.terminated, self.truncated)),
            *cast("tuple[Any, ...]", (self.log_probs, self.values, self.final_values, last, valid)),
        )
        return state._replace(key=jnp.asarray(key)), rollout, episodes

    def advance(self, time: int, state: PPOState) -> None:
        """Step the environments and write down what came of it."""
        observation, rewards, terminated, truncated, infos = self.env.step(
            self.actions[time] + self.first_action
        )
        self.rewards[time] = rewards
        self.terminated[time] = terminated
        self.truncated[time] = np.asarray(truncated) & ~np.asarray(terminated)
        self.valid[time] = ~self.resetting
        copy_into(self.observation, observation)
        if self.same_step:
            self.final_values[time] = 0.0
            if self.truncated[time].any():
                self.take_final(infos, self.truncated[time])
                values = self.ppo.value(state.params, state.normaliser, self.final_observations)
                self.final_values[time] = np.where(self.truncated[time], values, 0.0)
        else:
            self.rewards[time][self.resetting] = 0.0
            self.resetting = np.asarray(terminated) | np.asarray(truncated)

    def take_final(self, infos: dict[str, Any], where: NDArray[np.bool_]) -> None:
        """Copy the last observations of truncated episodes; other rows keep what they hold."""
        if "final_obs" not in infos:
            raise JimbotError(
                "an episode was truncated but the infos hold no 'final_obs'; expected it with SAME_STEP"
            )
        final = infos["final_obs"]
        if (
            isinstance(final, np.ndarray) and final.dtype == object
        ):  # one observation per environment, or None
            for row in np.flatnonzero(where):
                store(self.final_observations, int(row), final[row])
        else:
            copy_into(self.final_observations, final)

    def count(self, time: int) -> list[Episode]:
        """Add a step to the running episodes; those that it ended."""
        self.returns += self.rewards[time]
        self.lengths += self.valid[time] if not self.same_step else 1
        ended = np.flatnonzero(self.terminated[time] | self.truncated[time])
        episodes = [Episode(float(self.returns[row]), int(self.lengths[row])) for row in ended]
        self.returns[ended] = 0.0
        self.lengths[ended] = 0
        return episodes

    def state_tree(self) -> dict[str, Any]:
        """Where collecting stands, as plain arrays. The environments' own state is theirs to save."""
        parts = {"resetting": self.resetting, "returns": self.returns, "lengths": self.lengths}
        return {
            "observation": copied(self.observation),
            **{name: part.copy() for name, part in parts.items()},
        }

    def restore(self, tree: dict[str, Any]) -> None:
        """Continue where ``state_tree`` was taken; the environments must stand there too."""
        copy_into(self.observation, tree["observation"])
        for name in ("resetting", "returns", "lengths"):
            setattr(self, name, np.array(tree[name]))


def buffers(space: gymnasium.Space[Any], shape: tuple[int, ...]) -> Any:
    """Arrays of zeros for observations of a space, with ``shape`` before the space's own; float64 becomes float32."""
    if isinstance(space, gymnasium.spaces.Dict):
        return {name: buffers(part, shape) for name, part in space.spaces.items()}
    if space.shape is None or space.dtype is None:
        raise JimbotError(
            f"cannot hold observations of {space}; expected boxes, discrete numbers, or a Dict of them"
        )
    dtype = np.float32 if space.dtype == np.float64 else space.dtype
    return np.zeros((*shape, *space.shape), dtype)


def over_leaves(action: Callable[[Any, Any], None], target: Any, source: Any) -> None:
    """Call ``action`` with each pair of arrays of two observations of the same shape."""
    if isinstance(target, dict):
        for name, part in cast("dict[str, Any]", target).items():
            over_leaves(action, part, source[name])
    else:
        action(target, source)


def copy_into(target: Any, source: Any) -> None:
    """Overwrite one observation's arrays with another's."""
    over_leaves(lambda one, other: np.copyto(one, other, casting="same_kind"), target, source)


def store(target: Any, row: int, source: Any) -> None:
    """Write an observation into row ``row`` of arrays that have one more axis."""
    over_leaves(lambda one, other: np.copyto(one[row], other, casting="same_kind"), target, source)


def copied(observation: Any) -> Any:
    """A copy of an observation's arrays."""
    if isinstance(observation, dict):
        return {name: copied(part) for name, part in cast("dict[str, Any]", observation).items()}
    return np.array(observation)
