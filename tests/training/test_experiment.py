"""Benchmarks: results that survive, failures that are kept, runs that go on, experiments that say what they do."""

# pyright: reportArgumentType=false

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import textwrap
import time
from typing import Any

import pytest
from rich.console import Console
from tests.training.quick_trainer import bandit, counting

from conftest import ROOT
from jimbot.errors import JimbotError
from jimbot.training.config.trainer_config import ConfigError, HyperparameterConfig
from jimbot.training.experiment import Curve, ExperimentConfig, ExperimentResult, MultiAlgorithmBenchmark
from jimbot.training.framework import trainer_class


@pytest.fixture
def benchmark_of(tmp_path):
    """A function that makes a benchmark of experiments; a second call finds what the first has left."""

    def make(*experiments: Any, **options: Any):
        benchmark = MultiAlgorithmBenchmark(bandit, "test", tmp_path, **options)
        benchmark.add_experiments(experiments)
        return benchmark

    return make


# --- configuration ---------------------------------------------------------------------------------------------------


def test_an_experiment_is_a_trainer_configuration_with_the_algorithms_defaults():
    config = ExperimentConfig(algorithm="A2C", total_timesteps=200_000, seed=3, n_envs=4).trainer_config()
    assert (config.algorithm, config.total_timesteps, config.seed, config.n_envs) == ("A2C", 200_000, 3, 4)
    assert (config.hyperparams.learning_rate, config.hyperparams.gae_lambda) == (7e-4, 1.0)
    assert (config.eval_freq, config.checkpoint_freq) == (10_000, 20_000)


def test_hyperparameters_reach_the_librarys_arguments_under_any_of_their_names():
    given = {"learning_rate": 1e-3, "ent_coef": 0.5, "n_steps": 128, "net_arch": [32], "gamma": 0.9}
    config = ExperimentConfig(hyperparams=given).trainer_config()
    arguments = trainer_class(config).translate(config)
    assert (arguments["learning_rate"], arguments["ent_coef"], arguments["gamma"]) == (1e-3, 0.5, 0.9)
    assert (arguments["n_steps"], arguments["batch_size"]) == (128, 64)
    assert config.hyperparams.policy_net_arch == config.hyperparams.value_net_arch == [32]
    whole = HyperparameterConfig(learning_rate=2e-3, algorithm_specific={"n_steps": 64})
    config = ExperimentConfig(hyperparams=whole).trainer_config()
    assert config.hyperparams.learning_rate == 2e-3
    assert config.hyperparams.algorithm_specific["n_steps"] == 64


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"total_timesteps": 0}, "total_timesteps: "),
        ({"timesteps": 5}, "timesteps: there is no such field"),
        ({"hyperparams": {"n_stepz": 5}}, r"algorithm_specific\.n_stepz: there is no such field"),
        ({"trainer_options": {"seed": 5}}, "trainer_options.seed: set seed of the experiment itself"),
        ({"trainer_options": {"evil_freq": 5}}, "evil_freq: there is no such field"),
    ],
)
def test_wrong_fields_are_named(values, message, benchmark_of):
    with pytest.raises(ConfigError, match=message):
        benchmark_of(ExperimentConfig(**values))


def test_keys_follow_what_shapes_the_result_and_nothing_else():
    base = ExperimentConfig()
    assert base.key() == base.copy_with(name="other").key()
    for change in ({"seed": 1}, {"hyperparams": {"gamma": 0.9}}, {"evaluation_episodes": 7}):
        assert base.key() != base.copy_with(**change).key()
    assert base.key("mine") != base.key("yours")
    assert base.recipe_hash() == base.copy_with(seed=1).recipe_hash()


# --- running ---------------------------------------------------------------------------------------------------------


def test_results_tell_quality_speed_and_how_it_got_there(benchmark_of):
    benchmark = benchmark_of(
        counting(seed=1), counting(seed=2), counting(algorithm="Guessing", seed=1, name="guess")
    )
    first, second, guess = results = benchmark.run_all(verbose=False)
    assert [each.status for each in results] == ["finished"] * 3
    assert [(each.name, each.seed) for each in results] == [("Counting", 1), ("Counting", 2), ("guess", 1)]
    assert first.scores == second.scores == [1.0] * 8
    assert (first.mean_reward, first.std_reward, guess.mean_reward) == (1.0, 0.0, 0.0)
    assert first.evaluation["win_rate"] == 1.0
    assert (first.timesteps, first.env) == (100, "tests.training.tiny_envs.MaskedBandit")
    assert first.steps_per_second > 100 / first.wall_seconds, "evaluations are not counted"
    curve = first.curves["evaluation/mean_reward"]
    assert curve.steps == [0, 20, 40, 60, 80, 100]
    assert curve.values[0] == 0.0  # the untrained policy takes action 0
    assert curve.values[-1] == 1.0
    assert curve.seconds == sorted(curve.seconds)
    assert first.recipe_hash == second.recipe_hash != guess.recipe_hash
    assert first.config_hash != second.config_hash
    assert first.peak_memory_bytes > 1_000_000
    assert first.provenance["hardware"]["cores"]
    assert benchmark.get_best_result().name == "Counting"
    assert benchmark.get_best_result("steps_per_second").steps_per_second == max(
        each.steps_per_second for each in results
    )


def test_finished_experiments_are_not_run_again_and_may_be_renamed(benchmark_of, monkeypatch):
    benchmark_of(counting()).run_all(verbose=False)
    monkeypatch.setattr(
        "jimbot.training.experiment.run_experiment", lambda *_, **__: pytest.fail("it was run again")
    )
    (again,) = benchmark_of(counting(name="new")).run_all(verbose=False)
    assert (again.name, again.mean_reward) == ("new", 1.0)


def test_a_failure_is_kept_with_its_traceback_and_ends_nothing_else(benchmark_of, capsys):
    benchmark = benchmark_of(counting(backend_options={"fail_at": 50}), counting())
    failed, fine = benchmark.run_all()
    assert (failed.status, fine.status) == ("failed", "finished")
    assert failed.error == "RuntimeError: the card table collapsed"
    assert "in iterate" in failed.traceback
    assert math.isnan(failed.mean_reward)
    assert "failed: Counting, seed 42: RuntimeError" in capsys.readouterr().err
    assert benchmark.get_best_result() is benchmark.results[1]
    console = Console(record=True, width=120)
    benchmark.print_summary(console)
    assert "RuntimeError: the card table collapsed" in console.export_text()
    # Within one process it stays failed; a new one tries again, from the start, unless told not to.
    assert benchmark.run_all(verbose=False)[0].run_directory == failed.run_directory
    kept = benchmark_of(counting(backend_options={"fail_at": 50}), retry_failed=False).run_all(verbose=False)
    assert kept[0].run_directory == failed.run_directory
    again = benchmark_of(counting(backend_options={"fail_at": 50})).run_all(verbose=False)
    assert again[0].run_directory == failed.run_directory + "-2"


def test_all_failed_is_told(benchmark_of):
    benchmark = benchmark_of(counting(backend_options={"fail_at": 0}))
    benchmark.run_all(verbose=False)
    with pytest.raises(JimbotError, match=r"no finished result \(1 failed\); see print_summary"):
        benchmark.get_best_result()


def test_bad_input_gives_one_line(benchmark_of, tmp_path):
    empty = benchmark_of()
    assert empty.run_all(verbose=False) == []
    for call in (empty.print_summary, empty.get_best_result):
        with pytest.raises(JimbotError, match="call run_all first"):
            call()
    with pytest.raises(ConfigError, match="algorithm: backend sb3 has PPO, A2C, DQN, SAC, TD3, not 'FOO'"):
        benchmark_of(ExperimentConfig(algorithm="FOO"))
    with pytest.raises(ConfigError, match="backend: there is no 'nothing'; allowed are sb3"):
        benchmark_of(ExperimentConfig(backend="nothing"))
    with pytest.raises(ConfigError, match="was added already"):
        benchmark_of(counting(), counting(name="the same"))
    with pytest.raises(ConfigError, match="expected an ExperimentConfig, got dict"):
        benchmark_of({"algorithm": "PPO"})
    with pytest.raises(ConfigError, match="workers: must be at least 1"):
        benchmark_of(workers=0)
    with pytest.raises(ConfigError, match="benchmark_name"):
        MultiAlgorithmBenchmark(bandit, "../up", tmp_path)
    one = benchmark_of(counting())
    one.run_all(verbose=False)
    with pytest.raises(JimbotError, match="has no number 'beauty'; it has mean_reward"):
        one.get_best_result("beauty")
    with pytest.raises(ConfigError, match="other processes cannot import it"):
        MultiAlgorithmBenchmark(lambda: None, "test", tmp_path, 2).run_all(verbose=False)


def test_env_kwargs_reach_the_creator(tmp_path):
    seen = []

    def creator(**options: Any):
        seen.append(options)
        return bandit()

    benchmark = MultiAlgorithmBenchmark(creator, "test", tmp_path)
    benchmark.add_experiment(counting(env_kwargs={"max_ante": 3}))
    (result,) = benchmark.run_all(verbose=False)
    assert result.finished
    assert all(options == {"max_ante": 3} for options in seen)


# --- results as files ------------------------------------------------------------------------------------------------


def test_results_survive_json_with_numbers_that_are_none(tmp_path):
    result = ExperimentResult("a", "PPO", 1, scores=[1.0, math.nan, math.inf, -math.inf])
    result.curves["x"] = Curve([0, 1], [math.nan, 2.0], [0.0, 1.5])
    result.save(tmp_path / "result.json")
    json.loads((tmp_path / "result.json").read_text(), parse_constant=pytest.fail)
    read = ExperimentResult.load(tmp_path / "result.json")
    assert repr(read) == repr(result)
    (tmp_path / "broken.json").write_text("{}")
    with pytest.raises(JimbotError, match="the result has format None"):
        ExperimentResult.load(tmp_path / "broken.json")
    (tmp_path / "cut.json").write_text('{"format_version":')
    with pytest.raises(JimbotError, match="is not a result of an experiment"):
        ExperimentResult.load(tmp_path / "cut.json")


# --- kills, processes ------------------------------------------------------------------------------------------------

KILLED = """
from tests.training.quick_trainer import bandit, counting
from jimbot.training.experiment import MultiAlgorithmBenchmark
if __name__ == "__main__":
    benchmark = MultiAlgorithmBenchmark(bandit, "test", {directory!r}, {workers})
    benchmark.add_experiments([counting(seed=seed, backend_options=dict(slow={slow})) for seed in (1, 2)])
    benchmark.run_all(verbose=False)
"""


def start(tmp_path, slow, workers=1):
    script = tmp_path / "killed.py"
    script.write_text(textwrap.dedent(KILLED.format(directory=str(tmp_path), slow=slow, workers=workers)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    return subprocess.Popen([sys.executable, str(script)], env=environment, cwd=tmp_path)


def wait_for(condition):
    deadline = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.02)


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_killed_benchmark_goes_on_where_it_was(tmp_path):
    process = start(tmp_path, slow=0.02)
    results, runs = tmp_path / "test" / "results", tmp_path / "test" / "runs"
    second = "*seed2/checkpoints/step_000000000040"
    wait_for(lambda: process.poll() is not None or (runs.is_dir() and list(runs.glob(second))))
    process.kill()
    process.wait()
    (finished,) = results.glob("*.json")
    before = finished.stat().st_mtime_ns
    benchmark = MultiAlgorithmBenchmark(bandit, "test", tmp_path)
    benchmark.add_experiments([counting(seed=seed, backend_options={"slow": 0.02}) for seed in (1, 2)])
    first, second = benchmark.run_all(verbose=False)
    assert finished.stat().st_mtime_ns == before
    assert (first.resumed, second.resumed) == (0, 1)
    assert second.curves["evaluation/mean_reward"].steps == [0, 20, 40, 60, 80, 100]
    assert second.curves["evaluation/mean_reward"].seconds == sorted(
        second.curves["evaluation/mean_reward"].seconds
    )
    whole = MultiAlgorithmBenchmark(bandit, "whole", tmp_path)
    whole.add_experiments([counting(seed=2, backend_options={"slow": 0.02})])
    (unbroken,) = whole.run_all(verbose=False)
    assert second.scores == unbroken.scores
    assert second.curves["evaluation/mean_reward"].values == unbroken.curves["evaluation/mean_reward"].values


def test_processes_give_what_one_process_gives_and_a_lost_one_is_told(benchmark_of, tmp_path):
    experiments = [counting(seed=1), counting(seed=2), counting(seed=3, backend_options={"kill_at": 50})]
    first, second, lost = benchmark_of(*experiments, workers=2).run_all(verbose=False)
    assert lost.status == "failed"
    assert lost.error == "its process ended with code -9 and left no result"
    here = MultiAlgorithmBenchmark(bandit, "here", tmp_path)
    here.add_experiments(experiments[:2])
    for other, own in zip((first, second), here.run_all(verbose=False), strict=True):
        assert other.scores == own.scores
        assert other.curves["evaluation/mean_reward"].values == own.curves["evaluation/mean_reward"].values
        assert other.key == own.key
