"""Players: anything that chooses an action from public information."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from jimbot.errors import JimbotError, suggest
from jimbot.players.greedy_player import GreedyPlayer
from jimbot.players.random_player import RandomPlayer
from jimbot.players.scripted_player import ScriptedPlayer

if TYPE_CHECKING:
    from jimbot.balatro.game.actions import Action
    from jimbot.balatro.game.game import Game

__all__ = [
    "PLAYERS",
    "GreedyPlayer",
    "Player",
    "PlayerError",
    "RandomPlayer",
    "ScriptedPlayer",
    "create_player",
]


class Player(Protocol):
    """Chooses actions. A player makes the same choice in two runs with the same public view."""

    def choose(self, game: Game) -> Action:
        """Choose a legal action for a run that is not over, without changing the run."""
        ...


class PlayerError(JimbotError, ValueError):
    """Raised for an unknown player."""


PLAYERS = ("greedy", "random", "scripted")
"""Names ``create_player`` knows."""


def create_player(name: str, seed: int = 0) -> Player:
    """Create a player by name; ``seed`` seeds the random player."""
    if name == "greedy":
        return GreedyPlayer()
    if name == "random":
        return RandomPlayer(seed)
    if name == "scripted":
        return ScriptedPlayer()
    raise PlayerError(f"unknown player '{name}'; {suggest(name, PLAYERS)}")
