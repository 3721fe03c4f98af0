"""The utility matrix of a client: the value of each pair of behaviors, sampled or named.

Rows are the client's octant, columns the therapist's. A sampled entry lies anywhere within ten of the midpoint below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "HALF_WIDTH",
    "MIDPOINTS",
    "NAMED_UTILITIES",
    "TherapyError",
    "get_utilities",
    "sample_utilities",
    "scale_utilities",
    "success_threshold",
]


class TherapyError(JimbotError, ValueError):
    """Raised for an invalid argument of the therapy model."""


MIDPOINTS: NDArray[np.float64] = np.array(
    [
        [-30, -40, 0, 30, 40, 30, 0, -40],
        [-20, 10, 40, 60, 20, -20, -40, -60],
        [0, 40, 50, 40, 0, -60, -50, -60],
        [20, 60, 40, 10, -20, -60, -40, -20],
        [40, 30, 0, -40, -30, -40, 0, 30],
        [20, 0, -20, -30, -10, 0, 20, 30],
        [0, -30, -20, -30, 0, 20, 30, 20],
        [-20, -30, -10, 0, 20, 30, 20, 0],
    ],
    dtype=np.float64,
)
"""float64[8, 8]: the middle of the interval each utility is sampled from."""

HALF_WIDTH = 10.0
"""A utility lies at most this far from its midpoint."""

_COLD_TRAP: NDArray[np.float64] = np.array(
    [
        [-20, -30, -5, 15, 35, 15, -5, -30],
        [-15, 10, 45, 65, 25, -10, -30, -45],
        [-5, 45, 68, 45, -5, -50, -45, -52],
        [15, 65, 45, 10, -10, -48, -30, -10],
        [35, 15, -5, -30, -20, -30, -5, 15],
        [10, -5, -18, -28, -5, 8, 15, 20],
        [5, -12, -18, -28, -5, 15, 23, 18],
        [-5, -22, -15, -8, 10, 20, 18, 5],
    ],
    dtype=np.float64,
)

NAMED_UTILITIES = {"average": MIDPOINTS, "highly_complementary": MIDPOINTS, "cold_trap": _COLD_TRAP}
"""Matrices with a name. ``cold_trap`` is made so that a cold client settles far below success."""


def sample_utilities(seed: int) -> NDArray[np.float64]:
    """Sample a client's utility matrix, float64[8, 8], from 64 numbers of the legacy Mersenne Twister."""
    return scale_utilities(np.random.RandomState(seed).random_sample((8, 8)))


def scale_utilities(uniforms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale numbers from [0, 1), float64[..., 8, 8], to utilities."""
    return (MIDPOINTS - HALF_WIDTH) + (2 * HALF_WIDTH) * uniforms


def get_utilities(name: str) -> NDArray[np.float64]:
    """Return a copy of a named utility matrix."""
    if name not in NAMED_UTILITIES:
        raise TherapyError(f"unknown utilities '{name}'; expected {' or '.join(NAMED_UTILITIES)}")
    return NAMED_UTILITIES[name].copy()


def success_threshold(u_min: Any, u_max: Any, percentile: float) -> Any:
    """Return the satisfaction that counts as success, at ``percentile`` between minimal and maximal utility.

    Works on numbers and on arrays of them.
    """
    if not 0 <= percentile <= 1:
        raise TherapyError(f"percentile must be 0 to 1, got {percentile:g}")
    return u_min + percentile * (u_max - u_min)
