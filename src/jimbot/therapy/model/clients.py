"""Batches of simulated clients, advanced one session per call.

The clients of a batch are independent: each has its own utilities, memory and random numbers, and behaves the same in a
batch of any size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.therapy.model import kernels
from jimbot.therapy.model.patterns import PATTERNS
from jimbot.therapy.model.perception import PERCEPTION_WINDOW, compute_habit_weights
from jimbot.therapy.model.rewards import DROPOUT_SESSION, episode_reward
from jimbot.therapy.model.satisfaction import MEMORY_SIZE, recency_weights
from jimbot.therapy.model.utilities import TherapyError, success_threshold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jimbot.therapy.env.options import TherapyOptions
    from jimbot.therapy.model.episodes import Episodes

__all__ = ["NO_ACTION", "ClientBatch", "compute_action_probabilities"]

NO_ACTION = 8
"""Stands where an action would, when there is none yet."""


def compute_action_probabilities(
    options: TherapyOptions, utilities: Any, frequencies: Any, bond: Any
) -> NDArray[np.float64]:
    """Compute the probability of each client's next action, float64[8, size]."""
    adjusted = kernels.adjust_utilities(
        utilities,
        frequencies,
        bond,
        options.mechanism_number,
        options.history_weight,
        options.smoothing_alpha,
        options.bond_power,
    )
    return kernels.compute_probabilities(kernels.compute_expected_payoffs(adjusted, bond), options.entropy)


_CAPACITY = 3 * MEMORY_SIZE
"""Rows of the memory buffer: the window of 50 slides through it, and is copied back when it has reached the end."""


class ClientBatch:
    """A batch of ``size`` clients. Arrays have the client as their last axis; only methods should write to them.

    Attributes:
        size: number of clients.
        action: what each client shows now, int64[size]; where therapy has ended, what it showed last.
        sessions: sessions held, int64[size].
        rs: relationship satisfaction, float64[size].
        bond: trust, float64[size].
        utilities: float64[8 therapist, 8 client, size].
        rs_min: least utility of each client, float64[size].
        rs_max: greatest utility of each client, float64[size].
        rs_threshold: satisfaction that means success, float64[size].
        initial_rs: satisfaction before the first session, float64[size].
        initial_bond: trust before the first session, float64[size].
        last_actual: the therapist's last action, int64[size], 8 before the first.
        last_perceived: what the client took it for, int64[size], 8 before the first.
        misperceived: sessions in which the two differed, int64[size].
        accurate: sessions in which the client looked, rather than going by habit, int64[size].
        success: whether satisfaction reached the threshold in the last session, bool[size].
        dropped_out: whether the client left in the last session, bool[size].
        timed_out: whether sessions ran out without either, bool[size].
        ended: whether therapy is over, bool[size].
        reward: the therapist's reward for the last session, float64[size].
        pattern: number of each client's biography in ``PATTERNS``, int64[size].
        episode_seed: int64[size].
    """

    def __init__(self, options: TherapyOptions, size: int) -> None:
        if size < 1:
            raise TherapyError(f"a batch must have at least 1 client, got {size}")
        self.options, self.size = options, size
        self.action = np.zeros(size, np.int64)
        self.sessions = np.zeros(size, np.int64)
        self.misperceived, self.accurate = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.last_actual = np.full(size, NO_ACTION)
        self.last_perceived = np.full(size, NO_ACTION)
        self.pattern, self.episode_seed = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.rs, self.bond, self.reward = np.zeros(size), np.zeros(size), np.zeros(size)
        self.initial_rs, self.initial_bond = np.zeros(size), np.zeros(size)
        self.rs_min, self.rs_max, self.rs_threshold = np.zeros(size), np.ones(size), np.zeros(size)
        self.success, self.dropped_out = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
        self.timed_out, self.ended = np.zeros(size, np.bool_), np.ones(size, np.bool_)
        self.utilities = np.zeros((8, 8, size))
        self._uniforms = np.zeros((size, options.draws_per_episode))
        self._everyone = np.arange(size)
        self._cells = np.tile(
            self._everyone, (_CAPACITY, 1)
        )  # (therapist * 8 + client octant) * size + client
        self._answers = self._cells.copy()  # therapist * size + client
        self._first = 0
        weights = recency_weights(MEMORY_SIZE, options.recency_factor)
        self._weights = np.repeat(weights, size)
        self._habit_weights = np.repeat(compute_habit_weights(), size)
        self._one_weights = weights
        self._frequencies = np.zeros((8, 8, size))

    def begin(self, indices: NDArray[np.int64], episodes: Episodes) -> None:
        """Replace the clients at these indices by new ones and draw their first actions."""
        count = len(indices)
        utilities = episodes.utilities.transpose(2, 1, 0)
        self.utilities[:, :, indices] = utilities
        self._uniforms[indices] = episodes.uniforms
        shown, answers = episodes.memories[:, :, 0].T, episodes.memories[:, :, 1].T
        window = slice(self._first, self._first + MEMORY_SIZE)
        self._cells[window, indices] = (answers * 8 + shown) * self.size + indices
        self._answers[window, indices] = answers * self.size + indices
        self.pattern[indices] = [PATTERNS.index(name) for name in episodes.patterns]
        self.episode_seed[indices] = episodes.seeds
        self.rs_min[indices] = utilities.min(axis=(0, 1))
        self.rs_max[indices] = utilities.max(axis=(0, 1))
        self.rs_threshold[indices] = success_threshold(
            self.rs_min[indices], self.rs_max[indices], self.options.threshold
        )
        for name in ("sessions", "misperceived", "accurate", "success", "dropped_out", "timed_out", "ended"):
            getattr(self, name)[indices] = 0
        self.last_actual[indices] = self.last_perceived[indices] = NO_ACTION
        cells = (answers * 8 + shown) * count + np.arange(count)
        frequencies = kernels.compute_pair_frequencies(cells, np.repeat(self._one_weights, count), count)
        rs, bond = self._trust(frequencies, self.utilities[:, :, indices], indices)
        self.rs[indices] = self.initial_rs[indices] = rs
        self.bond[indices] = self.initial_bond[indices] = bond
        self._frequencies[:, :, indices] = frequencies
        probability = compute_action_probabilities(
            self.options, self.utilities[:, :, indices], frequencies, bond
        )
        self.action[indices] = kernels.choose_actions(probability, self._uniforms[indices, 0])

    def _trust(self, frequencies: Any, utilities: Any, who: Any = slice(None)) -> tuple[Any, Any]:
        """Compute satisfaction and bond of clients with these frequencies."""
        options = self.options
        rs = kernels.compute_satisfactions(frequencies, utilities)
        least = self.rs_min[who]
        return rs, kernels.compute_bonds(
            rs, least, self.rs_max[who] - least, options.bond_alpha, options.bond_offset
        )

    def advance(self, actions: NDArray[np.int64]) -> None:
        """Run one session with every client, given the therapist's actions, int64[size].

        Clients whose therapy goes on then show their next action; one whose therapy is over must be replaced by
        ``begin`` before the next call.
        """
        if self.ended.any():
            raise TherapyError(
                "therapy with a client of the batch is over; begin a new one in its place first"
            )
        perceived = self._perceive(actions)
        self._store(perceived)
        np.copyto(self.last_actual, actions)
        np.copyto(self.last_perceived, perceived)
        self._frequencies = kernels.compute_pair_frequencies(
            self._cells[self._first : self._first + MEMORY_SIZE], self._weights, self.size
        )
        rs, bond = self._trust(self._frequencies, self.utilities)
        np.copyto(self.rs, rs)
        np.copyto(self.bond, bond)
        self.sessions += 1
        self._judge()
        probability = compute_action_probabilities(self.options, self.utilities, self._frequencies, self.bond)
        draws = self.sessions * (2 if self.options.enable_parataxic else 1)
        chosen = kernels.choose_actions(probability, self._uniforms[self._everyone, draws])
        np.copyto(self.action, chosen, where=~self.ended)

    def _perceive(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the actions that the clients perceive, int64[size], and count the misperceptions."""
        if not self.options.enable_parataxic:
            return actions
        sees = self._uniforms[self._everyone, 2 * self.sessions + 1] < self.options.baseline_accuracy
        start = self._first + MEMORY_SIZE - PERCEPTION_WINDOW
        recent = self._answers[start : start + PERCEPTION_WINDOW]
        habits = np.bincount(recent.ravel(), self._habit_weights, minlength=8 * self.size)
        perceived = np.where(sees, actions, habits.reshape(8, self.size).argmax(axis=0))
        self.accurate += sees
        self.misperceived += perceived != actions
        return perceived

    def _store(self, perceived: NDArray[np.int64]) -> None:
        """Add the client's and the perceived action to the memory and drop the oldest interaction."""
        end = self._first + MEMORY_SIZE
        if end == _CAPACITY:
            for buffer in (self._cells, self._answers):
                buffer[: MEMORY_SIZE - 1] = buffer[self._first + 1 : end]
            self._first, end = -1, MEMORY_SIZE - 1
        self._cells[end] = (perceived * 8 + self.action) * self.size + self._everyone
        self._answers[end] = perceived * self.size + self._everyone
        self._first += 1

    def _judge(self) -> None:
        """Determine whether therapy has ended, how, and its reward."""
        np.greater_equal(self.rs, self.rs_threshold, out=self.success)
        np.less(self.rs, self.initial_rs, out=self.dropped_out)
        self.dropped_out &= self.sessions == DROPOUT_SESSION
        over = self.success | self.dropped_out
        np.copyto(self.timed_out, ~over & (self.sessions >= self.options.max_sessions))
        np.logical_or(over, self.timed_out, out=self.ended)
        np.copyto(
            self.reward,
            episode_reward(self.sessions, self.options.max_sessions, self.success, self.dropped_out),
        )

    def probabilities(self) -> NDArray[np.float64]:
        """Return the probabilities of each client's last choice, float64[8, size]."""
        return compute_action_probabilities(self.options, self.utilities, self._frequencies, self.bond)

    def memories(self) -> NDArray[np.int64]:
        """Return the clients' memories, int64[size, 50, 2]: their own and the perceived octants, oldest first."""
        cells = self._cells[self._first : self._first + MEMORY_SIZE].T // self.size
        return np.stack([cells % 8, cells // 8], axis=2)

    @property
    def uniforms(self) -> NDArray[np.float64]:
        """The clients' uniform random numbers, float64[size, draws], in order of use."""
        return self._uniforms

    def restore_memories(self, memories: NDArray[np.int64], uniforms: NDArray[np.float64]) -> None:
        """Restore ``memories`` and ``uniforms``; the caller restores everything else."""
        self._first = 0
        shown, answers = memories[:, :, 0].T, memories[:, :, 1].T
        self._cells[:MEMORY_SIZE] = (answers * 8 + shown) * self.size + self._everyone
        self._answers[:MEMORY_SIZE] = answers * self.size + self._everyone
        np.copyto(self._uniforms, uniforms)
        self._frequencies = kernels.compute_pair_frequencies(
            self._cells[:MEMORY_SIZE], self._weights, self.size
        )

    def distortion_rate(self) -> NDArray[np.float64]:
        """Return the share of sessions in which the client misperceived the therapist, float64[size]."""
        return self.misperceived / np.maximum(self.sessions, 1)
