"""Tuning of the scripted player's weights by random search on paired training seeds.

Every trial moves a few weights at once, by a share of their scale, and plays the same seeds as the weights to beat.
What is compared is blinds cleared per run, which tells players apart with far fewer runs than wins do. A trial that is
ahead is played on further seeds before it is believed. Everything is drawn from the trial's number, so a search can be
stopped and resumed and comes to the same end.

    python -m jimbot.players.weight_tuning FILE --trials 40 --runs 200
"""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from jimbot import _engine
from jimbot.errors import JimbotError
from jimbot.players.evaluation import WIN_ANTE, training_seeds
from jimbot.players.scripted_player import Weights, default_weights, weight_list, weight_table
from jimbot.statistics.intervals import standard_error
from jimbot.storage.strict_json import read_json, write_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Search", "Trial", "TuningError", "propose", "tune"]

STEP = 0.25
"""Standard deviation of a weight's step, as a share of its scale."""
MOST_MOVED = 3
"""General weights moved by one trial at most; as many weights of any kind are moved besides."""
CONFIRMING_RUNS = 3
"""A trial that is ahead is played on so many times the seeds before it is believed."""
FIXED = frozenset({"hand_samples", "close_samples", "close_count", "fresh_samples", "strength_samples"})
"""Weights that buy strength with time; they are for the user to set."""


class TuningError(JimbotError, ValueError):
    """Raised for a search that cannot be started or resumed."""


@dataclass(frozen=True)
class Trial:
    """One trial: the changed weights, and the paired gain in blinds cleared per run over the best weights."""

    number: int
    moved: dict[str, float]
    gain: float
    error: float
    runs: int
    kept: bool


@dataclass
class Search:
    """A search in progress: its settings, the best weights so far (where they differ from the defaults), and all
    trials.
    """

    seed: int
    runs: int
    weights: dict[str, float] = field(default_factory=dict[str, float])
    trials: list[Trial] = field(default_factory=list[Trial])

    def to_json(self) -> dict[str, Any]:
        """Return the search as plain values."""
        return asdict(self)

    @staticmethod
    def load(path: Path) -> Search:
        """Load a search from its file."""
        try:
            plain: Any = read_json(path)
            trials = [Trial(**trial) for trial in plain["trials"]]
            return Search(int(plain["seed"]), int(plain["runs"]), dict(plain["weights"]), trials)
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise TuningError(
                f"cannot resume from {path}: {error}; give another file to start anew"
            ) from None


def propose(search: Search, number: int) -> dict[str, float]:
    """Propose the weights that trial ``number`` changes; determined by the search's seed and weights."""
    rng = random.Random(f"{search.seed} {number}")
    known = default_weights() | search.weights
    movable = [weight for weight in weight_table() if weight.name not in FIXED]
    general = [weight for weight in movable if "." not in weight.name]
    chosen = rng.sample(general, rng.randint(1, MOST_MOVED)) + rng.sample(movable, MOST_MOVED)
    moved: dict[str, float] = {}
    for weight in chosen:
        scale = max(abs(weight.default), 0.05 * (weight.high - weight.low))
        value = known[weight.name] + rng.gauss(0.0, STEP) * scale
        moved[weight.name] = round(min(weight.high, max(weight.low, value)), 6)
    return moved


def count_blinds(seeds: list[int], weights: Weights, threads: int) -> list[int]:
    """Count the blinds cleared on each seed."""
    columns = _engine.expert_play(seeds, "b_red", 1, weight_list(weights), threads, WIN_ANTE)
    return [int(blinds) for blinds in columns["blinds"]]


def measure_gain(seeds: list[int], weights: Weights, other: Weights, threads: int) -> tuple[float, float]:
    """Return mean and standard error of the paired gain in blinds of ``other`` over ``weights``."""
    before, after = count_blinds(seeds, weights, threads), count_blinds(seeds, other, threads)
    gains = [new - old for new, old in zip(after, before, strict=True)]
    return sum(gains) / len(gains), standard_error(gains)


def tune(
    path: Path,
    trials: int,
    *,
    runs: int = 200,
    seed: int = 0,
    threads: int = 1,
    on_trial: Callable[[Trial], None] | None = None,
) -> Search:
    """Search until ``trials`` trials are done in total. The file is written after each trial and can be resumed."""
    if trials < 1 or runs < 2:
        raise TuningError(f"a search needs at least 1 trial of 2 runs, got {trials} of {runs}")
    search = Search.load(path) if path.exists() else Search(seed, runs)
    for number in range(len(search.trials), trials):
        trial = run_trial(search, number, threads)
        search.trials.append(trial)
        if trial.kept:
            search.weights = search.weights | trial.moved
        save_search(path, search)
        if on_trial is not None:
            on_trial(trial)
    return search


def run_trial(search: Search, number: int, threads: int) -> Trial:
    """Run one trial: if it is ahead on the first seeds, more seeds decide."""
    moved = propose(search, number)
    other = search.weights | moved
    stream, runs = 2 * (1_000_003 * search.seed + number), search.runs
    gain, error = measure_gain(training_seeds(runs, stream), search.weights, other, threads)
    if gain > 0:
        runs *= CONFIRMING_RUNS
        gain, error = measure_gain(training_seeds(runs, stream + 1), search.weights, other, threads)
    return Trial(number, moved, gain, error, runs, gain > error)


def save_search(path: Path, search: Search) -> None:
    """Write the search's file atomically."""
    write_json(path, search.to_json(), indent=1)


def main() -> None:
    """Run the command shown in the module's docstring."""
    import argparse
    from pathlib import Path

    parser = argparse.ArgumentParser(description="tune the scripted player's weights on training seeds")
    parser.add_argument("file", type=Path, help="where the search stands; resumed if it exists")
    parser.add_argument("--trials", type=int, default=40, help="trials in all")
    parser.add_argument("--runs", type=int, default=200, help="runs per trial and side")
    parser.add_argument("--seed", type=int, default=0, help="which search")
    parser.add_argument("--threads", type=int, default=1, help="threads to play on")
    given = parser.parse_args()

    def tell(trial: Trial) -> None:
        moved = ", ".join(f"{name} {value:g}" for name, value in trial.moved.items())
        word = "kept" if trial.kept else "    "
        print(f"{trial.number:4d} {word} {trial.gain:+.2f} ± {trial.error:.2f}  {moved}", flush=True)

    options: dict[str, Any] = {"runs": given.runs, "seed": given.seed, "threads": given.threads}
    tune(given.file, given.trials, **options, on_trial=tell)


if __name__ == "__main__":
    main()
