"""Building blocks of torch networks: layers and set encoders, with their initialization."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from jimbot.networks.initialization import EMBEDDING_SPREAD, HIDDEN_GAIN, VALUE_GAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.networks.layout import EncoderLayout

__all__ = ["ACTIVATIONS", "Layers", "SetEncoder", "is_traced", "make_embedding", "make_linear"]

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "tanh": torch.tanh,
    "silu": torch.nn.functional.silu,
}


def make_linear(width: int, size: int, *, gain: float = HIDDEN_GAIN, bias: bool = True) -> nn.Linear:
    """Create a linear layer with orthogonal weights and zero bias."""
    layer = nn.Linear(width, size, bias=bias)
    nn.init.orthogonal_(layer.weight, gain)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def make_embedding(rows: int, width: int) -> nn.Embedding:
    """Create an embedding table with normal weights."""
    table = nn.Embedding(rows, width)
    nn.init.normal_(table.weight, std=EMBEDDING_SPREAD)
    return table


class Layers(nn.Module):
    """Linear layers, each followed by the activation; without layers, the identity."""

    def __init__(self, width: int, widths: tuple[int, ...], activation: str) -> None:
        super().__init__()
        sizes = (width, *widths)
        self.layers = nn.ModuleList(make_linear(a, b) for a, b in zip(sizes, widths, strict=False))
        self._activation = ACTIVATIONS[activation]

    def forward(self, values: Tensor) -> Tensor:
        """Map float32[..., width] to float32[..., widths[-1]]."""
        for layer in self.layers:
            values = self._activation(layer(values))
        return values


class SetEncoder(nn.Module):
    """Encodes groups of rows as sets: per-row layers, mean and maximum over the present rows, then one layer.

    Absent rows count as 0 after the row layers, so nothing in them matters, and they cost nothing. With positions,
    every row also hands a few numbers of its own to the trunk: actions that name a position need to know what lies
    there.
    """

    def __init__(self, layout: EncoderLayout, activation: str) -> None:
        super().__init__()
        self.row = Layers(layout.row_width + layout.embedding, layout.layers, activation)
        self.set = make_linear(2 * layout.layers[-1] + 1, layout.output)
        self.position = (
            make_linear(layout.layers[-1], layout.position, gain=VALUE_GAIN, bias=False)
            if layout.position
            else None
        )
        self._slices = layout.slices
        members = torch.as_tensor(layout.members)
        self.register_buffer("_members", members, persistent=False)
        self.register_buffer("_group_of", members.argmax(0), persistent=False)
        self.register_buffer("_sizes", torch.tensor(layout.rows, dtype=torch.float32), persistent=False)
        self._activation = ACTIVATIONS[activation]

    def forward(self, numbers: Tensor, present: Tensor, table: nn.Embedding, places: Tensor) -> list[Tensor]:
        """Return the inputs of the trunk, each float32[batch, ...].

        Args:
            numbers: float32[batch, rows, row_width], all groups.
            present: bool[batch, rows], whether a row is there.
            table: the identities' vectors.
            places: int64[batch, rows], each row's identity in the table.
        """
        counts = present.to(numbers.dtype) @ cast("Tensor", self._members).t()
        if is_traced():
            mean, largest, positions = self._encode_all(numbers, present, table, places, counts)
        else:
            mean, largest, positions = self._encode_present(numbers, present, table, places, counts)
        filled = (counts / cast("Tensor", self._sizes)).unsqueeze(-1)
        outputs = [self._activation(self.set(torch.cat([mean, largest, filled], 2))).flatten(1)]
        if positions is not None:
            outputs.append(positions)
        return outputs

    def _encode_present(
        self, numbers: Tensor, present: Tensor, table: nn.Embedding, places: Tensor, counts: Tensor
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Run only the present rows through the layers, usually a small part of all rows."""
        batch, total = present.shape
        groups = counts.shape[1]
        where = present.reshape(-1).nonzero().squeeze(1)
        vectors = table(places.reshape(-1).index_select(0, where))
        encoded = self.row(torch.cat([numbers.reshape(batch * total, -1).index_select(0, where), vectors], 1))
        row = where // total
        group = row * groups + cast("Tensor", self._group_of).index_select(0, where - row * total)
        floor = torch.where(counts < cast("Tensor", self._sizes), 0.0, -torch.inf)
        pool = cast("Any", PoolRows)
        mean, largest = cast(
            "tuple[Tensor, Tensor]",
            pool.apply(encoded, group, counts.reshape(-1, 1), floor.reshape(-1, 1)),
        )
        positions = None
        if self.position is not None:
            own = self.position(encoded)
            positions = own.new_zeros(batch * total, own.shape[1]).index_copy(0, where, own).view(batch, -1)
        return mean.view(batch, groups, -1), largest.view(batch, groups, -1), positions

    def _encode_all(
        self, numbers: Tensor, present: Tensor, table: nn.Embedding, places: Tensor, counts: Tensor
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Run all rows through the layers, with shapes that do not depend on the data, for traced networks."""
        encoded = self.row(torch.cat([numbers, table(places)], 2)) * present.to(numbers.dtype).unsqueeze(-1)
        mean = (cast("Tensor", self._members) @ encoded) / counts.clamp(min=1.0).unsqueeze(-1)
        largest = torch.stack([encoded[:, place].amax(1) for place in self._slices], 1)
        return mean, largest, None if self.position is None else self.position(encoded).flatten(1)


def is_traced() -> bool:
    """Return whether the network is being compiled or traced, so that shapes must not depend on the data."""
    return torch.compiler.is_compiling() or torch.jit.is_tracing()  # type: ignore[no-untyped-call]


class PoolRows(torch.autograd.Function):
    """Mean and maximum of rows by group. The gradient of a maximum is split equally among tied rows."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any, rows: Tensor, group: Tensor, counts: Tensor, floor: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return mean and maximum, both float32[groups, width].

        Args:
            ctx: keeps what the gradient needs.
            rows: float32[rows, width].
            group: int64[rows], the group of each row.
            counts: float32[groups, 1], rows of each group.
            floor: float32[groups, 1], what the maximum is at least.
        """
        sizes = counts.clamp(min=1.0)
        sums = rows.new_zeros(len(counts), rows.shape[1]).index_add_(0, group, rows)
        largest = floor.repeat(1, rows.shape[1])
        largest.scatter_reduce_(0, group.unsqueeze(1).expand_as(rows), rows, "amax")
        ctx.save_for_backward(rows, group, sizes, largest)
        return sums / sizes, largest

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, *gradients: Any
    ) -> tuple[Tensor, None, None, None]:
        """Return the gradient of the rows, float32[rows, width]."""
        rows, group, sizes, largest = ctx.saved_tensors
        of_mean, of_largest = gradients
        equal = (rows == largest.index_select(0, group)).to(rows.dtype)
        ties = torch.zeros_like(largest).index_add_(0, group, equal)
        shared = (of_largest / ties.clamp_(min=1.0)).index_select(0, group)
        return (of_mean / sizes).index_select(0, group).addcmul_(equal, shared), None, None, None
