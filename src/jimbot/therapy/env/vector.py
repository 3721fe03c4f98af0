"""A Gymnasium vector environment with many clients in one batch.

``reset`` and ``step`` return arrays that the next step writes anew: copy what you keep. Client ``i`` of
``reset(seed=s)`` lives through exactly what a single environment does after ``reset(seed=s + i)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from jimbot.therapy.env.observations import ObservationArrays, action_space, observation_space
from jimbot.therapy.env.options import TherapyOptions
from jimbot.therapy.env.snapshots import (
    clients_from_arrays,
    clients_to_arrays,
    pack,
    restore_generator,
    unpack,
)
from jimbot.therapy.model.clients import ClientBatch
from jimbot.therapy.model.episodes import EpisodeSource, check_episode_seed
from jimbot.therapy.model.patterns import PATTERNS, check_pattern
from jimbot.therapy.model.utilities import TherapyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["TherapyVectorEnv"]

_PATTERN_NAMES = np.array(PATTERNS, dtype=object)


class TherapyVectorEnv(VectorEnv[Any, Any, Any]):
    """A vector of ``num_envs`` therapies. Options are those of ``TherapyOptions``.

    Where an episode ends, the next one begins in the same step: observations and ``infos`` are already those of the new
    client, the last ones of the old client stand in ``infos["final_obs"]`` and ``infos["final_info"]``.

    Attributes:
        options: the options, checked.
        clients: the clients, for players that read minds and for looking at them.
    """

    def __init__(self, num_envs: int = 1, *, threads: int = 1, **options: Any) -> None:
        if threads != 1:
            raise TherapyError(f"clients are simulated in one thread, got threads {threads}; set it to 1")
        options.pop("render_mode", None)
        self.options = TherapyOptions.of(options)
        self.clients = ClientBatch(self.options, num_envs)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.single_observation_space = observation_space(omniscient=self.options.omniscient)
        actions = action_space()
        self.single_action_space = actions
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(actions, num_envs)
        self._source = EpisodeSource(self.options)
        self._observations = ObservationArrays(self.clients)
        self._final = {name: each.copy() for name, each in self._observations.arrays.items()}
        self._rngs: list[np.random.Generator | None] = [None] * num_envs
        self._everyone = np.arange(num_envs)
        self._actions, self._shown = np.zeros(num_envs, np.int64), np.zeros(num_envs, np.int64)
        self._rewards = np.zeros(num_envs)
        self._terminated, self._truncated = np.zeros(num_envs, np.bool_), np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new episodes. ``seed`` is one number, or one for each client.

        ``options={"episode_seed": [...]}`` chooses the clients themselves, ``options={"pattern": "cold_warm"}`` their
        biography.
        """
        seeds: list[int | None]
        if seed is None:
            seeds = [None] * self.num_envs
        else:
            seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed)
        if len(seeds) != self.num_envs:
            raise TherapyError(f"expected {self.num_envs} seeds, got {len(seeds)}")
        for i, each in enumerate(seeds):
            if each is not None or self._rngs[i] is None:
                self._rngs[i] = np.random.default_rng(each)
        self._begin(self._everyone, dict(options or {}))
        self._observations.refresh()
        return self._observations.arrays, self._beginnings()

    def _begin(self, indices: NDArray[np.int64], given: dict[str, Any]) -> None:
        """Start new episodes at these indices, drawn from their own generators."""
        places: list[int] = indices.tolist()
        drawn = [self._source.draw(rng) for i in places if (rng := self._rngs[i]) is not None]
        patterns, seeds = [pattern for pattern, _ in drawn], [seed for _, seed in drawn]
        unknown = sorted(set(given) - {"pattern", "episode_seed"})
        if unknown:
            raise TherapyError(f"unknown reset option '{unknown[0]}'; expected pattern or episode_seed")
        if "pattern" in given:
            patterns = [check_pattern(given["pattern"])] * len(indices)
        if "episode_seed" in given:
            seeds = [check_episode_seed(seed) for seed in given["episode_seed"]]
            if len(seeds) != len(indices):
                raise TherapyError(f"expected {len(indices)} episode seeds, got {len(seeds)}")
        self.clients.begin(indices, self._source.make(patterns, seeds))
        self._observations.begin(indices)

    def _beginnings(self) -> dict[str, Any]:
        clients = self.clients
        return {
            "pattern": _PATTERN_NAMES[clients.pattern],
            "entropy": np.full(self.num_envs, self.options.entropy),
            "rs_threshold": clients.rs_threshold,
            "initial_rs": clients.initial_rs,
            "initial_bond": clients.initial_bond,
            "episode_seed": clients.episode_seed,
        }

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take one action (an octant) per client."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise TherapyError(
                f"expected {self.num_envs} whole numbers, got {given.dtype}{list(given.shape)}"
            )
        if given.min() < 0 or given.max() > 7:
            raise TherapyError("an action is an octant, a whole number 0 to 7")
        if self._rngs[0] is None:
            raise TherapyError("there are no clients; call reset")
        clients = self.clients
        np.copyto(self._actions, given, casting="unsafe")
        np.copyto(self._shown, clients.action)
        self._observations.record(self._shown, self._actions)
        clients.advance(self._actions)
        np.copyto(self._rewards, clients.reward)
        np.logical_or(clients.success, clients.dropped_out, out=self._terminated)
        np.copyto(self._truncated, clients.timed_out)
        self._observations.refresh()
        infos = self._replace_ended() if clients.ended.any() else {}
        infos |= {"session": clients.sessions, "rs": clients.rs, "bond": clients.bond}
        return self._observations.arrays, self._rewards, self._terminated, self._truncated, infos

    def _replace_ended(self) -> dict[str, Any]:
        """Save the final data of finished episodes and start new ones in their place."""
        clients = self.clients
        ended = clients.ended.copy()
        indices = np.flatnonzero(ended)
        for name, values in self._observations.arrays.items():
            self._final[name][indices] = values[indices]
        final_info: dict[str, Any] = self._beginnings() | {
            "session": clients.sessions,
            "rs": clients.rs,
            "bond": clients.bond,
            "client_action": self._shown,
            "therapist_action": self._actions,
            "perceived_action": clients.last_perceived,
            "success": clients.success,
            "dropped_out": clients.dropped_out,
            "max_reached": clients.sessions >= self.options.max_sessions,
            "misperceptions": clients.misperceived,
            "accurate_perceptions": clients.accurate,
            "distortion_rate": clients.distortion_rate(),
        }
        infos = {
            "final_info": {name: values.copy() for name, values in final_info.items()},
            "_final_info": ended,
            "final_obs": self._final,
            "_final_obs": ended,
        }
        self._begin(indices, {})
        self._observations.refresh()
        return infos

    def observations(self) -> Any:
        """Return the current observations: arrays that the next step overwrites."""
        return self._observations.arrays

    def snapshot(self) -> bytes:
        """Serialize everything that determines later steps and resets."""
        arrays = clients_to_arrays(self.clients) | {"history": self._observations.history}
        return pack("vector", self.options.as_json(), self._rngs, arrays)

    def restore(self, snapshot: bytes) -> Any:
        """Restore a snapshot of an environment with the same options; returns its observations."""
        header, arrays = unpack("vector", self.options.as_json(), self.num_envs, snapshot)
        clients_from_arrays(self.clients, arrays)
        np.copyto(self._observations.history, arrays["history"])
        self._rngs = [None if state is None else restore_generator(state) for state in header["rngs"]]
        self._observations.refresh()
        return self._observations.arrays
