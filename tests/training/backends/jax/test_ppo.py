"""A whole update against plain NumPy, on the same data and in the same order; and the orders themselves."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("flax")
import jax.numpy as jnp  # noqa: E402
from tests.training.backends.jax import oracle  # noqa: E402
from tests.training.backends.jax.rollouts import (  # noqa: E402
    CONFIGS,
    NUM_ENVS,
    STEPS,
    WIDTH,
    apply,
    make_rollout,
    on_policy,
    oracle_batch,
    params_of,
)

from jimbot.training.backends.jax import PPO, PPOConfig  # noqa: E402
from jimbot.training.backends.jax.ppo import shuffle_steps  # noqa: E402

# Each compiles an update of its own, so only the ones that differ most are in the fast suite.
FAST = [("plain", True), ("uneven", False), ("early_stop", False)]
CASES = FAST + [
    pytest.param(name, False, marks=pytest.mark.slow) for name in CONFIGS if (name, False) not in FAST
]


@pytest.mark.parametrize(("name", "masked"), CASES)
def test_update_equals(name, masked):
    options = CONFIGS[name]
    config = PPOConfig(**({"epochs_per_update": 3, "minibatch_size": 7, "learning_rate": 0.01} | options))
    ppo = PPO(apply, config)
    rollout = make_rollout(masked=masked)
    params = params_of()
    if "target_kl" in options:  # start on the policy, so that it takes some steps to leave it
        rollout = on_policy(rollout, params)
    state = ppo.init(params, jax.random.PRNGKey(0), np.zeros(WIDTH, np.float32))
    orders = shuffle_steps(jax.random.PRNGKey(1), config.epochs_per_update, STEPS * NUM_ENVS)
    state, metrics = jax.jit(ppo.learn)(state, rollout, orders)
    expected, steps = oracle.update(
        params, oracle_batch(rollout, config), np.asarray(orders), STEPS * NUM_ENVS, config
    )
    assert int(metrics["gradient_steps"]) == steps
    for name, array in expected.items():
        # Differences of float32 in the gradient, divided by Adam's root, move parameters by up to about 1e-3 of a step.
        np.testing.assert_allclose(
            state.params[name], array, rtol=0, atol=2e-3 * config.learning_rate * steps
        )
        assert np.abs(array - np.asarray(params[name])).max() > config.learning_rate / 2
    if "target_kl" in options:
        assert 0 < steps < 9


def test_padded_steps_change_nothing():
    """A rollout with steps marked as not valid, holding wild numbers, against the valid steps alone."""
    config = PPOConfig(minibatch_size=4, epochs_per_update=2, normalize_observations=True)
    ppo = PPO(apply, config)
    valid = np.ones((STEPS, NUM_ENVS), bool)
    valid[4:, 1] = False
    rollout = make_rollout()
    ended = np.asarray(rollout.terminated).copy()
    ended[3, 1] = True  # what comes before padding has ended
    rollout = rollout._replace(terminated=jnp.asarray(ended), valid=jnp.asarray(valid))
    wild = rollout._replace(
        observations=np.where(valid[..., None], rollout.observations, 1e6).astype(np.float32),
        rewards=jnp.where(valid, rollout.rewards, 1e9),
        log_probs=jnp.where(valid, rollout.log_probs, -1e4),
    )
    state = ppo.init(params_of(), jax.random.PRNGKey(0), np.zeros(WIDTH, np.float32))
    calm, calm_metrics = ppo.update(state, rollout)
    other, metrics = ppo.update(state, wild)
    for one, two in zip(jax.tree.leaves(calm), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(one, two)
    assert all(np.array_equal(metrics[name], calm_metrics[name]) for name in metrics)
    assert int(other.steps) == valid.sum()
    assert int(metrics["gradient_steps"]) == 2 * -(-valid.sum() // 4)
    expected, _ = oracle.update(
        params_of(),
        oracle_batch(rollout, config),
        np.asarray(ppo.shuffle(jax.random.split(state.key)[1], rollout)),
        int(valid.sum()),
        dataclasses.replace(config),
    )
    np.testing.assert_allclose(other.params["policy"], expected["policy"], atol=1e-5)


def test_metrics_say_what_happened_and_the_learning_rate_is_no_constant_of_the_code():
    config = PPOConfig(schedule=lambda updates: 1.0 / (1.0 + updates))
    ppo = PPO(apply, config)
    state = ppo.init(params_of(), jax.random.PRNGKey(0), np.zeros(WIDTH, np.float32))
    rollout = make_rollout()
    state, first = ppo.update(state, rollout)
    state, second = ppo.update(state, rollout)
    assert float(first["learning_rate"]) == pytest.approx(3e-4)
    assert float(second["learning_rate"]) == pytest.approx(1.5e-4)
    assert (int(state.updates), int(state.steps)) == (2, 2 * STEPS * NUM_ENVS)
    names = {"policy_loss", "value_loss", "entropy", "approx_kl", "clip_fraction", "explained_variance"}
    assert names | {"gradient_norm", "gradient_norm/policy", "gradient_norm/value"} <= first.keys()
    # The norms are averages over ten minibatches of nearly equal gradients, so Pythagoras holds nearly.
    parts = np.hypot(first["gradient_norm/policy"], first["gradient_norm/value"])
    assert float(first["gradient_norm"]) == pytest.approx(float(parts), rel=1e-2)
    _, returns = oracle.gae(rollout, config.gamma, config.gae_lambda)
    explained = 1 - np.var(returns - np.asarray(rollout.values)) / np.var(returns)
    assert float(first["explained_variance"]) == pytest.approx(explained, rel=1e-4)
    compilations = ppo.update._cache_size()  # pyright: ignore[reportFunctionMemberAccess]
    frozen = state._replace(learning_rate=jnp.zeros((), jnp.float32))
    after, _ = ppo.update(frozen, rollout)
    np.testing.assert_array_equal(after.params["policy"], state.params["policy"])
    assert ppo.update._cache_size() == compilations  # pyright: ignore[reportFunctionMemberAccess]


@pytest.mark.parametrize("size", [1, 7, 2048, 70_000])
def test_orders_are_permutations_with_valid_steps_first(size):
    valid = jnp.asarray(np.random.default_rng(0).random(size) < 0.7)
    orders = np.asarray(shuffle_steps(jax.random.PRNGKey(0), 3, size, valid))
    assert orders.dtype == np.int32
    for order in orders:
        np.testing.assert_array_equal(np.sort(order), np.arange(size))
        assert np.asarray(valid)[order][: int(valid.sum())].all()
    if size > 1000:
        assert len({tuple(order[:20]) for order in orders}) == 3
        first = np.asarray(shuffle_steps(jax.random.PRNGKey(1), 400, 16))[:, 0]
        assert np.bincount(first, minlength=16).min() > 8  # each of 16 comes first about 25 times
