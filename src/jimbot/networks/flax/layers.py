"""The pieces that flax networks are made of: linear layers, tables, and encoders of sets.

Their gradients are written out where that saves work on a processor: nobody asks for the gradient by what was observed,
and some shapes of matrices multiply several times faster than others.
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

__all__ = ["ACTIVATIONS", "Dense", "Layers", "SetEncoder", "dense", "table"]

ACTIVATIONS: dict[str, Callable[[jax.Array], jax.Array]] = {
    "relu": jax.nn.relu,
    "tanh": jnp.tanh,
    "silu": jax.nn.silu,
}
NARROW = 16
"""Columns up to which the gradient of a weight matrix is computed the other way round."""


@jax.custom_vjp
def product(observed: jax.Array, learned: jax.Array, kernel: jax.Array) -> jax.Array:
    """``[observed, learned] @ kernel``, float32[rows, size], without a gradient by what is observed.

    Args:
        observed: float32[rows, a]; may have no columns.
        learned: float32[rows, b].
        kernel: float32[a + b, size].
    """
    return side_by_side(observed, learned) @ kernel


def side_by_side(observed: jax.Array, learned: jax.Array) -> jax.Array:
    """float32[rows, a + b]."""
    return jnp.concatenate([observed, learned], 1) if observed.shape[1] else learned


def _forward(observed: jax.Array, learned: jax.Array, kernel: jax.Array) -> tuple[jax.Array, Any]:
    return cast("jax.Array", product(observed, learned, kernel)), (observed, learned, kernel)


def _backward(inputs: tuple[jax.Array, ...], gradient: jax.Array) -> tuple[None, jax.Array, jax.Array]:
    observed, learned, kernel = inputs
    values = side_by_side(observed, learned)
    if gradient.shape[1] <= NARROW < values.shape[1]:
        # The barrier keeps the compiler from turning it round again, which takes four times as long.
        of_kernel = jax.lax.optimization_barrier(gradient.T @ values).T
    else:
        of_kernel = values.T @ gradient
    return None, gradient @ kernel[observed.shape[1] :].T, of_kernel


product.defvjp(_forward, _backward)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def pooled(places: tuple[slice, ...], rows: jax.Array, counts: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Mean and maximum of rows by group, float32[batch, groups, width] each.

    The gradient of a maximum is shared by the rows that are equal to it.

    Args:
        places: where each group's rows lie.
        rows: float32[batch, rows, width], 0 where a row is absent.
        counts: float32[batch, groups], rows that are present, at least 1.
    """
    mean = jnp.stack([rows[:, place].sum(1) for place in places], 1) / counts[..., None]
    return mean, jnp.stack([rows[:, place].max(1) for place in places], 1)


def _pooled_forward(places: tuple[slice, ...], rows: jax.Array, counts: jax.Array) -> tuple[Any, Any]:
    mean, largest = cast("tuple[jax.Array, jax.Array]", pooled(places, rows, counts))
    return (mean, largest), (rows, counts, largest)


def _pooled_backward(
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
        # Together with the joining below, every number would look for its group first.
        of_rows.append(jax.lax.optimization_barrier(of_group))
    return jnp.concatenate(of_rows, 1), None


pooled.defvjp(_pooled_forward, _pooled_backward)


class Dense(nn.Module):
    """A linear layer with an orthogonal start."""

    size: int
    gain: float = HIDDEN_GAIN
    bias: bool = True

    @nn.compact
    def __call__(self, learned: jax.Array, observed: jax.Array | None = None) -> jax.Array:
        """float32[..., size], from the observed numbers [..., a] side by side with the learned ones [..., b]."""
        shape = learned.shape[:-1]
        rows = learned.reshape(-1, learned.shape[-1])
        given = rows[:, :0] if observed is None else observed.reshape(rows.shape[0], -1)
        width = given.shape[1] + rows.shape[1]
        start = nn.initializers.orthogonal(self.gain)
        kernel = self.param("kernel", start, (width, self.size))
        values = cast("jax.Array", product(given, rows, kernel))
        if self.bias:
            zeros = nn.initializers.zeros_init()
            values = values + self.param("bias", zeros, (self.size,))
        return values.reshape(*shape, self.size)


def dense(size: int, *, gain: float = HIDDEN_GAIN, bias: bool = True) -> Dense:
    """A linear layer with an orthogonal start."""
    return Dense(size, gain, bias)


def table(rows: int, width: int) -> nn.Embed:
    """A table of identities."""
    return nn.Embed(rows, width, embedding_init=nn.initializers.normal(EMBEDDING_SPREAD))


class Layers(nn.Module):
    """Linear layers, each with the activation after it."""

    widths: tuple[int, ...]
    activation: str

    def setup(self) -> None:
        """The layers."""
        self.layers = [dense(width) for width in self.widths]

    def __call__(self, learned: jax.Array, observed: jax.Array | None = None) -> jax.Array:
        """float32[..., widths[-1]], from observed numbers [..., a] side by side with learned ones [..., b]."""
        if not self.layers:
            return learned if observed is None else jnp.concatenate([observed, learned], -1)
        first, *others = self.layers
        activation = ACTIVATIONS[self.activation]
        values = activation(first(learned, observed))
        for layer in others:
            values = activation(layer(values))
        return values


class SetEncoder(nn.Module):
    """Encodes groups of rows as sets, as its namesake in torch does."""

    layout: EncoderLayout
    activation: str

    def setup(self) -> None:
        """Layers per row, the layer per set, and the projection of positions."""
        self.row = Layers(self.layout.layers, self.activation)
        self.set = dense(self.layout.output)
        if self.layout.position:
            self.position = dense(self.layout.position, gain=VALUE_GAIN, bias=False)

    def __call__(self, numbers: jax.Array, vectors: jax.Array, present: jax.Array) -> list[jax.Array]:
        """What the trunk gets, each float32[batch, ...].

        Args:
            numbers: float32[batch, rows, row_width], all groups.
            vectors: float32[batch, rows, embedding], the rows' identities.
            present: float32[batch, rows], 1 where a row is there.
        """
        batch, count = present.shape
        # As a plain matrix: gradients of layers on more axes are computed through transposed copies.
        rows = self.row(vectors.reshape(batch * count, -1), numbers.reshape(batch * count, -1))
        flat_rows = rows * present.reshape(-1, 1)
        encoded = flat_rows.reshape(batch, count, -1)
        places = self.layout.slices
        counts = jnp.stack([present[:, place].sum(1) for place in places], 1)
        present_rows = jnp.maximum(counts, 1.0)
        mean, largest = cast("tuple[jax.Array, jax.Array]", pooled(places, encoded, present_rows))
        filled = (counts / np.asarray(self.layout.rows, np.float32))[..., None]
        sets = jnp.concatenate([mean, largest, filled], 2).reshape(batch * len(places), -1)
        outputs = [ACTIVATIONS[self.activation](self.set(sets)).reshape(batch, -1)]
        if self.layout.position:
            outputs.append(self.position(flat_rows).reshape(batch, -1))
        return outputs
