"""The documented examples of comparisons, analyses and templates, as they are written, on few steps."""

from __future__ import annotations

import csv
import functools
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from conftest import ROOT
from jimbot.networks import load_policy
from jimbot.tracking.events import read_events
from jimbot.training.behavioral_cloning import load_trajectories
from jimbot.training.config.files import load_config
from jimbot.training.experiment import ExperimentConfig, MultiAlgorithmBenchmark
from jimbot.training.framework import create_trainer
from jimbot.training.performance_analysis import PerformanceAnalyzer
from jimbot.training.templates import algorithm_comparison, curriculum_learning, imitation_learning
from jimbot.training.utils import create_balatro_env

pytest.importorskip("stable_baselines3")

TINY = {"net_arch": [8], "features_dim": 8}
OWN = {
    "PPO": {"n_steps": 32, "batch_size": 32, "n_epochs": 1},
    "A2C": {"n_steps": 32},
    "DQN": {"learning_starts": 20, "buffer_size": 100, "train_freq": 16},
}
SHORT = {"eval_freq": 64, "eval_episodes": 2, "checkpoint_freq": 64}
quick_balatro = functools.partial(
    create_balatro_env, max_ante=1, actions="candidates", max_steps=60, fast=True
)


def tiny(algorithm: str) -> dict:
    return {
        "n_envs": 2,
        "hyperparams": TINY | OWN[algorithm],
        "trainer_options": SHORT,
        "evaluation_episodes": 2,
    }


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Workflow 2: multi-algorithm comparison."""
    monkeypatch.chdir(tmp_path)
    configs = [
        ExperimentConfig(algorithm="PPO", total_timesteps=128, **tiny("PPO")),
        ExperimentConfig(algorithm="A2C", total_timesteps=128, **tiny("A2C")),
        ExperimentConfig(algorithm="DQN", total_timesteps=128, **tiny("DQN")),
    ]
    benchmark = MultiAlgorithmBenchmark(quick_balatro)
    benchmark.add_experiments(configs)
    found = benchmark.run_all()
    benchmark.print_summary()
    assert benchmark.get_best_result() in found
    return found


def test_workflows_2_and_5_and_example_5(results, tmp_path):
    assert [(each.algorithm, each.status) for each in results] == [
        ("PPO", "finished"),
        ("A2C", "finished"),
        ("DQN", "finished"),
    ]
    assert all(each.env == "jimbot/Balatro-v0" for each in results)
    analyzer = PerformanceAnalyzer()
    analyzer.add_results(results)
    analyzer.print_summary()
    analyzer.export_json("performance_results.json")
    analyzer.export_csv("performance_results.csv")
    analyzer.plot_throughput_comparison("throughput.png")
    analyzer.plot_quality_comparison(save_path="quality.png")
    analyzer.generate_html_report("report.html")
    assert {name for name, _ in analyzer.get_throughput_ranking()} == {"PPO", "A2C", "DQN"}
    assert len(analyzer.get_convergence_ranking()) == len(analyzer.get_quality_ranking()) == 3
    assert len(json.loads((tmp_path / "performance_results.json").read_text())["runs"]) == 3
    assert len(list(csv.DictReader((tmp_path / "performance_results.csv").read_text().splitlines()))) == 3
    for name in ("throughput.png", "quality.png"):
        assert (tmp_path / name).read_bytes()[:4] == b"\x89PNG"
    report = (tmp_path / "report.html").read_text()
    assert results[0].config_hash in report
    runs = PerformanceAnalyzer()  # directories of runs do as well
    runs.add_results(each.run_directory for each in results)
    assert len(runs.get_throughput_ranking()) == 3


EXAMPLE_5 = """
from jimbot.training.performance_analysis import PerformanceAnalyzer
from jimbot.training.experiment import MultiAlgorithmBenchmark
from jimbot.training.utils import create_balatro_env

# Run comparisons
benchmark = MultiAlgorithmBenchmark(create_balatro_env)
results = benchmark.run_all()

# Analyze performance
analyzer = PerformanceAnalyzer()
analyzer.add_results(results)

# Print summary
analyzer.print_summary()

# Export results
analyzer.export_json("performance_results.json")
analyzer.export_csv("performance_results.csv")

# Generate visualizations
analyzer.plot_throughput_comparison("throughput.png")
analyzer.plot_quality_comparison("quality.png")
analyzer.generate_html_report("report.html")
"""


def test_example_5_as_it_is_written(tmp_path, monkeypatch):
    """A benchmark that is given no experiment compares the three algorithms; here they are small."""
    from jimbot.training import experiment

    standard = experiment.standard_experiments()
    assert standard == [ExperimentConfig(algorithm=each) for each in ("PPO", "A2C", "DQN")]
    short = {"env_kwargs": {"max_ante": 1, "actions": "candidates", "max_steps": 60, "fast": True}}
    small = [each.copy_with(total_timesteps=64, **short, **tiny(each.algorithm)) for each in standard]
    monkeypatch.setattr(experiment, "standard_experiments", lambda: small)
    monkeypatch.chdir(tmp_path)
    found: dict = {}
    exec(EXAMPLE_5, found)
    assert [(each.algorithm, each.status) for each in found["results"]] == [
        (each, "finished") for each in ("PPO", "A2C", "DQN")
    ]
    for name in ("performance_results.json", "performance_results.csv", "quality.png", "report.html"):
        assert (tmp_path / name).stat().st_size > 100


def test_example_3_and_workflow_6(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    template = curriculum_learning(algorithm="PPO", timesteps=64, **tiny("PPO"))
    template.set_ante_levels([1, 2, 3, 4, 5])
    configs = template.generate_experiments(n_runs=3)
    benchmark = MultiAlgorithmBenchmark(
        functools.partial(create_balatro_env, actions="candidates", max_steps=60, fast=True)
    )
    benchmark.add_experiments(configs)
    results = benchmark.run_all(verbose=False)
    assert [each.error for each in results] == [None] * 3
    assert {each.seed for each in results} == {42, 43, 44}
    assert results[0].curves["curriculum/max_ante"].values[0] == 1
    assert len(algorithm_comparison(algorithms=["PPO", "A2C", "DQN"]).generate_experiments()) == 3


def test_imitation_learning_really_clones(tmp_path, monkeypatch):
    """The generated experiments, run: one was taught by the expert before its first step, the other was not."""
    monkeypatch.chdir(tmp_path)
    template = imitation_learning(timesteps=64, expert="greedy", n_episodes=3, n_epochs=2, **tiny("PPO"))
    benchmark = MultiAlgorithmBenchmark(quick_balatro)
    benchmark.add_experiments(template.generate_experiments(n_runs=1))
    cloned, plain = benchmark.run_all(verbose=False)
    assert [each.error for each in (cloned, plain)] == [None, None]
    runs = [Path(each.run_directory or "") for each in (cloned, plain)]
    assert len(load_trajectories(runs[0] / "demonstrations.trajectories")) == 3
    assert not (runs[1] / "demonstrations.trajectories").exists()
    told = [
        [event.step for event in read_events(run / "events.jsonl") if "cloning/accuracy" in event.values]
        for run in runs
    ]
    assert told == [[0], []]
    taught = load_policy(runs[0] / "cloned").tensors
    with create_trainer(quick_balatro, load_config(runs[0] / "config.yaml")) as trainer:
        blank = trainer.policy_tensors()
    assert taught.keys() == blank.keys()
    assert any(not np.array_equal(taught[name], blank[name]) for name in taught)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["quick_train.py", "--algorithm", "PPO", "--timesteps", "2048", "--no-wandb", "--episodes", "5"],
        ["compare_algorithms.py", "--quick", "--algorithms", "PPO", "A2C", "--timesteps", "2048"],
    ],
    ids=["example 1", "example 2"],
)
def test_scripts(words, tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / words[0]), *words[1:]],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    if words[0] == "compare_algorithms.py":
        directory = tmp_path / "benchmarks" / "comparison"
        assert len(list((directory / "results").glob("*.json"))) == 2
        assert (directory / "report.html").exists()
