"""The documented snippets made short: small networks, few steps; nothing else about them is changed."""

from __future__ import annotations

import functools
from typing import Any

from jimbot.training.config.trainer_config import TrainerConfig
from jimbot.training.experiment import ExperimentConfig
from jimbot.training.framework import RLTrainer
from jimbot.training.utils import create_balatro_env

STEPS = 64
OWN: dict[str, dict[str, Any]] = {
    "PPO": {"n_steps": 32, "batch_size": 32, "n_epochs": 1},
    "A2C": {"n_steps": 32},
    "DQN": {"learning_starts": 20, "buffer_size": 100, "train_freq": 16},
}
SMALL_NETWORK: dict[str, Any] = {"features_dim": 8, "policy_net_arch": [8], "value_net_arch": [8]}

quick_balatro_env = functools.partial(
    create_balatro_env, max_ante=1, actions="candidates", max_steps=60, fast=True
)
"""Balatro whose episodes end soon."""


def shorten(config: TrainerConfig) -> TrainerConfig:
    """The configuration of a snippet with the numbers cut that only decide how long it takes."""
    config.total_timesteps = STEPS
    config.n_envs = 2
    config.eval_freq = config.checkpoint_freq = STEPS
    config.eval_episodes = 2
    for name, value in SMALL_NETWORK.items():
        setattr(config.hyperparams, name, value)
    config.hyperparams.algorithm_specific = {
        **config.hyperparams.algorithm_specific,
        **OWN[config.algorithm],
    }
    return config


def short_experiment(config: ExperimentConfig) -> ExperimentConfig:
    """The same for an experiment."""
    return config.copy_with(
        total_timesteps=STEPS,
        n_envs=2,
        hyperparams={**config.hyperparams, **SMALL_NETWORK, **OWN[config.algorithm]},
        trainer_options={"eval_freq": STEPS, "eval_episodes": 2, "checkpoint_freq": STEPS},
        evaluation_episodes=2,
    )


def own_trainer() -> type[RLTrainer]:
    """The documented class, with bodies."""

    class MyAlgorithmTrainer(RLTrainer):
        def create_model(self):
            return {"steps": 0}

        def train(self, total_timesteps=None, callback=None, *, progress="auto"):
            self.model["steps"] += total_timesteps or self.config.total_timesteps
            return {"timesteps": self.model["steps"]}

        def evaluate(self, n_episodes=10, deterministic=True):
            mean_reward, std_reward = float(n_episodes), 0.0
            return mean_reward, std_reward

    return MyAlgorithmTrainer
