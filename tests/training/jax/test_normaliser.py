"""Running statistics of observations."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

from jimbot.training.backends.jax import normalizer as normaliser  # noqa: E402


def test_statistics_equal_those_of_all_rows_seen():
    rng = np.random.default_rng(0)
    rows = (1000 + rng.normal(size=(300, 3)) * [0.1, 1, 10]).astype(np.float32)
    state = normaliser.create(rows[0], enabled=True)
    for start in (0, 10, 150):
        part = rows[start : {0: 10, 10: 150, 150: 300}[start]]
        padded = np.concatenate([part, np.full((5, 3), 1e9, np.float32)])
        weights = jnp.asarray([1.0] * len(part) + [0.0] * 5)
        state = normaliser.update(state, jnp.asarray(padded), weights)
    assert float(state.seen) == 300
    np.testing.assert_allclose(state.mean[""], rows.mean(0), rtol=1e-6)
    np.testing.assert_allclose(state.variance[""], rows.var(0), rtol=1e-2)
    scaled = np.asarray(normaliser.normalise(state, jnp.asarray(rows)))
    np.testing.assert_allclose(scaled.std(0), 1, rtol=1e-2)
    assert float(normaliser.normalise(state, jnp.full((1, 3), 1e9)).max()) == 10


def test_masks_and_whole_numbers_are_left_alone():
    observation = {
        "cards": {"rank": np.array([3, 4], np.int8), "chips": np.array([5.0], np.float32)},
        "action_mask": np.array([1.0, 0.0], np.float32),
    }
    state = normaliser.create(observation, enabled=True)
    assert list(state.mean) == ["cards/chips"]
    batch = jax.tree.map(lambda leaf: jnp.asarray(np.stack([leaf, leaf + 2])), observation)
    state = normaliser.update(state, batch, jnp.ones(2))
    scaled = normaliser.normalise(state, batch)
    np.testing.assert_allclose(scaled["cards"]["chips"][:, 0], [-1, 1], rtol=1e-5)
    np.testing.assert_array_equal(scaled["cards"]["rank"], batch["cards"]["rank"])
    np.testing.assert_array_equal(scaled["action_mask"], batch["action_mask"])


def test_without_it_nothing_happens():
    rows = jnp.ones((4, 2))
    state = normaliser.create(np.ones(2, np.float32), enabled=False)
    assert normaliser.normalise(state, rows) is rows
    assert normaliser.update(state, rows, jnp.ones(4)) is state
