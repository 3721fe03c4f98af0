"""RLlib behind the framework: exact counting, masks, episodes cut from arrays, resuming, files. One Ray for all."""

from __future__ import annotations

import functools
import os
from typing import Any

import numpy as np
import pytest
from tests.training.tiny_envs import Identity, Ladder, MaskedBandit

from jimbot.networks import load_policy
from jimbot.players.batch_policy import NetworkPolicy
from jimbot.training.config.trainer_config import (
    ConfigError,
    CurriculumConfig,
    HyperparameterConfig,
    TrainerConfig,
)
from jimbot.training.framework import create_trainer, resume_run
from jimbot.training.rllib_trainer import RLlibTrainer

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a local Ray is cleaned up by what /proc tells")

OWN = {
    "PPO": {"n_steps": 32, "batch_size": 32, "n_epochs": 2},
    "DQN": {"learning_starts": 64, "buffer_size": 300, "target_update_interval": 32, "batch_size": 16},
    "APPO": {"n_steps": 16, "batch_size": 32},
    "IMPALA": {"n_steps": 16, "batch_size": 32},
}
ASYNCHRONOUS = [pytest.param(each, marks=pytest.mark.slow) for each in ("APPO", "IMPALA")]


@pytest.fixture(scope="module", autouse=True)
def one_ray():
    """A Ray for all tests of this file; trainers use one that is there."""
    from jimbot.training.backends.rllib.cluster import RaySession

    session = RaySession(cpus=2)
    session.start()
    directory = session.directory
    assert directory is not None
    yield
    session.stop()
    assert not directory.exists()


def small(tmp_path, algorithm="PPO", **values: Any) -> TrainerConfig:
    """A configuration that trains in about a second."""
    return TrainerConfig(
        **{
            "backend": "rllib",
            "algorithm": algorithm,
            "env": "CartPole-v1",
            "total_timesteps": 256,
            "n_envs": 2,
            "eval_freq": 128,
            "eval_episodes": 2,
            "checkpoint_freq": 128,
            "save_dir": str(tmp_path / "models"),
            "backend_options": {"num_env_runners": int(algorithm in ("APPO", "IMPALA"))},
            "hyperparams": HyperparameterConfig(
                policy_net_arch=[16], value_net_arch=[16], features_dim=16, algorithm_specific=OWN[algorithm]
            ),
            **values,
        }
    )


def watched_lengths(trainer: Any) -> list[int]:
    """The lengths of all episodes that a training ends from now on, as they end."""
    lengths: list[int] = []
    drained = trainer.vector.drain

    def drain():
        ended = drained()
        lengths.extend(each.length for each in ended)
        return ended

    trainer.vector.drain = drain
    return lengths


@pytest.mark.parametrize("algorithm", ["PPO", pytest.param("DQN", marks=pytest.mark.slow)])
def test_every_step_is_counted_once(tmp_path, algorithm):
    """Steps of ended episodes and of those under way are all steps, and RLlib counts the same."""
    with create_trainer(None, small(tmp_path, algorithm)) as trainer:
        lengths = watched_lengths(trainer)
        result = trainer.train(progress="silent")
        runner = trainer.model.env_runner_group.local_env_runner
        assert result["timesteps"] == sum(lengths) + int(runner.vector.vector.lengths.sum()) >= 256
        assert result["episodes"] == len(lengths)
        assert runner.num_env_steps_sampled_lifetime == result["timesteps"]
        assert all(np.isfinite(value) for value in result["metrics"].values())


@pytest.mark.parametrize("algorithm", ASYNCHRONOUS)
def test_runners_that_play_on_are_counted_when_they_hand_over(tmp_path, algorithm, capfd):
    """What was handed over is counted; all else that was played is in whole fragments on their way."""
    from jimbot.training.backends.rllib.algorithm import sampled_steps

    def books(runner: Any) -> int:
        own = sum(each.length for each in runner.report()["episodes"])
        return own + int(runner.vector.vector.lengths.sum())

    with create_trainer(None, small(tmp_path, algorithm)) as trainer:
        lengths = watched_lengths(trainer)
        result = trainer.train(progress="silent")
        assert isinstance(trainer, RLlibTrainer)
        handed = sampled_steps(trainer.model)
        [under_way] = trainer.vector.ask(books)
        assert result["timesteps"] == handed >= 256
        on_their_way, part = divmod(sum(lengths) + under_way - handed, 32)
        assert part == 0
        assert 0 <= on_their_way <= 4
        assert all(np.isfinite(value) for value in result["metrics"].values())
    # Ray promises to restart the runner: it holds its configuration itself.
    assert "constructor arguments in the object store" not in capfd.readouterr().err


@pytest.mark.parametrize("algorithm", ["PPO", pytest.param("DQN", marks=pytest.mark.slow), *ASYNCHRONOUS])
def test_no_illegal_action_is_ever_taken(tmp_path, algorithm):
    """The environment raises on an illegal action; training and evaluation take hundreds."""
    make = functools.partial(MaskedBandit, 500, 3)
    with create_trainer(make, small(tmp_path, algorithm)) as trainer:
        trainer.train(progress="silent")
        trainer.evaluate_episodes(8, 3, deterministic=False)


def test_a_run_goes_on_with_equal_counters_and_parameters(tmp_path):
    """Trained at once, and trained half, saved and resumed: the same numbers throughout."""
    with create_trainer(None, small(tmp_path, name="whole")) as trainer:
        whole = trainer.train(progress="silent")
        expected = trainer.policy_tensors()
    with create_trainer(None, small(tmp_path, name="half")) as trainer:
        trainer.train(128, progress="silent")
        place = trainer.run.path
    assert sorted(each.name for each in (place / "ray_checkpoints").iterdir()) == ["step_000000000128"]
    assert (place / "ray_checkpoints/step_000000000128/rllib_checkpoint.json").is_file()
    with resume_run(place) as trainer:
        assert trainer.timesteps == 128
        resumed = trainer.train(128, progress="silent")
        found = trainer.policy_tensors()
    assert (resumed["timesteps"], resumed["episodes"]) == (whole["timesteps"], whole["episodes"])
    for name, tensor in expected.items():
        np.testing.assert_array_equal(found[name], tensor, err_msg=name)


def test_whole_episodes_only(tmp_path):
    config = small(tmp_path, backend_options={"batch_mode": "complete_episodes"})
    with create_trainer(Identity, config) as trainer:
        runner = trainer.model.env_runner_group.local_env_runner
        for _ in range(2):
            episodes = runner.sample()
            assert {len(each) for each in episodes} == {8}
            assert all(each.is_terminated for each in episodes)


@pytest.mark.slow
def test_the_curriculum_reaches_the_runners(tmp_path):
    curriculum = CurriculumConfig(initial_max_ante=2, final_max_ante=5, success_threshold=0.01, window=5)
    config = small(tmp_path, use_curriculum=True, curriculum=curriculum, total_timesteps=512)
    with create_trainer(Ladder, config) as trainer:
        result = trainer.train(progress="silent")
        runner = trainer.model.env_runner_group.local_env_runner
        antes = runner.vector.vector.vector.call("get_wrapper_attr", "max_ante")
        assert result["metrics"]["curriculum/max_ante"] > 2
        assert set(antes) == {result["metrics"]["curriculum/max_ante"]}


@pytest.mark.slow
def test_the_policy_file_chooses_what_the_trainer_chooses(tmp_path):
    with create_trainer(None, small(tmp_path)) as trainer:
        trainer.train(progress="silent")
        observations = np.random.default_rng(0).normal(size=(64, 4)).astype(np.float32)
        expected = trainer.policy()(observations)
        saved = load_policy(trainer.save_model("copy"))
        assert saved.normalizer is not None
        np.testing.assert_array_equal(NetworkPolicy(saved)(observations), expected)
        other = create_trainer(None, small(tmp_path, seed=7))
        with other:
            other.load(tmp_path / "models" / trainer.run.name / "copy")
            np.testing.assert_array_equal(other.policy()(observations), expected)


def test_callbacks_that_are_none(tmp_path):
    config = small(tmp_path, backend_options={"callbacks": "collections:OrderedDict"})
    with create_trainer(None, config) as trainer, pytest.raises(ConfigError, match="expected module:Class"):
        trainer.train(progress="silent")


@pytest.mark.slow
def test_balatro_tells_rllib_what_happened(tmp_path):
    config = small(
        tmp_path,
        env="jimbot/Balatro-v0",
        env_kwargs={"actions": "candidates", "fast": True},
        total_timesteps=128,
        n_envs=4,
    )
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        assert isinstance(trainer, RLlibTrainer)
        told = trainer.result["env_runners"]["balatro"]
        assert told["blinds"] >= 0.0
        assert told["reward/blind"] >= 0.0


@pytest.mark.slow
def test_evaluation_runners_play_the_same_episodes(tmp_path):
    options = {"evaluation_num_env_runners": 2, "num_cpus_per_env_runner": 0.5}
    with create_trainer(None, small(tmp_path, backend_options=options)) as trainer:
        trainer.train(progress="silent")
        assert isinstance(trainer, RLlibTrainer)
        shared = trainer.evaluate_episodes(5, 3)
        alone = trainer.environments.evaluate(trainer.policy(), 5, 3)
        np.testing.assert_array_equal(shared.rewards, alone.rewards)
        np.testing.assert_array_equal(shared.lengths, alone.lengths)
