"""The loss of PPO on one minibatch, with weights that take padded rows out of every mean."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp
from jax import Array

from jimbot.training.jax_ppo import distribution

if TYPE_CHECKING:
    from jimbot.training.jax_ppo.types import PPOConfig

__all__ = ["Batch", "Losses", "losses_of", "mean_of", "normalised"]


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


def losses_of(logits: Array, values: Array, batch: Batch, weights: Array, config: PPOConfig) -> Losses:
    """The clipped objective, the value loss and the entropy of a minibatch.

    Args:
        logits: float[batch, num_actions] of the network now.
        values: float[batch] of the network now.
        batch: the steps as collected.
        weights: float[batch], 1 for steps and 0 for padding.
        config: the hyperparameters.
    """
    mask = distribution.mask_of(batch.observations)
    log_probs, entropies = distribution.log_prob_and_entropy(logits, mask, batch.actions)
    advantages = batch.advantages
    if config.normalise_advantages:
        advantages = normalised(advantages, weights)
    log_ratio = log_probs - batch.log_probs
    # A padded row may hold anything: its ratio must not overflow to infinity, which zero times would not remove.
    log_ratio = jnp.where(weights > 0, log_ratio, 0.0)
    ratio = jnp.exp(log_ratio)
    clipped = jnp.clip(ratio, 1.0 - config.clip_epsilon, 1.0 + config.clip_epsilon)
    policy_loss = -mean_of(jnp.minimum(ratio * advantages, clipped * advantages), weights)
    if config.value_clip is not None:
        move = jnp.clip(values - batch.values, -config.value_clip, config.value_clip)
        values = batch.values + move
    value_loss = config.value_loss_scale * mean_of(jnp.square(values - batch.returns), weights)
    entropy = mean_of(entropies, weights)
    loss = policy_loss + config.value_coef * value_loss - config.entropy_coef * entropy
    return Losses(
        loss,
        policy_loss,
        value_loss,
        entropy,
        mean_of((ratio - 1.0) - log_ratio, weights),
        mean_of((jnp.abs(ratio - 1.0) > config.clip_epsilon).astype(ratio.dtype), weights),
    )
