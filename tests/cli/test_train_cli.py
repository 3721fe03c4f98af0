"""``jimbot train`` and ``jimbot resume``: every flag is obeyed or refused by name, before anything is made."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from jimbot.training.runs.directory import RunDirectory, RunWarning, list_runs

SMALL = (
    *("--env", "cartpole", "--timesteps", "64", "--n-envs", "2", "--progress", "silent"),
    *("--set", "hyperparams.policy_net_arch=[8]", "--set", "hyperparams.value_net_arch=[8]"),
    *("--set", "hyperparams.algorithm_specific={n_steps: 32, batch_size: 32, n_epochs: 1}"),
    *("--set", "eval_episodes=2", "--set", "eval_freq=1000", "--set", "checkpoint_freq=64"),
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Runs go into a directory of the test."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def trained(place, jimbot):
    """A short run that has ended."""
    finished = jimbot("train", *SMALL, "--name", "first")
    assert finished.code == 0, finished.err
    return place / "models" / "first"


def steps_of(run: Path) -> int:
    return json.loads((run / "status.json").read_text())["steps"]


def test_resuming_by_flag_trains_further(trained, jimbot):
    refused = jimbot("train", "--resume-from", str(trained), "--progress", "silent")
    assert refused.code == 2
    assert "has trained its 64 steps already; give --timesteps" in refused.err
    finished = jimbot("train", "--resume-from", str(trained), "--timesteps", "64", "--progress", "silent")
    assert finished.code == 0, finished.err
    assert "finished after 128 steps" in finished.out
    assert steps_of(trained) == 128


@pytest.mark.parametrize(
    ("flag", "words"),
    [
        ("--config", ["a.yaml"]),
        ("--algorithm", ["A2C"]),
        ("--backend", ["jax"]),
        ("--env", ["balatro"]),
        ("--n-envs", ["4"]),
        ("--seed", ["42"]),
        ("--name", ["other"]),
        ("--save-dir", ["elsewhere"]),
        ("--use-curriculum", []),
        ("--use-wandb", []),
        ("--tracker", ["tensorboard"]),
        ("--set", ["seed=1"]),
        ("--show-config", []),
    ],
)
def test_flags_that_cannot_change_a_run_are_refused(jimbot, flag, words):
    finished = jimbot("train", "--resume-from", "models/first", "--timesteps", "64", flag, *words)
    assert finished.code == 2
    message = f"{flag}: a resumed run keeps its configuration; leave out {flag} or --resume-from"
    assert finished.err == f"jimbot: error: {message}\n"


@pytest.mark.parametrize("steps", ["-5", "0"])
def test_steps_to_go_on_must_be_some(trained, jimbot, steps):
    for words in (("resume", str(trained)), ("train", "--resume-from", str(trained))):
        finished = jimbot(*words, "--timesteps", steps)
        message = f"jimbot: error: --timesteps must be at least 1, got {steps}\n"
        assert (finished.code, finished.err) == (2, message)
    assert steps_of(trained) == 64


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--progress", "fancy"], "progress: expected auto, live, plain, silent, got 'fancy'"),
        (["--tracker", "nope"], "unknown tracker 'nope'; expected jsonl, csv, tensorboard"),
        (["--set", "backend_options.foo=1"], "backend_options.foo: there is no such field"),
        (["--set", "device=banana"], "device: torch knows no 'banana'"),
    ],
)
def test_what_cannot_be_obeyed_leaves_nothing_behind(place, jimbot, words, message):
    finished = jimbot("train", *SMALL, *words)
    assert finished.code == 2
    assert finished.err.startswith(f"jimbot: error: {message}")
    assert finished.err.count("\n") == 1
    assert not (place / "models").exists()


def test_a_tracker_that_is_not_installed_leaves_nothing_behind(place, jimbot, monkeypatch):
    from jimbot.errors import MissingExtraError
    from jimbot.tracking import tensorboard_tracker

    def absent(module: str, extra: str):
        raise MissingExtraError(extra, module)

    monkeypatch.setattr(tensorboard_tracker, "require", absent)
    finished = jimbot("train", *SMALL, "--tracker", "tensorboard")
    assert finished.code == 2
    assert "is not installed; install it with: pip install 'jimbot[tracking]'" in finished.err
    assert not (place / "models").exists()


def test_other_progress_is_refused_when_a_run_goes_on(trained, jimbot):
    finished = jimbot("resume", str(trained), "--timesteps", "64", "--progress", "fancy")
    assert (finished.code, finished.err.count("\n")) == (2, 1)
    assert "progress: expected auto, live, plain, silent" in finished.err


def test_a_damaged_checkpoint_is_told_in_one_line(place, jimbot, run_python):
    assert jimbot("train", *SMALL, "--timesteps", "128", "--name", "first").code == 0
    run = place / "models" / "first"
    (run / "checkpoints" / "step_000000000128" / "manifest.json").write_text("{")
    finished = run_python("-m", "jimbot", "resume", str(run), "--timesteps", "64", "--progress", "silent")
    assert finished.returncode == 0, finished.stderr
    assert "finished after 192 steps" in finished.stdout
    (line,) = finished.stderr.splitlines()
    assert line.startswith("jimbot: warning: ")
    assert "step_000000000128" in line


def test_no_run_is_left_that_would_look_killed(place, jimbot):
    jimbot("train", *SMALL, "--tracker", "nope")
    RunDirectory.create(place / "models", "other", {"algorithm": "PPO"}).finish()
    with warnings.catch_warnings():
        warnings.simplefilter("error", RunWarning)
        assert [run.name for run in list_runs(place / "models")] == ["other"]
