"""One configuration, every backend: CartPole is solved, and a masked choice is learned, through RLlib too."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from tests.training.tiny_envs import MaskedBandit

from jimbot.training.config.trainer_config import EarlyStopConfig, HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer

pytestmark = pytest.mark.slow

SOLVED = 475.0


def cartpole(backend, tmp_path, **values: Any):
    """What every backend is given."""
    return TrainerConfig(
        backend=backend,
        env="CartPole-v1",
        total_timesteps=150_000,
        n_envs=8,
        eval_freq=10_000,
        eval_episodes=20,
        checkpoint_freq=10**9,
        save_dir=str(tmp_path),
        early_stop=EarlyStopConfig(target_score=SOLVED),
        hyperparams=HyperparameterConfig(
            learning_rate=1e-3,
            policy_net_arch=[64, 64],
            value_net_arch=[64, 64],
            algorithm_specific={"n_steps": 128, "batch_size": 256, "n_epochs": 10},
        ),
        **values,
    )


@pytest.mark.parametrize("backend", ["rllib", "sb3"])
def test_cartpole_is_solved(backend, tmp_path):
    with create_trainer(None, cartpole(backend, tmp_path)) as trainer:
        result = trainer.train(progress="silent")
        assert result["converged"], result["best_score"]
        assert trainer.evaluate_episodes(50, 7).mean >= SOLVED * 0.95


def test_the_best_legal_action_is_found(tmp_path):
    """Ten thousand steps; the best of three legal actions of ten, where guessing pays a third."""
    config = cartpole("rllib", tmp_path, normalize_reward=False).copy_with(
        total_timesteps=10_000, eval_freq=10**9, early_stop=None
    )
    config.hyperparams.algorithm_specific = {"n_steps": 32, "batch_size": 64, "n_epochs": 4}
    config.hyperparams.learning_rate = 3e-3
    with create_trainer(functools.partial(MaskedBandit, 10, 3), config) as trainer:
        trainer.train(progress="silent")
        assert trainer.evaluate_episodes(200, 7).mean >= 0.9
