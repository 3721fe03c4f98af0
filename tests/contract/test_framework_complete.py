"""Every snippet of the training framework's complete documentation, on few steps.

What the module documentation shows in the same words is tested in ``test_framework_module`` too: each document stands
for itself.
"""

from __future__ import annotations

import csv
import functools
import inspect
import json
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from tests.contract.small import OWN, SMALL_NETWORK, STEPS, quick_balatro_env, short_experiment, shorten
from tests.contract.test_framework_module import DEFAULTS, check_defaults, own_trainer

from jimbot.training.behavioral_cloning import BehavioralCloning, ExpertEvaluator, TrajectoryCollector
from jimbot.training.experiment import ExperimentConfig, MultiAlgorithmBenchmark
from jimbot.training.framework import (
    HyperparameterConfig,
    RLTrainer,
    TrainerConfig,
    create_trainer,
    get_default_config,
)
from jimbot.training.performance_analysis import PerformanceAnalyzer
from jimbot.training.templates import algorithm_comparison, curriculum_learning
from jimbot.training.utils import create_balatro_env, make_vectorized_env

pytest.importorskip("stable_baselines3")

short_balatro_env = functools.partial(create_balatro_env, actions="candidates", max_steps=60, fast=True)
"""Balatro whose finishing ante a curriculum can set."""
SHORT_SCRIPT = ("--timesteps", "256", "--episodes", "2")
SHORT_TRAINING = [
    *("--set", "n_envs=2", "--set", "eval_freq=256", "--set", "eval_episodes=2"),
    *("--set", "hyperparams.features_dim=8", "--set", "hyperparams.algorithm_specific.n_steps=128"),
    *("--progress", "silent"),
]


@pytest.fixture(scope="module")
def benchmark_results(tmp_path_factory):
    """Results of three algorithms, for the snippets that only look at some."""
    place = tmp_path_factory.mktemp("results")
    benchmark = MultiAlgorithmBenchmark(quick_balatro_env, output_dir=place)
    for algorithm in OWN:
        benchmark.add_experiment(short_experiment(ExperimentConfig(algorithm=algorithm)))
    return benchmark.run_all(verbose=False)


def first_legal(observation: Any) -> int:
    """An expert of one rule."""
    return int(np.flatnonzero(observation["action_mask"])[0])


# --- Quick Start -----------------------------------------------------------------------------------------------------


def test_three_ways_to_train_quick_training(run_application, tmp_path):
    run_application("quick_train", *SHORT_SCRIPT, "--progress", "silent")
    (run,) = (tmp_path / "models").iterdir()
    assert (run / "final" / "policy.json").exists()


def test_three_ways_to_train_compare_algorithms(run_application, tmp_path):
    run_application("compare_algorithms", "--quick", *SHORT_SCRIPT, "--silent")
    results = sorted((tmp_path / "benchmarks/comparison/results").glob("*.json"))
    assert [json.loads(path.read_text())["algorithm"] for path in results] == ["A2C", "DQN", "PPO"]


def test_three_ways_to_train_full_training(run_application, tmp_path):
    run_application("train_with_framework", "--timesteps", "256", "--use-curriculum", *SHORT_TRAINING)
    (run,) = (tmp_path / "models").iterdir()
    assert json.loads((run / "provenance.json").read_text())["config"]["use_curriculum"] is True


def test_programmatic_api():
    env = create_balatro_env(seed=42)
    config = get_default_config("PPO")
    config.total_timesteps = 500_000
    trainer = create_trainer(env, shorten(config))
    trainer.train()
    mean, _ = trainer.evaluate(n_episodes=2)
    assert np.isfinite(mean)
    assert trainer.save_model().is_dir()
    trainer.close()


# --- Architecture ----------------------------------------------------------------------------------------------------


def test_module_organization(root):
    directory = root / "src" / "jimbot" / "training"
    names = ["framework", "sb3_trainer", "experiment", "metrics", "utils", "env_wrapper"]
    names += ["performance_analysis", "behavioral_cloning", "templates", "__init__"]
    assert [name for name in names if not (directory / f"{name}.py").exists()] == []


# --- Phase 1 ---------------------------------------------------------------------------------------------------------


def test_quick_train_py(run_application, tmp_path):
    run_application("quick_train", "--algorithm", "PPO", *SHORT_SCRIPT, "--progress", "silent")
    assert len(list((tmp_path / "models").iterdir())) == 1


def test_compare_algorithms_py(run_application, tmp_path):
    run_application(
        "compare_algorithms", "--algorithms", "PPO", "A2C", "DQN", "--quick", *SHORT_SCRIPT, "--silent"
    )
    assert (tmp_path / "benchmarks/comparison/report.html").exists()


def test_train_with_framework_py(run_application, tmp_path):
    run_application("train_with_framework", "--timesteps", "256", "--use-curriculum", *SHORT_TRAINING)
    assert len(list((tmp_path / "models").iterdir())) == 1


def test_configuration_system():
    config = TrainerConfig(algorithm="PPO", total_timesteps=1_000_000, n_envs=8, use_curriculum=True)
    config.hyperparams = HyperparameterConfig(learning_rate=3e-4, gamma=0.99)
    config.hyperparams.algorithm_specific = {"n_steps": 2048, "batch_size": 64}
    with create_trainer(create_balatro_env, config) as trainer:
        assert trainer.arguments["n_steps"] == 2048
        assert trainer.config.use_curriculum


# --- Phase 2 ---------------------------------------------------------------------------------------------------------


def test_performance_analysis_py(benchmark_results, tmp_path, capsys):
    analyzer = PerformanceAnalyzer()
    analyzer.add_results(benchmark_results)
    print(analyzer.get_throughput_ranking())
    print(analyzer.get_convergence_ranking())
    print(analyzer.get_quality_ranking())
    assert capsys.readouterr().out.count("'DQN'") == 3
    analyzer.export_json("results.json")
    analyzer.generate_html_report("report.html")
    analyzer.plot_throughput_comparison()
    assert {path.name for path in tmp_path.iterdir()} == {"results.json", "report.html", "throughput.png"}


def test_behavioral_cloning_py():
    env = quick_balatro_env()
    trainer = create_trainer(env, shorten(get_default_config("PPO")))
    model, expert_policy = trainer.model, first_legal
    collector = TrajectoryCollector(expert_policy, env)
    trajectories = collector.collect(n_episodes=3)
    bc = BehavioralCloning(model, trajectories)
    result = bc.pretrain(n_epochs=2)
    assert result["epochs"] == 2
    assert trainer.train(total_timesteps=STEPS)["timesteps"] == STEPS
    trainer.close()


def test_templates_py():
    benchmark = MultiAlgorithmBenchmark(short_balatro_env)
    template = curriculum_learning(algorithm="PPO")
    template.set_ante_levels([1, 2, 3, 4, 5])
    configs = template.generate_experiments(n_runs=3)
    assert [each.seed for each in configs] == [42, 43, 44]
    template = algorithm_comparison(algorithms=["PPO", "A2C", "DQN"])
    configs = template.generate_experiments()
    assert [each.algorithm for each in configs] == ["PPO", "A2C", "DQN"]
    benchmark.add_experiments([short_experiment(each) for each in configs])
    results = benchmark.run_all()
    assert [each.status for each in results] == ["finished"] * 3


# --- Usage Guide -----------------------------------------------------------------------------------------------------


def test_1_single_algorithm_training(capsys):
    env = make_vectorized_env(quick_balatro_env, n_envs=8, seed=42)
    config = get_default_config("PPO")
    config.total_timesteps = 1_000_000
    shorten(config)
    config.n_envs = 8
    trainer = create_trainer(env, config)
    trainer.train()
    mean_reward, std_reward = trainer.evaluate(n_episodes=20)
    print(f"Mean reward: {mean_reward:.2f} ± {std_reward:.2f}")
    trainer.save_model()
    trainer.close()
    assert "Mean reward: " in capsys.readouterr().out


def test_2_multi_algorithm_comparison(capsys):
    configs = [
        ExperimentConfig(algorithm="PPO", total_timesteps=100_000),
        ExperimentConfig(algorithm="A2C", total_timesteps=100_000),
        ExperimentConfig(algorithm="DQN", total_timesteps=100_000),
    ]
    benchmark = MultiAlgorithmBenchmark(quick_balatro_env)
    benchmark.add_experiments([short_experiment(each) for each in configs])
    results = benchmark.run_all()
    benchmark.print_summary()
    assert {each.env for each in results} == {"jimbot/Balatro-v0"}
    printed = capsys.readouterr().out
    assert all(name in printed for name in OWN)
    assert benchmark.get_best_result() in results


def test_3_curriculum_learning():
    from jimbot.training.env_wrapper import wrap_balatro_env

    env = wrap_balatro_env(
        short_balatro_env(),
        use_curriculum=True,
        curriculum_config={"initial_max_ante": 2, "ante_increment": 1, "success_threshold": 0.8},
    )
    with create_trainer(env, shorten(TrainerConfig())) as trainer:
        trainer.train()
        assert trainer.get_metrics()["curriculum/max_ante"] == 2


def test_4_behavioral_cloning_pre_training():
    env = quick_balatro_env()
    with create_trainer(env, shorten(TrainerConfig())) as trainer:
        collector = TrajectoryCollector("greedy", env)
        trajectories = collector.collect(n_episodes=3)
        bc = BehavioralCloning(trainer.model, trajectories)
        bc.pretrain(n_epochs=1)
        before = trainer.policy_tensors()
        trainer.train()
        after = trainer.policy_tensors()
    assert any(not np.array_equal(before[name], after[name]) for name in before)


def test_5_performance_analysis(benchmark_results, tmp_path, capsys):
    results = benchmark_results
    analyzer = PerformanceAnalyzer()
    analyzer.add_results(results)
    analyzer.print_summary()
    analyzer.export_json("results.json")
    analyzer.export_csv("results.csv")
    analyzer.generate_html_report("report.html")
    analyzer.plot_throughput_comparison(save_path="throughput.png")
    analyzer.plot_quality_comparison(save_path="quality.png")
    assert len(json.loads((tmp_path / "results.json").read_text())["runs"]) == 3
    assert len(list(csv.DictReader((tmp_path / "results.csv").read_text().splitlines()))) == 3
    assert results[0].config_hash in (tmp_path / "report.html").read_text()
    for name in ("throughput.png", "quality.png"):
        assert (tmp_path / name).read_bytes()[:4] == b"\x89PNG"
    assert "PPO" in capsys.readouterr().out
    runs = PerformanceAnalyzer()  # directories of runs do as well
    runs.add_results(each.run_directory for each in results)
    assert len(runs.get_throughput_ranking()) == 3


def test_6_experiment_templates():
    benchmark = MultiAlgorithmBenchmark(short_balatro_env)
    template = curriculum_learning(algorithm="PPO", timesteps=100_000)
    template.set_ante_levels([1, 2, 3, 4, 5])
    configs = template.generate_experiments(n_runs=3)
    benchmark.add_experiments([short_template(each) for each in configs])
    results = benchmark.run_all()
    assert [each.error for each in results] == [None] * 3


def short_template(config: ExperimentConfig) -> ExperimentConfig:
    """A template's experiment made short; its curriculum stays what the template says."""
    options = {"eval_freq": STEPS, "eval_episodes": 2, "checkpoint_freq": STEPS}
    return config.copy_with(
        total_timesteps=STEPS,
        n_envs=2,
        hyperparams={**config.hyperparams, **SMALL_NETWORK, **OWN[config.algorithm]},
        trainer_options={**config.trainer_options, **options},
        evaluation_episodes=2,
    )


# --- API Reference ---------------------------------------------------------------------------------------------------


def test_trainer_config():
    hints = get_type_hints(TrainerConfig)
    documented = {
        "algorithm": str,
        "total_timesteps": int,
        "n_envs": int,
        "seed": int,
        "use_curriculum": bool,
        "use_behavioral_cloning": bool,
        "use_wandb": bool,
        "save_dir": str,
        "hyperparams": HyperparameterConfig,
    }
    assert {name: hints[name] for name in documented} == documented


def test_rl_trainer():
    env, config = quick_balatro_env(), shorten(TrainerConfig())
    trainer = create_trainer(env, config)
    assert isinstance(trainer, RLTrainer)
    assert isinstance(trainer.train(total_timesteps=None, callback=None), dict)
    mean, std = trainer.evaluate(n_episodes=2, deterministic=True)
    assert (type(mean), type(std)) == (float, float)
    assert isinstance(trainer.save_model(name="final"), Path)
    assert isinstance(trainer.save_checkpoint(score=None), Path)
    assert trainer.get_metrics()["timesteps"] == STEPS
    trainer.close()


def parameters(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_multi_algorithm_benchmark(benchmark_results):
    benchmark = MultiAlgorithmBenchmark(quick_balatro_env, benchmark_name="test")
    benchmark.add_experiment(config=short_experiment(ExperimentConfig()))
    benchmark.add_experiments(configs=[])
    results = benchmark.run_all(verbose=True)
    assert [type(each) for each in results] == [type(benchmark_results[0])]
    benchmark.print_summary()
    assert benchmark.get_best_result(metric="mean_reward") in results


def test_performance_analyzer(benchmark_results):
    from jimbot.training.performance_analysis import PerformanceMetrics

    metrics = [PerformanceMetrics.of(each) for each in benchmark_results]
    analyzer = PerformanceAnalyzer(output_dir=None)
    analyzer.add_result(metrics[0])
    analyzer.add_results(metrics[1:])
    analyzer.print_summary()
    for write in (analyzer.export_json, analyzer.export_csv, analyzer.generate_html_report):
        assert parameters(write) == ["filename"]
        assert write(f"{write.__name__}.file").exists()
    for ranking in (
        analyzer.get_throughput_ranking(),
        analyzer.get_convergence_ranking(),
        analyzer.get_quality_ranking(),
    ):
        assert [(type(name), type(value)) for name, value in ranking] == [(str, float)] * 3


def test_behavioral_cloning(tmp_path):
    env = quick_balatro_env()
    with create_trainer(env, shorten(TrainerConfig())) as trainer:
        trajectories = TrajectoryCollector("greedy", env).collect(n_episodes=2)
        bc = BehavioralCloning(trainer.model, trajectories, learning_rate=1e-3)
        assert isinstance(bc.pretrain(n_epochs=1, batch_size=16, verbose=False), dict)
        bc.save_pretrained(tmp_path / "pretrained")
    assert (tmp_path / "pretrained" / "policy.safetensors").exists()


# --- Examples --------------------------------------------------------------------------------------------------------


def test_example_1_quick_prototype(run_application, tmp_path):
    words = ("--algorithm", "PPO", "--timesteps", "256", "--no-wandb")
    run_application("quick_train", *words, "--episodes", "2", "--progress", "silent")
    assert len(list((tmp_path / "models").iterdir())) == 1


def test_example_2_algorithm_comparison(run_application, tmp_path):
    run_application("compare_algorithms", "--quick", "--algorithms", "PPO", "A2C", *SHORT_SCRIPT, "--silent")
    directory = tmp_path / "benchmarks" / "comparison"
    assert len(list((directory / "results").glob("*.json"))) == 2
    assert (directory / "report.html").exists()


def test_example_3_curriculum_learning():
    template = curriculum_learning(algorithm="PPO", timesteps=100_000)
    template.set_ante_levels([1, 2, 3, 4, 5])
    configs = template.generate_experiments(n_runs=3)
    benchmark = MultiAlgorithmBenchmark(short_balatro_env)
    benchmark.add_experiments([short_template(each) for each in configs])
    results = benchmark.run_all()
    assert {each.seed for each in results} == {42, 43, 44}
    assert [each.error for each in results] == [None] * 3
    assert results[0].curves["curriculum/max_ante"].values[0] == 1


def test_example_4_behavioral_cloning(capsys):
    env = quick_balatro_env()
    expert_policy = lambda obs: env.action_space.sample()  # noqa: ARG005, E731  as it is documented
    collector = TrajectoryCollector(expert_policy, quick_balatro_env())
    trajectories = collector.collect(n_episodes=3)
    ExpertEvaluator.print_evaluation(trajectories)
    assert "3" in capsys.readouterr().out
    env = quick_balatro_env()
    config = shorten(get_default_config("PPO"))
    model = create_trainer(env, config).model
    bc = BehavioralCloning(model, trajectories)
    bc.pretrain(n_epochs=1)
    trainer = create_trainer(env, config)
    assert trainer.train()["timesteps"] == STEPS
    trainer.close()


EXAMPLE_5 = """
from jimbot.training.performance_analysis import PerformanceAnalyzer
from jimbot.training.experiment import MultiAlgorithmBenchmark
from jimbot.training.utils import create_balatro_env

benchmark = MultiAlgorithmBenchmark(create_balatro_env)
results = benchmark.run_all()
analyzer = PerformanceAnalyzer()
analyzer.add_results(results)
analyzer.print_summary()
analyzer.export_json("performance_results.json")
analyzer.export_csv("performance_results.csv")
analyzer.plot_throughput_comparison("throughput.png")
analyzer.plot_quality_comparison("quality.png")
analyzer.generate_html_report("report.html")
"""


def test_example_5_performance_analysis(tmp_path, monkeypatch):
    """A benchmark that is given no experiment compares the three algorithms; here they are small."""
    from jimbot.training import experiment

    standard = experiment.standard_experiments()
    assert standard == [ExperimentConfig(algorithm=each) for each in ("PPO", "A2C", "DQN")]
    short = {"env_kwargs": {"max_ante": 1, "actions": "candidates", "max_steps": 60, "fast": True}}
    small = [short_experiment(each).copy_with(**short) for each in standard]
    monkeypatch.setattr(experiment, "standard_experiments", lambda: small)
    found: dict[str, Any] = {}
    exec(EXAMPLE_5, found)
    assert [(each.algorithm, each.status) for each in found["results"]] == [
        (each, "finished") for each in ("PPO", "A2C", "DQN")
    ]
    for name in ("performance_results.json", "performance_results.csv", "quality.png", "report.html"):
        assert (tmp_path / name).stat().st_size > 100


# --- Configuration Reference -----------------------------------------------------------------------------------------


def test_default_hyperparameters_ppo():
    check_defaults("PPO")
    assert DEFAULTS["PPO"]["n_steps"] == 2048


def test_default_hyperparameters_a2c():
    check_defaults("A2C")
    assert DEFAULTS["A2C"]["n_steps"] == 5


def test_default_hyperparameters_dqn():
    check_defaults("DQN")
    assert DEFAULTS["DQN"]["buffer_size"] == 100_000


# --- FAQ, Support & Contributing -------------------------------------------------------------------------------------


def test_can_i_use_multiple_algorithms(run_application, tmp_path):
    short = [
        *("--set", "n_envs=2", "--set", "hyperparams.features_dim=8", "--set", "eval_freq=256"),
        *("--set", "eval_episodes=2", "--silent"),
    ]
    words = ("--algorithms", "PPO", "A2C", "DQN", "--timesteps", "64", "--episodes", "2")
    run_application("compare_algorithms", *words, "--quick", *short)
    assert len(list((tmp_path / "benchmarks/comparison/results").glob("*.json"))) == 3


def test_how_do_i_export_training_results(benchmark_results, tmp_path):
    analyzer = PerformanceAnalyzer()
    analyzer.add_results(benchmark_results)
    analyzer.export_json("results.json")
    analyzer.export_csv("results.csv")
    assert {path.name for path in tmp_path.iterdir()} == {"results.json", "results.csv"}


def test_can_i_use_my_own_environment():
    import gymnasium

    class YourEnvironment(gymnasium.Env):
        observation_space = gymnasium.spaces.Box(-1, 1, (3,), np.float32)
        action_space = gymnasium.spaces.Discrete(2)

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.steps = 0
            return self.observation_space.sample() * 0, {}

        def step(self, action):
            self.steps += 1
            return np.zeros(3, np.float32), float(action), self.steps >= 5, False, {}

    config = shorten(TrainerConfig(n_envs=1))
    config.n_envs = 1
    env = YourEnvironment()
    with create_trainer(env, config) as trainer:
        assert trainer.train()["episodes"] == STEPS // 5


def test_how_do_i_track_training_progress(run_application, tmp_path, monkeypatch):
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    monkeypatch.setenv("WANDB_SILENT", "true")
    run_application("quick_train", "--use-wandb", *SHORT_SCRIPT, "--progress", "silent")
    assert list(tmp_path.rglob("*.wandb"))


def test_extending_the_framework():
    trainer = own_trainer()(quick_balatro_env(), TrainerConfig(total_timesteps=5))
    assert trainer.train(total_timesteps=7) == {"timesteps": 7}
    assert trainer.evaluate(n_episodes=1) == (1.0, 0.0)
