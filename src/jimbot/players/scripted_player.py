"""The scripted player: plays and discards by sampled draws, and buys what strengthens the build most.

It decides in the engine, from public information only. Its main numbers are weights: a vector of named values that can
be read, set and tuned. Same seed and same weights, same run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from jimbot import _engine
from jimbot.balatro.game.actions import Action
from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from jimbot.balatro.game.game import Game

__all__ = [
    "ScriptedPlayer",
    "Weight",
    "WeightError",
    "Weights",
    "default_weights",
    "weight_list",
    "weight_table",
]

Weights = Mapping[str, float] | Sequence[float]
"""Some weights by name, the others being the defaults; or all of them, in the order of ``weight_table``."""


class WeightError(JimbotError, ValueError):
    """Raised for an unknown weight or an invalid value."""


@dataclass(frozen=True)
class Weight:
    """A parameter of the scripted player.

    Attributes:
        name: a word; weights of items are named after their key, such as ``joker.j_blueprint``.
        default: the value that is used unless another is given.
        low: the smallest value allowed.
        high: the largest value allowed.
        text: what it means.
    """

    name: str
    default: float
    low: float
    high: float
    text: str


@cache
def weight_table() -> tuple[Weight, ...]:
    """Return all weights in their fixed order."""
    return tuple(Weight(*entry) for entry in _engine.expert_weights())


def default_weights() -> dict[str, float]:
    """Return the default of every weight by name."""
    return {weight.name: weight.default for weight in weight_table()}


def weight_list(weights: Weights | None = None) -> list[float]:
    """Return all values in their fixed order; unknown names and invalid values raise WeightError."""
    table = weight_table()
    if weights is None:
        return [weight.default for weight in table]
    if isinstance(weights, Mapping):
        unknown = sorted(set(weights) - {weight.name for weight in table})
        if unknown:
            raise WeightError(f"unknown weight '{unknown[0]}'; {suggest_weight(unknown[0])}")
        values = [weights.get(weight.name, weight.default) for weight in table]
    else:
        values = list(weights)
        if len(values) != len(table):
            raise WeightError(
                f"expected {len(table)} weights, one per name of weight_table(), got {len(values)}"
            )
    for weight, value in zip(table, values, strict=True):
        if not math.isfinite(value) or not weight.low <= value <= weight.high:
            raise WeightError(
                f"weight {weight.name} must be {weight.low:g} to {weight.high:g}, got {value:g}"
            )
    return [float(value) for value in values]


def suggest_weight(name: str) -> str:
    """Suggest the weight that was probably meant."""
    from difflib import get_close_matches

    close = get_close_matches(name, [weight.name for weight in weight_table()], n=1)
    return f"did you mean '{close[0]}'?" if close else "see weight_table() for all names"


class ScriptedPlayer:
    """Plays by its weights, without memory of earlier choices."""

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights: list[float] = weight_list(weights)

    def choose(self, game: Game) -> Action:
        """Choose a legal action for a run that is not over."""
        return Action.decode(_engine.expert_choose(game.engine_state, self.weights))
