"""Statistics in compiled training are those that every backend keeps outside of it."""

# pyright: reportArgumentType=false

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")

from jimbot.networks import ObservationNormaliser, RewardScaler  # noqa: E402
from jimbot.training.backends.jax.moments import (  # noqa: E402
    centred,
    from_running,
    new_moments,
    scaled,
    to_running,
    updated,
)


def test_observations_are_normalised_as_elsewhere():
    rng = np.random.default_rng(0)
    outside, inside = ObservationNormaliser({"observation": (3,)}), new_moments((3,))
    for _ in range(20):
        batch = rng.normal([0.0, 100.0, -3.0], [1.0, 5.0, 0.0], (8, 3)).astype(np.float32)
        expected = outside(batch)
        inside = updated(inside, batch)
        np.testing.assert_allclose(centred(inside, batch), expected, atol=2e-3)
    known = to_running(inside)
    assert known.count == outside.moments["observation"].count == 160
    np.testing.assert_allclose(known.variance, outside.moments["observation"].variance, rtol=1e-4, atol=1e-6)
    back = from_running(known)
    for one, other in zip(back, inside, strict=True):
        np.testing.assert_array_equal(one, other)


def test_rewards_are_scaled_as_elsewhere():
    rng = np.random.default_rng(1)
    outside, inside = RewardScaler(4, discount=0.9), new_moments(())
    running = np.zeros(4, np.float32)
    for _ in range(30):
        rewards, ended = rng.normal(2.0, 3.0, 4).astype(np.float32), rng.random(4) < 0.2
        running = running * np.float32(0.9) + rewards
        inside = updated(inside, jax.numpy.asarray(running))
        np.testing.assert_allclose(scaled(inside, rewards), outside(rewards, ended), rtol=1e-4)
        running[ended] = 0.0


def test_nothing_seen_changes_nothing():
    values = jax.numpy.asarray([[0.5, -20.0]])
    np.testing.assert_allclose(centred(new_moments((2,)), values), [[0.5, -10.0]], rtol=1e-6)
