"""Wrappers for single environments: the standard Balatro form, curriculum, reward scaling, masks.

A trainer that is given a wrapped Balatro environment looks through these wrappers: it runs the native vector and does
for all environments at once what the wrappers ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np

from jimbot.errors import JimbotError
from jimbot.training.config.trainer_config import CurriculumConfig
from jimbot.training.envs.curriculum import SuccessWindow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = [
    "ActionMaskWrapper",
    "BalatroGymWrapper",
    "CurriculumWrapper",
    "EnvironmentWrapper",
    "RewardScalingWrapper",
    "WrapperError",
    "wrap_balatro_env",
]

MASK = "action_mask"


class WrapperError(JimbotError, TypeError):
    """An environment that a wrapper cannot be put around."""


class EnvironmentWrapper(gymnasium.Wrapper[Any, Any, Any, Any]):
    """The base of wrappers: overrides of ``reset`` and ``step`` change what they like; the rest passes through."""


class BalatroGymWrapper(EnvironmentWrapper):
    """Balatro in its standard form: a Dict observation with a mask, and running totals of the episode in ``info``."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        space = env.observation_space
        if not isinstance(space, gymnasium.spaces.Dict) or MASK not in space.spaces:
            raise WrapperError(f"expected a Dict observation with '{MASK}', got {type(space).__name__}")
        self.episode_reward = 0.0
        self.episode_length = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        self.episode_reward, self.episode_length = 0.0, 0
        return self.env.reset(seed=seed, options=options)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take an action; the last info of an episode holds its total reward and length under ``episode``."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.episode_reward += float(reward)
        self.episode_length += 1
        if terminated or truncated:
            info = {**info, "episode": {"r": self.episode_reward, "l": self.episode_length}}
        return observation, reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, bool[actions]."""
        return cast("Any", self.env.unwrapped).action_masks()


class CurriculumWrapper(EnvironmentWrapper):
    """Raises the finishing ante when the success rate over whole episodes passes a threshold.

    Args:
        env: an environment with ``set_max_ante`` whose last info says ``won``.
        initial_max_ante: the finishing ante at the start.
        ante_increment: how much it grows.
        success_threshold: the share of won episodes that makes it grow.
        final_max_ante: it grows no farther.
        window: whole episodes over which success is measured.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], **settings: Any) -> None:
        super().__init__(env)
        if not env.has_wrapper_attr("set_max_ante"):
            raise WrapperError(f"{type(env.unwrapped).__name__} has no set_max_ante; a curriculum needs it")
        self.config = CurriculumConfig(**settings)
        self.window = SuccessWindow(self.config.window)
        self.max_ante = self.config.initial_max_ante
        self._apply()

    def _apply(self) -> None:
        self.env.get_wrapper_attr("set_max_ante")(self.max_ante)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take an action; after an episode, ``info["curriculum_max_ante"]`` is what the next will ask."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        if terminated or truncated:
            self.window.add(bool(info.get("won", False)))
            if self.max_ante < self.config.final_max_ante and self.window.passes(
                self.config.success_threshold
            ):
                self.max_ante = min(self.max_ante + self.config.ante_increment, self.config.final_max_ante)
                self.window.outcomes.clear()
                self._apply()
            info = {**info, "curriculum_max_ante": self.max_ante}
        return observation, reward, terminated, truncated, info

    def state(self) -> dict[str, Any]:
        """Plain data that ``restore`` goes back to."""
        return {"max_ante": self.max_ante, "outcomes": list(self.window.outcomes)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state."""
        self.max_ante = int(state["max_ante"])
        self.window.outcomes.clear()
        self.window.outcomes.extend(state["outcomes"])
        self._apply()


class RewardScalingWrapper(EnvironmentWrapper):
    """Multiplies rewards by a number, and clips them if asked."""

    def __init__(self, env: gymnasium.Env[Any, Any], scale: float = 1.0, clip: float | None = None) -> None:
        super().__init__(env)
        if clip is not None and clip <= 0:
            raise WrapperError(f"clip must be positive, got {clip}")
        self.scale, self.clip = scale, clip

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take an action; its reward is scaled."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        scaled = float(reward) * self.scale
        if self.clip is not None:
            scaled = min(max(scaled, -self.clip), self.clip)
        return observation, scaled, terminated, truncated, info


class ActionMaskWrapper(EnvironmentWrapper):
    """Puts the mask of an environment that only has ``action_masks()`` into its observation."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        actions, space = env.action_space, env.observation_space
        if not isinstance(actions, gymnasium.spaces.Discrete):
            raise WrapperError(f"masks need a Discrete action space, got {type(actions).__name__}")
        self.has_mask = isinstance(space, gymnasium.spaces.Dict) and MASK in space.spaces
        if not self.has_mask and not env.has_wrapper_attr("action_masks"):
            raise WrapperError(
                f"{type(env.unwrapped).__name__} has neither '{MASK}' in its observation nor a method action_masks()"
            )
        if not self.has_mask:
            parts = dict(space.spaces) if isinstance(space, gymnasium.spaces.Dict) else {"observation": space}
            mask = gymnasium.spaces.Box(0, 1, (int(actions.n),), np.uint8)
            self.observation_space = gymnasium.spaces.Dict({**parts, MASK: mask})

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, bool[actions]."""
        return np.asarray(self.env.get_wrapper_attr("action_masks")(), np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._with_mask(observation), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Take an action."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._with_mask(observation), reward, terminated, truncated, info

    def _with_mask(self, observation: Any) -> Any:
        if self.has_mask:
            return observation
        parts: dict[str, Any] = (
            cast("dict[str, Any]", observation)
            if isinstance(observation, dict)
            else {"observation": observation}
        )
        return {**parts, MASK: self.action_masks().astype(np.uint8)}


def wrap_balatro_env(
    env: gymnasium.Env[Any, Any],
    use_curriculum: bool = False,
    curriculum_config: Mapping[str, Any] | None = None,
) -> gymnasium.Env[Any, Any]:
    """Balatro in its standard form, with a curriculum if asked.

    Args:
        env: a Balatro environment.
        use_curriculum: raise the finishing ante with success.
        curriculum_config: ``initial_max_ante``, ``ante_increment``, ``success_threshold``, and the other fields of
            ``CurriculumConfig``.
    """
    if curriculum_config and not use_curriculum:
        raise WrapperError("curriculum_config is given but use_curriculum is off")
    wrapped: gymnasium.Env[Any, Any] = BalatroGymWrapper(env)
    return CurriculumWrapper(wrapped, **dict(curriculum_config or {})) if use_curriculum else wrapped
