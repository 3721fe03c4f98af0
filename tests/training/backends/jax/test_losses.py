"""The losses of a minibatch against plain NumPy, and their gradient against the one that JAX derives."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
from tests.training.backends.jax import oracle  # noqa: E402
from tests.training.backends.jax.rollouts import (  # noqa: E402
    CONFIGS,
    NUM_ENVS,
    STEPS,
    apply,
    flat,
    make_rollout,
    oracle_batch,
    params_of,
)

from jimbot.training.backends.jax import PPOConfig, losses  # noqa: E402


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("options", list(CONFIGS.values())[:4], ids=list(CONFIGS)[:4])
def test_losses_equal(options, masked):
    config = PPOConfig(**options)
    rollout = make_rollout(masked=masked)
    expected = oracle_batch(rollout, config)
    count = STEPS * NUM_ENVS
    batch = losses.Batch(
        jax.tree.map(flat, rollout.observations),
        *(
            jnp.asarray(expected[name], jnp.float32 if name != "actions" else jnp.int32)
            for name in ("actions", "log_probs", "values", "advantages", "returns")
        ),
    )
    logits, values = apply(params_of(), batch.observations)
    weights = jnp.ones(count)
    found, gradients = losses.ppo_loss(logits, values, batch, weights, config)
    wanted = oracle.losses(
        {name: np.asarray(array, np.float64) for name, array in params_of().items()}, expected, config
    )
    for name, value in wanted.items():
        np.testing.assert_allclose(getattr(found, name), value, rtol=2e-5, atol=1e-6, err_msg=name)
    assert wanted["clip_fraction"] > 0

    def loss(logits, values):
        return losses.ppo_loss(logits, values, batch, weights, config)[0].loss

    for one, derived in zip(gradients, jax.grad(loss, (0, 1))(logits, values), strict=True):
        np.testing.assert_allclose(one, derived, atol=1e-6)
        assert np.abs(one).max() > 1e-3
