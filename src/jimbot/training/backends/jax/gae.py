"""Generalised advantage estimation, by a scan backward through time."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jax import Array

    from jimbot.training.backends.jax.types import Rollout

__all__ = ["advantages_and_returns", "temporal_difference_errors"]


def temporal_difference_errors(rollout: Rollout, gamma: float) -> Array:
    """``r + gamma V(s') - V(s)``, float[steps, num_envs].

    V(s') is zero after a termination. After a truncation it is the value of the episode's last observation, not of
    the first observation of the next episode, which is what the rollout holds at the following step.
    """
    following = jnp.concatenate([rollout.values[1:], rollout.last_values[None]])
    next_values = jnp.where(rollout.truncated, rollout.final_values, following)
    next_values = jnp.where(rollout.terminated, 0.0, next_values)
    return rollout.rewards + gamma * next_values - rollout.values


def advantages_and_returns(rollout: Rollout, gamma: float, gae_lambda: float) -> tuple[Array, Array]:
    """Advantages and value targets (advantage plus value), both float[steps, num_envs].

    Sums of discounted errors stop at the end of an episode, of whichever kind.
    """
    errors = temporal_difference_errors(rollout, gamma)
    carries_on = gamma * gae_lambda * (1.0 - (rollout.terminated | rollout.truncated))

    def backward(later: Array, inputs: tuple[Array, Array]) -> tuple[Array, Array]:
        error, factor = inputs
        advantage = error + factor * later
        return advantage, advantage

    _, advantages = jax.lax.scan(
        backward, jnp.zeros_like(errors[-1]), (errors, carries_on.astype(errors.dtype)), reverse=True
    )
    return advantages, advantages + rollout.values
