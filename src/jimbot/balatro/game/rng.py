"""The game's random number streams, exposed for tests and analysis.

A stream is named by a key such as ``boss`` or ``Joker1sho3``. Each use of a stream gives one number that seeds a
fresh generator; what the game then draws are the generator's first values.
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from jimbot import _engine

Item = TypeVar("Item")


class StreamUse(NamedTuple):
    """One use of a stream."""

    state: float
    """The value the stream keeps after this use; it has thirteen decimals."""
    seed: float
    """The number handed to the generator."""


def pseudohash(text: str) -> float:
    """Hash a string to a number in [0, 1); the empty string gives 1."""
    return _engine.pseudohash(text)


def round13(x: float) -> float:
    """Round to thirteen decimals by printing and parsing, as the game does; ``x`` in [0, 1)."""
    return _engine.round13(x)


def stream(seed: str, key: str, count: int = 1) -> list[StreamUse]:
    """Return the first ``count`` uses of the stream ``key`` of a run with this seed."""
    return [StreamUse(state, value) for state, value in _engine.stream_values(seed, key, count)]


def reals(seed: float, count: int = 1) -> list[float]:
    """Draw the first ``count`` reals in [0, 1) from a generator seeded with a double."""
    return _engine.reals(seed, count)


def integers(seed: float, low: int, high: int, count: int = 1) -> list[int]:
    """Draw the first ``count`` integers in [low, high] from a generator seeded with a double."""
    if low > high:
        raise ValueError(f"integers: low must not exceed high, got {low} and {high}")
    return _engine.integers(seed, low, high, count)


def shuffle(seed: float, items: Sequence[Item]) -> list[Item]:
    """Shuffle the items as the game does, with a generator seeded with a double."""
    return [items[position - 1] for position in _engine.shuffled(seed, len(items))]
