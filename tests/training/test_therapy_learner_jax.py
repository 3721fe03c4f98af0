"""Compiled training of therapists: what the policy may see, what the sessions are worth, and what is taught."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from jimbot.therapy import BENCHMARK
from jimbot.therapy.env.options import TherapyOptions
from jimbot.therapy.therapists.impressions import FEATURES

if TYPE_CHECKING:
    from jimbot.training.therapy.learner_jax import TherapistLearner

jax: Any = pytest.importorskip("jax")


def learner(**given: Any) -> TherapistLearner:
    from jimbot.training.backends.jax import PPOConfig
    from jimbot.training.therapy.learner_jax import TherapistLearner

    config = PPOConfig(gamma=1.0, epochs_per_update=1, minibatch_size=400)
    options = TherapyOptions.of({**BENCHMARK, "max_sessions": 12})
    return TherapistLearner(options, config, hidden_sizes=(8,), clients=8, **given)


def test_only_the_value_gets_the_hidden_state():
    from jimbot.training.therapy.learner_jax import HIDDEN_STATE_SIZE

    rng = np.random.default_rng(0)
    impression = rng.random((4, FEATURES), np.float32)
    states = rng.random((2, 4, HIDDEN_STATE_SIZE), np.float32)
    for omniscient in (False, True):
        ours = learner(omniscient=omniscient)
        params = ours.start(0).params
        logits, values = zip(
            *(
                ours.network.apply(params, {"impression": impression, "hidden_state": hidden})
                for hidden in states
            ),
            strict=True,
        )
        assert np.array_equal(*logits) is not omniscient
        assert not np.array_equal(*values)


def test_sessions_are_learned_from_until_therapy_ends():
    ours = learner()
    client, rollout = ours.play(ours.start(0), jax.random.PRNGKey(1), 64)
    assert rollout.actions.shape == (12, 64)
    assert np.asarray(client.ended).all()
    np.testing.assert_array_equal(np.asarray(rollout.valid).sum(axis=0), client.sessions)
    ends = np.asarray(rollout.terminated) & np.asarray(rollout.valid)
    assert (ends.sum(axis=0) == 1).all()
    earned = np.asarray(rollout.rewards).sum(axis=0)
    gone, helped = np.asarray(client.dropped_out), np.asarray(client.success & ~client.dropped_out)
    np.testing.assert_allclose(earned, np.where(gone, -ours.dropout, helped), rtol=1e-6)
    assert gone.any()
    assert not gone.all()


def test_progress_can_be_rewarded():
    plain, nearer = learner(), learner(progress=1.0)
    key = jax.random.PRNGKey(2)
    earned = [np.asarray(each.play(each.start(0), key, 64)[1].rewards) for each in (plain, nearer)]
    assert (earned[1] >= earned[0]).all()


def test_imitation_lowers_the_loss():
    ours = learner()
    state, before = ours.imitate(ours.start(0), jax.random.PRNGKey(3), 2)
    _, later = ours.imitate(state, jax.random.PRNGKey(3), 200)
    assert later < before
    assert int(state.updates) == 0


def test_an_update_moves_the_policy():
    ours = learner()
    begin = ours.start(0)
    state, metrics = ours.train(begin, 2)
    assert int(state.updates) == 2
    assert 0 < int(state.steps) <= 2 * ours.steps_per_update
    assert metrics["success"].shape == (2,)
    moved = jax.tree.map(lambda old, new: bool((old != new).any()), begin.params, state.params)
    assert any(jax.tree.leaves(moved))
    success, dropouts = ours.measure(state, jax.random.PRNGKey(4), 32)
    assert 0 <= float(success) + float(dropouts) <= 1
