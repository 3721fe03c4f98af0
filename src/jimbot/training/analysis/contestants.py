"""Players and trained policies on the same games: what each of them got, and how they differ game by game."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.balatro.names import get_name
from jimbot.players.evaluation import play_runs
from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.statistics.intervals import (
    Interval,
    mean_interval,
    paired_difference,
    paired_proportion_difference,
    wilson_interval,
)
from jimbot.training.analysis.watched_vector import WatchedVector
from jimbot.training.envs.creation import BALATRO, Environments, environment_id
from jimbot.training.envs.evaluation import evaluate_native

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from jimbot.balatro.game.replay import Replay
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.envs.evaluation import EvaluationResult

__all__ = [
    "CUT_OFF",
    "STUCK",
    "Contestant",
    "contestant_of",
    "find_losses",
    "interval_dict",
    "is_balatro",
    "play_other_environment",
    "play_player",
    "play_player_on",
    "play_policy",
    "seed_numbers",
    "whole_games",
]

CUT_OFF = "cut off"
"""What a run counts as lost to that was stopped at the limit of its steps."""
STUCK = "no blind played"
"""What a run counts as lost to that ended before its first blind."""
WHOLE_GAME = 8
"""The ante whose boss wins the run."""


@dataclass(frozen=True)
class Contestant:
    """What a player or a policy got on some games, one entry per game.

    Attributes:
        name: of the player, or the path of the policy.
        cpu_seconds: CPU time of all games together.
        steps: decisions, float64[games].
        won: whether the run was won, bool[games]; None outside of Balatro.
        blinds: blinds cleared, float64[games]; None outside of Balatro.
        rewards: rewards, float64[games]; None for players, who get none.
        lost_to: how many runs were lost to each blind, by its name, most first.
    """

    name: str
    cpu_seconds: float
    steps: NDArray[np.float64]
    won: NDArray[np.bool_] | None = None
    blinds: NDArray[np.float64] | None = None
    rewards: NDArray[np.float64] | None = None
    lost_to: Mapping[str, int] | None = None

    @property
    def games(self) -> int:
        """Games played."""
        return len(self.steps)

    @property
    def win_rate(self) -> Interval | None:
        """The share of runs won, with its interval."""
        return None if self.won is None else wilson_interval(int(self.won.sum()), self.games)

    @property
    def mean_blinds(self) -> Interval | None:
        """Blinds cleared per run, with the interval."""
        return None if self.blinds is None else mean_interval(self.blinds)

    @property
    def mean_reward(self) -> Interval | None:
        """The mean reward, with its interval."""
        return None if self.rewards is None else mean_interval(self.rewards)

    @property
    def cpu_seconds_per_game(self) -> float:
        """CPU time of one game."""
        return self.cpu_seconds / self.games

    def minus(self, other: Contestant) -> dict[str, Interval]:
        """Return the paired differences to another contestant on the same games: ``win_rate``, ``blinds``, ``reward``.

        What only one of the two has is left out.
        """
        found: dict[str, Interval] = {}
        if self.won is not None and other.won is not None:
            found["win_rate"] = paired_proportion_difference(self.won, other.won)
        if self.blinds is not None and other.blinds is not None:
            found["blinds"] = paired_difference(self.blinds, other.blinds)
        if self.rewards is not None and other.rewards is not None:
            found["reward"] = paired_difference(self.rewards, other.rewards)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return plain data with every game, for a file."""
        plain: dict[str, Any] = {
            "name": self.name,
            "games": self.games,
            "mean_steps": float(self.steps.mean()),
            "cpu_seconds_per_game": self.cpu_seconds_per_game,
        }
        for name, interval in (
            ("win_rate", self.win_rate),
            ("mean_blinds", self.mean_blinds),
            ("mean_reward", self.mean_reward),
        ):
            if interval is not None:
                plain[name] = interval_dict(interval)
        if self.lost_to is not None:
            plain["lost_to"] = dict(self.lost_to)
        for name, values in (("won", self.won), ("blinds", self.blinds), ("rewards", self.rewards)):
            if values is not None:
                plain[name] = values.tolist()
        return plain


def interval_dict(interval: Interval) -> dict[str, float]:
    """Return an interval as plain data."""
    return {"estimate": interval.estimate, "low": interval.low, "high": interval.high}


def play_player(
    name: str,
    seeds: Sequence[int],
    *,
    deck: str,
    stake: int,
    weights: Mapping[str, float] | None = None,
    threads: int = 1,
    tell: Callable[[int], None] | None = None,
) -> Contestant:
    """Let a player of ``jimbot.players`` play a run on every seed number."""
    begun = time.process_time()
    runs = play_runs(name, seeds, deck=deck, stake=stake, weights=weights, threads=threads, on_progress=tell)
    return Contestant(
        name,
        time.process_time() - begun,
        np.array([run.steps for run in runs], np.float64),
        won=np.array([run.won for run in runs]),
        blinds=np.array([run.blinds for run in runs], np.float64),
        lost_to=count_causes([get_name(run.last_blind) or STUCK for run in runs if not run.won]),
    )


def play_player_on(name: str, seeds: Sequence[int], games: Mapping[int, tuple[str, int]]) -> Contestant:
    """Let a player play seeds with the deck and stake of each, by its place."""
    parts = {game: [row for row in range(len(seeds)) if games[row] == game] for game in set(games.values())}
    whole: list[Any] = [None] * len(seeds)
    causes: Counter[str] = Counter()
    spent = 0.0
    for (deck, stake), rows in parts.items():
        part = play_player(name, [seeds[row] for row in rows], deck=deck, stake=stake)
        assert part.won is not None, "players win or lose"
        assert part.blinds is not None, "players clear blinds"
        for row, won, blinds, steps in zip(rows, part.won, part.blinds, part.steps, strict=True):
            whole[row] = (won, blinds, steps)
        causes.update(part.lost_to or {})
        spent += part.cpu_seconds
    won, blinds, steps = (np.array(column) for column in zip(*whole, strict=True))
    lost_to = count_causes(list(causes.elements()))
    return Contestant(name, spent, steps, won=won, blinds=blinds, lost_to=lost_to)


def play_policy(
    path: Path,
    episodes: int,
    *,
    deck: str,
    stake: int,
    first: int = 0,
    threads: int = 1,
    tell: Callable[[int, int], None] | None = None,
) -> tuple[Contestant, list[int]]:
    """Let a trained policy play whole games of the test set; returns what it got and the seed numbers it played.

    Whatever ante, decks and stakes it was trained for, the games are those that everybody else plays.
    """
    from jimbot.players.batch_policy import NetworkPolicy
    from jimbot.training.runs.opening import find_policy, policy_config

    policy = find_policy(path)
    config = whole_games(policy_config(path, policy), decks=[deck], stakes=[stake])
    environments = Environments.of(None, config)
    assert environments.native is not None, "Balatro has a native vector"
    vector = WatchedVector(
        environments.native(num_envs=first + episodes, threads=threads, **environments.evaluation_options)
    )
    player: Any = NetworkPolicy(policy)
    begun = time.process_time()
    result = evaluate_native(player, cast("Any", vector), EvaluationSet.TEST, tell, first=first)
    spent = time.process_time() - begun
    replays = {row - first: replay for row, replay in vector.replays.items()}
    return contestant_of(str(path), spent, result, replays), seed_numbers(result)


def whole_games(config: TrainerConfig, **others: Any) -> TrainerConfig:
    """Return a configuration of Balatro whose episodes are whole seed-exact games, with other options."""
    given = {name: value for name, value in config.env_kwargs.items() if name != "difficulty"}
    return config.copy_with(env_kwargs=given | {"max_ante": WHOLE_GAME, "fast": False} | others)


def contestant_of(
    name: str, cpu_seconds: float, result: EvaluationResult, replays: Mapping[int, Replay]
) -> Contestant:
    """Return a contestant from evaluation episodes of Balatro and their replays by row."""
    return Contestant(
        name,
        cpu_seconds,
        result.lengths.astype(np.float64),
        won=result.numbers["won"] > 0,
        blinds=result.numbers["blinds"],
        rewards=result.rewards,
        lost_to=count_causes(list(find_losses(result, replays).values())),
    )


def find_losses(result: EvaluationResult, replays: Mapping[int, Replay]) -> dict[int, str]:
    """Return the name of the blind that ended each lost run, by row; ``CUT_OFF`` for a run stopped by its limit."""
    from jimbot.balatro.env.schema import ENDINGS

    losses: dict[int, str] = {}
    cut_off = ENDINGS.index("cut_off")
    for row in np.flatnonzero(result.numbers["won"] <= 0):
        number = int(row)
        if result.numbers["ending"][row] == cut_off:
            losses[number] = CUT_OFF
        elif number in replays:
            blind = replays[number].play(verify=False).public_view()["blind"]
            losses[number] = get_name(blind["key"]) or STUCK
    return losses


def seed_numbers(result: EvaluationResult) -> list[int]:
    """Return the seed numbers of evaluation episodes of Balatro."""
    return [int(number) for number in result.numbers["seed_number"]]


def play_other_environment(
    path: Path,
    episodes: int,
    *,
    first: int = 0,
    threads: int = 1,
    tell: Callable[[int, int], None] | None = None,
) -> tuple[Contestant, str]:
    """Let a policy play the test set of its own environment; returns what it got and the environment's id."""
    from jimbot.players.batch_policy import NetworkPolicy
    from jimbot.training.runs.opening import find_policy, policy_config

    policy = find_policy(path)
    config = policy_config(path, policy)
    player: Any = NetworkPolicy(policy)
    environments = Environments.of(None, config)
    begun = time.process_time()
    result = environments.evaluate(player, episodes, EvaluationSet.TEST, tell, first=first, threads=threads)
    spent = time.process_time() - begun
    contestant = Contestant(str(path), spent, result.lengths.astype(np.float64), rewards=result.rewards)
    return contestant, environment_id(config.env)


def is_balatro(path: Path) -> bool:
    """Return whether a policy plays Balatro."""
    from jimbot.training.runs.opening import find_policy, policy_config

    return environment_id(policy_config(path, find_policy(path)).env) == BALATRO


def count_causes(causes: Sequence[str]) -> dict[str, int]:
    """Return how often each occurs, most first, and by name among equals."""
    return dict(sorted(Counter(causes).items(), key=lambda pair: (-pair[1], pair[0])))
