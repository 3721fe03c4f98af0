"""Measures training: steps per second, memory and time per phase, beside environments in processes of their own.

Every measurement runs in a fresh process, so that its peak memory is its own.
"""

from __future__ import annotations

import json
import multiprocessing
import tempfile
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["TrainMeasurement", "bench_train", "measure_training"]

ITERATIONS = 1
MEGABYTE = 1024.0


@dataclass(frozen=True)
class TrainMeasurement:
    """One way to train.

    Attributes:
        backend: the library.
        environments: native (one compiled call) or subprocess (a Python process each).
        n_envs: environments side by side.
        timesteps: steps measured.
        steps_per_second: over collecting and learning.
        shares: share of the time per phase.
        peak_megabytes: most memory of the process, its children included.
    """

    backend: str
    environments: str
    n_envs: int
    timesteps: int
    steps_per_second: float
    shares: dict[str, float]
    peak_megabytes: float


def measure_training(backend: str, vectorization: str, n_envs: int, steps: int | None) -> TrainMeasurement:
    """Train the documented defaults of PPO on Balatro for some steps."""
    with tempfile.TemporaryDirectory() as directory:
        context = multiprocessing.get_context("spawn")
        queue: Any = context.Queue()
        process = context.Process(
            target=_measure, args=(queue, backend, vectorization, n_envs, steps, directory)
        )
        process.start()
        measured: dict[str, Any] = queue.get()
        process.join()
    return TrainMeasurement(**measured)


def _measure(
    queue: Any, backend: str, vectorization: str, n_envs: int, steps: int | None, directory: str
) -> None:
    import resource
    import time

    from jimbot.training.config import get_default_config
    from jimbot.training.framework import create_trainer

    config = get_default_config("PPO").copy_with(
        backend=backend, vectorization=vectorization, n_envs=n_envs, save_dir=directory
    )
    if steps is not None:
        config.hyperparams.algorithm_specific = {
            **config.hyperparams.algorithm_specific,
            "n_steps": max(steps // n_envs, 64),
        }
    trainer = create_trainer(None, config)
    _ = trainer.model
    trainer.vector.reset()
    trainer.begin(10**9, None)
    started = time.perf_counter()
    results = [trainer.iterate() for _ in range(ITERATIONS)]
    seconds = time.perf_counter() - started
    spent: dict[str, float] = {}
    for result in results:
        for phase, each in result.seconds.items():
            spent[phase] = spent.get(phase, 0.0) + each
    taken = sum(result.timesteps for result in results)
    trainer.close()
    memory = sum(
        resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    queue.put(
        {
            "backend": backend,
            "environments": "native" if vectorization == "auto" else vectorization,
            "n_envs": n_envs,
            "timesteps": taken,
            "steps_per_second": taken / seconds,
            "shares": {phase: each / sum(spent.values()) for phase, each in spent.items()},
            "peak_megabytes": memory / MEGABYTE,
        }
    )


def bench_train(backends: Iterable[str], envs: Iterable[int], steps: int | None, *, as_json: bool) -> None:
    """Measure, and print: what ``jimbot bench train`` does."""
    from rich.console import Console

    from jimbot.cli.bench import source_commit

    counts = list(envs)
    measured: list[TrainMeasurement] = []
    with Console(stderr=True).status("measuring") as status:
        for backend in backends:
            for count in counts:
                status.update(f"{backend}, {count} native environments")
                measured.append(measure_training(backend, "auto", count, steps))
        most = max(counts)
        for count in sorted({min(8, most), most}):
            status.update(f"sb3, {count} environments in processes")
            measured.append(measure_training("sb3", "subprocess", count, steps))
    if as_json:
        report = {"commit": source_commit(), "measured": [asdict(each) for each in measured]}
        typer.echo(json.dumps(report, indent=2))
    else:
        show(measured)


def show(measured: list[TrainMeasurement]) -> None:
    """The measurements as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "library", "environments", "side by side", "steps/s", "times subprocess", "memory", "time", box=None
    )
    slow = {each.n_envs: each.steps_per_second for each in measured if each.environments == "subprocess"}
    for each in measured:
        beside = slow.get(each.n_envs)
        ratio = f"{each.steps_per_second / beside:.1f}" if beside and each.environments == "native" else ""
        shares = ", ".join(f"{phase} {share:.0%}" for phase, share in each.shares.items())
        table.add_row(
            each.backend,
            each.environments,
            str(each.n_envs),
            f"{each.steps_per_second:,.0f}",
            ratio,
            f"{each.peak_megabytes:,.0f} MB",
            shares,
        )
    Console().print(table)
