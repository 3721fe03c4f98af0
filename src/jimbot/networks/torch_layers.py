"""The pieces that torch networks are made of: layers, encoders of sets, and how they start."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.networks.layout import EncoderLayout

__all__ = ["ACTIVATIONS", "Layers", "SetEncoder", "embedding", "linear"]

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "tanh": torch.tanh,
    "silu": torch.nn.functional.silu,
}
HIDDEN_GAIN = math.sqrt(2.0)
EMBEDDING_SPREAD = 0.5
"""Standard deviation of new embeddings: of the order of the features that stand beside them."""


def linear(width: int, size: int, *, gain: float = HIDDEN_GAIN, bias: bool = True) -> nn.Linear:
    """A linear layer with an orthogonal start and no bias to begin with."""
    layer = nn.Linear(width, size, bias=bias)
    nn.init.orthogonal_(layer.weight, gain)
    if bias:
        nn.init.zeros_(layer.bias)
    return layer


def embedding(rows: int, width: int) -> nn.Embedding:
    """A table of identities."""
    table = nn.Embedding(rows, width)
    nn.init.normal_(table.weight, std=EMBEDDING_SPREAD)
    return table


class Layers(nn.Module):
    """Linear layers, each with the activation after it; none at all gives back what it gets."""

    def __init__(self, width: int, widths: tuple[int, ...], activation: str) -> None:
        super().__init__()
        sizes = (width, *widths)
        self.layers = nn.ModuleList(linear(a, b) for a, b in zip(sizes, widths, strict=False))
        self._activation = ACTIVATIONS[activation]

    def forward(self, values: Tensor) -> Tensor:
        """float32[..., width] to float32[..., widths[-1]]."""
        for layer in self.layers:
            values = self._activation(layer(values))
        return values


class SetEncoder(nn.Module):
    """Encodes groups of rows as sets: every row by itself, mean and maximum over the present rows, then one layer.

    Absent rows are 0 after the row layers, so nothing in them matters. With positions, every row also hands a few
    numbers of its own to the trunk: actions that name a position need to know what lies there.
    """

    def __init__(self, layout: EncoderLayout, activation: str) -> None:
        super().__init__()
        self.row = Layers(layout.row_width + layout.embedding, layout.layers, activation)
        self.set = linear(2 * layout.layers[-1] + 1, layout.output)
        self.position = (
            linear(layout.layers[-1], layout.position, gain=1.0, bias=False) if layout.position else None
        )
        self._slices = layout.slices
        self._rows = layout.rows
        self._activation = ACTIVATIONS[activation]

    def forward(self, rows: Tensor, present: Tensor) -> list[Tensor]:
        """What the trunk gets, each float32[batch, ...].

        Args:
            rows: float32[batch, rows, row_width + embedding], all groups.
            present: float32[batch, rows, 1], 1 for a row that is there.
        """
        encoded = self.row(rows) * present
        pooled: list[Tensor] = []
        for place, size in zip(self._slices, self._rows, strict=True):
            single = len(self._rows) == 1
            group = encoded if single else encoded[:, place]
            count = (present if single else present[:, place]).sum(1)
            mean = group.sum(1) / count.clamp(min=1.0)
            pooled += [mean, group.amax(1), count / size]
        sets = torch.cat(pooled, 1)
        if len(self._rows) > 1:
            sets = sets.view(sets.shape[0], len(self._rows), -1)
        outputs = [self._activation(self.set(sets)).flatten(1)]
        if self.position is not None:
            outputs.append(self.position(encoded).flatten(1))
        return outputs
