"""A trainer keeps a frozen copy of its configuration."""

from __future__ import annotations

import copy
import pickle

import pytest

from jimbot.training.config.files import config_from_yaml, config_to_yaml
from jimbot.training.config.hashing import config_hash
from jimbot.training.framework import (
    ConfigError,
    TrainerConfig,
    create_trainer,
    get_default_config,
    resume_run,
)
from jimbot.training.runs.directory import RunDirectory


def small(tmp_path) -> TrainerConfig:
    config = get_default_config("PPO")
    config.env = "CartPole-v1"
    config.n_envs = 1
    config.save_dir = str(tmp_path)
    config.total_timesteps = 32
    config.hyperparams.algorithm_specific |= {"n_steps": 16, "batch_size": 16, "n_epochs": 1}
    config.hyperparams.policy_net_arch = [8]
    return config


CHANGES = {
    "field": lambda config: setattr(config, "seed", 7),
    "section": lambda config: setattr(config.hyperparams, "learning_rate", 0.5),
    "list": lambda config: config.hyperparams.policy_net_arch.append(4),
    "item": lambda config: config.hyperparams.policy_net_arch.__setitem__(0, 4),
    "mapping": lambda config: config.hyperparams.algorithm_specific.update(n_steps=4),
    "inner mapping": lambda config: config.env_kwargs["inner"].pop("a"),
    "delete": lambda config: delattr(config, "seed"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_frozen_configuration_refuses_every_change(change):
    config = get_default_config("PPO").copy_with(env_kwargs={"inner": {"a": 1}})
    frozen = config.frozen()
    for each in (frozen, pickle.loads(pickle.dumps(frozen)), copy.deepcopy(frozen)):
        with pytest.raises(ConfigError, match=r"cannot be changed; use config.copy_with\(\.\.\.\)"):
            CHANGES[change](each)
        assert each == config
    if change != "delete":
        CHANGES[change](config)  # the user's own stays free
        assert config != frozen
        CHANGES[change](frozen.copy_with())


def test_a_frozen_configuration_is_checked_once_and_reads_as_before():
    config = get_default_config("PPO")
    frozen = config.frozen()
    assert frozen.frozen() is frozen
    assert frozen == config
    assert frozen.hash() == config.hash()
    assert config_from_yaml(config_to_yaml(frozen)) == config
    assert frozen.copy_with(seed=3).seed == 3
    with pytest.raises(ConfigError, match="seed"):
        frozen.copy_with(seed=-1)
    config.hyperparams.policy_net_arch.append(-1)
    with pytest.raises(ConfigError, match="policy_net_arch"):
        config.frozen()


@pytest.mark.parametrize("changed", [False, True])
def test_a_run_records_what_it_was_trained_with(tmp_path, changed):
    config = small(tmp_path)
    before = config.copy_with()
    with create_trainer(None, config) as trainer:
        if changed:
            config.hyperparams.learning_rate = 0.5
            config.hyperparams.algorithm_specific["n_epochs"] = 9
            config.seed = 7
        trainer.train(progress="silent")
        path = trainer.run.path
        assert trainer.model.learning_rate == 3e-4
        assert trainer.model.n_epochs == 1
    assert config_from_yaml((path / "config.yaml").read_text()) == config_from_yaml(config_to_yaml(before))
    with resume_run(path) as trainer, pytest.raises(ConfigError, match="copy_with"):
        trainer.config.hyperparams.learning_rate = 0.5


def test_run_checkpoint_and_configuration_have_one_hash(tmp_path):
    config = small(tmp_path)
    with create_trainer(None, config) as trainer:
        trainer.save_checkpoint()
        run = RunDirectory.open(trainer.run.path)
    manifest = run.checkpoint_manager().list()[0].manifest
    assert manifest.writer["config_hash"] == config.hash() == config_hash(config.to_dict())
    assert run.provenance["config_hash"] == run.config_hash == config.hash()
    assert "config_hash" not in manifest.metadata


def test_a_run_that_recorded_another_hash_still_opens(tmp_path):
    config = small(tmp_path)
    with create_trainer(None, config) as trainer:
        trainer.save_checkpoint()
        path = trainer.run.path
    text = (path / "provenance.json").read_text()
    (path / "provenance.json").write_text(text.replace(config.hash(), "0123456789abcdef"))
    assert RunDirectory.open(path).config_hash == config.hash()
    with resume_run(path) as trainer:
        assert trainer.config.hash() == config.hash()
