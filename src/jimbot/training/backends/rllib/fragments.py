"""Steps of many environments in one array per kind, and the episodes RLlib learns from cut out of them."""

# The library is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from jimbot.training.envs.packing import Packing
    from jimbot.training.envs.protocol import Step

__all__ = ["Fragment"]

NO_INFO: dict[str, Any] = {}


class Fragment:
    """``steps`` steps of ``num_envs`` environments.

    Observations are packed blocks ``[steps + 1, num_envs, width]``; the last row is what the environments are at.
    """

    def __init__(self, packing: Packing, num_envs: int, steps: int) -> None:
        self.packing = packing
        self.num_envs, self.steps = num_envs, steps
        flat = packing.empty((steps + 1) * num_envs)
        self.blocks = {name: block.reshape(steps + 1, num_envs, -1) for name, block in flat.items()}
        self.actions = np.zeros((steps, num_envs), np.int64)
        self.rewards = np.zeros((steps, num_envs), np.float32)
        self.terminated = np.zeros((steps, num_envs), np.bool_)
        self.ended = np.zeros((steps, num_envs), np.bool_)
        self.about: dict[str, NDArray[Any]] = {}
        self.last: dict[tuple[int, int], dict[str, NDArray[Any]]] = {}
        self._final = packing.empty(num_envs)

    def see(self, number: int, observation: Any) -> dict[str, NDArray[Any]]:
        """Pack what the environments show before step ``number``; its blocks."""
        blocks = {name: block[number] for name, block in self.blocks.items()}
        self.packing.pack(observation, blocks)
        return blocks

    def choose(self, number: int, actions: NDArray[Any], about: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        """Note the actions of step ``number`` and what is to be remembered about them."""
        self.actions[number] = actions
        for name, values in about.items():
            if name not in self.about:
                self.about[name] = np.zeros((self.steps, *values.shape), values.dtype)
            self.about[name][number] = values
        return actions

    def put(self, number: int, step: Step) -> None:
        """Note what step ``number`` gave."""
        self.rewards[number] = step.rewards
        self.terminated[number] = step.terminated
        self.ended[number] = step.terminated | step.truncated
        if step.final is not None:
            self.packing.pack(step.final, self._final)
            for row in np.flatnonzero(self.ended[number]):
                self.last[number, int(row)] = {name: block[row].copy() for name, block in self._final.items()}

    def cut(self, unfinished: Mapping[int, Any]) -> tuple[list[Any], dict[int, Any]]:
        """All steps as episodes: those that ended, and by environment those that are cut where the fragment is.

        Args:
            unfinished: episodes by environment that go on with this fragment.
        """
        whole: list[Any] = []
        open_ones: dict[int, Any] = {}
        for row in range(self.num_envs):
            before = unfinished.get(row)
            start = 0
            for stop in map(int, np.flatnonzero(self.ended[:, row]) + 1):
                whole.append(self._episode(row, start, stop, before))
                before, start = None, stop
            if start < self.steps:
                open_ones[row] = self._episode(row, start, self.steps, before)
        return whole, open_ones

    def _episode(self, row: int, start: int, stop: int, before: Any) -> Any:
        over = bool(self.ended[stop - 1, row])
        terminated = bool(self.terminated[stop - 1, row])
        if over:
            last = self.last[stop - 1, row]
            seen = {
                name: np.concatenate([block[start:stop, row], last[name][None]])
                for name, block in self.blocks.items()
            }
        else:
            seen = {name: block[start : stop + 1, row].copy() for name, block in self.blocks.items()}
        parts: dict[str, Any] = {
            "actions": self.actions[start:stop, row].copy(),
            "rewards": self.rewards[start:stop, row].copy(),
        }
        about = {name: values[start:stop, row].copy() for name, values in self.about.items()}
        if before is not None:
            seen = {
                name: np.concatenate([before.observations.data[name][:-1], block])
                for name, block in seen.items()
            }
            parts = {
                name: np.concatenate([getattr(before, name).data, values]) for name, values in parts.items()
            }
            about = {
                name: np.concatenate([before.extra_model_outputs[name].data, values])
                for name, values in about.items()
            }
        buffers: dict[str, Any] = {name: InfiniteLookbackBuffer(values) for name, values in parts.items()}
        return SingleAgentEpisode(
            observations=InfiniteLookbackBuffer(seen),  # pyright: ignore[reportArgumentType]
            infos=InfiniteLookbackBuffer([NO_INFO] * (len(parts["rewards"]) + 1)),
            terminated=terminated,
            truncated=over and not terminated,
            extra_model_outputs={name: InfiniteLookbackBuffer(values) for name, values in about.items()},
            t_started=0,
            len_lookback_buffer=0,
            **buffers,
        )
