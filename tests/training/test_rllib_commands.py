"""The pipeline's commands as a user gives them, shortened: train, go on, analyse, export."""

from __future__ import annotations

import json

import pytest

from jimbot.training import run

pytestmark = pytest.mark.slow

SHORT = """
backend: rllib
env: balatro
env_config: {actions: candidates, fast: true}
total_timesteps: 1024
num_workers: 1
num_envs_per_worker: 4
train_batch_size: 256
sgd_minibatch_size: 64
num_sgd_iter: 1
eval_freq: 512
eval_episodes: 4
checkpoint_freq: 256
hyperparams: {features_dim: 16, policy_net_arch: [8], value_net_arch: [8]}
difficulty_schedule: {easy: 0, hard: 512}
"""


def test_the_quick_start(run_python, tmp_path):
    """Every command of the quick start, one after the other."""
    (tmp_path / "short.yaml").write_text(SHORT)
    started = run_python(
        "-m", "jimbot.training.run", "--config", "short.yaml", "--experiment", "first", "--track", timeout=900
    )
    assert started.returncode == 0, started.stderr[-3000:]
    assert "parameters for" in started.stdout
    place = tmp_path / "models/first"
    status = json.loads((place / "status.json").read_text())
    assert (status["state"], status["steps"]) == ("finished", 1024)
    assert list((place / "tensorboard").iterdir())

    on = run_python(
        "-m", "jimbot.training.run", "--checkpoint", "models/first", "--timesteps", "256", timeout=900
    )
    assert on.returncode == 0, on.stderr[-3000:]
    assert json.loads((place / "status.json").read_text())["steps"] == 1280

    seen = run_python(
        "-m", "jimbot.training.analyze", "--checkpoint", "models/first", "--episodes", "8", timeout=900
    )
    assert seen.returncode == 0, seen.stderr[-3000:]
    assert (place / "analysis.html").exists()

    written = run_python("-m", "jimbot", "export", "models/first", "--output", "out", timeout=900)
    assert written.returncode == 0, written.stderr[-3000:]
    assert {"policy.onnx", "policy.pt2", "policy.json"} <= {
        each.name for each in (tmp_path / "out").iterdir()
    }


def test_jimbot_train_with_rllib(run_python, tmp_path):
    (tmp_path / "short.yaml").write_text(SHORT)
    done = run_python(
        "-m", "jimbot", "train", "--backend", "rllib", "--config", "short.yaml", "--name", "second",
        "--timesteps", "256", "--set", "num_workers=0", "--progress", "plain", timeout=900,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert (tmp_path / "models/second/final/policy.json").exists()


def test_a_cluster_that_is_not_there(tmp_path, capsys):
    (tmp_path / "short.yaml").write_text(SHORT)
    given = [
        "--config",
        str(tmp_path / "short.yaml"),
        "--address",
        "127.0.0.1:1",
        "--set",
        f"save_dir={tmp_path}",
    ]
    assert run.main(given) == 2
    assert "cannot join the Ray cluster at 127.0.0.1:1" in capsys.readouterr().err
