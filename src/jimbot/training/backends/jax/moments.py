"""Running statistics inside compiled training, step by step as ``jimbot.networks.normalizer`` keeps them."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from jimbot.networks.normalizer import RunningMoments

if TYPE_CHECKING:
    from jax import Array

__all__ = [
    "EPSILON",
    "LIMIT",
    "Moments",
    "centred",
    "from_running",
    "new_moments",
    "scaled",
    "to_running",
    "updated",
]

LIMIT = 10.0
"""Largest number after scaling; as in ``ObservationNormaliser`` and ``RewardScaler``."""
EPSILON = 1e-8


class Moments(NamedTuple):
    """How many were seen, their mean and the sum of squared deviations; float32, the latter two in one shape."""

    seen: Array
    mean: Array
    squares: Array


def new_moments(shape: tuple[int, ...]) -> Moments:
    """Nothing was seen yet."""
    return Moments(jnp.zeros((), jnp.float32), jnp.zeros(shape, jnp.float32), jnp.zeros(shape, jnp.float32))


def updated(known: Moments, batch: Array) -> Moments:
    """Take in a batch, float32[number, *shape]."""
    count = jnp.float32(batch.shape[0])
    mean = jnp.mean(batch, axis=0)
    squares = jnp.sum(jnp.square(batch - mean), axis=0)
    total, gap = known.seen + count, mean - known.mean
    return Moments(
        total,
        known.mean + gap * (count / total),
        known.squares + squares + jnp.square(gap) * (known.seen * count / total),
    )


def deviation(known: Moments) -> Array:
    """Standard deviation; 1 before anything was seen."""
    variance = jnp.where(known.seen > 0, known.squares / jnp.maximum(known.seen, 1.0), 1.0)
    return jnp.sqrt(variance + EPSILON)


def centred(known: Moments, values: Array) -> Array:
    """Values of mean 0 and variance 1, cut at the limit."""
    return jnp.clip((values - known.mean) / deviation(known), -LIMIT, LIMIT)


def scaled(known: Moments, values: Array) -> Array:
    """Values of variance 1, cut at the limit; the mean stays where it was."""
    return jnp.clip(values / deviation(known), -LIMIT, LIMIT)


def to_running(known: Moments) -> RunningMoments:
    """The same in float64, for a policy file."""
    mean, squares = (np.asarray(part, np.float64) for part in (known.mean, known.squares))
    return RunningMoments(mean.shape, float(known.seen), mean, squares)


def from_running(given: RunningMoments) -> Moments:
    """The statistics of a policy file."""
    parts: tuple[Any, ...] = (given.count, given.mean, given.squares)
    return Moments(*(jnp.asarray(part, jnp.float32) for part in parts))
