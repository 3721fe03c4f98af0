"""RLlib compared with Stable-Baselines3 on the same training: steps per second, games per hour, memory.

Every measurement runs in a fresh process, in turn, several rounds of them; memory is that of the whole tree of
processes, what they share counted once.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import typer

from jimbot.cli.bench.process import MEGABYTE, run_with_memory
from jimbot.cli.files import write_report
from jimbot.errors import JimbotError
from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["ALGORITHMS", "RunnerMeasurement", "Way", "bench_rllib", "fit_scaling_model", "select_ways"]

N_ENVS = 16
SEED = 42
FLOOR_GAMES_PER_HOUR = 1_250
STEPS_PER_UPDATE = 256
"""Of every environment, in PPO; a measurement has as many steps with every algorithm."""
ALGORITHMS: dict[str, dict[str, Any]] = {
    "PPO": {"n_steps": STEPS_PER_UPDATE, "batch_size": 512, "n_epochs": 4},
    "APPO": {"n_steps": 64, "batch_size": 1024},
    "IMPALA": {"n_steps": 64, "batch_size": 1024},
}
"""What can be measured, and its own options. APPO and IMPALA learn from every step once."""
ONE_RUNNER, TWO_RUNNERS = "rllib, 1 runner", "rllib, 2 runners"


@dataclass(frozen=True)
class Way:
    """A way to train.

    Attributes:
        name: its name in tables.
        backend: the library.
        runners: number of env runner processes; with 0 the driver steps the environments.
        algorithm: the algorithm.
    """

    name: str
    backend: str
    runners: int = 0
    algorithm: str = "PPO"


def select_ways(algorithms: Sequence[str]) -> list[Way]:
    """Select what to measure: PPO beside sb3 and in the driver, other algorithms in env runners."""
    unknown = [each for each in algorithms if each not in ALGORITHMS]
    if unknown or not algorithms:
        raise JimbotError(
            f"algorithms: expected some of {', '.join(ALGORITHMS)}, got {', '.join(algorithms)!r}"
        )
    ways: list[Way] = []
    for algorithm in dict.fromkeys(algorithms):
        if algorithm == "PPO":
            ways += [
                Way("sb3", "sb3"),
                Way("rllib, in the driver", "rllib"),
                Way(ONE_RUNNER, "rllib", 1),
                Way(TWO_RUNNERS, "rllib", 2),
            ]
        else:
            ways += [
                Way(f"rllib {algorithm}, 1 runner", "rllib", 1, algorithm),
                Way(f"rllib {algorithm}, 2 runners", "rllib", 2, algorithm),
            ]
    return ways


@dataclass(frozen=True)
class RunnerMeasurement:
    """One measurement of one way to train.

    Attributes:
        way: the measured setup.
        timesteps: steps measured.
        seconds: seconds they took, including learning.
        games: games that ended during the measurement.
        sample_seconds: seconds of playing.
        learn_seconds: seconds of learning.
        peak_megabytes: peak memory of all processes together.
    """

    way: str
    timesteps: int
    seconds: float
    games: int
    sample_seconds: float
    learn_seconds: float
    peak_megabytes: float


def measure(way: Way, iterations: int) -> RunnerMeasurement:
    """Train on Balatro for the steps of some PPO updates, after an unmeasured first iteration."""
    with tempfile.TemporaryDirectory() as directory:
        measured, peak = run_with_memory(_train, way, iterations, directory)
    return RunnerMeasurement(way=way.name, peak_megabytes=peak / MEGABYTE, **measured)


def _train(queue: Any, way: Way, iterations: int, directory: str) -> None:
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.framework import create_trainer

    config = TrainerConfig.from_dict(
        {
            "backend": way.backend,
            "algorithm": way.algorithm,
            "n_envs": N_ENVS,
            "seed": SEED,
            "env_kwargs": {"actions": "candidates", "fast": True},
            "save_dir": directory,
            "backend_options": {"num_env_runners": way.runners} if way.backend == "rllib" else {},
            "hyperparams": {
                "features_dim": 256,
                "policy_net_arch": [128],
                "value_net_arch": [128],
                "algorithm_specific": ALGORITHMS[way.algorithm],
            },
        }
    )
    with create_trainer(None, config) as trainer:
        _ = trainer.model
        trainer.vector.reset()
        trainer.begin(10**9, None)
        trainer.iterate()
        trainer.vector.drain()
        started = time.perf_counter()
        results = [trainer.iterate()]
        while sum(each.timesteps for each in results) < iterations * STEPS_PER_UPDATE * N_ENVS:
            results.append(trainer.iterate())
        seconds = time.perf_counter() - started
        learn = min(seconds, sum(each.seconds["learn"] for each in results))
        queue.put(
            {
                "timesteps": sum(each.timesteps for each in results),
                "seconds": seconds,
                "games": len(trainer.vector.drain()),
                "sample_seconds": seconds - learn,
                "learn_seconds": learn,
            }
        )


def fit_scaling_model(one: float, two: float, learn: float) -> dict[str, Any]:
    """Estimate where more runners stop helping: rollouts are distributed among them, learning is not.

    The time of a step is ``play / runners + learn``; more than that is never gained.

    Args:
        one: seconds of playing per step with one runner.
        two: seconds of playing per step with two runners.
        learn: seconds of learning per step in the driver.
    """
    ceiling = 1.0 / learn
    predicted = {str(runners): 1.0 / (one / runners + learn) for runners in (1, 2, 4, 8, 16)}
    half = one / learn
    return {
        "play_seconds_per_step_one_runner": one,
        "play_seconds_per_step_two_runners": two,
        "play_speedup_of_two": one / two,
        "learn_seconds_per_step": learn,
        "steps_per_second_at_most": ceiling,
        "predicted_steps_per_second": predicted,
        "runners_for_half_of_the_ceiling": half,
        "runners_for_90_percent_of_the_ceiling": 9 * half,
    }


def bench_rllib(
    rounds: int,
    iterations: int,
    *,
    as_json: bool,
    write: Path | None = None,
    algorithms: Sequence[str] = ("PPO",),
) -> None:
    """Measure, print and write, for ``jimbot bench rllib``."""
    from rich.console import Console

    ways = select_ways(algorithms)
    measured: list[RunnerMeasurement] = []
    with Console(stderr=True).status("measuring") as status:
        for number in range(rounds):
            for way in ways:
                status.update(f"round {number + 1} of {rounds}: {way.name}")
                measured.append(measure(way, iterations))
    report = summarize(measured, rounds, iterations)
    if write is not None:
        write_report(write, report)
    if as_json:
        typer.echo(dump_json(report, indent=2, nonfinite="null"))
    else:
        show(report)


def summarize(measured: list[RunnerMeasurement], rounds: int, iterations: int) -> dict[str, Any]:
    """Return means with intervals for each way, and the scaling model if PPO ran with one and two runners."""
    from jimbot.cli.bench.report import find_source_commit
    from jimbot.training.checkpoints.provenance import hardware, library_versions

    ways: dict[str, Any] = {}
    names = list(dict.fromkeys(each.way for each in measured))
    for way in names:
        own = [each for each in measured if each.way == way]
        games = compute_interval([each.games / each.seconds * 3600 for each in own])
        ways[way] = {
            "steps_per_second": compute_interval([each.timesteps / each.seconds for each in own]),
            "games_per_hour": games,
            "times_the_floor": games["mean"] / FLOOR_GAMES_PER_HOUR,
            "peak_megabytes": max(each.peak_megabytes for each in own),
        }
    per_step = {
        way: [
            sum(getattr(each, part) for each in measured if each.way == way)
            / sum(each.timesteps for each in measured if each.way == way)
            for part in ("sample_seconds", "learn_seconds")
        ]
        for way in names
    }
    one, two = per_step.get(ONE_RUNNER), per_step.get(TWO_RUNNERS)
    return {
        "commit": find_source_commit(),
        "seed": SEED,
        "n_envs": N_ENVS,
        "rounds": rounds,
        "iterations": iterations,
        "load_average": os.getloadavg()[0],
        "hardware": hardware(),
        "versions": library_versions(),
        "floor_games_per_hour": FLOOR_GAMES_PER_HOUR,
        "ways": ways,
        "scaling": fit_scaling_model(one[0], two[0], one[1]) if one and two else None,
        "measured": [asdict(each) for each in measured],
    }


def compute_interval(values: list[float]) -> dict[str, float]:
    """Return a mean with its 95 % interval; of one value, the value itself."""
    from jimbot.statistics.intervals import mean_interval

    if len(values) == 1:
        return {"mean": values[0], "low": values[0], "high": values[0]}
    found = mean_interval(values)
    return {"mean": found.estimate, "low": found.low, "high": found.high}


def show(report: dict[str, Any]) -> None:
    """Print the report as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table("way", "steps/s", "95 %", "games/hour", "times the floor", "memory of all", box=None)
    for way, found in report["ways"].items():
        speed = found["steps_per_second"]
        table.add_row(
            way,
            f"{speed['mean']:,.0f}",
            f"{speed['low']:,.0f} to {speed['high']:,.0f}",
            f"{found['games_per_hour']['mean']:,.0f}",
            f"{found['times_the_floor']:,.0f}",
            f"{found['peak_megabytes']:,.0f} MB",
        )
    console = Console()
    console.print(table)
    scaling = report["scaling"]
    if scaling is None:
        return
    console.print(
        f"two runners play {scaling['play_speedup_of_two']:.2f} times as fast as one; learning allows at most "
        f"{scaling['steps_per_second_at_most']:,.0f} steps/s"
    )
