"""``docs/reference/performance.md`` says what the files in ``results/`` say."""

from __future__ import annotations

import json
import shutil

import pytest
from tools.bench_page import FILES, NATIVE_TRAINING, RUNNERS, TRAINING, performance_page

from jimbot.cli.bench.env_speed import ROUNDS
from jimbot.cli.bench.rllib_speed import fit_scaling_model
from jimbot.errors import JimbotError


def test_the_page_is_what_the_results_say(root):
    page = (root / "docs" / "reference" / "performance.md").read_text(encoding="utf-8")
    assert page == performance_page(root / "results"), "make docs rewrites the page"


def test_every_measurement_is_on_the_page(root):
    page = performance_page(root / "results")
    for file in FILES.values():
        report = json.loads((root / "results" / file).read_text(encoding="utf-8"))
        assert report["commit"]
        assert all(f"| {each['what']} |" in page for each in report["measurements"])


def test_the_page_says_which_rows_are_the_best_of_several(root):
    assert f"are the best of {ROUNDS} rounds" in performance_page(root / "results")


@pytest.fixture
def results(root, tmp_path):
    """A directory with the measurements that the page cannot do without."""
    for file in FILES.values():
        shutil.copy(root / "results" / file, tmp_path / file)
    return tmp_path


def test_training_libraries_side_by_side(results):
    assert "## Training" not in performance_page(results)
    row = {"env": "cartpole", "threads": 1, "slowest": 900.0, "fastest": 1100.0, "compile_seconds": 0.1}
    row |= {"steps_per_processor_second": 950.0}
    rows = [
        {**row, "backend": "sb3", "steps_per_second": 1000.0, "ceiling_share": 0.01},
        {**row, "backend": "jax", "steps_per_second": 25_000.0, "ceiling_share": 0.25},
    ]
    report = json.loads((results / FILES["env"]).read_text(encoding="utf-8")) | {
        "updates": 4,
        "steps_per_update": 2048,
        "ceiling_gflops": {"1": 100.0, "2": 190.0},
        "measured": rows,
        "times_the_first": {"cartpole": {"sb3": 1.0, "jax": 25.0}},
        "times_as_it_comes": {"cartpole": {"sb3 as it comes": 1.0, "sb3": 1.5, "jax": 37.5}},
    }
    (results / TRAINING).write_text(json.dumps(report))
    page = performance_page(results)
    assert "| cartpole | jax | 1 | 25,000 | 900 to 1,100 | 950 | 0.1 s | 0.25 |" in page
    assert (
        "Each library with the number of threads that suits it best:\n\n"
        "- cartpole: jax makes 25.0 times the steps of sb3\n" in page
    )
    assert "- cartpole: jax makes 37.5 times the steps of sb3 as it comes\n" in page
    assert "4 updates each" in page


def test_native_environments_beside_processes(results):
    assert "## Training on native" not in performance_page(results)
    row = {"n_envs": 4, "peak_megabytes": 512.0, "shares": {"env": 0.25, "learn": 0.75}}
    report = json.loads((results / FILES["env"]).read_text(encoding="utf-8")) | {
        "measured": [
            {**row, "backend": "jax", "environments": "native", "steps_per_second": 900.0},
            {**row, "backend": "sb3", "environments": "SubprocVecEnv", "steps_per_second": 300.0},
        ]
    }
    (results / NATIVE_TRAINING).write_text(json.dumps(report))
    page = performance_page(results)
    assert "| jax | native | 4 | 900 | 3.00 | 512 MB | env 25%, learn 75% |" in page
    assert "| sb3 | SubprocVecEnv | 4 | 300 | 1.00 | 512 MB |" in page


def test_runners_beside_each_other(results):
    assert "## RLlib" not in performance_page(results)
    way = {
        "steps_per_second": {"mean": 2000.0, "low": 1900.0, "high": 2100.0},
        "games_per_hour": {"mean": 50_000.0, "low": 48_000.0, "high": 52_000.0},
        "times_the_floor": 40.0,
        "peak_megabytes": 1500.0,
    }
    report = {
        "commit": "0123456789abcdef",
        "n_envs": 16,
        "rounds": 3,
        "floor_games_per_hour": 1250,
        "load_average": 1.5,
        "ways": {"rllib, 1 runner": way},
        "scaling": fit_scaling_model(one=0.0002, two=0.0001, learn=0.0004),
    }
    (results / RUNNERS).write_text(json.dumps(report))
    page = performance_page(results)
    assert "| rllib, 1 runner | 2,000 | 1,900 to 2,100 | 50,000 | 40 | 1,500 MB |" in page
    assert "The limit is 2,500 steps per second; 0.5 runners reach half of it." in page
    assert "(2.00 times as fast)" in page
    assert "| 1 | 1,667 | 2,000 |\n| 2 | 2,000 | not measured |" in page
    (results / RUNNERS).write_text(json.dumps({**report, "scaling": None}))
    assert "predicted" not in performance_page(results)


def test_a_missing_or_broken_file_is_one_line(results):
    (results / FILES["seeds"]).write_text("{")
    with pytest.raises(JimbotError, match=r"bench_seeds.json is not JSON"):
        performance_page(results)
    (results / FILES["env"]).unlink()
    with pytest.raises(JimbotError, match=r"cannot read .*bench_env.json"):
        performance_page(results)


def test_the_module_writes_the_page(root, tmp_path, run_python):
    shutil.copytree(root / "results", tmp_path / "results")
    (tmp_path / "docs" / "reference").mkdir(parents=True)
    shutil.copytree(root / "tools", tmp_path / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    finished = run_python("-m", "tools.bench_page")
    assert finished.returncode == 0, finished.stderr
    page = (tmp_path / "docs" / "reference" / "performance.md").read_text(encoding="utf-8")
    assert page == performance_page(root / "results")
