"""``PPOTrainer`` and ``PPOAgent``: the documented examples, convergence, evaluation, tracking, artifacts, resuming."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("flax")

from jimbot.cartpole import CartPoleWrapper  # noqa: E402
from jimbot.errors import JimbotError  # noqa: E402
from jimbot.statistics.evaluation_sets import EvaluationSet  # noqa: E402
from jimbot.training.backends.jax.convergence import ConvergenceMonitor  # noqa: E402
from jimbot.training.jax_trainer import PPOAgent, PPOTrainer  # noqa: E402


class Notebook:
    """A logger that writes everything down."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.files: set[str] = set()

    def start_run(self, params: Any = None) -> None:
        """Written down."""
        self.calls.append(("start", dict(params)))

    def log_metrics(self, values: Any, step: int) -> None:
        """Written down."""
        self.calls.append(("metrics", (step, dict(values))))

    def log_artifact(self, path: Any, folder: str | None = None) -> None:
        """The file must be there."""
        assert folder is None
        assert Path(path).exists()
        self.files.add(Path(path).name)

    def register_model(self, directory: Any, name: str) -> int:
        """The model must be loadable."""
        PPOAgent.load(directory)
        self.calls.append(("register", name))
        return 7

    def end_run(self, status: str = "finished") -> None:
        """Written down."""
        self.calls.append(("end", status))


def small_trainer(seed=0, **options: Any) -> PPOTrainer:
    """A trainer whose parts compile and run quickly."""
    defaults: dict[str, Any] = {
        "max_episodes": 12,
        "max_steps_per_episode": 40,
        "eval_frequency": 5,
        "eval_episodes": 3,
        "convergence_window": 4,
        "early_stopping_patience": 2,
        "epochs_per_update": 2,
    }
    agent = PPOAgent(4, 2, hidden_sizes=(16,), seed=seed)
    return PPOTrainer(agent, CartPoleWrapper(), **(defaults | options))


# --- convergence ------------------------------------------------------------------------------------------------------


def test_convergence_needs_a_full_window_and_patience():
    monitor = ConvergenceMonitor(target=10.0, window=3, patience=2)
    answers = [monitor.add(reward) for reward in (50, 50, 50)]
    assert answers == [False, False, False]  # at the target for the first time: now two more are waited for
    assert monitor.at_target == 1
    assert monitor.add(-100) is False  # the average falls to 0: the wait starts anew
    assert monitor.at_target == 0
    assert [monitor.add(30) for _ in range(5)] == [False, False, False, False, True]
    assert monitor.best_average == 50
    assert monitor.average == 30


def test_convergence_is_not_reported_before_the_window_is_full():
    monitor = ConvergenceMonitor(target=1.0, window=5, patience=0)
    assert [monitor.add(9) for _ in range(5)] == [False] * 4 + [True]
    assert ConvergenceMonitor(1.0, 5, 0).best_average is None
    with pytest.raises(JimbotError, match="convergence_window"):
        ConvergenceMonitor(1.0, 0, 0)


# --- training ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A short run with everything written down."""
    pytest.importorskip("matplotlib")
    pytest.importorskip("PIL")
    reports: list[dict[str, Any]] = []
    notebook, directory = Notebook(), tmp_path_factory.mktemp("run")
    trainer = small_trainer(target_reward=5.0, logger=notebook, output_directory=directory, log_frequency=2)
    results = trainer.train(callback=reports.append)
    return trainer, results, reports, notebook, directory


def test_a_run_that_converges_stops_and_says_so(run):
    trainer, results, reports, notebook, _ = run
    # Every episode is longer than 5 steps: the window is full at 4, and 2 more are waited for.
    assert results["converged"] is True
    assert results["episodes"] == 6 == len(reports) == len(results["episode_rewards"])
    assert results["best_avg_reward"] >= results["avg_reward"] > 5
    assert results["total_steps"] == sum(results["episode_lengths"])
    assert results["episode_rewards"] == [float(length) for length in results["episode_lengths"]]
    assert [entry["episode"] for entry in results["evaluations"]] == [5.0]
    assert results["final_evaluation"]["avg_reward"] > 5
    assert results["model_version"] == 7
    assert ("register", "jax_ppo_agent") in notebook.calls
    assert trainer.evaluate(evaluation_set=EvaluationSet.CONFIRMATION) == results["final_evaluation"]


def test_callback_gets_the_documented_metrics(run):
    _, results, reports, _, _ = run
    assert [report["episode"] for report in reports] == [1, 2, 3, 4, 5, 6]
    rewards = results["episode_rewards"]
    assert reports[2]["step_metrics"]["avg_reward"] == pytest.approx(np.mean(rewards[:3]))
    assert reports[5]["step_metrics"]["avg_reward"] == pytest.approx(np.mean(rewards[2:6]))
    assert "eval_metrics" in reports[4]
    assert "eval_metrics" not in reports[3]
    assert {"policy_loss", "approx_kl", "gradient_norm/actor/hidden_0"} <= reports[5]["step_metrics"].keys()


def test_episode_data_is_structured_as_documented(run):
    _, results, reports, _, _ = run
    for report, length in zip(reports, results["episode_lengths"], strict=True):
        data = report["episode_data"]
        assert data["observations"].shape == data["next_observations"].shape == (length, 4)
        for name in ("actions", "rewards", "dones", "log_probs", "values"):
            assert isinstance(data[name], jax.Array)
            assert data[name].shape == (length,)
        np.testing.assert_array_equal(data["observations"][1:], data["next_observations"][:-1])
        assert np.asarray(data["dones"]).tolist() == [False] * (length - 1) + [True]
        assert bool(data["truncated"][-1]) == (length == 40)
        assert (np.asarray(data["log_probs"]) < 0).all()


def test_everything_is_logged_and_written(run):
    trainer, results, _, notebook, directory = run
    name, params = notebook.calls[0]
    assert name == "start"
    documented = {"learning_rate": 3e-4, "clip_epsilon": 0.2, "gamma": 0.99, "gae_lambda": 0.95}
    documented |= {"entropy_coef": 0.01, "value_coef": 0.5, "max_grad_norm": 0.5, "minibatch_size": 64}
    assert documented.items() <= params.items()
    assert params["target_reward"] == 5.0
    steps = [value[0] for kind, value in notebook.calls if kind == "metrics"]
    assert steps == [2, 4, 5, 6, 6]  # every second, the evaluation's, and the final evaluation
    assert notebook.calls[-1] == ("end", "finished")
    expected = {
        "model",
        "results.json",
        "learning_curve.png",
        "divergence.png",
        "gradient_norms.png",
        "policy.gif",
    }
    assert notebook.files == expected == {path.name for path in directory.iterdir()}
    written = json.loads((directory / "results.json").read_text())
    assert written["episode_rewards"] == results["episode_rewards"]
    loaded = PPOAgent.load(directory / "model")
    for one, other in zip(jax.tree.leaves(loaded.state), jax.tree.leaves(trainer.agent.state), strict=True):
        np.testing.assert_array_equal(one, other)
    assert loaded.config == trainer.agent.config


def test_the_animation_shows_the_policy_itself(run, monkeypatch, tmp_path):
    """The frames drawn are the states that the agent's own most likely actions lead to."""
    from jimbot.training.backends.jax import plots as jax_plots

    trainer = run[0]
    drawn: list[tuple[Any, int]] = []
    draw = jax_plots.draw_frame

    def watched(physics, **options: Any):
        drawn.append((np.array(physics), options["action"]))
        return draw(physics, **options)

    monkeypatch.setattr(jax_plots, "draw_frame", watched)
    jax_plots.animate_policy(trainer, tmp_path / "policy.gif")
    assert len(drawn) > 5
    for (physics, action), (following, _) in pairwise(drawn):
        assert trainer.agent.select_action(physics, deterministic=True)[0] == action
        moved = trainer.env.environment.next_physics(jax.numpy.asarray(physics), action)
        np.testing.assert_allclose(moved, following, atol=1e-5)


def test_a_run_that_does_not_converge_says_so_and_a_callback_can_stop_it():
    trainer = small_trainer(target_reward=1000.0, max_episodes=6)
    results = trainer.train()
    assert results["converged"] is False
    assert results["episodes"] == 6
    updates = int(trainer.agent.state.updates)
    assert updates == len(results["updates"]) >= 1
    again = trainer.train(callback=lambda report: report["episode"] < 3)
    assert again["episodes"] == 3  # a second run, with what was learned in the first
    assert int(trainer.agent.state.updates) == updates + len(again["updates"])


@pytest.mark.parametrize(("log_frequency", "logged"), [(1, [1, 2, 3, 4, 5, 6]), (3, [3, 5, 6])])
def test_progress_is_printed_as_often_as_asked(log_frequency, logged, capsys):
    """Every update is visible in the lines; the evaluation after episode 5 is always printed."""
    trainer = small_trainer(target_reward=1000.0, max_episodes=6, log_frequency=log_frequency, batch_size=1)
    rewards = trainer.train()["episode_rewards"]
    lines = capsys.readouterr().out.splitlines()
    assert [int(line.removeprefix("episode ").split(":")[0]) for line in lines] == logged
    for episode, line in zip(logged, lines, strict=True):
        assert f"reward {rewards[episode - 1]:g}, average reward " in line
        assert "loss" in line
        assert "kl" in line
        assert ("evaluation" in line) == (episode == 5)


def test_failures_and_interruptions_end_the_tracked_run():
    for error, status in ((KeyboardInterrupt, "interrupted"), (ValueError, "failed")):
        notebook = Notebook()

        def fail(report, error=error):
            raise error(report["episode"])

        with pytest.raises(error):
            small_trainer(logger=notebook).train(callback=fail)
        assert notebook.calls[-1] == ("end", status)


# --- evaluation -------------------------------------------------------------------------------------------------------


def test_evaluation_changes_nothing_and_repeats():
    trainer = small_trainer(normalize_observations=True, max_episodes=8, target_reward=1000.0)
    trainer.train()
    assert float(trainer.agent.state.normalizer.count) > 0
    before = trainer.state_tree()
    first = trainer.evaluate(num_episodes=10, deterministic=False)
    assert first == trainer.evaluate(num_episodes=10, deterministic=False)
    assert first != trainer.evaluate(num_episodes=10, deterministic=False, evaluation_set=5)
    assert first != trainer.evaluate(num_episodes=10)
    assert first["min_reward"] <= first["avg_reward"] <= first["max_reward"] <= 40
    assert first["std_reward"] >= 0
    assert first["episodes"] == 10
    for one, other in zip(jax.tree.leaves(before), jax.tree.leaves(trainer.state_tree()), strict=True):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(JimbotError, match="num_episodes"):
        trainer.evaluate(0)


def test_batches_are_whole_episodes_of_at_least_batch_size_steps():
    trainer = small_trainer(batch_size=50, target_reward=1000.0)
    collected, lengths, before = [], [], 0
    for _ in range(8):
        trainer.train_episode(None)
        lengths.append(trainer.lengths[-1])
        if len(trainer.updates) > before:
            before = len(trainer.updates)
            collected.append(sum(lengths))
            lengths = []
    assert collected
    assert all(50 <= steps < 50 + 40 for steps in collected)
    assert int(trainer.agent.state.steps) == sum(collected)


# --- resuming and other environments ----------------------------------------------------------------------------------


def test_training_resumes_bit_for_bit():
    trees = {}
    whole = small_trainer(target_reward=1000.0, normalize_observations=True)

    def keep(report):
        if report["episode"] == 5:
            trees["middle"] = whole.state_tree()

    expected = whole.train(callback=keep)
    resumed = small_trainer(seed=9, target_reward=1000.0, normalize_observations=True)
    resumed.restore(trees["middle"])
    found = resumed.train()
    assert found["episode_rewards"] == expected["episode_rewards"]
    for name in ("episodes", "total_steps", "best_avg_reward", "final_evaluation", "converged"):
        assert found[name] == expected[name]
    for one, other in zip(
        jax.tree.leaves(whole.agent.state), jax.tree.leaves(resumed.agent.state), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_any_gymnasium_environment_can_be_trained_on():
    env = gymnasium.make("CartPole-v1")
    env.reset(seed=0)
    trainer = PPOTrainer(
        PPOAgent(4, 2, hidden_sizes=(8,)), env, max_episodes=4, max_steps_per_episode=12, eval_episodes=2
    )
    results = trainer.train()
    assert results["episodes"] == 4
    assert max(results["episode_lengths"]) <= 12
    assert results["final_evaluation"]["episodes"] == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch_size": 0}, "batch_size must be at least 1"),
        ({"max_episodes": 0}, "max_episodes"),
        ({"gamma": 2.0}, "gamma"),
    ],
)
def test_wrong_settings_are_refused(options, message):
    with pytest.raises(JimbotError, match=message):
        small_trainer(**options)


def test_agents_refuse_what_does_not_fit(tmp_path):
    with pytest.raises(JimbotError, match="observation_dim"):
        PPOAgent(0, 2)
    with pytest.raises(JimbotError, match=re.escape("shape (3,), expected (4,)")):
        PPOAgent(4, 2, hidden_sizes=(8,)).select_action(np.zeros(3))
    with pytest.raises(JimbotError, match="cannot load an agent"):
        PPOAgent.load(tmp_path)


def test_defaults_are_the_documented_ones():
    trainer = PPOTrainer(PPOAgent(observation_dim=4, action_dim=2), CartPoleWrapper())
    documented = {
        "max_episodes": 1000,
        "max_steps_per_episode": 500,
        "target_reward": 195.0,
        "convergence_window": 100,
        "early_stopping_patience": 10,
        "eval_frequency": 50,
        "eval_episodes": 10,
        "learning_rate": 3e-4,
        "clip_epsilon": 0.2,
        "gamma": 0.99,
        "gae_lambda": 0.95,
        "entropy_coef": 0.01,
        "value_coef": 0.5,
        "max_grad_norm": 0.5,
        "epochs_per_update": 10,
        "batch_size": 64,
        "minibatch_size": 64,
    }
    assert documented.items() <= trainer.settings().items()
