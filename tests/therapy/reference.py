"""The model a second time: one client in plain Python, loop by loop, with nothing of the package but constants.

It follows the text of docs/guides/therapy.md, not the package's code, so that the two can be held against each other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from jimbot.therapy.model.patterns import PERFECT_GROUPS, STUCK
from jimbot.therapy.model.utilities import MIDPOINTS


def reference_memory(pattern: str, seed: int, generator: str) -> list[tuple[int, int]]:
    """A biography by the legacy generator's own methods."""
    rng = np.random.RandomState(seed)
    pairs: list[tuple[int, int]] = []
    for _ in range(50):
        if pattern in STUCK:
            problem, answers = STUCK[pattern].problem, STUCK[pattern].answers
            shown = int(rng.choice(problem) if rng.random_sample() < 0.8 else rng.choice(8))
            if shown not in problem:
                answer = int(rng.choice(8))
            elif generator == "v2":
                answer = -shown % 8
            else:
                answer = int(rng.choice(answers))
        elif pattern == "complementary_perfect":
            luck = rng.random_sample()
            shown = int(rng.choice(next(group for share, group in PERFECT_GROUPS if luck < share)))
            answer = (4 - shown) % 8
        elif pattern == "mixed_random":
            shown, answer = int(rng.randint(0, 8)), int(rng.randint(0, 8))
        else:
            shown, answer = {"cold_warm": (6, 2), "conflictual": (0, 0)}[pattern]
        pairs.append((shown, answer))
    return pairs


class ReferenceClient:
    """One client of compatible seeding."""

    def __init__(self, pattern: str, seed: int, **options: Any) -> None:
        self.options = options
        self.rng = np.random.RandomState(seed)
        self.u = np.random.RandomState(seed).uniform(MIDPOINTS - 10, MIDPOINTS + 10)
        self.memory = reference_memory(pattern, seed, options.get("generator", "v1"))
        self.least, self.greatest = float(self.u.min()), float(self.u.max())
        self.sessions = self.misperceived = 0
        self.initial_rs = self.rs
        self.action = self.choose()

    @property
    def weights(self) -> list[float]:
        """Weight of each remembered interaction."""
        factor = self.options.get("recency_factor", 2.0)
        raw = [1 + (factor - 1) * math.sqrt(i / 49) for i in range(50)]
        return [each / sum(raw) for each in raw]

    @property
    def rs(self) -> float:
        """Satisfaction."""
        return math.fsum(w * self.u[c, t] for w, (c, t) in zip(self.weights, self.memory, strict=True))

    @property
    def bond(self) -> float:
        """Trust."""
        place = (self.rs - self.least) / (self.greatest - self.least)
        steepness = self.options.get("bond_alpha", 5.0)
        return 1 / (1 + math.exp(-steepness * 2 * (place - self.options.get("bond_offset", 0.7))))

    def probabilities(self) -> list[float]:
        """How likely each octant is next."""
        mechanism, bond = self.options.get("mechanism", 1), self.bond
        strength = self.options.get("history_weight", 1.0)
        if mechanism in (3, 4):
            strength *= bond ** self.options.get("bond_power", 1.0)
        smoothing = self.options.get("smoothing_alpha", 0.1)
        pairs = list(zip(self.weights, self.memory, strict=True))
        payoffs: list[float] = []
        for i in range(8):
            total = sum(w for w, (c, _) in pairs if c == i) + 8 * smoothing
            row: list[float] = []
            for j in range(8):
                share = 0.0
                if mechanism in (1, 3):
                    share = sum(w for w, (_, t) in pairs if t == j)
                elif mechanism in (2, 4):
                    share = (sum(w for w, pair in pairs if pair == (i, j)) + smoothing) / total
                row.append(self.u[i, j] * (1 + strength * share))
            row.sort()
            place = 7 * bond
            low = int(place)
            high = min(low + 1, 7)
            payoffs.append(row[low] + (place - low) * (row[high] - row[low]))
        heat = [math.exp((each - max(payoffs)) / self.options.get("entropy", 0.5)) for each in payoffs]
        return [each / sum(heat) for each in heat]

    def choose(self) -> int:
        """The next action."""
        return int(self.rng.choice(8, p=self.probabilities()))

    def perceive(self, action: int) -> int:
        """What the client takes an action for."""
        if not self.options.get("enable_parataxic", True):
            return action
        if self.rng.random_sample() < self.options.get("baseline_accuracy", 0.5):
            return action
        recent = [t for _, t in self.memory[-15:]]
        most = max(recent.count(each) for each in recent)
        return next(each for each in reversed(recent) if recent.count(each) == most)

    def session(self, action: int) -> int:
        """Store the pair, show the next action; what the client took the therapist's action for."""
        perceived = self.perceive(action)
        self.misperceived += perceived != action
        self.memory = [*self.memory[1:], (self.action, perceived)]
        self.sessions += 1
        self.action = self.choose()
        return perceived
