"""Finished training episodes: their means for the log, and their plain form for checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.training.envs.protocol import Episode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["UNLOGGED_NUMBERS", "average_episodes", "pack_episode", "unpack_episode"]

UNLOGGED_NUMBERS = frozenset({"seed_number", "ending"})
"""Numbers of an episode whose mean says nothing."""


def average_episodes(episodes: Sequence[Episode]) -> dict[str, float]:
    """Average the numbers of episodes by metric name; the mean of ``won`` is the win rate."""
    if not episodes:
        return {}
    values = {
        "rollout/mean_reward": compute_mean(each.reward for each in episodes),
        "rollout/mean_length": compute_mean(each.length for each in episodes),
    }
    for name in episodes[-1].numbers:
        if name in UNLOGGED_NUMBERS:
            continue
        average = compute_mean(each.numbers.get(name, 0.0) for each in episodes)
        if name == "won":
            values["rollout/win_rate"] = average
        elif name.startswith("reward/"):
            values[name] = average
        else:
            values[f"rollout/mean_{name}"] = average
    return values


def compute_mean(values: Iterable[float]) -> float:
    """Compute the mean of at least one number."""
    numbers = list(values)
    return sum(numbers) / len(numbers)


def pack_episode(episode: Episode) -> dict[str, Any]:
    """Return an episode as plain data."""
    return {
        "reward": episode.reward,
        "length": episode.length,
        "stage": episode.stage,
        "truncated": episode.truncated,
        "numbers": dict(episode.numbers),
    }


def unpack_episode(packed: Mapping[str, Any]) -> Episode:
    """Return the episode that ``pack_episode`` packed."""
    return Episode(**packed)
