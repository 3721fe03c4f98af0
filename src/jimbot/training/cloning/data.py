"""Demonstrations as arrays to learn from: observations, labels, kinds of decisions and returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from jimbot.balatro.env.schema import view_arrays
from jimbot.training.cloning.episode_sources import vector_options
from jimbot.training.cloning.trajectories import NOT_A_LABEL, CloningError, Trajectory, replay
from jimbot.training.cloning.vector_collector import listed_in, rebuild_rows
from jimbot.training.envs.packing import Packing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from jimbot import _engine
    from jimbot.networks.normalizer import ObservationNormalizer

__all__ = ["Demonstrations", "split_trajectories"]


class Observations(Protocol):
    """Where the observations of decisions are kept."""

    def take(self, rows: NDArray[np.int64]) -> Any:
        """Those of some decisions, by name or as the one array; valid until the next call."""
        ...


@dataclass(frozen=True)
class PackedObservations:
    """Observations of any environment, packed in blocks.

    Attributes:
        packing: how they are packed.
        blocks: float32[decisions, width] and the like.
    """

    packing: Packing
    blocks: dict[str, NDArray[Any]]

    def take(self, rows: NDArray[np.int64]) -> Any:
        """Those of some decisions."""
        return self.packing.unpack({name: block[rows] for name, block in self.blocks.items()})

    @classmethod
    def of(cls, trajectories: Sequence[Trajectory]) -> PackedObservations:
        """What was seen where there is a label, by playing the episodes again."""
        packing = Packing(trajectories[0].source.env().observation_space)
        blocks = packing.empty(sum(int(labeled(each).sum()) for each in trajectories))
        row = 0
        for trajectory in trajectories:
            for observation, label in zip(replay(trajectory), trajectory.labels, strict=True):
                if label != NOT_A_LABEL:
                    packing.pack(
                        batch_of_one(observation),
                        {name: block[row : row + 1] for name, block in blocks.items()},
                    )
                    row += 1
        return cls(packing, blocks)


class EngineObservations:
    """Observations of Balatro, a tenth of their size until they are asked for.

    Args:
        listed: how many candidates they hold.
        stores: the engine's stores that hold them.
        owners: the store of every decision, by number.
        rows: its row there.
    """

    def __init__(
        self,
        listed: int,
        stores: Sequence[_engine.PackedRecords],
        owners: NDArray[np.int64],
        rows: NDArray[np.int64],
    ) -> None:
        self.listed, self.stores, self.owners, self.rows = listed, stores, owners, rows
        self._records = np.zeros((0, stores[0].record_size), np.uint8)

    def take(self, rows: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Those of some decisions: views of a buffer that the next call overwrites."""
        if len(self._records) < len(rows):
            self._records = np.zeros((len(rows), self._records.shape[1]), np.uint8)
        records = self._records[: len(rows)]
        owners, places = self.owners[rows], self.rows[rows]
        if len(self.stores) == 1:
            self.stores[0].unpack(places, records)
        else:
            for number, store in enumerate(self.stores):
                own = owners == number
                if own.any():
                    part = np.zeros((int(own.sum()), records.shape[1]), np.uint8)
                    store.unpack(places[own], part)
                    records[own] = part
        return view_arrays(records, self.listed)

    @classmethod
    def of(cls, trajectories: Sequence[Trajectory], options: dict[str, Any]) -> EngineObservations:
        """What was seen where there is a label; episodes whose observations are not at hand are played again."""
        missing = [each for each in trajectories if each.rows is None]
        rebuilt = iter(rebuild_rows(missing, options) if missing else [])
        kept = [each.rows if each.rows is not None else next(rebuilt) for each in trajectories]
        stores = list({id(each.store): each.store for each in kept}.values())
        numbers = {id(store): number for number, store in enumerate(stores)}
        rows = [each.rows[labeled(t)] for each, t in zip(kept, trajectories, strict=True)]
        owners = [np.full(len(part), numbers[id(each.store)]) for part, each in zip(rows, kept, strict=True)]
        return cls(listed_in(options), stores, np.concatenate(owners), np.concatenate(rows))


@dataclass
class Demonstrations:
    """Decisions with a label.

    Attributes:
        seen: their observations, not normalized.
        labels: the expert's indices, int64[decisions].
        kinds: numbers of kinds of decisions, uint8[decisions].
        kind_names: their names.
        returns: discounted sums of rewards from here on, float32[decisions].
    """

    seen: Observations
    labels: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    kind_names: tuple[str, ...]
    returns: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.labels)

    @classmethod
    def of(cls, trajectories: Sequence[Trajectory], discount: float = 1.0) -> Demonstrations:
        """What there is to learn from episodes."""
        if not any(labeled(each).any() for each in trajectories):
            raise CloningError(
                "there is nothing to learn from: the demonstrations hold no legal choice of the expert"
            )
        names = trajectories[0].kind_names
        if any(each.kind_names != names for each in trajectories):
            raise CloningError("the demonstrations are of different action spaces; clone from one at a time")
        columns = [(each, labeled(each)) for each in trajectories]
        chosen = [(t.labels[k], t.kinds[k], returns_of(t.rewards, discount)[k]) for t, k in columns]
        labels, kinds, returns = (np.concatenate(column) for column in zip(*chosen, strict=True))
        return cls(observations_of(trajectories), labels.astype(np.int64), kinds, names, returns)

    def observations(self, rows: NDArray[Any] | slice) -> Any:
        """Observations of some decisions, by name or as the one array; valid until the next call."""
        if isinstance(rows, slice):
            rows = np.arange(*rows.indices(len(self)))
        return self.seen.take(rows)

    def teach(self, normalizer: ObservationNormalizer, chunk: int = 4096) -> None:
        """Let a normalizer see every observation once."""
        for start in range(0, len(self), chunk):
            normalizer.update(self.observations(slice(start, start + chunk)))


def observations_of(trajectories: Sequence[Trajectory]) -> Observations:
    """Where the observations of labeled decisions are: the engine's store for plain Balatro, blocks for the rest."""
    descriptions = [each.source.description for each in trajectories]
    options = vector_options(descriptions[0])
    if options is not None and all(each == descriptions[0] for each in descriptions):
        return EngineObservations.of(trajectories, options)
    return PackedObservations.of(trajectories)


def labeled(trajectory: Trajectory) -> NDArray[np.bool_]:
    """Which decisions of an episode have a label, bool[steps]."""
    return trajectory.labels != NOT_A_LABEL


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
