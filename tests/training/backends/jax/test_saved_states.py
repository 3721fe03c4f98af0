"""States that version 0.1.0 saved under its names: they load, and training continues as it did there.

Compiled code may round differently on another processor, so the results agree to a tolerance and not to the bit.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("flax")

from jimbot.cartpole import CartPole, CartPoleParameters  # noqa: E402
from jimbot.errors import JimbotError  # noqa: E402
from jimbot.training.backends.jax import (  # noqa: E402
    PPO,
    JaxRunner,
    PPOAgent,
    PPOConfig,
    PPONetwork,
    apply_function,
    from_tree,
    initial_parameters,
    load_arrays,
)
from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig  # noqa: E402
from jimbot.training.framework import create_trainer  # noqa: E402
from jimbot.training.jax_trainer import CartPoleWrapper, PPOTrainer  # noqa: E402

SAVED = Path(__file__).parents[3] / "data" / "jax_states_0.1.0"


def nested(arrays: dict[str, Any]) -> dict[str, Any]:
    """Arrays by path as nested dictionaries, as a checkpoint gives them."""
    tree: dict[str, Any] = {}
    for name, array in arrays.items():
        *path, leaf = name.split("/")
        part = tree
        for word in path:
            part = part.setdefault(word, {})
        part[leaf] = array
    return tree


def assert_close(one: Any, other: Any) -> None:
    for left, right in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        if np.issubdtype(np.asarray(left).dtype, np.floating):
            np.testing.assert_allclose(left, right, rtol=1e-3, atol=1e-4)
        else:
            np.testing.assert_array_equal(left, right)


def test_a_compiled_run_continues():
    network = PPONetwork(2, (4,))
    config = PPOConfig(
        minibatch_size=32, epochs_per_update=2, learning_rate=3e-3, normalize_observations=True
    )
    runner = JaxRunner(
        PPO(apply_function(network), config),
        CartPole(CartPoleParameters(max_steps=60)),
        lambda key: initial_parameters(network, key, np.zeros(4, np.float32)),
        num_envs=4,
        rollout_steps=16,
    )
    new = runner.init(jax.random.PRNGKey(99))
    saved = load_arrays(SAVED / "runner.npz")
    state = from_tree(saved, new)
    assert int(state.ppo.updates) == 3
    normalizer, count = state.ppo.normalizer, saved["ppo/normaliser/seen"]
    assert float(normalizer.count) == count == 3 * 64
    np.testing.assert_allclose(normalizer.squares[""] / count, saved["ppo/normaliser/variance/"], rtol=1e-6)
    after, _ = runner.train(state, 2)
    expected = from_tree(load_arrays(SAVED / "runner_end.npz"), new)
    assert_close(after.ppo, expected.ppo)
    for name in ("environments", "observations", "returns", "lengths"):
        assert_close(getattr(after.envs, name), getattr(expected.envs, name))
    with pytest.raises(JimbotError, match=r"missing \['ppo/optimizer/count'\]"):
        from_tree({name: array for name, array in saved.items() if name != "ppo/optimiser/count"}, new)


def test_a_run_of_the_trainer_continues():
    agent = PPOAgent(4, 2, hidden_sizes=(4,), seed=9, normalize_observations=True, epochs_per_update=2)
    trainer = PPOTrainer(
        agent,
        CartPoleWrapper(),
        max_episodes=12,
        max_steps_per_episode=40,
        eval_frequency=5,
        eval_episodes=3,
        convergence_window=4,
        early_stopping_patience=2,
        target_reward=1000.0,
    )
    trainer.restore(nested(load_arrays(SAVED / "trainer.npz")))
    assert len(trainer.rewards) == 5
    results = trainer.train()
    recorded = json.loads((SAVED / "trainer_end.json").read_text())
    assert results["episode_rewards"] == recorded["episode_rewards"]
    assert_close(agent.state, from_tree(load_arrays(SAVED / "trainer_end.npz"), agent.state))


def test_a_compiled_checkpoint_of_the_framework_continues(tmp_path):
    config = TrainerConfig(
        env="CartPole-v1",
        backend="jax",
        n_envs=4,
        save_dir=str(tmp_path),
        hyperparams=HyperparameterConfig(
            policy_net_arch=[4],
            value_net_arch=[4],
            features_dim=4,
            algorithm_specific={"n_steps": 16, "batch_size": 32, "n_epochs": 2},
        ),
    )
    middle, end = (nested(load_arrays(SAVED / f"backend_{name}.npz")) for name in ("middle", "end"))
    with create_trainer(None, config) as trainer:
        _ = trainer.model
        trainer.vector.restore(middle["vector"])
        trainer.restore_training_state(middle["training"])
        trainer.iterate()
        trainer.iterate()
        found = trainer.training_state(), trainer.vector.snapshot()["compiled"]
        trainer.vector.restore(end["vector"])
        trainer.restore_training_state(end["training"])
        assert_close(found, (trainer.training_state(), trainer.vector.snapshot()["compiled"]))
