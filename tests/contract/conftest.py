"""What every documented snippet gets: an empty directory to write in, and a way to run the scripts."""

from __future__ import annotations

import os

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # compiling takes longer than these trainings

import pytest


@pytest.fixture(autouse=True)
def empty_directory(tmp_path, monkeypatch):
    """Snippets write where they stand."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run_application():
    """A function that runs one of the scripts at the root in this process; 0 is what it exits with."""
    from jimbot import cli

    def run(script: str, *words: str) -> None:
        from importlib import import_module

        module = {"quick_train": "quick_train", "compare_algorithms": "compare"}.get(script, "train")
        with pytest.raises(SystemExit) as caught:
            cli.run_application(import_module(f"jimbot.cli.{module}").app, list(words), f"{script}.py")
        assert caught.value.code == 0

    return run
