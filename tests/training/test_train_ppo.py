"""``python -m jimbot.training.train_ppo`` as documented: flags, files, columns, examples, resuming, conversion."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # compiling takes longer than these trainings

import numpy as np
import pytest
import torch

from jimbot.networks import load_policy
from jimbot.players.batch_policy import NetworkPolicy
from jimbot.therapy.env.vector import TherapyVectorEnv
from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.therapy.config import TrainingConfig, get_default_config, load_config, save_config
from jimbot.training.therapy.files_torch import convert_policy, read_policy
from jimbot.training.train_ppo import config_from_flags, main, parser

CONFIGS = Path(__file__).parents[2] / "configs"
SHORT = [
    *("--total-timesteps", "192", "--n-envs", "2", "--batch-size", "16", "--n-epochs", "1"),
    *("--hidden-size", "8", "--save-freq", "64", "--eval-freq", "64", "--eval-episodes", "2"),
    *("--progress", "silent"),
]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Models and logs go into a directory of the test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


# --- configuration ---------------------------------------------------------------------------------------------------


def test_defaults_are_the_documented_ones():
    config = get_default_config()
    assert (config.total_timesteps, config.n_envs, config.learning_rate) == (500_000, 8, 3e-4)
    assert (config.batch_size, config.n_epochs, config.gamma, config.gae_lambda) == (64, 10, 0.99, 0.95)
    assert (config.clip_range, config.ent_coef, config.hidden_size, config.seed) == (0.2, 0.01, 256, 42)
    assert (config.save_freq, config.eval_freq, config.eval_episodes) == (10_000, 5_000, 100)
    assert config.model_path == Path("models/therapy_agent_training")
    assert config.progress_path == Path("logs/therapy_agent_training/therapy_agent_training_progress.csv")


def test_every_documented_flag_reaches_its_field():
    flags = {
        "experiment-name": "mine",
        "output-dir": "elsewhere",
        "mechanism": "bond_only",
        "threshold": 0.7,
        "max-sessions": 60,
        "entropy": 0.3,
        "total-timesteps": 7_000,
        "n-envs": 3,
        "learning-rate": 0.002,
        "batch-size": 32,
        "n-epochs": 4,
        "gamma": 0.9,
        "gae-lambda": 0.8,
        "clip-range": 0.1,
        "ent-coef": 0.02,
        "hidden-size": 64,
        "log-dir": "notes",
        "save-freq": 100,
        "eval-freq": 200,
        "eval-episodes": 5,
        "seed": 9,
    }
    words = [word for name, value in flags.items() for word in (f"--{name}", str(value))]
    config = config_from_flags(parser().parse_args([*words, "--patterns", "cold_stuck", "cold_warm"]))
    for name, value in flags.items():
        assert getattr(config, name.replace("-", "_")) == value
    assert config.patterns == ["cold_stuck", "cold_warm"]
    framework = config.trainer_config()
    assert framework.hyperparams.algorithm_specific == {
        "n_steps": 32,
        "batch_size": 32,
        "n_epochs": 4,
        "clip_range": 0.1,
        "clip_range_vf": 0.1,
    }
    assert framework.env_kwargs["mechanism"] == "bond_only"
    assert framework.hyperparams.entropy_coefficient == 0.02


def test_a_file_comes_back_and_overrides_flags(tmp_path, capsys):
    config = TrainingConfig(experiment_name="there", n_envs=3, patterns=["conflictual"])
    save_config(config, tmp_path / "config.yaml")
    assert load_config(tmp_path / "config.yaml") == config
    given = parser().parse_args(["--config", str(tmp_path / "config.yaml"), "--n-envs", "5"])
    assert config_from_flags(given).n_envs == 3
    assert "sets n_envs to 3; --n-envs is overridden" in capsys.readouterr().err
    (tmp_path / "short.yaml").write_text("n_envs: 4\nlearning_rate: 1e-4\n")
    given = parser().parse_args(["--config", str(tmp_path / "short.yaml"), "--seed", "3"])
    assert asdict(config_from_flags(given)) == asdict(TrainingConfig(n_envs=4, learning_rate=1e-4, seed=3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n_env: 4", "n_env: there is no such field; did you mean n_envs"),
        ("n_envs: 0", "n_envs: expected a whole number of at least 1, got 0"),
        ("patterns: [cold]", "environment: unknown pattern 'cold'"),
        ("patterns: cold_stuck", "patterns: expected a list of names"),
        ("threshold: 2", "environment: threshold must be 0 to 1, got 2"),
        ("experiment_name: a/b", "experiment_name: expected the name of a directory"),
        ("- 1", "expected fields and values, got list"),
    ],
)
def test_wrong_files_say_what_is_wrong(tmp_path, text, message):
    (tmp_path / "wrong.yaml").write_text(text)
    with pytest.raises(ConfigError, match=r"wrong\.yaml") as caught:
        load_config(tmp_path / "wrong.yaml")
    assert message in str(caught.value)


def test_the_framework_configuration_is_built_once_until_a_field_changes():
    config = TrainingConfig(total_timesteps=128)
    built = config.trainer_config()
    assert config.trainer_config() is built
    with pytest.raises(ConfigError):
        built.total_timesteps = 5
    config.patterns.append("mixed_random")
    assert config.trainer_config().env_kwargs["patterns"][-1] == "mixed_random"
    config.total_timesteps = 256
    assert config.trainer_config().total_timesteps == 256
    assert built.total_timesteps == 128


def test_the_ready_configurations_are_whole():
    assert load_config(CONFIGS / "example_experiment.yaml").patterns == ["cold_stuck"]
    quick = load_config(CONFIGS / "test_training.yaml")
    assert (quick.total_timesteps, quick.n_envs) == (10_000, 2)


# --- resuming ---------------------------------------------------------------------------------------------------------


def test_a_checkpoint_alone_is_enough_and_may_be_trained_longer(place):
    assert main(["--experiment-name", "first", "--patterns", "cold_stuck", *SHORT]) == 0
    moved = place / "moved"
    moved.mkdir()
    for name in ("config.yaml", "checkpoint_128.pth"):
        shutil.copy(place / "models/first" / name, moved / name)
    words = ["--resume-from", str(moved / "checkpoint_128.pth"), "--total-timesteps", "256"]
    assert main([*words, "--progress", "silent"]) == 0
    assert (moved / "checkpoint_256.pth").exists()
    assert (moved / "run" / "events.jsonl").exists()
    final = torch.load(moved / "checkpoint_192.pth", weights_only=True)
    before = torch.load(place / "models/first/checkpoint_192.pth", weights_only=True)
    assert all(torch.equal(final[name], before[name]) for name in before if name.startswith("actor."))


# --- conversion ------------------------------------------------------------------------------------------------------


def test_a_converted_policy_plays_the_same(place, capsys):
    assert main(["--experiment-name", "mine", "--patterns", "cold_stuck", *SHORT]) == 0
    source = place / "models/mine/policy_best.pth"
    assert all(isinstance(each, torch.Tensor) for each in torch.load(source, weights_only=True).values())
    capsys.readouterr()
    assert main(["--to-policy", str(source)]) == 0
    written = Path(capsys.readouterr().out.strip())
    assert written == place / "models/mine/policy_best/policy.json"
    player, network = NetworkPolicy(written), read_policy(source)
    env = TherapyVectorEnv(32, patterns="cold_stuck")
    observation, _ = env.reset(seed=1)
    for _ in range(30):
        with torch.no_grad():
            expected = torch.softmax(network.policy_logits(observation), 1).numpy()
        np.testing.assert_allclose(player.probabilities(observation), expected, atol=1e-5)
        observation, *_ = env.step(player(observation))
    convert_policy(place / "models/mine/checkpoint_64.pth", place / "other")
    assert load_policy(place / "other").metadata["source"] == "checkpoint_64.pth"


def test_files_of_others_are_refused(tmp_path, capsys):
    torch.save({"weights": torch.zeros(2)}, tmp_path / "other.pth")
    (tmp_path / "broken.pth").write_bytes(b"PK\x03\x04 nothing")
    (tmp_path / "text.pth").write_bytes(b"weights")
    (tmp_path / "empty.pth").write_bytes(b"")
    whole = (tmp_path / "other.pth").read_bytes()
    (tmp_path / "cut.pth").write_bytes(whole[: len(whole) // 2])
    torch.save({"weights": Path("elsewhere")}, tmp_path / "objects.pth")
    for name, message in (
        ("other.pth", "holds no therapist"),
        ("broken.pth", "is no file of train_ppo"),
        ("text.pth", "is no file of train_ppo"),
        ("empty.pth", "is no file of train_ppo"),
        ("cut.pth", "is no file of train_ppo"),
        ("objects.pth", "is no file of train_ppo: it is damaged, or holds something else than tensors"),
        ("absent.pth", "there is no file"),
    ):
        assert main(["--to-policy", str(tmp_path / name)]) == 2
        assert message in capsys.readouterr().err


# --- a killed run ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path):
    command = [sys.executable, "-m", "jimbot.training.train_ppo"]
    words = ["--experiment-name", "killed", "--patterns", "cold_stuck", *SHORT, "--total-timesteps", "100000"]
    models = tmp_path / "models" / "killed"
    process = subprocess.Popen([*command, *words], cwd=tmp_path)
    try:
        deadline = time.monotonic() + 300
        while not list(models.glob("checkpoint_*.pth")):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert process.returncode == -signal.SIGKILL  # of the signal, and not of its own accord
    assert not (models / "policy_final.pth").exists()
    steps = sorted(int(path.stem.partition("_")[2]) for path in models.glob("checkpoint_*.pth"))
    assert 0 < steps[-1] < 100_000
    goal = steps[-1] + 128
    again = [*command, "--resume-from", str(models / f"checkpoint_{steps[-1]}.pth"), "--progress", "silent"]
    subprocess.run([*again, "--total-timesteps", str(goal)], cwd=tmp_path, check=True, timeout=300)
    assert (models / f"checkpoint_{goal}.pth").exists()
    assert (models / "policy_final.pth").exists()
