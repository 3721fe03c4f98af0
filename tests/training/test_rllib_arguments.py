"""RLlib's own words for our configuration: translation, what is refused, and the names of its own that we accept."""

from __future__ import annotations

from typing import Any

import pytest

from jimbot.training.config.trainer_config import ConfigError, TrainerConfig, get_default_config
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
            "use_kl_loss": True,
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
        "device": "auto",
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
    ("steps", "wanted", "taken"),
    [(500, 200, 250), (500, 125, 125), (2048, 100, 128), (64, 1000, 64), (499, 200, 499), (7, 1, 1)],
)
def test_fragments_cut_the_steps_of_an_update_into_equal_parts(steps, wanted, taken):
    config = rllib(own={"n_steps": steps, "batch_size": 7}, options={"rollout_fragment_length": wanted})
    assert RLlibTrainer.translate(config)["env_runners"]["rollout_fragment_length"] == taken


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        (rllib(own={"clip_range_vf": 0.2}), "clip_range_vf: RLlibTrainer cannot honor it"),
        (rllib(own={"target_kl": 0.02}), "target_kl: RLlibTrainer cannot honor it"),
        (rllib(own={"normalize_advantage": False}), "backends that can: sb3, tianshou"),
        (
            rllib(options={"num_env_runners": 3}),
            "n_envs: 8 environments cannot be shared out equally among 3",
        ),
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


# --- names -----------------------------------------------------------------------------------------------------------


def named(**values: Any):
    """The configuration of a file with these fields."""
    from jimbot.training.config.files import build

    return build({"backend": "rllib", **values}, "file.yaml")


def test_names_of_old_and_of_today_mean_the_same():
    common: dict[str, Any] = {
        "rollout_fragment_length": 64,
        "batch_mode": "truncate_episodes",
        "clip_param": 0.3,
    }
    old = named(
        num_workers=2,
        num_envs_per_worker=8,
        train_batch_size=4096,
        sgd_minibatch_size=512,
        num_sgd_iter=4,
        entropy_coeff=0.02,
        num_gpus=0,
        evaluation_num_workers=1,
        **{"lambda": 0.9},
        **common,
    )
    today = named(
        env_runners={"num_env_runners": 2, "num_envs_per_env_runner": 8, **common},
        training={
            "train_batch_size_per_learner": 4096,
            "minibatch_size": 512,
            "num_epochs": 4,
            "entropy_coeff": 0.02,
            "lambda_": 0.9,
        },
        learners={"num_gpus_per_learner": 0},
        evaluation={"evaluation_num_env_runners": 1},
    )
    assert old == today
    assert old.n_envs == 16
    assert old.hyperparams.algorithm_specific == {
        "n_steps": 256,
        "batch_size": 512,
        "n_epochs": 4,
        "clip_range": 0.3,
    }
    assert RLlibTrainer.translate(old)["training"]["train_batch_size_per_learner"] == 4096


def test_what_rllib_counts_in_iterations():
    config = named(
        num_workers=1,
        num_envs_per_worker=4,
        train_batch_size=1024,
        evaluation_interval=5,
        checkpoint_frequency=2,
        stop={"timesteps_total": 10_000},
        observation_filter="NoFilter",
        difficulty_schedule={"hard": 500, "easy": 0},
    )
    assert (config.eval_freq, config.checkpoint_freq, config.total_timesteps) == (5120, 2048, 10_000)
    assert config.normalize_obs is False
    assert [(step.timestep, step.difficulty) for step in config.difficulty_schedule] == [
        (0, "easy"),
        (500, "hard"),
    ]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (
            {"mcp_server": {"port": 1}},
            "mcp_server: training with a connection to the live game is not possible",
        ),
        ({"claude_advisor": True}, "claude_advisor: training with a language model's advice is not possible"),
        (
            {"memgraph": {"uri": "bolt://x"}},
            "memgraph: training with a knowledge graph server is not possible",
        ),
        ({"framework": "tf2"}, "framework: RLlib has torch here"),
        ({"num_workers": 2, "num_env_runners": 3}, "says 3, but num_workers says 2; they are one setting"),
        ({"train_batch_size": 1001}, "1001 steps cannot be shared out equally among 8 environments; .* 1000"),
        ({"num_workers": "two"}, "num_env_runners: expected a whole number, got 'two'"),
        ({"stop": {"iterations": 3}}, "stop: expected timesteps_total alone"),
        ({"observation_filter": "Other"}, "expected MeanStdFilter or NoFilter"),
        ({"sgd_minibatch": 3}, "sgd_minibatch: there is no such field"),
        ({"training": {"lr": 1.0}, "lr": 2.0}, "lr: is given twice"),
    ],
)
def test_names_that_are_refused(values, reason):
    with pytest.raises(ConfigError, match=rf"file\.yaml: .*{reason}"):
        named(**values)


def test_what_is_switched_off_is_no_request():
    assert named(mcp=None, claude_advisor={"enabled": False}, use_knowledge_graph=False) == named()


def test_a_knowledge_field_that_nobody_gives_is_refused():
    config = rllib()
    config.network_sizes = {"knowledge_dim": 128}
    with pytest.raises(ConfigError, match="the environment gives no field 'knowledge'"):
        create_trainer(None, config).network_spec()


@pytest.mark.parametrize(("name", "runners"), [("default_ppo", 2), ("experimental_ppo", 4)])
def test_the_configurations_that_come_along(root, name, runners):
    from jimbot.training.config.files import load_config

    config = load_config(root / f"configs/{name}.yaml")
    translated = RLlibTrainer.translate(config.check())
    assert translated["env_runners"]["num_env_runners"] == runners
