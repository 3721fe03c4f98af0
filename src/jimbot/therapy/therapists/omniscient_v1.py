"""The first omniscient strategist: builds trust, then seeds the behavior the client should come to expect.

A distorting client sees what it is used to. So the strategist picks a complementary pair that is worth more than the
present satisfaction, plays the therapist's side of it until that is what the client is used to (*seeding*), and answers
complementarily when the client shows the other side.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from jimbot.therapy.model.octants import complement
from jimbot.therapy.therapists.scripted import MindReader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from jimbot.therapy.model.clients import ClientBatch

__all__ = [
    "BUILDING",
    "BUILDING_SESSIONS",
    "CLIMBING",
    "CONSOLIDATION",
    "LEAST_BOND",
    "Mind",
    "OmniscientTherapistV1",
    "read_minds",
]

BUILDING_SESSIONS = 10
LEAST_BOND = 0.1
"""Trust below which nothing is planted."""
ENOUGH_ACCURACY = 0.9
"""An action that is seen at least this reliably needs no seeding."""
QUICK_SEEDING = 3
"""Seedings that are always worth it, and sessions that must be left after any."""
BENEFIT_SHARE = 0.3
"""Share of the remaining sessions that a planted pair is expected to pay in."""

BUILDING, CLIMBING, CONSOLIDATION = "building", "climbing", "consolidation"


@dataclass
class Mind:
    """What a strategist reads of one client before a session.

    Attributes:
        shown: what the client shows.
        utilities: float64[8, 8], rows the client.
        probabilities: of the client's actions when it last chose, float64[8].
        perceived: therapist's actions the client remembers, int64[50], oldest first.
        counts: how often each action is among the last of them, int64[8].
        rs: satisfaction.
        bond: trust.
        session: number of the session, from 1.
        max_sessions: number of the last one there can be.
    """

    shown: int
    utilities: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    perceived: NDArray[np.int64]
    counts: NDArray[np.int64]
    rs: float
    bond: float
    session: int
    max_sessions: int


def read_minds(clients: ClientBatch, shown: NDArray[np.int64], window: int) -> Iterator[Mind]:
    """Yield the minds of clients, one after another; ``window`` is how many perceived actions are counted."""
    probability, memories = clients.probabilities(), clients.memories()
    for i in range(len(shown)):
        perceived = memories[i, :, 1]
        yield Mind(
            shown=int(shown[i]),
            utilities=clients.utilities[:, :, i].T,
            probabilities=probability[:, i],
            perceived=perceived,
            counts=np.bincount(perceived[-window:], minlength=8),
            rs=float(clients.rs[i]),
            bond=float(clients.bond[i]),
            session=int(clients.sessions[i]) + 1,
            max_sessions=clients.options.max_sessions,
        )


@dataclass
class Plan:
    """The state of the strategist's plan for one client."""

    phase: str = BUILDING
    target: tuple[int, int] | None = None


class OmniscientTherapistV1(MindReader):
    """Targets complementary pairs.

    Args:
        accuracy: what the strategist believes about how likely the client sees what was done.
        window: how many of the last perceived actions it believes shape what the client is used to.
    """

    def __init__(self, *, accuracy: float = 0.5, window: int = 15) -> None:
        self.accuracy, self.window = accuracy, window
        self._plans: list[Plan] = []

    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return an action for each client, following its plan."""
        if len(self._plans) != len(shown):
            self._plans = [Plan() for _ in shown]
        actions = np.empty(len(shown), np.int64)
        for i, mind in enumerate(read_minds(self.clients, shown, self.window)):
            if not held[i]:
                self._plans[i] = Plan()
            actions[i] = self._answer_one(mind, self._plans[i])
        return actions

    def _answer_one(self, mind: Mind, plan: Plan) -> int:
        if plan.phase == BUILDING:
            if mind.session < BUILDING_SESSIONS or mind.bond < LEAST_BOND:
                return complement(mind.shown)
            target = self._best_target(mind)
            if target is None or not self._needs_seeding(mind, target[1]):
                return complement(mind.shown)
            plan.phase, plan.target = CLIMBING, target
        elif plan.phase == CONSOLIDATION:
            plan.target = self._best_target(mind)
            if plan.target is None:
                return complement(mind.shown)
            plan.phase = CLIMBING
        return self._climb(mind, plan)

    def _needs_seeding(self, mind: Mind, action: int) -> bool:
        return self._estimate(mind, action) <= ENOUGH_ACCURACY and self._need(mind, action) > 0

    def _climb(self, mind: Mind, plan: Plan) -> int:
        assert plan.target is not None
        own_best = mind.utilities[mind.shown, complement(mind.shown)]
        if own_best > mind.utilities[plan.target]:
            plan.target = self._best_target(mind)
        if plan.target is None or mind.shown == plan.target[0]:
            plan.phase = CONSOLIDATION
            return complement(mind.shown)
        return plan.target[1] if self._beneficial(mind, plan.target) else complement(mind.shown)

    def _best_target(self, mind: Mind) -> tuple[int, int] | None:
        """Return the most valuable complementary pair; None if none exceeds the present satisfaction."""
        octants = np.arange(8)
        gains = mind.utilities[octants, complement(octants)] - mind.rs
        if not (gains > 0).any():
            return None
        best = int(np.where(gains > 0, gains * mind.probabilities, -1.0).argmax())
        return best, complement(best)

    def _need(self, mind: Mind, action: int) -> int:
        """Return the number of sessions until an action becomes the habitual one."""
        others = int(np.delete(mind.counts, action).max())
        return ceil(max(0, 1 + others - int(mind.counts[action])) / self.accuracy)

    def _estimate(self, mind: Mind, action: int) -> float:
        """Return the probability that an action is perceived; 1 if it is the habitual one."""
        return 1.0 if mind.counts[action] == mind.counts.max() else self.accuracy

    def _beneficial(self, mind: Mind, target: tuple[int, int]) -> bool:
        octant, action = target
        usual = complement(mind.shown)
        if action == usual:
            return True
        if self._estimate(mind, action) > ENOUGH_ACCURACY:
            return False
        need = self._need(mind, action)
        if need <= QUICK_SEEDING:
            return True
        left = mind.max_sessions - mind.session - need - QUICK_SEEDING
        benefit = (mind.utilities[octant, action] - mind.rs) * left * BENEFIT_SHARE
        cost = max(0.0, mind.utilities[mind.shown, usual] - mind.utilities[mind.shown, action]) * need
        return benefit > cost
