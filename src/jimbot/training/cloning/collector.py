"""Playing episodes to learn from: the expert plays, or the learner plays and the expert says what it would do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.statistics.evaluation_sets import FIRST_EVALUATION_SEED
from jimbot.training.cloning.episode_sources import EpisodeSource, vector_options
from jimbot.training.cloning.experts import Teacher, create_teacher, decision_kinds
from jimbot.training.cloning.trajectories import NOT_A_LABEL, CloningError, Trajectory, digest_of, is_discrete
from jimbot.training.cloning.vector_collector import VectorCollector
from jimbot.training.cloning.vector_experts import labels_vectors, vector_expert
from jimbot.training.envs.evaluation import single_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    import gymnasium
    from numpy.typing import NDArray

    from jimbot.training.cloning.vector_experts import VectorExpert
    from jimbot.training.envs.evaluation import BatchPolicy

    Progress = Callable[[int, int], None]

__all__ = ["TrajectoryCollector"]

MASK = "action_mask"


class TrajectoryCollector:
    """Collects demonstrations of an expert.

    A choice of the expert that is not legal is replaced by a legal one drawn at random, counted, and not learned from;
    with ``illegal="raise"`` it is an error. An environment that takes illegal actions itself (``checked=False``) gets
    them as they are.

    Args:
        expert: a player's name (``"scripted"``), the path of a saved policy, a player (``choose(game)``), a function of
            the observation, or an expert of whole vectors (``vector_experts.VectorExpert``).
        env: where it plays.
        seed: decides the episodes; they are never evaluation episodes.
        illegal: ``replace`` or ``raise``.
        threads: of the engine, where it plays.

    On plain Balatro the scripted player is asked by the engine, for many games at once. Other players and functions
    are asked one game at a time.
    """

    def __init__(
        self,
        expert: Any,
        env: gymnasium.Env[Any, Any],
        *,
        seed: int = 0,
        illegal: str = "replace",
        threads: int = 1,
    ) -> None:
        if illegal not in ("replace", "raise"):
            raise CloningError(f"illegal must be replace or raise, got {illegal!r}")
        if not is_discrete(env.action_space):
            raise CloningError(f"demonstrations need a Discrete action space, got {env.action_space}")
        self.env = env
        self.illegal = illegal
        self.threads = threads
        self._teacher = None if labels_vectors(expert) else create_teacher(expert, env)
        self._vector_expert = vector_expert(expert if self._teacher is None else self._teacher, env)
        self.generator = np.random.default_rng(seed)
        self.source = EpisodeSource.of(env)
        self._vector_collector: VectorCollector | None = None
        self.kind_names, self._kind_of = decision_kinds(env)
        self._tolerant = getattr(env.unwrapped, "checked", True) is False

    @property
    def teacher(self) -> Teacher:
        """The expert as something that gives advice on one game."""
        if self._teacher is None:
            raise CloningError(f"{type(self._vector_expert).__name__} labels whole vectors, not single games")
        return self._teacher

    def collect(self, n_episodes: int = 100, progress: Progress | None = None) -> list[Trajectory]:
        """Episodes of the expert; a second call gives further ones.

        Args:
            n_episodes: how many.
            progress: called with episodes done and asked for.
        """
        return self._episodes(n_episodes, None, progress)

    def relabel(
        self,
        policy: Callable[[Any], int],
        n_episodes: int,
        progress: Progress | None = None,
        *,
        batch_policy: BatchPolicy | None = None,
    ) -> list[Trajectory]:
        """Episodes a learner plays, labeled with what the expert would have done in each state (DAgger).

        Args:
            policy: the learner, for one observation.
            n_episodes: how many.
            progress: called with episodes done and asked for.
            batch_policy: the same learner for many observations at once, which is faster where games are played side
                by side.
        """
        return self._episodes(n_episodes, policy, progress, batch_policy)

    def _episodes(
        self,
        n_episodes: int,
        policy: Callable[[Any], int] | None,
        progress: Progress | None,
        batch_policy: BatchPolicy | None = None,
    ) -> list[Trajectory]:
        if n_episodes < 1:
            raise CloningError(f"n_episodes must be at least 1, got {n_episodes}")
        seeds = [int(self.generator.integers(FIRST_EVALUATION_SEED)) for _ in range(n_episodes)]
        if not self.source.same_as(self.env):
            self.source, self._vector_collector = EpisodeSource.of(self.env), None
        if self._vector_expert is not None:
            together = batch_policy if batch_policy is not None else one_by_one(policy)
            return self._on_vector(self._vector_expert).collect(seeds, together, progress)
        found: list[Trajectory] = []
        for number, seed in enumerate(seeds, start=1):
            found.append(self._episode(seed, policy))
            if progress is not None:
                progress(number, n_episodes)
        return found

    def _on_vector(self, expert: VectorExpert) -> VectorCollector:
        """The collector that plays many games at once; it keeps what it has seen."""
        if self._vector_collector is None:
            options = vector_options(self.source.description)
            assert options is not None  # otherwise there would be no such expert
            self._vector_collector = VectorCollector(
                expert, self.source, options, self.kind_names, threads=self.threads, illegal=self.illegal
            )
        return self._vector_collector

    def _episode(self, seed: int, policy: Callable[[Any], int] | None) -> Trajectory:
        draws = np.random.default_rng(seed)
        observation, _ = self.env.reset(seed=seed)
        self.teacher.begin()
        record = Record(digest_of(observation))
        plan: list[int] = []
        while True:
            exact = True
            if not plan:
                advice = self.teacher.advise(observation)
                plan, exact = list(advice.indices), advice.exact
            legal = None if self._tolerant else mask_of(self.env, observation)
            label = self._checked(plan, legal, seed, record)
            taken = int(policy(observation)) if policy is not None else label
            if taken == NOT_A_LABEL:
                taken = int(draws.choice(np.flatnonzero(legal))) if legal is not None else 0
            kind = self._kind_of(observation, label if label != NOT_A_LABEL else taken)
            plan = plan[1:] if policy is None and label != NOT_A_LABEL else []
            observation, reward, terminated, truncated, info = self.env.step(taken)
            self.teacher.see(taken)
            record.add(taken, label, float(reward), kind, exact, digest_of(observation, record.digest))
            if terminated or truncated:
                return record.trajectory(seed, self, truncated and not terminated, info)

    def _checked(self, plan: list[int], legal: NDArray[np.bool_] | None, seed: int, record: Record) -> int:
        """The label of the plan's first index; what the environment refuses is none."""
        count = int(cast("Any", self.env.action_space).n)
        if not plan:
            record.unexpressed += 1
            return NOT_A_LABEL
        label = plan[0]
        if 0 <= label < count and (legal is None or legal[label]):
            return label
        if self.illegal == "raise" or legal is None:
            raise CloningError(
                f"the expert chose {label} at step {len(record.actions) + 1} of seed {seed}, which is not legal; legal "
                "choices are told by observation['action_mask']"
            )
        record.replaced += 1
        return NOT_A_LABEL


def one_by_one(policy: Callable[[Any], int] | None) -> BatchPolicy | None:
    """A policy of single observations as one of batches."""
    if policy is None:
        return None

    def choose(observation: Any) -> NDArray[np.int64]:
        parts = cast("dict[str, NDArray[Any]]", observation)
        rows = len(next(iter(parts.values())))
        chosen = [policy({name: part[row] for name, part in parts.items()}) for row in range(rows)]
        return np.array(chosen, np.int64)

    return choose


class Record:
    """An episode while it is played."""

    def __init__(self, digest: int) -> None:
        self.digest = digest
        self.actions: list[int] = []
        self.labels: list[int] = []
        self.rewards: list[float] = []
        self.kinds: list[int] = []
        self.replaced = self.substituted = self.unexpressed = 0

    def add(self, taken: int, label: int, reward: float, kind: int, exact: bool, digest: int) -> None:
        """One decision."""
        self.actions.append(taken)
        self.labels.append(label)
        self.rewards.append(reward)
        self.kinds.append(kind)
        self.substituted += label != NOT_A_LABEL and not exact
        self.digest = digest

    def trajectory(
        self, seed: int, collector: TrajectoryCollector, truncated: bool, info: dict[str, Any]
    ) -> Trajectory:
        """The whole episode."""
        return Trajectory(
            seed=seed,
            actions=np.array(self.actions, np.int32),
            labels=np.array(self.labels, np.int32),
            rewards=np.array(self.rewards, np.float32),
            kinds=np.array(self.kinds, np.uint8),
            kind_names=collector.kind_names,
            numbers=dict(single_numbers(info)),
            source=collector.source,
            replaced=self.replaced,
            substituted=self.substituted,
            unexpressed=self.unexpressed,
            truncated=truncated,
            digest=self.digest,
        )


def mask_of(env: gymnasium.Env[Any, Any], observation: Any) -> NDArray[np.bool_] | None:
    """Which actions are legal; None if the environment does not say."""
    if isinstance(observation, dict) and MASK in observation:
        return np.asarray(cast("dict[str, Any]", observation)[MASK]) > 0
    if env.has_wrapper_attr("action_masks"):
        return np.asarray(env.get_wrapper_attr("action_masks")(), np.bool_)
    return None
