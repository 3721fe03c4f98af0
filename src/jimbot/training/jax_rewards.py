"""Rewards scaled by the spread of discounted returns, inside compiled training."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jax import Array

__all__ = ["RewardStatistics", "new_statistics", "scaled_rewards"]

LIMIT = 10.0
"""Largest scaled reward; as in ``jimbot.networks.RewardScaler``."""
EPSILON = 1e-8


class RewardStatistics(NamedTuple):
    """What is known of returns: how many were seen, their mean and sum of squared deviations, and those running."""

    seen: Array
    """float32."""
    mean: Array
    """float32."""
    squares: Array
    """float32."""
    running: Array
    """float32[num_envs]: discounted sums of the rewards of the present episodes."""


def new_statistics(num_envs: int) -> RewardStatistics:
    """Nothing is known yet."""
    zero = jnp.zeros((), jnp.float32)
    return RewardStatistics(zero, zero, zero, jnp.zeros(num_envs, jnp.float32))


def scaled_rewards(
    known: RewardStatistics, rewards: Array, ended: Array, gamma: float
) -> tuple[RewardStatistics, Array]:
    """Count the returns of a rollout in, then divide its rewards by the deviation of all returns.

    ``jimbot.networks.RewardScaler`` does the same step by step; here the whole rollout is seen first.

    Args:
        known: what was known before.
        rewards: float32[steps, num_envs].
        ended: bool[steps, num_envs], where an episode was over with the step.
        gamma: the discount.
    """

    def step(running: Array, inputs: tuple[Array, Array]) -> tuple[Array, Array]:
        reward, over = inputs
        total = running * gamma + reward
        return jnp.where(over, 0.0, total), total

    running, returns = jax.lax.scan(step, known.running, (rewards, ended))
    count = jnp.float32(returns.size)
    mean = jnp.mean(returns)
    total, gap = known.seen + count, mean - known.mean
    squares = known.squares + jnp.sum(jnp.square(returns - mean))
    squares = squares + jnp.square(gap) * known.seen * count / total
    new = RewardStatistics(total, known.mean + gap * count / total, squares, running)
    return new, jnp.clip(rewards / jnp.sqrt(squares / total + EPSILON), -LIMIT, LIMIT)
