"""A killed run in JAX, resumed, becomes what it would have been: compiled, on Gymnasium, and on Balatro."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from tests.resume.test_sb3_resume import cut_back, events_of, killed_amid_training

from jimbot.training.checkpoints.manager import CheckpointManager
from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer, resume_run

pytest.importorskip("jax")
pytest.importorskip("flax")

import numpy as np

from jimbot.training.backends.jax.state import flat_arrays

TOTAL = 400
WORLDS = {
    "compiled": {"env": "CartPole-v1"},
    "gymnasium": {"env": "CartPole-v1", "vectorization": "sync"},
    "slots": {"env": "jimbot/Balatro-v0"},
    "candidates": {"env": "jimbot/Balatro-v0", "env_kwargs": {"actions": "candidates"}},
}


def configuration(world: str, save_dir: Path, name: str) -> TrainerConfig:
    """A run of six updates and three checkpoints."""
    return TrainerConfig(
        **WORLDS[world],
        backend="jax",
        total_timesteps=TOTAL,
        n_envs=4,
        eval_freq=150,
        eval_episodes=4,
        checkpoint_freq=100,
        keep_checkpoints=10,
        save_dir=str(save_dir),
        name=name,
        hyperparams=HyperparameterConfig(
            policy_net_arch=[16],
            value_net_arch=[16],
            features_dim=16,
            algorithm_specific={"n_steps": 16, "batch_size": 32, "n_epochs": 2},
        ),
    )


def state_of(run: Path) -> dict:
    """All arrays of the last checkpoint: parameters, Adam, key, environments, statistics."""
    manager = CheckpointManager(run / "checkpoints")
    last = manager.latest()
    assert last is not None
    tree = manager.load(last).tree
    return flat_arrays({"training": tree["training"], "policy": tree["policy"]["tensors"]})


def assert_same(one: Path, other: Path) -> None:
    """Both runs ended alike, to the bit."""
    left, right = state_of(one), state_of(other)
    assert left.keys() == right.keys()
    for name, array in left.items():
        np.testing.assert_array_equal(array, right[name], err_msg=name)
    assert events_of(one) == events_of(other)


@pytest.mark.parametrize("world", ["compiled", "gymnasium", pytest.param("slots", marks=pytest.mark.slow)])
def test_from_any_checkpoint_the_run_ends_the_same(world, tmp_path):
    with create_trainer(None, configuration(world, tmp_path, "whole")) as trainer:
        assert trainer.compiled == (world == "compiled")  # pyright: ignore[reportAttributeAccessIssue]
        trainer.train(progress="silent")
        run = trainer.run.path
    assert len(list((run / "checkpoints").glob("step_*"))) >= 3
    for kept in (1, 2):
        copy = cut_back(run, tmp_path / f"copy{kept}", kept)
        with resume_run(copy) as resumed:
            assert 0 < resumed.timesteps < TOTAL
            resumed.train(progress="silent")
        assert_same(copy, run)


CHILD = """
from pathlib import Path
from tests.resume.test_jax_resume import configuration
from tests.resume.test_sb3_resume import train_slowly
train_slowly(configuration({world!r}, Path({save_dir!r}), "killed"), seconds=0.3)
"""


@pytest.mark.slow
@pytest.mark.parametrize("world", list(WORLDS))
def test_a_run_killed_by_the_system_ends_as_an_unbroken_one(world, tmp_path):
    """SIGKILL at an arbitrary moment after the first checkpoint and before the end; another process goes on."""
    code = textwrap.dedent(CHILD.format(world=world, save_dir=str(tmp_path)))
    killed_amid_training(code, tmp_path / "killed", seconds=300)
    with resume_run(tmp_path / "killed") as resumed:
        assert 100 <= resumed.timesteps < TOTAL
        resumed.train(progress="silent")
    with create_trainer(None, configuration(world, tmp_path, "whole")) as trainer:
        trainer.train(progress="silent")
    assert_same(tmp_path / "killed", tmp_path / "whole")
