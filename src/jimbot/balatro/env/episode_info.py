"""What is told at the end of an episode: numbers, the blind it ended in, and how every blind went."""

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
    """How one blind went.

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
    """The engine's buffer of ends, uint8[games, bytes], as records; nothing is copied."""
    return buffer.view(END_RECORD)[:, 0]


def read_blind_outcomes(record: Any) -> list[BlindOutcome]:
    """The blinds of one record of ``END_RECORD`` that were played to their end, in order."""
    kept: list[tuple[int, int, bool]] = record["played_blinds"][: int(record["played"])].tolist()
    keys = _engine.blind_keys
    return [BlindOutcome(ante, keys[blind], get_name(keys[blind]), cleared) for blind, ante, cleared in kept]
