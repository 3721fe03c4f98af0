"""A native vector that keeps the replays of its first episodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from jimbot.balatro.game.replay import Replay

__all__ = ["WatchedVector"]


class WatchedVector:
    """A native vector whose first episode at every place is remembered when it ends."""

    def __init__(self, vector: Any) -> None:
        self.vector = vector
        self.num_envs: int = vector.num_envs
        self.replays: dict[int, Replay] = {}
        self.playing = np.ones(self.num_envs, np.bool_)

    def reset(self, **named: Any) -> Any:
        """Start all games."""
        return self.vector.reset(**named)

    def step(self, actions: Any) -> Any:
        """Step all games."""
        result = self.vector.step(actions)
        ended = (result[2] | result[3]) & self.playing
        if ended.any() and hasattr(self.vector, "replay"):
            for row in np.flatnonzero(ended):
                replay = self.vector.replay(int(row))
                if replay is not None:
                    self.replays[int(row)] = replay
        self.playing &= ~ended
        return result

    def close(self) -> None:
        """Let the games go."""
        self.vector.close()
