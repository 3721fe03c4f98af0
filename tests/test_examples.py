"""The programs in examples/ run, each in a process of its own and with little to do."""

from __future__ import annotations

import subprocess
import sys

import pytest

from conftest import ROOT

ARGUMENTS = {
    "gymnasium_loop.py": [],
    "maskable_ppo.py": ["--timesteps", "64", "--n-steps", "64"],
    "numpy_policy.py": ["--steps", "60"],
    "ppo_in_one_file.py": ["--updates", "2", "--num-envs", "4", "--num-steps", "16"],
}
PRINTED = {
    "gymnasium_loop.py": "return",
    "maskable_ppo.py": "total_timesteps",
    "numpy_policy.py": "second half",
    "ppo_in_one_file.py": "update 1: loss",
}
TESTED_ELSEWHERE = {"play_exported.py"}
"""Programs that need a policy to play with, which a test of their own trains and exports."""
LIBRARIES = {"maskable_ppo.py": "sb3_contrib", "ppo_in_one_file.py": "torch"}


def test_every_example_is_run_here():
    assert {path.name for path in (ROOT / "examples").glob("*.py")} == set(ARGUMENTS) | TESTED_ELSEWHERE


@pytest.mark.parametrize("name", ARGUMENTS)
def test_example_runs(name, tmp_path):
    if name in LIBRARIES:
        pytest.importorskip(LIBRARIES[name])
    command = [sys.executable, str(ROOT / "examples" / name), *ARGUMENTS[name]]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert finished.returncode == 0, finished.stderr
    assert PRINTED[name] in finished.stdout
    assert list(tmp_path.iterdir()) == []


def test_every_example_is_on_the_page():
    page = (ROOT / "docs" / "guides" / "without_the_framework.md").read_text(encoding="utf-8")
    assert [name for name in ARGUMENTS if f"examples/{name}\n" not in page] == []
