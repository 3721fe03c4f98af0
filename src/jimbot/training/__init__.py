"""The training framework: configuration, trainers, environments, checkpoints, evaluation.

Names are looked up when they are first used, so importing this package imports no library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig, get_default_config
    from jimbot.training.envs.validation import Finding, Severity, ValidationReport, validate_environment
    from jimbot.training.framework import RLTrainer, create_trainer, register_trainer, resume_run
    from jimbot.training.jax_trainer import PPOAgent, PPOTrainer
    from jimbot.training.utils import create_balatro_env, make_vectorized_env, setup_logging

__all__ = [
    "Finding",
    "HyperparameterConfig",
    "PPOAgent",
    "PPOTrainer",
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

__getattr__ = lazy_attributes(
    __name__,
    {
        ".config.trainer_config": (
            "HyperparameterConfig",
            "TrainerConfig",
            "get_default_config",
        ),
        ".envs.validation": (
            "Finding",
            "Severity",
            "ValidationReport",
            "validate_environment",
        ),
        ".framework": (
            "RLTrainer",
            "create_trainer",
            "register_trainer",
            "resume_run",
        ),
        ".jax_trainer": (
            "PPOAgent",
            "PPOTrainer",
        ),
        ".utils": (
            "create_balatro_env",
            "make_vectorized_env",
            "setup_logging",
        ),
    },
)
