"""Demonstrations as arrays to learn from: packed observations, labels, kinds of decisions and returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.training.cloning.trajectories import NOT_A_LABEL, CloningError, Trajectory, replay
from jimbot.training.envs.packing import Packing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from jimbot.networks.normalizer import ObservationNormaliser

__all__ = ["Demonstrations", "split_trajectories"]


@dataclass
class Demonstrations:
    """Decisions with a label, one row each.

    Attributes:
        packing: how observations are packed.
        blocks: packed observations, not normalised, [rows, width] each.
        labels: the expert's indices, int64[rows].
        kinds: numbers of kinds of decisions, uint8[rows].
        kind_names: their names.
        returns: discounted sums of rewards from here on, float32[rows].
    """

    packing: Packing
    blocks: dict[str, NDArray[Any]]
    labels: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    kind_names: tuple[str, ...]
    returns: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def of(cls, trajectories: Sequence[Trajectory], discount: float = 1.0) -> Demonstrations:
        """Play the episodes again and keep what was seen where there is a label."""
        rows = sum(int((each.labels != NOT_A_LABEL).sum()) for each in trajectories)
        if not rows:
            raise CloningError(
                "there is nothing to learn from: the demonstrations hold no legal choice of the expert"
            )
        names = trajectories[0].kind_names
        if any(each.kind_names != names for each in trajectories):
            raise CloningError("the demonstrations are of different action spaces; clone from one at a time")
        packing = Packing(trajectories[0].source.env().observation_space)
        blocks = packing.empty(rows)
        row = 0
        for trajectory in trajectories:
            for observation, label in zip(replay(trajectory), trajectory.labels, strict=True):
                if label != NOT_A_LABEL:
                    packing.pack(
                        batch_of_one(observation),
                        {name: block[row : row + 1] for name, block in blocks.items()},
                    )
                    row += 1
        kept = [each.labels != NOT_A_LABEL for each in trajectories]
        columns = zip(trajectories, kept, strict=True)
        chosen = [(t.labels[k], t.kinds[k], returns_of(t.rewards, discount)[k]) for t, k in columns]
        labels, kinds, returns = (np.concatenate(column) for column in zip(*chosen, strict=True))
        return cls(packing, blocks, labels.astype(np.int64), kinds, names, returns)

    def observations(self, rows: NDArray[Any] | slice) -> Any:
        """Observations of some rows, by name or as the one array."""
        return self.packing.unpack({name: block[rows] for name, block in self.blocks.items()})

    def teach(self, normaliser: ObservationNormaliser, chunk: int = 4096) -> None:
        """Let a normaliser see every observation once."""
        for start in range(0, len(self), chunk):
            normaliser.update(self.observations(slice(start, start + chunk)))


def batch_of_one(observation: Any) -> Any:
    """One observation as a batch."""
    if isinstance(observation, dict):
        return {name: np.asarray(part)[None] for name, part in cast("dict[str, Any]", observation).items()}
    return np.asarray(observation)[None]


def returns_of(rewards: NDArray[np.float32], discount: float) -> NDArray[np.float32]:
    """Discounted sums of rewards from every step to the end, float32[steps]."""
    found = np.zeros(len(rewards), np.float64)
    following = 0.0
    for step in range(len(rewards) - 1, -1, -1):
        following = float(rewards[step]) + discount * following
        found[step] = following
    return found.astype(np.float32)


def split_trajectories(
    trajectories: Sequence[Trajectory], share: float, generator: np.random.Generator
) -> tuple[list[Trajectory], list[Trajectory]]:
    """Whole episodes to learn from and to validate on; a single episode is only learned from."""
    count = min(max(round(share * len(trajectories)), 1 if share > 0 else 0), len(trajectories) - 1)
    held = set(generator.permutation(len(trajectories))[:count].tolist())
    return (
        [each for number, each in enumerate(trajectories) if number not in held],
        [each for number, each in enumerate(trajectories) if number in held],
    )
