"""The loss of PPO on one minibatch and its gradient; weights take padded rows out of every mean."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp
from jax import Array

from jimbot.training.backends.jax import distributions

if TYPE_CHECKING:
    from jimbot.training.backends.jax.config import PPOConfig

__all__ = [
    "Batch",
    "Losses",
    "OutputGradients",
    "explained_variance",
    "masked_mean",
    "normalize_advantages",
    "ppo_loss",
]


class Batch(NamedTuple):
    """Steps in any order, [batch, …]; ``observations`` are normalized already if they are to be."""

    observations: Any
    actions: Array
    log_probs: Array
    values: Array
    advantages: Array
    returns: Array


class Losses(NamedTuple):
    """Scalars of a minibatch: ``loss`` is minimized, the others are its parts and diagnostics."""

    loss: Array
    policy_loss: Array
    value_loss: Array
    entropy: Array
    approx_kl: Array
    clip_fraction: Array


class OutputGradients(NamedTuple):
    """Gradient of the loss with respect to the network's outputs: float[batch, num_actions] and float[batch]."""

    logits: Array
    values: Array


def masked_mean(values: Array, weights: Array) -> Array:
    """Mean over the rows of weight 1; weights are float[batch] of zeros and ones."""
    return jnp.sum(values * weights) / jnp.sum(weights)


def normalize_advantages(advantages: Array, weights: Array) -> Array:
    """Advantages with mean 0 and (unbiased) standard deviation 1; unchanged if there is only one."""
    count = jnp.sum(weights)
    mean = masked_mean(advantages, weights)
    variance = jnp.sum(jnp.square(advantages - mean) * weights) / jnp.maximum(count - 1.0, 1.0)
    normalized = (advantages - mean) / (jnp.sqrt(variance) + 1e-8)
    return jnp.where(count > 1, normalized, advantages)


def ppo_loss(
    logits: Array, values: Array, batch: Batch, weights: Array, config: PPOConfig
) -> tuple[Losses, OutputGradients]:
    """The clipped objective, the value loss and the entropy of a minibatch, and the gradient of their sum.

    The gradient is the one that JAX would derive. Written out it shares the exponentials with the loss, and is a few
    passes over the logits instead of dozens of small ones.

    Args:
        logits: float[batch, num_actions] of the current network.
        values: float[batch] of the current network.
        batch: the steps as collected.
        weights: float[batch], 1 for steps and 0 for padding.
        config: the hyperparameters.
    """
    mask = distributions.get_mask(batch.observations)
    policy = distributions.categorical(logits, mask)
    advantages = (
        normalize_advantages(batch.advantages, weights) if config.normalize_advantages else batch.advantages
    )
    log_ratio = distributions.log_prob(policy.log_probs, batch.actions) - batch.log_probs
    # A padded row may hold anything: its ratio must not overflow to infinity, which a weight of zero would not remove.
    log_ratio = jnp.where(weights > 0, log_ratio, 0.0)
    ratio = jnp.exp(log_ratio)
    unclipped = ratio * advantages
    clipped = jnp.clip(ratio, 1.0 - config.clip_epsilon, 1.0 + config.clip_epsilon) * advantages
    value_change = values - batch.values
    if config.value_clip is not None:
        values = batch.values + jnp.clip(value_change, -config.value_clip, config.value_clip)
    errors = values - batch.returns
    mean_weights = weights / jnp.sum(weights)
    # One product for all means: on small networks the number of operations counts, not their size.
    outside = (jnp.abs(ratio - 1.0) > config.clip_epsilon).astype(ratio.dtype)
    rows = jnp.stack(
        [
            jnp.minimum(unclipped, clipped),
            jnp.square(errors),
            policy.entropy,
            (ratio - 1.0) - log_ratio,
            outside,
        ]
    )
    objective, squared_error, entropy, approx_kl, clip_fraction = rows @ mean_weights
    value_loss = config.value_loss_scale * squared_error
    loss = config.value_coef * value_loss - objective - config.entropy_coef * entropy
    losses = Losses(loss, -objective, value_loss, entropy, approx_kl, clip_fraction)

    # A clipped ratio has no gradient; where clipping changes nothing it counts as not clipped.
    log_prob_gradient = -jnp.where(unclipped <= clipped, unclipped, 0.0) * mean_weights
    entropy_gradient = -config.entropy_coef * mean_weights
    value_gradient = 2.0 * config.value_coef * config.value_loss_scale * errors * mean_weights
    if config.value_clip is not None:
        value_gradient = jnp.where(jnp.abs(value_change) <= config.value_clip, value_gradient, 0.0)
    logits_gradient = distributions.logits_gradient(
        policy, batch.actions, log_prob_gradient, entropy_gradient
    )
    if mask is not None:
        logits_gradient = jnp.where(mask, logits_gradient, 0.0)
    return losses, OutputGradients(logits_gradient, value_gradient)


def explained_variance(values: Array, returns: Array, weights: Array) -> Array:
    """1 for values that predict the returns exactly, 0 for values no better than a constant; 0 if returns are equal."""

    def variance(numbers: Array) -> Array:
        return masked_mean(jnp.square(numbers - masked_mean(numbers, weights)), weights)

    total = variance(returns)
    safe = jnp.where(total > 0, total, 1.0)
    return jnp.where(total > 0, 1.0 - variance(returns - values) / safe, 0.0)
