"""Scripted therapists, the baselines for trained policies.

A therapist is a callable on observations, of one client or of a batch. Some look into the client's mind: they must be
attached to the environment first, and an environment's observation is not enough for them. A therapist that remembers
forgets a client when the observation says that no session has been held yet.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from jimbot.errors import suggest
from jimbot.therapy.model.octants import complement
from jimbot.therapy.model.utilities import TherapyError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from jimbot.therapy.model.clients import ClientBatch

__all__ = [
    "THERAPISTS",
    "ComplementaryTherapist",
    "ConstantTherapist",
    "MindReader",
    "OptimalStaticTherapist",
    "RandomTherapist",
    "RowMaximumTherapist",
    "ScriptedTherapist",
    "Therapist",
    "create_therapist",
]


class Therapist(Protocol):
    """Maps observations to actions. A trained policy is a therapist too."""

    def __call__(self, observations: Mapping[str, Any], /) -> Any:
        """Return the action for an observation, or int64[clients] for a batch of observations."""
        ...


class ScriptedTherapist(ABC):
    """Base class of scripted therapists: an observation of one client is handled as a batch of one."""

    def __call__(self, observations: Mapping[str, Any]) -> Any:
        """Return the action for an observation, or int64[clients] for a batch of observations."""
        shown = np.asarray(observations["client_action"])
        held = np.asarray(observations["session_number"]).reshape(-1) > 0
        if shown.ndim == 0:
            return int(self.answer(shown.reshape(1), held)[0])
        return self.answer(shown, held)

    @abstractmethod
    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return actions, int64[clients], for the clients' octants; ``held`` is False in a client's first session."""


class RandomTherapist(ScriptedTherapist):
    """Plays uniformly random octants."""

    def __init__(self, seed: int = 0) -> None:
        self._rng = np.random.default_rng(seed)

    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Draw random octants."""
        del held
        return self._rng.integers(0, 8, len(shown))


class ComplementaryTherapist(ScriptedTherapist):
    """Always plays the complement of the client's octant: the baseline to beat."""

    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the octants with opposite dominance and equal warmth."""
        del held
        return complement(shown)


class ConstantTherapist(ScriptedTherapist):
    """Always plays the same octant."""

    def __init__(self, octant: int) -> None:
        if not 0 <= octant < 8:
            raise TherapyError(f"an octant is a whole number 0 to 7, got {octant}")
        self.octant = octant

    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the constant octant."""
        del held
        return np.full(len(shown), self.octant)


class MindReader(ScriptedTherapist):
    """A therapist with access to the clients' hidden state; ``attach`` it to their environment first."""

    _clients: ClientBatch | None = None

    def attach(self, env: Any) -> MindReader:
        """Read the hidden state of this environment's clients from now on."""
        clients = getattr(getattr(env, "unwrapped", env), "clients", None)
        if clients is None:
            raise TherapyError(f"expected a therapy environment, got {type(env).__name__}")
        self._clients = clients
        return self

    @property
    def clients(self) -> ClientBatch:
        """The clients of the attached environment."""
        if self._clients is None:
            raise TherapyError(
                f"a {type(self).__name__} reads the client's mind; attach it to an environment"
            )
        return self._clients


class OptimalStaticTherapist(MindReader):
    """Always plays the octant with the greatest mean utility."""

    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the best octant of each client."""
        del shown, held
        return self.clients.utilities.mean(axis=1).argmax(axis=0)


class RowMaximumTherapist(MindReader):
    """Plays the octant with the greatest utility for the client's current octant."""

    def answer(self, shown: NDArray[np.int64], held: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the octant of the greatest utility for each client's current octant."""
        del held
        return self.clients.utilities[:, shown, np.arange(len(shown))].argmax(axis=0)


# name -> module of this package, class, arguments
THERAPISTS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "random": ("scripted", "RandomTherapist", {}),
    "complementary": ("scripted", "ComplementaryTherapist", {}),
    "optimal_static": ("scripted", "OptimalStaticTherapist", {}),
    "row_maximum": ("scripted", "RowMaximumTherapist", {}),
    "plateau_window15": ("plateau", "PlateauTherapist", {"window": True}),
    "plateau_whole_history": ("plateau", "PlateauTherapist", {"window": False}),
    "preparing": ("preparation", "PreparingTherapist", {}),
    "planning": ("planning", "PlanningTherapist", {}),
    "omniscient_v1": ("omniscient_v1", "OmniscientTherapistV1", {}),
    "omniscient_v2": ("omniscient_v2", "OmniscientTherapistV2", {}),
    **{f"constant_{octant}": ("scripted", "ConstantTherapist", {"octant": octant}) for octant in range(8)},
}
"""Names ``create_therapist`` knows."""


def create_therapist(name: str, seed: int = 0, **parameters: Any) -> Therapist:
    """Create a scripted therapist by name.

    Args:
        name: one of ``THERAPISTS``.
        seed: decides the choices of the random one.
        parameters: of the therapist's class, in place of its defaults, such as ``accuracy`` and ``window`` of the
            omniscient ones.
    """
    if name not in THERAPISTS:
        raise TherapyError(f"unknown therapist '{name}'; {suggest(name, THERAPISTS)}")
    module, kind, arguments = THERAPISTS[name]
    made = getattr(import_module(f"jimbot.therapy.therapists.{module}"), kind)
    free = [each for each in signature(made).parameters if each not in (*arguments, "seed")]
    unknown = [each for each in parameters if each not in free]
    if unknown:
        raise TherapyError(
            f"the therapist '{name}' has no parameter '{unknown[0]}'; its parameters are {', '.join(free) or 'none'}"
        )
    if name == "random":
        arguments = {"seed": seed}
    return made(**arguments, **parameters)
