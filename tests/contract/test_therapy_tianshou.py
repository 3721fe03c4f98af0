"""Every snippet of the therapy documentation, on few steps."""

from __future__ import annotations

import csv
import importlib
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

torch = pytest.importorskip("torch")
pytest.importorskip("tianshou")

from jimbot.training.therapy.config import TrainingConfig, load_config, save_config  # noqa: E402
from jimbot.training.train_ppo import config_from_flags, main, parser  # noqa: E402

SHORT = [
    *("--total-timesteps", "192", "--n-envs", "2", "--batch-size", "16", "--n-epochs", "1"),
    *("--hidden-size", "8", "--save-freq", "64", "--eval-freq", "64", "--eval-episodes", "2"),
    *("--progress", "silent"),
]
"""Given after the documented flags: the last one counts."""


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def short_copy(source: Path, target: Path, **changes: object) -> Path:
    """A configuration file with the numbers cut that decide how long it takes."""
    config = load_config(source)
    short = {"total_timesteps": 64, "n_envs": 2, "batch_size": 16, "n_epochs": 1, "hidden_size": 8}
    for name, value in {**short, "save_freq": 64, "eval_freq": 64, "eval_episodes": 2, **changes}.items():
        setattr(config, name, value)
    save_config(config, target)
    return target


def test_installation(root):
    """There is no requirements.txt; the extra ``tianshou`` holds what the document lists."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extra = {Requirement(each).name for each in project["optional-dependencies"]["tianshou"]}
    assert {"torch", "tianshou", "gymnasium"} <= extra


def test_option_1_using_a_config_file(root, tmp_path):
    config = short_copy(root / "configs" / "example_experiment.yaml", tmp_path / "short.yaml")
    assert main(["--config", str(config), "--progress", "silent"]) == 0
    name = load_config(config).experiment_name
    assert (tmp_path / "models" / name / "policy_final.pth").exists()


def test_option_2_using_cli_arguments(tmp_path):
    words = [
        "--experiment-name",
        "my_experiment",
        "--patterns",
        "cold_stuck",
        "dominant_stuck",
        "submissive_stuck",
    ]
    words += [
        "--mechanism",
        "frequency_amplifier",
        "--threshold",
        "0.9",
        "--total-timesteps",
        "500000",
        "--n-envs",
        "8",
    ]
    words += ["--learning-rate", "0.0003", "--batch-size", "64", "--hidden-size", "256", "--seed", "42"]
    documented = config_from_flags(parser().parse_args(words))
    assert documented == TrainingConfig(
        experiment_name="my_experiment",
        patterns=["cold_stuck", "dominant_stuck", "submissive_stuck"],
        threshold=0.9,
    )
    assert main([*words, *SHORT]) == 0
    assert load_config(tmp_path / "models/my_experiment/config.yaml").seed == 42


def test_option_3_quick_test_run(root, tmp_path):
    source = root / "configs" / "test_training.yaml"
    documented = load_config(source)
    assert (documented.total_timesteps, documented.n_envs) == (10_000, 2)
    assert main(["--config", str(short_copy(source, tmp_path / "short.yaml")), "--progress", "silent"]) == 0


def test_directory_structure(tmp_path):
    assert main(["--experiment-name", "mine", "--patterns", "cold_stuck", *SHORT]) == 0
    names = {path.name for path in (tmp_path / "models" / "mine").iterdir()}
    assert {"config.yaml", "policy_best.pth", "policy_final.pth", "checkpoint_64.pth"} <= names
    assert (tmp_path / "logs" / "mine" / "mine_progress.csv").exists()


def test_example_1_training_on_cold_stuck_pattern(tmp_path):
    words = ["--experiment-name", "cold_stuck_baseline", "--patterns", "cold_stuck"]
    words += ["--mechanism", "frequency_amplifier", "--threshold", "0.8"]
    assert main([*words, *SHORT]) == 0
    models = tmp_path / "models" / "cold_stuck_baseline"
    names = {path.name for path in models.iterdir()}
    assert names == {
        "config.yaml",
        "policy_best.pth",
        "policy_final.pth",
        "checkpoint_64.pth",
        "checkpoint_128.pth",
        "checkpoint_192.pth",
        "run",
    }
    assert load_config(models / "config.yaml").threshold == 0.8
    logs = tmp_path / "logs" / "cold_stuck_baseline"
    assert [path.name for path in logs.iterdir()] == ["cold_stuck_baseline_progress.csv"]
    rows = rows_of(logs / "cold_stuck_baseline_progress.csv")
    assert list(rows[0]) == [
        "epoch",
        "step",
        "train_reward_mean",
        "train_reward_std",
        "train_length_mean",
        "test_reward_mean",
        "test_reward_std",
        "test_length_mean",
        "duration",
    ]
    assert [(row["epoch"], row["step"]) for row in rows] == [("1", "64"), ("2", "128"), ("3", "192")]
    assert all(float(row["test_length_mean"]) > 0 for row in rows)
    assert rows[0]["train_reward_mean"] == ""  # no episode has ended after 32 sessions each
    assert float(rows[-1]["duration"]) > float(rows[0]["duration"])


def test_example_2_multi_pattern_training(tmp_path, capsys):
    patterns = ["cold_stuck", "dominant_stuck", "submissive_stuck", "mixed_random", "cold_warm"]
    words = ["--experiment-name", "multi_pattern", "--patterns", *patterns]
    assert main([*words, *SHORT]) == 0
    assert (tmp_path / "models" / "multi_pattern" / "policy_final.pth").exists()
    assert main([*words, *SHORT]) == 2  # nothing is written over
    assert "holds an experiment already" in capsys.readouterr().err


def test_example_3_resume_training_from_checkpoint(tmp_path, capsys):
    config = tmp_path / "experiment.yaml"
    values = parser().parse_args(["--experiment-name", "experiment", "--patterns", "cold_stuck", *SHORT])
    save_config(config_from_flags(values), config)
    assert main(["--config", str(config), "--progress", "silent"]) == 0
    models = tmp_path / "models" / "experiment"
    whole = {
        name: torch.load(models / name, weights_only=True)
        for name in ("policy_final.pth", "checkpoint_192.pth")
    }
    rows = rows_of(tmp_path / "logs/experiment/experiment_progress.csv")
    for name in ("policy_final.pth", "checkpoint_128.pth", "checkpoint_192.pth"):
        (models / name).unlink()
    words = [
        "--config",
        str(config),
        "--resume-from",
        str(models / "checkpoint_64.pth"),
        "--progress",
        "silent",
    ]
    assert main(words) == 0
    again = {name: torch.load(models / name, weights_only=True) for name in whole}
    assert all(
        torch.equal(again["policy_final.pth"][name], each) for name, each in whole["policy_final.pth"].items()
    )
    for name, tensor in whole["checkpoint_192.pth"].items():
        if name != "state.json":  # it also tells how long things took
            assert torch.equal(again["checkpoint_192.pth"][name], tensor), name
    resumed = rows_of(tmp_path / "logs/experiment/experiment_progress.csv")
    assert len(resumed) == len(rows) == 3
    for before, after in zip(rows, resumed, strict=True):
        assert {**before, "duration": ""} == {**after, "duration": ""}
    capsys.readouterr()
    wrong = ["--resume-from", str(models / "checkpoint_64.pth"), "--gamma", "0.5", "--progress", "silent"]
    assert main(wrong) == 2
    assert "gamma: the checkpoint was made with 0.99, got 0.5" in capsys.readouterr().err
    assert main(["--resume-from", str(models / "policy_final.pth")]) == 2
    assert "holds a policy and no run" in capsys.readouterr().err


def test_import_errors():
    """Everything the document installs by hand can be imported."""
    for name in ("numpy", "torch", "gymnasium", "tianshou", "tensorboard", "yaml"):
        importlib.import_module(name)
