"""Examines an environment before anything is trained on it, and tells everything that is wrong with it.

Nothing raises for a bad environment: whatever it does, also raising, becomes a finding.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jimbot.training.envs.examiner import Examiner
from jimbot.training.envs.validation_report import Finding, Severity, ValidationReport
from jimbot.training.envs.vector_validation import examine_vector, is_vector

__all__ = ["Finding", "Severity", "ValidationReport", "validate_environment"]


def validate_environment(
    env: Any, steps: int = 1000, seed: int = 0, *, verbose: bool = True
) -> ValidationReport:
    """Examine an environment by playing it: spaces, signatures, observations, rewards, ends, masks, determinism.

    Args:
        env: what should be a ``gymnasium.Env`` or a ``gymnasium.vector.VectorEnv``. It is reset several times and left
            in the middle of an episode.
        steps: how many random legal steps to play.
        seed: of the resets and of the random actions.
        verbose: print the report.

    Returns:
        All findings; false if one of them is an error.
    """
    report = examine(env, steps, seed)
    if verbose:
        print(report)
    return report


def examine(env: Any, steps: int, seed: int) -> ValidationReport:
    """Play an environment and collect the findings."""
    report = ValidationReport(type(getattr(env, "unwrapped", env)).__name__)
    if is_vector(env):
        examine_vector(env, report, steps, seed)
    else:
        examiner = Examiner(env, report, np.random.default_rng(seed), seed)
        if not examiner.spaces():
            return report
        actions = examiner.play(steps)
        if actions:
            examiner.determinism(actions)
            examiner.masked_actions()
    if report.steps and not report.episodes:
        report.add(Severity.WARNING, "ends", f"no episode ended within {report.steps} steps")
    return report
