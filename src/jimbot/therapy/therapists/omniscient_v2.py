"""The second omniscient strategist: targets any pair of octants, by gain minus cost.

It also learns from what happens: after each seeding it looks at what the client perceived, and gives a target up that
does not take. After three given up it stays complementary.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from jimbot.therapy.model import kernels
from jimbot.therapy.model.octants import complement
from jimbot.therapy.model.satisfaction import MEMORY_SIZE, recency_weights
from jimbot.therapy.therapists.omniscient_v1 import (
    BUILDING,
    BUILDING_SESSIONS,
    CLIMBING,
    CONSOLIDATION,
    LEAST_BOND,
    Mind,
    read_minds,
)
from jimbot.therapy.therapists.scripted import MindReader

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["OmniscientTherapistV2"]

LEAST_SESSIONS_LEFT = 3
"""Sessions that must be left for a target to pay after its seeding."""
MOST_SHIFT = 0.3
"""Share of satisfaction that seeding is taken to replace at most."""
NEWEST = 10
"""Newest memories whose mean weight a new one is taken to have."""
MOST_CONSECUTIVE_FAILURES = 4
MOST_FAILED_TARGETS = 3
ATTEMPTS_TO_SEE_COMPETITION = 5
ATTEMPTS_TO_SEE_ACCURACY = 10
ACCURACY_MARGIN = 0.1

_OCTANTS = np.arange(8)


@dataclass
class Attempts:
    """Counts of the seeding attempts for one target.

    Attributes:
        needed: seedings the target needed when it was chosen.
        perceived: what the client took each seeding for, oldest first.
    """

    needed: int
    perceived: list[int] = field(default_factory=list[int])

    def hopeless(self, action: int, need: int, left: int, accuracy: float) -> bool:
        """Return whether to give up the target: repeated failures, feeding a competitor, too little time, or rarely
        seen.
        """
        tried, seen = len(self.perceived), self.perceived.count(action)
        row = 0
        for each in reversed(self.perceived):
            if each == action:
                break
            row += 1
        if row >= MOST_CONSECUTIVE_FAILURES or left < need + LEAST_SESSIONS_LEFT:
            return True
        boosted = max(self.perceived.count(octant) for octant in range(8) if octant != action)
        if tried >= ATTEMPTS_TO_SEE_COMPETITION and boosted > seen and need >= self.needed:
            return True
        return tried >= ATTEMPTS_TO_SEE_ACCURACY and seen / tried < accuracy - ACCURACY_MARGIN


@dataclass
class Plan:
    """The state of the strategist's plan for one client."""

    phase: str = BUILDING
    target: tuple[int, int] | None = None
    attempts: Attempts = field(default_factory=lambda: Attempts(0))
    seeding: bool = False
    failed_targets: int = 0


class OmniscientTherapistV2(MindReader):
    """Targets any pair of octants.

    Args:
        accuracy: what the strategist believes about how likely the client sees what was done.
        window: how many of the last perceived actions it believes shape what the client is used to.
        benefit_scaling: weight of benefit against cost.
    """

    def __init__(
        self, *, accuracy: float = 0.5, window: int = 15, benefit_scaling: float = 1.8658722646
    ) -> None:
        self.accuracy, self.window, self.benefit_scaling = accuracy, window, benefit_scaling
        self._plans: list[Plan] = []

    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return an action for each client, following its plan."""
        clients = self.clients
        if len(self._plans) != len(shown):
            self._plans = [Plan() for _ in shown]
        actions = np.empty(len(shown), np.int64)
        for i, mind in enumerate(read_minds(clients, shown, self.window)):
            if not held[i]:
                self._plans[i] = Plan()
            plan = self._plans[i]
            if plan.seeding:
                plan.attempts.perceived.append(int(clients.last_perceived[i]))
                plan.seeding = False
            actions[i] = self._answer_one(mind, plan, i)
        return actions

    def _answer_one(self, mind: Mind, plan: Plan, client: int) -> int:
        usual = complement(mind.shown)
        if plan.failed_targets >= MOST_FAILED_TARGETS:
            return usual
        if plan.phase == BUILDING and (mind.session < BUILDING_SESSIONS or mind.bond < LEAST_BOND):
            return usual
        if plan.phase != CLIMBING:
            target = self._best_target(mind, client)
            if target is None or (plan.phase == BUILDING and self._need(mind, target[1]) == 0):
                return usual
            plan.phase = CLIMBING
            self._aim(mind, plan, target)
        return self._climb(mind, plan, client)

    def _climb(self, mind: Mind, plan: Plan, client: int) -> int:
        assert plan.target is not None
        usual = complement(mind.shown)
        if mind.shown == plan.target[0]:
            plan.phase = CONSOLIDATION
            return usual
        if self._hopeless(mind, plan, plan.target[1]):
            plan.failed_targets += 1
            plan.phase, plan.target = CONSOLIDATION, None
            return usual
        target: tuple[int, int] | None = plan.target
        if mind.utilities[mind.shown, usual] > mind.utilities[target]:
            target = self._best_target(mind, client)
            self._aim(mind, plan, target)
        if target is None or mind.shown == target[0]:
            plan.phase = CONSOLIDATION
            return usual
        plan.seeding = target[1] != usual and self._need(mind, target[1]) > 0
        return target[1] if plan.seeding else usual

    def _aim(self, mind: Mind, plan: Plan, target: tuple[int, int] | None) -> None:
        """Choose a target and start counting attempts anew, even if it was tried before."""
        if target is not None:
            plan.attempts = Attempts(self._need(mind, target[1]))
        plan.target = target

    def _hopeless(self, mind: Mind, plan: Plan, action: int) -> bool:
        if not plan.attempts.perceived:
            return False
        left = mind.max_sessions - mind.session
        return plan.attempts.hopeless(action, self._need(mind, action), left, self.accuracy)

    def _need(self, mind: Mind, action: int) -> int:
        """Return the seedings needed to make an action the habitual one; 0 if it already is, without a tie."""
        others = int(np.delete(mind.counts, action).max())
        return ceil(max(0, 1 + others - int(mind.counts[action])) / self.accuracy)

    def _best_target(self, mind: Mind, client: int) -> tuple[int, int] | None:
        """Return the pair with the greatest net value; None if no value is above 0."""
        seedings = np.array([self._need(mind, action) for action in range(8)])
        left = mind.max_sessions - mind.session - seedings  # [8 therapist]
        bond_after, likely = self._project(mind, client, seedings)  # [8 therapist], [8 client, 8 therapist]
        gain = mind.utilities - mind.rs  # [8 client, 8 therapist]
        benefit = gain * likely * left * np.minimum(mind.bond, bond_after) * self.benefit_scaling
        usual = mind.utilities[_OCTANTS, complement(_OCTANTS)]
        lost = np.maximum(0.0, usual[:, np.newaxis] - mind.utilities)
        cost = seedings * (mind.probabilities @ lost)
        value = np.where((gain > 0) & (left > LEAST_SESSIONS_LEFT), benefit - cost, -np.inf)
        if not value.max() > 0:
            return None
        octant, action = divmod(int(value.argmax()), 8)
        return octant, action

    def _project(
        self, mind: Mind, client: int, seedings: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return trust and action probabilities after seeding each action: float64[8], float64[8 client, 8]."""
        clients = self.clients
        options = clients.options
        shift = np.minimum(MOST_SHIFT, seedings / MEMORY_SIZE)
        rs = (1 - shift) * mind.rs + shift * (mind.probabilities @ mind.utilities)
        least = clients.rs_min[client]
        width = clients.rs_max[client] - least
        bond = kernels.compute_bonds(rs, least, width, options.bond_alpha, options.bond_offset)
        weights = recency_weights(MEMORY_SIZE, options.recency_factor)
        new_weight = weights[-NEWEST:].mean() / MEMORY_SIZE
        shares = np.bincount(mind.perceived, weights, minlength=8)
        after = np.tile(shares[:, np.newaxis], (1, 8))  # [8 therapist, 8 targets]
        after[_OCTANTS, _OCTANTS] += self.accuracy * seedings * new_weight
        after[int(mind.counts.argmax())] += (1 - self.accuracy) * seedings * new_weight
        after /= after.sum(axis=0)
        adjusted = mind.utilities.T[:, :, np.newaxis] * (1 + options.history_weight * after)[:, np.newaxis]
        payoffs = kernels.compute_expected_payoffs(adjusted, bond)
        return bond, kernels.compute_probabilities(payoffs, options.entropy)
