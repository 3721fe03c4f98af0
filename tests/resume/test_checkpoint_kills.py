"""Killed at random moments of saving, hundreds of times: the newest complete checkpoint is always there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs fork and SIGKILL")


def kill(run_python, directory: Path, kills: int, seed: int):
    program = str(Path(__file__).with_name("kill_loop.py"))
    finished = run_python("-W", "error", program, str(directory), str(kills), str(seed), timeout=900)
    assert finished.returncode == 0, finished.stderr
    report = json.loads(finished.stdout)
    assert report["kills"] == kills
    assert report["leftovers_after_open"] == []
    return report


def test_forty_kills_lose_nothing(run_python, tmp_path):
    report = kill(run_python, tmp_path / "checkpoints", 40, seed=1)
    assert report["last_step"] > 0
    assert report["kills_amid_a_save"] > 0  # or the kills came at harmless moments only


@pytest.mark.slow
def test_two_hundred_kills_lose_nothing(run_python, tmp_path):
    report = kill(run_python, tmp_path / "checkpoints", 200, seed=2)
    assert report["last_step"] > 20
    assert report["kills_amid_a_save"] > 20
