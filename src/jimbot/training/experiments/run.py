"""Run one experiment, from its start or its last checkpoint; failures become results too."""

from __future__ import annotations

import math
import os
import re
import time
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.storage.peak_memory import peak_memory_bytes, reset_peak_memory
from jimbot.storage.strict_json import read_json, write_json
from jimbot.training.checkpoints.manager import CheckpointManager
from jimbot.training.envs.creation import BALATRO, with_options
from jimbot.training.experiments.config import ExperimentConfig, creator_name
from jimbot.training.experiments.result import Curve, ExperimentResult
from jimbot.training.framework import RLTrainer, create_trainer, resume_run
from jimbot.training.loop.rng_state import saved_rng_state
from jimbot.training.runs.directory import RunDirectory, RunError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["ExperimentTask", "run_experiment"]

NOTES = "experiment.json"
KEPT_CURVES = ("rollout/", "evaluation/", "curriculum/", "reward/")


@dataclass(frozen=True)
class ExperimentTask:
    """What a process needs to run one experiment.

    Attributes:
        config: the experiment.
        creator: makes an environment, for experiments that name none.
        runs: directory that holds the run's directory.
        key: name of the run's directory.
    """

    config: ExperimentConfig
    creator: Callable[..., Any] | None
    runs: Path
    key: str


def run_experiment(
    task: ExperimentTask, tell: Callable[[int], None] | None = None, *, afresh: bool = False
) -> ExperimentResult:
    """Train and evaluate. ``KeyboardInterrupt`` when training was interrupted; every other end is a result.

    Args:
        task: the experiment.
        tell: called with the steps trained so far.
        afresh: start anew even if there is a run to go on with.
    """
    result = ExperimentResult(task.config.label, task.config.algorithm, task.config.seed, key=task.key)
    reset_peak_memory()
    try:
        env, config = environment_of(task)
        result.recipe_hash = task.config.recipe_hash(creator_name(task.creator))
        result.config_hash, result.env, result.backend = config.hash(), config.env, config.backend
        with open_trainer(task, env, config, afresh=afresh) as trainer:
            train(trainer, result, tell)
            evaluate(trainer, task.config.evaluation_episodes, result)
    except Exception as error:  # noqa: BLE001  one failure must not end the others
        result.status = "failed"
        result.error = f"{type(error).__name__}: {' '.join(str(error).split())}"
        result.traceback = traceback.format_exc()
    result.peak_memory_bytes = peak_memory_bytes()
    return result


# --- environments and trainers --------------------------------------------------------------------------------------


def environment_of(task: ExperimentTask) -> tuple[Any, TrainerConfig]:
    """The environment for a trainer, and the configuration with its true name."""
    config = task.config.trainer_config().copy_with(save_dir=str(task.runs), name=task.key)
    if task.config.env is not None or task.creator is None:
        return None, config
    return task.creator, config.copy_with(env=environment_name(with_options(task.creator, config.env_kwargs)))


def environment_name(creator: Callable[..., Any]) -> str:
    """The id of what a creator makes, or its class."""
    from jimbot.balatro.env.single import BalatroEnv

    made = creator()
    try:
        if isinstance(made.unwrapped, BalatroEnv):
            return BALATRO
        if made.spec is not None:
            return str(made.spec.id)
        kind = cast("type[Any]", type(made.unwrapped))
        return f"{kind.__module__}.{kind.__qualname__}"
    finally:
        made.close()


def open_trainer(task: ExperimentTask, env: Any, config: TrainerConfig, *, afresh: bool) -> RLTrainer:
    """A trainer at the last checkpoint of the experiment's latest run, or a new one."""
    latest = None if afresh else latest_run(task)
    if latest is None or CheckpointManager(latest.checkpoints_path).latest() is None:
        return create_trainer(env, config)
    return resume_run(latest.path, env)


def latest_run(task: ExperimentTask) -> RunDirectory | None:
    """The experiment's latest run; raises while another process runs it."""
    shape = re.compile(re.escape(task.key) + r"(?:-(\d+))?")
    found: list[tuple[int, Path]] = []
    for path in task.runs.iterdir() if task.runs.is_dir() else ():
        match = shape.fullmatch(path.name)
        if match is not None and (path / "status.json").exists():
            found.append((int(match[1] or 1), path))
    if not found:
        return None
    run = RunDirectory.open(max(found)[1])
    if run.status.seen_state == "running" and run.status.process.pid != os.getpid():
        raise RunError(
            f"process {run.status.process.pid} still runs {run.path}; stop it, or wait until it ends"
        )
    return run


# --- training -------------------------------------------------------------------------------------------------------


def train(trainer: RLTrainer, result: ExperimentResult, tell: Callable[[int], None] | None) -> None:
    """Train to the end and record the results."""
    run = trainer.run
    result.run_directory = str(run.path)
    result.provenance = {
        name: run.provenance.get(name) for name in ("created_at", "git", "versions", "hardware", "command")
    }
    notes = begin_notes(trainer)

    def callback(metrics: dict[str, Any]) -> None:
        del metrics
        if tell is not None:
            tell(trainer.timesteps)

    shared_loop = type(trainer).train is RLTrainer.train
    started = time.monotonic()
    outcome = trainer.train(callback=callback, progress="silent") if shared_loop else trainer.train()
    seconds = time.monotonic() - started
    result.stopped = str(outcome.get("stopped", "finished"))
    if result.stopped == "interrupted":
        raise KeyboardInterrupt
    result.timesteps = int(outcome.get("timesteps", trainer.config.total_timesteps))
    result.episodes = int(outcome.get("episodes", 0))
    result.best_score, result.best_confirmed = outcome.get("best_score"), outcome.get("best_confirmed")
    result.resumed = len(notes["segments"]) - 1 + notes["repeated"]
    result.curves, recorded = training_curves(run.events_path, notes)
    result.wall_seconds = recorded if result.resumed else seconds
    result.steps_per_second = throughput(outcome, result)


def throughput(outcome: Mapping[str, Any], result: ExperimentResult) -> float:
    """Steps per second of training alone; of all the time where a trainer with a loop of its own does not say."""
    measured = float(outcome.get("steps_per_second", 0.0))
    if measured > 0:
        return measured
    return result.timesteps / result.wall_seconds if result.wall_seconds > 0 else math.nan


def begin_notes(trainer: RLTrainer) -> dict[str, Any]:
    """What the run's directory remembers of the experiment: when training began and went on, the untrained policy."""
    path = trainer.run.path / NOTES
    if path.exists():
        notes: dict[str, Any] = read_json(path)
        before = notes["segments"]
        notes["segments"] = [each for each in before if each["step"] < trainer.timesteps]
        notes["repeated"] += len(before) - len(notes["segments"])
    else:
        notes = {"segments": [], "repeated": 0, "untrained": untrained_reward(trainer)}
    notes["segments"].append({"step": trainer.timesteps, "time": time.time()})
    write_json(path, notes)
    return notes


def untrained_reward(trainer: RLTrainer) -> float | None:
    """What the policy gets before its first step; without it nobody knows where learning began."""
    if type(trainer).evaluate is not RLTrainer.evaluate:
        return None
    _ = trainer.model  # making it draws from the generators; measuring it must not
    with saved_rng_state():
        reward = trainer.evaluate_episodes(trainer.config.eval_episodes, EvaluationSet.SELECTION).mean
    return reward if math.isfinite(reward) else None


def training_curves(events: Path, notes: dict[str, Any]) -> tuple[dict[str, Curve], float]:
    """Every curve worth keeping, and the seconds of training without the pauses between its parts."""
    from jimbot.tracking.events import read_events

    curves: dict[str, Curve] = {}
    if notes["untrained"] is not None:
        curves["evaluation/mean_reward"] = Curve([0], [notes["untrained"]], [0.0])
    starts = [float(each["time"]) for each in notes["segments"]]
    part, offset, elapsed = 0, 0.0, 0.0
    for event in read_events(events) if events.exists() else ():
        while part + 1 < len(starts) and event.time >= starts[part + 1]:
            part, offset = part + 1, elapsed
        elapsed = max(elapsed, offset + event.time - starts[part])
        if event.kind not in ("metrics", "evaluation"):
            continue
        for name, value in event.numbers().items():
            if name.startswith(KEPT_CURVES):
                curve = curves.setdefault(name, Curve([], [], []))
                curve.steps.append(event.step)
                curve.values.append(value)
                curve.seconds.append(elapsed)
    return curves, elapsed


def evaluate(trainer: RLTrainer, episodes: int, result: ExperimentResult) -> None:
    """The final policy on episodes that training never looked at."""
    if type(trainer).evaluate is not RLTrainer.evaluate:
        result.mean_reward, result.std_reward = map(float, trainer.evaluate(episodes))
        return
    measured = trainer.evaluate_episodes(episodes, EvaluationSet.EXPERIMENT)
    result.mean_reward, result.std_reward = measured.mean, measured.std
    result.scores = cast("list[float]", measured.rewards.tolist())
    result.evaluation = measured.metrics()
