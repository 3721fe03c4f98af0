"""Quantiles of the normal and Student's t distribution.

The normal one is in Python itself; SciPy is imported for the other, and only when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from statistics import NormalDist
from typing import Any

from jimbot.errors import JimbotError

__all__ = ["normal_quantile", "student_t_quantile"]


def normal_quantile(probability: float) -> float:
    """The value that a standard normal variable stays below with a probability."""
    check_probability(probability)
    return NormalDist().inv_cdf(probability)


def student_t_quantile(probability: float, degrees: float) -> float:
    """The value that a Student t variable with some degrees of freedom stays below with a probability."""
    if degrees <= 0:
        raise JimbotError(f"degrees of freedom must be positive, got {degrees}")
    check_probability(probability)
    special: Any = import_module("scipy.special")  # it has no stubs

    return float(special.stdtrit(degrees, probability))


def check_probability(probability: float) -> None:
    """Raise unless it lies between 0 and 1."""
    if not 0.0 < probability < 1.0:
        raise JimbotError(f"a probability must lie between 0 and 1, got {probability}")
