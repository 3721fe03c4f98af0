"""What every benchmark says about where its numbers come from."""

from __future__ import annotations

import subprocess

import jimbot
from jimbot.cli.bench.report import find_source_commit


def test_the_commit_is_that_of_the_checkout(root):
    asked = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True)
    assert find_source_commit() == (asked.stdout.strip() if (root / ".git").exists() else "")


def test_an_installation_that_is_no_checkout_has_none(tmp_path, monkeypatch):
    monkeypatch.setattr(jimbot, "__file__", str(tmp_path / "src" / "jimbot" / "__init__.py"))
    assert find_source_commit() == ""
