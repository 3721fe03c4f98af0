"""Demonstrations as data: an episode is the seed that started it and the indices that were taken.

Observations are not kept. They are rebuilt by playing the episode again, which is fast, exact, and checked: a digest of
every observation was taken when the episode was first played.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from jimbot.training.cloning.episode_sources import EpisodeSource
    from jimbot.training.cloning.vector_episodes import EpisodeRows

__all__ = [
    "CloningError",
    "Trajectory",
    "Transition",
    "different",
    "digest_of",
    "filter_trajectories",
    "replay",
]

NOT_A_LABEL = -1
"""Where the expert's choice cannot be learned: the episode went on with something that was not its choice."""


class CloningError(JimbotError, ValueError):
    """Demonstrations that cannot be made, read, played again or learned from."""


@dataclass(frozen=True)
class Transition:
    """One decision.

    Attributes:
        observation: what was seen.
        action: the index that was taken.
        reward: what it gave.
        next_observation: what was seen after it.
        done: whether the episode ended with it.
        expert_action: the index the expert chose; -1 if its choice cannot be expressed.
    """

    observation: Any
    action: int
    reward: float
    next_observation: Any
    done: bool
    expert_action: int


@dataclass(frozen=True)
class Trajectory:
    """One episode.

    Attributes:
        seed: what the environment was reset with.
        actions: indices taken, int32[steps].
        labels: indices the expert chose, int32[steps]; -1 where there is nothing to learn.
        rewards: float32[steps].
        kinds: number of each decision's kind in ``kind_names``, uint8[steps].
        kind_names: names of kinds of decisions.
        numbers: what the environment told at the end: won, ante, blinds, …
        replaced: illegal choices of the expert, for which a legal one was drawn.
        substituted: choices for which the nearest action of the environment stands.
        unexpressed: choices the environment has nothing for.
        truncated: whether the episode was cut off.
        digest: checksum of every observation, so that playing again is known to be the same.
        source: the environment the episode was played in.
        rows: the observations, where they are at hand without playing again.
    """

    seed: int
    actions: NDArray[np.int32]
    labels: NDArray[np.int32]
    rewards: NDArray[np.float32]
    kinds: NDArray[np.uint8]
    kind_names: tuple[str, ...]
    numbers: dict[str, float]
    source: EpisodeSource = field(repr=False, compare=False)
    replaced: int = 0
    substituted: int = 0
    unexpressed: int = 0
    truncated: bool = False
    digest: int = 0
    rows: EpisodeRows | None = field(default=None, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def total_reward(self) -> float:
        """The sum of the rewards."""
        return float(self.rewards.sum(dtype=np.float64))

    @property
    def won(self) -> bool:
        """Whether the environment says that the episode was won."""
        return self.numbers.get("won", 0.0) > 0

    @property
    def transitions(self) -> list[Transition]:
        """Every decision with its observations, rebuilt by playing the episode again."""
        seen = list(replay(self, keep_last=True))
        return [
            Transition(
                seen[step],
                int(self.actions[step]),
                float(self.rewards[step]),
                seen[step + 1],
                step == len(self) - 1,
                int(self.labels[step]),
            )
            for step in range(len(self))
        ]


def replay(trajectory: Trajectory, *, keep_last: bool = False) -> Iterator[Any]:
    """The observations of an episode in order, without the last unless asked; anything that differs raises."""
    env = trajectory.source.env()
    observation, _ = env.reset(seed=trajectory.seed)
    checksum, total = digest_of(observation), 0.0
    for step, action in enumerate(trajectory.actions):
        yield observation
        observation, reward, terminated, truncated, _ = env.step(int(action))
        checksum, total = digest_of(observation, checksum), total + float(reward)
        if (terminated or truncated) != (step == len(trajectory) - 1):
            raise different(trajectory, step)
    if checksum != trajectory.digest:
        raise different(trajectory, len(trajectory) - 1)
    if keep_last:
        yield observation


def different(trajectory: Trajectory, step: int) -> CloningError:
    """What is said when an episode cannot be played again."""
    return CloningError(
        f"the episode of seed {trajectory.seed} went another way by step {step + 1} when played again: the environment "
        "is another version, has other options, or is not determined by its seed; collect the demonstrations anew"
    )


def digest_of(observation: Any, before: int = 0) -> int:
    """CRC-32 of an observation's arrays, following on another."""
    if isinstance(observation, dict):
        parts = cast("dict[str, Any]", observation)
        for name in sorted(parts):
            before = zlib.crc32(np.ascontiguousarray(parts[name]).tobytes(), before)
        return before
    return zlib.crc32(np.ascontiguousarray(observation).tobytes(), before)


def filter_trajectories(
    trajectories: Iterable[Trajectory],
    *,
    min_return: float | None = None,
    min_ante: int | None = None,
    won: bool | None = None,
    best_share: float | None = None,
    where: Callable[[Trajectory], bool] | None = None,
) -> list[Trajectory]:
    """The episodes that pass every condition given.

    Args:
        trajectories: to choose from.
        min_return: smallest sum of rewards.
        min_ante: smallest last ante; episodes of environments without antes do not pass.
        won: won ones only, or lost ones only.
        best_share: of those that passed, this share with the highest sums of rewards; at least one.
        where: any condition of your own.
    """
    kept = [
        each
        for each in trajectories
        if (min_return is None or each.total_reward >= min_return)
        and (min_ante is None or each.numbers.get("ante", -1.0) >= min_ante)
        and (won is None or each.won == won)
        and (where is None or where(each))
    ]
    if best_share is None:
        return kept
    if not 0.0 < best_share <= 1.0:
        raise CloningError(f"best_share must be above 0 and at most 1, got {best_share}")
    ranked = sorted(kept, key=lambda each: -each.total_reward)
    chosen = ranked[: max(1, round(best_share * len(ranked)))]
    return [each for each in kept if any(each is other for other in chosen)]


def is_discrete(space: gymnasium.Space[Any]) -> bool:
    """Whether actions are indices from 0."""
    return isinstance(space, gymnasium.spaces.Discrete) and int(space.start) == 0
