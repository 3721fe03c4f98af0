"""Search with perfect foresight: it knows a client's utilities and all its future random numbers.

No therapist can know that much. What the search finds says which clients could have been helped at all, by answers that
fit what the client will perceive and do; a wider search finds no less. It is a beam search: of all courses after each
session the most satisfying are kept, evenly among those that differ in what the client shows and is used to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from jimbot.therapy.env.options import TherapyOptions
from jimbot.therapy.model import kernels
from jimbot.therapy.model.clients import compute_action_probabilities
from jimbot.therapy.model.episodes import EpisodeSource
from jimbot.therapy.model.perception import PERCEPTION_WINDOW, compute_habit_weights
from jimbot.therapy.model.rewards import DROPOUT_SESSION
from jimbot.therapy.model.satisfaction import MEMORY_SIZE, recency_weights
from jimbot.therapy.model.utilities import TherapyError, success_threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["foreseen_answers", "foreseen_successes"]

SAME = 1e-9
"""Courses with the same outlook whose satisfactions differ by less are taken for one."""


class Courses(NamedTuple):
    """Possible courses of one client's therapy; the course is the last axis.

    Attributes:
        shown: what the client showed in each remembered interaction, int64[50, courses].
        taken: what it took the answer for, int64[50, courses].
        action: what it shows now, int64[courses].
        answers: the therapist's answers so far, int64[sessions, courses].
    """

    shown: NDArray[np.int64]
    taken: NDArray[np.int64]
    action: NDArray[np.int64]
    answers: NDArray[np.int64]


class Foresight:
    """The search for one client.

    Args:
        options: of the environment.
        utilities: float64[8, 8], rows the client.
        uniforms: the client's random numbers in order of use.
    """

    def __init__(
        self, options: TherapyOptions, utilities: NDArray[np.float64], uniforms: NDArray[np.float64]
    ) -> None:
        self.options, self.uniforms = options, uniforms
        self.utilities = np.ascontiguousarray(utilities.T)
        self.least, self.greatest = float(utilities.min()), float(utilities.max())
        self.goal = success_threshold(self.least, self.greatest, options.threshold)
        self.weights = recency_weights(MEMORY_SIZE, options.recency_factor)
        self.habits = compute_habit_weights()

    def predict(
        self, shown: NDArray[np.int64], taken: NDArray[np.int64], uniform: float
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return satisfaction with memories int[50, courses], and the client's next actions."""
        options, count = self.options, int(shown.shape[1])
        cells = cast("NDArray[np.int64]", (taken * 8 + shown) * count + np.arange(count))
        frequencies = kernels.compute_pair_frequencies(cells, np.repeat(self.weights, count), count)
        utilities = np.broadcast_to(self.utilities[:, :, np.newaxis], (8, 8, count))
        rs = kernels.compute_satisfactions(frequencies, utilities)
        width = np.full(count, self.greatest - self.least)
        bond = kernels.compute_bonds(
            rs, np.full(count, self.least), width, options.bond_alpha, options.bond_offset
        )
        probabilities = compute_action_probabilities(options, utilities, frequencies, bond)
        return rs, kernels.choose_actions(probabilities, np.full(count, uniform))

    def find_habits(self, taken: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the therapist's habitual action in each course, int64[courses]."""
        count = taken.shape[1]
        recent = cast("NDArray[np.int64]", taken[-PERCEPTION_WINDOW:] * count + np.arange(count))
        summed = np.bincount(recent.ravel(), np.repeat(self.habits, count), minlength=8 * count)
        return summed.reshape(8, count).argmax(axis=0)

    def search(self, memory: NDArray[np.int64], width: int) -> NDArray[np.int64] | None:
        """Return actions that lead to success, int64[sessions]; None if the search finds none."""
        options = self.options
        shown, taken = memory[:, :1], memory[:, 1:]
        initial_rs, action = self.predict(shown, taken, self.uniforms[0])
        courses = Courses(shown, taken, action, np.zeros((0, 1), np.int64))
        for session in range(1, options.max_sessions + 1):
            courses = self.branch(courses, session)
            draws = session * (2 if options.enable_parataxic else 1)
            rs, action = self.predict(courses.shown, courses.taken, self.uniforms[draws])
            stays = rs >= initial_rs if session == DROPOUT_SESSION else np.ones(len(rs), np.bool_)
            succeeded = np.flatnonzero(stays & (rs >= self.goal))
            if len(succeeded):
                return courses.answers[:, succeeded[0]]
            kept = np.flatnonzero(stays)
            kept = kept[
                self.select(rs[kept], action[kept] * 8 + self.find_habits(courses.taken)[kept], width)
            ]
            if len(kept) == 0:
                return None
            shown, taken, _, answers = (part[..., kept] for part in courses)
            courses = Courses(shown, taken, action[kept], answers)
        return None

    def branch(self, courses: Courses, session: int) -> Courses:
        """Extend every course by every action; where the client does not look, one action stands for all."""
        options, count = self.options, len(courses.action)
        sees = not options.enable_parataxic or self.uniforms[2 * session - 1] < options.baseline_accuracy
        parents = np.repeat(np.arange(count), 8) if sees else np.arange(count)
        perceived = np.tile(np.arange(8), count) if sees else self.find_habits(courses.taken)
        return Courses(
            np.concatenate([courses.shown[1:, parents], courses.action[np.newaxis, parents]]),
            np.concatenate([courses.taken[1:, parents], perceived[np.newaxis]]),
            courses.action[parents],
            np.concatenate([courses.answers[:, parents], perceived[np.newaxis]]),
        )

    def select(self, rs: Any, kind: Any, width: int) -> Any:
        """Return the indices of up to ``width`` courses, best satisfaction of each kind first, without duplicates."""
        order = np.lexsort((-rs, kind))
        satisfaction, kinds = rs[order], kind[order]
        fresh = np.ones(len(order), np.bool_)
        fresh[1:] = (kinds[1:] != kinds[:-1]) | (np.abs(np.diff(satisfaction)) > SAME)
        order, satisfaction, kinds = order[fresh], satisfaction[fresh], kinds[fresh]
        starts = np.flatnonzero(np.concatenate([[True], kinds[1:] != kinds[:-1]])) if len(order) else order
        rank = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
        return order[np.lexsort((-satisfaction, rank))[:width]]


def foreseen_answers(seed: int, width: int = 256, **options: Any) -> NDArray[np.int64] | None:
    """Return actions that lead the client of ``reset(seed=seed)`` to success, int64[sessions]; None if none found."""
    if width < 1:
        raise TherapyError(f"a search must keep at least 1 course, got {width}")
    checked = TherapyOptions.of(options)
    source = EpisodeSource(checked)
    pattern, episode_seed = source.draw(np.random.default_rng(seed))
    episode = source.make([pattern], [episode_seed])
    return Foresight(checked, episode.utilities[0], episode.uniforms[0]).search(episode.memories[0], width)


def foreseen_successes(seeds: Sequence[int], width: int = 256, **options: Any) -> NDArray[np.bool_]:
    """Return for which clients the search finds success, bool[clients], in the order of the seeds."""
    return np.array([foreseen_answers(int(seed), width, **options) is not None for seed in seeds], np.bool_)
