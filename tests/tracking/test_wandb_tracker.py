"""Weights & Biases without an account: the mode, a real offline run, and a resumed one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tracking.helpers import log_steps, run_in

from jimbot.tracking import TrackingError, create_tracker, create_trackers
from jimbot.tracking.wandb_tracker import WandbTracker

wandb = pytest.importorskip("wandb")


def offline_files(directory: Path) -> list[Path]:
    return sorted((directory / "wandb_files").glob("wandb/offline-run-*/run-*.wandb"))


@pytest.mark.parametrize(
    ("environment", "option", "expected"),
    [
        ({}, None, "offline"),
        ({"WANDB_API_KEY": "x"}, None, "online"),
        ({"WANDB_API_KEY": "x", "WANDB_MODE": "offline"}, None, "offline"),
        ({"WANDB_MODE": "online"}, "disabled", "disabled"),
    ],
)
def test_mode(monkeypatch, environment, option, expected):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    tracker = create_tracker("wandb", {"mode": option})
    assert isinstance(tracker, WandbTracker)
    assert tracker.mode == expected


def test_unknown_mode_is_refused():
    with pytest.raises(
        TrackingError, match="unknown mode of wandb 'sometimes'; expected online, offline, disabled"
    ):
        create_tracker("wandb", {"mode": "sometimes"})


def test_offline_run_is_written_and_resumed(tmp_path):
    kept = tmp_path / "a file.txt"
    kept.write_text("kept")
    trackers = create_trackers(["wandb"], run_in(tmp_path, run_id="abc")).start()
    log_steps(trackers, 1, 10)
    trackers.log_artifact(10, kept)
    trackers.log_checkpoint(10, "checkpoints/10")
    trackers.close()
    assert trackers.names == ["jsonl", "csv", "wandb"]
    wandb.teardown()  # W&B's own process writes the file; now it has written all of it
    (file,) = offline_files(tmp_path)
    content = file.read_bytes()
    assert file.name == "run-abc.wandb"
    for expected in (b"entropy", b"evaluation/mean_reward", b"learning_rate", b"balatro-rl", b"a file.txt"):
        assert expected in content
    record = json.loads(next((tmp_path / "delivered").glob("wandb-*.json")).read_text())
    assert record["sequence"] == 14

    with create_trackers(["wandb"], run_in(tmp_path)).resume(None) as resumed:
        resumed.log_metrics(11, {"only the second": 1.0})
    assert resumed.names == ["jsonl", "csv", "wandb"]
    wandb.teardown()
    files = offline_files(tmp_path)
    assert b"only the second" in b"".join(each.read_bytes() for each in files)
    assert {each.name for each in files} == {"run-abc.wandb"}
