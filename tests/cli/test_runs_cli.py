"""``jimbot runs`` and ``jimbot checkpoints``: tables, exact JSON, exit codes."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime

import numpy as np
import pytest

from jimbot.cli.runs import age_of
from jimbot.training.run_directory import RunDirectory


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
    assert age_of(moment, datetime(2026, 11, 16, 0, 0, 30, tzinfo=UTC)) == age


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
