"""Rollouts and training on environments written in JAX, all in compiled code, for one seed or many at once."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import jax
import jax.numpy as jnp
from jax import Array

from jimbot.errors import JimbotError
from jimbot.functional.jax_batch import autoreset_step, jit, reset_batch
from jimbot.training.backends.jax import distributions
from jimbot.training.backends.jax.normalization import (
    RunningMoments,
    init_moments,
    init_normalizer,
    normalize_observations,
    scale,
    update_moments,
    update_normalizer,
)
from jimbot.training.backends.jax.ppo import flatten_time
from jimbot.training.backends.jax.state import PPOState, Rollout

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.functional.jax_batch import Environment
    from jimbot.training.backends.jax.ppo import PPO

__all__ = [
    "CompiledRollout",
    "EndedEpisodes",
    "EnvState",
    "JaxRunner",
    "RunnerState",
    "reset_envs",
    "train_step",
]


class EnvState(NamedTuple):
    """A batch of environments, their running episodes, and the statistics of observations and returns."""

    environments: Any
    """Batched state of the environments."""
    observations: Any
    """[num_envs, …]: the current observations, not normalized."""
    returns: Array
    """float32[num_envs]: rewards of the running episodes so far."""
    lengths: Array
    """int32[num_envs]: steps of the running episodes so far."""
    observation_moments: RunningMoments
    """Of every observation so far, the current ones included; updated only if observations are normalized."""
    discounted_returns: Array
    """float32[num_envs]: discounted rewards of the running episodes so far."""
    return_moments: RunningMoments
    """Of the discounted returns at every step; updated only if rewards are scaled."""


class RunnerState(NamedTuple):
    """Everything of a training run."""

    ppo: PPOState
    envs: EnvState


class EndedEpisodes(NamedTuple):
    """Episodes by the step they ended at, [steps, num_envs]; where ``ended`` is False, the others mean nothing."""

    ended: Array
    returns: Array
    lengths: Array


@dataclass(frozen=True)
class CompiledRollout:
    """What decides how a rollout is collected; a constant of compiled code."""

    ppo: PPO
    environment: Environment
    num_envs: int
    steps: int
    """Steps of each environment per rollout."""
    normalize_observations: bool = False
    """Whether observations are normalized by ``EnvState.observation_moments``, which every step updates."""
    scale_rewards: bool = False
    """Whether rewards are divided by the standard deviation of the discounted return."""

    def train_step(
        self, ppo: PPOState, envs: EnvState
    ) -> tuple[PPOState, EnvState, dict[str, Array], EndedEpisodes, Array]:
        """One rollout and one update.

        Returns:
            Both states, the metrics of the update, the episodes that ended, and which of these were truncated.
        """
        ppo, envs, rollout, episodes = self.collect(ppo, envs)
        ppo, metrics = self.ppo.update_state(ppo, rollout)
        return ppo, envs, metrics, episodes, rollout.truncated

    def collect(self, ppo: PPOState, envs: EnvState) -> tuple[PPOState, EnvState, Rollout, EndedEpisodes]:
        """Play ``steps`` steps of every environment with the policy of a state."""
        key, noise_key, reset_key = jax.random.split(ppo.key, 3)
        # All random numbers of the rollout in one draw each: many small draws cost more than the physics.
        shape = (self.steps, self.num_envs, self.environment.num_actions)
        noise = jax.random.gumbel(noise_key, shape, jnp.float32)
        reset = partial(reset_batch, self.environment, num_envs=self.num_envs)
        resets = jax.vmap(reset)(jax.random.split(reset_key, self.steps))

        def step(envs: EnvState, inputs: tuple[Array, tuple[Any, Any]]) -> tuple[EnvState, Any]:
            return self.step(ppo, envs, *inputs)

        envs, (rollout, final_observations, episodes) = jax.lax.scan(step, envs, (noise, resets))
        # Values of all steps at once: the policy does not need them, and one large batch is faster than many small.
        values = self.ppo.predict_values(ppo.params, ppo.normalizer, flatten_time(rollout.observations))
        last_values = self.ppo.predict_values(
            ppo.params, ppo.normalizer, self.normalized(envs, envs.observations)
        )
        rollout = rollout._replace(
            values=values.reshape(rollout.values.shape),
            final_values=self.final_values(ppo, final_observations, rollout.truncated),
            last_values=last_values,
        )
        return ppo._replace(key=key), envs, rollout, episodes

    def step(
        self, ppo: PPOState, envs: EnvState, noise: Array, resets: tuple[Any, Any]
    ) -> tuple[EnvState, tuple[Rollout, Any, EndedEpisodes]]:
        """One step of every environment: the state after it, and the row of the rollout.

        Args:
            ppo: the policy.
            envs: the environments.
            noise: float[num_envs, num_actions] of a Gumbel distribution, which draws the actions.
            resets: states and observations of new episodes.
        """
        observations = self.normalized(envs, envs.observations)
        log_probs, _ = self.ppo.evaluate_policy(ppo.params, ppo.normalizer, observations)
        actions = distributions.mode(log_probs + noise)
        step = autoreset_step(self.environment, resets, envs.environments, actions)
        ended = step.terminated | step.truncated
        returns, lengths = envs.returns + step.reward, envs.lengths + 1
        discounted = envs.discounted_returns * self.ppo.config.gamma + step.reward
        after = EnvState(
            step.state,
            step.observation,
            jnp.where(ended, 0.0, returns),
            jnp.where(ended, 0, lengths),
            update_normalizer(envs.observation_moments, step.observation)
            if self.normalize_observations
            else envs.observation_moments,
            jnp.where(ended, 0.0, discounted),
            update_moments(envs.return_moments, discounted) if self.scale_rewards else envs.return_moments,
        )
        rewards = scale(after.return_moments, step.reward) if self.scale_rewards else step.reward
        unknown = jnp.zeros(self.num_envs)  # values are computed after the loop
        row = Rollout(
            observations,
            actions,
            rewards,
            step.terminated,
            step.truncated,
            distributions.log_prob(log_probs, actions),
            unknown,
            final_values=unknown,
            last_values=unknown,
        )
        final_observations = self.normalized(after, step.final_observation)
        return after, (row, final_observations, EndedEpisodes(ended, returns, lengths))

    def normalized(self, envs: EnvState, observations: Any) -> Any:
        """Observations as the learner gets them."""
        if not self.normalize_observations:
            return observations
        return normalize_observations(envs.observation_moments, observations)

    def final_values(self, ppo: PPOState, final_observations: Any, truncated: Array) -> Array:
        """Values of the last observations of truncated episodes, float[steps, num_envs]; zeros if there are none."""

        def predict() -> Array:
            observations = flatten_time(final_observations)
            return self.ppo.predict_values(ppo.params, ppo.normalizer, observations).reshape(truncated.shape)

        def zeros() -> Array:
            return jnp.zeros(truncated.shape, jnp.float32)

        cond = cast("Callable[..., Array]", jax.lax.cond)
        return cond(truncated.any(), predict, zeros)


def reset_environments(environment: Environment, num_envs: int, key: Array) -> EnvState:
    """Environments at the start of their first episodes; the statistics hold the first observations."""
    environments, observations = reset_batch(environment, key, num_envs)
    example = jax.tree.map(first_row, observations)
    zeros = jnp.zeros(num_envs, jnp.float32)
    return EnvState(
        environments,
        observations,
        zeros,
        zeros.astype(jnp.int32),
        update_normalizer(init_normalizer(example, enabled=True), observations),
        zeros,
        init_moments(zeros[0]),
    )


reset_envs = jit(reset_environments, static=(0, 1))
"""``reset_environments``, compiled once per environment and number."""
train_step = jit(CompiledRollout.train_step, static=(0,))
"""``CompiledRollout.train_step``, compiled once per rollout."""


class JaxRunner:
    """PPO on ``num_envs`` copies of an environment of pure functions.

    ``init``, ``train``, ``init_seeds`` and ``train_seeds`` are compiled.

    Args:
        ppo: the algorithm.
        environment: the pure functions; see ``jimbot.functional.jax_batch.Environment``.
        initial_params: from a random key to new parameters of the network.
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
        self.rollout = CompiledRollout(ppo, environment, num_envs, rollout_steps)
        self.init = jit(self.start)
        self.train = jit(self.train_updates, static=(1,))
        self.init_seeds = jit(jax.vmap(self.start))
        """``init`` for several seeds at once: keys uint32[seeds, 2] to a state with the seeds as its first axis."""
        self.train_seeds = jit(self.train_updates_of_seeds, static=(1,))
        """``train`` for the state of ``init_seeds``; metrics are float[seeds, updates]."""

    @property
    def steps_per_update(self) -> int:
        """Steps that one update learns from."""
        return self.num_envs * self.rollout_steps

    def start(self, key: Array) -> RunnerState:
        """A run at its start; the key decides parameters, first states and everything after."""
        params_key, env_key, ppo_key = jax.random.split(key, 3)
        envs = reset_environments(self.environment, self.num_envs, env_key)
        example = jax.tree.map(first_row, envs.observations)
        return RunnerState(self.ppo.init(self.initial_params(params_key), ppo_key, example), envs)

    def train_updates(self, state: RunnerState, updates: int) -> tuple[RunnerState, dict[str, Array]]:
        """``updates`` times rollout and update; the metrics are stacked, float[updates] each."""

        def step(state: RunnerState, _: None) -> tuple[RunnerState, dict[str, Array]]:
            ppo, envs, metrics, episodes, _truncated = self.rollout.train_step(*state)
            return RunnerState(ppo, envs), metrics | episode_metrics(episodes)

        return jax.lax.scan(step, state, None, length=updates)

    def train_updates_of_seeds(
        self, state: RunnerState, updates: int
    ) -> tuple[RunnerState, dict[str, Array]]:
        """``train_updates`` over a first axis of seeds."""
        return jax.vmap(partial(self.train_updates, updates=updates))(state)


def first_row(leaf: Array) -> Array:
    """The first of a batch."""
    return leaf[0]


def episode_metrics(episodes: EndedEpisodes) -> dict[str, Array]:
    """How many episodes ended in a rollout and their mean return and length, which are NaN if none did."""
    count = jnp.sum(episodes.ended)
    ended = episodes.ended.astype(jnp.float32)
    return {
        "episodes": count.astype(jnp.float32),
        "episode_return": jnp.sum(episodes.returns * ended) / count,
        "episode_length": jnp.sum(episodes.lengths * ended) / count,
    }
