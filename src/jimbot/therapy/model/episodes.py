"""Sampling of episodes: pattern, seed, utilities, biography and the client's random numbers.

*Compatible* seeding reproduces the original study: the environment's generator draws the pattern and an episode seed,
and that one seed starts three legacy Mersenne generators, for utilities, memory and the client's choices. Their streams
coincide. *Independent* seeding gives each a stream of its own.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.therapy.model.patterns import (
    check_pattern,
    draw_memory,
    generate_words,
    make_memory_from_words,
)
from jimbot.therapy.model.utilities import TherapyError, scale_utilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from jimbot.therapy.env.options import TherapyOptions

__all__ = ["EpisodeSource", "Episodes", "check_episode_seed"]

SEED_RANGE = 2**31
WORDS_FOR_MEMORY = 512


@dataclass(frozen=True)
class Episodes:
    """The initial conditions of episodes.

    Attributes:
        patterns: name of each client's biography.
        seeds: episode seeds, int64[size].
        utilities: float64[size, 8, 8], rows the client's octant.
        memories: int64[size, 50, 2], oldest first.
        uniforms: the client's uniform random numbers, float64[size, draws], in order of use.
    """

    patterns: list[str]
    seeds: NDArray[np.int64]
    utilities: NDArray[np.float64]
    memories: NDArray[np.int64]
    uniforms: NDArray[np.float64]


class EpisodeSource:
    """Samples episodes with given options."""

    def __init__(self, options: TherapyOptions) -> None:
        self.options = options
        self._names = options.pattern_names
        self._drawn = not isinstance(options.patterns, str)
        self._fixed = options.fixed_utilities()
        self._legacy = np.random.RandomState()
        self._draws = options.draws_per_episode

    def draw(self, rng: np.random.Generator) -> tuple[str, int]:
        """Draw pattern and seed of the next episode from an environment's generator."""
        name = self._names[int(rng.integers(0, len(self._names)))] if self._drawn else self._names[0]
        return name, int(rng.integers(0, SEED_RANGE))

    def draw_or_take(self, rng: np.random.Generator, given: dict[str, Any] | None) -> tuple[str, int]:
        """Draw the next episode, except for ``pattern`` and ``episode_seed`` in ``given``."""
        pattern, seed = self.draw(rng)
        wanted = dict(given or {})
        unknown = sorted(set(wanted) - {"pattern", "episode_seed"})
        if unknown:
            raise TherapyError(f"unknown reset option '{unknown[0]}'; expected pattern or episode_seed")
        if "pattern" in wanted:
            pattern = check_pattern(wanted["pattern"])
        if "episode_seed" in wanted:
            seed = check_episode_seed(wanted["episode_seed"])
        return pattern, seed

    def make(self, patterns: Sequence[str], seeds: Sequence[int]) -> Episodes:
        """Create the episodes of these patterns and seeds."""
        make = self._compatible if self.options.seeding == "compatible" else self._independent
        utilities, memories, uniforms = make(patterns, seeds)
        if self._fixed is not None:
            utilities = np.broadcast_to(self._fixed, utilities.shape)
        return Episodes(list(patterns), np.array(seeds, dtype=np.int64), utilities, memories, uniforms)

    def _compatible(self, patterns: Sequence[str], seeds: Sequence[int]) -> tuple[Any, Any, Any]:
        """Generate everything from one stream of 32-bit words: doubles take two words, biographies take single ones."""
        count = max(WORDS_FOR_MEMORY, 2 * self._draws)
        words = np.empty((len(seeds), count), dtype=np.uint32)
        memories = np.empty((len(seeds), 50, 2), dtype=np.int64)
        for i, (pattern, seed) in enumerate(zip(patterns, seeds, strict=True)):
            words[i] = generate_words(self._legacy, seed, count)
            memories[i] = make_memory_from_words(
                pattern, self.options.generator, seed, words[i, :WORDS_FOR_MEMORY]
            )
        used = words[:, : 2 * max(64, self._draws)]
        uniforms: Any = ((used[:, ::2] >> 5) * 67108864.0 + (used[:, 1::2] >> 6)) / 2.0**53
        utilities = scale_utilities(uniforms[:, :64].reshape(-1, 8, 8))
        return utilities, memories, uniforms[:, : self._draws]

    def _independent(self, patterns: Sequence[str], seeds: Sequence[int]) -> tuple[Any, Any, Any]:
        utilities = np.empty((len(seeds), 8, 8))
        memories = np.empty((len(seeds), 50, 2), dtype=np.int64)
        uniforms = np.empty((len(seeds), self._draws))
        for i, (pattern, seed) in enumerate(zip(patterns, seeds, strict=True)):
            streams = [np.random.default_rng(each) for each in np.random.SeedSequence(seed).spawn(3)]
            utilities[i] = scale_utilities(streams[0].random((8, 8)))
            memories[i] = draw_memory(pattern, self.options.generator, streams[1])
            uniforms[i] = streams[2].random(self._draws)
        return utilities, memories, uniforms


def check_episode_seed(seed: Any) -> int:
    """Return an episode seed; an invalid one raises."""
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 2**32:
        raise TherapyError(f"episode_seed must be a whole number 0 to {2**32 - 1}, got {seed!r}")
    return number
