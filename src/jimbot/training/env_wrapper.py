"""Wrappers for single environments: the standard Balatro form, curriculum, reward scaling, masks.

They are defined in ``jimbot.training.envs.wrappers``; this is where the documentation names them.
"""

from __future__ import annotations

from jimbot.training.envs.wrappers import (
    ActionMaskWrapper,
    BalatroGymWrapper,
    CurriculumWrapper,
    EnvironmentWrapper,
    RewardScalingWrapper,
    WrapperError,
    wrap_balatro_env,
)

__all__ = [
    "ActionMaskWrapper",
    "BalatroGymWrapper",
    "CurriculumWrapper",
    "EnvironmentWrapper",
    "RewardScalingWrapper",
    "WrapperError",
    "wrap_balatro_env",
]
