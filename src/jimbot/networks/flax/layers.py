"""The layers of the flax networks: linear layers, embedding tables, and set encoders.

Some gradients are written by hand, which saves time on a CPU: no gradient is needed with respect to observations, and
some matrix shapes multiply several times faster than others.
"""

# Flax's and JAX's own signatures name types that they do not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from jimbot.networks.initialization import EMBEDDING_SPREAD, HIDDEN_GAIN, VALUE_GAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.networks.layout import EncoderLayout

__all__ = ["ACTIVATIONS", "Dense", "Layers", "SetEncoder", "make_dense", "make_table"]

ACTIVATIONS: dict[str, Callable[[jax.Array], jax.Array]] = {
    "relu": jax.nn.relu,
    "tanh": jnp.tanh,
    "silu": jax.nn.silu,
}
NARROW = 16
"""Gradients of weight matrices with at most this many columns are computed as a transposed product."""


@jax.custom_vjp
def multiply_inputs(observed: jax.Array, learned: jax.Array, kernel: jax.Array) -> jax.Array:
    """Return ``[observed, learned] @ kernel``, float32[rows, size], without a gradient with respect to ``observed``.

    Args:
        observed: Inputs taken from observations, float32[rows, a]; ``a`` may be 0.
        learned: Inputs that depend on parameters, float32[rows, b].
        kernel: The weights, float32[a + b, size].
    """
    return concatenate_columns(observed, learned) @ kernel


def concatenate_columns(observed: jax.Array, learned: jax.Array) -> jax.Array:
    """Return both matrices side by side, float32[rows, a + b]."""
    return jnp.concatenate([observed, learned], 1) if observed.shape[1] else learned


def _forward(observed: jax.Array, learned: jax.Array, kernel: jax.Array) -> tuple[jax.Array, Any]:
    return cast("jax.Array", multiply_inputs(observed, learned, kernel)), (observed, learned, kernel)


def _backward(inputs: tuple[jax.Array, ...], gradient: jax.Array) -> tuple[None, jax.Array, jax.Array]:
    observed, learned, kernel = inputs
    values = concatenate_columns(observed, learned)
    if gradient.shape[1] <= NARROW < values.shape[1]:
        # The barrier keeps the compiler from undoing the transposition, which would take four times as long.
        of_kernel = jax.lax.optimization_barrier(gradient.T @ values).T
    else:
        of_kernel = values.T @ gradient
    return None, gradient @ kernel[observed.shape[1] :].T, of_kernel


multiply_inputs.defvjp(_forward, _backward)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def pool_groups(places: tuple[slice, ...], rows: jax.Array, counts: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the mean and the maximum of each group of rows, float32[batch, groups, width] each.

    Rows that tie for the maximum share its gradient.

    Args:
        places: The rows of each group.
        rows: float32[batch, rows, width], 0 where a row is absent.
        counts: Rows present in each group, at least 1: float32[batch, groups].
    """
    mean = jnp.stack([rows[:, place].sum(1) for place in places], 1) / counts[..., None]
    return mean, jnp.stack([rows[:, place].max(1) for place in places], 1)


def _pool_groups_forward(places: tuple[slice, ...], rows: jax.Array, counts: jax.Array) -> tuple[Any, Any]:
    mean, largest = cast("tuple[jax.Array, jax.Array]", pool_groups(places, rows, counts))
    return (mean, largest), (rows, counts, largest)


def _pool_groups_backward(
    places: tuple[slice, ...], inputs: tuple[jax.Array, ...], gradients: tuple[jax.Array, ...]
) -> tuple[jax.Array, None]:
    rows, counts, largest = inputs
    of_mean, of_largest = gradients
    of_rows: list[jax.Array] = []
    for number, place in enumerate(places):
        equal = rows[:, place] == largest[:, number : number + 1]
        share = of_largest[:, number] / equal.sum(1)
        every = of_mean[:, number] / counts[:, number, None]
        of_group = every[:, None] + jnp.where(equal, share[:, None], 0.0)
        # If the compiler fused this with the concatenation below, every element would look up its group first.
        of_rows.append(jax.lax.optimization_barrier(of_group))
    return jnp.concatenate(of_rows, 1), None


pool_groups.defvjp(_pool_groups_forward, _pool_groups_backward)


class Dense(nn.Module):
    """A linear layer with orthogonal initialization."""

    size: int
    gain: float = HIDDEN_GAIN
    bias: bool = True

    @nn.compact
    def __call__(self, learned: jax.Array, observed: jax.Array | None = None) -> jax.Array:
        """Map observed inputs [..., a] and learned inputs [..., b] to float32[..., size]."""
        shape = learned.shape[:-1]
        rows = learned.reshape(-1, learned.shape[-1])
        given = rows[:, :0] if observed is None else observed.reshape(rows.shape[0], -1)
        width = given.shape[1] + rows.shape[1]
        start = nn.initializers.orthogonal(self.gain)
        kernel = self.param("kernel", start, (width, self.size))
        values = cast("jax.Array", multiply_inputs(given, rows, kernel))
        if self.bias:
            zeros = nn.initializers.zeros_init()
            values = values + self.param("bias", zeros, (self.size,))
        return values.reshape(*shape, self.size)


def make_dense(size: int, *, gain: float = HIDDEN_GAIN, bias: bool = True) -> Dense:
    """Create a linear layer with orthogonal initialization."""
    return Dense(size, gain, bias)


def make_table(rows: int, width: int) -> nn.Embed:
    """Create an embedding table."""
    return nn.Embed(rows, width, embedding_init=nn.initializers.normal(EMBEDDING_SPREAD))


class Layers(nn.Module):
    """Linear layers, each followed by the activation."""

    widths: tuple[int, ...]
    activation: str

    def setup(self) -> None:
        """Create the layers."""
        self.layers = [make_dense(width) for width in self.widths]

    def __call__(self, learned: jax.Array, observed: jax.Array | None = None) -> jax.Array:
        """Map observed inputs [..., a] and learned inputs [..., b] to float32[..., widths[-1]]."""
        if not self.layers:
            return learned if observed is None else jnp.concatenate([observed, learned], -1)
        first, *others = self.layers
        activation = ACTIVATIONS[self.activation]
        values = activation(first(learned, observed))
        for layer in others:
            values = activation(layer(values))
        return values


class SetEncoder(nn.Module):
    """Encodes groups of rows as sets, like the class of the same name in ``networks.torch``."""

    layout: EncoderLayout
    activation: str

    def setup(self) -> None:
        """Create the layers per row, the layer per set, and the projection of positions."""
        self.row = Layers(self.layout.layers, self.activation)
        self.set = make_dense(self.layout.output)
        if self.layout.position:
            self.position = make_dense(self.layout.position, gain=VALUE_GAIN, bias=False)

    def __call__(self, numbers: jax.Array, vectors: jax.Array, present: jax.Array) -> list[jax.Array]:
        """Return the inputs of the trunk, each float32[batch, ...].

        Args:
            numbers: The features of all rows, float32[batch, rows, row_width].
            vectors: The embedded identities of the rows, float32[batch, rows, embedding].
            present: 1 where a row is present, float32[batch, rows].
        """
        batch, count = present.shape
        # One matrix: with more axes, gradients of the layers are computed from transposed copies.
        rows = self.row(vectors.reshape(batch * count, -1), numbers.reshape(batch * count, -1))
        flat_rows = rows * present.reshape(-1, 1)
        encoded = flat_rows.reshape(batch, count, -1)
        places = self.layout.slices
        counts = jnp.stack([present[:, place].sum(1) for place in places], 1)
        present_rows = jnp.maximum(counts, 1.0)
        mean, largest = cast("tuple[jax.Array, jax.Array]", pool_groups(places, encoded, present_rows))
        filled = (counts / np.asarray(self.layout.rows, np.float32))[..., None]
        sets = jnp.concatenate([mean, largest, filled], 2).reshape(batch * len(places), -1)
        outputs = [ACTIVATIONS[self.activation](self.set(sets)).reshape(batch, -1)]
        if self.layout.position:
            outputs.append(self.position(flat_rows).reshape(batch, -1))
        return outputs
