"""What ``create_trainer`` takes as an environment: a class, a function, an id, an instance, a vector."""

from __future__ import annotations

import functools
import threading
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from jimbot import BalatroVectorEnv

pytest.importorskip("stable_baselines3")
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor, VecNormalize

from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.env_wrapper import (
    ActionMaskWrapper,
    CurriculumWrapper,
    EnvironmentWrapper,
    RewardScalingWrapper,
)
from jimbot.training.envs.creation import Environments
from jimbot.training.framework import create_trainer, get_default_config, resume_run
from jimbot.training.utils import create_balatro_env, make_vectorized_env

ID = "jimbot-tests/Lamps-v0"


class Lamps(gymnasium.Env):
    """Switch on every lamp once; an action that the mask forbids raises."""

    observation_space = spaces.Dict(
        {"on": spaces.Box(0, 1, (3,), np.float32), "action_mask": spaces.Box(0, 1, (3,), np.uint8)}
    )
    action_space = spaces.Discrete(3)

    def __init__(self, reward: float = 1.0):
        self.reward = reward

    def observe(self):
        return {"on": self.on.astype(np.float32), "action_mask": (~self.on).astype(np.uint8)}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.on = np.zeros(3, bool)
        return self.observe(), {}

    def step(self, action):
        assert not self.on[action]
        self.on[action] = True
        return self.observe(), self.reward, bool(self.on.all()), False, {}


@pytest.fixture(autouse=True)
def registered():
    gymnasium.register(ID, entry_point=f"{__name__}:Lamps")
    yield
    del gymnasium.registry[ID]


def config(tmp_path, **changes: object):
    made = get_default_config("PPO").copy_with(
        total_timesteps=32, n_envs=2, eval_episodes=2, feature_extractor_type="flat", save_dir=str(tmp_path)
    )
    made.hyperparams.policy_net_arch = made.hyperparams.value_net_arch = [8]
    made.hyperparams.algorithm_specific = {"n_steps": 16, "batch_size": 16, "n_epochs": 1}
    return made.copy_with(**changes)


GIVEN = {
    "class": lambda: Lamps,
    "function": lambda: functools.partial(Lamps, reward=1.0),
    "id": lambda: ID,
    "made by id": lambda: gymnasium.make(ID),
    "vector": lambda: make_vectorized_env(Lamps, 2),
}


@pytest.mark.parametrize("given", GIVEN.values(), ids=GIVEN)
def test_trains_two_environments_and_evaluates(tmp_path, given):
    with create_trainer(given(), config(tmp_path)) as trainer:
        trainer.train(progress="silent")
        assert trainer.vector.num_envs == 2
        assert trainer.evaluate(n_episodes=2) == (3.0, 0.0)


def test_configuration_names_the_environment(tmp_path):
    with create_trainer(None, config(tmp_path, env=ID)) as trainer:
        assert trainer.vector.num_envs == 2


class Halving(gymnasium.Wrapper):
    """A wrapper with an argument that nobody recorded."""

    def __init__(self, env, factor: float):
        super().__init__(env)
        self.factor = factor

    def step(self, action):
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, float(reward) * self.factor, terminated, truncated, info


INSTANCES = {
    "unregistered": (lambda: Lamps(2.0), 6.0),
    "wrapped": (lambda: Halving(Lamps(), 0.5), 1.5),
    "wrapped twice": (lambda: RewardScalingWrapper(Halving(Lamps(), 0.5), scale=4.0), 6.0),
    "registered and wrapped": (lambda: Halving(gymnasium.make(ID, reward=4.0), 0.5), 6.0),
}


@pytest.mark.parametrize("n_envs", [1, 8])
@pytest.mark.parametrize(("given", "reward"), INSTANCES.values(), ids=INSTANCES)
def test_an_instance_is_made_again(tmp_path, given, reward, n_envs):
    with create_trainer(given(), config(tmp_path, n_envs=n_envs)) as trainer:
        result = trainer.train(progress="silent")
        assert trainer.vector.num_envs == n_envs
        assert result["mean_reward"] == reward
        assert trainer.evaluate(n_episodes=2) == (reward, 0.0)


class MyWrapper(EnvironmentWrapper):
    """As documented: a bonus for every step."""

    def reset(self, **kwargs: Any):
        obs, info = self.env.reset(**kwargs)
        return obs, info

    def step(self, action):
        obs, reward, terminated, truncated, info = self.env.step(action)
        return obs, float(reward) + 1.0, terminated, truncated, info


BALATRO = {
    "RewardScalingWrapper": lambda env: RewardScalingWrapper(env, scale=0.1),
    "ActionMaskWrapper": ActionMaskWrapper,
    "MyWrapper": MyWrapper,
    "all": lambda env: MyWrapper(CurriculumWrapper(RewardScalingWrapper(ActionMaskWrapper(env)))),
}


@pytest.mark.parametrize("n_envs", [1, 8])
@pytest.mark.parametrize("wrap", BALATRO.values(), ids=BALATRO)
def test_wrapped_balatro_trains_and_is_evaluated(tmp_path, wrap, n_envs):
    given = wrap(create_balatro_env(max_steps=20))
    with create_trainer(given, config(tmp_path, n_envs=n_envs, total_timesteps=128)) as trainer:
        result = trainer.train(progress="silent")
        assert trainer.vector.num_envs == n_envs
        assert result["timesteps"] == 128
        assert np.isfinite(result["mean_reward"])


def test_a_masking_wrapper_leaves_balatro_native(tmp_path):
    with create_trainer(ActionMaskWrapper(create_balatro_env()), config(tmp_path)) as trainer:
        assert trainer.environments.native is not None
    with create_trainer(MyWrapper(create_balatro_env()), config(tmp_path)) as trainer:
        assert trainer.environments.native is None


def test_the_reward_of_a_wrapper_reaches_training_and_evaluation(tmp_path):
    options = config(tmp_path, n_envs=2, total_timesteps=128)
    with create_trainer(MyWrapper(create_balatro_env(max_steps=20)), options) as trainer:
        trainer.train(progress="silent")
        found = trainer.evaluate_episodes(4)
        paid = sum(found.numbers[name] for name in found.numbers if name.startswith("reward/"))
        assert found.rewards == pytest.approx(paid + found.lengths, abs=1e-4)


def test_a_wrapped_run_resumes_exactly(tmp_path):
    def trainer(steps: int, name: str):
        given = MyWrapper(create_balatro_env(max_steps=20))
        return create_trainer(given, config(tmp_path, total_timesteps=steps, name=name))

    with trainer(128, "whole") as whole:
        whole.train(progress="silent")
        expected = whole.policy_tensors()
    with trainer(128, "parts") as first:
        first.train(total_timesteps=64, progress="silent")
        run = first.run.path
    with resume_run(run, MyWrapper(create_balatro_env(max_steps=20))) as second:
        second.train(progress="silent")
        found = second.policy_tensors()
    assert all((found[name] == expected[name]).all() for name in expected)


def test_an_instance_in_processes(tmp_path):
    with create_trainer(
        RewardScalingWrapper(create_balatro_env(max_steps=20), scale=2.0),
        config(tmp_path, vectorization="subprocess"),
    ) as trainer:
        trainer.train(progress="silent")
        assert trainer.vector.num_envs == 2


class Locked(Lamps):
    """Holds what cannot be copied, and an argument."""

    def __init__(self, reward: float = 1.0):
        super().__init__(reward)
        self.lock = threading.Lock()


@pytest.mark.parametrize("n_envs", [1, 2])
@pytest.mark.parametrize("wrap", [lambda env: env, MyWrapper], ids=["bare", "wrapped"])
def test_what_cannot_be_made_again_is_refused_with_advice_that_works(tmp_path, wrap, n_envs):
    with pytest.raises(ConfigError, match=r"env: this Locked cannot be copied.*create_trainer\(lambda: "):
        create_trainer(wrap(Locked()), config(tmp_path, n_envs=n_envs))
    with create_trainer(lambda: wrap(Locked()), config(tmp_path, n_envs=n_envs)) as trainer:
        trainer.train(progress="silent")


def test_a_vec_env_is_taken_over(tmp_path):
    given = VecMonitor(DummyVecEnv([lambda: Lamps(2.0) for _ in range(3)]))
    with create_trainer(given, config(tmp_path)) as trainer:
        trainer.train(progress="silent")
        assert trainer.vector.num_envs == 3
        assert trainer.evaluate(n_episodes=2) == (6.0, 0.0)
    with create_trainer(make_vec_env(create_balatro_env, 2), config(tmp_path)) as trainer:
        assert trainer.environments.native is not None
        assert trainer.vector.num_envs == 2


def test_a_normalizing_vec_env_is_refused(tmp_path):
    with pytest.raises(ConfigError, match=r"VecNormalize cannot be taken over.*normalize_obs"):
        create_trainer(VecNormalize(make_vec_env("CartPole-v1", 1)), config(tmp_path))


@pytest.mark.parametrize(
    "vector",
    [
        lambda: gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync"),
        lambda: gymnasium.vector.SyncVectorEnv([Lamps, Lamps]),
    ],
)
def test_a_vector_that_cannot_be_resumed_is_refused_at_once(tmp_path, vector):
    with pytest.raises(ConfigError, match="make_vectorized_env"):
        create_trainer(vector(), config(tmp_path))


@pytest.mark.parametrize("options", [{}, {"discount": 0.9}], ids=["default", "given"])
def test_a_balatro_vector_is_evaluated_with_its_own_discount(options):
    """Shaped rewards depend on it: evaluation and training would not agree with the learner's."""
    vector = BalatroVectorEnv(num_envs=2, **options)
    config = get_default_config("PPO")
    config.hyperparams.gamma = 0.8
    found = Environments.of(vector, config)
    assert found.native is not None
    made: Any = found.native(num_envs=1)
    assert made.options.discount == vector.options.discount != 0.8
    made.close()
    native = Environments.of(None, config).native
    assert native is not None
    named: Any = native(num_envs=1)
    assert named.options.discount == 0.8
    named.close()
    vector.close()


@pytest.mark.parametrize("missing", [gymnasium.error.DependencyNotInstalled, ModuleNotFoundError])
def test_an_environment_without_its_library_is_refused_in_one_line(missing):
    def create(**_: object):
        raise missing("Box2D is not installed,\nrun `pip install gymnasium[box2d]`")

    gymnasium.register("jimbot-tests/Lander-v0", create)
    try:
        with pytest.raises(ConfigError) as error, create_trainer("jimbot-tests/Lander-v0") as trainer:
            _ = trainer.model
        assert str(error.value) == (
            "env: jimbot-tests/Lander-v0 needs a library that is not installed: "
            "Box2D is not installed, run `pip install gymnasium[box2d]`"
        )
    finally:
        del gymnasium.registry["jimbot-tests/Lander-v0"]
