"""Adam against Optax, and the merging of small arrays."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
optax = pytest.importorskip("optax")
import jax.numpy as jnp  # noqa: E402

from jimbot.training.backends.jax.optimizer import LARGE, adam_step, merge_small_arrays  # noqa: E402


def test_adam_moves_as_optax_does():
    rng = np.random.default_rng(3)
    reference = optax.scale_by_adam(eps=1e-5)
    state = expected_state = reference.init(jnp.zeros(200))
    for scale in (1e-6, 1.0, 1e3, 0.0, 1e-2):
        gradient = jnp.asarray(rng.normal(size=200) * scale, jnp.float32)
        params, state = adam_step(jnp.zeros(200), gradient, state, 1.0, 1e-5)
        expected, expected_state = reference.update(gradient, expected_state)
        np.testing.assert_allclose(-params, expected, rtol=2e-5, atol=1e-9)
        jax.tree.map(
            lambda own, other: np.testing.assert_allclose(own, other, rtol=1e-6), state, expected_state
        )


def test_blocks_keep_large_arrays_and_come_back_as_they_were():
    tree = {"b": jnp.arange(5.0), "a": {"large": jnp.ones((LARGE // 4, 4)), "small": jnp.zeros((2, 3))}}
    blocks, as_tree = merge_small_arrays(tree)
    assert [block.shape for block in blocks] == [(LARGE // 4, 4), (11,)]
    back = as_tree(tuple(2.0 * block for block in blocks))
    assert jax.tree.structure(back) == jax.tree.structure(tree)
    jax.tree.map(lambda doubled, leaf: np.testing.assert_array_equal(doubled, 2.0 * leaf), back, tree)
    only_small, as_tree = merge_small_arrays({"w": jnp.ones(3)})
    assert [block.shape for block in only_small] == [(3,)]
    np.testing.assert_array_equal(as_tree(only_small)["w"], np.ones(3))
