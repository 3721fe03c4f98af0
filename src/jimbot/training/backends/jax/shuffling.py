"""Orders in which the steps of a rollout are visited."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jax import Array

__all__ = ["shuffled_orders"]

PACKED_BITS = 16
"""Largest width of an index that is sorted together with its random bits."""


def shuffled_orders(key: Array, epochs: int, size: int, valid: Array | None = None) -> Array:
    """Random orders of ``size`` steps, int32[epochs, size]; steps that are not valid (bool[size]) come last.

    Sorting is the dear part of shuffling on a CPU. One word that holds random bits above and the index below sorts
    four times faster than pairs of random number and index. Two steps that drew the same random bits, which with 2 048
    steps happens to about one pair, then keep their order.
    """
    width = max(1, (size - 1).bit_length())
    flag = jnp.uint32(1 << 31)
    draws = jax.random.bits(key, (epochs, size), jnp.uint32) & ~flag
    if valid is not None:
        draws = jnp.where(valid, draws, draws | flag)
    if width > PACKED_BITS:
        return jnp.argsort(draws, axis=1).astype(jnp.int32)
    low = jnp.uint32((1 << width) - 1)
    words = (draws & ~low) | jnp.arange(size, dtype=jnp.uint32)
    return (jnp.sort(words, axis=1, stable=False) & low).astype(jnp.int32)
