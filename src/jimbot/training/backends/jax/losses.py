"""The loss of PPO on one minibatch, with weights that take padded rows out of every mean."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp
from jax import Array

from jimbot.training.backends.jax import distribution

if TYPE_CHECKING:
    from jimbot.training.backends.jax.types import PPOConfig

__all__ = ["Batch", "Losses", "Slopes", "losses_of", "mean_of", "normalised"]


class Batch(NamedTuple):
    """Steps without order, [batch, …]; ``observations`` are normalised already if they are to be."""

    observations: Any
    actions: Array
    log_probs: Array
    values: Array
    advantages: Array
    returns: Array


class Losses(NamedTuple):
    """What a minibatch says, each a float: ``loss`` is what is minimised, the others are parts and diagnostics."""

    loss: Array
    policy_loss: Array
    value_loss: Array
    entropy: Array
    approx_kl: Array
    clip_fraction: Array


def mean_of(values: Array, weights: Array) -> Array:
    """Mean over the rows of weight 1; weights are float[batch] of zeros and ones."""
    return jnp.sum(values * weights) / jnp.sum(weights)


def normalised(advantages: Array, weights: Array) -> Array:
    """Advantages with mean 0 and (unbiased) standard deviation 1; unchanged if there is only one."""
    count = jnp.sum(weights)
    mean = mean_of(advantages, weights)
    variance = jnp.sum(jnp.square(advantages - mean) * weights) / jnp.maximum(count - 1.0, 1.0)
    scaled = (advantages - mean) / (jnp.sqrt(variance) + 1e-8)
    return jnp.where(count > 1, scaled, advantages)


class Slopes(NamedTuple):
    """Gradient of the loss by the network's outputs: float[batch, num_actions] and float[batch]."""

    logits: Array
    values: Array


def losses_of(
    logits: Array, values: Array, batch: Batch, weights: Array, config: PPOConfig
) -> tuple[Losses, Slopes]:
    """The clipped objective, the value loss and the entropy of a minibatch, and which way they fall.

    The slopes are those that JAX would derive. Written out they share the exponentials, and are a few passes over the
    logits instead of dozens of small ones.

    Args:
        logits: float[batch, num_actions] of the network now.
        values: float[batch] of the network now.
        batch: the steps as collected.
        weights: float[batch], 1 for steps and 0 for padding.
        config: the hyperparameters.
    """
    mask = distribution.mask_of(batch.observations)
    chances = distribution.chances_of(logits, mask)
    advantages = batch.advantages
    if config.normalise_advantages:
        advantages = normalised(advantages, weights)
    log_ratio = distribution.log_prob(chances.log_probs, batch.actions) - batch.log_probs
    # A padded row may hold anything: its ratio must not overflow to infinity, which zero times would not remove.
    log_ratio = jnp.where(weights > 0, log_ratio, 0.0)
    ratio = jnp.exp(log_ratio)
    clipped = jnp.clip(ratio, 1.0 - config.clip_epsilon, 1.0 + config.clip_epsilon)
    gains = jnp.minimum(ratio * advantages, clipped * advantages)
    moves = values - batch.values
    if config.value_clip is not None:
        values = batch.values + jnp.clip(moves, -config.value_clip, config.value_clip)
    errors = values - batch.returns
    shares = weights / jnp.sum(weights)
    # One product for all means: on small networks the number of operations counts, not their size.
    outside = (jnp.abs(ratio - 1.0) > config.clip_epsilon).astype(ratio.dtype)
    rows = jnp.stack([gains, jnp.square(errors), chances.entropy, (ratio - 1.0) - log_ratio, outside])
    gain, error, entropy, divergence, share_outside = rows @ shares
    value_loss = config.value_loss_scale * error
    loss = config.value_coef * value_loss - gain - config.entropy_coef * entropy
    losses = Losses(loss, -gain, value_loss, entropy, divergence, share_outside)

    # A ratio that is cut has no slope; where cutting changes nothing it counts as not cut.
    of_log_prob = -jnp.where(ratio * advantages <= clipped * advantages, ratio * advantages, 0.0) * shares
    of_entropy = -config.entropy_coef * shares
    of_values = 2.0 * config.value_coef * config.value_loss_scale * errors * shares
    if config.value_clip is not None:
        of_values = jnp.where(jnp.abs(moves) <= config.value_clip, of_values, 0.0)
    of_logits = distribution.slope(chances, batch.actions, of_log_prob, of_entropy)
    return losses, Slopes(of_logits if mask is None else jnp.where(mask, of_logits, 0.0), of_values)
