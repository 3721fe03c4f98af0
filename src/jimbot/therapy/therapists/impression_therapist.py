"""A policy on impressions as a therapist: it sees documented observations and keeps impressions between sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.therapy.env.observations import HISTORY_PAIRS
from jimbot.therapy.therapists.impressions import (
    Impression,
    build_features,
    is_mirrored,
    make_first_impression,
    mirror_octant,
    update_impression,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

__all__ = ["ImpressionTherapist"]


class ImpressionTherapist:
    """Treats one client or a batch; clients are identified by their index in the batch.

    A client in its first session is a new one. One whose sessions do not follow on those before is known only from the
    history that its observation shows.

    Args:
        choose: from impressions float32[clients, FEATURES] to octants int[clients], in their frame.
        accuracy: how likely clients are to see what the therapist does.
        max_sessions: of the environment.
    """

    def __init__(
        self, choose: Callable[[NDArray[np.float32]], Any], *, accuracy: float = 0.5, max_sessions: int = 100
    ) -> None:
        self.choose, self.accuracy, self.max_sessions = choose, accuracy, max_sessions
        self._seen: Impression = make_first_impression(np, (0,))

    def __call__(self, observations: Mapping[str, Any]) -> Any:
        """Return the action for an observation, or int64[clients] for a batch of observations."""
        shown = np.asarray(observations["client_action"])
        alone = shown.ndim == 0
        shown = np.atleast_1d(shown)
        history = np.asarray(observations["history"]).reshape(len(shown), HISTORY_PAIRS, 2)
        share = np.asarray(observations["session_number"], np.float64).reshape(-1)
        self._look(history, np.rint(share * self.max_sessions).astype(np.int64))
        answers = self.choose_answers(self._seen, shown)
        return int(answers[0]) if alone else answers

    def choose_answers(self, seen: Impression, shown: NDArray[np.int64]) -> NDArray[np.int64]:
        """Choose actions from the impressions of the clients and their current octants, int64[clients]."""
        vectors = build_features(np, seen, shown, self.max_sessions)
        chosen = np.asarray(self.choose(vectors), np.int64)
        return mirror_octant(np, is_mirrored(np, seen, shown), chosen)

    def _look(self, history: NDArray[np.int64], held: NDArray[np.int64]) -> None:
        """Update the impressions."""
        if len(held) != len(self._seen.sessions):
            self._seen = make_first_impression(np, (len(held),))
        known = self._seen.sessions.astype(np.int64)
        follows, strange = held == known + 1, (held != known) & (held != known + 1)
        strange |= held == 0
        if follows.any():
            last = history[np.arange(len(held)), np.clip(held, 1, HISTORY_PAIRS) - 1]
            self._replace(follows, update_impression(np, self._seen, last[:, 0], last[:, 1], self.accuracy))
        if strange.any():
            self._replace(strange, self._from_history(history, held))

    def _from_history(self, history: NDArray[np.int64], held: NDArray[np.int64]) -> Impression:
        """Compute impressions from the history in the observations."""
        seen = make_first_impression(np, (len(held),))
        visible = np.minimum(held, HISTORY_PAIRS)
        for number in range(int(visible.max(initial=0))):
            pair = np.minimum(history[:, number], 7)
            after = update_impression(np, seen, pair[:, 0], pair[:, 1], self.accuracy)
            seen = select_impressions(number < visible, after, seen)
        return seen._replace(sessions=held.astype(np.float32))

    def _replace(self, where: NDArray[np.bool_], new: Impression) -> None:
        self._seen = select_impressions(where, new, self._seen)


def select_impressions(where: NDArray[np.bool_], new: Impression, old: Impression) -> Impression:
    """Take the new impressions of some clients and the old ones of the others."""
    return Impression(
        *(
            np.where(where.reshape(-1, *(1,) * (after.ndim - 1)), after, before)
            for after, before in zip(new, old, strict=True)
        )
    )
