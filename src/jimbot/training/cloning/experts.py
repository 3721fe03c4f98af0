"""Whoever shows how it is done, as something that gives labels: an index for every state of an environment.

An expert is a player's name, the path of a saved policy, a player (``choose(game)``), or a function of the observation.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from jimbot.balatro.game.actions import Action, ActionKind
from jimbot.players import PLAYERS, Player, create_player
from jimbot.training.cloning.action_labels import (
    REORDERINGS,
    Expression,
    express_as_candidate,
    express_as_slots,
    slot_index,
    slot_kinds,
)
from jimbot.training.cloning.episode_sources import inner_balatro
from jimbot.training.cloning.trajectories import NOT_A_LABEL, CloningError

if TYPE_CHECKING:
    from collections.abc import Callable

    import gymnasium

    from jimbot.balatro.env.single import BalatroEnv
    from jimbot.balatro.game.game import Game

__all__ = ["Advice", "Expert", "Teacher", "create_teacher", "decision_kinds"]

Expert = "str | Path | Player | Callable[[Any], Any]"
"""What ``create_teacher`` takes."""

MOST_MOVES = 16
"""Reorderings in a row that a player is followed through."""
WAITING = (ActionKind.USE_CONSUMABLE, ActionKind.BUY_AND_USE, ActionKind.PICK_CARD)


@dataclass(frozen=True)
class Advice:
    """What an expert would do.

    Attributes:
        indices: step by step; the first is the label of the present state. Empty if the environment has no such action.
        exact: whether they do just what the expert chose.
    """

    indices: tuple[int, ...]
    exact: bool = True

    @property
    def label(self) -> int:
        """The index for now; -1 if there is none."""
        return self.indices[0] if self.indices else NOT_A_LABEL


class Teacher(Protocol):
    """Gives advice on the present state of an environment."""

    def begin(self) -> None:
        """An episode starts."""
        ...

    def advise(self, observation: Any) -> Advice:
        """What the expert would do now."""
        ...

    def see(self, index: int) -> None:
        """An index was taken, by whomever."""
        ...


class FunctionTeacher:
    """A function of the observation."""

    def __init__(self, choose: Callable[[Any], Any]) -> None:
        self.choose = choose

    def begin(self) -> None:
        """Nothing to do."""

    def advise(self, observation: Any) -> Advice:
        """What the function gives."""
        return Advice((int(np.asarray(self.choose(observation)).item()),))

    def see(self, index: int) -> None:
        """Nothing to do."""


class PlayerTeacher:
    """A player of Balatro, its actions expressed in the environment's own."""

    def __init__(self, player: Player, env: BalatroEnv) -> None:
        self.player, self.env = player, env
        self.listed = bool(env.options.num_candidates)
        self._pending: tuple[ActionKind, int] | None = None
        self._waiting = waiting_slots()

    def begin(self) -> None:
        """Nothing waits for its targets."""
        self._pending = None

    def advise(self, observation: Any) -> Advice:
        """The player's choice."""
        del observation
        game = self.env.game()
        expression = self._as_candidate(game) if self.listed else self._as_slots(game)
        return Advice(expression.indices, expression.exact)

    def _as_slots(self, game: Game) -> Expression:
        return express_as_slots(self.player.choose(game), len(game.hand), self._pending)

    def _as_candidate(self, game: Game) -> Expression:
        """Reorderings that no candidate does are left out: what counts is what the player does after them."""
        candidates = self.env.candidate_actions()
        ahead, moves = game, list[Action]()
        jokers = list(range(len(game.jokers)))
        action = self.player.choose(ahead)
        while action.kind in REORDERINGS and len(moves) < MOST_MOVES:
            found = next((i for i, each in enumerate(candidates) if each == (*moves, action)), None)
            if found is not None:
                return Expression((found,))
            if action.kind is ActionKind.MOVE_JOKER:
                jokers.insert(action.to, jokers.pop(action.position))
            ahead = ahead.clone()
            ahead.step(action)
            moves.append(action)
            action = self.player.choose(ahead)
        whole = next((i for i, each in enumerate(candidates) if each == (*moves, action)), None)
        if whole is not None:
            return Expression((whole,))
        if any(move.kind is not ActionKind.MOVE_JOKER for move in moves) and action.cards:
            return Expression()  # its positions are those of another order of the hand
        if action.kind is ActionKind.SELL_JOKER:
            action = Action.sell_joker(jokers[action.position])
        found = express_as_candidate(action, candidates, game)
        return Expression(found.indices, exact=found.exact and not moves)

    def see(self, index: int) -> None:
        """Remember what waits for its targets."""
        if self.listed:
            return
        if slot_kinds()[index] != "bring to the front hand card":
            waits = self.env.target_pending()
            self._pending = self._waiting.get(index) if waits else None


def waiting_slots() -> dict[int, tuple[ActionKind, int]]:
    """Kind and position of the consumables that the fixed actions choose, by index."""
    from jimbot.training.cloning.action_labels import NUMBERED

    found: dict[int, tuple[ActionKind, int]] = {}
    for kind in WAITING:
        for meaning, index in slot_index().items():
            words, _, number = meaning.rpartition(" ")
            if words == NUMBERED[kind]:
                found[index] = (kind, int(number))
    return found


def create_teacher(expert: Any, env: gymnasium.Env[Any, Any]) -> Teacher:
    """The teacher that an expert is in an environment."""
    if isinstance(expert, str) and expert in PLAYERS:
        return PlayerTeacher(create_player(expert), required_balatro(env, expert))
    if isinstance(expert, (str, Path)):
        return FunctionTeacher(policy_function(Path(expert)))
    if hasattr(expert, "choose"):
        return PlayerTeacher(cast("Player", expert), required_balatro(env, type(expert).__name__))
    if callable(expert):
        return FunctionTeacher(cast("Callable[[Any], Any]", expert))
    raise CloningError(
        f"an expert is a player's name ({', '.join(PLAYERS)}), the path of a policy, a player or a function of the "
        f"observation, got {type(expert).__name__}"
    )


def required_balatro(env: gymnasium.Env[Any, Any], who: str) -> BalatroEnv:
    """The Balatro environment a player needs."""
    inner = inner_balatro(env)
    if inner is None:
        raise CloningError(
            f"{who} plays Balatro, and the environment is {type(env.unwrapped).__name__}; give the path of a saved "
            "policy or a function of the observation"
        )
    return inner


def policy_function(path: Path) -> Callable[[Any], int]:
    """A saved policy as a function of one observation."""
    from jimbot.players.batch_policy import NetworkPolicy
    from jimbot.training.runs.opening import find_policy

    if not path.exists():
        raise CloningError(
            f"there is no expert {str(path)!r}: neither a player ({', '.join(PLAYERS)}) nor the path of a policy"
        )
    policy = NetworkPolicy(find_policy(path))

    def choose(observation: Any) -> int:
        if isinstance(observation, dict):
            parts = cast("dict[str, Any]", observation)
            batch: Any = {name: np.asarray(part)[None] for name, part in parts.items()}
        else:
            batch = np.asarray(observation)[None]
        return int(policy(batch)[0])

    return choose


def decision_kinds(env: gymnasium.Env[Any, Any]) -> tuple[tuple[str, ...], Callable[[Any, int], int]]:
    """Names of the kinds of decisions in an environment, and the number of a decision's kind from what was seen.

    Balatro's are those of its actions; elsewhere every index is a kind of its own (up to 255 of them).
    """
    inner = inner_balatro(env)
    if inner is None:
        count = int(cast("Any", env.action_space).n)
        names = tuple(f"action {index}" for index in range(min(count, 255)))
        return names, lambda _, index: min(index, len(names) - 1)
    if inner.options.num_candidates:
        count = len(ActionKind)
        names = tuple(kind.name.lower() for kind in ActionKind)
        return names, lambda observation, index: int(observation["candidates"][index][:count].argmax())
    kinds = slot_kinds()
    names = tuple(dict.fromkeys(kinds))
    numbers = [names.index(kind) for kind in kinds]
    return names, lambda _, index: numbers[index]
