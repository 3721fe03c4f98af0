"""Every backend has its environments behind one interface, and one function wraps and unwraps them."""

import inspect
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv, VectorEnv

from jimbot.balatro.env.vector import BalatroVectorEnv
from jimbot.errors import MissingExtraError
from jimbot.training.config.trainer_config import ConfigError, TrainerConfig
from jimbot.training.envs import (
    SteppedEnvironments,
    TrainingEnvironments,
    unwrap_environments,
    wrap_environments,
)
from jimbot.training.envs.vectors import gymnasium_vector
from jimbot.training.framework import BACKENDS, create_trainer, find_trainer
from jimbot.training.loop.session import TrainingSession

from .tiny_envs import Ladder

CONFIG = TrainerConfig(n_envs=2, normalize_obs=False, normalize_reward=False)
METHODS = [name for name in vars(TrainingEnvironments) if not name.startswith("_")]


def test_whatever_a_user_gives_becomes_the_same_interface():
    for given, below in (
        (None, BalatroVectorEnv),
        ("balatro", BalatroVectorEnv),
        ("CartPole-v1", SyncVectorEnv),
        (Ladder, SyncVectorEnv),
        (gymnasium.make("CartPole-v1"), SyncVectorEnv),
        (gymnasium_vector(Ladder, 2, in_processes=False), SyncVectorEnv),
    ):
        environments: SteppedEnvironments = wrap_environments(given, CONFIG)
        assert all(hasattr(environments, name) for name in METHODS if name != "observation")
        vector = unwrap_environments(environments)
        assert isinstance(vector, below)
        assert environments.num_envs == vector.num_envs == 2
        environments.close()


def test_what_is_not_in_this_process_is_not_unwrapped():
    with pytest.raises(ConfigError, match="the environments of object are not in this process"):
        unwrap_environments(object())  # pyright: ignore[reportArgumentType]


def test_difficulty_is_set_through_every_wrapper():
    environments = wrap_environments(Ladder, CONFIG)
    assert environments.has("set_max_ante")
    assert not environments.has("set_color")
    environments.reset()
    environments.tell("set_max_ante", 1, 3)
    assert environments.stage == 3
    vector: Any = unwrap_environments(environments)
    assert vector.call("get_wrapper_attr", "max_ante") == (1, 1)
    lost = np.zeros(2, np.int64)
    environments.step(lost)
    assert [each.stage for each in environments.drain()] == [0, 0]  # begun before
    environments.step(lost)
    assert [each.stage for each in environments.drain()] == [3, 3]
    environments.close()


@pytest.mark.parametrize("backend", ["sb3", "tianshou", "jax", "rllib"])
def test_the_environments_of_every_backend_have_the_whole_interface(backend, tmp_path):
    config = TrainerConfig(backend=backend, env="CartPole-v1", n_envs=2, save_dir=str(tmp_path))
    try:
        trainer = create_trainer(None, config)
        with trainer:
            vector: Any = trainer.vector
            for name in METHODS:
                assert hasattr(vector, name), f"{type(vector).__name__} lacks {name}"
            assert vector.num_envs == 2
            assert vector.stage == 0
            assert not vector.has("set_max_ante")
    except MissingExtraError as error:
        pytest.skip(str(error))
    assert isinstance(config, TrainerConfig)


def test_the_training_loop_knows_only_the_interface():
    source = inspect.getsource(TrainingSession)
    assert ".vector.vector" not in source
    for name in BACKENDS:
        try:
            assert ".vector.vector" not in inspect.getsource(find_trainer(name))
        except (MissingExtraError, ImportError):
            continue
    assert issubclass(SyncVectorEnv, VectorEnv)
