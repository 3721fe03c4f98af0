"""The categorical distribution over legal actions.

An illegal action has probability zero, takes no part in the entropy, and its logit gets no gradient. A mask without any
legal action (as in an observation after the end of an episode) gives a uniform distribution instead of not-a-number.
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
    "Chances",
    "chances_of",
    "log_prob",
    "log_probabilities",
    "mask_of",
    "most_likely",
    "sample",
    "slope",
]

MASK = "action_mask"
"""Key of the mask in a dictionary of observations: 1 or True where an action is legal."""

IMPOSSIBLE = -1e9
"""Logit of an illegal action. Finite, so that zero times it is zero; its exponential is zero in float32."""


class Chances(NamedTuple):
    """Log-probabilities and probabilities float[batch, num_actions], and entropies float[batch]."""

    log_probs: Array
    probs: Array
    entropy: Array


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


def chances_of(logits: Array, mask: Array | None) -> Chances:
    """The distribution of every row with its entropy, from float[batch, num_actions] that may not be masked yet."""
    if mask is not None:
        logits = jnp.where(mask, logits, IMPOSSIBLE)
    shifted = logits - jnp.max(logits, axis=1, keepdims=True)
    exponentials = jnp.exp(shifted)
    total = jnp.sum(exponentials, axis=1, keepdims=True)
    log_probs = shifted - jnp.log(total)
    probs = exponentials / total
    return Chances(log_probs, probs, -jnp.sum(probs * log_probs, axis=1))


def slope(chances: Chances, actions: Array, of_log_prob: Array, of_entropy: Array) -> Array:
    """Slope by the logits, float[batch, num_actions], of a quantity of which two slopes are known.

    Args:
        chances: the distribution.
        actions: int[batch], those whose log-probability matters.
        of_log_prob: float[batch], the quantity's slope by that log-probability.
        of_entropy: float[batch], its slope by the entropy.
    """
    taken = jnp.arange(chances.probs.shape[1]) == actions[:, None]
    surprise = chances.log_probs + chances.entropy[:, None]
    common = of_log_prob[:, None] + of_entropy[:, None] * surprise
    return jnp.where(taken, of_log_prob[:, None], 0.0) - chances.probs * common


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
