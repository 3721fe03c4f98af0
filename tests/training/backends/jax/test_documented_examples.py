"""The documented examples of training, a callback and evaluation, one after another as they stand in the document."""

from __future__ import annotations

import importlib

import pytest

pytest.importorskip("jax")
pytest.importorskip("flax")
pytest.importorskip("mlflow")
pytest.importorskip("jimbot.tracking.mlflow.logger")
pytest.importorskip("matplotlib")

BASIC = """
from jimbot.training.jax_trainer import PPOTrainer
from jimbot.training.jax_trainer import PPOAgent
from jimbot.training.jax_trainer import CartPoleWrapper

# Create agent and environment
agent = PPOAgent(observation_dim=4, action_dim=2)
env = CartPoleWrapper()

# Create trainer
trainer = PPOTrainer(
    agent=agent,
    env=env,
    max_episodes=1000,
    target_reward=195.0,
    enable_mlflow=True
)

# Run training
results = trainer.train()
"""

CALLBACK = """
def custom_callback(metrics):
    episode = metrics['episode']
    step_metrics = metrics['step_metrics']

    if episode % 100 == 0:
        print(f"Episode {episode}: Reward = {step_metrics['avg_reward']:.2f}")

results = trainer.train(callback=custom_callback)
"""

DEBUG = """
trainer = PPOTrainer(
    agent=agent,
    env=env,
    max_episodes=3,
    log_frequency=1,  # Log every episode
    enable_mlflow=True
)
"""

EVALUATION = """
# Load trained agent and evaluate
eval_metrics = trainer.evaluate(num_episodes=100)
print(f"Evaluation reward: {eval_metrics['avg_reward']:.2f} ± {eval_metrics['std_reward']:.2f}")
"""


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning"
)  # MLflow's own use of its database layer
def test_documented_examples_run_and_hold_what_they_say(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    names: dict[str, object] = {}
    exec(BASIC, names)
    results = names["results"]
    assert isinstance(results, dict)
    assert results["converged"] is True
    assert 110 <= results["episodes"] < 1000
    assert results["avg_reward"] >= 195
    assert results["model_version"] == 1
    exec(CALLBACK, names)
    again = names["results"]
    assert isinstance(again, dict)
    assert again["converged"] is True
    assert "Episode 100: Reward = " in capsys.readouterr().out
    exec(EVALUATION, names)
    assert capsys.readouterr().out.startswith("Evaluation reward: ")
    check_what_mlflow_holds(results, again)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_debug_mode_logs_every_episode(tmp_path, monkeypatch, capsys):
    """The document's "Debug Mode", with ``...`` filled in by the agent and the environment of its first example."""
    from jimbot.training.jax_trainer import CartPoleWrapper, MLflowLogger, PPOAgent, PPOTrainer

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    agent = PPOAgent(observation_dim=4, action_dim=2, hidden_sizes=(8,), epochs_per_update=1)
    names = {"PPOTrainer": PPOTrainer, "agent": agent, "env": CartPoleWrapper()}
    exec(DEBUG, names)
    trainer = names["trainer"]
    assert isinstance(trainer, PPOTrainer)
    trainer.train()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == ["episode 1", "episode 2", "episode 3"]
    (run,) = MLflowLogger("jax_ppo").compare_runs()
    assert run["params.log_frequency"] == "1"


def check_what_mlflow_holds(results, again) -> None:
    """Parameters, live metrics, artifacts and the registered models of both runs are in the store."""
    logger = importlib.import_module("jimbot.tracking.mlflow.logger").MLflowLogger("jax_ppo")
    runs = logger.compare_runs()
    assert len(runs) == 2
    second, first = runs  # newest first
    assert first["params.learning_rate"] == "0.0003"
    assert first["params.target_reward"] == "195.0"
    assert first["metrics.final_avg_reward"] == pytest.approx(results["final_evaluation"]["avg_reward"])
    assert second["metrics.final_avg_reward"] == pytest.approx(again["final_evaluation"]["avg_reward"])
    assert logger.load_registered("jax_ppo_agent").joinpath("agent.npz").exists()
    kept = {item.path for item in logger.store.client.list_artifacts(first["run_id"])}
    assert {
        "learning_curve.png",
        "divergence.png",
        "gradient_norms.png",
        "policy.gif",
        "results.json",
    } <= kept
