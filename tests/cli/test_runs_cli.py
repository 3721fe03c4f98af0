"""``jimbot runs`` and ``jimbot checkpoints``: tables, exact JSON, exit codes."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from jimbot.cli.runs import format_age
from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer
from jimbot.training.runs.directory import RunDirectory


@pytest.fixture
def run(tmp_path) -> RunDirectory:
    """A finished run with two checkpoints."""
    made = RunDirectory.create(
        tmp_path, "first", {"algorithm": "PPO", "env": "jimbot/Balatro-v0", "backend": "sb3"}
    )
    with made.running(), made.checkpoint_manager() as manager:
        manager.save(1000, {"w": np.zeros(1000)}, score=0.25)
        manager.mark_best(manager.save(2000, {"w": np.zeros(1000)}, score=math.nan))
        made.update(steps=2000, best_score=0.25)
    return made


def test_runs_are_listed(run, jimbot):
    RunDirectory.create(run.path.parent, "second", {"algorithm": "DQN", "env": "CartPole-v1"}).fail("no luck")
    finished = jimbot("runs", str(run.path.parent))
    assert (finished.code, finished.err) == (0, "")
    lines = [line.split() for line in finished.out.splitlines()]
    assert lines[0] == ["name", "algorithm", "env", "steps", "state", "best", "age"]
    assert lines[1][:6] == ["first", "PPO", "jimbot/Balatro-v0", "2,000", "finished", "0.25"]
    assert lines[2][:5] == ["second", "DQN", "CartPole-v1", "0", "failed"]


def test_runs_as_json(run, jimbot):
    run.update(best_score=math.inf)
    finished = jimbot("runs", str(run.path.parent), "--json")
    (summary,) = json.loads(finished.out, parse_constant=pytest.fail)
    assert (summary["name"], summary["steps"], summary["state"]) == ("first", 2000, "finished")
    assert summary["best_score"] == "inf"
    assert summary["path"] == str(run.path)


def test_no_runs_and_no_directory(tmp_path, jimbot):
    finished = jimbot("runs", str(tmp_path))
    assert (finished.code, finished.out) == (0, f"there are no runs in {tmp_path}\n")
    finished = jimbot("runs", str(tmp_path / "absent"))
    assert finished.code == 2
    assert finished.err.startswith(f"jimbot: error: {tmp_path / 'absent'} is not a directory")


def test_a_damaged_run_is_told_in_one_line(run, run_python):
    (run.path / "status.json").write_text("{")
    finished = run_python("-m", "jimbot", "runs", str(run.path.parent))
    assert finished.returncode == 0
    (line,) = finished.stderr.splitlines()
    assert line.startswith(f"jimbot: warning: {run.path} is not a whole run: status.json")


@pytest.mark.parametrize(
    ("moment", "age"),
    [
        ("2026-11-16T00:00:00+00:00", "30 s"),
        ("2026-11-15T23:58:00+00:00", "2 min"),
        ("2026-11-15T20:00:00+00:00", "4 h"),
        ("2026-11-01T00:00:00+00:00", "15 d"),
        ("2026-11-17T00:00:00+00:00", "0 s"),
        ("2026-11-17T00:00:00", "?"),
        ("", "?"),
    ],
)
def test_ages(moment, age):
    assert format_age(moment, datetime(2026, 11, 16, 0, 0, 30, tzinfo=UTC)) == age


def test_checkpoints_are_listed(run, jimbot):
    for place in (run.path, run.checkpoints_path):
        finished = jimbot("checkpoints", "list", str(place))
        assert (finished.code, finished.err) == (0, "")
        lines = [line.split() for line in finished.out.splitlines()]
        assert lines[1][:3] == ["step_000000001000", "1,000", "0.25"]
        assert lines[1][-2:] == ["sb3", "PPO"]
        assert lines[2][:3] == ["step_000000002000", "2,000", "nan"]
        assert lines[2][-2:] == ["marked", "best"]
    finished = jimbot("checkpoints", "list", str(run.path), "--json")
    first, second = json.loads(finished.out, parse_constant=pytest.fail)
    assert (first["step"], first["score"], second["score"]) == (1000, 0.25, "nan")
    assert first["groups"] == ["tensors"]
    assert first["bytes"] > 8000


def test_checkpoints_are_verified(run, jimbot):
    first, second = sorted(run.checkpoints_path.glob("step_*"))
    finished = jimbot("checkpoints", "verify", str(run.path))
    assert (finished.code, finished.out) == (0, f"{first}: whole\n{second}: whole\n")
    data = bytearray((first / "tensors.safetensors").read_bytes())
    data[-1] ^= 1
    (first / "tensors.safetensors").write_bytes(data)
    finished = jimbot("checkpoints", "verify", str(run.path))
    assert finished.code == 1
    assert f"{first}: DAMAGED: tensors.safetensors is damaged: its SHA-256" in finished.out
    assert f"{second}: whole" in finished.out
    assert jimbot("checkpoints", "verify", str(second)).code == 0
    finished = jimbot("checkpoints", "verify", str(first), "--json")
    assert finished.code == 1
    assert json.loads(finished.out)[0]["whole"] is False


def test_damaged_manifests_are_told_beside_the_list(run, jimbot):
    (run.checkpoints_path / "step_000000001000" / "manifest.json").write_text("{")
    finished = jimbot("checkpoints", "list", str(run.path))
    assert finished.code == 0
    assert "step_000000002000" in finished.out
    assert "damaged: " in finished.err
    assert "step_000000001000: manifest.json is not valid JSON" in finished.err


def test_a_place_without_checkpoints_is_one_clear_line(tmp_path, jimbot):
    for verb in ("list", "verify"):
        finished = jimbot("checkpoints", verb, str(tmp_path))
        assert finished.code == 2
        assert finished.err.startswith(f"jimbot: error: there are no checkpoints in {tmp_path}")


def test_archives_go_out_and_come_in(tmp_path, jimbot):
    config = TrainerConfig(
        env="CartPole-v1",
        total_timesteps=64,
        eval_episodes=2,
        n_envs=2,
        save_dir=str(tmp_path),
        name="mine",
        hyperparams=HyperparameterConfig(
            policy_net_arch=[8],
            value_net_arch=[8],
            algorithm_specific={"n_steps": 32, "batch_size": 32, "n_epochs": 1},
        ),
    )
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
    archive = tmp_path / "mine.zip"
    finished = jimbot("checkpoints", "export", str(tmp_path / "mine"), str(archive))
    assert (finished.code, finished.out) == (0, f"{archive}: PPO after 64 steps\n")
    refused = jimbot("checkpoints", "import", str(archive), "--save-dir", str(tmp_path))
    assert refused.code == 2
    assert "say so with --trust-pickle" in refused.err
    arguments = ("--trust-pickle", "--name", "theirs", "--save-dir", str(tmp_path))
    finished = jimbot("checkpoints", "import", str(archive), *arguments)
    assert (finished.code, finished.out) == (
        0,
        f"{tmp_path / 'theirs'}: PPO on CartPole-v1 after 64 steps\n",
    )
    both = [
        jimbot(
            "evaluate",
            str(tmp_path / name),
            "--episodes",
            "3",
            "--save",
            str(tmp_path / f"{Path(name).parts[0]}.json"),
        )
        for name in ("mine/final", "theirs")
    ]
    assert [each.code for each in both] == [0, 0]
    mine, theirs = (
        json.loads((tmp_path / f"{Path(name).parts[0]}.json").read_text())
        for name in ("mine/final", "theirs")
    )
    assert mine["rewards"] == theirs["rewards"]
