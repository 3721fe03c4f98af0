"""The plateau strategist: complementary until satisfaction stagnates, then a spell of the best octant."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jimbot.therapy.model.octants import complement
from jimbot.therapy.therapists.scripted import MindReader

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PlateauTherapist"]

RECORDED = 15
"""Satisfactions that must be on record before a plateau can be seen."""
FLAT = 5.0
"""A plateau: no more than this between the least and the greatest of them."""
SPELL = 10
"""Sessions an intervention lasts."""


@dataclass
class Record:
    """The strategist's memory of one client."""

    satisfactions: deque[float]
    spell_left: int = field(default=0)


class PlateauTherapist(MindReader):
    """Plays the octant of the client's greatest utility for ten sessions whenever satisfaction stagnates.

    With ``window`` the last 15 satisfactions must lie within 5; without it all since the last intervention must, which
    hardly ever happens.
    """

    def __init__(self, *, window: bool = True) -> None:
        self._kept = RECORDED if window else None
        self._records: list[Record] = []

    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the complement, or during an intervention the octant of the greatest utility."""
        clients = self.clients
        if len(self._records) != len(shown):
            self._records = [self._new() for _ in shown]
        actions = complement(shown)
        for i in range(len(shown)):
            if not held[i]:  # what is recorded are the satisfactions that sessions led to
                self._records[i] = self._new()
            elif self._intervenes(self._records[i], float(clients.rs[i])):
                actions[i] = int(clients.utilities[:, :, i].max(axis=1).argmax())
        return actions

    def _new(self) -> Record:
        return Record(deque(maxlen=self._kept))

    def _intervenes(self, record: Record, rs: float) -> bool:
        if record.spell_left == 0:
            seen = record.satisfactions
            seen.append(rs)
            if len(seen) < RECORDED or max(seen) - min(seen) > FLAT:
                return False
            seen.clear()
            record.spell_left = SPELL
        record.spell_left -= 1
        return True
