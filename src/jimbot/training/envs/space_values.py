"""Values of spaces: whether they belong to them and why not, copies, comparisons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["array_mismatch", "copied", "mismatches", "same", "shape_of"]


def mismatches(name: str, space: gymnasium.Space[Any], value: Any) -> list[str]:
    """Why a value is not of a space, in words; nothing for the parts that are."""
    if isinstance(space, gymnasium.spaces.Dict):
        if not isinstance(value, dict):
            return [f"{name} is {type(value).__name__}, expected dict"]
        given = cast("dict[str, Any]", value)
        texts = [f"{name} lacks '{key}'" for key in sorted(set(space.spaces) - set(given))]
        texts += [
            f"{name} has '{key}', which its space lacks" for key in sorted(set(given) - set(space.spaces))
        ]
        for key in space.spaces:
            if key in given:
                texts += mismatches(f"{name}['{key}']", space.spaces[key], given[key])
        return texts
    if not isinstance(space, gymnasium.spaces.Box):
        return [] if space.contains(value) else [f"{name} is {shape_of(value)}, which is not of {space}"]
    if not isinstance(value, (np.ndarray, np.generic)):
        return [f"{name} is {type(value).__name__}, expected an array"]
    return (
        []
        if space.contains(cast("Any", value))
        else [array_mismatch(name, space, cast("NDArray[Any]", value))]
    )


def array_mismatch(name: str, space: gymnasium.spaces.Box, array: NDArray[Any]) -> str:
    """Why an array is not of a box."""
    if array.shape != space.shape:
        return f"{name} has shape {array.shape}, expected {space.shape}"
    if not np.can_cast(array.dtype, space.dtype):
        return f"{name} has type {array.dtype}, expected {space.dtype}"
    if np.issubdtype(array.dtype, np.floating) and not np.isfinite(array).all():
        return f"{name} holds values that are not finite"
    return f"{name} leaves its bounds: {array.min()} to {array.max()}"


def shape_of(value: Any) -> str:
    """A value's kind, in words."""
    if isinstance(value, (tuple, list)):
        items = cast("tuple[Any, ...]", value)
        return f"{type(items).__name__} of {len(items)}"
    return type(value).__name__


def copied(value: Any) -> Any:
    """A copy that later steps cannot change."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in cast("Mapping[Any, Any]", value).items()}
    return np.array(cast("Any", value)) if isinstance(value, np.ndarray) else value


def same(one: Any, other: Any) -> bool:
    """Whether two observations, rewards or ends are equal; not-a-number equals itself."""
    if isinstance(one, dict) and isinstance(other, dict):
        first, second = cast("dict[Any, Any]", one), cast("dict[Any, Any]", other)
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    left, right = cast("Any", one), other
    try:
        return bool(np.array_equal(left, right, equal_nan=True))
    except TypeError:
        return bool(np.array_equal(left, right))
