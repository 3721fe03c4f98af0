"""Demonstrations on disk: seeds and indices, a few bytes per decision, checksummed; nothing in them is executed."""

from __future__ import annotations

import hashlib
import math
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import dump_json, parse_json
from jimbot.training.cloning.episode_sources import EpisodeSource
from jimbot.training.cloning.trajectories import CloningError, Trajectory

if TYPE_CHECKING:
    from collections.abc import Sequence

    import gymnasium
    from numpy.typing import NDArray

__all__ = ["load_trajectories", "save_trajectories"]

MAGIC = b"JIMBOTT1"
HASH_SIZE = 32
COLUMNS: tuple[tuple[str, str], ...] = (
    ("actions", "<i4"),
    ("labels", "<i4"),
    ("rewards", "<f4"),
    ("kinds", "<u1"),
)
"""Arrays of an episode, in their order, and their types."""
PLAIN = ("seed", "replaced", "substituted", "unexpressed", "truncated", "digest")


def save_trajectories(trajectories: Sequence[Trajectory], path: str | Path) -> Path:
    """Write demonstrations; an existing file is replaced only once the new one is whole.

    About 5 bytes per decision after compression. The environment is described in the file if it can be.
    """
    sources: list[dict[str, Any] | None] = []
    episodes: list[dict[str, Any]] = []
    body = bytearray()
    for trajectory in trajectories:
        if trajectory.source.description not in sources:
            sources.append(trajectory.source.description)
        numbers = {name: value for name, value in trajectory.numbers.items() if math.isfinite(value)}
        plain = {name: getattr(trajectory, name) for name in PLAIN}
        source = sources.index(trajectory.source.description)
        names = list(trajectory.kind_names)
        episodes.append(
            {**plain, "numbers": numbers, "steps": len(trajectory), "source": source, "kinds": names}
        )
        for name, kind in COLUMNS:
            body += np.asarray(getattr(trajectory, name)).astype(kind).tobytes()
    head = dump_json({"sources": sources, "episodes": episodes}).encode()
    packed = zlib.compress(len(head).to_bytes(4, "little") + head + bytes(body), 9)
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_file_atomically(target, MAGIC + hashlib.sha256(packed).digest() + packed)
    except OSError as error:
        raise CloningError(f"cannot write the demonstrations {target}: {error.strerror}") from None
    return target


def load_trajectories(path: str | Path, env: gymnasium.Env[Any, Any] | None = None) -> list[Trajectory]:
    """Read demonstrations.

    Args:
        path: the file.
        env: where to play them again, if the file does not describe it.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CloningError(f"cannot read the demonstrations {path}: {error.strerror}") from None
    if data[: len(MAGIC)] != MAGIC:
        raise CloningError(f"{path} holds no demonstrations: it does not start like a file of them")
    expected, packed = data[len(MAGIC) : len(MAGIC) + HASH_SIZE], data[len(MAGIC) + HASH_SIZE :]
    if hashlib.sha256(packed).digest() != expected:
        raise CloningError(f"{path} is damaged: its checksum does not fit; restore it or collect anew")
    try:
        return parse(zlib.decompress(packed), env)
    except (zlib.error, ValueError, KeyError, TypeError, IndexError) as error:
        if isinstance(error, CloningError):
            raise
        raise CloningError(f"{path} cannot be read: {error!r}") from None


def parse(content: bytes, env: gymnasium.Env[Any, Any] | None) -> list[Trajectory]:
    """The episodes of a file's content."""
    length = int.from_bytes(content[:4], "little")
    head: dict[str, Any] = parse_json(content[4 : 4 + length], "its head")
    body, place = memoryview(content)[4 + length :], 0
    given = EpisodeSource(env, None) if env is not None else None
    sources = [given or EpisodeSource(None, description) for description in head["sources"]]
    found: list[Trajectory] = []
    for episode in cast("list[dict[str, Any]]", head["episodes"]):
        arrays: dict[str, NDArray[Any]] = {}
        for name, kind in COLUMNS:
            size = np.dtype(kind).itemsize * int(episode["steps"])
            arrays[name] = np.frombuffer(body[place : place + size], kind).copy()
            place += size
        values: dict[str, Any] = {name: int(episode[name]) for name in PLAIN} | arrays
        values["truncated"] = bool(values["truncated"])
        source = sources[int(episode["source"])]
        names = tuple(map(str, episode["kinds"]))
        found.append(Trajectory(kind_names=names, numbers=episode["numbers"], source=source, **values))
    if place != len(body):
        raise ValueError(f"{len(body) - place} bytes are left over")
    return found
