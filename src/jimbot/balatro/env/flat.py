"""Observations as one float32 vector, for libraries that take no dictionaries.

``flat(env)`` wraps a single or a vector environment. The vector holds the arrays of the observation one after the
other, in the order of the schema; identities are divided by their largest value, so that everything stays within -3 and
3. ``FlatLayout.slices`` says where each array stands, ``action_mask`` among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from jimbot import _engine
from jimbot.balatro.env.options import EnvOptionError
from jimbot.balatro.env.schema import observation_dtype
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


@dataclass(frozen=True)
class _Segment:
    """Adjacent arrays of one type, copied from the record in one operation."""

    dtype: str
    offset: int
    place: slice
    scale: NDArray[np.float32] | None
    """What integers are multiplied by."""


@dataclass(frozen=True)
class FlatLayout:
    """Where every array of an observation is in the vector."""

    candidates: int
    """K; 0 for the fixed actions."""
    slices: dict[str, slice]
    """Place of every array, by name."""
    high: NDArray[np.float32]
    low: NDArray[np.float32]
    runs: tuple[_Segment, ...]

    @classmethod
    def of(cls, candidates: int = 0) -> FlatLayout:
        """Build the layout of observations with this many candidates."""
        slices: dict[str, slice] = {}
        highs: list[NDArray[np.float32]] = []
        lows: list[NDArray[np.float32]] = []
        scales: list[NDArray[np.float32]] = []
        runs: list[_Segment] = []
        start, ended_at = 0, -1
        for each in _engine.observation_schema(candidates):
            count = int(np.prod(each["shape"]))
            stop = start + count
            slices[each["name"]] = slice(start, stop)
            is_float = each["type"] == "float32"
            highs.append(np.full(count, each["high"] if is_float else 1, np.float32))
            lows.append(-highs[-1] if is_float else np.zeros(count, np.float32))
            scale = np.full(count, 1 if is_float else 1 / each["high"], np.float32)
            if runs and runs[-1].dtype == each["type"] and ended_at == each["offset"]:
                last = runs.pop()
                scales[-1] = np.concatenate([scales[-1], scale])
                run = _Segment(last.dtype, last.offset, slice(last.place.start, stop), scales[-1])
            else:
                scales.append(scale)
                run = _Segment(each["type"], each["offset"], slice(start, stop), scale)
            runs.append(run if not is_float else _Segment(run.dtype, run.offset, run.place, None))
            ended_at = each["offset"] + count * np.dtype(each["type"]).itemsize
            start = stop
        return cls(candidates, slices, np.concatenate(highs), np.concatenate(lows), tuple(runs))

    @property
    def size(self) -> int:
        """Length of the vector."""
        return len(self.high)

    def space(self) -> gymnasium.spaces.Box:
        """Return the space of the vector, float32[size]."""
        return gymnasium.spaces.Box(self.low, self.high, dtype=np.float32)

    def flatten_records(
        self, records: NDArray[np.uint8], out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Flatten the engine's records, uint8[games, bytes], to float32[games, size]."""
        flat = np.empty((len(records), self.size), np.float32) if out is None else out
        for run in self.runs:
            count = run.place.stop - run.place.start
            stop = run.offset + count * np.dtype(run.dtype).itemsize
            part = records[:, run.offset : stop].view(run.dtype)
            if run.scale is None:
                flat[:, run.place] = part
            else:
                np.multiply(part, run.scale, out=flat[:, run.place])
        return flat

    def flatten(self, observation: Mapping[str, Any]) -> NDArray[np.float32]:
        """Flatten one observation to float32[size], or many to float32[games, size]."""
        batch = observation["globals"].shape[:-1]
        records = np.zeros(batch, observation_dtype(self.candidates))
        for name in self.slices:
            records[name] = observation[name]
        flat = self.flatten_records(records.reshape(-1, 1).view(np.uint8))
        return flat.reshape(*batch, self.size)


class FlatEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A single environment whose observations are vectors, float32[size]."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        self._balatro = _unwrap(env, BalatroEnv)
        self.layout = FlatLayout.of(self._balatro.options.num_candidates)
        self.observation_space = self.layout.space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset the environment; the observation is flat."""
        _, info = self.env.reset(seed=seed, options=options)
        return self._flatten(), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Step the environment; the observation is flat."""
        _, reward, terminated, truncated, info = self.env.step(action)
        return self._flatten(), reward, terminated, truncated, info

    def _flatten(self) -> NDArray[np.float32]:
        return self.layout.flatten_records(self._balatro.records)[0]

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions, bool[actions]."""
        return self._balatro.action_masks()


class FlatVectorEnv(VectorWrapper):
    """A vector environment whose observations are one array, float32[games, size], overwritten by every step."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)  # pyright: ignore[reportUnknownMemberType]
        self._balatro = _unwrap(env, BalatroVectorEnv)
        self.layout = FlatLayout.of(self._balatro.options.num_candidates)
        self.single_observation_space = self.layout.space()
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)
        self._flat = np.zeros((env.num_envs, self.layout.size), np.float32)
        self._final = np.zeros_like(self._flat)

    def reset(
        self, *, seed: int | list[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Reset the environments; the observations are flat."""
        _, infos = self._balatro.reset(seed=seed, options=options)
        return self.layout.flatten_records(self._balatro.records, self._flat), infos

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Step the environments; observations and ``infos["final_obs"]`` are flat."""
        _, rewards, terminated, truncated, infos = self._balatro.step(actions)
        flat = self.layout.flatten_records(self._balatro.records, self._flat)
        if "final_obs" in infos:
            infos["final_obs"] = self.layout.flatten_records(self._balatro.final_records, self._final)
        return flat, rewards, terminated, truncated, infos


def flat(env: Any) -> FlatEnv | FlatVectorEnv:
    """Wrap a single or vector environment so that each observation is one vector."""
    is_vector = isinstance(env, VectorEnv)
    return FlatVectorEnv(cast("VectorEnv[Any, Any, Any]", env)) if is_vector else FlatEnv(env)


def _unwrap(env: Any, wanted: type[Any]) -> Any:
    if not isinstance(env.unwrapped, wanted):
        raise EnvOptionError(
            f"flat observations are made from {wanted.__name__}, not from {type(env.unwrapped).__name__}; "
            "use gymnasium.wrappers.FlattenObservation for other environments"
        )
    return env.unwrapped
