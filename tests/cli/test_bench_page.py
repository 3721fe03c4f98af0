"""``docs/performance.md`` says what the files in ``results/`` say."""

from __future__ import annotations

import json
import shutil

import pytest

from jimbot.cli.bench_page import FILES, TRAINING, performance_page
from jimbot.errors import JimbotError


def test_the_page_is_what_the_results_say(root):
    page = (root / "docs" / "performance.md").read_text(encoding="utf-8")
    assert page == performance_page(root / "results"), "make docs writes the page anew"


def test_every_measurement_is_on_the_page(root):
    page = performance_page(root / "results")
    for file in FILES.values():
        report = json.loads((root / "results" / file).read_text(encoding="utf-8"))
        assert report["commit"]
        assert all(f"| {each['what']} |" in page for each in report["measurements"])
    report = json.loads((root / "results" / TRAINING).read_text(encoding="utf-8"))
    assert report["commit"]
    for each in report["measured"]:
        assert f"| {each['env']} | {each['backend']} | {each['threads']} |" in page


def test_a_missing_or_broken_file_is_one_line(root, tmp_path):
    for file in (*FILES.values(), TRAINING):
        shutil.copy(root / "results" / file, tmp_path / file)
    (tmp_path / FILES["seeds"]).write_text("{")
    with pytest.raises(JimbotError, match=r"bench_seeds.json is not JSON"):
        performance_page(tmp_path)
    (tmp_path / FILES["env"]).unlink()
    with pytest.raises(JimbotError, match=r"cannot read .*bench_env.json"):
        performance_page(tmp_path)


def test_the_module_writes_the_page(root, tmp_path, run_python):
    shutil.copytree(root / "results", tmp_path / "results")
    (tmp_path / "docs").mkdir()
    finished = run_python("-m", "jimbot.cli.bench_page")
    assert finished.returncode == 0, finished.stderr
    assert (tmp_path / "docs" / "performance.md").read_text(encoding="utf-8") == performance_page(
        root / "results"
    )
