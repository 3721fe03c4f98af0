"""One client as a Gymnasium environment: ``gymnasium.make("jimbot/Therapy-v0")``."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

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
from jimbot.therapy.model.episodes import EpisodeSource
from jimbot.therapy.model.patterns import PATTERNS
from jimbot.therapy.model.utilities import TherapyError

__all__ = ["TherapyEnv"]

_FIRST = np.zeros(1, np.int64)


class TherapyEnv(gymnasium.Env[Any, Any]):
    """A therapy with one client per episode. Options are those of ``TherapyOptions``.

    Attributes:
        options: the options, checked.
        clients: the client, as a batch of one.
    """

    metadata = {"render_modes": []}  # noqa: RUF012  as Gymnasium declares it

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        if render_mode is not None:
            raise TherapyError(f"unknown render_mode '{render_mode}'; therapy has nothing to render")
        self.render_mode = None
        self.options = TherapyOptions.of(options)
        self.observation_space = observation_space(omniscient=self.options.omniscient)
        self.action_space = action_space()
        self.clients = ClientBatch(self.options, 1)
        self._observations = ObservationArrays(self.clients)
        self._source = EpisodeSource(self.options)
        self._action = np.zeros(1, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode with a new client.

        ``options={"episode_seed": 7}`` chooses the client itself, ``options={"pattern": "cold_warm"}`` its biography.
        """
        super().reset(seed=seed)
        pattern, episode_seed = self._source.draw_or_take(self.np_random, options)
        self.clients.begin(_FIRST, self._source.make([pattern], [episode_seed]))
        self._observations.begin(_FIRST)
        clients = self.clients
        info = {
            "pattern": pattern,
            "entropy": self.options.entropy,
            "rs_threshold": float(clients.rs_threshold[0]),
            "initial_rs": float(clients.initial_rs[0]),
            "initial_bond": float(clients.initial_bond[0]),
            "episode_seed": episode_seed,
        }
        return self._observation(), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take an action (an octant)."""
        octant = int(action)
        if octant != action or not 0 <= octant < 8:
            raise TherapyError(f"an action is an octant, a whole number 0 to 7, got {action!r}")
        clients = self.clients
        if clients.ended[0]:
            raise TherapyError("there is no client; call reset")
        self._action[0] = octant
        shown = clients.action.copy()
        self._observations.record(shown, self._action)
        clients.advance(self._action)
        terminated = bool(clients.success[0] or clients.dropped_out[0])
        truncated = bool(clients.timed_out[0])
        info = self._info(int(shown[0]), octant)
        return self._observation(), float(clients.reward[0]), terminated, truncated, info

    def _observation(self) -> dict[str, Any]:
        self._observations.refresh()
        return {
            name: values[0].copy() if values.ndim > 1 else values[0]
            for name, values in self._observations.arrays.items()
        }

    def _info(self, shown: int, answered: int) -> dict[str, Any]:
        clients = self.clients
        info: dict[str, Any] = {
            "session": int(clients.sessions[0]),
            "rs": float(clients.rs[0]),
            "bond": float(clients.bond[0]),
            "client_action": shown,
            "therapist_action": answered,
            "success": bool(clients.success[0]),
            "dropped_out": bool(clients.dropped_out[0]),
            "max_reached": bool(clients.sessions[0] >= self.options.max_sessions),
        }
        if self.options.enable_parataxic:
            info |= {
                "perceived_action": int(clients.last_perceived[0]),
                "misperceptions": int(clients.misperceived[0]),
                "accurate_perceptions": int(clients.accurate[0]),
                "distortion_rate": float(clients.distortion_rate()[0]),
            }
        return info

    @property
    def pattern(self) -> str:
        """The pattern of the client's biography."""
        return PATTERNS[int(self.clients.pattern[0])]

    def snapshot(self) -> bytes:
        """Serialize everything that determines later steps and resets."""
        arrays = clients_to_arrays(self.clients) | {"history": self._observations.history}
        return pack("single", self.options.as_json(), [self.np_random], arrays)

    def restore(self, snapshot: bytes) -> Any:
        """Restore a snapshot of an environment with the same options; returns its observation."""
        header, arrays = unpack("single", self.options.as_json(), 1, snapshot)
        clients_from_arrays(self.clients, arrays)
        np.copyto(self._observations.history, arrays["history"])
        self.np_random = restore_generator(header["rngs"][0])
        return self._observation()
