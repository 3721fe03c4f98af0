"""What a whole configuration may not be: changed in place to nonsense, or with fields its algorithm does not use."""

from __future__ import annotations

import pytest

from jimbot.training.config.trainer_config import (
    ConfigError,
    DifficultyStep,
    TrainerConfig,
    get_default_config,
)
from jimbot.training.framework import create_trainer
from jimbot.training.sb3_trainer import SB3Trainer


def test_lists_and_mappings_changed_in_place_are_looked_at_again():
    config = get_default_config("PPO")
    config.hyperparams.policy_net_arch.append(-5)
    with pytest.raises(
        ConfigError, match=r"^hyperparams\.policy_net_arch\.2: expected a whole number of at least 1, got -5$"
    ):
        config.check()
    config = get_default_config("PPO")
    config.hyperparams.policy_net_arch.append("wide")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError, match=r"^hyperparams\.policy_net_arch\.2: .*got 'wide'"):
        create_trainer(None, config)
    config = get_default_config("PPO")
    config.trackers.append(3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError, match=r"^trackers\.0: "):
        config.check()
    config.trackers[:] = ["tensorboard"]
    config.difficulty_schedule.append(DifficultyStep(timestep=5))
    assert config.check() is config


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("entropy_coefficient", 0.5),
        ("gae_lambda", 0.8),
        ("value_function_coefficient", 1.0),
        ("value_net_arch", [32]),
    ],
)
def test_what_dqn_does_not_use_is_refused(name, value):
    config = get_default_config("DQN")
    setattr(config.hyperparams, name, value)
    with pytest.raises(
        ConfigError, match=rf"^hyperparams\.{name}: DQN does not use it, PPO, A2C.* do; leave it at"
    ):
        config.check()
    for algorithm in ("PPO", "A2C"):
        config = get_default_config(algorithm)
        setattr(config.hyperparams, name, value)
        config.check()


def test_networks_of_one_size_serve_all_algorithms():
    for algorithm in ("PPO", "A2C", "DQN"):
        config = get_default_config(algorithm)
        config.check()
        config.hyperparams.policy_net_arch = config.hyperparams.value_net_arch = [64]
        config.check()
        config.hyperparams.value_net_arch = []
        config.check()


def test_sb3_refuses_options_that_it_does_not_have():
    config = TrainerConfig(backend_options={"foo": 1})
    with pytest.raises(
        ConfigError, match=r"^backend_options\.foo: there is no such field; this backend has no options"
    ):
        SB3Trainer.translate(config)
    with pytest.raises(ConfigError, match=r"^backend_options\.foo"):
        create_trainer(None, config)
