"""Environments that are compiled together with the training, in the place the framework has for stepped ones."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from jimbot.training.backends.jax.normalization import (
    from_numpy_normalizer,
    to_numpy_normalizer,
    update_normalizer,
)
from jimbot.training.backends.jax.rollout_compiled import reset_envs
from jimbot.training.backends.jax.state import from_tree, state_tree
from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.envs.episode_recorder import ResumeError
from jimbot.training.envs.protocol import Episode

if TYPE_CHECKING:
    from collections.abc import Mapping

    import gymnasium

    from jimbot.functional.jax_batch import Environment
    from jimbot.networks.normalizer import ObservationNormalizer
    from jimbot.training.backends.jax.rollout_compiled import EndedEpisodes, EnvState
    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["CompiledVector"]


class CompiledVector:
    """Environments of pure functions, in the place of a ``NormalizedVector``; ``train_step`` advances them.

    Args:
        environment: the pure functions.
        spaces: a Gymnasium environment that has the same spaces.
        config: number of environments, seed, and what is normalized.

    Attributes:
        envs: the state of the environments and of the statistics.
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
        self.envs = self._start()
        self._ended: list[Episode] = []

    def _start(self) -> EnvState:
        key = jax.random.fold_in(jax.random.PRNGKey(self.config.seed), 1)
        return reset_envs(self.environment, self.num_envs, key)

    def reset(self) -> Any:
        """Start all environments; statistics are kept and count the first observations again."""
        before, self.envs = self.envs, self._start()
        if float(before.observation_moments.count) > self.num_envs:
            moments = update_normalizer(before.observation_moments, self.envs.observations)
            self.envs = self.envs._replace(observation_moments=moments, return_moments=before.return_moments)
        self._ended.clear()
        return self.observation()

    def observation(self) -> Any:
        """The current observations, not normalized."""
        return np.asarray(self.envs.observations)

    def has(self, method: str) -> bool:
        """Whether the environments have a method: they have no difficulty that could change."""
        del method
        return False

    def tell(self, method: str, value: Any, stage: int) -> None:
        """Not possible: compiled environments have no methods."""
        raise ConfigError(f"compiled environments have no {method}, which stage {stage} sets to {value!r}")

    def close(self) -> None:
        """Nothing to release."""

    # --- episodes -------------------------------------------------------------------------------------------------

    def take_episodes(self, episodes: EndedEpisodes, truncated: Any) -> None:
        """Keep the episodes that ended during a rollout, in the order they did."""
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

    # --- the normalizer of the policy file ------------------------------------------------------------------------

    @property
    def normalizer(self) -> ObservationNormalizer | None:
        """The statistics as every backend keeps them; None if observations are not normalized."""
        if not self.config.normalize_obs:
            return None
        return to_numpy_normalizer(self.envs.observation_moments)

    @normalizer.setter
    def normalizer(self, given: ObservationNormalizer) -> None:
        moments = from_numpy_normalizer(given, self.envs.observation_moments)
        self.envs = self.envs._replace(observation_moments=moments)

    # --- snapshots ------------------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """Everything needed to continue from here, as plain arrays."""
        found = self.normalizer
        return {
            "compiled": state_tree(self.envs),
            "normaliser": found.state_dict() if found is not None else None,
        }

    def restore(self, tree: Mapping[str, Any]) -> Any:
        """Go back to a snapshot."""
        if "compiled" not in tree:
            raise ResumeError(
                "the checkpoint is of environments that were not compiled; resume it with the same configuration"
            )
        count = len(tree["compiled"]["returns"])
        if count != self.num_envs:
            raise ResumeError(f"the checkpoint has {count} environments, this run {self.num_envs}")
        self.envs = from_tree(tree["compiled"], self.envs)
        return self.observation()
