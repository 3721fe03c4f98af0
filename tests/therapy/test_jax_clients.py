"""The model in JAX does what the model in NumPy does."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from jimbot.therapy import PATTERNS, ClientBatch, Episodes, EpisodeSource, TherapyOptions
from jimbot.therapy.model.utilities import MIDPOINTS

jax: Any = pytest.importorskip("jax")
jax_clients: Any = pytest.importorskip("jimbot.therapy.jax.clients")
jax_biographies: Any = pytest.importorskip("jimbot.therapy.jax.biographies")


def started(options: TherapyOptions, episodes: Episodes) -> ClientBatch:
    batch = ClientBatch(options, len(episodes.seeds))
    batch.begin(np.arange(len(episodes.seeds)), episodes)
    return batch


@pytest.mark.parametrize(
    "mechanism", [4, *(pytest.param(number, marks=pytest.mark.slow) for number in range(4))]
)
def test_jax_is_numpy(mechanism):
    options = {"patterns": "cold_stuck", "mechanism": mechanism, "threshold": 0.6, "max_sessions": 40}
    options |= {"enable_parataxic": mechanism != 2}
    checked = TherapyOptions.of(options)
    seeds = list(range(40))
    episodes = EpisodeSource(checked).make(["cold_stuck"] * 40, seeds)
    per_session = 2 if checked.enable_parataxic else 1
    with jax.enable_x64(True):
        begin = jax.jit(jax.vmap(partial(jax_clients.begin, checked)))
        advance = jax.jit(jax.vmap(partial(jax_clients.session, checked)))
        batch = started(checked, episodes)
        clients = begin(episodes.utilities, episodes.memories, episodes.uniforms[:, 0])
        alive = np.ones(40, bool)
        for session in range(40):
            answers = (4 - batch.action) % 8
            luck = episodes.uniforms[:, per_session * session + 1 :][:, :per_session]
            if per_session == 1:
                luck = np.repeat(luck, 2, axis=1)
            clients, rewards = advance(clients, np.asarray(clients.action * -1 + 4) % 8, luck)
            batch.ended[:] = False
            batch.advance(answers)
            assert np.asarray(clients.action)[alive].tolist() == batch.action[alive].tolist()
            np.testing.assert_allclose(np.asarray(clients.rs)[alive], batch.rs[alive], rtol=0, atol=1e-10)
            np.testing.assert_allclose(np.asarray(clients.bond)[alive], batch.bond[alive], rtol=0, atol=1e-12)
            np.testing.assert_array_equal(np.asarray(rewards)[alive], batch.reward[alive])
            np.testing.assert_array_equal(np.asarray(clients.memory)[alive], batch.memories()[alive])
            assert (np.asarray(rewards)[~alive] == 0).all()
            alive &= ~batch.ended
            np.testing.assert_array_equal(~np.asarray(clients.ended), alive)
        assert not alive.any()


@pytest.mark.slow
@pytest.mark.parametrize("generator", ["v1", "v2"])
def test_biographies_have_the_same_distribution(generator):
    for pattern in PATTERNS:
        options = TherapyOptions.of({"patterns": pattern, "generator": generator})
        keys = jax.random.split(jax.random.key(0), 150)
        sampled = jax.vmap(partial(jax_biographies.sample_memory, options))(keys)
        episodes = EpisodeSource(options).make([pattern] * 150, list(range(150)))
        counts = [
            np.bincount((pairs[..., 0] * 8 + pairs[..., 1]).ravel(), minlength=64) / (150 * 50)
            for pairs in (np.asarray(sampled), episodes.memories)
        ]
        np.testing.assert_allclose(counts[0], counts[1], atol=0.02)


def test_utilities_stay_within_their_bounds():
    found = np.asarray(jax.vmap(jax_biographies.sample_utilities)(jax.random.split(jax.random.key(1), 200)))
    assert (np.abs(found - MIDPOINTS) <= 10).all()
    np.testing.assert_allclose(found.mean(axis=0), MIDPOINTS, atol=2)


@pytest.mark.slow
def test_jax_whole_therapies():
    options = TherapyOptions.of({"patterns": ["cold_stuck", "complementary_perfect"], "max_sessions": 30})

    def policy(observation: dict[str, Any], key: Any) -> Any:
        del key
        return (4 - observation["client_action"]) % 8

    run = jax.jit(jax.vmap(partial(jax_clients.therapy, options, policy)))
    keys = jax.random.split(jax.random.key(3), 32)
    clients, rewards, bonds = run(keys)
    again, _, _ = run(keys)
    np.testing.assert_array_equal(clients.rs, again.rs)
    assert np.asarray(clients.ended).all()
    assert rewards.shape == bonds.shape == (32, 30)
    earned = np.asarray(rewards).sum(axis=1)
    success = np.asarray(clients.success & ~clients.dropped_out)
    assert 0 < success.sum() < 32
    np.testing.assert_array_equal(earned > 0, success)
    histories = np.asarray(clients.history).reshape(32, 25, 2)
    for history, sessions in zip(histories, np.asarray(clients.sessions), strict=True):
        held = history[: min(sessions, 25)]
        assert (held[:, 1] == (4 - held[:, 0]) % 8).all()
        assert (history[sessions:] == 8).all()
