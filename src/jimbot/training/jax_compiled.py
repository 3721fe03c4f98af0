"""Environments and training compiled as one: what ``backend: jax`` does where an environment is written in JAX."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np
from jax import Array

from jimbot.cartpole.jax_batch import compiled, reset_batch
from jimbot.networks.normaliser import ObservationNormaliser, RunningMoments
from jimbot.training.episode_recorder import ResumeError
from jimbot.training.jax_ppo import JaxRunner, RunnerState, from_tree, normaliser, state_tree
from jimbot.training.jax_ppo.types import NormaliserState, PPOState
from jimbot.training.jax_rewards import RewardStatistics, new_statistics, scaled_rewards
from jimbot.training.normalised_vector import PLAIN_NAME
from jimbot.training.vectors import Episode

if TYPE_CHECKING:
    from collections.abc import Mapping

    import gymnasium

    from jimbot.cartpole.jax_batch import Environment
    from jimbot.training.config import TrainerConfig
    from jimbot.training.jax_ppo import PPO
    from jimbot.training.jax_ppo.runner import Episodes

__all__ = ["CompiledVector", "World", "iteration"]


class World(NamedTuple):
    """Where the environments are, and what is known of observations and rewards."""

    environments: Any
    observations: Any
    returns: Array
    lengths: Array
    statistics: NormaliserState
    rewards: RewardStatistics


class CompiledVector:
    """Environments of pure functions, in the place of a ``NormalisedVector``: they are stepped by ``iteration``.

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
        self.vector = self
        self.stage = 0
        self.stages = np.zeros(self.num_envs, np.int64)
        self.world = self._started()
        self._ended: list[Episode] = []

    def _started(self) -> World:
        key = jax.random.fold_in(jax.random.PRNGKey(self.config.seed), 1)
        environments, observations = start(self.environment, key, self.num_envs)
        blank = jax.tree.map(partial(jax.numpy.take, indices=0, axis=0), observations)
        return World(
            environments,
            observations,
            jax.numpy.zeros(self.num_envs, jax.numpy.float32),
            jax.numpy.zeros(self.num_envs, jax.numpy.int32),
            normaliser.create(blank, enabled=self.config.normalize_obs),
            new_statistics(self.num_envs),
        )

    def reset(self) -> Any:
        """Start all environments; statistics stay."""
        fresh = self._started()
        self.world = fresh._replace(statistics=self.world.statistics, rewards=self.world.rewards)
        self._ended.clear()
        return self.world.observations

    def observation(self) -> Any:
        """Where the environments are, not normalised."""
        return np.asarray(self.world.observations)

    def has(self, method: str) -> bool:
        """Whether the environments have a method: they have no difficulty that could change."""
        del method
        return False

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
        known = self.world.statistics
        if not known.mean:
            return None
        seen = float(known.seen)
        found = ObservationNormaliser({}, clip=normaliser.LIMIT, epsilon=normaliser.SMALLEST_VARIANCE)
        for name, mean in known.mean.items():
            squares = np.asarray(known.variance[name], np.float64) * seen
            moments = RunningMoments(tuple(mean.shape), seen, np.asarray(mean, np.float64), squares)
            found.moments[name or PLAIN_NAME] = moments
        return found

    @normaliser.setter
    def normaliser(self, given: ObservationNormaliser) -> None:
        moments = {"" if name == PLAIN_NAME else name: each for name, each in given.moments.items()}
        counts = {each.count for each in moments.values()}
        self.world = self.world._replace(
            statistics=NormaliserState(
                jax.numpy.float32(max(counts)),
                {name: jax.numpy.float32(each.mean) for name, each in moments.items()},
                {name: jax.numpy.float32(each.variance) for name, each in moments.items()},
            )
        )

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


start = compiled(reset_batch, static=(0, 2))
"""``reset_batch``, compiled once per environment and number."""

Iterate = "Callable[[PPOState, World], tuple[PPOState, World, dict[str, Array], Episodes, Array]]"


@lru_cache(maxsize=16)
def iteration(ppo: PPO, environment: Environment, num_envs: int, steps: int, *, scale: bool) -> Any:
    """A compiled function from a state and a world to both after one rollout and one update.

    Besides, it gives the metrics, the episodes by the step they ended at, and which of these were truncated.

    Args:
        ppo: the algorithm.
        environment: the pure functions.
        num_envs: environments side by side.
        steps: steps of each in a rollout.
        scale: whether rewards are scaled.
    """

    def unused(key: Array) -> Any:
        raise AssertionError(key)

    runner = JaxRunner(ppo, environment, unused, num_envs=num_envs, rollout_steps=steps)

    def once(state: PPOState, world: World) -> tuple[PPOState, World, dict[str, Array], Episodes, Array]:
        parts = (world.environments, world.observations, world.returns, world.lengths)
        before = RunnerState(state._replace(normaliser=world.statistics), *parts)
        after, rollout, episodes = runner.collected(before)
        rewards = world.rewards
        if scale:
            rewards, scaled = scaled_rewards(rewards, rollout.rewards, episodes.ended, ppo.config.gamma)
            rollout = rollout._replace(rewards=scaled)
        state, metrics = ppo.updated(after.ppo, rollout)
        world = World(
            after.environments, after.observations, after.returns, after.lengths, state.normaliser, rewards
        )
        return state, world, metrics, episodes, rollout.truncated

    return compiled(once)
