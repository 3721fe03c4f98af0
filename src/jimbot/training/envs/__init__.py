"""Environments as trainers see them: ``wrap_environments`` in, ``unwrap_environments`` out, one interface between."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.training.envs.creation import unwrap_environments, wrap_environments
    from jimbot.training.envs.protocol import Episode, Step, SteppedEnvironments, TrainingEnvironments

__all__ = [
    "Episode",
    "Step",
    "SteppedEnvironments",
    "TrainingEnvironments",
    "unwrap_environments",
    "wrap_environments",
]

__getattr__ = lazy_attributes(
    __name__,
    {
        ".creation": ("unwrap_environments", "wrap_environments"),
        ".protocol": ("Episode", "Step", "SteppedEnvironments", "TrainingEnvironments"),
    },
)
