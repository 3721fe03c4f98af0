"""Tianshou's replay buffer with its memory laid out beforehand, and its content as plain arrays.

The library gives every part of a vectorized buffer a generator of the same seed, so that parts draw the same places,
and no way to save them. Here all parts draw from NumPy's global generator, which checkpoints hold.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from tianshou.data import Batch, VectorReplayBuffer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.training.envs.packing import Packing

__all__ = ["buffer_state", "create_buffer", "restore_buffer"]

OBSERVATIONS = ("obs", "obs_next")
ARRAYS = ("act", "rew", "terminated", "truncated", "done")
COUNTERS = ("_insertion_idx", "_size", "_ep_return", "_ep_len", "_ep_start_idx")


def create_buffer(packing: Packing, num_envs: int, steps: int) -> VectorReplayBuffer:
    """Room for ``steps`` steps of each environment."""
    buffer = VectorReplayBuffer(num_envs * steps, num_envs)
    rows = buffer.maxsize
    content: dict[str, Any] = {name: Batch(packing.empty(rows)) for name in OBSERVATIONS}
    content |= {
        "act": np.zeros(rows, np.int64),
        "rew": np.zeros(rows, np.float64),
        "terminated": np.zeros(rows, np.bool_),
        "truncated": np.zeros(rows, np.bool_),
        "done": np.zeros(rows, np.bool_),
    }
    buffer.set_batch(Batch(content))  # pyright: ignore[reportArgumentType]
    parts: list[Any] = [buffer, *buffer.buffers]
    for part in parts:
        part._random_state = np.random  # noqa: SLF001
    return buffer


def buffer_state(buffer: Any) -> dict[str, Any]:
    """The filled rows and the counters. Environments step together, so every part is filled equally."""
    parts = list(buffer.buffers)
    filled = len(parts[0])

    def rows(array: Any) -> Any:
        return array.reshape(len(parts), -1, *array.shape[1:])[:, :filled].copy()

    meta = buffer._meta  # noqa: SLF001
    state: dict[str, Any] = {name: rows(meta[name]) for name in ARRAYS}
    for name in OBSERVATIONS:
        state[name] = {block: rows(array) for block, array in meta[name].items()}
    state["counters"] = {name: np.array([getattr(part, name) for part in parts]) for name in COUNTERS}
    state["last_index"] = np.array([int(part.last_index[0]) for part in parts])
    return state


def restore_buffer(buffer: Any, state: Mapping[str, Any]) -> None:
    """Go back to a buffer's content."""
    parts = list(buffer.buffers)
    counters = state["counters"]
    filled = int(counters["_size"][0])

    def put(array: Any, saved: Any) -> None:
        array.reshape(len(parts), -1, *array.shape[1:])[:, :filled] = saved

    meta = buffer._meta  # noqa: SLF001
    for name in ARRAYS:
        put(meta[name], state[name])
    for name in OBSERVATIONS:
        for block, array in meta[name].items():
            put(array, state[name][block])
    for number, part in enumerate(parts):
        for name in COUNTERS:
            setattr(part, name, counters[name][number].item())
        part.last_index = np.array([int(state["last_index"][number])])
        buffer.last_index[number] = buffer._offset[number] + part.last_index[0]  # noqa: SLF001
        buffer._lengths[number] = len(part)  # noqa: SLF001
