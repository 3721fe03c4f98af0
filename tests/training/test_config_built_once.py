"""A configuration is validated once for a training, and a run directory knows one hash of it."""

import json
import re
from typing import Any

import pytest
from typer.testing import CliRunner

from jimbot.cli.train import app
from jimbot.training.config.files import load_config, save_config
from jimbot.training.config.trainer_config import TrainerConfig
from jimbot.training.framework import create_trainer, resume_run

SMALL = {
    "env": "CartPole-v1",
    "total_timesteps": 64,
    "n_envs": 2,
    "eval_freq": 64,
    "eval_episodes": 2,
    "checkpoint_freq": 64,
    "hyperparams": {
        "policy_net_arch": [8],
        "value_net_arch": [8],
        "algorithm_specific": {"n_steps": 32, "batch_size": 32, "n_epochs": 1},
    },
}


@pytest.fixture
def built(monkeypatch):
    """Counts how often a whole ``TrainerConfig`` is validated."""
    counted = []
    before = TrainerConfig.__init__

    def counting(self: Any, /, **values: Any) -> None:
        counted.append(values)
        before(self, **values)

    monkeypatch.setattr(TrainerConfig, "__init__", counting)
    return counted


def test_a_training_from_python_validates_its_configuration_once(tmp_path, built):
    config = TrainerConfig(**SMALL, save_dir=str(tmp_path))
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
    assert len(built) == 1


def test_a_training_from_the_command_line_validates_its_configuration_once(tmp_path, built):
    file = tmp_path / "config.yaml"
    save_config(TrainerConfig(**SMALL, save_dir=str(tmp_path)), file)
    built.clear()
    flags = ["--config", str(file), "--set", "learning_rate=0.001", "--progress", "silent", "--name", "one"]
    result = CliRunner().invoke(app, flags)
    assert result.exit_code == 0, result.output
    assert len(built) == 1
    assert load_config(tmp_path / "one" / "config.yaml").hyperparams.learning_rate == 0.001


def test_a_whole_run_directory_holds_one_hash(tmp_path):
    pytest.importorskip("tensorboard")
    config = TrainerConfig(**SMALL, save_dir=str(tmp_path), name="run", trackers=["tensorboard"])
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        own = trainer.config.hash()
    with resume_run(tmp_path / "run") as trainer:
        assert trainer.config.hash() == own
        trainer.train(64, progress="silent")
    found = {}
    for path in sorted((tmp_path / "run").rglob("*")):
        if path.is_file():
            for match in re.findall(rb"config_hash\W+([0-9a-f]{12})\b", path.read_bytes()):
                found.setdefault(match.decode(), []).append(path.name)
    assert set(found) == {own}, found
    names = set(found[own])
    assert {"provenance.json", "manifest.json", "policy.json"} <= names
    assert json.loads((tmp_path / "run" / "provenance.json").read_text())["config_hash"] == own
