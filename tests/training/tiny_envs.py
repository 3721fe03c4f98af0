"""Small environments in which it is known what should be learned."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np


class MaskedBandit(gymnasium.Env):
    """One step; of many actions a few are legal, and the legal one of the highest index pays 1.

    An illegal action raises, so whoever trains on it proves its masks.
    """

    def __init__(self, actions: int = 20, legal: int = 5) -> None:
        self.actions, self.legal = actions, legal
        self.action_space = gymnasium.spaces.Discrete(actions)
        self.observation_space = gymnasium.spaces.Dict(
            {
                "seen": gymnasium.spaces.Box(0, 1, (actions,), np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.uint8),
            }
        )

    def _observation(self) -> dict[str, Any]:
        return {"seen": self.mask.astype(np.float32), "action_mask": self.mask.copy()}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        self.mask = np.zeros(self.actions, np.uint8)
        self.mask[self.np_random.choice(self.actions, self.legal, replace=False)] = 1
        return self._observation(), {}

    def step(self, action: Any):
        if not self.mask[action]:
            raise AssertionError(f"illegal action {action}")
        paid = float(action == np.flatnonzero(self.mask).max())
        self.mask = np.zeros(self.actions, np.uint8)  # nothing is legal after the end
        return self._observation(), paid, True, False, {"won": paid > 0}


class Identity(gymnasium.Env):
    """Eight steps; the action equal to the number seen pays 1."""

    def __init__(self, numbers: int = 4) -> None:
        self.numbers = numbers
        self.observation_space = gymnasium.spaces.Discrete(numbers)
        self.action_space = gymnasium.spaces.Discrete(numbers)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        self.steps = 0
        self.number = int(self.np_random.integers(self.numbers))
        return self.number, {}

    def step(self, action: Any):
        paid = float(int(action) == self.number)
        self.steps += 1
        self.number = int(self.np_random.integers(self.numbers))
        return self.number, paid, self.steps == 8, False, {}


class Ladder(gymnasium.Env):
    """Has a finishing ante: a run is won in as many steps as the ante, if the action is always 1."""

    def __init__(self) -> None:
        self.observation_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(2)
        self.max_ante = 8
        self.asked: list[int] = []

    def set_max_ante(self, max_ante: int) -> None:
        self.max_ante = max_ante

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        self.goal, self.steps = self.max_ante, 0
        self.asked.append(self.goal)
        return np.zeros(1, np.float32), {}

    def step(self, action: Any):
        self.steps += 1
        lost, won = int(action) == 0, self.steps >= self.goal
        info = {"won": won and not lost, "ante": self.steps, "goal": self.goal} if lost or won else {}
        return np.zeros(1, np.float32), float(won and not lost), lost or won, False, info


class Drifting(gymnasium.Env):
    """Not determined by its seed: what every training environment should not be."""

    drift = 0

    def __init__(self) -> None:
        self.observation_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        Drifting.drift += 1
        self.left = 50 if Drifting.drift <= 4 else 1
        return np.zeros(1, np.float32), {}

    def step(self, action: Any):
        self.left -= 1
        return np.zeros(1, np.float32), 0.0, self.left <= 0, False, {}


class Ending(gymnasium.Env):
    """Three steps of reward 1; then an end of the given kind. The last observation is -1."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.observation_space = gymnasium.spaces.Box(-1, 3, (1,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        """Start over."""
        super().reset(seed=seed)
        self.step_number = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        """One step, whatever the action."""
        self.step_number += 1
        over = self.step_number == 3
        seen = np.array([-1 if over else self.step_number], np.float32)
        return seen, 1.0, over and "terminated" in self.kind, over and "truncated" in self.kind, {}
