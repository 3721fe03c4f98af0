"""Training on environments written in JAX: rollouts and updates in one compiled loop, for one seed or many at once."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import jax
import jax.numpy as jnp
from jax import Array

from jimbot.errors import JimbotError
from jimbot.functional.jax_batch import compiled, reset_batch, step_into
from jimbot.training.backends.jax import distribution
from jimbot.training.backends.jax.types import Rollout

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.functional.jax_batch import Environment
    from jimbot.training.backends.jax.ppo import PPO
    from jimbot.training.backends.jax.types import PPOState

__all__ = ["Episodes", "JaxRunner", "RunnerState", "final_values"]


class RunnerState(NamedTuple):
    """Everything of a training run: what PPO keeps, and where the environments are."""

    ppo: PPOState
    environments: Any
    """Batched state of the environments."""
    observations: Any
    """[num_envs, …]: where to act next."""
    returns: Array
    """float32[num_envs]: rewards of the running episodes so far."""
    lengths: Array
    """int32[num_envs]: steps of the running episodes so far."""


class Episodes(NamedTuple):
    """Episodes by the step they ended at, [steps, num_envs]; where ``ended`` is False, the others mean nothing."""

    ended: Array
    returns: Array
    lengths: Array


class JaxRunner:
    """PPO on ``num_envs`` copies of an environment of pure functions.

    Args:
        ppo: the algorithm.
        environment: the pure functions; see ``jimbot.cartpole.Environment``.
        initial_params: from a random key to fresh parameters of the network.
        num_envs: environments side by side.
        rollout_steps: steps of each environment per update.
    """

    def __init__(
        self,
        ppo: PPO,
        environment: Environment,
        initial_params: Callable[[Array], Any],
        *,
        num_envs: int = 16,
        rollout_steps: int = 128,
    ) -> None:
        for name, value in (("num_envs", num_envs), ("rollout_steps", rollout_steps)):
            if value < 1:
                raise JimbotError(f"{name} must be at least 1, got {value}")
        self.ppo = ppo
        self.environment = environment
        self.initial_params = initial_params
        self.num_envs = num_envs
        self.rollout_steps = rollout_steps
        self.init = compiled(self.started)
        """``started`` compiled: a run at its start, from a key."""
        self.train = compiled(self.trained, static=(1,))
        """``trained`` compiled: several updates in one call."""

        self.init_seeds = compiled(jax.vmap(self.started))
        """``init`` for several seeds at once: keys uint32[seeds, 2] to a state with the seeds as its first axis."""
        self.train_seeds = compiled(self.trained_seeds, static=(1,))
        """``train`` for the state of ``init_seeds``; metrics are float[seeds, updates]."""

    @property
    def steps_per_update(self) -> int:
        """Steps that one update learns from."""
        return self.num_envs * self.rollout_steps

    def started(self, key: Array) -> RunnerState:
        """A run at its start; the key decides parameters, first states and all that follows."""
        params_key, env_key, ppo_key = jax.random.split(key, 3)
        environments, observations = reset_batch(self.environment, env_key, self.num_envs)

        def first(leaf: Array) -> Array:
            return leaf[0]

        state = self.ppo.init(self.initial_params(params_key), ppo_key, jax.tree.map(first, observations))
        zeros = jnp.zeros(self.num_envs, jnp.float32)
        return RunnerState(state, environments, observations, zeros, zeros.astype(jnp.int32))

    def trained(self, state: RunnerState, updates: int) -> tuple[RunnerState, dict[str, Array]]:
        """``updates`` times rollout and update; the metrics are stacked, float[updates] each."""

        def once(state: RunnerState, _: None) -> tuple[RunnerState, dict[str, Array]]:
            state, rollout, episodes = self.collected(state)
            ppo, metrics = self.ppo.updated(state.ppo, rollout)
            return state._replace(ppo=ppo), metrics | summary(episodes)

        return jax.lax.scan(once, state, None, length=updates)

    def trained_seeds(self, state: RunnerState, updates: int) -> tuple[RunnerState, dict[str, Array]]:
        """``trained`` over a first axis of seeds."""
        return jax.vmap(partial(self.trained, updates=updates))(state)

    # --- parts ---------------------------------------------------------------------------------------------------

    def collected(self, state: RunnerState) -> tuple[RunnerState, Rollout, Episodes]:
        """Play ``rollout_steps`` steps with the policy: the state after them, the steps, and the ended episodes."""
        key, noise_key, reset_key = jax.random.split(state.ppo.key, 3)
        shape = (self.rollout_steps, self.num_envs, self.environment.num_actions)
        # All random numbers of the rollout in one draw each: many small draws cost more than the physics.
        noise = jax.random.gumbel(noise_key, shape, jnp.float32)
        fresh = jax.vmap(partial(reset_batch, self.environment, num_envs=self.num_envs))(
            jax.random.split(reset_key, self.rollout_steps)
        )
        params, statistics = state.ppo.params, state.ppo.normaliser

        def step(
            state: RunnerState, inputs: tuple[Array, tuple[Any, Any]]
        ) -> tuple[RunnerState, tuple[Rollout, Any, Episodes]]:
            draw, starts = inputs
            log_probs, values = self.ppo.evaluated(params, statistics, state.observations)
            actions = distribution.most_likely(log_probs + draw)
            moved = step_into(self.environment, starts, state.environments, actions)
            ended = moved.terminated | moved.truncated
            returns, lengths = state.returns + moved.reward, state.lengths + 1
            after = state._replace(
                environments=moved.state,
                observations=moved.observation,
                returns=jnp.where(ended, 0.0, returns),
                lengths=jnp.where(ended, 0, lengths),
            )
            taken = distribution.log_prob(log_probs, actions)
            kept = Rollout(
                state.observations,
                actions,
                moved.reward,
                moved.terminated,
                moved.truncated,
                taken,
                values,
                final_values=values,  # both are filled in after the loop
                last_values=values,
            )
            return after, (kept, moved.final_observation, Episodes(ended, returns, lengths))

        state = state._replace(ppo=state.ppo._replace(key=key))
        state, (rollout, final_observations, episodes) = jax.lax.scan(step, state, (noise, fresh))
        rollout = rollout._replace(
            final_values=final_values(self.ppo, state.ppo, final_observations, rollout.truncated),
            last_values=self.ppo.values_of(params, statistics, state.observations),
        )
        return state, rollout, episodes


def final_values(ppo: PPO, state: PPOState, final_observations: Any, truncated: Array) -> Array:
    """Values of the last observations of truncated episodes, float[steps, num_envs]; zeros if there are none."""

    def flat(leaf: Array) -> Array:
        return leaf.reshape((-1, *leaf.shape[2:]))

    def look() -> Array:
        observations = jax.tree.map(flat, final_observations)
        return ppo.values_of(state.params, state.normaliser, observations).reshape(truncated.shape)

    def nothing() -> Array:
        return jnp.zeros(truncated.shape, jnp.float32)

    choose = cast("Callable[..., Array]", jax.lax.cond)
    return choose(truncated.any(), look, nothing)


def summary(episodes: Episodes) -> dict[str, Array]:
    """How many episodes ended in a rollout and their mean return and length, which are nan if none did."""
    count = jnp.sum(episodes.ended)
    ended = episodes.ended.astype(jnp.float32)
    return {
        "episodes": count.astype(jnp.float32),
        "episode_return": jnp.sum(episodes.returns * ended) / count,
        "episode_length": jnp.sum(episodes.lengths * ended) / count,
    }
