"""Every file in configs/: the command it names takes it, and another command names that one."""

import re
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from jimbot.cli.compare import app as compare_app
from jimbot.training import run, train_ppo
from jimbot.training.config.files import layered_config, load_config
from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.framework import available_trainers, trainer_class
from jimbot.training.templates import TemplateRegistry
from jimbot.training.therapy.config import load_config as load_experiment

ROOT = Path(__file__).parents[2]
FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "configs").rglob("*.yaml"))
MOVED = {
    "default_ppo": "rllib",
    "experimental_ppo": "rllib",
    "example_experiment": "therapy",
    "test_training": "therapy",
}


def train(path):
    config = layered_config(path, {}, {})
    trainer_class(config).translate(config)
    return config


LOADERS = {
    "jimbot train --config": train,
    "python -m jimbot.training.run --config": train,
    "python -m jimbot.training.train_ppo --config": load_experiment,
    "jimbot compare --template": lambda path: TemplateRegistry().load(path),
}


def command_of(path):
    first = (ROOT / path).read_text(encoding="utf-8").splitlines()[0]
    match = re.fullmatch(r"# Command: (.+) (\S+)", first)
    assert match, f"{path} does not name its command in its first line"
    assert match[2] == path
    return match[1]


@pytest.mark.parametrize("path", FILES)
def test_the_command_that_a_file_names_takes_it(path):
    assert LOADERS[command_of(path)](ROOT / path)


@pytest.mark.parametrize("path", FILES)
def test_every_other_command_names_the_right_one(path):
    own = command_of(path)
    for command, loader in LOADERS.items():
        if loader is LOADERS[own]:
            continue
        with pytest.raises(ConfigError, match=re.escape(f"run it with: {own} {ROOT / path}")):
            LOADERS[command](ROOT / path)


def test_documented_paths_are_the_files_they_extend():
    for name, place in MOVED.items():
        documented, real = ROOT / f"configs/{name}.yaml", ROOT / f"configs/{place}/{name}.yaml"
        load = load_config if place == "rllib" else load_experiment
        assert load(documented) == load(real)
        assert list(yaml.safe_load(documented.read_text())) == ["extends"]


def test_every_backend_has_a_recipe_for_balatro():
    recipes = {path: load_config(ROOT / path) for path in FILES if path.startswith("configs/balatro/")}
    assert {config.backend for config in recipes.values()} >= {"sb3", "tianshou", "jax", "rllib"}
    assert {config.backend for config in recipes.values()} <= set(available_trainers())
    assert {config.algorithm for config in recipes.values() if config.backend == "sb3"} == {
        "PPO",
        "A2C",
        "DQN",
    }
    assert all(config.env_kwargs["actions"] == "candidates" for config in recipes.values())


def test_extending_adds_to_a_file_and_never_ends_in_a_circle(tmp_path):
    (tmp_path / "base.yaml").write_text("env: cartpole\nhyperparams: {gamma: 0.5, learning_rate: 0.1}\n")
    (tmp_path / "over.yaml").write_text("extends: base.yaml\nhyperparams: {gamma: 0.9}\n")
    config = load_config(tmp_path / "over.yaml")
    assert (config.env, config.hyperparams.gamma, config.hyperparams.learning_rate) == ("cartpole", 0.9, 0.1)
    (tmp_path / "base.yaml").write_text("extends: over.yaml\n")
    with pytest.raises(ConfigError, match=r"over\.yaml: extends itself"):
        load_config(tmp_path / "over.yaml")
    (tmp_path / "base.yaml").write_text("extends: [a]\n")
    with pytest.raises(ConfigError, match=r"extends: expected the path of a file, got \['a'\]"):
        load_config(tmp_path / "base.yaml")
    (tmp_path / "base.yaml").write_text("extends: nowhere.yaml\n")
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: No such file"):
        load_config(tmp_path / "base.yaml")


def test_the_commands_themselves_refuse_each_others_files(capsys):
    template = str(ROOT / "configs/templates/multi_seed.yaml")
    assert train_ppo.main(["--config", template]) == 2
    assert "run it with: jimbot compare --template" in capsys.readouterr().err
    assert run.main(["--config", str(ROOT / "configs/test_training.yaml")]) == 2
    assert "run it with: python -m jimbot.training.train_ppo --config" in capsys.readouterr().err


def test_compare_takes_a_template(tmp_path):
    file = tmp_path / "template.yaml"
    file.write_text("template: multi_seed\nalgorithm: A2C\ntimesteps: 64\nenv: CartPole-v1\nseeds: [1, 2]\n")
    flags = ["--template", str(file), "--output-dir", str(tmp_path), "--silent"]
    changes = ["--set", "evaluation_episodes=2", "--set", "eval_episodes=2", "--set", "learning_rate=0.01"]
    result = CliRunner().invoke(compare_app, [*flags, *changes])
    assert result.exit_code == 0, result.output
    configs = sorted(tmp_path.glob("comparison/runs/*/config.yaml"))
    assert sorted(load_config(path).seed for path in configs) == [1, 2]
    assert {load_config(path).hyperparams.learning_rate for path in configs} == {0.01}
    result = CliRunner().invoke(compare_app, [*flags, "--timesteps", "5"])
    assert isinstance(result.exception, ConfigError)
    assert "--timesteps: the template says it" in str(result.exception)
