"""Snapshots of environments for exact resume, in a format that executes nothing when read."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.storage.strict_json import dump_json, parse_json
from jimbot.therapy.model.satisfaction import MEMORY_SIZE
from jimbot.therapy.model.utilities import TherapyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from jimbot.therapy.model.clients import ClientBatch

__all__ = ["clients_from_arrays", "clients_to_arrays", "pack", "restore_generator", "unpack"]

VERSION = 1
_PLAIN = (
    *("action", "sessions", "misperceived", "accurate", "last_actual", "last_perceived", "pattern"),
    *(
        "episode_seed",
        "rs",
        "bond",
        "reward",
        "initial_rs",
        "initial_bond",
        "rs_min",
        "rs_max",
        "rs_threshold",
    ),
    *("success", "dropped_out", "timed_out", "ended", "utilities"),
)


def clients_to_arrays(clients: ClientBatch) -> dict[str, NDArray[Any]]:
    """Return the complete state of a batch of clients as arrays."""
    return {name: getattr(clients, name) for name in _PLAIN} | {
        "memories": clients.memories(),
        "uniforms": clients.uniforms,
    }


def clients_from_arrays(clients: ClientBatch, arrays: dict[str, NDArray[Any]]) -> None:
    """Restore the state of a batch of clients from arrays."""
    for name in _PLAIN:
        np.copyto(getattr(clients, name), arrays[name])
    clients.restore_memories(arrays["memories"], arrays["uniforms"])


def pack(
    kind: str, options: str, rngs: Sequence[np.random.Generator | None], arrays: dict[str, Any], **more: Any
) -> bytes:
    """Serialize a snapshot: its kind, the options, the generators' states and arrays."""
    header = {
        "kind": kind,
        "version": VERSION,
        "options": options,
        "rngs": [None if rng is None else rng.bit_generator.state for rng in rngs],
        **more,
    }
    buffer = io.BytesIO()
    text = np.frombuffer(dump_json(header).encode(), dtype=np.uint8)
    np.savez(buffer, header=text, **arrays)
    return buffer.getvalue()


def unpack(kind: str, options: str, size: int, snapshot: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return header and arrays of a snapshot; one of another environment raises."""
    try:
        with np.load(io.BytesIO(snapshot), allow_pickle=False) as archive:
            arrays = dict(archive)
        header = parse_json(arrays.pop("header").tobytes(), "its header")
        found, version, made_with = header["kind"], header["version"], header["options"]
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile):
        raise TherapyError("this is no snapshot of a therapy environment, or it is damaged") from None
    if found != kind:
        raise TherapyError(f"the snapshot is of a {found} environment; this one is {kind}")
    if version != VERSION:
        raise TherapyError(f"the snapshot has version {version}; this program reads version {VERSION}")
    if made_with != options:
        raise TherapyError(
            "the snapshot was made with other options; make the environment with the same ones"
        )
    if arrays["memories"].shape != (size, MEMORY_SIZE, 2):
        raise TherapyError(f"the snapshot has {len(arrays['memories'])} clients; this environment has {size}")
    return header, arrays


def restore_generator(state: dict[str, Any]) -> np.random.Generator:
    """Restore a generator from its saved state."""
    generator = np.random.default_rng(0)
    generator.bit_generator.state = state
    return generator
