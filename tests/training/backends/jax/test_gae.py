"""Advantages against sums of temporal-difference errors in plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
from tests.training.backends.jax import oracle  # noqa: E402
from tests.training.backends.jax.rollouts import make_rollout  # noqa: E402

from jimbot.training.backends.jax import Rollout  # noqa: E402
from jimbot.training.backends.jax.gae import compute_advantages, td_errors  # noqa: E402


@pytest.mark.parametrize("seed", range(5))
def test_advantages_equal_the_sum_of_errors(seed):
    rollout = make_rollout(seed)
    assert rollout.terminated.any()
    assert rollout.truncated.any()
    advantages, returns = jax.jit(compute_advantages, static_argnums=(1, 2))(rollout, 0.97, 0.9)
    expected, expected_returns = oracle.gae(rollout, 0.97, 0.9)
    np.testing.assert_allclose(advantages, expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(returns, expected_returns, rtol=1e-5, atol=1e-5)


def test_ends_of_both_kinds_by_hand():
    """Three environments, one step each: terminated, truncated, going on."""
    one = jnp.ones((1, 3))
    ends = jnp.asarray([[True, False, False]])
    cuts = jnp.asarray([[False, True, False]])
    rollout = Rollout(
        one, one.astype(jnp.int32), one, ends, cuts, one, 2 * one, 10 * one, jnp.asarray([100.0] * 3)
    )
    errors = td_errors(rollout, 0.5)
    np.testing.assert_allclose(errors, [[1 - 2, 1 + 0.5 * 10 - 2, 1 + 0.5 * 100 - 2]])
