"""The documentation site: it builds without a warning, and its generated pages are up to date."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tools.commands_page import commands_page
from tools.configuration_page import configuration_page


def test_configuration_page_is_current(root):
    page = (root / "docs" / "reference" / "configuration.md").read_text(encoding="utf-8")
    assert page == configuration_page(), "make docs writes the page anew"


def test_commands_page_is_current(root):
    page = (root / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert page == commands_page(), "make docs writes the page anew"


def test_site_builds_without_warnings(root, tmp_path):
    for library in ("sphinx", "myst_parser", "furo", "torch", "jax", "ray", "tianshou"):
        pytest.importorskip(library)
    finished = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-b",
            "html",
            "-d",
            str(tmp_path / "trees"),
            str(root / "docs"),
            str(tmp_path / "site"),
        ],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    assert (tmp_path / "site" / "reference" / "commands.html").exists()
