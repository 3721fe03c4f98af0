"""Experts that label all games of a native vector at once.

``VectorExpert`` is what the collector asks. The scripted player is one, computed by the engine on its threads; an
expert that searches, and so knows how good every candidate is, may give probabilities beside its choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from jimbot import _engine
from jimbot.players.scripted_player import ScriptedPlayer
from jimbot.training.cloning.episode_sources import passes_through
from jimbot.training.cloning.experts import PlayerTeacher
from jimbot.training.cloning.trajectories import NOT_A_LABEL, CloningError

if TYPE_CHECKING:
    from typing import Any

    import gymnasium
    from numpy.typing import NDArray

    from jimbot.balatro.env.vector import BalatroVectorEnv

__all__ = [
    "EXACT",
    "ILLEGAL",
    "SUBSTITUTED",
    "UNEXPRESSED",
    "Labels",
    "ScriptedExpert",
    "VectorExpert",
    "labels_vectors",
    "vector_expert",
]

EXACT, SUBSTITUTED, UNEXPRESSED, ILLEGAL = range(len(_engine.expert_label_kinds))
"""What became of a choice, in ``Labels.found``."""


@dataclass(frozen=True)
class Labels:
    """What an expert would do in every game of a vector. Entries of games that were not asked for mean nothing.

    Attributes:
        actions: indices, int32[num_envs]; -1 where there is none.
        found: exact, substituted by the nearest action, not expressed at all, or illegal, uint8[num_envs].
        probabilities: how good the expert finds every action, float32[num_envs, actions] with rows that sum to 1, of
            experts that know more than their choice.
    """

    actions: NDArray[np.int32]
    found: NDArray[np.uint8]
    probabilities: NDArray[np.float32] | None = None


class VectorExpert(Protocol):
    """Labels the games of a vector."""

    def label(self, vector: BalatroVectorEnv, wanted: NDArray[np.uint8], *, follow: bool) -> Labels:
        """What the expert would do now.

        Args:
            vector: the games.
            wanted: 1 where a label is asked for, uint8[num_envs].
            follow: whether every label is taken, so that a choice of several indices goes on from call to call.
        """
        ...


class ScriptedExpert:
    """The scripted player, asked by the engine on the threads of the vector."""

    def __init__(self, player: ScriptedPlayer) -> None:
        self.weights = player.weights
        self._vector: BalatroVectorEnv | None = None
        self._labels: _engine.ExpertLabels | None = None

    def label(self, vector: BalatroVectorEnv, wanted: NDArray[np.uint8], *, follow: bool) -> Labels:
        """The scripted player's choices."""
        if self._labels is None or self._vector is not vector:
            self._vector, self._labels = vector, _engine.ExpertLabels(vector.runs, self.weights)
        actions = np.full(vector.num_envs, NOT_A_LABEL, np.int32)
        found = np.zeros(vector.num_envs, np.uint8)
        self._labels.label(wanted, follow, actions, found)
        return Labels(actions, found)


def labels_vectors(expert: Any) -> bool:
    """Whether something is an expert of whole vectors."""
    return callable(getattr(expert, "label", None))


def vector_expert(expert: Any, env: gymnasium.Env[Any, Any]) -> VectorExpert | None:
    """The expert that labels whole vectors as a teacher labels one environment; None if there is none.

    The environment must be Balatro that refuses illegal actions, within wrappers that never change its options.

    Args:
        expert: of whole vectors, or a teacher.
        env: where it plays.
    """
    plain = passes_through(env)
    if labels_vectors(expert):
        if not plain:
            raise CloningError(
                f"{type(expert).__name__} labels whole vectors, which needs Balatro with checked actions and no "
                "wrapper that changes it; give an expert with choose(game), or the plain environment"
            )
        return expert
    player = expert.player if isinstance(expert, PlayerTeacher) else None
    return ScriptedExpert(player) if plain and type(player) is ScriptedPlayer else None
