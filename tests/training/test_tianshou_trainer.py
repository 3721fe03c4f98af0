"""Tianshou behind the framework: translation, refusals, learning signals at episode ends, exact resuming, files."""

# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import functools
import json
import os
import shutil
from typing import Any

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # compiling takes longer than these trainings

import numpy as np
import pytest
import torch
from tests.training.tiny_envs import Ending, Identity

from jimbot.networks import load_policy
from jimbot.players.batch_policy import NetworkPolicy
from jimbot.training.config.trainer_config import (
    ConfigError,
    HyperparameterConfig,
    TrainerConfig,
    get_default_config,
)
from jimbot.training.framework import create_trainer, resume_run
from jimbot.training.tianshou_trainer import TianshouTrainer

OWN = {
    "PPO": {"n_steps": 32, "batch_size": 32, "n_epochs": 2},
    "A2C": {"n_steps": 8},
    "DQN": {"learning_starts": 64, "buffer_size": 150, "target_update_interval": 32, "batch_size": 16},
}


def small(tmp_path, algorithm="PPO", **values: Any):
    """A configuration that trains in about a second."""
    return TrainerConfig(
        **{
            "backend": "tianshou",
            "algorithm": algorithm,
            "env": "CartPole-v1",
            "total_timesteps": 512,
            "n_envs": 2,
            "eval_freq": 256,
            "eval_episodes": 2,
            "checkpoint_freq": 192,
            "save_dir": str(tmp_path / "models"),
            "hyperparams": HyperparameterConfig(
                policy_net_arch=[16], value_net_arch=[16], features_dim=16, algorithm_specific=OWN[algorithm]
            ),
            **values,
        }
    )


# --- translation -----------------------------------------------------------------------------------------------------


def test_ppo_in_the_words_of_the_library():
    assert TianshouTrainer.translate(get_default_config("PPO")) == {
        "algorithm": {
            "gamma": 0.99,
            "gae_lambda": 0.95,
            "ent_coef": 0.01,
            "vf_coef": 0.5,
            "max_grad_norm": 0.5,
            "return_scaling": False,
            "max_batchsize": 4096,
            "eps_clip": 0.2,
            "value_clip": False,
            "advantage_normalization": True,
            "dual_clip": None,
            "recompute_advantage": False,
        },
        "optimizer": {"name": "Adam", "lr": 3e-4, "eps": 1e-5},
        "update": {"batch_size": 64, "repeat": 10},
        "collect": {"steps": 2048},
        "device": "auto",
        "network": "chosen",
    }


def test_a2c_in_the_words_of_the_library():
    config = get_default_config("A2C")
    translated = TianshouTrainer.translate(config)
    assert translated["optimizer"] == {"name": "RMSprop", "lr": 7e-4, "eps": 1e-5, "alpha": 0.99}
    assert translated["update"] == {"batch_size": None, "repeat": 1}
    assert translated["collect"] == {"steps": 5}
    assert translated["algorithm"]["gae_lambda"] == 1.0
    config.hyperparams.algorithm_specific["use_rms_prop"] = False
    assert TianshouTrainer.translate(config)["optimizer"]["name"] == "Adam"


def test_dqn_in_the_words_of_the_library():
    config = get_default_config("DQN")
    translated = TianshouTrainer.translate(config)
    # 10 000 steps are 312.5 updates of 4 steps in each of 8 environments
    assert translated["algorithm"] == {
        "gamma": 0.99,
        "max_grad_norm": 0.5,
        "target_update_freq": 312,
        "is_double": False,
        "n_step_return_horizon": 1,
        "huber_loss_delta": 1.0,
    }
    assert translated["update"] == {"sample_size": 32}
    assert translated["collect"] == {
        "steps": 4,
        "updates": 1,
        "learning_starts": 10_000,
        "buffer_size": 100_000,
        "exploration": [1.0, 0.05, 0.1],
    }
    config.hyperparams.algorithm_specific["gradient_steps"] = -1
    translated = TianshouTrainer.translate(config)
    assert translated["collect"]["updates"] == 32
    assert translated["algorithm"]["target_update_freq"] == 10_000


@pytest.mark.parametrize(
    ("algorithm", "own", "reason"),
    [
        ("PPO", {"target_kl": 0.02}, "target_kl: TianshouTrainer cannot honor it"),
        ("PPO", {"clip_range_vf": 0.3}, "clip_range_vf: TianshouTrainer cannot honor it"),
        ("A2C", {"normalize_advantage": True}, "normalize_advantage: TianshouTrainer cannot honor it"),
        ("DQN", {"tau": 0.5}, "tau: TianshouTrainer cannot honor it"),
    ],
)
def test_what_the_library_cannot_do_is_refused(algorithm, own, reason):
    config = get_default_config(algorithm)
    config.backend = "tianshou"
    config.hyperparams.algorithm_specific |= own
    with pytest.raises(ConfigError, match=reason):
        create_trainer(None, config)


def test_values_clipped_as_the_policy_and_options_of_the_backend():
    config = get_default_config("PPO")
    config.hyperparams.algorithm_specific |= {"clip_range_vf": 0.2}
    config.backend_options = {"dual_clip": 3.0}
    assert TianshouTrainer.translate(config)["algorithm"]["value_clip"] is True
    assert TianshouTrainer.translate(config)["algorithm"]["dual_clip"] == 3.0
    config.backend_options = {"dual_clap": 3.0}
    with pytest.raises(ConfigError, match=r"backend_options\.dual_clap: there is no such field"):
        TianshouTrainer.translate(config)


def test_callbacks_of_another_library_are_refused(tmp_path):
    class Callback:
        def init_callback(self, model):
            del model

        def __call__(self) -> None:
            return None

    with (
        create_trainer(None, small(tmp_path)) as trainer,
        pytest.raises(ConfigError, match="Tianshou has no callbacks"),
    ):
        trainer.train(callback=Callback(), progress="silent")


# --- ends of episodes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["terminated", "truncated", "terminated and truncated"])
def test_truncation_bootstraps_from_the_last_observation_and_termination_does_not(tmp_path, kind):
    """With lambda 0 a return is the reward plus the discounted value of what follows, if anything does."""
    config = small(tmp_path, n_envs=2, normalize_reward=False, normalize_obs=False)
    config.hyperparams.algorithm_specific = {"n_steps": 8, "batch_size": 16, "n_epochs": 1}
    config.hyperparams.gae_lambda = 0.0
    with create_trainer(functools.partial(Ending, kind), config) as trainer:
        model = trainer.model
        trainer._collect()
        batch, indices = trainer.buffer.sample(0)
        with torch.no_grad():
            returns = model._preprocess_batch(batch, trainer.buffer, indices).returns
            values = model.critic(batch.obs_next)
        seen = batch.obs_next.floats[:, 0]
        assert seen.tolist() == [1, 2, -1, 1, 2, -1, 1, 2] * 2
        expected = torch.ones(16) + 0.99 * values
        if "terminated" in kind:
            expected[torch.as_tensor(seen == -1)] = 1.0
        assert torch.allclose(returns, expected, atol=1e-5)


# --- resuming --------------------------------------------------------------------------------------------------------


def events_of(run):
    """What was logged, without the clock."""
    events = []
    for line in (run / "events.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["kind"] not in ("metrics", "evaluation"):
            continue
        values = event.get("values", event.get("metrics"))
        events.append(
            (event["kind"], event["step"], {k: v for k, v in values.items() if not k.startswith("time/")})
        )
    return events


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_the_seed_decides_everything(tmp_path, algorithm):
    """The library shuffles and explores by NumPy's global generator, whatever was drawn from it before."""
    found = []
    for name, seed in (("one", 3), ("same", 3), ("other", 4)):
        with create_trainer(None, small(tmp_path, algorithm, name=name, seed=seed)) as trainer:
            trainer.train(progress="silent")
            found.append((trainer.policy_tensors(), events_of(trainer.run.path)))
    (one, told), (same, told_again), (other, _) = found
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert told == told_again
    assert any(not np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("env", ["CartPole-v1", "therapy"])
@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_a_resumed_run_is_the_unbroken_run(tmp_path, algorithm, env):
    config = small(tmp_path, algorithm, env=env, name="whole")
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        whole, expected = trainer.run.path, trainer.policy_tensors()
        state = trainer.training_state()
    copy = tmp_path / "models" / "copy"
    shutil.copytree(whole, copy)
    checkpoints = sorted(path for path in (copy / "checkpoints").iterdir() if path.name.startswith("step_"))
    assert len(checkpoints) > 1
    for path in checkpoints[1:]:
        shutil.rmtree(path)
    with resume_run(copy) as trainer:
        assert 0 < trainer.timesteps < 512
        trainer.train(progress="silent")
        found, resumed_state = trainer.policy_tensors(), trainer.training_state()
    assert all(np.array_equal(found[name], expected[name]) for name in expected)
    assert events_of(copy) == events_of(whole)
    assert len(events_of(whole)) > 1
    for number, moments in state["optimiser"]["moments"].items():
        for name, value in moments.items():
            np.testing.assert_array_equal(resumed_state["optimiser"]["moments"][number][name], value)
    if algorithm == "DQN":
        np.testing.assert_array_equal(resumed_state["buffer"]["rew"], state["buffer"]["rew"])
        assert state["buffer"]["counters"]["_size"][0] == 75  # it has gone round


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["PPO", "DQN"])
def test_loading_brings_parameters(tmp_path, algorithm):
    config = small(tmp_path, algorithm)
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        run, trained = trainer.run.path, trainer.policy_tensors()
        evaluated = trainer.evaluate(3)
    with create_trainer(None, config.copy_with(seed=7)) as other:
        assert any(not np.array_equal(other.policy_tensors()[name], trained[name]) for name in trained)
        other.load(run / "final")
        assert all(np.array_equal(other.policy_tensors()[name], trained[name]) for name in trained)
        assert other.evaluate(3) == evaluated
    assert load_policy(run / "final").metadata["backend"] == "tianshou"


def test_one_policy_file_for_all_backends(tmp_path):
    config = small(tmp_path, env="jimbot/Balatro-v0", total_timesteps=64)
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        path = trainer.save_model("mine")
        observation = trainer.vector.vector.observation()
        expected = trainer.policy()(observation)
    np.testing.assert_array_equal(NetworkPolicy(path)(observation), expected)
    with create_trainer(None, config.copy_with(backend="sb3")) as other:
        other.load(path)
        np.testing.assert_array_equal(other.policy()(observation), expected)


def test_therapy_net_trains_and_its_policy_file_plays_the_same(tmp_path):
    config = small(
        tmp_path,
        env="therapy",
        backend_options={"network": "therapy"},
        normalize_obs=False,
        total_timesteps=256,
    )
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        path = trainer.save_model("mine")
        observation = trainer.vector.vector.observation()
        expected = trainer.policy()(observation)
        with pytest.raises(ConfigError, match="embeddings multiplied out"):
            trainer.load(path)
        player = NetworkPolicy(path)
        np.testing.assert_array_equal(player(observation), expected)
        tensors = {name: torch.as_tensor(array) for name, array in observation.items()}
        with torch.no_grad():
            probability = torch.softmax(trainer.network.policy_logits(tensors), 1).numpy()
            values = trainer.network.value(tensors).numpy()
    np.testing.assert_allclose(player.probabilities(observation), probability, atol=1e-5)
    np.testing.assert_allclose(player.values(observation), values, atol=1e-4)


def test_it_learns(tmp_path):
    """A bandit whose best legal action is known: better than chance after some thousand steps."""
    config = small(tmp_path, total_timesteps=6_000, n_envs=8, eval_freq=10_000, checkpoint_freq=10_000)
    config.hyperparams.algorithm_specific = {"n_steps": 32, "batch_size": 64, "n_epochs": 4}
    config.hyperparams.learning_rate = 3e-3
    with create_trainer(Identity, config) as trainer:
        trainer.train(progress="silent")
        assert trainer.evaluate(10)[0] > 6  # 2 by chance, 8 at best
