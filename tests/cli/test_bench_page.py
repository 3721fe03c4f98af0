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


def test_training_libraries_side_by_side(root, tmp_path):
    for file in FILES.values():
        shutil.copy(root / "results" / file, tmp_path / file)
    assert "## Training" not in performance_page(tmp_path)
    row = {"env": "cartpole", "threads": 1, "slowest": 900.0, "fastest": 1100.0, "compile_seconds": 0.1}
    row |= {"steps_per_processor_second": 950.0}
    rows = [
        {**row, "backend": "sb3", "steps_per_second": 1000.0, "ceiling_share": 0.01},
        {**row, "backend": "jax", "steps_per_second": 25_000.0, "ceiling_share": 0.25},
    ]
    report = json.loads((root / "results" / FILES["env"]).read_text(encoding="utf-8")) | {
        "updates": 4,
        "steps_per_update": 2048,
        "ceiling_gflops": {"1": 100.0, "2": 190.0},
        "measured": rows,
        "times_the_first": {"cartpole": {"sb3": 1.0, "jax": 25.0}},
    }
    (tmp_path / TRAINING).write_text(json.dumps(report))
    page = performance_page(tmp_path)
    assert "| cartpole | jax | 1 | 25,000 | 900 to 1,100 | 950 | 0.1 s | 0.25 |" in page
    assert "On cartpole jax makes 25.0 times the steps of sb3, each with its best number of threads." in page
    assert "4 updates each" in page


def test_a_missing_or_broken_file_is_one_line(root, tmp_path):
    for file in FILES.values():
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
