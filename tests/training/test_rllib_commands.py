"""The pipeline's commands as a user gives them, shortened: train, go on, analyze, export."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

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


@pytest.fixture
def cluster(monkeypatch):
    """The address of a Ray that runs on this machine, started as a user starts one; gone afterwards.

    It has a token, and so has whoever is started from here.
    """
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    with tempfile.TemporaryDirectory(prefix="r") as place:
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "RAY_worker_niceness": "0"}
        words = [
            "start",
            "--head",
            "--port",
            "0",
            "--num-cpus",
            "2",
            "--include-dashboard",
            "false",
            "--block",
        ]
        words += ["--temp-dir", place, "--object-store-memory", str(200 * 2**20), "--disable-usage-stats"]
        head = subprocess.Popen(
            [str(Path(sys.executable).with_name("ray")), *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert head.stdout is not None
        try:
            told: list[str] = []
            for line in head.stdout:
                told.append(line)
                if "--address='" in line:
                    yield line.split("--address='")[1].split("'")[0]
                    break
            else:
                pytest.fail("".join(told))
        finally:
            os.killpg(head.pid, signal.SIGTERM)
            try:
                head.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                os.killpg(head.pid, signal.SIGKILL)
                head.communicate()


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_a_cluster_that_runs_is_joined_and_left_running(cluster, run_python, tmp_path):
    (tmp_path / "short.yaml").write_text(SHORT)
    words = [
        "-m",
        "jimbot.training.run",
        "--config",
        "short.yaml",
        "--address",
        cluster,
        "--experiment",
        "joined",
    ]
    done = run_python(*words, "--timesteps", "256", timeout=900)
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads((tmp_path / "models/joined/status.json").read_text())["steps"] == 256
    asked = "import ray, sys; ray.init(address=sys.argv[1], log_to_driver=False); print(len(ray.nodes()))"
    still = run_python("-c", asked, cluster, timeout=300)
    assert still.stdout.split() == ["1"], still.stderr[-3000:]
