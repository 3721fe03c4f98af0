"""Demonstrations on the native vector: an expert labels all games at once, and plays them or watches a learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.balatro.env.options import EnvOptions
from jimbot.balatro.game.actions import ActionKind
from jimbot.training.cloning.action_labels import slot_kinds
from jimbot.training.cloning.trajectories import NOT_A_LABEL, CloningError, Trajectory, different
from jimbot.training.cloning.vector_episodes import EpisodeRows, Turn, create_store, play_episodes
from jimbot.training.cloning.vector_experts import ILLEGAL, SUBSTITUTED, UNEXPRESSED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from jimbot.training.cloning.episode_sources import EpisodeSource
    from jimbot.training.cloning.vector_episodes import PlayedEpisode
    from jimbot.training.cloning.vector_experts import VectorExpert
    from jimbot.training.envs.evaluation import BatchPolicy

    Progress = Callable[[int, int], None]

__all__ = ["VectorCollector", "kinds_of_decisions", "rebuild_rows"]


class VectorCollector:
    """Collects what the single environment would, many games at a time.

    Args:
        expert: labels the games.
        source: where they are played.
        options: the same as options of a vector.
        kind_names: names of the kinds of decisions.
        threads: of the engine.
        illegal: ``replace`` or ``raise``, if the expert chooses what is not legal.
    """

    def __init__(
        self,
        expert: VectorExpert,
        source: EpisodeSource,
        options: dict[str, Any],
        kind_names: tuple[str, ...],
        *,
        threads: int = 1,
        illegal: str = "replace",
    ) -> None:
        self.expert, self.source, self.options = expert, source, options
        self.kind_names, self.threads, self.illegal = kind_names, threads, illegal
        self.store = create_store(listed_in(options))

    def collect(
        self, seeds: Sequence[int], policy: BatchPolicy | None, progress: Progress | None = None
    ) -> list[Trajectory]:
        """An episode on each seed, played by the expert or, if there is one, by a policy."""
        chooser = Labeller(self, seeds, policy)
        played = play_episodes(
            self.options, seeds, chooser, threads=self.threads, store=self.store, progress=progress
        )
        return [self._trajectory(seed, episode) for seed, episode in zip(seeds, played, strict=True)]

    def _trajectory(self, seed: int, episode: PlayedEpisode) -> Trajectory:
        columns = episode.columns
        found = columns["found"]
        return Trajectory(
            seed=seed,
            actions=columns["actions"].astype(np.int32),
            labels=columns["labels"],
            rewards=columns["rewards"],
            kinds=columns["kinds"],
            kind_names=self.kind_names,
            numbers=episode.numbers,
            source=self.source,
            replaced=int((found == ILLEGAL).sum()),
            substituted=int((found == SUBSTITUTED).sum()),
            unexpressed=int((found == UNEXPRESSED).sum()),
            truncated=episode.truncated,
            digest=episode.digest,
            rows=episode.rows,
        )


class Labeller:
    """Asks the expert at every turn, and does what it or the policy says."""

    def __init__(self, collector: VectorCollector, seeds: Sequence[int], policy: BatchPolicy | None) -> None:
        self.collector, self.seeds, self.policy = collector, seeds, policy
        self.kinds_of = kinds_of_decisions(listed_in(collector.options))
        self.draws: dict[int, np.random.Generator] = {}

    def __call__(self, turn: Turn) -> dict[str, NDArray[Any]]:
        """The actions of a turn, the expert's labels, and what became of its choices."""
        given = self.collector.expert.label(turn.vector, turn.wanted, follow=self.policy is None)
        labels, found = given.actions[turn.games], given.found[turn.games]
        if self.collector.illegal == "raise" and (found == ILLEGAL).any():
            place = int((found == ILLEGAL).argmax())
            raise CloningError(
                f"the expert's choice at step {int(turn.steps[place]) + 1} of seed "
                f"{self.seeds[int(turn.episodes[place])]} is not legal; legal choices are told by "
                "observation['action_mask']"
            )
        actions = labels.astype(np.int64)
        if self.policy is not None:
            seen = {name: np.ascontiguousarray(each[turn.games]) for name, each in turn.observation.items()}
            actions = np.asarray(self.policy(seen), np.int64)
        else:
            self._replace(turn, actions)
        kinds = self.kinds_of(turn, np.where(labels == NOT_A_LABEL, actions, labels))
        return {"actions": actions, "labels": labels, "found": found, "kinds": kinds}

    def _replace(self, turn: Turn, actions: NDArray[np.int64]) -> None:
        """Random legal actions where the expert has none, drawn by a generator of the episode's own."""
        for place in np.flatnonzero(actions == NOT_A_LABEL).tolist():
            episode = int(turn.episodes[place])
            if episode not in self.draws:
                self.draws[episode] = np.random.default_rng(self.seeds[episode])
            mask = turn.observation["action_mask"][turn.games[place]]
            actions[place] = self.draws[episode].choice(np.flatnonzero(mask))


def kinds_of_decisions(listed: int) -> Callable[[Turn, NDArray[np.int64]], NDArray[np.uint8]]:
    """The kinds of actions in the games of a turn, uint8[games], as ``decision_kinds`` numbers them.

    Args:
        listed: how many candidates there are; 0 with the fixed actions.
    """
    if listed:
        count = len(ActionKind)

        def of_candidates(turn: Turn, actions: NDArray[np.int64]) -> NDArray[np.uint8]:
            return turn.observation["candidates"][turn.games, actions, :count].argmax(1).astype(np.uint8)

        return of_candidates
    kinds = slot_kinds()
    names = tuple(dict.fromkeys(kinds))
    numbers = np.array([names.index(kind) for kind in kinds], np.uint8)
    return lambda _, actions: numbers[actions]


def listed_in(options: Mapping[str, Any]) -> int:
    """How many candidates the observations of a vector with these options hold."""
    return EnvOptions.of(options).num_candidates


def rebuild_rows(
    trajectories: Sequence[Trajectory], options: dict[str, Any], threads: int = 1
) -> list[EpisodeRows]:
    """The observations of episodes, by playing them again; an episode that goes another way raises."""
    flat = np.concatenate([each.actions for each in trajectories]).astype(np.int64)
    lengths = np.array([len(each) for each in trajectories])
    starts = np.cumsum(lengths) - lengths

    def choose(turn: Turn) -> dict[str, NDArray[Any]]:
        late = turn.steps >= lengths[turn.episodes]
        if late.any():
            episode = int(turn.episodes[int(late.argmax())])
            raise different(trajectories[episode], int(lengths[episode]) - 1)
        return {"actions": flat[starts[turn.episodes] + turn.steps]}

    seeds = [each.seed for each in trajectories]
    store = create_store(listed_in(options))
    played = play_episodes(options, seeds, choose, threads=threads, store=store)
    found: list[EpisodeRows] = []
    for trajectory, episode in zip(trajectories, played, strict=True):
        steps = len(episode.columns["actions"])
        if steps != len(trajectory) or episode.digest != trajectory.digest or episode.rows is None:
            raise different(trajectory, steps - 1)
        found.append(episode.rows)
    return found
