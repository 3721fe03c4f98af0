"""Compiled training on CartPole: it learns, seeds at once equal seeds one by one, and it resumes bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("flax")
import jax.numpy as jnp  # noqa: E402

from jimbot.cartpole import CartPole, CartPoleParameters  # noqa: E402
from jimbot.errors import JimbotError  # noqa: E402
from jimbot.training.backends.jax import PPOConfig  # noqa: E402
from jimbot.training.backends.jax.episodes import CompiledEpisodes  # noqa: E402
from jimbot.training.backends.jax.networks import PPONetwork, apply_function, initial_parameters  # noqa: E402
from jimbot.training.backends.jax.ppo import PPO  # noqa: E402
from jimbot.training.backends.jax.rollout_compiled import JaxRunner  # noqa: E402
from jimbot.training.backends.jax.state import (  # noqa: E402
    flat_arrays,
    from_tree,
    load_arrays,
    save_arrays,
    state_tree,
)

NETWORK = PPONetwork(2, (16,))


@pytest.fixture(scope="module")
def runner():
    config = PPOConfig(
        minibatch_size=100, epochs_per_update=4, learning_rate=3e-3, normalize_observations=True
    )
    environment = CartPole(CartPoleParameters(max_steps=60))  # short, so that truncations happen too
    return JaxRunner(
        PPO(apply_function(NETWORK), config),
        environment,
        lambda key: initial_parameters(NETWORK, key, np.zeros(4, np.float32)),
        num_envs=8,
        rollout_steps=32,
    )


@pytest.fixture(scope="module")
def learned(runner):
    """A state after 40 updates, and the metrics of all of them."""
    state, parts = runner.init(jax.random.PRNGKey(0)), []
    for _ in range(20):
        state, metrics = runner.train(state, 2)
        parts.append(metrics)
    return state, {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def equal(one, other):
    for left, right in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(np.asarray(left), np.asarray(right))


def test_learns_and_reports(runner, learned):
    state, metrics = learned
    assert (int(state.ppo.updates), int(state.ppo.steps)) == (40, 40 * 8 * 32)
    assert metrics["episode_return"].shape == (40,)
    assert float(metrics["episode_return"][0]) < 35
    assert float(metrics["episode_return"][-5:].mean()) > 50
    assert float(metrics["gradient_steps"][0]) == 4 * 3  # 256 steps in minibatches of 100: none is dropped
    assert all(np.isfinite(values).all() for values in metrics.values())
    # The normalizer has counted everything once, and evaluation leaves all of the state as it is.
    assert float(state.ppo.normalizer.count) == 40 * 8 * 32
    kept = state_tree(state)
    episodes = CompiledEpisodes(runner.ppo, runner.environment, 60)
    rewards, lengths = episodes.evaluate(state.ppo, jax.random.PRNGKey(1), 20, greedy=True)
    assert rewards.shape == (20,)
    np.testing.assert_array_equal(np.asarray(rewards), np.asarray(lengths))
    assert float(rewards.mean()) > 50
    equal(kept, state_tree(state))


def test_training_in_two_parts_equals_training_in_one(runner, tmp_path):
    start = runner.init(jax.random.PRNGKey(3))
    whole, _ = runner.train(start, 4)
    half, _ = runner.train(start, 2)
    path = save_arrays(tmp_path / "state.npz", state_tree(half))
    restored = from_tree(load_arrays(path), runner.init(jax.random.PRNGKey(99)))
    equal(restored, half)
    again, _ = runner.train(restored, 2)
    equal(again, whole)
    with pytest.raises(AssertionError):
        equal(half, whole)


def test_seeds_at_once_equal_seeds_one_by_one(runner):
    keys = jnp.stack([jax.random.PRNGKey(seed) for seed in (5, 6)])
    together, metrics = runner.train_seeds(runner.init_seeds(keys), 2)
    assert metrics["policy_loss"].shape == (2, 2)
    for number, key in enumerate(keys):
        alone, _ = runner.train(runner.init(key), 2)
        mine = jax.tree.map(lambda leaf, n=number: leaf[n], together)
        np.testing.assert_array_equal(mine.envs.environments.steps, alone.envs.environments.steps)
        for one, other in zip(
            jax.tree.leaves(mine.ppo.params), jax.tree.leaves(alone.ppo.params), strict=True
        ):
            np.testing.assert_allclose(one, other, atol=1e-4)  # batched products add in another order
    assert not np.array_equal(metrics["policy_loss"][0], metrics["policy_loss"][1])


def test_rollout_bootstraps_truncations_from_the_last_observation(runner, learned):
    ppo, _, rollout, episodes = jax.jit(runner.rollout.collect)(*learned[0])
    truncated, terminated = np.asarray(rollout.truncated), np.asarray(rollout.terminated)
    assert truncated[:-1].any()
    assert not (truncated & terminated).any()
    np.testing.assert_array_equal(episodes.ended, truncated | terminated)
    assert (np.asarray(episodes.lengths)[truncated] == 60).all()
    np.testing.assert_array_equal(
        np.asarray(episodes.returns)[truncated], np.asarray(episodes.lengths)[truncated]
    )
    # The last observation is the step from the last state: replay it and ask the network.
    for time, env in np.argwhere(truncated):
        physics = jnp.asarray(rollout.observations[time, env])
        last = runner.environment.next_physics(physics, rollout.actions[time, env])
        # The statistics at collection are the state's: they change only in updates.
        value = runner.ppo.value(ppo.params, ppo.normalizer, last[None])[0]
        assert float(rollout.final_values[time, env]) == pytest.approx(float(value), rel=1e-3, abs=1e-3)


def test_states_that_do_not_fit_are_refused(runner, tmp_path):
    tree = flat_arrays(state_tree(runner.init(jax.random.PRNGKey(0))))
    like = runner.init(jax.random.PRNGKey(1))
    missing = {name: array for name, array in tree.items() if name != "ppo/key"}
    with pytest.raises(JimbotError, match=r"missing \['ppo/key'\]"):
        from_tree(missing, like)
    with pytest.raises(JimbotError, match=r"envs/returns is float32\[3\], expected float32\[8\]"):
        from_tree(tree | {"envs/returns": np.zeros(3, np.float32)}, like)
    with pytest.raises(JimbotError, match="returns is float64"):
        from_tree(tree | {"envs/returns": np.zeros(8)}, like)
    (tmp_path / "junk").write_text("not an archive")
    with pytest.raises(JimbotError, match="cannot read the saved state"):
        load_arrays(tmp_path / "junk")
    with pytest.raises(JimbotError, match="num_envs must be at least 1"):
        JaxRunner(runner.ppo, runner.environment, runner.initial_params, num_envs=0)
