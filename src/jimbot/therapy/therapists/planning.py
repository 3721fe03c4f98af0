"""A planning therapist that knows the client's hidden state, but not its future random numbers.

It answers with the row maximum unless imagined therapies speak for another answer: from what the client is now it plays
each of the most promising answers for as long as the client shows what it shows, goes on with row maxima to the end of
therapy, and compares how often that succeeds with the same random numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.therapy.model.clients import ClientBatch
from jimbot.therapy.therapists.scripted import MindReader

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PlanningTherapist"]

SESSIONS_PER_PLAN = 4
"""A new plan is made after this many sessions, or when the client shows something else."""
ANSWERS = 4
"""How many answers are compared: those of greatest utility to what the client shows."""
MARGIN = 1.5
"""Imagined successes by which another answer must beat the row maximum."""
NEARNESS = 0.05
"""What coming nearer to success counts beside success, so that there is a choice where none is in reach."""
DROPOUT = 0.5
"""What a client who leaves costs, in successes."""
COPIED = (
    "action",
    "sessions",
    "rs",
    "bond",
    "rs_min",
    "rs_max",
    "rs_threshold",
    "initial_rs",
    "initial_bond",
)


class PlanningTherapist(MindReader):
    """Plans by simulating therapies.

    Args:
        imagined: therapies per answer that is compared.
        seed: of their random numbers.
    """

    def __init__(self, imagined: int = 32, seed: int = 0) -> None:
        self.imagined = imagined
        self._rng = np.random.default_rng(seed)
        self._plan = self._planned_for = self._left = np.zeros(0, np.int64)

    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Follow the plans, and make new ones where they have run out."""
        if len(shown) != len(self._plan):
            self._plan, self._planned_for, self._left = (np.full(len(shown), -1) for _ in range(3))
        due = np.flatnonzero((shown != self._planned_for) | (self._left <= 0) | ~held)
        if len(due):
            self._plan[due] = self._best_answers(due, shown[due])
            self._planned_for[due], self._left[due] = shown[due], SESSIONS_PER_PLAN
        self._left -= 1
        return self._plan.copy()

    def _best_answers(self, who: NDArray[np.int64], shown: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the best action for each of some clients, int64[len(who)]."""
        worth = self.clients.utilities[:, shown, who]  # [8 therapist, clients]
        candidates = np.argsort(-worth, axis=0, kind="stable")[:ANSWERS]
        scores = self._scores(who, candidates)
        best = scores.argmax(axis=0)
        better = scores.max(axis=0) > scores[0] + MARGIN
        return candidates[np.where(better, best, 0), np.arange(len(who))]

    def _scores(self, who: NDArray[np.int64], candidates: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the simulated successes of candidates int64[actions, clients], float64[actions, clients]."""
        batch = self._imagine(np.tile(np.repeat(who, self.imagined), len(candidates)))
        first, answers = batch.action.copy(), np.repeat(candidates, self.imagined, axis=1).reshape(-1)
        limit = batch.options.max_sessions
        everyone = np.arange(batch.size)
        best = np.full_like(batch.rs, -np.inf)
        done, succeeded, left, turned = (np.zeros(batch.size, np.bool_) for _ in range(4))
        while not done.all():
            turned |= batch.action != first
            habits = batch.utilities[:, batch.action, everyone].argmax(axis=0)
            batch.ended[:] = False
            np.minimum(
                batch.sessions, limit - 1, out=batch.sessions
            )  # those that are done only wait for the others
            batch.advance(np.where(turned, habits, answers))
            np.maximum(best, batch.rs, out=best, where=~done)
            succeeded |= ~done & batch.success & ~batch.dropped_out
            left |= ~done & batch.dropped_out
            done |= batch.ended
        way = (np.minimum(best, batch.rs_threshold) - batch.rs_min) / (batch.rs_max - batch.rs_min)
        scores = succeeded - DROPOUT * left + NEARNESS * way
        return scores.reshape(len(candidates), len(who), self.imagined).sum(axis=2)

    def _imagine(self, who: NDArray[np.int64]) -> ClientBatch:
        """Copy clients for simulation, with the same random numbers for every action."""
        clients, options = self.clients, self.clients.options
        batch = ClientBatch(options, len(who))
        for name in COPIED:
            getattr(batch, name)[:] = getattr(clients, name)[who]
        batch.utilities[:] = clients.utilities[:, :, who]
        uniforms: Any = self._rng.random((len(who) // ANSWERS, options.draws_per_episode))
        batch.restore_memories(clients.memories()[who], np.tile(uniforms, (ANSWERS, 1)))
        return batch
