"""Runs on disk: their directories, status, artifacts and provenance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.training.runs.directory import RunDirectory, create_run
    from jimbot.training.runs.opening import find_policy, policy_config, run_config

__all__ = ["RunDirectory", "create_run", "find_policy", "policy_config", "run_config"]

__getattr__ = lazy_attributes(
    __name__,
    {
        ".directory": ("RunDirectory", "create_run"),
        ".opening": ("find_policy", "policy_config", "run_config"),
    },
)
