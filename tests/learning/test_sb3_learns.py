"""Each algorithm learns what is known to be learnable, within stated steps."""

from __future__ import annotations

import functools

import pytest
from tests.training.tiny_envs import Identity, MaskedBandit

from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.training.config.trainer_config import (
    EarlyStopConfig,
    HyperparameterConfig,
    TrainerConfig,
    get_default_config,
)
from jimbot.training.envs.evaluation import random_policy
from jimbot.training.framework import create_trainer

OWN = {
    "PPO": {"n_steps": 32, "batch_size": 64, "n_epochs": 4},
    "A2C": {"n_steps": 8},
    "DQN": {
        "learning_starts": 200,
        "buffer_size": 5_000,
        "target_update_interval": 100,
        "exploration_fraction": 0.3,
        "batch_size": 64,
    },
}


def small(algorithm, tmp_path, steps):
    hyperparams = get_default_config(algorithm).hyperparams.model_copy(deep=True)
    hyperparams.learning_rate = 3e-3
    hyperparams.gamma = 0.9
    hyperparams.policy_net_arch = hyperparams.value_net_arch = [64]
    hyperparams.algorithm_specific = OWN[algorithm]
    return TrainerConfig(
        algorithm=algorithm,
        total_timesteps=steps,
        n_envs=8,
        eval_freq=10**9,
        checkpoint_freq=10**9,
        eval_episodes=4,
        save_dir=str(tmp_path),
        normalize_reward=False,
        hyperparams=hyperparams,
    )


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_the_masked_bandit_is_solved(algorithm, tmp_path):
    """Ten thousand steps; the best of three legal actions of ten, where guessing pays a third."""
    make = functools.partial(MaskedBandit, 10, 3)
    with create_trainer(make, small(algorithm, tmp_path, 10_000)) as trainer:
        trainer.train(progress="silent")
        mean, _ = trainer.evaluate(200)
    assert mean >= 0.9


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_identity_is_solved(algorithm, tmp_path):
    """Eight thousand steps; eight right answers an episode, where guessing gives two."""
    with create_trainer(Identity, small(algorithm, tmp_path, 8_000)) as trainer:
        trainer.train(progress="silent")
        mean, _ = trainer.evaluate(50)
    assert mean >= 7.5


SOLVED = 475.0
"""Mean reward over 100 episodes at which CartPole-v1 counts as solved."""
CARTPOLE = {
    "PPO": (
        80_000,
        HyperparameterConfig(
            learning_rate=3e-4,
            entropy_coefficient=0.0,
            policy_net_arch=[64, 64],
            value_net_arch=[64, 64],
            algorithm_specific={"n_steps": 256, "batch_size": 64, "n_epochs": 10},
        ),
    ),
    "A2C": (
        150_000,
        HyperparameterConfig(
            learning_rate=1e-3,
            entropy_coefficient=0.0,
            policy_net_arch=[64, 64],
            value_net_arch=[64, 64],
            algorithm_specific={"n_steps": 16, "normalize_advantage": True, "use_rms_prop": False},
        ),
    ),
    "DQN": (
        100_000,
        HyperparameterConfig(
            learning_rate=2.3e-3,
            max_grad_norm=10.0,
            algorithm_specific={
                "learning_starts": 1_000,
                "buffer_size": 100_000,
                "batch_size": 64,
                "target_update_interval": 16,
                "train_freq": 32,
                "gradient_steps": 128,
                "exploration_fraction": 0.16,
                "exploration_final_eps": 0.04,
            },
        ),
    ),
}
"""Most steps and hyperparameters of each algorithm."""


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_cartpole(algorithm, tmp_path):
    """Each solves it: PPO within 80 000 steps, A2C within 150 000, DQN within 100 000, in a minute or two of one core.

    Training ends when an evaluation of 100 episodes reaches 490. That policy is then held to 475 on 100 episodes
    that it was neither trained on nor chosen by.
    """
    steps, hyperparams = CARTPOLE[algorithm]
    config = TrainerConfig(
        algorithm=algorithm,
        env="CartPole-v1",
        total_timesteps=steps,
        n_envs=8,
        eval_freq=10_000,
        eval_episodes=100,
        checkpoint_freq=10**9,
        early_stop=EarlyStopConfig(target_score=490.0),
        save_dir=str(tmp_path),
        normalize_obs=False,
        normalize_reward=False,
        hyperparams=hyperparams,
    )
    with create_trainer(None, config) as trainer:
        result = trainer.train(progress="silent")
        trainer.load(trainer.run.path / "best")
        measured = trainer.evaluate_episodes(100, EvaluationSet.FINALISTS)
    assert measured.mean >= SOLVED
    assert result["timesteps"] <= steps


@pytest.mark.slow
def test_balatro_is_learned_from(tmp_path):
    """Twenty thousand steps of PPO on candidates clear far more blinds than random play on a thousand unseen seeds."""
    from jimbot.cli.train import make_quick_config

    config = make_quick_config("PPO", 20_000)
    config.save_dir = str(tmp_path)
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        trained = trainer.evaluate_episodes(1_000, 3)
        random = trainer.environments.evaluate(random_policy(trainer.vector.action_space), 1_000, 3)
    assert trained.numbers["blinds"].mean() > 3.0
    assert random.numbers["blinds"].mean() < 1.0
