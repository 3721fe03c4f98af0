"""From memory to satisfaction to trust: recency weights, relationship satisfaction and bond."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.therapy.model.utilities import TherapyError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["MEMORY_SIZE", "bond", "recency_weights", "relationship_satisfaction"]

MEMORY_SIZE = 50
"""Interactions a client remembers; memory is always full."""


def recency_weights(n: int, factor: float = 2.0) -> NDArray[np.float64]:
    """Return the weight of each of ``n`` remembered interactions, oldest first; they sum to 1.

    The newest weighs ``factor`` times as much as the oldest, with a square-root rise between them.
    """
    if n < 0:
        raise TherapyError(f"a memory cannot have {n} interactions; expected 0 or more")
    if not (factor >= 1 and np.isfinite(factor)):
        raise TherapyError(f"the recency factor must be a number of at least 1, got {factor:g}")
    if n <= 1:
        return np.ones(n)
    weights = 1 + (factor - 1) * np.sqrt(np.arange(n) / (n - 1))
    return weights / weights.sum()


def relationship_satisfaction(u: ArrayLike, memory: ArrayLike, recency_factor: float = 2.0) -> float:
    """Return the recency-weighted mean utility of a memory.

    Args:
        u: utilities, [8, 8], rows the client.
        memory: pairs of client's and therapist's octant, [interactions, 2], oldest first.
        recency_factor: weight of the newest interaction over that of the oldest.
    """
    utilities, pairs = check_utilities(u), check_memory(memory)
    return float(recency_weights(len(pairs), recency_factor) @ utilities[pairs[:, 0], pairs[:, 1]])


def bond(rs: Any, rs_min: Any, rs_max: Any, alpha: float = 5.0, offset: float = 0.8) -> Any:
    """Return the bond (trust), 0 to 1: a logistic function of satisfaction relative to its minimum and maximum.

    It is one half where satisfaction has gone ``offset`` of the way; ``alpha`` is its steepness. Works on numbers and
    on arrays of them.
    """
    width = np.subtract(rs_max, rs_min)
    if not np.all(width > 0):
        raise TherapyError("rs_max must be greater than rs_min; a client with equal utilities has no bond")
    position = (rs - rs_min) / width
    # exp of a huge number is infinity and the bond then 0, which is right and needs no warning.
    with np.errstate(over="ignore"):
        value = 1 / (1 + np.exp(-2 * alpha * (position - offset)))
    return float(value) if np.ndim(value) == 0 else value


def check_utilities(u: ArrayLike) -> NDArray[np.float64]:
    """Return utilities as float64[8, 8]; invalid ones raise."""
    utilities = np.asarray(u, dtype=np.float64)
    if utilities.shape != (8, 8):
        raise TherapyError(f"utilities must have shape (8, 8), got {utilities.shape}")
    if not np.isfinite(utilities).all():
        raise TherapyError("utilities must be finite numbers")
    if utilities.min() == utilities.max():
        raise TherapyError("utilities must not all be equal; success and bond would have no meaning")
    return utilities


def check_memory(memory: ArrayLike) -> NDArray[np.int64]:
    """Return a memory as int64[interactions, 2]; an invalid one raises."""
    pairs = np.asarray(memory)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or len(pairs) == 0:
        raise TherapyError(f"a memory must have shape (interactions, 2), got {pairs.shape}")
    if pairs.dtype.kind not in "iu" or pairs.min() < 0 or pairs.max() > 7:
        raise TherapyError("a memory must hold octants, whole numbers 0 to 7")
    return pairs.astype(np.int64)
