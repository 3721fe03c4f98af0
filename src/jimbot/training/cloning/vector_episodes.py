"""Episodes of Balatro on the native vector: many games side by side, each on a seed of its own, to their ends.

What an episode is does not depend on how many games are played beside it, nor on the number of threads: it is the
episode that the single environment plays after ``reset(seed=...)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from jimbot import _engine
from jimbot.balatro.env.schema import observation_dtype
from jimbot.balatro.env.vector import BalatroVectorEnv

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    Progress = Callable[[int, int], None]

__all__ = ["Chooser", "EpisodeRows", "PlayedEpisode", "Turn", "create_store", "play_episodes"]

SIDE_BY_SIDE = 64
"""Games that are stepped together, at most."""
NOT_TOLD = "ending"
"""A number of the engine that the single environment tells as a word."""


@dataclass(frozen=True)
class EpisodeRows:
    """The observations of an episode, kept in little memory.

    Attributes:
        store: holds those of many episodes.
        rows: this episode's, in order, int64[steps].
    """

    store: _engine.PackedRecords
    rows: NDArray[np.int64]


@dataclass(frozen=True)
class Turn:
    """What there is to decide: one action in each of some games.

    Attributes:
        vector: the games.
        wanted: 1 for those in which an episode goes on, uint8[num_envs].
        games: their places, int64[games].
        episodes: numbers of their episodes, int64[games].
        steps: steps taken in them so far, int64[games].
        observation: what all games show, by name, [num_envs, ...] each: views that the next step overwrites.
    """

    vector: BalatroVectorEnv
    wanted: NDArray[np.uint8]
    games: NDArray[np.int64]
    episodes: NDArray[np.int64]
    steps: NDArray[np.int64]
    observation: Mapping[str, NDArray[Any]]


class Chooser(Protocol):
    """Says what to do, and what to note about it."""

    def __call__(self, turn: Turn, /) -> dict[str, NDArray[Any]]:
        """Columns with an entry per game of the turn; ``actions`` is taken, all are kept."""
        ...


@dataclass(frozen=True)
class PlayedEpisode:
    """An episode that was played to its end.

    Attributes:
        columns: what the chooser noted, and ``rewards``, one entry per step.
        numbers: what the environment told at the end.
        truncated: whether it was cut off.
        digest: checksum of every observation, as ``digest_of`` has it.
        rows: its observations, if they were kept.
    """

    columns: dict[str, NDArray[Any]]
    numbers: dict[str, float]
    truncated: bool
    digest: int
    rows: EpisodeRows | None


def play_episodes(
    options: Mapping[str, Any],
    seeds: Sequence[int],
    choose: Chooser,
    *,
    threads: int = 1,
    store: _engine.PackedRecords | None = None,
    progress: Progress | None = None,
) -> list[PlayedEpisode]:
    """Play an episode on each seed, in any order, and give them in the order of the seeds.

    Args:
        options: of the environment.
        seeds: what the single environment would be reset with.
        choose: says what to do.
        threads: of the engine.
        store: takes the observations; without one they are not kept.
        progress: called with episodes done and asked for.
    """
    games = min(SIDE_BY_SIDE, len(seeds))
    vector = BalatroVectorEnv(games, threads=threads, **options)
    try:
        return Player(vector, seeds, store).play(choose, progress)
    finally:
        vector.close()


class Player:
    """Plays episodes on a vector: wherever one ends, the next begins."""

    def __init__(
        self, vector: BalatroVectorEnv, seeds: Sequence[int], store: _engine.PackedRecords | None
    ) -> None:
        self.vector, self.seeds, self.store = vector, list(seeds), store
        count = vector.num_envs
        self.observation, _ = vector.reset(seed=self.seeds[:count])
        self.wanted = np.ones(count, np.uint8)
        self.episodes = np.arange(count)
        self.steps = np.zeros(count, np.int64)
        self.digests = np.zeros(count, np.uint32)
        self.begun = count
        self.log: list[dict[str, NDArray[Any]]] = []
        self.ends: dict[int, tuple[dict[str, float], bool, int]] = {}
        _engine.digest_records(vector.runs, self.wanted, self.digests)

    def play(self, choose: Chooser, progress: Progress | None) -> list[PlayedEpisode]:
        """All episodes."""
        actions = np.zeros(self.vector.num_envs, np.int64)
        while len(self.ends) < len(self.seeds):
            games = np.flatnonzero(self.wanted)
            episodes, steps = self.episodes[games], self.steps[games]
            chosen = choose(Turn(self.vector, self.wanted, games, episodes, steps, self.observation))
            noted = {"episode": episodes, **chosen}
            if self.store is not None:
                first = self.store.rows
                self.store.append(self.vector.runs, self.wanted)
                noted["row"] = np.arange(first, self.store.rows)
            actions[:] = -1  # no action: games without an episode stand still
            actions[games] = chosen["actions"]
            _, rewards, terminated, truncated, _ = self.vector.step(actions)
            _engine.digest_records(self.vector.runs, self.wanted, self.digests)
            noted["rewards"] = rewards[games].copy()
            self.log.append(noted)
            self.steps[games] += 1
            ended = games[(terminated | truncated)[games]]
            if len(ended):
                self._finish(ended, truncated)
                if progress is not None:
                    progress(len(self.ends), len(self.seeds))
        return self._episodes()

    def _finish(self, ended: NDArray[np.int64], truncated: NDArray[np.bool_]) -> None:
        """Note how episodes ended, and begin others in their places."""
        for game in ended.tolist():
            numbers = self.vector.final_numbers(game)
            self.ends[int(self.episodes[game])] = (
                {name: value for name, value in numbers.items() if name != NOT_TOLD},
                bool(truncated[game]),
                int(self.digests[game]),
            )
        begin = ended[: len(self.seeds) - self.begun]
        self.wanted[ended[len(begin) :]] = 0
        if not len(begin):
            return
        numbers_of = np.arange(self.begun, self.begun + len(begin))
        self.begun += len(begin)
        self.vector.restart(begin.tolist(), [self.seeds[number] for number in numbers_of])
        self.episodes[begin], self.steps[begin], self.digests[begin] = numbers_of, 0, 0
        fresh = np.zeros_like(self.wanted)
        fresh[begin] = 1
        _engine.digest_records(self.vector.runs, fresh, self.digests)

    def _episodes(self) -> list[PlayedEpisode]:
        """What was noted turn by turn, put together by episode."""
        whole = {name: np.concatenate([noted[name] for noted in self.log]) for name in self.log[0]}
        self.log.clear()
        order = np.argsort(whole["episode"], kind="stable")
        bounds = np.cumsum(np.bincount(whole.pop("episode"), minlength=len(self.seeds)))[:-1]
        columns = {name: np.split(values[order], bounds) for name, values in whole.items()}
        rows = columns.pop("row", None)
        found: list[PlayedEpisode] = []
        for episode in range(len(self.seeds)):
            numbers, truncated, digest = self.ends[episode]
            own = {name: parts[episode] for name, parts in columns.items()}
            kept = None
            if self.store is not None and rows is not None:
                kept = EpisodeRows(self.store, rows[episode])
            found.append(PlayedEpisode(own, numbers, truncated, digest, kept))
        return found


def create_store(listed: int) -> _engine.PackedRecords:
    """A store for observations with so many candidates (0: the fixed actions)."""
    return _engine.PackedRecords(observation_dtype(listed).itemsize)
