"""Biographies: a client's memory of 50 interactions before therapy begins.

A pattern says which octants the client showed and how others answered. In a *stuck* pattern the client mostly showed a
few problem octants and mostly got the answer that keeps the problem alive. There are two generations of that answer:
``v1`` draws it from a set, ``v2`` is always the anti-complement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jimbot.therapy.model.octants import COLD, WARM, anti_complement, complement
from jimbot.therapy.model.satisfaction import MEMORY_SIZE
from jimbot.therapy.model.utilities import TherapyError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "DEFAULT_PATTERNS",
    "GENERATORS",
    "PATTERNS",
    "check_generator",
    "check_pattern",
    "draw_memory",
    "generate_memory",
    "generate_words",
    "make_memory_from_words",
]

GENERATORS = ("v1", "v2")
PROBLEM_SHARE = 0.8
"""Share of a stuck client's interactions in which the client showed a problem octant."""


@dataclass(frozen=True)
class StuckPattern:
    """A pattern of problem octants, and the set from which ``v1`` draws the answers to them."""

    problem: tuple[int, ...]
    answers: tuple[int, ...]


STUCK = {
    "cold_stuck": StuckPattern(COLD, WARM),
    "dominant_stuck": StuckPattern((0, 1, 7), (0, 1, 7)),
    "submissive_stuck": StuckPattern((3, 4, 5), (3, 4, 5)),
}
CONSTANT = {"cold_warm": (6, 2), "conflictual": (0, 0)}
PERFECT_GROUPS = ((0.7, WARM), (0.9, (0, 4)), (1.0, COLD))
"""``complementary_perfect``: cumulative share of each group the client's octant is drawn from."""

PATTERNS = (*STUCK, *CONSTANT, "mixed_random", "complementary_perfect")
DEFAULT_PATTERNS = ("cold_stuck", "dominant_stuck", "submissive_stuck", "mixed_random", "cold_warm")
"""The default patterns of an environment."""

ALIASES = {"cw_50_50": "cold_warm"}


def check_pattern(name: str) -> str:
    """Return the current name of a pattern; an unknown one raises with a list of patterns."""
    known = ALIASES.get(name, name)
    if known not in PATTERNS:
        raise TherapyError(f"unknown pattern '{name}'; expected one of {', '.join(PATTERNS)}")
    return known


def check_generator(name: str) -> str:
    """Return the name of a version of the biography generator; an unknown one raises with a list."""
    if name not in GENERATORS:
        raise TherapyError(f"unknown generator '{name}'; expected {' or '.join(GENERATORS)}")
    return name


def generate_memory(pattern: str, seed: int, generator: str = "v1") -> NDArray[np.int64]:
    """Generate a biography, int64[50, 2]: pairs of the client's and the other's octant, oldest first.

    The draws are those of the legacy Mersenne generator of the seed, in the order of the original study.
    """
    pattern, generator = check_pattern(pattern), check_generator(generator)
    return make_memory_from_words(
        pattern, generator, seed, generate_words(np.random.RandomState(), seed, 512)
    )


def generate_words(legacy: np.random.RandomState, seed: int, count: int) -> NDArray[np.uint32]:
    """Generate the first 32-bit words of the legacy generator with a seed, uint32[count].

    ``legacy`` is any legacy generator; it is reseeded, which is cheaper than making one.
    """
    legacy.seed(seed)
    return legacy.randint(0, 2**32, size=count, dtype=np.uint32)


def make_memory_from_words(
    pattern: str, generator: str, seed: int, words: NDArray[np.uint32]
) -> NDArray[np.int64]:
    """Build the biography from the words of a seed; if 512 words are not enough, more are generated."""
    if pattern in CONSTANT:
        return np.tile(np.array(CONSTANT[pattern]), (MEMORY_SIZE, 1))
    if pattern == "mixed_random":
        return (words[: 2 * MEMORY_SIZE] & 7).astype(np.int64).reshape(MEMORY_SIZE, 2)
    walk = _walk_perfect if pattern == "complementary_perfect" else _walk_stuck
    while True:
        try:
            return np.array(walk(words.tolist(), pattern, generator), dtype=np.int64)
        except IndexError:  # rejections used up all words
            words = generate_words(np.random.RandomState(), seed, 2 * len(words))


# A double takes two words, 27 and 26 bits of them. Comparing whole numbers below 2**53 is the same and cheaper.
_DOUBLE_RANGE = 2.0**53


def _walk_stuck(words: list[int], pattern: str, generator: str) -> list[tuple[int, int]]:
    """Slot by slot: a double, an octant, an answer. Three are chosen by two bits, where 3 is drawn again."""
    stuck, fixed_answer = STUCK[pattern], generator == "v2"
    limit, problem, answers = PROBLEM_SHARE * _DOUBLE_RANGE, stuck.problem, stuck.answers
    pairs: list[tuple[int, int]] = []
    at = 0
    for _ in range(MEMORY_SIZE):
        is_problem = (words[at] >> 5) * 67108864 + (words[at + 1] >> 6) < limit
        at += 2
        if is_problem:
            while words[at] & 3 == 3:
                at += 1
            shown = problem[words[at] & 3]
        else:
            shown = words[at] & 7
        at += 1
        if shown not in problem:
            answer = words[at] & 7
            at += 1
        elif fixed_answer:
            answer = anti_complement(shown)
        else:
            while words[at] & 3 == 3:
                at += 1
            answer = answers[words[at] & 3]
            at += 1
        pairs.append((shown, answer))
    return pairs


def _walk_perfect(words: list[int], pattern: str, generator: str) -> list[tuple[int, int]]:
    """Slot by slot: a double that chooses the group, then an octant of it, with its complement."""
    del pattern, generator  # the same in both generations
    pairs: list[tuple[int, int]] = []
    at = 0
    for _ in range(MEMORY_SIZE):
        double = ((words[at] >> 5) * 67108864 + (words[at + 1] >> 6)) / _DOUBLE_RANGE
        at += 2
        group = next(octants for share, octants in PERFECT_GROUPS if double < share)
        mask = 3 if len(group) == 3 else 1
        while words[at] & mask >= len(group):
            at += 1
        shown = group[words[at] & mask]
        at += 1
        pairs.append((shown, complement(shown)))
    return pairs


def draw_memory(pattern: str, generator: str, rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw a biography of the same distribution from any generator, int64[50, 2]."""
    size = MEMORY_SIZE
    anywhere = rng.integers(0, 8, (size, 2))
    if pattern in CONSTANT:
        return np.tile(np.array(CONSTANT[pattern]), (size, 1))
    if pattern == "mixed_random":
        return anywhere
    if pattern == "complementary_perfect":
        shares = [share for share, _ in PERFECT_GROUPS[:-1]]
        chosen: NDArray[np.int64] = np.searchsorted(shares, rng.random(size), side="right")
        shown = np.array([rng.choice(PERFECT_GROUPS[int(group)][1]) for group in chosen], dtype=np.int64)
        return np.stack([shown, complement(shown)], axis=1)
    stuck = STUCK[pattern]
    problem = rng.random(size) < PROBLEM_SHARE
    shown = np.where(problem, rng.choice(stuck.problem, size), anywhere[:, 0])
    drawn = rng.choice(stuck.answers, size) if generator == "v1" else anti_complement(shown)
    answer = np.where(np.isin(shown, stuck.problem), drawn, anywhere[:, 1])
    return np.stack([shown, answer], axis=1)
