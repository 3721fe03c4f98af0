"""What the seed's streams will give, worked out from the rules of the draws, to hold the run against."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from jimbot.balatro.game import rng

Item = TypeVar("Item")

_FILE = Path(__file__).resolve().parent.parent / "data" / "pools.json"
POOLS: dict[str, list[str]] = {
    name: [entry["key"] if isinstance(entry, dict) else entry for entry in entries]
    for name, entries in json.loads(_FILE.read_text())["pools"].items()
}
"""Keys of every pool in drawing order."""


class Draws:
    """Streams of a seed, used up one by one as the rules use them."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.used: Counter[str] = Counter()

    def _next(self, key: str) -> float:
        self.used[key] += 1
        return rng.stream(self.seed, key, self.used[key])[-1].seed

    def real(self, key: str) -> float:
        """A number in [0, 1)."""
        return rng.reals(self._next(key))[0]

    def element(self, key: str, items: Sequence[Item]) -> Item:
        """One of the items, which are in the order the game puts them in."""
        return items[rng.integers(self._next(key), 1, len(items))[0] - 1]

    def shuffled(self, key: str, items: Sequence[Item]) -> list[Item]:
        """The items in the order the shuffle leaves them."""
        return rng.shuffle(self._next(key), items)

    def pool(self, key: str, name: str, blank: Callable[[str], bool]) -> str:
        """A key of the pool; blanks are drawn again from streams of their own."""
        found = self.element(key, POOLS[name])
        again = 2
        while blank(found):
            found = self.element(f"{key}_resample{again}", POOLS[name])
            again += 1
        return found

    def guaranteed_edition(self, key: str) -> str:
        """The edition of Aura and The Wheel of Fortune."""
        roll = self.real(key)
        return "polychrome" if roll > 0.85 else "holo" if roll > 0.5 else "foil"


def by_creation(plains: Sequence[dict[str, Any]]) -> list[int]:
    """Positions of cards or jokers of ``Game.state()`` in the order they were made."""
    return sorted(range(len(plains)), key=lambda position: plains[position]["created"])


def seed_with(key: str, *, above: float = -1.0, below: float = 2.0, use: int = 1) -> str:
    """A seed whose stream gives a number between these limits at this use."""
    digits = "ABCDEFGHIJKLMNPQRSTUVWXYZ"
    for number in range(25**4):
        seed = "P" + "".join(digits[number // 25**place % 25] for place in range(4))
        if above < rng.reals(rng.stream(seed, key, use)[-1].seed)[0] < below:
            return seed
    raise AssertionError(f"no seed has {key} between {above} and {below}")
