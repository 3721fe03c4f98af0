"""A therapist that prepares the client's turn away from coldness, using documented observations only.

A client takes half of the answers for what it is used to. Used to the complement of cold dominance or cold submission,
it takes the answer to its first warm act for coldness, which hurts, and turns back. One step further along the circle
is an answer that is worth a little less now but does not hurt then: the complement of plain dominance or submission.
When the bad past has faded, this therapist makes the client used to that answer, and gives as many complementary ones
as the habit allows, for satisfaction has to stay up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.therapy.model.octants import complement
from jimbot.therapy.therapists.impression_therapist import ImpressionTherapist

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jimbot.therapy.therapists.impressions import Impression

__all__ = ["LEAD", "START", "PreparingTherapist", "prepare_answers"]

START = 34
"""Sessions held before the preparation begins: earlier, the past weighs too much for a client to turn at all."""
LEAD = 6.0
"""Of the last 15 answers as the client is likely to have perceived them: by how many the habit is to be ahead."""
COLD_SUBMISSIVE, COLD_DOMINANT = 5, 7
DOMINANT, SUBMISSIVE = 0, 4


def prepare_answers(xp: Any, seen: Impression, shown: Any, start: float = START, lead: float = LEAD) -> Any:
    """Return the therapist's actions, int[...], for clients with these octants and impressions.

    Args:
        xp: ``numpy`` or ``jax.numpy``.
        seen: of the sessions so far.
        shown: what the clients show now, int[...].
        start: sessions before the preparation begins.
        lead: how far ahead the habit is to be.
    """
    usual = complement(shown)
    habit = xp.where(shown == COLD_DOMINANT, SUBMISSIVE, DOMINANT)
    counts = seen.perceived.sum(axis=-2)
    octants = xp.arange(8)
    ahead = ((octants == habit[..., None]) * counts).sum(axis=-1)
    ahead = ahead - ((octants == usual[..., None]) * counts).sum(axis=-1)
    turns = (shown == COLD_DOMINANT) | (shown == COLD_SUBMISSIVE)
    return xp.where(turns & (seen.sessions >= start) & (ahead <= lead), habit, usual)


class PreparingTherapist(ImpressionTherapist):
    """Plays complements, except while it prepares the client's turn.

    Args:
        start: sessions before the preparation begins.
        lead: how far ahead of the complement the habit is to be, of 15.
        accuracy: how likely clients are to see what the therapist does.
        max_sessions: of the environment.
    """

    def __init__(
        self, start: float = START, lead: float = LEAD, *, accuracy: float = 0.5, max_sessions: int = 100
    ) -> None:
        super().__init__(complement, accuracy=accuracy, max_sessions=max_sessions)
        self.start, self.lead = start, lead

    def choose_answers(self, seen: Impression, shown: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return complements, or the action that is to become the habit."""
        return prepare_answers(np, seen, shown, self.start, self.lead)
