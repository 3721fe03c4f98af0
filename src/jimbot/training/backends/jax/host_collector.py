"""Steps of the framework's environments in arrays that a compiled update learns from.

Observations are packed into one block per kind as they come, so that a step costs two or three copies, acting takes
two or three arrays, and a minibatch is gathered from as many. The arrays are made once.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import jax
import jax.numpy as jnp
import numpy as np

from jimbot.networks import create_flax_network
from jimbot.training.backends.jax import PPO, Rollout

if TYPE_CHECKING:
    from jax import Array
    from numpy.typing import NDArray

    from jimbot.networks import NetworkSpec
    from jimbot.training.backends.jax import PPOConfig, PPOState
    from jimbot.training.envs.packing import Packing
    from jimbot.training.envs.protocol import SteppedEnvironments

__all__ = ["PackedCollector", "shared_ppo"]


@lru_cache(maxsize=16)
def shared_ppo(spec: NetworkSpec, packing: Packing | None, config: PPOConfig) -> PPO:
    """The algorithm for a network: trainers that have everything in common share the compiled code.

    With a packing, observations are its blocks; without one they are as the network takes them.
    """
    network = create_flax_network(spec)

    def apply(params: Any, observations: Any, /) -> tuple[Array, Array]:
        seen = observations if packing is None else packing.unpack(observations)
        return cast("tuple[Array, Array]", network.apply(params, seen))

    return PPO(apply, config)


class PackedCollector:
    """Rollouts of the framework's environments.

    Args:
        ppo: the algorithm, on packed observations.
        vector: the environments.
        packing: how observations are packed.
        steps: steps of each environment per rollout.
    """

    def __init__(self, ppo: PPO, vector: SteppedEnvironments, packing: Packing, steps: int) -> None:
        self.ppo, self.vector, self.packing, self.steps = ppo, vector, packing, steps
        shape = (steps, vector.num_envs)
        flat = packing.empty((steps + 1) * vector.num_envs)
        self.blocks = {name: block.reshape(steps + 1, vector.num_envs, -1) for name, block in flat.items()}
        self.final = packing.empty(vector.num_envs)
        self.actions = np.zeros(shape, np.int32)
        self.rewards, self.log_probs, self.values, self.final_values = np.zeros((4, *shape), np.float32)
        self.terminated, self.truncated = np.zeros((2, *shape), bool)
        self.env_seconds = 0.0

    def collect(self, state: PPOState) -> tuple[PPOState, Rollout]:
        """Play with the policy of a state: the state with its key moved on, and the rollout.

        The rollout's arrays are overwritten by the next call; the last observation stays in the vector.
        """
        # An update that still runs may be reading the arrays that are overwritten now.
        jax.block_until_ready(state)
        keys = np.asarray(jax.random.split(state.key, self.steps + 1))
        seen = self.vector.observation()
        observation = self.vector.reset() if seen is None else seen
        self.final_values[:] = 0.0
        for number in range(self.steps):
            blocks = self.at(number)
            self.packing.pack(observation, blocks)
            choice = self.ppo.act(state.params, state.normaliser, blocks, keys[number + 1])
            self.actions[number] = choice.actions
            observation = self.advance(number, state, keys[0])
            self.log_probs[number] = choice.log_probs
            self.values[number] = choice.values
        last = self.at(self.steps)
        self.packing.pack(observation, last)
        # NumPy arrays stand in for JAX's here; the compiled update takes either.
        parts: dict[str, Any] = {
            "actions": self.actions,
            "rewards": self.rewards,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "log_probs": self.log_probs,
            "values": self.values,
            "final_values": self.final_values,
            "last_values": self.value_of(last, state, keys[0]),
        }
        observations = {name: block[: self.steps] for name, block in self.blocks.items()}
        rollout = Rollout(observations, **parts)
        return state._replace(key=jnp.asarray(keys[0])), rollout

    def at(self, number: int) -> dict[str, NDArray[Any]]:
        """The blocks of one step, [num_envs, width] each."""
        return {name: block[number] for name, block in self.blocks.items()}

    def advance(self, number: int, state: PPOState, key: NDArray[Any]) -> Any:
        """Step the environments and write down what came of it; the next observation."""
        started = time.perf_counter()
        step = self.vector.step(self.actions[number].astype(np.int64))
        self.env_seconds += time.perf_counter() - started
        self.rewards[number] = step.rewards
        self.terminated[number] = step.terminated
        # An end that is both counts as a termination: nothing follows it.
        cut = step.truncated & ~step.terminated
        self.truncated[number] = cut
        if cut.any():
            self.packing.pack(step.final, self.final)
            self.final_values[number] = np.where(cut, self.value_of(self.final, state, key), 0.0)
        return step.observation

    def value_of(self, blocks: Any, state: PPOState, key: NDArray[Any]) -> NDArray[np.float32]:
        """float32[num_envs]. It is read off what acting gives: a function of its own would have to be compiled."""
        return np.asarray(self.ppo.act(state.params, state.normaliser, blocks, cast("Any", key)).values)
