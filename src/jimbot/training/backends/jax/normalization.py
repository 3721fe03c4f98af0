"""Running mean and variance in compiled code, as ``jimbot.networks.normalizer`` keeps them in NumPy.

The statistics of observations in ``PPOState`` are frozen while a rollout is collected and learned from, so that the
probabilities at collection and in the update come from the same network; the update counts the rollout in at its end.
The framework's statistics (``backend: jax``) count every step in as it comes, as its other backends do. Evaluation
changes neither.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import Any, NamedTuple, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from jimbot.networks.normalizer import ObservationNormalizer
from jimbot.networks.normalizer import RunningMoments as NumpyMoments
from jimbot.training.backends.jax.distributions import MASK
from jimbot.training.envs.normalized_vector import PLAIN_NAME

__all__ = [
    "RunningMoments",
    "from_numpy_normalizer",
    "init_moments",
    "init_normalizer",
    "normalize",
    "normalize_observations",
    "scale",
    "to_numpy_normalizer",
    "update_moments",
    "update_normalizer",
]

CLIP = 10.0
"""Largest number after scaling; as in ``jimbot.networks.normalizer``."""
EPSILON = 1e-8
"""Added to a variance, so that a constant becomes 0 and not a quotient of zeros."""


class RunningMoments(NamedTuple):
    """Count float32, mean and sum of squared deviations; the latter two are arrays or dictionaries of arrays."""

    count: Array  # pyright: ignore[reportIncompatibleMethodOverride]  the word of the field, not tuple's method
    mean: Any
    squares: Any


# --- statistics of arrays ---------------------------------------------------------------------------------------------


def init_moments(example: Any) -> RunningMoments:
    """Empty statistics for batches of arrays like ``example`` (an array or a dictionary of arrays, without a batch)."""

    def zeros(leaf: Any) -> Array:
        return jnp.zeros(np.shape(leaf), jnp.float32)

    return RunningMoments(
        jnp.zeros((), jnp.float32), jax.tree.map(zeros, example), jax.tree.map(zeros, example)
    )


def update_moments(moments: RunningMoments, batch: Any, weights: Array | None = None) -> RunningMoments:
    """Count a batch [batch, …] in.

    Mean and squares of the old and the new rows are merged, which does not lose small variances beside large means.

    Args:
        moments: the statistics before.
        batch: arrays in the structure of the statistics.
        weights: float[batch], 0 for rows that are left out and 1 for the others; None counts all of them.
    """
    leaves, structure = cast("tuple[list[Array], Any]", jax.tree.flatten(batch))
    if not leaves:
        return moments
    count = jnp.float32(len(leaves[0])) if weights is None else jnp.sum(weights)
    total = moments.count + count
    means: list[Array] = []
    squares: list[Array] = []
    for leaf, mean, square in zip(
        leaves, jax.tree.leaves(moments.mean), jax.tree.leaves(moments.squares), strict=True
    ):
        batch_mean, batch_squares = batch_moments(leaf, weights, count)
        gap = batch_mean - mean
        means.append(mean + gap * (count / total))
        squares.append(square + batch_squares + jnp.square(gap) * (moments.count * count / total))
    return RunningMoments(total, jax.tree.unflatten(structure, means), jax.tree.unflatten(structure, squares))


def batch_moments(batch: Array, weights: Array | None, count: Array) -> tuple[Array, Array]:
    """Mean and sum of squared deviations of the weighted rows of one array [batch, …]."""
    if weights is None:
        mean = jnp.mean(batch, axis=0)
        return mean, jnp.sum(jnp.square(batch - mean), axis=0)
    rows = weights.reshape((-1,) + (1,) * (batch.ndim - 1))
    mean = jnp.sum(batch * rows, axis=0) / count
    return mean, jnp.sum(jnp.square(batch - mean) * rows, axis=0)


def standard_deviation(count: Array, squares: Array) -> Array:
    """Standard deviation; 1 while the statistics are empty."""
    return jnp.sqrt(jnp.where(count > 0, squares / jnp.maximum(count, 1.0), 1.0) + EPSILON)


def normalize(moments: RunningMoments, values: Array) -> Array:
    """Values with mean 0 and variance 1, clipped; ``moments`` are of one array."""
    return _normalize(values, moments.mean, standard_deviation(moments.count, moments.squares))


def scale(moments: RunningMoments, values: Array) -> Array:
    """Values with variance 1, clipped; the mean is not subtracted. ``moments`` are of one array."""
    return jnp.clip(values / standard_deviation(moments.count, moments.squares), -CLIP, CLIP)


def _normalize(values: Array, mean: Array, deviation: Array) -> Array:
    return jnp.clip((values - mean) / deviation, -CLIP, CLIP)


# --- statistics of observations ---------------------------------------------------------------------------------------


def path_name(path: tuple[Any, ...]) -> str:
    """A leaf's path in the observation: ``cards/rank``; empty if the observation is one array."""
    return "/".join(str(getattr(part, "key", getattr(part, "idx", part))) for part in path)


def float_leaves(observations: Any) -> dict[str, Array]:
    """The leaves that are normalized, by path: floating-point arrays that are not the action mask."""
    pairs = cast("list[tuple[tuple[Any, ...], Any]]", jax.tree_util.tree_flatten_with_path(observations)[0])
    named = {path_name(path): leaf for path, leaf in pairs}
    return {
        name: leaf
        for name, leaf in named.items()
        if np.issubdtype(np.dtype(leaf.dtype), np.floating) and name.rpartition("/")[2] != MASK
    }


def init_normalizer(observation: Any, *, enabled: bool) -> RunningMoments:
    """Empty statistics of observations by leaf; ``observation`` is one example, without a batch."""
    return init_moments(float_leaves(observation) if enabled else {})


def normalize_observations(normalizer: RunningMoments, observations: Any) -> Any:
    """Observations [batch, …] with the leaves that have statistics normalized; the others as they are."""
    if not normalizer.mean:
        return observations

    def normalize_leaf(path: tuple[Any, ...], leaf: Array) -> Array:
        name = path_name(path)
        if name not in normalizer.mean:
            return leaf
        deviation = standard_deviation(normalizer.count, normalizer.squares[name])
        return _normalize(leaf, normalizer.mean[name], deviation)

    return jax.tree_util.tree_map_with_path(normalize_leaf, observations)


def update_normalizer(
    normalizer: RunningMoments, observations: Any, weights: Array | None = None
) -> RunningMoments:
    """Count observations [batch, …] in; rows of weight 0 (float[batch]) are left out."""
    return update_moments(normalizer, float_leaves(observations), weights) if normalizer.mean else normalizer


# --- statistics of the policy file ------------------------------------------------------------------------------------


def to_numpy_normalizer(normalizer: RunningMoments) -> ObservationNormalizer:
    """The same statistics in float64, as every backend and the policy file have them."""
    found = ObservationNormalizer({}, clip=CLIP, epsilon=EPSILON)
    for name in normalizer.mean:
        mean, squares = (np.asarray(part[name], np.float64) for part in (normalizer.mean, normalizer.squares))
        found.moments[name or PLAIN_NAME] = NumpyMoments(mean.shape, float(normalizer.count), mean, squares)
    return found


def from_numpy_normalizer(given: ObservationNormalizer, like: RunningMoments) -> RunningMoments:
    """The statistics of a policy file for the leaves of ``like``."""
    moments = {name: given.moments[name or PLAIN_NAME] for name in like.mean}
    count = max((each.count for each in moments.values()), default=0.0)
    return RunningMoments(
        jnp.asarray(count, jnp.float32),
        {name: jnp.asarray(each.mean, jnp.float32) for name, each in moments.items()},
        {name: jnp.asarray(each.squares, jnp.float32) for name, each in moments.items()},
    )
