"""The pieces that torch networks are made of: layers, encoders of sets, and how they start."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn

from jimbot.networks.initial import EMBEDDING_SPREAD, HIDDEN_GAIN, VALUE_GAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.networks.layout import EncoderLayout

__all__ = ["ACTIVATIONS", "Layers", "SetEncoder", "embedding", "linear"]

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "tanh": torch.tanh,
    "silu": torch.nn.functional.silu,
}


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
            linear(layout.layers[-1], layout.position, gain=VALUE_GAIN, bias=False)
            if layout.position
            else None
        )
        self._slices = layout.slices
        self.register_buffer("_members", torch.as_tensor(layout.members), persistent=False)
        self.register_buffer("_sizes", torch.tensor(layout.rows, dtype=torch.float32), persistent=False)
        self._activation = ACTIVATIONS[activation]

    def forward(self, rows: Tensor, present: Tensor) -> list[Tensor]:
        """What the trunk gets, each float32[batch, ...].

        Args:
            rows: float32[batch, rows, row_width + embedding], all groups.
            present: float32[batch, rows], 1 for a row that is there.
        """
        members = cast("Tensor", self._members)
        encoded = self.row(rows) * present.unsqueeze(-1)
        counts = present @ members.t()
        mean = (members @ encoded) / counts.clamp(min=1.0).unsqueeze(-1)
        largest = torch.stack([encoded[:, place].amax(1) for place in self._slices], 1)
        filled = (counts / cast("Tensor", self._sizes)).unsqueeze(-1)
        sets = torch.cat([mean, largest, filled], 2)
        outputs = [self._activation(self.set(sets)).flatten(1)]
        if self.position is not None:
            outputs.append(self.position(encoded).flatten(1))
        return outputs
