"""Every snippet of the RLlib pipeline's documentation, on few steps and no graphics card.

``tests/training/test_rllib_documented.py`` trains the two configurations themselves.
"""

from __future__ import annotations

import importlib
import json
from typing import Any

import pytest
import yaml

from jimbot.training.config.trainer_config import ConfigError

pytest.importorskip("ray")

from jimbot.training.rllib_trainer import RLlibTrainer, rllib_config

DEFAULT = """
algorithm: PPO
env: BalatroEnv
framework: torch
num_workers: 2
num_gpus: 1
train_batch_size: 4000
sgd_minibatch_size: 128
lr: 0.00005
model:
  custom_model: BalatroNet
  custom_model_config:
    memgraph_embedding_dim: 128
"""
EXPERIMENTAL = """
# Experimental config for faster training
algorithm: PPO
env: BalatroEnv
framework: torch
num_workers: 4 # More workers
num_gpus: 1
train_batch_size: 8000 # Larger batches
sgd_minibatch_size: 256
lr: 0.0001 # Higher learning rate
entropy_coeff: 0.02 # More exploration
"""
CALLBACKS = """
from jimbot.training.callbacks import BalatroCallbacks

config["callbacks"] = BalatroCallbacks
"""
CURRICULUM = """
config["env_config"] = {
    "difficulty_schedule": {
        0: "easy",
        500000: "medium",
        1000000: "hard"
    }
}
"""
CARDS = """
config["num_gpus"] = 2
config["num_gpus_per_worker"] = 0.5
"""
SHORT = {
    "total_timesteps": 128,
    "num_workers": 0,
    "num_envs_per_worker": 2,
    "rollout_fragment_length": "auto",
    "train_batch_size": 128,
    "sgd_minibatch_size": 64,
    "num_sgd_iter": 1,
    "eval_freq": 128,
    "eval_episodes": 2,
    "checkpoint_freq": 128,
    "hyperparams.features_dim": 8,
    "hyperparams.policy_net_arch": "[8]",
    "hyperparams.value_net_arch": "[8]",
}
"""What is set beside the documented flags."""


def documented(text: str, *snippets: str) -> dict[str, Any]:
    """What a document's YAML says, after its snippets ran on it."""
    config: dict[str, Any] = yaml.safe_load(text)
    for snippet in snippets:
        exec(snippet, {"config": config})
    return config


@pytest.fixture
def command():
    """A function that runs ``python -m jimbot.training.<name>`` in this process; 0 is what it returns."""

    def run(name: str, *words: str) -> None:
        sets = [word for field, value in SHORT.items() for word in ("--set", f"{field}={value}")]
        new = name == "run" and "--checkpoint" not in words
        progress = ["--progress", "silent"] if name == "run" else []
        module = importlib.import_module(f"jimbot.training.{name}")
        assert module.main([*words, *(sets if new else []), *progress]) == 0

    return run


def status(place: Any) -> tuple[str, int]:
    found = json.loads((place / "status.json").read_text())
    return found["state"], found["steps"]


# --- Quick Start -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_quick_start(command, root, tmp_path):
    """Ray starts by itself; the default, another file, and going on from a checkpoint."""
    command("run", "--experiment", "default")
    command("run", "--config", str(root / "configs" / "experimental_ppo.yaml"), "--experiment", "other")
    command("run", "--checkpoint", "models/default", "--timesteps", "128")
    assert status(tmp_path / "models" / "default") == ("finished", 256)
    assert status(tmp_path / "models" / "other") == ("finished", 128)


# --- Configuration Files ---------------------------------------------------------------------------------------------


def test_configs_default_ppo_yaml():
    """The graph's embedding is not there yet, and nothing pretends that it is."""
    values = documented(DEFAULT)
    with pytest.raises(
        ConfigError,
        match=r"model\.custom_model_config\.memgraph_embedding_dim: training with a knowledge graph server is not poss",
    ):
        rllib_config(values)
    values["model"]["custom_model_config"]["memgraph_embedding_dim"] = 0
    config = rllib_config(values)
    assert (config.n_envs, config.hyperparams.learning_rate) == (8, 5e-5)
    translated = RLlibTrainer.translate(config)
    assert translated["env_runners"]["num_env_runners"] == 2
    assert translated["learners"] == {"num_learners": 0, "num_gpus_per_learner": 1.0}
    assert translated["training"]["train_batch_size_per_learner"] == 4000
    assert translated["training"]["minibatch_size"] == 128


@pytest.mark.xfail(raises=ConfigError, reason="the knowledge graph's embedding of 128 numbers is missing")
def test_configs_default_ppo_yaml_with_the_knowledge_graph():
    assert rllib_config(documented(DEFAULT)).network_sizes["knowledge_dim"] == 128


def test_configs_experimental_ppo_yaml():
    translated = RLlibTrainer.translate(rllib_config(documented(EXPERIMENTAL)))
    assert translated["env_runners"]["num_env_runners"] == 4
    assert translated["env_runners"]["num_envs_per_env_runner"] == 4
    assert translated["training"]["train_batch_size_per_learner"] == 8000
    assert translated["training"]["entropy_coeff"] == 0.02


# --- Monitoring and Debugging ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_tensorboard_integration(command, tmp_path):
    """The run's own directory holds the events; the metrics have this framework's names."""
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    command("run", "--experiment", "seen", "--track")
    found = EventAccumulator(str(tmp_path / "models" / "seen" / "tensorboard"))
    found.Reload()
    tags = set(found.Tags()["scalars"])
    for documented_name in ("mean_reward", "mean_length", "policy_loss", "entropy", "kl"):
        assert any(documented_name in tag for tag in tags), (documented_name, tags)


# --- Advanced Features -----------------------------------------------------------------------------------------------


def test_custom_callbacks():
    config = rllib_config(documented(EXPERIMENTAL, CALLBACKS))
    assert config.backend_options["callbacks"] == "jimbot.training.backends.rllib.callbacks:BalatroCallbacks"


def test_curriculum_learning():
    config = rllib_config(documented(EXPERIMENTAL, CURRICULUM))
    assert config.env_kwargs == {}
    assert [(each.timestep, each.difficulty) for each in config.difficulty_schedule] == [
        (0, "easy"),
        (500_000, "medium"),
        (1_000_000, "hard"),
    ]


def test_multi_gpu_training():
    translated = RLlibTrainer.translate(rllib_config(documented(EXPERIMENTAL, CARDS)))
    assert translated["learners"] == {"num_learners": 2, "num_gpus_per_learner": 1.0}
    assert translated["env_runners"]["num_gpus_per_env_runner"] == 0.5


# --- Development Workflow --------------------------------------------------------------------------------------------


def test_implement_new_features(root):
    """Where the model is, and where its tests are."""
    from jimbot.networks.torch.balatro import BalatroNet

    assert BalatroNet.__doc__
    assert list((root / "tests" / "networks").glob("test_*.py"))


@pytest.mark.slow
def test_run_experiments(command, tmp_path):
    command("run", "--experiment", "my_experiment", "--track")
    assert (tmp_path / "models" / "my_experiment" / "tensorboard").is_dir()


@pytest.fixture
def small_run():
    """A run of little worth, trained without Ray: analysis and export take any."""
    pytest.importorskip("stable_baselines3")
    from tests.contract.small import shorten

    from jimbot.training.framework import TrainerConfig, create_trainer

    config = shorten(TrainerConfig(env="balatro", name="small"))
    config.env_kwargs = {"max_ante": 1, "actions": "candidates", "max_steps": 60}
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        return trainer.run.path


def test_analyze_results(command, small_run):
    command("analyze", "--checkpoint", str(small_run), "--episodes", "2")
    assert (small_run / "analysis.html").exists()


def test_deploy_best_model(command, small_run, tmp_path):
    pytest.importorskip("onnx")
    command("export", "--checkpoint", str(small_run), "--output", "production_model.pt")
    assert (tmp_path / "production_model.pt").exists()
