"""The shapes of observations and the meanings of actions, as one table each.

There are two ways to act. With ``slots`` every index has one fixed meaning. With ``candidates`` the engine lists up to
K legal actions at each step, each with a row of features; functions here take K, and 0 stands for the fixed actions.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import gymnasium
import numpy as np

from jimbot import _engine

if TYPE_CHECKING:
    from numpy.typing import NDArray

OBSERVATION_VERSION: int = _engine.observation_version
ACTIONS: int = _engine.slot_count
INFO_NAMES: list[str] = list(_engine.info_names)
REWARD_TERMS: list[str] = list(_engine.reward_terms)
CANDIDATE_FEATURES: list[str] = [name for name, _ in _engine.candidate_features]
"""Names of the columns of ``observation["candidates"]``."""


class Column(NamedTuple):
    """A column of an observation array: its name, its meaning, and the bounds of its values."""

    name: str
    text: str
    low: float
    high: float


OBSERVATION_COLUMNS: dict[str, list[Column]] = {
    array: [Column(*column) for column in columns] for array, columns in _engine.observation_columns.items()
}
"""The columns of every array but the action mask, in order; an array of rows has them in every row."""

ENDINGS = ("running", "won", "out_of_hands", "out_of_cards", "cut_off")
"""How an episode can end, by the engine's number."""


@lru_cache
def observation_dtype(candidates: int = 0) -> np.dtype[np.void]:
    """Return the NumPy record type of one observation; its arrays are the fields."""
    fields = _engine.observation_schema(candidates)
    return np.dtype(
        {
            "names": [field["name"] for field in fields],
            "formats": [(field["type"], field["shape"]) for field in fields],
            "offsets": [field["offset"] for field in fields],
            "itemsize": _engine.observation_size(candidates),
        }
    )


def column_index(array: str, name: str) -> int:
    """Return the index of a named column: ``observation["globals"][column_index("globals", "money")]``."""
    for index, column in enumerate(OBSERVATION_COLUMNS.get(array, ())):
        if column.name == name:
            return index
    raise KeyError(f"no column '{name}' in '{array}'; list all columns with: jimbot env schema")


def observation_space(candidates: int = 0) -> gymnasium.spaces.Dict:
    """Return the space of one observation: a Dict of fixed-shape arrays."""
    spaces: dict[str, gymnasium.Space[Any]] = {}
    for field in _engine.observation_schema(candidates):
        low = -field["high"] if field["type"] == "float32" else 0
        spaces[field["name"]] = gymnasium.spaces.Box(
            low, field["high"], field["shape"], np.dtype(field["type"]).type
        )
    return gymnasium.spaces.Dict(spaces)


def action_space(candidates: int = 0) -> gymnasium.spaces.Discrete[Any]:
    """Return the action space: an index of fixed meaning, or a row of ``observation["candidates"]``."""
    return gymnasium.spaces.Discrete(candidates or ACTIONS)


def view_arrays(buffer: NDArray[np.uint8], candidates: int = 0) -> dict[str, NDArray[Any]]:
    """View a buffer of observations, uint8[games, size], as arrays by name, without a copy."""
    dtype = observation_dtype(candidates)
    records = buffer.view(dtype)[:, 0]
    return {name: records[name] for name in dtype.names or ()}


def explain_refusal(runs: _engine.VectorEnv, game: int, action: int, candidates: int = 0) -> str:
    """Describe an illegal action in words, with the engine's reason."""
    count = candidates or ACTIONS
    reason = runs.refusal(game, action if 0 <= action < count else -1)
    if candidates:
        return f"there is no candidate {action} now: {reason}; see observation['action_mask']"
    meaning = _engine.slot_meaning(action) if 0 <= action < count else f"action {action}"
    return f"{meaning} (index {action}) is not legal now: {reason}; see observation['action_mask']"


def meanings() -> list[str]:
    """Return the meaning of each fixed action, by index."""
    return [_engine.slot_meaning(index) for index in range(ACTIONS)]
