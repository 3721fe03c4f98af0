"""Checks of what people give to an environment: an error names the option, what it may be and what it was."""

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
    """An option that an environment cannot have."""


def format_given(value: Any) -> str:
    """A wrong value as an error repeats it: short, with its type where that is what is wrong."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}… ({type(value).__name__})"


def check_integer(name: str, value: Any, least: int, most: int | None = None) -> int:
    """The value as an int, if it is a whole number within its bounds; True and 2.0 are none."""
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
    """The value as a float, if it is a finite number within its bounds."""
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
    """The value as a bool, if it is one."""
    if not isinstance(value, (bool, np.bool_)):
        raise EnvOptionError(f"{name} must be True or False, got {format_given(value)}")
    return bool(cast("Any", value))


def check_choice(name: str, value: Any, known: Collection[str]) -> str:
    """The value, if it is one of the known words."""
    if not isinstance(value, str) or value not in known:
        words = list(known)
        given = f"'{value}'" if isinstance(value, str) else format_given(value)
        expected = f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else words[0]
        raise EnvOptionError(f"unknown {name} {given}; expected {expected}")
    return value


def to_tuple(name: str, value: Any, single: tuple[type, ...], what: str) -> tuple[Any, ...]:
    """One thing or several as a tuple; ``single`` are types that are one thing, ``what`` says what things are meant."""
    if isinstance(value, single):
        return (value,)
    if isinstance(value, (str, bytes, dict)) or not hasattr(value, "__iter__"):
        raise EnvOptionError(f"{name} must be {what}, or a list of such; got {format_given(value)}")
    return tuple(value)
