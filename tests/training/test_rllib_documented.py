"""The pipeline's document as it is written: its two configurations and its snippets, on few steps and no card."""

from __future__ import annotations

import os
from typing import Any

import pytest
import yaml
from tests.contract.test_rllib_pipeline import CALLBACKS, CARDS, CURRICULUM, DEFAULT, EXPERIMENTAL, documented

from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.framework import create_trainer
from jimbot.training.rllib_trainer import RLlibTrainer, rllib_config

pytest.importorskip("ray")

TABLE: dict[str, Any] = {
    "lr": 5e-5,
    "train_batch_size": 4000,
    "sgd_minibatch_size": 128,
    "num_sgd_iter": 30,
    "clip_param": 0.2,
    "entropy_coeff": 0.01,
    "gamma": 0.99,
    "lambda": 0.95,
    "num_workers": 2,
    "num_envs_per_worker": 4,
    "rollout_fragment_length": 200,
    "batch_mode": "truncate_episodes",
}
"""The documented defaults."""
SHORT: dict[str, Any] = {
    "num_gpus": 0,
    "num_workers": 1,
    "num_envs_per_worker": 2,
    "num_sgd_iter": 1,
    "train_batch_size": 64,
    "sgd_minibatch_size": 32,
    "total_timesteps": 64,
    "eval_freq": 64,
    "eval_episodes": 2,
}
"""The counts that are shortened when a document's configuration trains."""


def test_the_documented_defaults_are_taken_and_a_line_tells_of_the_fragment(caplog):
    """200 steps do not divide the 500 of every environment; the nearest length that does is used."""
    config = rllib_config({"env": "BalatroEnv", **TABLE})
    assert config.hyperparams.algorithm_specific == {
        "n_steps": 500,
        "batch_size": 128,
        "n_epochs": 30,
        "clip_range": 0.2,
    }
    with create_trainer(None, config) as trainer:
        assert trainer.arguments["env_runners"]["rollout_fragment_length"] == 250
    assert "rollout_fragment_length: 200 does not divide the steps" in caplog.text
    assert "250 is used" in caplog.text
    caplog.clear()
    create_trainer(None, rllib_config({**TABLE, "rollout_fragment_length": "auto"})).close()
    assert not caplog.text


def test_what_comes_along_has_the_documented_keys_and_values(root):
    """Every documented key, with its value; what this version or machine cannot have is 0 instead."""
    absent = {
        "num_gpus": 0,
        "model": {"custom_model": "BalatroNet", "custom_model_config": {"memgraph_embedding_dim": 0}},
    }
    default = yaml.safe_load((root / "configs/rllib/default_ppo.yaml").read_text())
    expected = {**documented(DEFAULT), **TABLE, **absent}
    assert {name: default.get(name) for name in expected} == expected
    experimental = yaml.safe_load((root / "configs/rllib/experimental_ppo.yaml").read_text())
    expected = {**documented(EXPERIMENTAL), "num_gpus": 0}
    assert {name: experimental.get(name) for name in expected} == expected


def test_no_file_is_the_default_file(root):
    from jimbot.training import run
    from jimbot.training.config.files import build, load_config

    assert build(dict(run.DEFAULTS), "the defaults") == load_config(root / "configs/default_ppo.yaml")


def test_the_network_by_its_name_has_the_documented_sizes():
    config = rllib_config({"model": {"custom_model": "BalatroNet"}})
    assert config.network_sizes["card_encoder"] == [256, 128]
    assert config.network_sizes["joker_encoder"] == [512, 256]
    assert config.network_sizes["shared_layers"] == [512]
    assert config.hyperparams.features_dim == 512
    small = {"card_encoder": [32, 16], "features_dim": 64}
    config = rllib_config(
        {
            "model": {"custom_model": "BalatroNet", "custom_model_config": small},
            "network_sizes": {"item_embedding": 4},
        }
    )
    assert config.network_sizes["card_encoder"] == [32, 16]
    assert config.network_sizes["item_embedding"] == 4
    assert config.hyperparams.features_dim == 64
    assert RLlibTrainer(None, config).network_spec().card_encoder == (32, 16)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (
            {"env_config": {"mcp_server": "ws://x"}},
            r"env_config\.mcp_server: training with a connection to the live",
        ),
        (
            {"env_config": {"use_memgraph": True}},
            r"env_config\.use_memgraph: training with a knowledge graph server",
        ),
        (
            {"env_config": {"advisor": {"model": "x"}}},
            r"env_config\.advisor: training with a language model's advice",
        ),
        (
            {"backend_options": {"memgraph_uri": "bolt://x"}},
            r"backend_options\.memgraph_uri: training with a knowledge",
        ),
        (
            {
                "model": {
                    "custom_model": "BalatroNet",
                    "custom_model_config": {"knowledge_embedding_dim": 128},
                }
            },
            r"model\.custom_model_config\.knowledge_embedding_dim: training with a knowledge graph server",
        ),
        (
            {"model": {"custom_model": "OtherNet"}},
            r"model\.custom_model: the network here is BalatroNet, got 'OtherNet'",
        ),
        (
            {"model": {"fcnet_hiddens": [256]}},
            r"model\.fcnet_hiddens: there is no such field; allowed are custom_model",
        ),
        (
            {"model": {"custom_model_config": {"depth": 3}}},
            r"custom_model_config\.depth: there is no such size; allowed",
        ),
        ({"model": 3}, "model: expected fields and values, got 3"),
        (
            {"callbacks": 3},
            "callbacks: expected a class of RLlib callbacks, BalatroCallbacks or module:Class, got 3",
        ),
        ({"num_gpus": "all"}, "num_gpus: expected a number of graphics cards, got 'all'"),
        (
            {"difficulty_schedule": {"easy": 0}, "env_config": {"difficulty_schedule": {0: "hard"}}},
            "they are one setting",
        ),
    ],
)
def test_what_is_refused(values, reason):
    with pytest.raises(ConfigError, match=reason):
        rllib_config(values)


def test_options_of_other_environments_are_theirs():
    config = rllib_config({"env": "CartPole-v1", "env_config": {"advisor": "mine"}})
    assert config.env_kwargs == {"advisor": "mine"}


def test_cards_that_are_not_there_are_told_before_ray_starts(monkeypatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 1)
    with (
        create_trainer(None, rllib_config(documented(EXPERIMENTAL, CARDS))) as trainer,
        pytest.raises(
            ConfigError, match="num_gpus: learners and runners ask for 4 graphics cards, torch finds 1"
        ),
    ):
        _ = trainer.model


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a local Ray is cleaned up by what /proc tells")
@pytest.mark.parametrize("text", [DEFAULT, EXPERIMENTAL], ids=["default", "experimental"])
def test_the_documents_configurations_train(text, tmp_path):
    values = documented(text, CALLBACKS, CURRICULUM) | SHORT
    if "model" in values:
        values["model"]["custom_model_config"]["memgraph_embedding_dim"] = 0
    config = rllib_config({**values, "save_dir": str(tmp_path)})
    with create_trainer(None, config) as trainer:
        result = trainer.train(progress="silent")
        assert isinstance(trainer, RLlibTrainer)
        assert trainer.result["env_runners"]["balatro"]["blinds"] >= 0.0 or result["episodes"] == 0
    assert (result["stopped"], result["timesteps"]) == ("finished", 64)
