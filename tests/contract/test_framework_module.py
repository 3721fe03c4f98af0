"""Every snippet of the training framework's module documentation, on few steps."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from tests.contract.small import STEPS, own_trainer, quick_balatro_env, short_experiment, shorten

from jimbot.errors import JimbotError
from jimbot.training.experiment import ExperimentConfig, MultiAlgorithmBenchmark
from jimbot.training.framework import (
    HyperparameterConfig,
    RLTrainer,
    TrainerConfig,
    create_trainer,
    get_default_config,
)

pytest.importorskip("stable_baselines3")


def same_fields(instance: Any, documented: dict[str, Any]) -> bool:
    return {name: getattr(instance, name) for name in documented} == documented


# --- Module Structure: Core Modules ----------------------------------------------------------------------------------


def test_framework_py():
    config = TrainerConfig(algorithm="PPO", total_timesteps=1_000_000)
    assert config.total_timesteps == 1_000_000
    with create_trainer(quick_balatro_env(), shorten(config)) as trainer:
        assert isinstance(trainer, RLTrainer)


def test_sb3_trainer_py():
    from jimbot.training.sb3_trainer import SB3Trainer

    trainer = SB3Trainer(quick_balatro_env(), shorten(TrainerConfig()))
    result = trainer.train()
    trainer.close()
    assert result["timesteps"] == STEPS


def test_experiment_py(capsys):
    config = ExperimentConfig(algorithm="PPO", total_timesteps=100_000)
    benchmark = MultiAlgorithmBenchmark(env_creator=quick_balatro_env)
    benchmark.add_experiment(short_experiment(config))
    results = benchmark.run_all()
    benchmark.print_summary()
    assert [each.status for each in results] == ["finished"]
    assert "PPO" in capsys.readouterr().out


def test_metrics_py(tmp_path):
    from jimbot.training.metrics import BalatroMetrics, plot_training_curves

    metrics = BalatroMetrics()
    metrics.add_episode(reward=100, ante=5, score=50000, length=500)
    summary = metrics.get_summary()
    assert (summary["mean_reward"], summary["mean_ante"], summary["max_score"]) == (100, 5, 50_000)
    metrics_dict = {"reward": [1.0, 2.0, 3.0]}
    plot_training_curves(metrics_dict, save_path="plot.png")
    assert (tmp_path / "plot.png").read_bytes()[:4] == b"\x89PNG"


def test_utils_py():
    from jimbot.training.utils import create_balatro_env, make_vectorized_env

    env = create_balatro_env(seed=42)
    observation, _, _, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert observation in env.observation_space
    vec_env = make_vectorized_env(create_balatro_env, n_envs=8)
    assert vec_env.num_envs == 8
    vec_env.close()


def test_env_wrapper_py():
    from jimbot.training.env_wrapper import BalatroGymWrapper, CurriculumWrapper

    env = BalatroGymWrapper(quick_balatro_env())
    env = CurriculumWrapper(env)
    env.reset(seed=1)
    assert env.unwrapped.options.max_ante == 2  # pyright: ignore[reportAttributeAccessIssue]


# --- Usage Patterns --------------------------------------------------------------------------------------------------


def test_pattern_1_single_algorithm_training(tmp_path):
    config = get_default_config("PPO")
    config.total_timesteps = 500_000
    shorten(config)
    env = quick_balatro_env(seed=42)
    trainer = create_trainer(env, config)
    trainer.train()
    mean, std = trainer.evaluate(n_episodes=10)
    written = trainer.save_model()
    trainer.close()
    assert std >= 0
    assert np.isfinite(mean)
    assert (written / "policy.safetensors").exists()
    assert written.resolve().is_relative_to(tmp_path / "models")


def test_pattern_2_multi_algorithm_comparison():
    configs = [
        ExperimentConfig(algorithm="PPO", total_timesteps=100_000),
        ExperimentConfig(algorithm="A2C", total_timesteps=100_000),
        ExperimentConfig(algorithm="DQN", total_timesteps=100_000),
    ]
    benchmark = MultiAlgorithmBenchmark(quick_balatro_env)
    for config in configs:
        benchmark.add_experiment(short_experiment(config))
    results = benchmark.run_all()
    best = benchmark.get_best_result()
    assert [each.status for each in results] == ["finished"] * 3
    assert best.mean_reward == max(each.mean_reward for each in results)


def test_pattern_3_custom_hyperparameters():
    hyperparams = HyperparameterConfig(
        learning_rate=1e-3,
        gamma=0.995,
        policy_net_arch=[512, 512],
        algorithm_specific={
            "n_steps": 4096,
            "batch_size": 128,
        },
    )
    config = TrainerConfig(algorithm="PPO", hyperparams=hyperparams, total_timesteps=1_000_000)
    with create_trainer(quick_balatro_env, config) as trainer:
        assert trainer.config.hyperparams.gamma == 0.995
        assert trainer.arguments["n_steps"] == 4096
        assert trainer.arguments["learning_rate"] == 1e-3


def test_pattern_4_curriculum_learning():
    from jimbot.training.env_wrapper import wrap_balatro_env
    from jimbot.training.utils import create_balatro_env

    env = create_balatro_env()
    env = wrap_balatro_env(
        env,
        use_curriculum=True,
        curriculum_config={
            "initial_max_ante": 2,
            "ante_increment": 1,
            "success_threshold": 0.8,
        },
    )
    env.reset(seed=1)
    assert env.unwrapped.options.max_ante == 2  # pyright: ignore[reportAttributeAccessIssue]


# --- Configuration Guide, Algorithm Defaults -------------------------------------------------------------------------


def test_trainer_config_fields():
    documented = {
        "algorithm": "PPO",
        "total_timesteps": 1_000_000,
        "seed": 42,
        "n_envs": 8,
        "use_feature_extractor": True,
        "feature_extractor_type": "balatro",
        "normalize_obs": True,
        "normalize_reward": True,
        "use_curriculum": False,
        "save_dir": "models",
        "checkpoint_freq": 10_000,
        "eval_freq": 5_000,
        "use_wandb": False,
        "wandb_project": "balatro-rl",
    }
    assert same_fields(TrainerConfig(), documented)


def test_hyperparameter_config_fields():
    documented = {
        "learning_rate": 3e-4,
        "gamma": 0.99,
        "gae_lambda": 0.95,
        "entropy_coefficient": 0.01,
        "value_function_coefficient": 0.5,
        "max_grad_norm": 0.5,
        "policy_net_arch": [256, 256],
        "value_net_arch": [256, 256],
        "features_dim": 512,
        "algorithm_specific": {},
    }
    assert same_fields(HyperparameterConfig(), documented)


DEFAULTS: dict[str, dict[str, Any]] = {
    "PPO": {
        "learning_rate": 3e-4,
        "n_steps": 2048,
        "batch_size": 64,
        "n_epochs": 10,
        "gamma": 0.99,
        "gae_lambda": 0.95,
        "clip_range": 0.2,
        "ent_coef": 0.01,
        "vf_coef": 0.5,
    },
    "A2C": {
        "learning_rate": 7e-4,
        "n_steps": 5,
        "gamma": 0.99,
        "gae_lambda": 1.0,
        "ent_coef": 0.01,
        "vf_coef": 0.5,
    },
    "DQN": {
        "learning_rate": 1e-4,
        "buffer_size": 100_000,
        "learning_starts": 10_000,
        "batch_size": 32,
        "train_freq": 4,
        "gamma": 0.99,
    },
}
"""In the words of Stable-Baselines3."""


def check_defaults(algorithm: str) -> None:
    """What the library is given without a configuration is what the document says."""
    from jimbot.training.sb3_trainer import SB3Trainer

    given = SB3Trainer.translate(get_default_config(algorithm))
    if algorithm == "DQN":  # Stable-Baselines3 takes a number of steps as this pair, too
        assert given.pop("train_freq") == (4, "step")
        given["train_freq"] = 4
    assert {name: given[name] for name in DEFAULTS[algorithm]} == DEFAULTS[algorithm]


def test_algorithm_defaults_ppo():
    check_defaults("PPO")


def test_algorithm_defaults_a2c():
    check_defaults("A2C")


def test_algorithm_defaults_dqn():
    check_defaults("DQN")


# --- Extending the Framework -----------------------------------------------------------------------------------------


def test_adding_a_new_algorithm_create_a_trainer_class():
    trainer = own_trainer()(quick_balatro_env(), TrainerConfig(total_timesteps=5))
    assert trainer.train() == {"timesteps": 5}
    assert trainer.evaluate(n_episodes=3) == (3.0, 0.0)


def test_adding_a_new_algorithm_register_in_factory(monkeypatch):
    """The document edits ``create_trainer``; here a decorator registers the class and the source stays as it is."""
    from jimbot.training.config import backend_registry
    from jimbot.training.framework import Capabilities, register_trainer

    monkeypatch.setattr(backend_registry, "registered", dict(backend_registry.registered))
    trainer = own_trainer()
    trainer.capabilities = Capabilities(algorithms=("MyAlgorithm",))
    register_trainer("mine")(trainer)
    config = TrainerConfig(algorithm="MyAlgorithm")
    assert type(create_trainer(quick_balatro_env(), config)) is trainer


def test_custom_environment_wrapper():
    from jimbot.training.env_wrapper import EnvironmentWrapper

    class MyWrapper(EnvironmentWrapper):
        def reset(self, **kwargs):  # noqa: ANN003
            obs, info = self.env.reset(**kwargs)
            info["mine"] = True
            return obs, info

        def step(self, action):
            obs, reward, terminated, truncated, info = self.env.step(action)
            return obs, float(reward) + 1.0, terminated, truncated, info

    wrapped, plain = MyWrapper(quick_balatro_env()), quick_balatro_env()
    observation, info = wrapped.reset(seed=4)
    plain.reset(seed=4)
    action = int(np.flatnonzero(observation["action_mask"])[0])
    assert info["mine"]
    assert wrapped.step(action)[1] == plain.step(action)[1] + 1.0
    with create_trainer(lambda: MyWrapper(quick_balatro_env()), shorten(TrainerConfig())) as trainer:
        assert trainer.train(progress="silent")["timesteps"] == STEPS


# --- Troubleshooting, API Reference ----------------------------------------------------------------------------------


def test_issue_unknown_algorithm():
    for algorithm in ("PPO", "A2C", "DQN"):
        create_trainer(quick_balatro_env(), TrainerConfig(algorithm=algorithm)).close()
    with pytest.raises(JimbotError, match="PPO, A2C, DQN"):
        create_trainer(quick_balatro_env(), TrainerConfig(algorithm="SAC"))


def test_issue_environment_validation_fails():
    from jimbot.training.utils import validate_environment

    class Broken(type(quick_balatro_env())):
        def step(self, action):
            observation, _, terminated, truncated, info = super().step(action)
            return observation, float("nan"), terminated, truncated, info

    assert validate_environment(quick_balatro_env(), steps=100).ok
    report = validate_environment(Broken(), steps=20)
    assert not report.ok
    assert "reward" in str(report)


def test_issue_cuda_out_of_memory():
    config = TrainerConfig(
        n_envs=2,
        hyperparams=HyperparameterConfig(
            features_dim=256,
        ),
    )
    assert (config.n_envs, config.hyperparams.features_dim) == (2, 256)


def test_issue_training_is_slow():
    config = TrainerConfig(
        n_envs=8,
        checkpoint_freq=100_000,
    )
    assert (config.n_envs, config.checkpoint_freq) == (8, 100_000)


def test_api_reference(capsys):
    from jimbot.training import experiment, framework, metrics, sb3_trainer, utils

    for part in (
        framework.TrainerConfig,
        sb3_trainer.SB3Trainer,
        experiment.MultiAlgorithmBenchmark,
        metrics.BalatroMetrics,
        utils.create_balatro_env,
    ):
        help(part)
        text = inspect.getdoc(part) or ""
        assert len(text.splitlines()[0]) > 20
        assert text.splitlines()[0] in capsys.readouterr().out.replace(" |  ", "")
