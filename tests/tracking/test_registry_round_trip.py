"""A model that is registered, loaded again and evaluated gives the numbers that it gave before."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mlflow")
pytest.importorskip("jax")
pytest.importorskip("flax")

from jimbot.cartpole import CartPoleWrapper
from jimbot.tracking.mlflow.logger import MLflowLogger
from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer
from jimbot.training.jax_trainer import PPOAgent, PPOTrainer

# MLflow and SQLAlchemy use things of each other that they have deprecated.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


@pytest.mark.slow
def test_an_agent_comes_back_from_the_registry(store_directory):
    """The documented trainer registers what converged; another agent takes it from there."""
    logger = MLflowLogger("agents", directory=store_directory)
    agent = PPOAgent(4, 2, hidden_sizes=(8,), seed=3, normalize_observations=True)
    trainer = PPOTrainer(
        agent,
        CartPoleWrapper(),
        max_episodes=12,
        target_reward=5.0,
        convergence_window=3,
        early_stopping_patience=1,
        eval_frequency=100,
        eval_episodes=8,
        logger=logger,
    )
    results = trainer.train()
    assert results["converged"]
    assert results["model_version"] == 1
    before = trainer.evaluate(16)
    found = MLflowLogger("agents", directory=store_directory).load_registered("jax_ppo_agent")
    again = PPOTrainer(PPOAgent.load(found), CartPoleWrapper(), eval_episodes=8).evaluate(16)
    assert again == before
    assert before["std_reward"] > 0  # numbers that another policy would hardly have


def test_a_policy_file_comes_back_from_the_registry(store_directory):
    """A policy file of the framework, loaded by another library, plays the episodes to the same end."""
    config = TrainerConfig(
        backend="jax",
        env="CartPole-v1",
        n_envs=2,
        save_dir=str(store_directory / "models"),
        hyperparams=HyperparameterConfig(policy_net_arch=[8], value_net_arch=[8]),
    )
    with create_trainer(None, config) as trainer:
        rng = np.random.default_rng(0)
        tensors = {
            name: array + rng.normal(0, 0.3, array.shape) for name, array in trainer.policy_tensors().items()
        }
        trainer.load_policy_tensors({name: array.astype(np.float32) for name, array in tensors.items()})
        before = trainer.evaluate(12)
        with MLflowLogger("policies", directory=store_directory) as logger:
            assert logger.register_model(trainer.save_model("mine"), "cartpole", stage="Production") == 1
    place = MLflowLogger("policies", directory=store_directory).load_registered("cartpole", "production")
    for backend in ("jax", "sb3"):
        with create_trainer(None, config.copy_with(backend=backend, seed=5)) as other:
            assert other.load(place).evaluate(12) == before
    assert before[1] > 0
