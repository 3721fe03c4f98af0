"""What ``create_trainer`` takes as an environment: a class, a function, an id, an instance, a vector."""

from __future__ import annotations

import functools

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

pytest.importorskip("stable_baselines3")
from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.framework import create_trainer, get_default_config
from jimbot.training.utils import make_vectorized_env

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


def test_one_instance_is_one_environment(tmp_path):
    with create_trainer(Lamps(), config(tmp_path, n_envs=1)) as trainer:
        assert trainer.vector.num_envs == 1
    two = create_trainer(Lamps(), config(tmp_path))
    with pytest.raises(ConfigError, match="cannot be made 2 times; give create_trainer a function"):
        two.evaluate(n_episodes=2)


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
