"""Gradients measured, tamed and followed: norms by layer, clipping by the global norm, Adam."""

# Optax's and JAX's own signatures name types that they do not describe.
# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from optax import ScaleByAdamState, scale_by_adam

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax import Array

__all__ = ["adam_moved", "adam_started", "blocks_of", "clipped", "layer_norms"]

DECAYS = 0.9, 0.999
"""How much of its moments Adam keeps."""
LARGE = 4_096
"""Numbers from which on an array is a block of its own."""


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


def blocks_of(tree: Any) -> tuple[tuple[Array, ...], Callable[[tuple[Array, ...]], Any]]:
    """A tree of arrays as few blocks, and the way back.

    Dozens of small arrays would be dozens of loops for Adam, which take longer to compile and to run; as one vector
    with the large ones, these would be copied in and out at every step. So large arrays stay as they are, and all
    others are one vector, the last block.
    """
    leaves, structure = cast("tuple[list[Array], Any]", jax.tree.flatten(tree))
    large = [leaf.size >= LARGE for leaf in leaves]
    small, small_leaves = ravel_pytree(
        [leaf for leaf, is_large in zip(leaves, large, strict=True) if not is_large]
    )

    def as_tree(blocks: tuple[Array, ...]) -> Any:
        own, rest = iter(blocks[:-1]), iter(small_leaves(blocks[-1]))
        return jax.tree.unflatten(structure, [next(own) if is_large else next(rest) for is_large in large])

    return (*(leaf for leaf, is_large in zip(leaves, large, strict=True) if is_large), small), as_tree


def clipped(gradients: Any, norms: dict[str, Array], limit: float) -> tuple[Any, Array]:
    """A tree scaled down so that its norm, that of all layers together, is at most ``limit``; the norm it had."""
    norm = jnp.sqrt(sum((jnp.square(value) for value in norms.values()), jnp.zeros((), jnp.float32)))
    scale = jnp.minimum(1.0, limit / (norm + 1e-8))

    def scaled(gradient: Array) -> Array:
        return gradient * scale

    return jax.tree.map(scaled, gradients), norm


def adam_started(params: Any) -> ScaleByAdamState:
    """Adam before its first step; moments are those of optax, so that they fit into what it saves and loads."""
    return cast("ScaleByAdamState", scale_by_adam().init(params))


def adam_moved(gradients: Any, state: ScaleByAdamState, epsilon: float) -> tuple[Any, ScaleByAdamState]:
    """Adam's moves for a learning rate of 1, and its state afterwards; gradients and moments are trees of one shape.

    The moves are those of ``optax.scale_by_adam``. The corrections of both moments, which are the same for all numbers,
    are put together first: a number then takes one division instead of three, and Adam's time goes into divisions.
    """
    first, second = DECAYS
    count = cast("Array", state.count) + 1
    steps = count.astype(jnp.float32)
    root = jnp.sqrt(1.0 - second**steps)
    scale = root / (1.0 - first**steps)

    def mean(old: Array, gradient: Array) -> Array:
        return first * old + (1.0 - first) * gradient

    def square(old: Array, gradient: Array) -> Array:
        return second * old + (1.0 - second) * jnp.square(gradient)

    def move(mu: Array, nu: Array) -> Array:
        return scale * mu / (jnp.sqrt(nu) + epsilon * root)

    mu = jax.tree.map(mean, state.mu, gradients)
    nu = jax.tree.map(square, state.nu, gradients)
    return jax.tree.map(move, mu, nu), ScaleByAdamState(count, mu, nu)
