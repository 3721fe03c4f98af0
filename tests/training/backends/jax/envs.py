"""Small environments that tests collect from."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

LENGTH = 6


class Corridor(gymnasium.Env[Any, Any]):
    """Walk right to the end. Of three actions (left, right, jump) jumping is legal on even places only.

    The reward is 1 at the end, where the episode terminates; after 10 steps it is truncated. An illegal action raises.
    Actions are numbered from 5, to show that a space's start is honoured.
    """

    def __init__(self) -> None:
        self.observation_space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(0, 1, (LENGTH,), np.float64),
                "action_mask": gymnasium.spaces.MultiBinary(3),
            }
        )
        self.action_space = gymnasium.spaces.Discrete(3, start=5)
        self.place, self.steps = 0, 0

    def look(self) -> dict[str, Any]:
        """One-hot place, and what is legal there."""
        mask = np.array([self.place > 0, True, self.place % 2 == 0], np.int8)
        return {"observation": np.eye(LENGTH)[self.place], "action_mask": mask}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """At a random place of the first half."""
        super().reset(seed=seed, options=options)
        self.place, self.steps = int(self.np_random.integers(3)), 0
        return self.look(), {}

    def step(self, action: Any) -> Any:
        """Left, right, or two to the right."""
        move = int(action) - 5
        if not self.look()["action_mask"][move]:
            raise ValueError(f"action {move} is illegal at {self.place}")
        self.place = min(self.place + (-1, 1, 2)[move], LENGTH - 1)
        self.steps += 1
        terminated = self.place == LENGTH - 1
        return self.look(), float(terminated), terminated, self.steps >= 10 and not terminated, {}
