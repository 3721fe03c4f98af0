"""Evaluation of therapists on fixed seeds, with confidence intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.statistics.intervals import wilson_interval
from jimbot.therapy.env.vector import TherapyVectorEnv
from jimbot.therapy.model.utilities import TherapyError
from jimbot.therapy.therapists.scripted import MindReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from jimbot.therapy.therapists.scripted import Therapist

__all__ = ["Evaluation", "evaluate"]

LARGEST_BATCH = 512


@dataclass(frozen=True)
class Evaluation:
    """The results of one episode per seed; arrays are in the order of the seeds.

    Attributes:
        seeds: the seeds, int64[episodes].
        success: bool[episodes].
        dropped_out: bool[episodes].
        sessions: sessions held, int64[episodes].
        returns: reward of each episode, float64[episodes].
        final_rs: satisfaction at the end of each episode, float64[episodes].
        final_bond: bond at the end of each episode, float64[episodes].
    """

    seeds: NDArray[np.int64]
    success: NDArray[np.bool_]
    dropped_out: NDArray[np.bool_]
    sessions: NDArray[np.int64]
    returns: NDArray[np.float64]
    final_rs: NDArray[np.float64]
    final_bond: NDArray[np.float64]

    def summary(self) -> dict[str, Any]:
        """Return the summary numbers of a report."""
        episodes, successes = len(self.seeds), int(self.success.sum())
        interval = wilson_interval(successes, episodes)
        needed = self.sessions[self.success]
        return {
            "episodes": episodes,
            "successes": successes,
            "dropouts": int(self.dropped_out.sum()),
            "timeouts": int((~self.success & ~self.dropped_out).sum()),
            "success_rate": interval.estimate,
            "wilson_low": interval.low,
            "wilson_high": interval.high,
            "mean_sessions_to_success": float(needed.mean()) if len(needed) else None,
            "mean_return": float(self.returns.mean()),
        }


def evaluate(therapist: Therapist, seeds: Sequence[int], **options: Any) -> Evaluation:
    """Evaluate a therapist on one client per seed, the same clients as ``reset(seed=k)`` gives with these options."""
    if len(seeds) == 0:
        raise TherapyError("there must be at least one seed to evaluate on")
    parts = [
        _evaluate_batch(therapist, seeds[start : start + LARGEST_BATCH], options)
        for start in range(0, len(seeds), LARGEST_BATCH)
    ]
    joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return Evaluation(seeds=np.array(seeds, dtype=np.int64), **joined)


def _evaluate_batch(therapist: Therapist, seeds: Sequence[int], options: dict[str, Any]) -> dict[str, Any]:
    """Run the first episode of every environment of a vector; later episodes are ignored."""
    env = TherapyVectorEnv(len(seeds), **options)
    if isinstance(therapist, MindReader):
        therapist.attach(env)
    observations, _ = env.reset(seed=[int(seed) for seed in seeds])
    kept = {"success": "success", "dropped_out": "dropped_out", "sessions": "session"}
    kept |= {"final_rs": "rs", "final_bond": "bond"}
    found: dict[str, Any] = {}
    waiting = np.ones(len(seeds), np.bool_)
    returns = np.zeros(len(seeds))
    while waiting.any():
        observations, rewards, _, _, infos = env.step(np.asarray(therapist(observations)))
        returns[waiting] += rewards[waiting]
        if "final_info" in infos:
            final, new = infos["final_info"], infos["_final_info"] & waiting
            for name, source in kept.items():
                found.setdefault(name, np.zeros(len(seeds), final[source].dtype))[new] = final[source][new]
            waiting &= ~new
    return found | {"returns": returns}
