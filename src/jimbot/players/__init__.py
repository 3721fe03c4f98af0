"""Anything that picks an action: a ``Player`` looks at a run and chooses, from public information only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from jimbot.errors import JimbotError
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
    """Chooses actions. Two runs that look the same to a player get the same choice."""

    def choose(self, game: Game) -> Action:
        """A legal action of a run that is not over; the run is left as it is."""
        ...


class PlayerError(JimbotError, ValueError):
    """A player that does not exist."""


PLAYERS = ("greedy", "random", "scripted")
"""Names ``create_player`` knows."""


def create_player(name: str, seed: int = 0) -> Player:
    """A player by name; ``seed`` decides the choices of the random one."""
    if name == "greedy":
        return GreedyPlayer()
    if name == "random":
        return RandomPlayer(seed)
    if name == "scripted":
        return ScriptedPlayer()
    raise PlayerError(
        f"unknown player '{name}'; expected {', '.join(PLAYERS[:-1])} or {PLAYERS[-1]}, or the path of a policy"
    )
