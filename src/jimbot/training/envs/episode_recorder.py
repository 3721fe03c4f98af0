"""Any Gymnasium environment, made resumable: an episode is its seed and its actions.

Every episode is started with an explicit seed drawn from a generator of the recorder's own. So a snapshot needs only
that seed and the actions since, and restoring it plays them again. Environments that can snapshot themselves
(``snapshot`` and ``restore``) are asked instead, unless a wrapper around them may hold state or change observations.
"""

from __future__ import annotations

from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker

from jimbot.errors import JimbotError
from jimbot.statistics.evaluation_sets import FIRST_EVALUATION_SEED
from jimbot.training.envs.wrappers import RewardScalingWrapper

__all__ = ["EpisodeRecorder", "ResumeError"]


STATELESS = (OrderEnforcing, PassiveEnvChecker, RewardScalingWrapper)
"""Wrappers that have no state that a snapshot would miss, and leave observations as they are."""


class ResumeError(JimbotError):
    """An environment that cannot be brought back to where it was."""


class EpisodeRecorder(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Seeds every episode explicitly and remembers its actions."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self.generator = np.random.default_rng()
        self.episode_seed = 0
        self.actions: list[Any] = []
        self.to_restore: dict[str, Any] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; a seed starts the generator that draws the seeds of this and all later episodes."""
        if seed is not None:
            self.generator = np.random.default_rng(seed)
        self.episode_seed = int(self.generator.integers(FIRST_EVALUATION_SEED))
        self.actions = []
        return self.env.reset(seed=self.episode_seed, options=options)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take and remember an action."""
        self.actions.append(np.array(action))
        return self.env.step(action)

    def snapshot_episode(self) -> dict[str, Any]:
        """Plain data that bring the environment back to this moment."""
        state = cast("dict[str, Any]", self.generator.bit_generator.state)
        tree: dict[str, Any] = {"generator": state, "episode_seed": self.episode_seed}
        own = getattr(self.env.unwrapped, "snapshot", None)
        if callable(own) and all(isinstance(each, STATELESS) for each in wrappers_of(self.env)):
            return {**tree, "snapshot": own()}
        return {**tree, "actions": np.array(self.actions)}

    def restore_episode(self) -> Any:
        """Bring the environment to the moment of ``to_restore``, and give its observation."""
        tree = self.to_restore
        if tree is None:
            raise ResumeError("there is no snapshot to restore")
        self.to_restore = None
        self.generator.bit_generator.state = tree["generator"]
        self.episode_seed = int(tree["episode_seed"])
        observation, _ = self.env.reset(seed=self.episode_seed)
        if "snapshot" in tree:
            unwrapped: Any = self.env.unwrapped
            unwrapped.restore(tree["snapshot"])
            return unwrapped.observation()
        self.actions = list(tree["actions"])
        for number, action in enumerate(self.actions):
            observation, _, terminated, truncated, _ = self.env.step(action)
            if terminated or truncated:
                raise ResumeError(
                    f"the episode of seed {self.episode_seed} ended at step {number + 1} when played again, but had "
                    "gone on before: the environment is not determined by its seed, so it cannot be resumed exactly"
                )
        return observation


def wrappers_of(env: gymnasium.Env[Any, Any]) -> list[gymnasium.Env[Any, Any]]:
    """The wrappers around an environment, outermost first."""
    found: list[gymnasium.Env[Any, Any]] = []
    layer: Any = env
    while isinstance(layer, gymnasium.Wrapper):
        found.append(cast("Any", layer))
        layer = cast("Any", layer).env
    return found
