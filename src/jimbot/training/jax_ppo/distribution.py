"""The categorical distribution over legal actions.

An illegal action has probability zero, takes no part in the entropy, and its logit gets no gradient. A mask without any
legal action (as in an observation after the end of an episode) gives a uniform distribution instead of not-a-number.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import jax
import jax.numpy as jnp
from jax import Array

__all__ = [
    "MASK",
    "entropy",
    "log_prob",
    "log_prob_and_entropy",
    "log_probabilities",
    "mask_of",
    "most_likely",
    "sample",
]

MASK = "action_mask"
"""Key of the mask in a dictionary of observations: 1 or True where an action is legal."""

IMPOSSIBLE = -1e9
"""Logit of an illegal action. Finite, so that zero times it is zero; its exponential is zero in float32."""


def mask_of(observations: Any) -> Array | None:
    """The mask bool[batch, num_actions] inside observations; None if they carry none."""
    if isinstance(observations, Mapping) and MASK in observations:
        return cast("Mapping[str, Array]", observations)[MASK].astype(bool)
    return None


def log_probabilities(logits: Array, mask: Array | None) -> Array:
    """Logarithms of probabilities float[batch, num_actions]."""
    if mask is not None:
        logits = jnp.where(mask, logits, IMPOSSIBLE)
    return jax.nn.log_softmax(logits)


def log_prob(log_probs: Array, actions: Array) -> Array:
    """Logarithm of the probability of each action: float[batch] from float[batch, num_actions] and int[batch].

    Written as a sum, since the gradient of looking a number up is a scatter, which is slow on a CPU.
    """
    taken = jnp.arange(log_probs.shape[1]) == actions[:, None]
    return jnp.sum(jnp.where(taken, log_probs, 0.0), axis=1)


def entropy(log_probs: Array) -> Array:
    """Entropy over the actions that are possible, float[batch]."""
    return -jnp.sum(jnp.exp(log_probs) * log_probs, axis=-1)


def log_prob_and_entropy(logits: Array, mask: Array | None, actions: Array) -> tuple[Array, Array]:
    """``log_prob`` of given actions and ``entropy`` in one, float[batch] each, from logits that may not be masked yet.

    One exponential for each action serves both and their gradients: exponentials are most of what a loss costs.
    """
    if mask is not None:
        logits = jnp.where(mask, logits, IMPOSSIBLE)
    shifted = logits - jax.lax.stop_gradient(jnp.max(logits, axis=1, keepdims=True))
    weights = jnp.exp(shifted)
    total = jnp.sum(weights, axis=1)
    log_total = jnp.log(total)
    return log_prob(shifted, actions) - log_total, log_total - jnp.sum(weights * shifted, axis=1) / total


def sample(key: Array, log_probs: Array) -> Array:
    """Actions int32[batch] drawn from the distribution."""
    noise = jax.random.gumbel(key, log_probs.shape, log_probs.dtype)
    return most_likely(log_probs + noise)


def most_likely(log_probs: Array) -> Array:
    """The most likely action of each row, int32[batch]; of equals the first.

    Written as two plain reductions: one that carries numbers and places together is slow on a CPU.
    """
    count = log_probs.shape[-1]
    highest = jnp.max(log_probs, axis=-1, keepdims=True)
    places = jnp.where(log_probs == highest, jnp.arange(count, dtype=jnp.int32), count - 1)
    return jnp.min(places, axis=-1)
