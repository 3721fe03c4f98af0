"""How good demonstrations are, before anything is learned from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.statistics.intervals import wilson_interval
from jimbot.training.cloning.trajectories import NOT_A_LABEL, CloningError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.training.cloning.trajectories import Trajectory

__all__ = ["ExpertEvaluator"]


class ExpertEvaluator:
    """Measures demonstrations."""

    @staticmethod
    def evaluate(trajectories: Sequence[Trajectory]) -> dict[str, Any]:
        """Rewards, lengths, what the environment told, and how many choices could not be taken as they were."""
        if not trajectories:
            raise CloningError("there are no demonstrations to evaluate")
        rewards = np.array([each.total_reward for each in trajectories])
        lengths = np.array([len(each) for each in trajectories])
        steps = int(lengths.sum())
        learnable = sum(int((each.labels != NOT_A_LABEL).sum()) for each in trajectories)
        result: dict[str, Any] = {
            "episodes": len(trajectories),
            "decisions": steps,
            "learnable_decisions": learnable,
            "mean_reward": float(rewards.mean()),
            "std_reward": float(rewards.std()),
            "min_reward": float(rewards.min()),
            "max_reward": float(rewards.max()),
            "mean_length": float(lengths.mean()),
            "illegal_share": sum(each.replaced for each in trajectories) / steps,
            "substituted_share": sum(each.substituted for each in trajectories) / steps,
            "unexpressed_share": sum(each.unexpressed for each in trajectories) / steps,
        }
        told = [each.numbers for each in trajectories]
        for name in ("ante", "blinds"):
            if all(name in numbers for numbers in told):
                result[f"mean_{name}"] = float(np.mean([numbers[name] for numbers in told]))
        if all("won" in numbers for numbers in told):
            wins = sum(each.won for each in trajectories)
            interval = wilson_interval(wins, len(trajectories))
            result |= {
                "win_rate": wins / len(trajectories),
                "win_rate_low": interval.low,
                "win_rate_high": interval.high,
            }
        return result

    @staticmethod
    def print_evaluation(trajectories: Sequence[Trajectory]) -> None:
        """Print what ``evaluate`` finds."""
        found = ExpertEvaluator.evaluate(trajectories)
        width = max(map(len, found))
        print("expert demonstrations")
        for name, value in found.items():
            text = f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"
            print(f"  {name.replace('_', ' '):<{width}}  {text}")
