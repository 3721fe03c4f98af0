"""Misperception ("parataxic distortion"): a client may mistake an action of the therapist for the habitual one.

With probability ``accuracy`` the client sees what the therapist did. Otherwise it sees the behavior it met most often
in the last 15 interactions it remembers, of equally frequent ones the most recent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jimbot.therapy.model.utilities import TherapyError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["PERCEPTION_WINDOW", "compute_habit_weights", "find_habitual_action", "perceive"]

PERCEPTION_WINDOW = 15
"""How many of the newest remembered interactions shape what a client is used to."""


def compute_habit_weights(window: int = PERCEPTION_WINDOW) -> NDArray[np.float64]:
    """Return weights whose sums order actions by count, then by recency: float64[window], oldest first.

    Each occurrence adds 2**window for the count and 2**i for its place i: among equal counts the sum of the places is
    larger for the action that occurred last, because the highest place outweighs all lower ones together.
    """
    return np.exp2(np.arange(window, dtype=np.float64)) + 2.0**window


def find_habitual_action(actions: ArrayLike) -> int:
    """Return the most frequent of a therapist's actions, oldest first; the most recent one if there is a tie."""
    recent = np.asarray(actions)
    if recent.ndim != 1 or len(recent) == 0:
        raise TherapyError(f"expected a list of actions, got shape {recent.shape}")
    return int(np.bincount(recent, compute_habit_weights(len(recent)), minlength=8).argmax())


def perceive(actual: int, recent: ArrayLike, uniform: float, accuracy: float = 0.5) -> int:
    """Return the action that a client perceives.

    Args:
        actual: what the therapist did.
        recent: the last 15 actions the client remembers, oldest first.
        uniform: a random number from [0, 1); below ``accuracy`` the client sees what was done.
        accuracy: how likely that is.
    """
    return int(actual) if uniform < accuracy else find_habitual_action(recent)
