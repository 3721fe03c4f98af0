"""Packed observations: all floats in one block and all integers in another, so that a batch is two arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FLOATS", "INTEGERS", "Blocks"]

FLOATS = "floats"
INTEGERS = "integers"


class Blocks(NamedTuple):
    """The first column of every field in the float block or the integer block, and the widths of both blocks."""

    floats: Mapping[str, int]
    integers: Mapping[str, int]
    float_width: int
    integer_width: int
