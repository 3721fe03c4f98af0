"""Environments and training compiled as one: what ``backend: jax`` does where an environment is written in JAX."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from jimbot.functional.jax_batch import compiled, reset_batch, step_into
from jimbot.networks.normalizer import ObservationNormaliser
from jimbot.training.backends.jax import Rollout, distribution, from_tree, state_tree
from jimbot.training.backends.jax.moments import (
    EPSILON,
    LIMIT,
    Moments,
    centred,
    from_running,
    new_moments,
    scaled,
    to_running,
    updated,
)
from jimbot.training.backends.jax.runner import Episodes, final_values
from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.envs.episode_recorder import ResumeError
from jimbot.training.envs.normalized_vector import PLAIN_NAME
from jimbot.training.envs.protocol import Episode

if TYPE_CHECKING:
    from collections.abc import Mapping

    import gymnasium

    from jimbot.functional.jax_batch import Environment
    from jimbot.training.backends.jax import PPO
    from jimbot.training.backends.jax.types import PPOState
    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["CompiledVector", "World", "iteration"]


class World(NamedTuple):
    """Where the environments are, and what is known of observations and returns."""

    environments: Any
    """Batched state of the environments."""
    observations: Array
    """float32[num_envs, …], as the environments gave them."""
    returns: Array
    """float32[num_envs]: rewards of the running episodes so far."""
    lengths: Array
    """int32[num_envs]: steps of the running episodes so far."""
    seen: Moments
    """Of observations; the present ones are counted in."""
    discounted: Array
    """float32[num_envs]: discounted rewards of the running episodes so far."""
    spread: Moments
    """Of discounted rewards."""


class CompiledVector:
    """Environments of pure functions, in the place of a ``NormalizedVector``: they are stepped by ``iteration``.

    Args:
        environment: the pure functions.
        spaces: an environment of Gymnasium that has the same spaces.
        config: number of environments, seed, and what is normalised.
    """

    scaler = None

    def __init__(
        self, environment: Environment, spaces: gymnasium.Env[Any, Any], config: TrainerConfig
    ) -> None:
        self.environment, self.config = environment, config
        self.observation_space: gymnasium.Space[Any] = spaces.observation_space
        self.action_space: gymnasium.Space[Any] = spaces.action_space
        self.num_envs = config.n_envs
        self.stage = 0
        self.world = started(environment, self.num_envs, jax.random.PRNGKey(config.seed))
        self._ended: list[Episode] = []

    def reset(self) -> Any:
        """Start all environments; statistics stay as they are but for the first observations, which count again."""
        fresh = started(self.environment, self.num_envs, jax.random.PRNGKey(self.config.seed))
        known = self.world
        if float(known.seen.seen) > self.num_envs:
            fresh = fresh._replace(seen=updated(known.seen, fresh.observations), spread=known.spread)
        self.world = fresh
        self._ended.clear()
        return self.observation()

    def observation(self) -> Any:
        """Where the environments are, not normalised."""
        return np.asarray(self.world.observations)

    def has(self, method: str) -> bool:
        """Whether the environments have a method: they have no difficulty that could change."""
        del method
        return False

    def tell(self, method: str, value: Any, stage: int) -> None:
        """Not possible: compiled environments have no methods."""
        raise ConfigError(f"compiled environments have no {method}, which stage {stage} sets to {value!r}")

    def close(self) -> None:
        """Nothing is held."""

    # --- episodes -------------------------------------------------------------------------------------------------

    def take(self, episodes: Episodes, truncated: Any) -> None:
        """Keep the episodes that a rollout ended, in the order they did."""
        ended, returns, lengths, cut = (np.asarray(part) for part in (*episodes, truncated))
        places = np.nonzero(ended)
        self._ended += [
            Episode(float(total), int(length), 0, bool(was_cut))
            for total, length, was_cut in zip(returns[places], lengths[places], cut[places], strict=True)
        ]

    def drain(self) -> list[Episode]:
        """The episodes that ended since the last call."""
        ended, self._ended = self._ended, []
        return ended

    # --- the normaliser of the policy file ------------------------------------------------------------------------

    @property
    def normaliser(self) -> ObservationNormaliser | None:
        """The statistics as every backend keeps them; None if observations are taken as they are."""
        if not self.config.normalize_obs:
            return None
        found = ObservationNormaliser({}, clip=LIMIT, epsilon=EPSILON)
        found.moments[PLAIN_NAME] = to_running(self.world.seen)
        return found

    @normaliser.setter
    def normaliser(self, given: ObservationNormaliser) -> None:
        self.world = self.world._replace(seen=from_running(given.moments[PLAIN_NAME]))

    # --- snapshots ------------------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """Everything needed to go on from here, as plain arrays."""
        found = self.normaliser
        return {
            "compiled": state_tree(self.world),
            "normaliser": found.state_dict() if found is not None else None,
        }

    def restore(self, tree: Mapping[str, Any]) -> Any:
        """Go back to a snapshot."""
        if "compiled" not in tree:
            raise ResumeError("the checkpoint is of environments that were not compiled; resume it as it was")
        count = len(tree["compiled"]["returns"])
        if count != self.num_envs:
            raise ResumeError(f"the checkpoint has {count} environments, this run {self.num_envs}")
        self.world = from_tree(tree["compiled"], self.world)
        return self.observation()


def fresh_world(environment: Environment, num_envs: int, key: Array) -> World:
    """Environments at the start of their first episodes."""
    environments, observations = reset_batch(environment, jax.random.fold_in(key, 1), num_envs)
    zeros = jnp.zeros(num_envs, jnp.float32)
    seen = updated(new_moments(observations.shape[1:]), observations)
    return World(environments, observations, zeros, zeros.astype(jnp.int32), seen, zeros, new_moments(()))


started = compiled(fresh_world, static=(0, 1))
"""``fresh_world``, compiled once per environment and number."""


class Collecting(NamedTuple):
    """What decides how a rollout is collected: constants of the compiled code."""

    ppo: PPO
    environment: Environment
    num_envs: int
    steps: int
    centre: bool
    """Whether observations are normalised."""
    scale: bool
    """Whether rewards are scaled."""

    def shown(self, world: World, observations: Array) -> Array:
        """Observations as the learner sees them."""
        return centred(world.seen, observations) if self.centre else observations

    def step(
        self, params: Any, state: PPOState, world: World, draw: Array, fresh: tuple[Any, Any]
    ) -> tuple[World, tuple[Rollout, Array, Episodes]]:
        """One step of every environment: what is known after it, and what is to be kept of it."""
        observations = self.shown(world, world.observations)
        log_probs, _ = self.ppo.evaluated(params, state.normaliser, observations)
        actions = distribution.most_likely(log_probs + draw)
        moved = step_into(self.environment, fresh, world.environments, actions)
        ended = moved.terminated | moved.truncated
        returns, lengths = world.returns + moved.reward, world.lengths + 1
        discounted = world.discounted * self.ppo.config.gamma + moved.reward
        after = World(
            moved.state,
            moved.observation,
            jnp.where(ended, 0.0, returns),
            jnp.where(ended, 0, lengths),
            updated(world.seen, moved.observation) if self.centre else world.seen,
            jnp.where(ended, 0.0, discounted),
            updated(world.spread, discounted) if self.scale else world.spread,
        )
        rewards = scaled(after.spread, moved.reward) if self.scale else moved.reward
        later = jnp.zeros(self.num_envs)  # values, all at once after the loop
        kept = Rollout(
            observations,
            actions,
            rewards,
            moved.terminated,
            moved.truncated,
            distribution.log_prob(log_probs, actions),
            later,
            final_values=later,
            last_values=later,
        )
        return after, (kept, self.shown(after, moved.final_observation), Episodes(ended, returns, lengths))

    def collected(self, state: PPOState, world: World) -> tuple[PPOState, World, Rollout, Episodes]:
        """Play with the policy of a state."""
        key, noise_key, reset_key = jax.random.split(state.key, 3)
        # All random numbers of the rollout in one draw each: many small draws cost more than the physics.
        shape = (self.steps, self.num_envs, self.environment.num_actions)
        noise = jax.random.gumbel(noise_key, shape, jnp.float32)
        start = partial(reset_batch, self.environment, num_envs=self.num_envs)
        fresh = jax.vmap(start)(jax.random.split(reset_key, self.steps))

        def step(world: World, inputs: tuple[Array, tuple[Any, Any]]) -> tuple[World, Any]:
            return self.step(state.params, state, world, *inputs)

        world, (rollout, last, episodes) = jax.lax.scan(step, world, (noise, fresh))
        after = self.ppo.values_of(state.params, state.normaliser, self.shown(world, world.observations))
        seen = rollout.observations.reshape(-1, *rollout.observations.shape[2:])
        values = self.ppo.values_of(state.params, state.normaliser, seen)
        rollout = rollout._replace(
            values=values.reshape(rollout.values.shape),
            final_values=final_values(self.ppo, state, last, rollout.truncated),
            last_values=after,
        )
        return state._replace(key=key), world, rollout, episodes


@lru_cache(maxsize=16)
def iteration(collecting: Collecting) -> Any:
    """A compiled function from a state and a world to both after one rollout and one update.

    Besides, it gives the metrics, the episodes by the step they ended at, and which of these were truncated.
    """

    def once(state: PPOState, world: World) -> tuple[PPOState, World, dict[str, Array], Episodes, Array]:
        state, world, rollout, episodes = collecting.collected(state, world)
        state, metrics = collecting.ppo.updated(state, rollout)
        return state, world, metrics, episodes, rollout.truncated

    return compiled(once)
