"""Options of the Balatro environments: defaults, meanings and validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, cast

import numpy as np

from jimbot import _engine
from jimbot.balatro.env.option_checks import (
    EnvOptionError,
    check_bool,
    check_choice,
    check_integer,
    check_number,
    format_given,
    to_tuple,
)
from jimbot.balatro.game.game import Game, SnapshotError
from jimbot.errors import add_suggestion

__all__ = [
    "ACTION_MODES",
    "DEFAULT_CANDIDATES",
    "DIFFICULTIES",
    "LAST_ANTE",
    "EnvOptionError",
    "EnvOptions",
    "RewardWeights",
    "get_finishing_ante",
]

DIFFICULTIES: dict[str, dict[str, Any]] = {
    "easy": {"max_ante": 2, "stakes": (1,)},
    "medium": {"max_ante": 4, "stakes": (1,)},
    "hard": {"max_ante": 8, "stakes": (1,)},
}
"""Difficulties as settings: how far a run must get to be won, and the stakes unless they are given too. The rules of
the game are never softened."""

DEFAULT_CANDIDATES = 64
"""Candidates per step, unless another number is given."""

ACTION_MODES = ("slots", "candidates")

_LISTS: dict[str, tuple[tuple[type, ...], str]] = {
    "decks": ((str,), "the key of a deck such as 'b_red'"),
    "stakes": ((int, np.integer), "a stake, 1 (White) to 8 (Gold)"),
    "starts": ((bytes, bytearray, memoryview), "a snapshot of a run (Game.snapshot gives one)"),
}
"""Options that are one thing or several: the types of one, and what it is."""


MOST_STEPS = 2**31 - 1
LAST_ANTE = 39
"""The largest finishing ante."""


def get_finishing_ante(difficulty: str) -> int:
    """Return the finishing ante of a difficulty."""
    return int(DIFFICULTIES[check_choice("difficulty", difficulty, DIFFICULTIES)]["max_ante"])


@dataclass(frozen=True)
class RewardWeights:
    """Weights of the reward terms. The sum of each term is reported as ``ledger`` at the end of an episode."""

    blind: float = 1.0
    """For each blind cleared."""
    win: float = 5.0
    """When the boss of the last ante is beaten."""
    loss: float = 0.0
    """Subtracted when the run is lost."""
    progress: float = 1.0
    """Potential: the share of the target already scored."""
    money: float = 0.0
    """Potential: money held, up to $50."""

    def as_list(self) -> list[float]:
        """Return the weights in the engine's order; each must be a finite number."""
        return [check_number(f"rewards: {term}", getattr(self, term)) for term in _engine.reward_terms]


@dataclass(frozen=True)
class EnvOptions:
    """Options of the Balatro environments."""

    actions: str = "slots"
    """slots: every action index has one fixed meaning. candidates: the engine lists legal actions with features."""
    candidates: int = DEFAULT_CANDIDATES
    """How many actions are listed at most, if actions is candidates."""
    decks: tuple[str, ...] = ("b_red",)
    """Decks; one is drawn per episode."""
    stakes: tuple[int, ...] = (1,)
    """Stakes, 1 (White) to 8 (Gold); one is drawn per episode."""
    difficulty: str | None = None
    """easy, medium or hard: sets max_ante, and may not be combined with it; stakes are White's unless given."""
    max_ante: int = 8
    """The episode is won when the boss of this ante is beaten."""
    max_steps: int = 2_000
    """Steps after which an episode is cut off."""
    seeds: str = "training"
    """training or evaluation: two sets of seeds that never meet."""
    fast: bool = False
    """Draw from a fast generator with the same distributions instead of from the seed's streams."""
    discount: float = 1.0
    """The learner's discount, used by the potential terms of the reward."""
    rewards: RewardWeights = field(default_factory=RewardWeights)
    """Weights of the reward's terms."""
    starts: tuple[bytes, ...] = ()
    """Snapshots of runs (``Game.snapshot``) to start from instead of new runs."""
    start_chance: float = 1.0
    """How often an episode starts from one of them."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> EnvOptions:
        """Build options from keyword arguments; unknown or invalid ones are refused."""
        known = {each.name for each in fields(cls)}
        unknown = sorted(set(given) - known)
        if unknown:
            raise EnvOptionError(f"unknown option '{unknown[0]}'; expected one of {', '.join(sorted(known))}")
        values = dict(given)
        for name, (single, what) in _LISTS.items():
            if name in values:
                values[name] = to_tuple(name, values[name], single, what)
        if "rewards" in values:
            values["rewards"] = _parse_weights(values["rewards"])
        difficulty = values.get("difficulty")
        if difficulty is not None:
            settings = DIFFICULTIES[check_choice("difficulty", difficulty, DIFFICULTIES)]
            if "max_ante" in values:
                raise EnvOptionError("difficulty sets max_ante: give one or the other")
            values = settings | values
        if "candidates" in values and values.get("actions", "slots") != "candidates":
            raise EnvOptionError(
                "candidates is a number for actions='candidates': set that too, or leave it out"
            )
        options = cls(**values)
        options.check()
        return options

    @property
    def num_candidates(self) -> int:
        """Number of candidates in an observation; 0 with the fixed actions."""
        return self.candidates if self.actions == "candidates" else 0

    def check(self) -> None:
        """Raise if a value has the wrong type or is out of bounds."""
        check_choice("actions", self.actions, ACTION_MODES)
        check_integer("candidates", self.candidates, *_engine.candidate_limits)
        check_integer("max_ante", self.max_ante, 1, LAST_ANTE)
        check_integer("max_steps", self.max_steps, 1, MOST_STEPS)
        check_choice("seeds", self.seeds, ("training", "evaluation"))
        check_bool("fast", self.fast)
        check_number("discount", self.discount, 0, 1)
        check_number("start_chance", self.start_chance, 0, 1)
        if not self.decks or not self.stakes:
            raise EnvOptionError("at least one deck and one stake are needed")
        for deck in self.decks:
            if not isinstance(deck, str):  # pyright: ignore[reportUnnecessaryIsInstance]  callers may be untyped
                raise EnvOptionError(f"decks must be keys such as 'b_red', got {format_given(deck)}")
        for stake in self.stakes:
            check_integer("stakes: a stake", stake, 1, 8)
        try:
            _engine.VectorEnv(1, self.to_engine(), 1, 2)
        except ValueError as error:
            raise EnvOptionError(add_suggestion(str(error))) from None

    def to_engine(self) -> dict[str, Any]:
        """Return the options as a dict that the engine takes."""
        return {
            "decks": list(self.decks),
            "stakes": [int(stake) for stake in self.stakes],
            "starts": [self._start(number, snapshot) for number, snapshot in enumerate(self.starts)],
            "start_chance": float(self.start_chance),
            "candidates": int(self.num_candidates),
            "max_ante": int(self.max_ante),
            "max_steps": int(self.max_steps),
            "fast": bool(self.fast),
            "evaluation": self.seeds == "evaluation",
            "discount": float(self.discount),
            "weights": self.rewards.as_list(),
        }

    def _start(self, number: int, snapshot: Any) -> _engine.GameState:
        """Restore a start state, if an episode can still be won from there."""
        if not isinstance(snapshot, (bytes, bytearray, memoryview)):
            raise EnvOptionError(
                f"starts must be snapshots (Game.snapshot gives one), got {format_given(snapshot)}"
            )
        try:
            game = Game.restore(bytes(cast("Any", snapshot)))
        except SnapshotError as error:
            raise EnvOptionError(f"starts: number {number} is no snapshot of a run: {error}") from None
        if game.over:
            raise EnvOptionError(f"starts: number {number} is a run that is over already")
        if game.ante > self.max_ante:
            raise EnvOptionError(
                f"starts: number {number} is in ante {game.ante}, beyond max_ante {self.max_ante}: it cannot be won; "
                "raise max_ante or leave the start out"
            )
        return game.engine_state

    def with_max_ante(self, max_ante: int) -> EnvOptions:
        """Return the same options with another finishing ante."""
        changed = replace(self, max_ante=max_ante, difficulty=None)
        changed.check()
        return changed


def _parse_weights(given: Any) -> RewardWeights:
    if isinstance(given, RewardWeights):
        return given
    if not isinstance(given, Mapping):
        raise EnvOptionError(
            f"rewards must be weights by term ({', '.join(_engine.reward_terms)}), got {format_given(given)}"
        )
    weights = dict(cast("Mapping[Any, Any]", given))
    unknown = sorted(str(term) for term in weights if term not in _engine.reward_terms)
    if unknown:
        raise EnvOptionError(
            f"unknown reward term '{unknown[0]}'; expected {', '.join(_engine.reward_terms)}"
        )
    return RewardWeights(**weights)
