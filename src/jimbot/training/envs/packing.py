"""Observations of many arrays as two or three: what is stored, shuffled and moved is then one block per kind.

Gathering a minibatch from 23 arrays costs 23 small copies and 23 tensors. Packed, it costs three; the network's
inputs are slices of them, which cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from jimbot.networks.packed_observations import FLOATS, INTEGERS, Blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["FLOATS", "INTEGERS", "MASK", "Field", "PackedFields", "Packing"]

MASK = "action_mask"


@dataclass(frozen=True)
class Field:
    """Where one array of an observation lies: block, columns from ``start`` to ``stop``, shape of a row."""

    name: str
    block: str
    start: int
    stop: int
    shape: tuple[int, ...]


class Packing:
    """How the observations of a space are packed. A Box becomes the floats; a Discrete an integer."""

    def __init__(self, space: gymnasium.Space[Any]) -> None:
        self.is_dict = isinstance(space, gymnasium.spaces.Dict)
        parts = space.spaces if isinstance(space, gymnasium.spaces.Dict) else {"observation": space}
        widths = {FLOATS: 0, INTEGERS: 0, MASK: 0}
        fields: list[Field] = []
        for name, part in parts.items():
            block = block_of(name, part)
            shape = part.shape or ()
            size = int(np.prod(shape, dtype=np.int64))
            fields.append(Field(name, block, widths[block], widths[block] + size, tuple(shape)))
            widths[block] += size
        self.fields = tuple(fields)
        self.by_name = {field.name: field for field in fields}
        self.widths = {block: width for block, width in widths.items() if width}
        self.space = gymnasium.spaces.Dict(
            {block: block_space(block, width) for block, width in self.widths.items()}
        )

    @property
    def blocks(self) -> Blocks:
        """Where the fields lie, for networks that take the blocks as they are."""
        floats, integers = (
            {field.name: field.start for field in self.fields if field.block == block}
            for block in (FLOATS, INTEGERS)
        )
        return Blocks(floats, integers, self.widths.get(FLOATS, 0), self.widths.get(INTEGERS, 0))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Packing) and (self.is_dict, self.fields) == (other.is_dict, other.fields)

    def __hash__(self) -> int:
        return hash((self.is_dict, self.fields))

    def empty(self, rows: int) -> dict[str, NDArray[Any]]:
        """Blocks for ``rows`` observations."""
        return {
            block: np.zeros((rows, width), self.space[block].dtype) for block, width in self.widths.items()
        }

    def pack(self, observation: Any, blocks: Mapping[str, NDArray[Any]]) -> None:
        """Copy a batch of observations into blocks."""
        for field in self.fields:
            array = observation[field.name] if self.is_dict else observation
            target = blocks[field.block][:, field.start : field.stop]
            target[...] = array.reshape(target.shape)

    def unpack(self, blocks: Mapping[str, Any]) -> Any:
        """Slices of blocks by name, in the shapes of the space; of arrays or of tensors, nothing is copied."""
        fields = {field.name: sliced(field, blocks) for field in self.fields}
        return fields if self.is_dict else fields["observation"]


class PackedFields(Mapping[str, Any]):
    """The fields of packed observations, each cut out when it is asked for."""

    def __init__(self, packing: Packing, blocks: Mapping[str, Any]) -> None:
        self._fields, self._blocks = packing.by_name, blocks

    def __getitem__(self, name: str) -> Any:
        return sliced(self._fields[name], self._blocks)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def sliced(field: Field, blocks: Mapping[str, Any]) -> Any:
    """One field of blocks, in the shape of the space; of arrays or of tensors, nothing is copied."""
    part = blocks[field.block][:, field.start : field.stop]
    return part if len(field.shape) == 1 else part.reshape(-1, *field.shape)


def block_of(name: str, space: gymnasium.Space[Any]) -> str:
    """Which block an array belongs to."""
    if name == MASK:
        return MASK
    if space.dtype is not None and space.dtype.kind in "iu":
        return INTEGERS
    return FLOATS


def block_space(block: str, width: int) -> gymnasium.spaces.Box:
    """The space of a block."""
    if block == FLOATS:
        return gymnasium.spaces.Box(-np.inf, np.inf, (width,), np.float32)
    if block == MASK:
        return gymnasium.spaces.Box(0, 1, (width,), np.uint8)
    limits = np.iinfo(np.int32)
    return gymnasium.spaces.Box(limits.min, limits.max, (width,), np.int32)
