"""A killed run, resumed, becomes what it would have been: parameters and metrics, bit for bit."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jimbot.errors import JimbotError
from jimbot.tracking.events import read_events
from jimbot.training.checkpoints.manager import CheckpointManager
from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer, resume_run

OWN = {
    "PPO": {"n_steps": 16, "batch_size": 16, "n_epochs": 2},
    "A2C": {"n_steps": 4},
    "DQN": {"learning_starts": 40, "buffer_size": 150, "target_update_interval": 30, "batch_size": 8},
}
TOTAL = 384
"""Steps of a whole run; DQN's buffer has gone round by then."""


def configuration(algorithm: str, env: str, save_dir: Path, **values: Any) -> TrainerConfig:
    return TrainerConfig(
        algorithm=algorithm,
        env=env,
        total_timesteps=TOTAL,
        n_envs=3,
        eval_freq=150,
        eval_episodes=3,
        checkpoint_freq=100,
        keep_checkpoints=10,
        save_dir=str(save_dir),
        hyperparams=HyperparameterConfig(
            policy_net_arch=[16], value_net_arch=[16], features_dim=16, algorithm_specific=OWN[algorithm]
        ),
        **values,
    )


def events_of(run: Path) -> list:
    """What happened, without what the clock decides."""
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    return [
        (
            event["kind"],
            event["step"],
            {name: value for name, value in event["values"].items() if not name.startswith(("time/", "run"))},
        )
        for event in events
    ]


def parameters_of(run: Path) -> dict:
    last = CheckpointManager(run / "checkpoints").latest()
    assert last is not None
    return CheckpointManager(run / "checkpoints").load(last).tree["training"]["policy"]


def equal(one: dict, other: dict) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


def cut_back(run: Path, copy: Path, checkpoints: int) -> Path:
    """A copy of a run as it was after some of its checkpoints, with what was written later still in its files."""
    shutil.copytree(run, copy)
    for later in sorted((copy / "checkpoints").glob("step_*"))[checkpoints:]:
        shutil.rmtree(later)
    return copy


CANDIDATES = {"actions": "candidates", "candidates": 32}


@pytest.mark.parametrize(
    ("env", "options"),
    [("CartPole-v1", {}), ("jimbot/Balatro-v0", {}), ("jimbot/Balatro-v0", CANDIDATES)],
    ids=["cartpole", "slots", "candidates"],
)
@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_from_any_checkpoint_the_run_ends_the_same(algorithm, env, options, tmp_path):
    with create_trainer(
        None, configuration(algorithm, env, tmp_path / "whole", env_kwargs=options)
    ) as trainer:
        trainer.train(progress="silent")
        run = trainer.run.path
    whole = parameters_of(run)
    assert len(list((run / "checkpoints").glob("step_*"))) >= 3
    for kept in (1, 2):
        copy = cut_back(run, tmp_path / f"copy{kept}", kept)
        with resume_run(copy) as resumed:
            assert 0 < resumed.timesteps < TOTAL
            resumed.train(progress="silent")
        assert equal(parameters_of(copy), whole)
        assert events_of(copy) == events_of(run)


def test_a_curriculum_is_resumed_too(tmp_path):
    config = configuration("PPO", "jimbot/Balatro-v0", tmp_path / "whole", use_curriculum=True)
    config.curriculum.window = 3
    config.curriculum.success_threshold = 0.01
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        run = trainer.run.path
    copy = cut_back(run, tmp_path / "copy", 1)
    with resume_run(copy) as resumed:
        resumed.train(progress="silent")
    assert events_of(copy) == events_of(run)


CHILD = """
from pathlib import Path
from tests.resume.test_sb3_resume import configuration, train_slowly
config = configuration({algorithm!r}, "jimbot/Balatro-v0", Path({save_dir!r}), name="killed")
config.total_timesteps = {total}
train_slowly(config)
"""


def train_slowly(config: TrainerConfig, seconds: float = 0.1) -> None:
    """Train with a pause before every iteration, so that a kill comes amid training on a busy machine too."""
    trainer = create_trainer(None, config)
    iterate = trainer.iterate

    def slowly() -> Any:
        time.sleep(seconds)
        return iterate()

    trainer.iterate = slowly
    trainer.train(progress="silent")


def killed_amid_training(code: str, run: Path, seconds: float = 120) -> None:
    """Start a training in a process of its own and kill it after its first checkpoint.

    It must die of the signal, with a checkpoint and without an end: otherwise nothing would be resumed.
    """
    child = subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])
    try:
        deadline = time.monotonic() + seconds
        while not list((run / "checkpoints").glob("step_*")) and child.poll() is None:
            assert time.monotonic() < deadline, "the child wrote no checkpoint"
            time.sleep(0.01)
    finally:
        child.send_signal(signal.SIGKILL)
        child.wait()
    assert child.returncode == -signal.SIGKILL, "the child ended before it was killed"
    kinds = [event.kind for event in read_events(run / "events.jsonl")]
    assert "checkpoint" in kinds
    assert "run_ended" not in kinds


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_a_run_killed_by_the_system_ends_as_an_unbroken_one(algorithm, tmp_path):
    """SIGKILL at an arbitrary moment after the first checkpoint and before the end."""
    total = 600
    code = textwrap.dedent(CHILD.format(algorithm=algorithm, save_dir=str(tmp_path), total=total))
    killed_amid_training(code, tmp_path / "killed")
    with resume_run(tmp_path / "killed") as resumed:
        began = resumed.timesteps
        resumed.train(progress="silent")
    config = configuration(algorithm, "jimbot/Balatro-v0", tmp_path / "whole")
    config.total_timesteps = total
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        whole = trainer.run.path
    assert 100 <= began < total
    assert equal(parameters_of(tmp_path / "killed"), parameters_of(whole))
    assert events_of(tmp_path / "killed") == events_of(whole)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_interrupt_saves_and_stops(number, tmp_path):
    config = configuration("PPO", "CartPole-v1", tmp_path)
    config.total_timesteps = 1_000_000
    with create_trainer(None, config) as trainer:

        def interrupt(_):
            os.kill(os.getpid(), number)

        result = trainer.train(callback=interrupt, progress="silent")
        assert result["stopped"] == "interrupted"
        assert trainer.run.reload().state == "interrupted"
        latest = CheckpointManager(trainer.run.checkpoints_path).latest()
        assert latest is not None
        assert latest.step == result["timesteps"] < 1_000_000


def test_an_error_in_training_loses_nothing(tmp_path):
    config = configuration("PPO", "CartPole-v1", tmp_path)
    config.total_timesteps = 1_000_000

    def fail(_):
        raise RuntimeError("something of the user's")

    with create_trainer(None, config) as trainer:
        with pytest.raises(RuntimeError, match="something of the user's"):
            trainer.train(callback=fail, progress="silent")
        run = trainer.run.path
        assert trainer.run.reload().state == "failed"
    with resume_run(run) as resumed:
        assert resumed.timesteps >= 100


def test_a_run_without_checkpoints_cannot_be_resumed(tmp_path):
    config = configuration("PPO", "CartPole-v1", tmp_path)
    with create_trainer(None, config) as trainer:
        run = trainer.run.path
    with pytest.raises(JimbotError, match="has no whole checkpoint to resume from"):
        resume_run(run)
    with pytest.raises(JimbotError, match="is not a directory"):
        resume_run(tmp_path / "none")
