"""The training framework: configuration, trainers, environments, checkpoints, evaluation.

Names are looked up when they are first used, so importing this package imports no library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jimbot.training.config import HyperparameterConfig, TrainerConfig, get_default_config
    from jimbot.training.framework import RLTrainer, create_trainer, register_trainer
    from jimbot.training.runs import resume_run
    from jimbot.training.utils import create_balatro_env, make_vectorized_env, setup_logging
    from jimbot.training.validation import Finding, Severity, ValidationReport, validate_environment

HOMES = {
    "Finding": "validation",
    "HyperparameterConfig": "config",
    "RLTrainer": "framework",
    "Severity": "validation",
    "TrainerConfig": "config",
    "ValidationReport": "validation",
    "create_balatro_env": "utils",
    "create_trainer": "framework",
    "get_default_config": "config",
    "make_vectorized_env": "utils",
    "register_trainer": "framework",
    "resume_run": "runs",
    "setup_logging": "utils",
    "validate_environment": "validation",
}
"""Every public name, and the file it is in."""

__all__ = [
    "Finding",
    "HyperparameterConfig",
    "RLTrainer",
    "Severity",
    "TrainerConfig",
    "ValidationReport",
    "create_balatro_env",
    "create_trainer",
    "get_default_config",
    "make_vectorized_env",
    "register_trainer",
    "resume_run",
    "setup_logging",
    "validate_environment",
]


def __getattr__(name: str) -> Any:
    home = HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
