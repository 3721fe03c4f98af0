"""RLlib's own words for our configuration: translation, what is refused, and the names of its own that we accept."""

from __future__ import annotations

from typing import Any

import pytest

from jimbot.training.config import ConfigError, TrainerConfig, get_default_config
from jimbot.training.framework import create_trainer
from jimbot.training.rllib_trainer import RLlibTrainer


def rllib(algorithm="PPO", own=None, options=None, **values: Any):
    """A configuration for RLlib."""
    config = (
        get_default_config(algorithm) if algorithm in ("PPO", "DQN") else TrainerConfig(algorithm=algorithm)
    )
    config.backend = "rllib"
    config.hyperparams.algorithm_specific |= own or {}
    config.backend_options = options or {}
    for name, value in values.items():
        setattr(config, name, value)
    return config


def test_ppo_in_the_words_of_the_library():
    assert RLlibTrainer.translate(rllib(options={"num_env_runners": 2})) == {
        "env_runners": {
            "num_env_runners": 2,
            "num_envs_per_env_runner": 4,
            "num_cpus_per_env_runner": 1.0,
            "num_gpus_per_env_runner": 0.0,
            "rollout_fragment_length": 2048,
            "batch_mode": "truncate_episodes",
            "sample_timeout_s": 120.0,
        },
        "training": {
            "train_batch_size_per_learner": 16_384,
            "minibatch_size": 64,
            "num_epochs": 10,
            "shuffle_batch_per_epoch": True,
            "clip_param": 0.2,
            "use_gae": True,
            "lambda_": 0.95,
            "entropy_coeff": 0.01,
            "vf_loss_coeff": 0.5,
            "vf_clip_param": float("inf"),
            "use_kl_loss": False,
            "kl_coeff": 0.0,
            "kl_target": 0.01,
            "lr": 3e-4,
            "gamma": 0.99,
            "grad_clip": 0.5,
            "grad_clip_by": "global_norm",
        },
        "learners": {"num_learners": 0, "num_gpus_per_learner": 0.0},
        "evaluation": {"evaluation_num_env_runners": 0},
        "reporting": {},
        "fault_tolerance": {"restart_failed_env_runners": True, "max_num_env_runner_restarts": 1000},
        "model": {"adam_epsilon": 1e-5},
    }


def test_halved_value_losses_count_twice():
    for algorithm in ("APPO", "IMPALA"):
        translated = RLlibTrainer.translate(rllib(algorithm, options={"num_env_runners": 1}))
        assert translated["training"]["vf_loss_coeff"] == 1.0  # the library halves the squared error
        assert translated["training"]["train_batch_size_per_learner"] == 500
        assert translated["env_runners"]["rollout_fragment_length"] == 50


def test_dqn_in_the_words_of_the_library():
    translated = RLlibTrainer.translate(rllib("DQN"))
    assert translated["training"]["replay_buffer_config"] == {
        "type": "EpisodeReplayBuffer",
        "capacity": 100_000,
    }
    assert translated["training"]["num_steps_sampled_before_learning_starts"] == 10_000
    assert translated["env_runners"]["rollout_fragment_length"] == 4
    assert translated["model"]["exploration"] == {
        "initial": 1.0,
        "final": 0.05,
        "steps": 100_000.0,
        "random_steps": 10_000,
    }


@pytest.mark.parametrize("runners", [0, 1, 2, 4])
@pytest.mark.parametrize("updates", [1, 3])
def test_dqn_updates_as_often_as_asked(runners, updates):
    from ray.rllib.algorithms.dqn import DQNConfig
    from ray.rllib.algorithms.dqn.dqn import calculate_rr_weights

    config = rllib("DQN", {"gradient_steps": updates}, {"num_env_runners": runners})
    translated = RLlibTrainer.translate(config)
    made = DQNConfig()
    made.training(
        training_intensity=translated["training"]["training_intensity"],
        train_batch_size_per_learner=translated["training"]["train_batch_size_per_learner"],
    )
    made.env_runners(
        num_env_runners=runners,
        num_envs_per_env_runner=translated["env_runners"]["num_envs_per_env_runner"],
        rollout_fragment_length=translated["env_runners"]["rollout_fragment_length"],
    )
    assert calculate_rr_weights(made) == [1, updates]


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (rllib(own={"clip_range_vf": 0.2}), "clip_range_vf: RLlibTrainer cannot honour it"),
        (rllib(own={"target_kl": 0.02}), "target_kl: RLlibTrainer cannot honour it"),
        (rllib(own={"normalize_advantage": False}), "backends that can: sb3, tianshou"),
        (
            rllib(options={"num_env_runners": 3}),
            "n_envs: 8 environments cannot be shared out equally among 3",
        ),
        (rllib(options={"rollout_fragment_length": 100}), "100 does not divide the 2048 steps"),
        (rllib(options={"num_wokers": 1}), r"backend_options\.num_wokers: there is no such field"),
        (rllib("IMPALA"), "IMPALA plays in processes of its own; give at least 1"),
        (rllib("DQN", options={"batch_mode": "complete_episodes"}), "DQN has truncate_episodes only"),
        (rllib(device="tpu"), "device: RLlib learns on cpu, cuda or auto, got 'tpu'"),
        (rllib("A2C"), "algorithm: backend rllib has PPO, APPO, IMPALA, DQN, not 'A2C'"),
    ],
)
def test_what_the_library_cannot_do_is_refused(config, reason):
    with pytest.raises(ConfigError, match=reason):
        create_trainer(None, config)
