"""How a trained policy plays: unseen games, what it builds, which hands it plays, how sure it is."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np

from jimbot.balatro.env.schema import ENDINGS
from jimbot.errors import JimbotError
from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.statistics.intervals import mean_interval, wilson_interval
from jimbot.training.analysis.contestants import (
    Contestant,
    contestant_of,
    find_losses,
    interval_dict,
    play_player_on,
    seed_numbers,
    whole_games,
)
from jimbot.training.analysis.watched_vector import WatchedVector
from jimbot.training.envs.creation import BALATRO, Environments, environment_id
from jimbot.training.envs.evaluation import evaluate_gymnasium, evaluate_native, random_policy

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    from jimbot.balatro.game.replay import Replay
    from jimbot.statistics.intervals import Interval
    from jimbot.training.envs.evaluation import EvaluationResult

__all__ = ["Confidence", "PolicyAnalysis", "analyze_policy"]

POLICY = "this policy"
REFERENCES = ("random", "scripted")
"""Players that a policy is compared with on Balatro."""
BINS = 10
"""Classes of confidence, of equal width from 0 to 1."""


@dataclass
class Confidence:
    """How sure a policy was of its choices, where it had a choice.

    Attributes:
        counts: choices by the probability of the action that was taken, int64[BINS].
        total: sum of those probabilities.
        entropy: sum of the entropies, in nats.
        forced: steps in which one action was legal.
    """

    counts: NDArray[np.int64] = field(default_factory=lambda: np.zeros(BINS, np.int64))
    total: float = 0.0
    entropy: float = 0.0
    forced: int = 0

    @property
    def choices(self) -> int:
        """Steps with more than one legal action."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """Mean probability of the action that was taken."""
        return self.total / max(1, self.choices)

    @property
    def mean_entropy(self) -> float:
        """Mean entropy, in nats."""
        return self.entropy / max(1, self.choices)

    def add(self, probabilities: NDArray[np.float32], free: NDArray[np.bool_]) -> None:
        """Count a batch of choices; ``free`` says where there was more than one legal action."""
        taken = probabilities[free]
        self.forced += int((~free).sum())
        if len(taken):
            top = taken.max(1)
            self.counts += np.bincount(np.minimum((top * BINS).astype(int), BINS - 1), minlength=BINS)
            self.total += float(top.sum())
            self.entropy -= float((taken * np.log(np.maximum(taken, 1e-30))).sum())


@dataclass
class PolicyAnalysis:
    """What an analysis found.

    Attributes:
        path: what was analyzed.
        env: the environment.
        algorithm: what trained it.
        metadata: what the policy file tells.
        parameters: numbers that the network learns.
        result: what the episodes gave.
        confidence: how sure the policy was.
        jokers: runs that ended with each joker, and how many of them were won.
        hands: how often each poker hand was played.
        endings: how runs ended.
        contestant: what the policy got, to be compared with the references; None if there are none.
        references: random play, and on Balatro the scripted player, on the same episodes.
        replays: games worth a look, by what they are: ``best``, ``median``, ``typical loss``.
    """

    path: str
    env: str
    algorithm: str
    metadata: dict[str, Any]
    parameters: int
    result: EvaluationResult
    confidence: Confidence
    jokers: dict[str, tuple[int, int]] = field(default_factory=dict[str, "tuple[int, int]"])
    hands: dict[str, int] = field(default_factory=dict[str, int])
    endings: dict[str, int] = field(default_factory=dict[str, int])
    contestant: Contestant | None = None
    references: list[Contestant] = field(default_factory=list["Contestant"])
    replays: dict[str, Replay] = field(default_factory=dict[str, "Replay"])

    @property
    def wins(self) -> Interval | None:
        """The win rate with its interval, where there is winning."""
        won = self.result.numbers.get("won")
        return None if won is None else wilson_interval(int((won > 0).sum()), len(won))

    @property
    def score(self) -> Interval:
        """The mean reward with its interval."""
        return mean_interval(self.result.rewards)

    def ledger(self) -> dict[str, Interval]:
        """What each reward term gave per run."""
        return {
            name.removeprefix("reward/"): mean_interval(values)
            for name, values in self.result.numbers.items()
            if name.startswith("reward/")
        }

    def reference_dicts(self) -> list[dict[str, Any]]:
        """The references as plain data, with the policy's paired difference to each."""
        if self.contestant is None:
            return []
        return [
            {
                **each.to_dict(),
                "policy_minus_reference": {
                    name: interval_dict(interval) for name, interval in self.contestant.minus(each).items()
                },
            }
            for each in self.references
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for a file."""
        return {
            "policy": self.path,
            "env": self.env,
            "algorithm": self.algorithm,
            "parameters": self.parameters,
            "score": [self.score.estimate, self.score.low, self.score.high],
            "wins": None if self.wins is None else [self.wins.estimate, self.wins.low, self.wins.high],
            "evaluation": self.result.to_dict(),
            "jokers": {name: {"runs": runs, "won": won} for name, (runs, won) in self.jokers.items()},
            "hands": self.hands,
            "endings": self.endings,
            "lost_to": None if self.contestant is None else self.contestant.lost_to,
            "references": self.reference_dicts(),
            "confidence": {
                "counts": self.confidence.counts.tolist(),
                "mean": self.confidence.mean,
                "mean_entropy": self.confidence.mean_entropy,
                "forced": self.confidence.forced,
            },
        }


def analyze_policy(
    path: Path, episodes: int = 200, tell: Callable[[int, int], None] | None = None
) -> PolicyAnalysis:
    """Play the policy of a run (its best), of a checkpoint or of a policy file, greedily, and look at all it did.

    On Balatro it plays whole seed-exact games, whatever part of them it was trained on.
    """
    from jimbot.networks import count_parameters
    from jimbot.players.batch_policy import NetworkPolicy
    from jimbot.training.runs.opening import find_policy, policy_config

    if episodes < 1:
        raise JimbotError(f"episodes: expected at least 1, got {episodes}")
    policy = find_policy(path)
    config = policy_config(path, policy)
    in_balatro = environment_id(config.env) == BALATRO
    if in_balatro:
        config = whole_games(config)
    environments = Environments.of(None, config)
    player = NetworkPolicy(policy)
    confidence = Confidence()
    watched: WatchedVector | None = None
    if environments.native is not None:
        watched = WatchedVector(environments.native(num_envs=episodes, **environments.evaluation_options))

    def choose(observation: Any) -> NDArray[np.int64]:
        probabilities = player.probabilities(observation)
        masked = isinstance(observation, dict) and "action_mask" in observation
        legal = (
            np.asarray(cast("Any", observation)["action_mask"]).sum(1) if masked else probabilities.shape[1]
        )
        # Asked about open episodes only.
        confidence.add(probabilities, np.zeros(len(probabilities)) + legal > 1)
        return probabilities.argmax(1)

    begun = time.process_time()
    if watched is not None:
        result = evaluate_native(choose, cast("Any", watched), EvaluationSet.ANALYSIS, tell)
    else:
        result = evaluate_gymnasium(choose, environments.creator, episodes, EvaluationSet.ANALYSIS, tell)
    spent = time.process_time() - begun
    found = PolicyAnalysis(
        str(path),
        config.env,
        config.algorithm,
        policy.metadata,
        count_parameters(policy.spec),
        result,
        confidence,
    )
    if watched is not None and watched.replays:
        look_at_ends(found, watched.replays)
    if in_balatro and watched is not None and not config.env_kwargs.get("starts"):
        compare_with_players(found, watched.replays, spent)
    elif not in_balatro:
        compare_with_random(found, environments, spent)
    return found


def compare_with_players(found: PolicyAnalysis, replays: dict[int, Replay], cpu_seconds: float) -> None:
    """Let the reference players play the policy's games, and choose the games worth a look."""
    result = found.result
    found.contestant = contestant_of(POLICY, cpu_seconds, result, replays)
    games = {row: (replay.deck, replay.stake) for row, replay in replays.items()}
    found.references = [play_player_on(name, seed_numbers(result), games) for name in REFERENCES]
    found.replays = choose_replays(result, replays)


def compare_with_random(found: PolicyAnalysis, environments: Environments, cpu_seconds: float) -> None:
    """Let random play have the same episodes, where actions are numbered."""
    result = found.result
    probe = environments.creator()
    space = probe.action_space
    probe.close()
    if not isinstance(space, gymnasium.spaces.Discrete):
        return
    begun = time.process_time()
    played = environments.evaluate(random_policy(space), len(result.rewards), EvaluationSet.ANALYSIS)
    spent = time.process_time() - begun
    lengths = played.lengths.astype(np.float64)
    found.references = [Contestant("random", spent, lengths, rewards=played.rewards)]
    found.contestant = Contestant(
        POLICY, cpu_seconds, result.lengths.astype(np.float64), rewards=result.rewards
    )


def choose_replays(result: EvaluationResult, replays: dict[int, Replay]) -> dict[str, Replay]:
    """Choose the best game, the median one, and a loss to the blind that most were lost to.

    Games are ordered by wins, blinds cleared, and the best hand.
    """
    numbers = result.numbers
    rows = sorted(
        replays,
        key=lambda row: (numbers["won"][row], numbers["blinds"][row], numbers["best_hand"][row], -row),
    )
    chosen = {"best": replays[rows[-1]], "median": replays[rows[len(rows) // 2]]}
    losses = find_losses(result, replays)
    if losses:
        killer = Counter(losses.values()).most_common(1)[0][0]
        lost = [row for row in rows if losses.get(row) == killer]
        chosen["typical loss"] = replays[lost[len(lost) // 2]]
    return chosen


def look_at_ends(found: PolicyAnalysis, replays: dict[int, Replay]) -> None:
    """Play the games again to see which jokers they ended with and which hands were played."""
    jokers: dict[str, list[int]] = {}
    hands: Counter[str] = Counter()
    for row, replay in replays.items():
        game = replay.play(verify=False)
        won = int(found.result.numbers["won"][row] > 0)
        for name in {str(joker.name) for joker in game.owned_jokers(hidden=True)}:
            counts = jokers.setdefault(name, [0, 0])
            counts[0] += 1
            counts[1] += won
        hands.update({name: level.played for name, level in game.hands.items() if level.played})
    found.jokers = {
        name: (runs, won) for name, (runs, won) in sorted(jokers.items(), key=lambda each: -each[1][0])
    }
    found.hands = dict(hands.most_common())
    endings = Counter(ENDINGS[int(number)] for number in found.result.numbers["ending"])
    found.endings = dict(endings.most_common())
