"""How many files a reader has to open to follow one training: counted, and never more than they are now."""

import subprocess
import sys

import pytest

pytest.importorskip("stable_baselines3")

MOST = 78


def test_a_small_training_enters_no_more_files_than_it_did(root):
    command = [sys.executable, str(root / "tools" / "count_entered_files.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    count = int(done.stdout.split()[0])
    assert count <= MOST, done.stdout
    assert "framework.py" in done.stdout
    assert "sb3_trainer.py" in done.stdout
