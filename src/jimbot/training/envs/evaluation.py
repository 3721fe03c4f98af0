"""How good a policy is: evaluation episodes on seeds that are never trained on, each counted once.

The same evaluation set always means the same episodes (``jimbot.statistics.evaluation_sets``). Every episode that is
begun is finished, so short ones are not counted more often than long ones.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

import gymnasium
import numpy as np

from jimbot.statistics.evaluation_sets import seeds_of_set
from jimbot.statistics.intervals import wilson_interval
from jimbot.training.envs.vectors import episode_numbers, put_row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

__all__ = ["BatchPolicy", "EvaluationResult", "evaluate_episodes", "joined", "random_policy"]

SIDE_BY_SIDE = 64
"""Environments of Gymnasium that are stepped together."""
BLINDS = 24
"""Blinds of a won run: eight antes of three."""


class BatchPolicy(Protocol):
    """Chooses an action for every row of a batch of observations."""

    def __call__(self, observation: Any, /) -> NDArray[Any]:
        """Actions: int64[rows] for one choice per row, ``[rows, *shape]`` for other action spaces."""
        ...


@dataclass
class EvaluationResult:
    """What evaluation episodes gave, one entry per episode.

    Attributes:
        evaluation_set: the number of their set.
        rewards: sums of rewards, float64[episodes].
        lengths: steps, int64[episodes].
        numbers: what the environment told at the end (won, blinds, …), float64[episodes] each.
    """

    evaluation_set: int
    rewards: NDArray[np.float64]
    lengths: NDArray[np.int64]
    numbers: dict[str, NDArray[np.float64]] = field(default_factory=dict[str, "NDArray[np.float64]"])

    @property
    def mean(self) -> float:
        """Mean reward."""
        return float(self.rewards.mean())

    @property
    def std(self) -> float:
        """Standard deviation of the rewards."""
        return float(self.rewards.std())

    def clear_curve(self) -> list[dict[str, float]] | None:
        """Of each blind in order: how many runs reached it, how many cleared it, and that share."""
        if "blinds" not in self.numbers:
            return None
        cleared = self.numbers["blinds"]
        curve: list[dict[str, float]] = []
        for blind in range(BLINDS):
            reached, beaten = int((cleared >= blind).sum()), int((cleared > blind).sum())
            if blind and not reached:
                break
            curve.append(
                {"blind": blind + 1, "reached": reached, "cleared": beaten, "rate": beaten / max(reached, 1)}
            )
        return curve

    def metrics(self) -> dict[str, float]:
        """Means of everything, and the interval of the win rate."""
        values: dict[str, float] = {
            "episodes": len(self.rewards),
            "mean_reward": self.mean,
            "std_reward": self.std,
            "mean_length": float(self.lengths.mean()),
        }
        for name, array in self.numbers.items():
            if name not in ("seed_number", "ending"):
                values[f"mean_{name}"] = float(array.mean())
        if "won" in self.numbers:
            wins = int((self.numbers["won"] > 0).sum())
            interval = wilson_interval(wins, len(self.rewards))
            values |= {
                "win_rate": wins / len(self.rewards),
                "win_rate_low": interval.low,
                "win_rate_high": interval.high,
            }
            del values["mean_won"]
        return values

    def to_dict(self) -> dict[str, Any]:
        """Plain data with every episode, for a file."""
        plain: dict[str, Any] = {"evaluation_set": self.evaluation_set, **self.metrics()}
        curve = self.clear_curve()
        if curve is not None:
            plain["clear_curve"] = curve
        plain["rewards"] = self.rewards.tolist()
        plain["lengths"] = self.lengths.tolist()
        return plain


def evaluate_episodes(
    policy: BatchPolicy,
    creator: Callable[[], gymnasium.Env[Any, Any]],
    episodes: int,
    evaluation_set: int = 0,
    *,
    native: Callable[[int], gymnasium.vector.VectorEnv[Any, Any, Any]] | None = None,
    tell: Callable[[int, int], None] | None = None,
    share: tuple[int, int] = (0, 1),
    first: int = 0,
) -> EvaluationResult:
    """Play episodes of an evaluation set to their end.

    Args:
        policy: chooses the actions.
        creator: makes one environment.
        episodes: how many.
        evaluation_set: an ``EvaluationSet``, or the number of a set of one's own.
        native: makes a native vector of so many environments on evaluation seeds, if there is one.
        tell: called with the episodes done so far and their number.
        share: ``(part, parts)``: play every episode whose number leaves ``part`` when divided by ``parts``; those
            are then the only ones in the result. ``joined`` puts the parts together.
        first: the first episode that is played; ``n`` from ``first`` on are the last ``n`` of ``first + n`` episodes.
    """
    if native is not None:
        return evaluate_native(policy, native(first + episodes), evaluation_set, tell, share, first)
    return evaluate_gymnasium(policy, creator, episodes, evaluation_set, tell, share, first)


def joined(parts: list[EvaluationResult]) -> EvaluationResult:
    """One result from those of all shares, in their order."""
    episodes = sum(len(part.rewards) for part in parts)
    whole = EvaluationResult(parts[0].evaluation_set, np.zeros(episodes), np.zeros(episodes, np.int64))
    for number, part in enumerate(parts):
        own = slice(number, None, len(parts))
        whole.rewards[own], whole.lengths[own] = part.rewards, part.lengths
        for name, values in part.numbers.items():
            whole.numbers.setdefault(name, np.full(episodes, np.nan))[own] = values
    return whole


def evaluate_native(
    policy: BatchPolicy,
    vector: gymnasium.vector.VectorEnv[Any, Any, Any],
    evaluation_set: int,
    tell: Callable[[int, int], None] | None = None,
    share: tuple[int, int] = (0, 1),
    first: int = 0,
) -> EvaluationResult:
    """One episode in each environment of a native vector from ``first`` on, or in those of a share."""
    count = vector.num_envs
    rows = np.arange(first + share[0], count, share[1])
    rewards, lengths = np.zeros(count), np.zeros(count, np.int64)
    numbers: dict[str, NDArray[np.float64]] = {}
    open_rows = np.zeros(count, np.bool_)
    open_rows[rows] = True
    observation, _ = vector.reset(seed=seeds_of_set(evaluation_set, count)[0])
    while open_rows.any():
        actions = open_actions(policy, observation, open_rows)
        observation, reward, terminated, truncated, infos = vector.step(actions)
        rewards[open_rows] += np.asarray(reward)[open_rows]
        lengths[open_rows] += 1
        ended = np.flatnonzero((terminated | truncated) & open_rows)
        if not len(ended):
            continue
        for name, column in episode_numbers(infos["final_info"], ended):
            numbers.setdefault(name, np.zeros(count))[ended] = column
        open_rows[ended] = False
        if tell is not None:
            tell(int(len(rows) - open_rows.sum()), len(rows))
    vector.close()
    own = {name: values[rows] for name, values in numbers.items()}
    return EvaluationResult(int(evaluation_set), rewards[rows], lengths[rows], own)


def open_actions(policy: BatchPolicy, observation: Any, open_rows: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The policy's actions in rows that still count; in the others, which play on unseen, the first legal one."""
    if open_rows.all():
        return policy(observation)
    rows = np.flatnonzero(open_rows)
    actions = np.zeros(len(open_rows), np.int64)
    if isinstance(observation, dict):
        arrays = cast("dict[str, NDArray[Any]]", observation)
        if "action_mask" in arrays:
            actions = np.argmax(arrays["action_mask"] > 0, axis=1)
        actions[rows] = policy({name: array[rows] for name, array in arrays.items()})
    else:
        actions[rows] = policy(observation[rows])
    return actions


def evaluate_gymnasium(
    policy: BatchPolicy,
    creator: Callable[[], gymnasium.Env[Any, Any]],
    episodes: int,
    evaluation_set: int = 0,
    tell: Callable[[int, int], None] | None = None,
    share: tuple[int, int] = (0, 1),
    first: int = 0,
) -> EvaluationResult:
    """Episodes of any environment, some side by side; each has its own seed."""
    seeds = seeds_of_set(evaluation_set, episodes, first)[share[0] :: share[1]]
    episodes = len(seeds)
    envs = [creator() for _ in range(min(episodes, SIDE_BY_SIDE))]
    rewards, lengths = np.zeros(episodes), np.zeros(episodes, np.int64)
    numbers: dict[str, NDArray[np.float64]] = {}
    playing = list(range(len(envs)))  # the episode of each environment; -1 when there are no more
    batch = gymnasium.vector.utils.create_empty_array(envs[0].observation_space, len(envs))
    begun, done = len(envs), 0
    for row, env in enumerate(envs):
        put_row(batch, row, env.reset(seed=seeds[row])[0])
    while done < episodes:
        actions = policy(batch)
        for row, env in enumerate(envs):
            episode = playing[row]
            if episode < 0:
                continue
            observation, reward, terminated, truncated, info = env.step(actions[row])
            rewards[episode] += float(reward)
            lengths[episode] += 1
            if terminated or truncated:
                for name, number in single_numbers(info):
                    numbers.setdefault(name, np.full(episodes, np.nan))[episode] = number
                done += 1
                playing[row] = begun if begun < episodes else -1
                if begun < episodes:
                    observation, _ = env.reset(seed=seeds[begun])
                    begun += 1
                if tell is not None:
                    tell(done, episodes)
            put_row(batch, row, observation)
    for env in envs:
        env.close()
    return EvaluationResult(int(evaluation_set), rewards, lengths, numbers)


def single_numbers(info: Mapping[str, Any]) -> list[tuple[str, float]]:
    """The numbers in the last info of one environment."""
    numbers: list[tuple[str, float]] = []
    for name, value in info.items():
        if isinstance(value, (bool, int, float, np.number, np.bool_)):
            numbers.append((name, float(cast("Any", value))))
        elif isinstance(value, dict) and name == "ledger":
            numbers += [
                (f"reward/{term}", float(each)) for term, each in cast("dict[str, Any]", value).items()
            ]
    return numbers


def random_sampler(action_space: gymnasium.Space[Any], seed: int) -> BatchPolicy:
    """A policy that draws from a space that is not one choice."""
    space = copy.deepcopy(action_space)
    space.seed(seed)

    def draw(observation: Any) -> NDArray[Any]:
        parts = cast("dict[str, Any]", observation) if isinstance(observation, dict) else {"": observation}
        return np.stack([space.sample() for _ in range(len(next(iter(parts.values()))))])

    return draw


def random_policy(action_space: gymnasium.Space[Any], seed: int = 0) -> BatchPolicy:
    """A policy that takes every legal action with equal probability, for comparison."""
    if not isinstance(action_space, gymnasium.spaces.Discrete):
        return random_sampler(action_space, seed)
    rng = np.random.default_rng(seed)
    count = int(cast("Any", action_space).n)

    def choose(observation: Any) -> NDArray[np.int64]:
        if isinstance(observation, dict) and "action_mask" in observation:
            mask = np.asarray(cast("dict[str, Any]", observation)["action_mask"])
            return np.argmax(rng.random(mask.shape) * (mask > 0), axis=1)
        first: Any = (
            next(iter(cast("dict[str, Any]", observation).values()))
            if isinstance(observation, dict)
            else observation
        )
        return rng.integers(count, size=len(first))

    return choose
