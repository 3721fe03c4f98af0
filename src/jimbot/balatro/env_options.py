"""What an environment is made of: its options, their meaning and their checks."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from jimbot import _engine
from jimbot.balatro.game import Game
from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from collections.abc import Mapping

DIFFICULTIES: dict[str, dict[str, Any]] = {
    "easy": {"max_ante": 2},
    "medium": {"max_ante": 4},
    "hard": {"max_ante": 8},
}
"""Difficulties as settings: how far a run must get to be won. The rules of the game are never softened."""


DEFAULT_CANDIDATES = 64
"""Candidates per step, unless another number is given."""

ACTION_MODES = ("slots", "candidates")


class EnvOptionError(JimbotError, ValueError):
    """An option that an environment cannot have."""


def finishing_ante(difficulty: str) -> int:
    """The ante whose boss must be beaten at a difficulty."""
    if difficulty not in DIFFICULTIES:
        raise EnvOptionError(f"unknown difficulty '{difficulty}'; expected {', '.join(DIFFICULTIES)}")
    return int(DIFFICULTIES[difficulty]["max_ante"])


@dataclass(frozen=True)
class RewardWeights:
    """Weights of the reward's terms; a ledger of each term's sum is told at the end of an episode."""

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
        """The weights in the engine's order."""
        return [float(getattr(self, term)) for term in _engine.reward_terms]


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
    """easy, medium or hard: sets max_ante, and may not be combined with it."""
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
        """Options from keyword arguments; an unknown or impossible one is refused."""
        known = {each.name for each in fields(cls)}
        unknown = sorted(set(given) - known)
        if unknown:
            raise EnvOptionError(f"unknown option '{unknown[0]}'; expected one of {', '.join(sorted(known))}")
        values = dict(given)
        for name in ("decks", "stakes", "starts"):
            if isinstance(values.get(name), (str, int, bytes)):
                values[name] = (values[name],)
            elif name in values:
                values[name] = tuple(values[name])
        if isinstance(values.get("rewards"), dict):
            values["rewards"] = _weights(values["rewards"])
        difficulty = values.get("difficulty")
        if difficulty is not None:
            finishing_ante(difficulty)  # an unknown one is refused
            both = sorted(set(DIFFICULTIES[difficulty]) & set(values))
            if both:
                raise EnvOptionError(f"difficulty sets {both[0]}: give one or the other")
            values |= DIFFICULTIES[difficulty]
        if "candidates" in values and values.get("actions", "slots") != "candidates":
            raise EnvOptionError(
                "candidates is a number for actions='candidates': set that too, or leave it out"
            )
        options = cls(**values)
        options.check()
        return options

    @property
    def listed(self) -> int:
        """How many candidates an observation holds; 0 with the fixed actions."""
        return self.candidates if self.actions == "candidates" else 0

    def check(self) -> None:
        """Raise if a value is out of its bounds."""
        if self.actions not in ACTION_MODES:
            raise EnvOptionError(f"unknown actions '{self.actions}'; expected {' or '.join(ACTION_MODES)}")
        fewest, most = _engine.candidate_limits
        if not fewest <= self.candidates <= most:
            raise EnvOptionError(f"candidates must be {fewest} to {most}, got {self.candidates}")
        if not 1 <= self.max_ante <= 39:
            raise EnvOptionError(f"max_ante must be 1 to 39, got {self.max_ante}")
        if self.max_steps < 1:
            raise EnvOptionError(f"max_steps must be at least 1, got {self.max_steps}")
        if self.seeds not in ("training", "evaluation"):
            raise EnvOptionError(f"unknown seeds '{self.seeds}'; expected training or evaluation")
        if not 0.0 <= self.discount <= 1.0:
            raise EnvOptionError(f"discount must be 0 to 1, got {self.discount}")
        if not 0.0 <= self.start_chance <= 1.0:
            raise EnvOptionError(f"start_chance must be 0 to 1, got {self.start_chance}")
        if not self.decks or not self.stakes:
            raise EnvOptionError("at least one deck and one stake are needed")
        try:
            _engine.VectorEnv(1, self.for_engine(), 1, 2)
        except ValueError as error:
            raise EnvOptionError(str(error)) from None

    def for_engine(self) -> dict[str, Any]:
        """The options as the engine takes them."""
        starts: list[_engine.GameState] = []
        for snapshot in self.starts:
            game = Game.restore(snapshot)
            if game.over:
                raise EnvOptionError("a start is a run that is over already")
            starts.append(_engine.GameState.restore(snapshot))
        return {
            "decks": list(self.decks),
            "stakes": list(self.stakes),
            "starts": starts,
            "start_chance": float(self.start_chance),
            "candidates": self.listed,
            "max_ante": self.max_ante,
            "max_steps": self.max_steps,
            "fast": self.fast,
            "evaluation": self.seeds == "evaluation",
            "discount": float(self.discount),
            "weights": self.rewards.as_list(),
        }

    def with_max_ante(self, max_ante: int) -> EnvOptions:
        """The same options with another finishing ante."""
        changed = replace(self, max_ante=max_ante, difficulty=None)
        changed.check()
        return changed


def _weights(given: dict[str, float]) -> RewardWeights:
    unknown = sorted(set(given) - set(_engine.reward_terms))
    if unknown:
        raise EnvOptionError(
            f"unknown reward term '{unknown[0]}'; expected {', '.join(_engine.reward_terms)}"
        )
    return RewardWeights(**given)
