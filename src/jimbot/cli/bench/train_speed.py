"""Training speed: steps per second, memory and time per phase, compared with unmodified Stable-Baselines3.

Every measurement runs in a fresh process, so that its memory is its own.
"""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import typer

from jimbot.cli.bench.process import MEGABYTE, run_with_memory
from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.framework import Iteration

__all__ = ["TrainMeasurement", "bench_train", "measure_training"]

ENOUGH_SECONDS = 4.0
"""Updates are measured until so much time has passed. One of the documented 2 048 steps takes longer by itself, so
that what the first one has to set up counts for little."""
MOST_UPDATES = 8
NATIVE, PROCESSES = "native", "SubprocVecEnv"


@dataclass(frozen=True)
class TrainMeasurement:
    """A measurement of one way to train.

    Attributes:
        backend: the library.
        environments: native (one compiled call, jimbot's trainer) or SubprocVecEnv (a Python process for each
            Gymnasium environment, the library as it comes, with the same network and masks).
        n_envs: number of parallel environments.
        threads: threads of the library.
        timesteps: steps measured.
        steps_per_second: steps per second, collecting and learning together.
        shares: share of the time per phase.
        peak_megabytes: peak memory of the process and its descendants, shared memory counted once.
    """

    backend: str
    environments: str
    n_envs: int
    threads: int
    timesteps: int
    steps_per_second: float
    shares: dict[str, float]
    peak_megabytes: float


def measure_training(
    backend: str, environments: str, n_envs: int, steps: int | None, threads: int
) -> TrainMeasurement:
    """Train PPO on Balatro with documented defaults for some updates, in a separate process."""
    with tempfile.TemporaryDirectory() as directory:
        measured, peak = run_with_memory(_measure, backend, environments, n_envs, steps, threads, directory)
    return TrainMeasurement(peak_megabytes=peak / MEGABYTE, **measured)


def make_configuration(
    backend: str, n_envs: int, steps: int | None, threads: int, directory: str
) -> TrainerConfig:
    """Return the documented defaults of PPO, with ``steps`` per update if given."""
    from jimbot.training.config.trainer_config import get_default_config

    config = get_default_config("PPO").copy_with(
        backend=backend, n_envs=n_envs, threads=threads, save_dir=directory
    )
    if steps is not None:
        config.hyperparams.algorithm_specific = {
            **config.hyperparams.algorithm_specific,
            "n_steps": max(steps // n_envs, 64),
        }
    return config


def _measure(
    queue: Any, backend: str, environments: str, n_envs: int, steps: int | None, threads: int, directory: str
) -> None:
    import time

    from jimbot.cli.bench.process import use_threads
    from jimbot.training.framework import find_trainer

    use_threads(threads)
    config = make_configuration(backend, n_envs, steps, threads, directory)
    update, close = (
        prepare_native_updates(config) if environments == NATIVE else prepare_library_updates(config)
    )
    if find_trainer(backend).capabilities.compiles:
        update()
    spent: dict[str, float] = {}
    taken, updates, started = 0, 0, time.perf_counter()
    while updates < MOST_UPDATES and time.perf_counter() - started < ENOUGH_SECONDS:
        result = update()
        updates += 1
        taken += result.timesteps
        for phase, each in result.seconds.items():
            spent[phase] = spent.get(phase, 0.0) + each
    seconds = time.perf_counter() - started
    close()
    queue.put(
        {
            "backend": backend,
            "environments": environments,
            "n_envs": n_envs,
            "threads": threads,
            "timesteps": taken,
            "steps_per_second": taken / seconds,
            "shares": {phase: each / sum(spent.values()) for phase, each in spent.items()},
        }
    )


def prepare_native_updates(config: TrainerConfig) -> tuple[Callable[[], Iteration], Callable[[], None]]:
    """Return functions that run one update of jimbot's trainer on native environments, and that close it."""
    from jimbot.training.framework import create_trainer

    trainer = create_trainer(None, config)
    _ = trainer.model
    trainer.vector.reset()
    trainer.begin(10**9, None)
    return trainer.iterate, trainer.close


def prepare_library_updates(
    config: TrainerConfig, *, processes: bool = True
) -> tuple[Callable[[], Iteration], Callable[[], None]]:
    """Return functions that run one update of the unmodified library with jimbot's network and masks, and that close
    it.

    Environments are stepped one by one: each in a process of its own, or all in this one.
    """
    import time

    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import CallbackList
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv

    from jimbot.training.backends.sb3.policies import MaskedActorCriticPolicy
    from jimbot.training.config.network_choice import configured_spec
    from jimbot.training.envs.creation import Environments
    from jimbot.training.framework import Iteration
    from jimbot.training.sb3_trainer import SB3Trainer

    torch.set_num_threads(config.threads)
    creator = Environments.of(None, config).creator
    creators = [creator] * config.n_envs
    envs: Any = SubprocVecEnv(creators, start_method="forkserver") if processes else DummyVecEnv(creators)
    spec = configured_spec(envs.observation_space, envs.action_space, config)
    arguments = {"spec": spec, "packing": None, "optimizer_kwargs": {"eps": 1e-5, "fused": None}}
    model: Any = PPO(MaskedActorCriticPolicy, envs, policy_kwargs=arguments, **SB3Trainer.translate(config))
    _, callback = model._setup_learn(10**9, CallbackList([]))  # noqa: SLF001
    waited = [0.0]
    step = envs.step

    def timed_step(actions: Any) -> Any:
        started = time.perf_counter()
        result = step(actions)
        waited[0] += time.perf_counter() - started
        return result

    envs.step = timed_step

    def update() -> Iteration:
        waited[0] = 0.0
        started, before = time.perf_counter(), model.num_timesteps
        model.collect_rollouts(envs, callback, model.rollout_buffer, model.n_steps)
        collected = time.perf_counter()
        model.train()
        seconds = {
            "env": waited[0],
            "policy": collected - started - waited[0],
            "learn": time.perf_counter() - collected,
        }
        return Iteration(model.num_timesteps - before, {}, seconds)

    return update, envs.close


def bench_train(
    backends: Iterable[str], envs: Iterable[int], steps: int | None, threads: int, *, as_json: bool
) -> None:
    """Measure and print, for ``jimbot bench train``."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from jimbot.cli.bench.report import make_machine_report

    counts = list(envs)
    measured: list[TrainMeasurement] = []
    ways = [(backend, NATIVE, count) for backend in backends for count in counts]
    ways += [("sb3", PROCESSES, count) for count in counts]
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    ) as progress:
        task = progress.add_task("measuring", total=len(ways))
        for backend, environments, count in ways:
            progress.update(task, description=f"{backend}, {count} {environments}")
            measured.append(measure_training(backend, environments, count, steps, threads))
            progress.advance(task)
    if as_json:
        report = make_machine_report(threads, 0.0, []) | {"measured": [asdict(each) for each in measured]}
        typer.echo(dump_json(report, indent=2, nonfinite="null"))
    else:
        show(measured)


def show(measured: list[TrainMeasurement]) -> None:
    """Print the measurements as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(
        "library", "environments", "side by side", "steps/s", "times as fast", "memory", "time", box=None
    )
    slow = {each.n_envs: each.steps_per_second for each in measured if each.environments == PROCESSES}
    for each in measured:
        beside = slow.get(each.n_envs)
        ratio = f"{each.steps_per_second / beside:.1f}" if beside and each.environments == NATIVE else ""
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
