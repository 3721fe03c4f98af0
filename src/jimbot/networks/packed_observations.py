"""Packed observations: all floats in one block, all integers in another, so that a batch is two arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FLOATS", "INTEGERS", "Blocks"]

FLOATS = "floats"
INTEGERS = "integers"


class Blocks(NamedTuple):
    """Where fields lie: those of floats and those of integers with their first columns, and how wide the blocks are."""

    floats: Mapping[str, int]
    integers: Mapping[str, int]
    float_width: int
    integer_width: int
