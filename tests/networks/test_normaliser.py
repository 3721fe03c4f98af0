"""Running statistics: as if all had been seen at once, restored exactly, and nothing learned when frozen."""

from __future__ import annotations

import numpy as np
import pytest

from jimbot.networks import (
    NormalizerError,
    ObservationNormalizer,
    RewardScaler,
    RunningMoments,
    make_network_spec,
)

from .samples import balatro_batch, flat_batch, plain_batch


def test_batches_of_any_size_give_the_moments_of_the_whole():
    rng = np.random.default_rng(0)
    data = rng.normal(1e6, 3.0, (1000, 4))  # far from 0: a difference of sums of squares would fail here
    moments = RunningMoments((4,))
    for part in np.split(data, [1, 2, 10, 500, 500]):
        moments.update(part)
    np.testing.assert_allclose(moments.mean, data.mean(0), rtol=1e-12)
    np.testing.assert_allclose(moments.variance, data.var(0), rtol=1e-9)
    assert moments.count == 1000


def test_merged_halves_are_the_whole():
    rng = np.random.default_rng(1)
    data = rng.normal(5, 2, (300, 3))
    whole, first, second = (RunningMoments((3,)) for _ in range(3))
    whole.update(data)
    first.update(data[:70])
    second.update(data[70:])
    first.merge(second)
    first.merge(RunningMoments((3,)))
    assert first.count == whole.count
    np.testing.assert_allclose(first.mean, whole.mean, rtol=1e-13)
    np.testing.assert_allclose(first.squares, whole.squares, rtol=1e-12)
    with pytest.raises(NormalizerError, match="cannot be merged"):
        first.merge(RunningMoments((4,)))


def test_observations_come_to_mean_zero_and_variance_one():
    normalizer = ObservationNormalizer({"observation": (4,)})
    data = np.random.default_rng(2).normal([0, 1, 100, -5], [1, 2, 30, 0.1], (5000, 4)).astype(np.float32)
    before = normalizer.normalize(data[:3])
    np.testing.assert_allclose(before, np.clip(data[:3], -10, 10), rtol=1e-6)  # nothing is known yet
    out = normalizer(data)
    assert out.dtype == np.float32
    np.testing.assert_allclose(out.mean(0), 0, atol=1e-4)
    np.testing.assert_allclose(out.std(0), 1, atol=1e-3)
    assert np.all(normalizer.normalize(np.full((1, 4), 1e9)) == 10)


def test_constant_field_becomes_zero():
    normalizer = ObservationNormalizer({"observation": (2,)})
    assert np.all(normalizer(np.full((50, 2), 7.0)) == 0)


def test_only_float_fields_are_touched():
    space, actions, obs = flat_batch()
    normalizer = ObservationNormalizer.for_spec(make_network_spec(space, actions))
    assert list(normalizer.moments) == ["position"]
    out = normalizer(obs)
    assert not np.array_equal(out["position"], obs["position"])
    for name in obs:
        if name != "position":
            assert out[name] is obs[name]
    with pytest.raises(NormalizerError, match="'place' is no float field"):
        ObservationNormalizer.for_spec(make_network_spec(space, actions), ["place"])


def test_balatro_fields_when_asked():
    space, actions, obs = balatro_batch()
    normalizer = ObservationNormalizer.for_spec(make_network_spec(space, actions), ["globals", "hand"])
    out = normalizer(obs)
    assert out["hand"].shape == obs["hand"].shape
    assert np.abs(out["globals"].mean(0)).max() < 1e-4
    assert out["joker_ids"] is obs["joker_ids"]
    assert out["action_mask"] is obs["action_mask"]


def test_frozen_normalizer_learns_nothing():
    normalizer = ObservationNormalizer({"observation": (4,)})
    obs = plain_batch()[2]
    normalizer(obs)
    before = normalizer.freeze().state_dict()
    first = normalizer.normalize(obs)
    assert np.array_equal(normalizer(obs * 100)[0:0], first[0:0])
    after = normalizer.state_dict()
    assert all(np.array_equal(before[name], after[name]) for name in before)
    assert np.array_equal(normalizer.normalize(obs), first)


def test_restored_normalizer_goes_on_bit_for_bit():
    rng = np.random.default_rng(3)
    normalizer = ObservationNormalizer({"a": (2,), "b": (3, 2)}, clip=5.0, epsilon=1e-6)
    batches = [{"a": rng.normal(size=(7, 2)), "b": rng.normal(size=(7, 3, 2))} for _ in range(4)]
    for batch in batches[:2]:
        normalizer(batch)
    other = ObservationNormalizer.from_state_dict(normalizer.state_dict())
    for batch in batches[2:]:
        mine, theirs = normalizer(batch), other(batch)
        assert all(np.array_equal(mine[name], theirs[name]) for name in batch)
    assert other.clip == 5.0


def test_broken_statistics_are_refused():
    normalizer = ObservationNormalizer({"a": (2,)})
    state = normalizer.state_dict()
    for change in (
        {"a.squares": np.array([-1.0, 0.0])},
        {"a.mean": np.array([np.nan, 0.0])},
        {"a.squares": np.zeros(3)},
        {"settings": np.zeros(2)},
        {"a.count": np.array(-1.0)},
    ):
        with pytest.raises(NormalizerError):
            ObservationNormalizer.from_state_dict(state | change)
    with pytest.raises(NormalizerError, match="without"):
        ObservationNormalizer.from_state_dict({k: v for k, v in state.items() if k != "a.count"})
    with pytest.raises(NormalizerError, match="not finite"):
        normalizer.update({"a": np.array([[np.inf, 0.0]])})
    with pytest.raises(NormalizerError, match="came to statistics"):
        normalizer.update({"a": np.zeros((2, 3))})


def test_rewards_are_scaled_by_the_spread_of_returns():
    rng = np.random.default_rng(4)
    scaler = RewardScaler(3, discount=0.9)
    rewards, ended = rng.normal(50, 20, (400, 3)), rng.random((400, 3)) < 0.1
    running, seen = np.zeros(3), []
    for step in range(400):
        out = scaler(rewards[step], ended[step])
        running = running * 0.9 + rewards[step]
        seen.append(running.copy())
        running[ended[step]] = 0
    deviation = np.std(seen)
    np.testing.assert_allclose(out, rewards[-1] / deviation, rtol=1e-5)
    np.testing.assert_allclose(scaler.returns, running)


def test_restored_scaler_goes_on_bit_for_bit():
    rng = np.random.default_rng(5)
    scaler = RewardScaler(2)
    for _ in range(5):
        scaler(rng.normal(size=2), [False, True])
    other = RewardScaler.from_state_dict(scaler.state_dict())
    for _ in range(5):
        rewards = rng.normal(size=2)
        assert np.array_equal(scaler(rewards, [True, False]), other(rewards, [True, False]))
    before = scaler.freeze().state_dict()
    scaler([100.0, 100.0], [False, False])
    assert all(np.array_equal(before[name], value) for name, value in scaler.state_dict().items())
