"""Gradients measured, tamed and followed: norms by layer, clipping by the global norm, Adam."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import jax
import jax.numpy as jnp
from optax import ScaleByAdamState

if TYPE_CHECKING:
    from jax import Array

__all__ = ["adam_moved", "clipped", "layer_norms"]

DECAYS = 0.9, 0.999
"""How much of its moments Adam keeps."""


def layer_norms(tree: Any) -> dict[str, Array]:
    """Norm of each layer's gradient: weights and biases of one layer count together.

    A layer is named by its path without the outer ``params``: ``actor/hidden_0``.
    """
    pairs = cast("list[tuple[tuple[Any, ...], Array]]", jax.tree_util.tree_flatten_with_path(tree)[0])
    squares: dict[str, Array] = {}
    for path, leaf in pairs:
        words = [str(getattr(part, "key", getattr(part, "idx", part))) for part in path]
        if words and words[0] == "params":
            words = words[1:]
        layer = "/".join(words[:-1]) or "/".join(words) or "all"
        square = jnp.sum(jnp.square(leaf))
        squares[layer] = squares[layer] + square if layer in squares else square
    return {layer: jnp.sqrt(square) for layer, square in squares.items()}


def clipped(gradients: Array, norms: dict[str, Array], limit: float) -> tuple[Array, Array]:
    """The gradient scaled down so that its norm, that of all layers together, is at most ``limit``; the norm it had."""
    norm = jnp.sqrt(sum((jnp.square(value) for value in norms.values()), jnp.zeros((), jnp.float32)))
    return gradients * jnp.minimum(1.0, limit / (norm + 1e-8)), norm


def adam_moved(gradient: Array, state: ScaleByAdamState, epsilon: float) -> tuple[Array, ScaleByAdamState]:
    """Adam's move for a learning rate of 1, and its state afterwards; gradient and moments are vectors.

    The moves are those of ``optax.scale_by_adam``. The corrections of both moments, which are the same for all numbers,
    are put together first: a number then takes one division instead of three, and Adam's time goes into divisions.
    """
    first, second = DECAYS
    count = state.count + 1
    mu = first * cast("Array", state.mu) + (1.0 - first) * gradient
    nu = second * cast("Array", state.nu) + (1.0 - second) * jnp.square(gradient)
    steps = count.astype(jnp.float32)
    root = jnp.sqrt(1.0 - second**steps)
    scale = root / (1.0 - first**steps)
    return scale * mu / (jnp.sqrt(nu) + epsilon * root), ScaleByAdamState(count, mu, nu)
