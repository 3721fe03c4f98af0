"""Observations scaled by what was seen so far: running mean and variance, kept in the state and frozen outside updates.

The statistics stay as they are while a rollout is collected and learned from, so that probabilities at collection and
in the update speak of the same network; the rollout's observations are counted in at the end of the update. Evaluation
never changes them.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import Any, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from jimbot.training.backends.jax.distribution import MASK
from jimbot.training.backends.jax.types import NormaliserState

__all__ = ["create", "normalise", "update"]

LIMIT = 10.0
"""Normalised observations are cut to this many standard deviations."""
SMALLEST_VARIANCE = 1e-8


def name_of(path: tuple[Any, ...]) -> str:
    """A leaf's place in the observation, as words: ``cards/rank``; empty if the observation is one array."""
    return "/".join(str(getattr(part, "key", getattr(part, "idx", part))) for part in path)


def leaves_of(observations: Any) -> dict[str, Array]:
    """The leaves that are normalised, by name."""
    pairs = cast("list[tuple[tuple[Any, ...], Any]]", jax.tree_util.tree_flatten_with_path(observations)[0])
    named = {name_of(path): leaf for path, leaf in pairs}
    return {
        name: leaf
        for name, leaf in named.items()
        if np.issubdtype(np.dtype(leaf.dtype), np.floating) and name.rpartition("/")[2] != MASK
    }


def create(observation: Any, *, enabled: bool) -> NormaliserState:
    """Statistics that change nothing yet. ``observation`` shows the shape of one observation, without a batch."""
    leaves = leaves_of(observation) if enabled else {}
    return NormaliserState(
        jnp.zeros((), jnp.float32),
        {name: jnp.zeros(leaf.shape, jnp.float32) for name, leaf in leaves.items()},
        {name: jnp.ones(leaf.shape, jnp.float32) for name, leaf in leaves.items()},
    )


def normalise(state: NormaliserState, observations: Any) -> Any:
    """Observations [batch, …] with the leaves that have statistics scaled and cut; the others as they are."""
    if not state.mean:
        return observations

    def scaled(path: tuple[Any, ...], leaf: Array) -> Array:
        name = name_of(path)
        if name not in state.mean:
            return leaf
        centred = leaf - state.mean[name]
        return jnp.clip(centred / jnp.sqrt(state.variance[name] + SMALLEST_VARIANCE), -LIMIT, LIMIT)

    return jax.tree_util.tree_map_with_path(scaled, observations)


def update(state: NormaliserState, observations: Any, weights: Array) -> NormaliserState:
    """Count observations [batch, …] in; rows of weight 0 (float[batch]) are left out.

    Means and variances of the old and the new observations are merged, which is exact and does not lose small
    variances beside large means.
    """
    if not state.mean:
        return state
    seen = jnp.sum(weights)
    total = state.seen + seen
    mean: dict[str, Array] = {}
    variance: dict[str, Array] = {}
    for name, leaf in leaves_of(observations).items():
        rows = weights.reshape((-1,) + (1,) * (leaf.ndim - 1))
        new_mean = jnp.sum(leaf * rows, axis=0) / seen
        new_variance = jnp.sum(jnp.square(leaf - new_mean) * rows, axis=0) / seen
        gap = new_mean - state.mean[name]
        share = seen / total
        mean[name] = state.mean[name] + gap * share
        variance[name] = (
            state.variance[name] * (1.0 - share)
            + new_variance * share
            + jnp.square(gap) * share * (1.0 - share)
        )
    return NormaliserState(total, mean, variance)
