"""Observations of the therapy environments: spaces, and the arrays that observations are written to.

The therapist sees behavior only: what the client shows now, and the last 25 shared interactions. The omniscient
observation adds the client's inner state, for studying what a therapist would do who could read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from jimbot.therapy.model.mechanisms import MECHANISMS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jimbot.therapy.model.clients import ClientBatch

__all__ = [
    "HISTORY_PAIRS",
    "NO_ENTRY",
    "ObservationArrays",
    "action_space",
    "make_omniscient_arrays",
    "observation_space",
]

HISTORY_PAIRS = 25
"""Shared interactions an observation holds."""
NO_ENTRY = 8
"""Stands in a history where nothing has happened yet."""
LEAST_ENTROPY, GREATEST_ENTROPY = 1.5, 5.0
"""Temperatures the omniscient observation maps to -1 and 1; others are clipped."""


def action_space() -> spaces.Space[Any]:
    """Return the action space: the therapist's octant, 0 to 7."""
    return spaces.Discrete(8)


def observation_space(*, omniscient: bool = False) -> spaces.Dict:
    """Return the observation space, with the client's inner state if requested."""

    def box(least: float, greatest: float, length: int = 1) -> spaces.Box:
        return spaces.Box(least, greatest, (length,), np.float32)

    seen: dict[str, spaces.Space[Any]] = {
        "client_action": spaces.Discrete(8),
        "history": spaces.MultiDiscrete([9] * (2 * HISTORY_PAIRS)),
        "session_number": box(0, 1),
    }
    inner: dict[str, spaces.Space[Any]] = {
        "u_matrix": box(-1, 1, 64),
        "relationship_satisfaction": box(-1, 1),
        "bond": box(0, 1),
        "entropy": box(-1, 1),
        "mechanism_type": spaces.Discrete(len(MECHANISMS)),
        "last_actual_action": spaces.Discrete(9),
        "last_perceived_action": spaces.Discrete(9),
        "parataxic_distortion_rate": box(0, 1),
        "parataxic_enabled": spaces.Discrete(2),
    }
    return spaces.Dict(seen | inner if omniscient else seen)


def make_omniscient_arrays(clients: ClientBatch) -> dict[str, NDArray[Any]]:
    """Return the clients' inner state as in omniscient observations; arrays have the client first."""
    options, size = clients.options, clients.size
    width = clients.rs_max - clients.rs_min
    scaled = 2 * (clients.utilities - clients.rs_min) / width - 1
    satisfaction = 2 * (clients.rs - clients.rs_min) / width - 1
    clipped = min(max(options.entropy, LEAST_ENTROPY), GREATEST_ENTROPY)
    entropy = 2 * (clipped - LEAST_ENTROPY) / (GREATEST_ENTROPY - LEAST_ENTROPY) - 1

    def column(values: NDArray[np.float64]) -> NDArray[np.float32]:
        return np.clip(values, -1, 1).astype(np.float32).reshape(size, 1)

    return {
        "u_matrix": np.clip(scaled.transpose(2, 1, 0).reshape(size, 64), -1, 1).astype(np.float32),
        "relationship_satisfaction": column(satisfaction),
        "bond": column(clients.bond),
        "entropy": np.full((size, 1), entropy, np.float32),
        "mechanism_type": np.full(size, options.mechanism_number),
        "last_actual_action": clients.last_actual.copy(),
        "last_perceived_action": clients.last_perceived.copy(),
        "parataxic_distortion_rate": column(clients.distortion_rate()),
        "parataxic_enabled": np.full(size, int(options.enable_parataxic)),
    }


class ObservationArrays:
    """The observations of a batch of clients, in arrays that are updated in place.

    Attributes:
        arrays: the observations, each with the client as its first axis.
    """

    def __init__(self, clients: ClientBatch) -> None:
        size = clients.size
        self._clients = clients
        self._everyone = np.arange(size)
        self.history = np.full((size, 2 * HISTORY_PAIRS), NO_ENTRY)
        self._session_number = np.zeros((size, 1), np.float32)
        self.arrays: dict[str, NDArray[Any]] = {
            "client_action": np.zeros(size, np.int64),
            "history": self.history,
            "session_number": self._session_number,
        }
        if clients.options.omniscient:
            self.arrays |= make_omniscient_arrays(clients)

    def begin(self, indices: NDArray[np.int64]) -> None:
        """Clear the histories of replaced clients."""
        self.history[indices] = NO_ENTRY

    def record(self, shown: NDArray[np.int64], answered: NDArray[np.int64]) -> None:
        """Add a session to every history; call it before the clients' session counters advance."""
        held = self._clients.sessions
        full = held >= HISTORY_PAIRS
        if full.all():
            self.history[:, :-2] = self.history[:, 2:]
        elif full.any():
            self.history[full, :-2] = self.history[full, 2:]
        column = 2 * np.minimum(held, HISTORY_PAIRS - 1)
        self.history[self._everyone, column] = shown
        self.history[self._everyone, column + 1] = answered

    def refresh(self) -> None:
        """Update the arrays with the clients' current state."""
        clients = self._clients
        np.copyto(self.arrays["client_action"], clients.action)
        np.divide(clients.sessions[:, np.newaxis], clients.options.max_sessions, out=self._session_number)
        if clients.options.omniscient:
            for name, values in make_omniscient_arrays(clients).items():
                np.copyto(self.arrays[name], values)
