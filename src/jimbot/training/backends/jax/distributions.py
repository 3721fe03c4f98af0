"""The categorical distribution over legal actions.

An illegal action has probability zero, takes no part in the entropy, and its logit gets no gradient. A mask without any
legal action (as in an observation after the end of an episode) gives a uniform distribution instead of NaN.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, cast

import jax
import jax.numpy as jnp
from jax import Array

__all__ = [
    "MASK",
    "Categorical",
    "categorical",
    "get_mask",
    "log_prob",
    "logits_gradient",
    "masked_log_softmax",
    "mode",
    "sample",
]

MASK = "action_mask"
"""Key of the mask in a dictionary of observations: 1 or True where an action is legal."""

ILLEGAL = -1e9
"""Logit of an illegal action. Finite, so that zero times it is zero; its exponential is zero in float32."""


class Categorical(NamedTuple):
    """Log-probabilities and probabilities float[batch, num_actions], and entropies float[batch]."""

    log_probs: Array
    probs: Array
    entropy: Array


def get_mask(observations: Any) -> Array | None:
    """The mask bool[batch, num_actions] inside observations; None if they carry none."""
    if isinstance(observations, Mapping) and MASK in observations:
        return cast("Mapping[str, Array]", observations)[MASK].astype(bool)
    return None


def masked_log_softmax(logits: Array, mask: Array | None) -> Array:
    """Log-probabilities float[batch, num_actions]."""
    return jax.nn.log_softmax(masked(logits, mask))


def masked(logits: Array, mask: Array | None) -> Array:
    """Logits with those of illegal actions replaced."""
    return logits if mask is None else jnp.where(mask, logits, ILLEGAL)


def log_prob(log_probs: Array, actions: Array) -> Array:
    """Log-probability of each action: float[batch] from float[batch, num_actions] and int[batch].

    Written as a sum, since the gradient of a lookup is a scatter, which is slow on a CPU.
    """
    taken = jnp.arange(log_probs.shape[1]) == actions[:, None]
    return jnp.sum(jnp.where(taken, log_probs, 0.0), axis=1)


def categorical(logits: Array, mask: Array | None) -> Categorical:
    """The distribution of every row with its entropy, from unmasked logits float[batch, num_actions]."""
    logits = masked(logits, mask)
    shifted = logits - jnp.max(logits, axis=1, keepdims=True)
    exponentials = jnp.exp(shifted)
    total = jnp.sum(exponentials, axis=1, keepdims=True)
    log_probs = shifted - jnp.log(total)
    probs = exponentials / total
    return Categorical(log_probs, probs, -jnp.sum(probs * log_probs, axis=1))


def logits_gradient(
    distribution: Categorical, actions: Array, log_prob_gradient: Array, entropy_gradient: Array
) -> Array:
    """Gradient with respect to the logits, float[batch, num_actions], by the chain rule.

    Args:
        distribution: the policy.
        actions: int[batch].
        log_prob_gradient: float[batch], gradient with respect to the log-probabilities of the actions.
        entropy_gradient: float[batch], gradient with respect to the entropies.
    """
    taken = jnp.arange(distribution.probs.shape[1]) == actions[:, None]
    surprise = distribution.log_probs + distribution.entropy[:, None]
    common = log_prob_gradient[:, None] + entropy_gradient[:, None] * surprise
    return jnp.where(taken, log_prob_gradient[:, None], 0.0) - distribution.probs * common


def sample(key: Array, log_probs: Array) -> Array:
    """Actions int32[batch] drawn from the distribution."""
    noise = jax.random.gumbel(key, log_probs.shape, log_probs.dtype)
    return mode(log_probs + noise)


def mode(log_probs: Array) -> Array:
    """The most likely action of each row, int32[batch]; the first one of equals.

    Written as two plain reductions: an argmax, which reduces values and indices together, is slow on a CPU.
    """
    count = log_probs.shape[-1]
    highest = jnp.max(log_probs, axis=-1, keepdims=True)
    places = jnp.where(log_probs == highest, jnp.arange(count, dtype=jnp.int32), count - 1)
    return jnp.min(places, axis=-1)
