"""A vector of environments as trainers see it: arrays in, arrays out, episodes counted, resumable at any step.

``TrainingVector`` wraps the native Balatro vector, or Gymnasium's vector of any other environment.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorEnv

from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.envs.episode_recorder import EpisodeRecorder, ResumeError
from jimbot.training.envs.main_guard import check_main_guard
from jimbot.training.envs.protocol import Episode, Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["Episode", "Step", "TrainingVector", "gymnasium_vector", "resumable_creator"]


class TrainingVector:
    """``SteppedEnvironments`` over a vector of Gymnasium or the native one; nothing is normalized."""

    normalizer = None

    def __init__(self, vector: VectorEnv[Any, Any, Any], seed: int) -> None:
        if vector.metadata.get("autoreset_mode") != AutoresetMode.SAME_STEP:
            raise ConfigError(
                "the vector environment must reset ended environments within the same step (SAME_STEP)"
            )
        self.vector = vector
        self.seed = seed
        self.num_envs = vector.num_envs
        self.observation_space: gymnasium.Space[Any] = cast("Any", vector).single_observation_space
        self.action_space: gymnasium.Space[Any] = cast("Any", vector).single_action_space
        self.native = hasattr(vector, "snapshot")
        self.returns = np.zeros(self.num_envs, np.float64)
        self.lengths = np.zeros(self.num_envs, np.int64)
        self.stages = np.zeros(self.num_envs, np.int64)
        self.stage = 0
        self.episodes: list[Episode] = []
        self._final: Any = None
        self._last: Any = None

    def reset(self, seed: int | None = None) -> Any:
        """Start all environments; the first observation. A seed takes the place of the one they were made with."""
        if seed is not None:
            self.seed = seed
        self._last, _ = self.vector.reset(seed=self.seed)
        self.returns[:] = 0
        self.lengths[:] = 0
        self.stages[:] = self.stage
        self.episodes.clear()
        return self._last

    def observation(self) -> Any:
        """The observation after the last reset, step or restore."""
        return self._last

    def step(self, actions: NDArray[Any]) -> Step:
        """Take one action in each environment."""
        observation, rewards, terminated, truncated, infos = self.vector.step(actions)
        self._last = observation
        self.returns += rewards
        self.lengths += 1
        ended = terminated | truncated
        final = None
        if ended.any():
            rows = np.flatnonzero(ended)
            final = self._finals(infos, rows)
            self._finish(infos.get("final_info", {}), rows, truncated)
        return Step(observation, np.asarray(rewards, np.float32), terminated, truncated, final)

    def drain(self) -> list[Episode]:
        """The episodes that ended since the last call."""
        ended, self.episodes = self.episodes, []
        return ended

    def _finish(self, info: Mapping[str, Any], rows: NDArray[Any], truncated: NDArray[np.bool_]) -> None:
        columns = episode_numbers(info, rows)
        parts = (self.returns, self.lengths, self.stages, truncated)
        plain = zip(*(part[rows].tolist() for part in parts), strict=True)
        for place, (total, length, stage, cut) in enumerate(plain):
            numbers = {name: values[place] for name, values in columns}
            self.episodes.append(Episode(float(total), int(length), int(stage), bool(cut), numbers))
        self.returns[rows] = 0
        self.lengths[rows] = 0
        self.stages[rows] = self.stage

    def _finals(self, infos: Mapping[str, Any], rows: NDArray[Any]) -> Any:
        """The last observations of ended environments, in rows of their own."""
        given = infos["final_obs"]
        if isinstance(given, Mapping):  # native: already arrays with one row each
            return cast("Any", given)
        if self._final is None:
            self._final = gymnasium.vector.utils.create_empty_array(self.observation_space, self.num_envs)
        for row in rows:
            put_row(self._final, int(row), given[row])
        return self._final

    # --- difficulty -----------------------------------------------------------------------------------------------

    def has(self, method: str) -> bool:
        """Whether the environments have a method."""
        if self.native:
            return hasattr(self.vector, method)
        found: tuple[bool, ...] = cast("Any", self.vector).call("has_wrapper_attr", method)
        return all(found)

    def tell(self, method: str, value: Any, stage: int) -> None:
        """Call a method of every environment; episodes that begin from then on are of this stage."""
        if self.native:
            getattr(self.vector, method)(value)
        else:
            cast("Any", self.vector).call(method, value)
        self.stage = stage

    # --- snapshots ------------------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """Everything needed to continue from here, as plain data."""
        tree: dict[str, Any] = {
            "returns": self.returns.copy(),
            "lengths": self.lengths.copy(),
            "stages": self.stages.copy(),
            "stage": self.stage,
        }
        if self.native:
            tree["native"] = cast("Any", self.vector).snapshot()
        else:
            tree["episodes"] = list(cast("Any", self.vector).call("snapshot_episode"))
        return tree

    def restore(self, tree: Mapping[str, Any]) -> Any:
        """Restore a snapshot; the observation of that moment. The curriculum sets the difficulty itself."""
        if len(tree["returns"]) != self.num_envs:
            raise ResumeError(
                f"the checkpoint has {len(tree['returns'])} environments, this run {self.num_envs}"
            )
        self.reset()
        vector = cast("Any", self.vector)
        if self.native:
            vector.restore(tree["native"])
            self._last = vector.observations()
        else:
            vector.set_attr("to_restore", list(tree["episodes"]))
            rows = vector.call("restore_episode")
            last = gymnasium.vector.utils.create_empty_array(self.observation_space, self.num_envs)
            for number, row in enumerate(rows):
                put_row(last, number, row)
            self._last = last
        self.returns[:] = tree["returns"]
        self.lengths[:] = tree["lengths"]
        self.stages[:] = tree["stages"]
        self.stage = int(tree["stage"])
        return self._last

    def close(self) -> None:
        """Release the environments."""
        self.vector.close()


def put_row(arrays: Any, row: int, observation: Any) -> None:
    """Copy one observation into a row."""
    if isinstance(arrays, dict):
        for name, array in cast("dict[str, Any]", arrays).items():
            array[row] = observation[name]
    else:
        arrays[row] = observation


def episode_numbers(info: Mapping[str, Any], rows: NDArray[Any]) -> list[tuple[str, list[float]]]:
    """The numbers in the last infos of some environments; the ledger's terms as ``reward/<term>``."""
    numbers: list[tuple[str, list[float]]] = []
    for name, values in info.items():
        if name.startswith("_"):
            continue
        if isinstance(values, Mapping):
            prefix = "reward/" if name == "ledger" else f"{name}/"
            inner = episode_numbers(cast("Mapping[str, Any]", values), rows)
            numbers += [(prefix + each, column) for each, column in inner]
        elif is_number_row(values):
            numbers.append((name, values[rows].astype(np.float64).tolist()))
    return numbers


def is_number_row(values: Any) -> bool:
    """Whether something is an array with one number per environment."""
    return isinstance(values, np.ndarray) and values.ndim == 1 and cast("Any", values).dtype.kind in "bifu"


def recorded(creator: Callable[[], gymnasium.Env[Any, Any]]) -> EpisodeRecorder:
    """An environment that can be resumed."""
    return EpisodeRecorder(creator())


def gymnasium_vector(
    creator: Callable[[], gymnasium.Env[Any, Any]], num_envs: int, *, in_processes: bool
) -> VectorEnv[Any, Any, Any]:
    """Gymnasium's own vector of resumable environments, in this process or in one each."""
    creators = [functools.partial(recorded, creator)] * num_envs
    if in_processes:
        check_main_guard()
        return AsyncVectorEnv(creators, context="forkserver", autoreset_mode=AutoresetMode.SAME_STEP)
    return SyncVectorEnv(creators, autoreset_mode=AutoresetMode.SAME_STEP)


def resumable_creator(vector: VectorEnv[Any, Any, Any]) -> Callable[[], gymnasium.Env[Any, Any]] | None:
    """What makes one more environment of a vector that ``gymnasium_vector`` made; None for any other vector."""
    first: Any = next(
        iter(getattr(vector, "env_fns", ())), None
    )  # gymnasium.make_vec leaves a used-up generator
    return first if getattr(first, "func", None) is recorded else None
