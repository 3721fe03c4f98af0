"""``total_timesteps`` is what is trained, or what is said before training begins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.training.tiny_envs import MaskedBandit

from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer

SMALL = {"features_dim": 8, "policy_net_arch": [8], "value_net_arch": [8]}
OWN: dict[str, dict[str, Any]] = {
    "PPO": {"n_steps": 32, "batch_size": 16, "n_epochs": 1},
    "A2C": {"n_steps": 32, "normalize_advantage": True},
    "DQN": {"learning_starts": 8, "train_freq": 8, "buffer_size": 100, "batch_size": 8},
}


def config_of(tmp_path: Any, algorithm: str, backend: str = "sb3", **changes: Any) -> TrainerConfig:
    own = dict(OWN[algorithm])
    if backend != "sb3":
        own.pop("normalize_advantage", None)
    return TrainerConfig(
        algorithm=algorithm,
        backend=backend,
        n_envs=changes.pop("n_envs", 2),
        save_dir=str(tmp_path),
        eval_freq=10_000,
        eval_episodes=1,
        hyperparams=HyperparameterConfig(**{**SMALL, "algorithm_specific": own}),
        **changes,
    )


@pytest.mark.parametrize("backend", ["sb3", "tianshou"])
@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_the_last_update_is_cut_short(tmp_path: Any, algorithm: str, backend: str, capsys: Any) -> None:
    if backend == "tianshou":
        pytest.importorskip("tianshou")
    with create_trainer(MaskedBandit, config_of(tmp_path, algorithm, backend)) as trainer:
        assert trainer.update_timesteps() in (16, 64)
        result = trainer.train(100, progress="plain")
        assert result["timesteps"] == 100
        assert all(np.isfinite(each).all() for each in trainer.policy_tensors().values())
    assert "not 100" not in capsys.readouterr().err


@pytest.mark.parametrize("algorithm", ["PPO", "A2C"])
def test_an_update_of_a_single_step_changes_nothing_to_nan(tmp_path: Any, algorithm: str) -> None:
    config = config_of(tmp_path, algorithm, n_envs=1)
    with create_trainer(MaskedBandit, config) as trainer:
        assert trainer.train(33, progress="silent")["timesteps"] == 33
        assert all(np.isfinite(each).all() for each in trainer.policy_tensors().values())


def test_steps_that_environments_do_not_divide_are_announced(tmp_path: Any, capsys: Any) -> None:
    with create_trainer(MaskedBandit, config_of(tmp_path, "PPO", n_envs=4)) as trainer:
        assert trainer.train(50, progress="plain")["timesteps"] == 52
    said = capsys.readouterr().err
    assert "training 52 steps, not 50: one step of each of the 4 environments is 4 steps" in said
    assert said.index("not 50") < said.index("0 of 52 steps")
    assert "52 / 50" not in said


def test_whole_updates_are_announced_where_they_cannot_be_cut(tmp_path: Any) -> None:
    pytest.importorskip("jax")
    with create_trainer(MaskedBandit, config_of(tmp_path, "PPO", "jax")) as trainer:
        assert trainer.reachable_timesteps(100) == 128
        assert trainer.reachable_timesteps(128) == 128
        assert trainer.reachable_timesteps(0) == 0


def test_training_on_after_a_cut_update_takes_whole_ones_again(tmp_path: Any) -> None:
    with create_trainer(MaskedBandit, config_of(tmp_path, "PPO")) as trainer:
        trainer.train(80, progress="silent")
        assert trainer.model.rollout_buffer.buffer_size == 8
        trainer.train(64, progress="silent")
        assert trainer.timesteps == 144
        assert trainer.model.rollout_buffer.buffer_size == 32


def test_counters_are_not_averaged(tmp_path: Any) -> None:
    config = config_of(tmp_path, "PPO", total_timesteps=320)
    with create_trainer(MaskedBandit, config) as trainer:
        result = trainer.train(progress="silent")
    assert result["metrics"]["train/n_updates"] == 5
