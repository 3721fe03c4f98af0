"""Validation of options: every error names the option, what is allowed and what was given."""

from __future__ import annotations

import math
from operator import index
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = [
    "EnvOptionError",
    "check_bool",
    "check_choice",
    "check_integer",
    "check_number",
    "format_given",
    "to_tuple",
]

MOST_SHOWN = 40
"""Characters of a wrong value that an error repeats."""


class EnvOptionError(JimbotError, ValueError):
    """Raised for an invalid option of an environment."""


def format_given(value: Any) -> str:
    """Format an invalid value for an error message: shortened, with its type if it is long."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}… ({type(value).__name__})"


def check_integer(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return the value as an int if it is an integer within the bounds; True and 2.0 are refused."""
    bounds = f"{least} to {most}" if most is not None else f"{least} or more"
    try:
        number = None if isinstance(value, (bool, np.bool_)) else index(value)
    except TypeError:
        number = None
    if number is None:
        raise EnvOptionError(f"{name} must be a whole number, {bounds}; got {format_given(value)}")
    if number < least or (most is not None and number > most):
        raise EnvOptionError(f"{name} must be {bounds}, got {number}")
    return number


def check_number(name: str, value: Any, least: float | None = None, most: float | None = None) -> float:
    """Return the value as a float if it is a finite number within the bounds."""
    bounds = "a finite number" if least is None else f"{least:g} to {most:g}"
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise EnvOptionError(f"{name} must be {bounds}, got {format_given(value)}")
    try:
        number = float(cast("Any", value))
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or (least is not None and number < least):
        raise EnvOptionError(f"{name} must be {bounds}, got {number}")
    if most is not None and number > most:
        raise EnvOptionError(f"{name} must be {bounds}, got {number}")
    return number


def check_bool(name: str, value: Any) -> bool:
    """Return the value as a bool if it is one."""
    if not isinstance(value, (bool, np.bool_)):
        raise EnvOptionError(f"{name} must be True or False, got {format_given(value)}")
    return bool(cast("Any", value))


def check_choice(name: str, value: Any, known: Collection[str]) -> str:
    """Return the value if it is one of the known names."""
    if not isinstance(value, str) or value not in known:
        words = list(known)
        given = f"'{value}'" if isinstance(value, str) else format_given(value)
        expected = f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
        raise EnvOptionError(f"unknown {name} {given}; expected {expected}")
    return value


def to_tuple(name: str, value: Any, single: tuple[type, ...], what: str) -> tuple[Any, ...]:
    """Return one value or several as a tuple; ``single`` are the types of one value, ``what`` names them in errors."""
    if isinstance(value, single):
        return (value,)
    if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
        raise EnvOptionError(f"{name} must be {what}, or a list of such; got {format_given(value)}")
    return tuple(value)
