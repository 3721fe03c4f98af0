"""Helpers for training runs: making and vectorizing environments, logging."""

from __future__ import annotations

import functools
import logging
import sys
from typing import TYPE_CHECKING, Any, cast

from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv
from jimbot.errors import JimbotError
from jimbot.training.envs.validation import Finding, Severity, ValidationReport, validate_environment
from jimbot.training.envs.vectors import gymnasium_vector

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import gymnasium

__all__ = [
    "Finding",
    "Severity",
    "ValidationReport",
    "create_balatro_env",
    "make_vectorized_env",
    "setup_logging",
    "validate_environment",
]

KINDS = ("auto", "native", "sync", "subprocess")

SINGLE_ONLY = ("render_mode",)
"""Options of the single environment that the native vector does not have: it does not draw."""


def create_balatro_env(seed: int | None = None, **options: Any) -> BalatroEnv:
    """One Balatro environment; with a seed it is reset once, so that later resets without a seed follow from it.

    Args:
        seed: starts the generator that draws the seeds of the runs.
        options: those of ``jimbot.balatro.env.options.EnvOptions``, and ``render_mode`` and ``checked``.
    """
    env = BalatroEnv(**options)
    if seed is not None:
        env.reset(seed=seed)
    return env


def make_vectorized_env(
    creator: Callable[..., gymnasium.Env[Any, Any]], n_envs: int, seed: int | None = None, kind: str = "auto"
) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
    """Many environments behind one call.

    Args:
        creator: a function without necessary arguments that makes one environment; ``create_balatro_env``,
            ``BalatroEnv`` or a ``functools.partial`` of them can be made native.
        n_envs: how many.
        seed: if given, the vector is reset with it once, so that every environment draws from a generator of its own.
        kind: ``native`` (all in C++, Balatro only), ``sync`` (one after another in this process), ``subprocess`` (a
            fresh process each; the creator must be importable by name), or ``auto``: native if possible, else sync.
    """
    if kind not in KINDS:
        raise JimbotError(f"unknown kind '{kind}'; expected {', '.join(KINDS)}")
    if n_envs < 1:
        raise JimbotError(f"n_envs must be at least 1, got {n_envs}")
    options = native_options(creator)
    if kind == "native" and options is None:
        raise JimbotError(
            "only Balatro is native: give create_balatro_env, BalatroEnv or a functools.partial of them, without "
            f"{' and '.join(SINGLE_ONLY)}; or choose kind='sync'"
        )
    if options is not None and kind in ("auto", "native"):
        vector: gymnasium.vector.VectorEnv[Any, Any, Any] = BalatroVectorEnv(n_envs, **options)
    else:
        vector = gymnasium_vector(creator, n_envs, in_processes=kind == "subprocess")
    if seed is not None:
        vector.reset(seed=seed)
    return vector


def native_options(creator: Callable[..., Any]) -> dict[str, Any] | None:
    """The options a creator gives to Balatro, or None if its environments cannot be native."""
    options: dict[str, Any] = {}
    made: Any = creator
    while isinstance(made, functools.partial):
        partial = cast("functools.partial[Any]", made)
        if partial.args:
            return None
        options = {**partial.keywords, **options}
        made = partial.func
    if made is not create_balatro_env and made is not BalatroEnv:
        return None
    options.pop("seed", None)  # every environment of a vector has a generator of its own
    asked = [options.pop(name, None) for name in SINGLE_ONLY]
    return None if any(asked) else options


def setup_logging(level: int | str = "INFO", file: str | Path | None = None) -> logging.Logger:
    """Let the logger ``jimbot`` write to standard error and, if asked, to a file; a second call replaces the first.

    Args:
        level: a level of ``logging``, by name or number.
        file: a file to append to as well.
    """
    number = logging.getLevelNamesMapping().get(level.upper()) if isinstance(level, str) else level
    if number is None:
        raise JimbotError(f"unknown level '{level}'; expected DEBUG, INFO, WARNING, ERROR or CRITICAL")
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if file is not None:
        try:
            handlers.append(logging.FileHandler(file, encoding="utf-8"))
        except OSError as error:
            raise JimbotError(f"cannot write the log {file}: {error.strerror}") from None
    logger = logging.getLogger("jimbot")
    for old in list(logger.handlers):
        logger.removeHandler(old)
        old.close()
    shape = logging.Formatter("%(asctime)s %(levelname)-7s %(name)s: %(message)s")
    for handler in handlers:
        handler.setFormatter(shape)
        logger.addHandler(handler)
    logger.setLevel(number)
    logger.propagate = False
    return logger
