"""What ``info`` holds at the end of an episode: numbers, the last blind, and the outcome of every blind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot import _engine
from jimbot.balatro.names import get_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BlindOutcome", "read_blind_outcomes", "view_end_records"]

END_RECORD = np.dtype(
    [
        ("seed", "<U8"),
        ("blind", "<U16"),
        ("played", "<i4"),
        (
            "played_blinds",
            [("blind", np.uint8), ("ante", np.int8), ("cleared", np.bool_)],
            (_engine.played_blinds,),
        ),
    ]
)
"""The engine's record of an episode's end (``EndRecord`` in engine/vector/episode.hpp)."""


@dataclass(frozen=True, slots=True)
class BlindOutcome:
    """The outcome of one blind.

    Attributes:
        ante: the ante it was played in.
        key: the game's key, such as ``bl_hook``.
        name: its name, such as The Hook.
        cleared: whether it was beaten; the run ended in it otherwise.
    """

    ante: int
    key: str
    name: str
    cleared: bool


def view_end_records(buffer: NDArray[np.uint8]) -> NDArray[Any]:
    """View the engine's buffer of end records, uint8[games, bytes], as a structured array, without a copy."""
    return buffer.view(END_RECORD)[:, 0]


def read_blind_outcomes(record: Any) -> list[BlindOutcome]:
    """Return the outcomes of the finished blinds in one record of ``END_RECORD``, in order."""
    kept: list[tuple[int, int, bool]] = record["played_blinds"][: int(record["played"])].tolist()
    keys = _engine.blind_keys
    return [BlindOutcome(ante, keys[blind], get_name(keys[blind]), cleared) for blind, ante, cleared in kept]
