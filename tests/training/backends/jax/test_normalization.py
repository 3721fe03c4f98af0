"""Running statistics in compiled code: equal to those of all rows seen, and to those kept in NumPy."""

# pyright: reportArgumentType=false

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

from jimbot.networks import ObservationNormalizer, RewardScaler  # noqa: E402
from jimbot.training.backends.jax.normalization import (  # noqa: E402
    from_numpy_normalizer,
    init_moments,
    init_normalizer,
    normalize,
    normalize_observations,
    scale,
    to_numpy_normalizer,
    update_moments,
    update_normalizer,
)


def test_statistics_equal_those_of_all_rows_seen():
    rng = np.random.default_rng(0)
    rows = (1000 + rng.normal(size=(300, 3)) * [0.1, 1, 10]).astype(np.float32)
    state = init_normalizer(rows[0], enabled=True)
    for start in (0, 10, 150):
        part = rows[start : {0: 10, 10: 150, 150: 300}[start]]
        padded = np.concatenate([part, np.full((5, 3), 1e9, np.float32)])
        weights = jnp.asarray([1.0] * len(part) + [0.0] * 5)
        state = update_normalizer(state, jnp.asarray(padded), weights)
    assert float(state.count) == 300
    np.testing.assert_allclose(state.mean[""], rows.mean(0), rtol=1e-6)
    np.testing.assert_allclose(state.squares[""] / state.count, rows.var(0), rtol=1e-2)
    scaled = np.asarray(normalize_observations(state, jnp.asarray(rows)))
    np.testing.assert_allclose(scaled.std(0), 1, rtol=1e-2)
    assert float(normalize_observations(state, jnp.full((1, 3), 1e9)).max()) == 10


def test_masks_and_whole_numbers_are_left_alone():
    observation = {
        "cards": {"rank": np.array([3, 4], np.int8), "chips": np.array([5.0], np.float32)},
        "action_mask": np.array([1.0, 0.0], np.float32),
    }
    state = init_normalizer(observation, enabled=True)
    assert list(state.mean) == ["cards/chips"]
    batch = jax.tree.map(lambda leaf: jnp.asarray(np.stack([leaf, leaf + 2])), observation)
    state = update_normalizer(state, batch, jnp.ones(2))
    scaled = normalize_observations(state, batch)
    np.testing.assert_allclose(scaled["cards"]["chips"][:, 0], [-1, 1], rtol=1e-5)
    np.testing.assert_array_equal(scaled["cards"]["rank"], batch["cards"]["rank"])
    np.testing.assert_array_equal(scaled["action_mask"], batch["action_mask"])


def test_without_it_nothing_happens():
    rows = jnp.ones((4, 2))
    state = init_normalizer(np.ones(2, np.float32), enabled=False)
    assert normalize_observations(state, rows) is rows
    assert update_normalizer(state, rows, jnp.ones(4)) is state


def test_observations_are_normalized_as_elsewhere():
    rng = np.random.default_rng(0)
    outside = ObservationNormalizer({"observation": (3,)})
    inside = init_normalizer(np.zeros(3, np.float32), enabled=True)
    for _ in range(20):
        batch = rng.normal([0.0, 100.0, -3.0], [1.0, 5.0, 0.0], (8, 3)).astype(np.float32)
        expected = outside(batch)
        inside = update_normalizer(inside, batch)
        np.testing.assert_allclose(normalize_observations(inside, batch), expected, atol=2e-3)
    exported = to_numpy_normalizer(inside)
    known = exported.moments["observation"]
    assert known.count == outside.moments["observation"].count == 160
    np.testing.assert_allclose(known.variance, outside.moments["observation"].variance, rtol=1e-4, atol=1e-6)
    back = from_numpy_normalizer(exported, inside)
    for one, other in zip(jax.tree.leaves(back), jax.tree.leaves(inside), strict=True):
        np.testing.assert_array_equal(one, other)


def test_rewards_are_scaled_as_elsewhere():
    rng = np.random.default_rng(1)
    outside, inside = RewardScaler(4, discount=0.9), init_moments(np.float32(0))
    running = np.zeros(4, np.float32)
    for _ in range(30):
        rewards, ended = rng.normal(2.0, 3.0, 4).astype(np.float32), rng.random(4) < 0.2
        running = running * np.float32(0.9) + rewards
        inside = update_moments(inside, jax.numpy.asarray(running))
        np.testing.assert_allclose(scale(inside, rewards), outside(rewards, ended), rtol=1e-4)
        running[ended] = 0.0


def test_nothing_seen_changes_nothing():
    values = jax.numpy.asarray([[0.5, -20.0]])
    np.testing.assert_allclose(normalize(init_moments(np.zeros(2)), values), [[0.5, -10.0]], rtol=1e-6)
