"""Every snippet of the JAX training documentation, on few episodes.

``tests/training/jax/`` tests the same computations inside the update, and runs the usage examples to convergence.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("flax")
optax = pytest.importorskip("optax")

import jax.numpy as jnp  # noqa: E402

from jimbot.training import PPOAgent, PPOTrainer  # noqa: E402
from jimbot.training.jax_trainer import CartPoleWrapper  # noqa: E402

COMPILATION = "/jax/core/compile/backend_compile_duration"


def short_trainer(**changes: Any) -> PPOTrainer:
    agent = PPOAgent(observation_dim=4, action_dim=2, hidden_sizes=(8,))
    short: dict[str, Any] = {"max_episodes": 4, "eval_episodes": 2, "log_frequency": 1}
    return PPOTrainer(agent=agent, env=CartPoleWrapper(), **{**short, **changes})


# --- JAX-Specific Optimizations --------------------------------------------------------------------------------------


def test_vectorized_operations():
    """``vmap`` over rows gives the log probabilities that episodes record."""

    def evaluate_action(action_logits, action):
        return jax.nn.log_softmax(action_logits)[action]

    def get_entropy(action_logits):
        log_probs = jax.nn.log_softmax(action_logits)
        return -jnp.sum(jnp.exp(log_probs) * log_probs)

    agent = PPOAgent(observation_dim=4, action_dim=2, hidden_sizes=(8,))
    observation = np.array([0.1, -0.2, 0.05, 0.3], np.float32)
    drawn = [agent.select_action(observation) for _ in range(40)]
    by_action = {action: log_prob for action, log_prob, _ in drawn}
    assert set(by_action) == {0, 1}
    action_logits = jnp.array([[by_action[0], by_action[1]]] * 40)
    actions = jnp.array([action for action, _, _ in drawn])
    current_log_probs = jax.vmap(evaluate_action)(action_logits, actions)
    np.testing.assert_allclose(current_log_probs, [log_prob for _, log_prob, _ in drawn], atol=1e-5)
    entropy = jax.vmap(get_entropy)(action_logits)
    assert ((entropy > 0) & (entropy <= np.log(2) + 1e-6)).all()


def test_jit_compilation():
    """What was compiled is used again: neither acting nor evaluating compiles a second time."""
    trainer = short_trainer()
    observations = np.random.default_rng(1).normal(size=(2, 4)).astype(np.float32)
    trainer.agent.select_action(observations[0])
    trainer.evaluate(num_episodes=2)
    compiled: list[str] = []
    listening = [True]

    def note(event: str, _: float, **__: Any) -> None:
        if listening[0] and event == COMPILATION:
            compiled.append(event)

    jax.monitoring.register_event_duration_secs_listener(note)
    try:
        trainer.agent.select_action(observations[1])
        trainer.evaluate(num_episodes=2)
        assert compiled == []
        jax.jit(lambda x: x * 3.0 + 1.5)(jnp.ones(3))
        assert compiled
    finally:
        listening[0] = False


def test_efficient_scanning():
    """The reverse scan is the sum of discounted errors, with the corrected TD error: r + gamma V(s') - V(s)."""
    gamma, gae_lambda = 0.99, 0.95
    rewards, values = jnp.array([1.0, 0.0, 2.0]), jnp.array([0.5, 0.25, 1.0, 0.75])
    td_errors = rewards + gamma * values[1:] - values[:-1]

    def _gae_scan(later, td_error):
        advantage = td_error + gamma * gae_lambda * later
        return advantage, advantage

    _, advantages = jax.lax.scan(
        _gae_scan,
        jnp.zeros_like(td_errors[-1]),
        td_errors,
        reverse=True,
    )
    sums = [
        sum((gamma * gae_lambda) ** (later - step) * td_errors[later] for later in range(step, 3))
        for step in range(3)
    ]
    np.testing.assert_allclose(advantages, np.array(sums), rtol=1e-6)


# --- Key Features ----------------------------------------------------------------------------------------------------


def test_experience_collection():
    reports: list[dict[str, Any]] = []
    short_trainer().train(callback=reports.append)
    for report in reports:
        episode_data = report["episode_data"]
        names = {"observations", "actions", "rewards", "next_observations", "dones", "log_probs", "values"}
        assert names <= set(episode_data)
        assert all(isinstance(episode_data[name], jnp.ndarray) for name in names)
        assert len({len(episode_data[name]) for name in names}) == 1


def test_gradient_clipping():
    """The documented scaling is optax's clipping by the global norm, and a run records norms before it."""
    max_grad_norm = 0.5
    grads = {"actor": jnp.array([3.0, 4.0]), "critic": jnp.array([0.0, 12.0])}
    grad_norm = optax.tree.norm(grads)  # optax.global_norm, by its present name
    scale = jnp.minimum(1.0, max_grad_norm / (grad_norm + 1e-8))
    clipped = jax.tree_util.tree_map(lambda g: g * scale, grads)
    assert float(grad_norm) == 13.0
    expected, _ = optax.clip_by_global_norm(max_grad_norm).update(grads, optax.EmptyState())
    for name in grads:
        np.testing.assert_allclose(clipped[name], expected[name], rtol=1e-5)
    updates = short_trainer(max_grad_norm=max_grad_norm, batch_size=8).train()["updates"]
    assert any(name.startswith("gradient_norm") for name in updates[-1])


# --- Usage Examples --------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning"
)  # MLflow's own use of its database
def test_basic_training(monkeypatch):
    pytest.importorskip("mlflow")
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    agent = PPOAgent(observation_dim=4, action_dim=2)
    env = CartPoleWrapper()
    trainer = PPOTrainer(agent=agent, env=env, max_episodes=3, target_reward=195.0, enable_mlflow=True)
    results = trainer.train()
    assert results["episodes"] == 3
    runs = importlib.import_module("jimbot.tracking.mlflow.logger").MLflowLogger("jax_ppo").compare_runs()
    assert [run["params.max_episodes"] for run in runs] == ["3"]


def test_custom_callback(capsys):
    trainer = short_trainer()

    def custom_callback(metrics, every=100):
        episode = metrics["episode"]
        step_metrics = metrics["step_metrics"]
        if episode % every == 0:
            print(f"Episode {episode}: Reward = {step_metrics['avg_reward']:.2f}")

    trainer.train(callback=functools.partial(custom_callback, every=2))
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in printed if line.startswith("Episode")] == [
        "Episode 2",
        "Episode 4",
    ]


def test_evaluation_only(capsys):
    trainer = short_trainer()
    eval_metrics = trainer.evaluate(num_episodes=100)
    print(f"Evaluation reward: {eval_metrics['avg_reward']:.2f} ± {eval_metrics['std_reward']:.2f}")
    assert eval_metrics["episodes"] == 100
    assert capsys.readouterr().out.startswith("Evaluation reward: ")


# --- Testing and Validation, Troubleshooting -------------------------------------------------------------------------


def test_testing_and_validation(root):
    """The document runs one file of tests; here the trainer's tests are in a directory of their own."""
    assert len(list((root / "tests" / "training" / "backends" / "jax").glob("test_*.py"))) > 5


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_debug_mode(capsys, monkeypatch):
    pytest.importorskip("mlflow")
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    short_trainer(log_frequency=1, enable_mlflow=True).train()
    assert sum("average reward" in line for line in capsys.readouterr().out.splitlines()) == 4
