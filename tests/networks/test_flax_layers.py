"""Gradients that are written out equal those that JAX derives."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("flax")

import jax.numpy as jnp  # noqa: E402

from jimbot.networks.flax.layers import NARROW, multiply_inputs, pool_groups  # noqa: E402

RNG = np.random.default_rng(8)


def numbers(*shape: int):
    return jnp.asarray(RNG.normal(size=shape), jnp.float32)


@pytest.mark.parametrize("size", [1, NARROW, NARROW + 1, 40])
@pytest.mark.parametrize("observed", [0, 5])
def test_product_has_the_gradients_of_a_plain_one(size, observed):
    given, learned, kernel = numbers(30, observed), numbers(30, 24), numbers(observed + 24, size)
    weights = numbers(30, size)

    def plain(learned, kernel):
        return (jnp.concatenate([given, learned], 1) @ kernel * weights).sum()

    def ours(learned, kernel):
        return (multiply_inputs(given, learned, kernel) * weights).sum()

    assert ours(learned, kernel) == pytest.approx(float(plain(learned, kernel)), rel=1e-4)
    expected = jax.grad(plain, (0, 1))(learned, kernel)
    for one, other in zip(jax.jit(jax.grad(ours, (0, 1)))(learned, kernel), expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-4)


def test_what_is_observed_has_no_gradient():
    given, learned, kernel = numbers(3, 2), numbers(3, 4), numbers(6, 5)
    gradients = jax.grad(lambda given, learned: multiply_inputs(given, learned, kernel).sum(), (0, 1))(
        given, learned
    )
    assert not np.any(gradients[0])
    assert np.all(gradients[1])


@pytest.mark.parametrize("rows", [(6,), (4, 3, 2, 5)])
def test_pooling_has_the_gradients_of_a_plain_one(rows):
    ends = np.cumsum(rows).tolist()
    places = tuple(slice(end - count, end) for end, count in zip(ends, rows, strict=True))
    present = jnp.asarray(RNG.random((9, sum(rows))) < 0.5, jnp.float32)
    values = (
        jnp.round(jax.nn.relu(numbers(9, sum(rows), 8))) * present[..., None]
    )  # with equal rows among them
    counts = jnp.maximum(jnp.stack([present[:, place].sum(1) for place in places], 1), 1.0)
    weights = numbers(2, 9, len(rows), 8)

    def plain(values):
        mean = jnp.stack([values[:, place].sum(1) for place in places], 1) / counts[..., None]
        largest = jnp.stack([values[:, place].max(1) for place in places], 1)
        return (mean * weights[0] + largest * weights[1]).sum()

    def ours(values):
        mean, largest = cast("Any", pool_groups)(places, values, counts)
        return (mean * weights[0] + largest * weights[1]).sum()

    assert ours(values) == pytest.approx(float(plain(values)), abs=1e-4)
    np.testing.assert_allclose(jax.jit(jax.grad(ours))(values), jax.grad(plain)(values), atol=1e-5)
