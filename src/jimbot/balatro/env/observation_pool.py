"""A pool of observations for the single environment: dicts of arrays that are reused instead of allocated per step.

Each observation is one copy of the engine's record, and its arrays look into that copy. Making the arrays costs more
than the copy, so sets of them are kept and used again - but only when nobody else holds any of them any more. What a
caller keeps is therefore never written to.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.balatro.env.schema import observation_dtype

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KEPT = 4


class _Copy:
    """A copy of the record, and the arrays that view it."""

    def __init__(self, dtype: np.dtype[np.void]) -> None:
        self.owner: NDArray[np.uint8] = np.zeros(dtype.itemsize, np.uint8)
        record = self.owner.view(dtype)[0:1].reshape(())
        self.arrays: dict[str, NDArray[Any]] = {name: record[name] for name in dtype.names or ()}
        # A view of an array refers to the array that owns the memory, so the owner is counted too.
        self._counted: tuple[Any, ...] = (*self.arrays.values(), self.owner)
        del record
        self._unused = list(map(sys.getrefcount, self._counted))

    def is_free(self) -> bool:
        """Return whether no other object refers to the arrays or their memory."""
        return list(map(sys.getrefcount, self._counted)) == self._unused


class ObservationPool:
    """Copies of one record, uint8[size], as dicts of arrays."""

    def __init__(self, record: NDArray[np.uint8], candidates: int) -> None:
        self._record = record
        self._dtype = observation_dtype(candidates)
        self._copies = [_Copy(self._dtype) for _ in range(_KEPT)]
        self._next = 0

    def observation(self) -> dict[str, Any]:
        """Copy the current record into arrays that belong to the caller."""
        copies = self._copies
        for _ in range(_KEPT):
            self._next = (self._next + 1) % _KEPT
            copy = copies[self._next]
            if copy.is_free():
                break
        else:  # the caller keeps what it gets: leave him the oldest and make a new one
            self._next = (self._next + 1) % _KEPT
            copy = copies[self._next] = _Copy(self._dtype)
        copy.owner[:] = self._record
        return copy.arrays.copy()
