"""JAX behind the framework: translation, refusals, ends of episodes, files that every backend can read, learning."""

# pyright: reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from tests.training.tiny_envs import Ending, Ladder, MaskedBandit

from jimbot.networks import load_policy
from jimbot.players.batch_policy import NetworkPolicy
from jimbot.training.backends.jax.backend import JaxTrainer
from jimbot.training.config.trainer_config import (
    ConfigError,
    HyperparameterConfig,
    TrainerConfig,
    get_default_config,
)
from jimbot.training.framework import available_trainers, create_trainer

jax = pytest.importorskip("jax")
pytest.importorskip("flax")


def small(tmp_path, **values: Any) -> TrainerConfig:
    """A configuration that compiles and trains in a few seconds."""
    return TrainerConfig(
        **{
            "backend": "jax",
            "env": "CartPole-v1",
            "total_timesteps": 256,
            "n_envs": 4,
            "eval_freq": 1_000,
            "eval_episodes": 4,
            "checkpoint_freq": 1_000,
            "save_dir": str(tmp_path / "models"),
            "hyperparams": HyperparameterConfig(
                policy_net_arch=[8],
                value_net_arch=[8],
                features_dim=8,
                algorithm_specific={"n_steps": 16, "batch_size": 32, "n_epochs": 2},
            ),
            **values,
        }
    )


# --- translation -----------------------------------------------------------------------------------------------------


def test_the_defaults_in_the_words_of_the_algorithm():
    assert JaxTrainer.translate(get_default_config("PPO")) == {
        "ppo": {
            "learning_rate": 3e-4,
            "gamma": 0.99,
            "gae_lambda": 0.95,
            "entropy_coef": 0.01,
            "value_coef": 0.5,
            "max_grad_norm": 0.5,
            "clip_epsilon": 0.2,
            "value_clip": None,
            "normalize_advantages": True,
            "target_kl": None,
            "epochs_per_update": 10,
            "minibatch_size": 64,
            "adam_epsilon": 1e-5,
        },
        "rollout_steps": 2048,
        "environments": "vector",
        "device": "auto",
        "threads": 1,
    }


def test_every_option_of_ppo_is_translated():
    config = get_default_config("PPO")
    config.hyperparams.algorithm_specific |= {
        "clip_range_vf": 0.3,
        "target_kl": 0.02,
        "normalize_advantage": False,
    }
    config.backend_options = {"adam_epsilon": 1e-7}
    ppo = JaxTrainer.translate(config)["ppo"]
    assert (ppo["value_clip"], ppo["target_kl"], ppo["normalize_advantages"]) == (0.3, 0.02, False)
    assert ppo["adam_epsilon"] == 1e-7


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"env": "cartpole"}, "compiled"),
        ({"env": "CartPole-v1", "vectorization": "native"}, "compiled"),
        ({"env": "CartPole-v1", "vectorization": "sync"}, "vector"),
        ({"env": "CartPole-v1", "env_kwargs": {"sutton_barto_reward": True}}, "vector"),
        ({"env": "CartPole-v1", "use_behavioral_cloning": True}, "vector"),
        ({"env": "jimbot/Balatro-v0"}, "vector"),
    ],
)
def test_which_environments_are_compiled_with_the_training(changes, kind):
    translated = JaxTrainer.translate(get_default_config("PPO").copy_with(**changes))
    assert translated["environments"] == kind


def test_what_it_does_not_have_is_refused(tmp_path):
    assert "jax" in available_trainers()
    with pytest.raises(ConfigError, match="backend jax has PPO, not 'DQN'; backends that have it: sb3"):
        create_trainer(None, get_default_config("DQN").copy_with(backend="jax"))
    with pytest.raises(ConfigError, match=r"backend_options\.adam: there is no such field"):
        create_trainer(None, small(tmp_path, backend_options={"adam": 1}))
    with (
        create_trainer(None, small(tmp_path, device="tpu")) as trainer,
        pytest.raises(ConfigError, match="device"),
    ):
        _ = trainer.model
    with create_trainer(None, small(tmp_path)) as trainer, pytest.raises(ConfigError, match="no callbacks"):
        trainer.begin(10, [])
    config = small(tmp_path, use_curriculum=True)
    with create_trainer(None, config) as trainer, pytest.raises(ConfigError, match="set_max_ante"):
        trainer.train(progress="silent")


# --- ends of episodes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["terminated", "truncated", "terminated and truncated"])
def test_the_rollout_says_how_episodes_ended(tmp_path, kind):
    """What the update needs of a truncated episode is the value of its last observation, not of the next episode's."""
    config = small(tmp_path, normalize_reward=False, normalize_obs=False)
    with create_trainer(functools.partial(Ending, kind), config) as trainer:
        state = trainer.model
        state, rollout = trainer.collector.collect(state)
        third = np.arange(16) % 3 == 2
        seen = rollout.observations["floats"][:, 0, 0]
        np.testing.assert_array_equal(seen, np.arange(16) % 3)
        cut = kind == "truncated"
        np.testing.assert_array_equal(rollout.truncated[:, 0], third & cut)
        np.testing.assert_array_equal(rollout.terminated[:, 0], third & (not cut))
        blocks = {"floats": np.full((4, 1), -1, np.float32)}
        value = np.asarray(trainer.ppo.value(state.params, state.normalizer, blocks))
        expected = np.where(third & cut, value[0], 0.0)
        np.testing.assert_allclose(rollout.final_values[:, 0], expected, atol=1e-6)
        following = {"floats": np.full((4, 1), 16 % 3, np.float32)}
        value = np.asarray(trainer.ppo.value(state.params, state.normalizer, following))
        np.testing.assert_allclose(rollout.last_values, value, atol=1e-6)


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_compiled_run_gives_a_policy_file_that_torch_plays_alike(tmp_path):
    config = small(tmp_path)
    with create_trainer(None, config) as trainer:
        result = trainer.train(progress="silent")
        assert trainer.compiled
        assert result["timesteps"] == 256
        assert result["episodes"] > 0
        assert {"train/loss", "train/approx_kl", "rollout/mean_reward"} <= result["metrics"].keys()
        run, evaluated = trainer.run.path, trainer.evaluate(3)
        statistics = trainer.vector.normalizer
        observation = np.random.default_rng(0).normal(size=(64, 4)).astype(np.float32)
        expected = trainer.policy()(observation)
    policy = load_policy(run / "final")
    assert policy.metadata["backend"] == "jax"
    assert policy.normalizer is not None
    assert policy.normalizer.moments["observation"].count == 256 + 4
    np.testing.assert_allclose(
        policy.normalizer.moments["observation"].variance, statistics.moments["observation"].variance
    )
    assert (
        NetworkPolicy(run / "final")(observation) == expected
    ).mean() > 0.98  # float32 against float64 statistics
    with create_trainer(None, config.copy_with(seed=7)) as other:
        other.load(run / "final")
        np.testing.assert_array_equal(other.policy()(observation), expected)
        assert other.evaluate(3) == evaluated
        assert other.vector.normalizer.moments["observation"].count == 256 + 4


@pytest.mark.slow
def test_a_policy_file_of_balatro_is_the_same_for_torch(tmp_path):
    config = small(tmp_path, env="balatro", total_timesteps=64, n_envs=2)
    with create_trainer(None, config) as trainer:
        assert not trainer.compiled
        trainer.train(progress="silent")
        path = trainer.save_model("mine")
        observation = trainer.vector.vector.observation()
        expected = trainer.policy()(observation)
        drawn = trainer.policy(deterministic=False)(observation)
        assert np.take_along_axis(observation["action_mask"], drawn[:, None], 1).all()
    np.testing.assert_array_equal(NetworkPolicy(path)(observation), expected)


def test_evaluations_of_every_size_are_compiled_once(tmp_path):
    with create_trainer(None, small(tmp_path)) as trainer:
        policy = trainer.policy()
        observation = np.random.default_rng(0).normal(size=(7, 4)).astype(np.float32)
        expected = policy(observation)
        before = trainer.ppo.act_greedily._cache_size()
        for rows in range(1, 7):
            np.testing.assert_array_equal(policy(observation[:rows]), expected[:rows])
        assert trainer.ppo.act_greedily._cache_size() == before


# --- learning --------------------------------------------------------------------------------------------------------


def test_masks_hold_and_something_is_learned(tmp_path):
    """An illegal action raises there; among five legal ones the best is found more often than by chance."""
    config = small(tmp_path, total_timesteps=6_144, n_envs=16, normalize_reward=False)
    config.hyperparams.algorithm_specific = {"n_steps": 32, "batch_size": 64, "n_epochs": 4}
    config.hyperparams.learning_rate = 1e-2
    config.hyperparams.policy_net_arch = config.hyperparams.value_net_arch = [32]
    with create_trainer(MaskedBandit, config) as trainer:
        trainer.train(progress="silent")
        assert trainer.evaluate(100)[0] > 0.6  # 0.2 by chance


def test_a_curriculum_raises_the_finishing_ante(tmp_path):
    config = small(tmp_path, total_timesteps=512, use_curriculum=True)
    config.curriculum.window, config.curriculum.success_threshold = 4, 0.01
    with create_trainer(Ladder, config) as trainer:
        result = trainer.train(progress="silent")
    assert result["metrics"]["curriculum/max_ante"] > config.curriculum.initial_max_ante
