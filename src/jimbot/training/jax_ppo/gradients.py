"""Gradients measured and tamed: norms by layer, and clipping by the global norm."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jax import Array

__all__ = ["clipped", "layer_norms"]


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
