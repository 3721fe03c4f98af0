"""The random player: draws a kind of action uniformly, then an action of that kind."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from jimbot.balatro.game.actions import Action, ActionKind

if TYPE_CHECKING:
    from jimbot.balatro.game.game import Game

__all__ = ["RandomPlayer"]

IDLE_KINDS = frozenset({ActionKind.MOVE_JOKER, ActionKind.MOVE_CARD, ActionKind.SORT_HAND})
"""What changes nothing but an order; a random player would do little else."""


class RandomPlayer:
    """Chooses at random; the same seed makes the same choices."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = random.Random(seed)

    def choose(self, game: Game) -> Action:
        """Choose a random legal action other than a reordering."""
        actions = [action for action in game.legal_actions() if action.kind not in IDLE_KINDS]
        kind = self._rng.choice(sorted({action.kind for action in actions}))
        return self._rng.choice([action for action in actions if action.kind == kind])
