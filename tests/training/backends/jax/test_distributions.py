"""The categorical distribution over legal actions."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

from jimbot.training.backends.jax import distributions  # noqa: E402


def test_illegal_actions_have_no_probability_no_entropy_and_no_gradient():
    logits = jnp.asarray([[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 0.0]])
    mask = jnp.asarray([[True, False, True, False], [False, False, False, True]])

    def entropy(logits):
        return distributions.categorical(logits, mask).entropy.sum()

    log_probs = distributions.masked_log_softmax(logits, mask)
    probabilities = np.exp(log_probs)
    assert (probabilities[~np.asarray(mask)] == 0).all()
    two = np.exp([1.0, 3.0]) / np.exp([1.0, 3.0]).sum()
    entropies = distributions.categorical(logits, mask).entropy
    np.testing.assert_allclose(entropies, [-(two * np.log(two)).sum(), 0.0], atol=1e-6)
    gradient = np.asarray(jax.grad(entropy)(logits))
    assert (gradient[~np.asarray(mask)] == 0).all()
    assert np.abs(gradient[0, 0]) > 0.1
    drawn = np.asarray(distributions.sample(jax.random.PRNGKey(0), jnp.repeat(log_probs, 4000, axis=0)))
    assert set(drawn[:4000]) == {0, 2}
    assert (drawn[:4000] == 2).mean() == pytest.approx(two[1], abs=0.02)
    assert set(drawn[4000:]) == {3}


def test_masks_without_a_legal_action_stay_finite():
    log_probs = distributions.masked_log_softmax(jnp.asarray([[5.0, 1.0]]), jnp.zeros((1, 2), bool))
    np.testing.assert_allclose(np.exp(log_probs), [[0.5, 0.5]])


@pytest.mark.parametrize("masked", [True, False])
def test_gradients_of_log_probabilities_and_entropies_are_those_that_jax_derives(masked):
    rng = np.random.default_rng(3)
    logits = jnp.asarray(rng.normal(size=(32, 40)) * 5, jnp.float32)
    legal = rng.random((32, 40)) < 0.4
    legal[:, 7] = True
    mask = jnp.asarray(legal) if masked else None
    actions, of_log_prob, of_entropy = jnp.full(32, 7), jnp.arange(32.0), jnp.full(32, -3.0)

    def total(logits):
        log_probs = distributions.masked_log_softmax(logits, mask)
        entropy = -jnp.sum(jnp.exp(log_probs) * log_probs, axis=1)
        return (distributions.log_prob(log_probs, actions) * of_log_prob + entropy * of_entropy).sum()

    policy = distributions.categorical(logits, mask)
    np.testing.assert_allclose(
        policy.log_probs, distributions.masked_log_softmax(logits, mask), rtol=1e-5, atol=1e-5
    )
    np.testing.assert_allclose(policy.probs.sum(1), 1.0, rtol=1e-5)
    found = distributions.logits_gradient(policy, actions, of_log_prob, of_entropy)
    np.testing.assert_allclose(found, jax.grad(total)(logits), atol=2e-4)
    assert not masked or (np.asarray(found)[~legal] == 0).all()
