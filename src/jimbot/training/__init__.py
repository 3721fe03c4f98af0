"""The training framework. So far: making, vectorising and examining environments."""

from jimbot.training.utils import create_balatro_env, make_vectorized_env, setup_logging
from jimbot.training.validation import Finding, Severity, ValidationReport, validate_environment

__all__ = [
    "Finding",
    "Severity",
    "ValidationReport",
    "create_balatro_env",
    "make_vectorized_env",
    "setup_logging",
    "validate_environment",
]
