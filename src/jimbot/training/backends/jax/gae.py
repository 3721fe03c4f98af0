"""Generalized advantage estimation by a reverse scan."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jax import Array

    from jimbot.training.backends.jax.state import Rollout

__all__ = ["compute_advantages", "td_errors"]


def td_errors(rollout: Rollout, gamma: float) -> Array:
    """``r + gamma V(s') - V(s)``, float[steps, num_envs].

    V(s') is zero after a termination. After a truncation it is the value of the episode's last observation, not of
    the first observation of the next episode, which is what the rollout holds at the following step.
    """
    following = jnp.concatenate([rollout.values[1:], rollout.last_values[None]])
    next_values = jnp.where(rollout.truncated, rollout.final_values, following)
    next_values = jnp.where(rollout.terminated, 0.0, next_values)
    return rollout.rewards + gamma * next_values - rollout.values


def compute_advantages(rollout: Rollout, gamma: float, gae_lambda: float) -> tuple[Array, Array]:
    """Advantages and value targets (advantage plus value), both float[steps, num_envs].

    Sums of discounted errors stop at the end of an episode, whether it terminated or was truncated.
    """
    errors = td_errors(rollout, gamma)
    discounts = gamma * gae_lambda * (1.0 - (rollout.terminated | rollout.truncated))

    def backward(later: Array, inputs: tuple[Array, Array]) -> tuple[Array, Array]:
        error, discount = inputs
        advantage = error + discount * later
        return advantage, advantage

    _, advantages = jax.lax.scan(
        backward, jnp.zeros_like(errors[-1]), (errors, discounts.astype(errors.dtype)), reverse=True
    )
    return advantages, advantages + rollout.values
