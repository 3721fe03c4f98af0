"""What a trainer needs of its environments: the one interface between environments and every backend.

A user never writes this class. What ``create_trainer`` accepts (a name, a Gymnasium environment, a function that makes
one, a vector of them) is wrapped by ``wrap_environments``, and ``unwrap_environments`` gives back the vector below.
A backend that runs its environments elsewhere (in Ray's processes, inside a compiled function) brings a class of its
own with these methods.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    import gymnasium
    import numpy as np
    from numpy.typing import NDArray

    from jimbot.networks.normalizer import ObservationNormalizer, RewardScaler

__all__ = ["Episode", "Step", "SteppedEnvironments", "TrainingEnvironments"]


@dataclass(frozen=True)
class Episode:
    """An episode that has ended.

    Attributes:
        reward: the sum of its rewards, before any scaling.
        length: its steps.
        stage: the curriculum's stage when it began.
        truncated: whether it was cut off.
        numbers: what the environment reports about it (won, ante, …; the parts of the reward as ``reward/<part>``).
    """

    reward: float
    length: int
    stage: int
    truncated: bool
    numbers: dict[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True)
class Step:
    """The result of one step: arrays of ``num_envs`` rows that stay valid until the next step.

    ``final`` holds, in the rows of environments whose episode ended, its last observation; other rows mean nothing.
    """

    observation: Any
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    final: Any


class TrainingEnvironments(Protocol):
    """Environments side by side, wherever they run. Ended episodes start again within the same step."""

    @property
    def num_envs(self) -> int:
        """How many there are."""
        ...

    @property
    def observation_space(self) -> gymnasium.Space[Any]:
        """Of one environment."""
        ...

    @property
    def action_space(self) -> gymnasium.Space[Any]:
        """Of one environment."""
        ...

    @property
    def normalizer(self) -> ObservationNormalizer | None:
        """The running statistics that observations are normalized by; None if they are left as they are."""
        ...

    @normalizer.setter
    def normalizer(self, given: ObservationNormalizer | None, /) -> None: ...

    @property
    def stage(self) -> int:
        """The stage of the curriculum that episodes begin in now."""
        ...

    def reset(self) -> Any:
        """Start all environments; the first observation."""
        ...

    def observation(self) -> Any:
        """The observation after the last reset, step or restore; None before the first."""
        ...

    def drain(self) -> list[Episode]:
        """The episodes that ended since the last call."""
        ...

    def has(self, method: str) -> bool:
        """Whether every environment has a method of this name."""
        ...

    def tell(self, method: str, value: Any, stage: int) -> None:
        """Call a method of every environment; episodes that begin from then on are of this stage."""
        ...

    def snapshot(self) -> dict[str, Any]:
        """Everything needed to continue from here, as plain data and arrays."""
        ...

    def restore(self, tree: Mapping[str, Any]) -> Any:
        """Restore a snapshot; the observation of that moment."""
        ...

    def close(self) -> None:
        """Release the environments."""
        ...


class SteppedEnvironments(TrainingEnvironments, Protocol):
    """Environments that a trainer steps itself."""

    @property
    def scaler(self) -> RewardScaler | None:
        """What rewards are scaled by; None if they are left as they are."""
        ...

    def step(self, actions: NDArray[Any]) -> Step:
        """Take one action in each environment."""
        ...
