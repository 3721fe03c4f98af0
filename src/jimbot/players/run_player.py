"""A trained policy as a player: it sees a run through the environment it was trained in."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.balatro.env.options import LAST_ANTE
from jimbot.balatro.env.single import BalatroEnv
from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from jimbot.balatro.game.actions import Action
    from jimbot.balatro.game.game import Game

__all__ = ["TrainedPlayer", "TrainedPlayerError"]

MOST_CHOICES = 100
"""Choices in a row that may come to nothing, such as a card that is chosen and given up, before a player is stuck."""
MOST_STEPS = 1_000_000


class TrainedPlayerError(JimbotError, ValueError):
    """Raised when a policy makes no progress in a run."""


class TrainedPlayer:
    """Plays runs with a policy.

    A choice of the policy may be several actions of a run (a move and the play it serves), or none yet (a card that
    waits for its targets); they are given one after the other.

    Args:
        policy: actions, int[batch], for observations by name, batch first.
        options: of ``BalatroEnv``, as far as they decide what the policy sees and chooses: ``actions``, ``candidates``.
    """

    def __init__(self, policy: Callable[[Any], NDArray[Any]], **options: Any) -> None:
        self.policy = policy
        self.options = options
        self._env: BalatroEnv | None = None
        self._queue: deque[Action] = deque()
        self._expected = 0
        """Hash of the run that the next action is for."""

    def choose(self, game: Game) -> Action:
        """Choose the policy's next action. If the run is not where the last action led, the policy observes it anew."""
        if game.hash != self._expected:
            self._queue.clear()
        if not self._queue:
            self._queue.extend(self._choices(game))
        action = self._queue.popleft()
        ahead = game.clone()
        ahead.step(action)
        self._expected = ahead.hash
        return action

    def _choices(self, game: Game) -> list[Action]:
        """Query the policy until a choice does something, and return its actions."""
        env = self._env
        if env is None or env.game().hash != game.hash:
            env = self._env = self._create_env(game)
        observation, before = env.observation(), len(env.actions_taken())
        for _ in range(MOST_CHOICES):
            batch = {name: np.asarray(part)[None] for name, part in observation.items()}
            observation, *_ = env.step(int(self.policy(batch)[0]))
            new = env.actions_taken()[before:]
            if new:
                return new
        raise TrainedPlayerError(
            f"the policy chose {MOST_CHOICES} times without doing anything in ante {game.ante}; it needs more training"
        )

    def _create_env(self, game: Game) -> BalatroEnv:
        """Create an environment that starts at the run's state."""
        env = BalatroEnv(starts=(game.snapshot(),), max_steps=MOST_STEPS, max_ante=LAST_ANTE, **self.options)
        env.reset(seed=0)
        return env
