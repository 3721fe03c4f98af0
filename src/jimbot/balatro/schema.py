"""The shapes of observations and the meanings of actions, as one table each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from jimbot import _engine

if TYPE_CHECKING:
    from numpy.typing import NDArray

OBSERVATION_VERSION: int = _engine.observation_version
ACTIONS: int = _engine.slot_count
INFO_NAMES: list[str] = list(_engine.info_names)
REWARD_TERMS: list[str] = list(_engine.reward_terms)

ENDINGS = ("running", "won", "out_of_hands", "out_of_cards", "cut_off")
"""How an episode can end, by the engine's number."""

_DTYPE = np.dtype(
    {
        "names": [field["name"] for field in _engine.observation_schema()],
        "formats": [(field["type"], field["shape"]) for field in _engine.observation_schema()],
        "offsets": [field["offset"] for field in _engine.observation_schema()],
        "itemsize": _engine.observation_size,
    }
)


def observation_space() -> gymnasium.spaces.Dict:
    """The space of one observation: a Dict of fixed-shape arrays."""
    spaces: dict[str, gymnasium.Space[Any]] = {}
    for field in _engine.observation_schema():
        low = -field["high"] if field["type"] == "float32" else 0
        spaces[field["name"]] = gymnasium.spaces.Box(
            low, field["high"], field["shape"], np.dtype(field["type"]).type
        )
    return gymnasium.spaces.Dict(spaces)


def action_space() -> gymnasium.spaces.Discrete[Any]:
    """The space of actions: every index has one fixed meaning."""
    return gymnasium.spaces.Discrete(ACTIONS)


def views_of(buffer: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """Arrays by name that look into a buffer of observations, uint8[games, size]; nothing is copied."""
    records = buffer.view(_DTYPE)[:, 0]
    return {name: records[name] for name in _DTYPE.names or ()}


def meanings() -> list[str]:
    """What each action means, by index."""
    return [_engine.slot_meaning(index) for index in range(ACTIONS)]
