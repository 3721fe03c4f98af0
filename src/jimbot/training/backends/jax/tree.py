"""States as plain trees of NumPy arrays, and back: what a checkpoint stores, bit for bit."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

import jax
import jax.numpy as jnp
import numpy as np

from jimbot.errors import JimbotError
from jimbot.storage.atomic import atomic_file

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = ["flat_arrays", "from_tree", "load_arrays", "save_arrays", "state_tree"]

State = TypeVar("State")


def state_tree(state: Any) -> Any:
    """A state (named tuples, tuples, dictionaries, arrays) as nested dictionaries of NumPy arrays."""
    if hasattr(state, "_asdict"):
        return {name: state_tree(part) for name, part in state._asdict().items()}
    if isinstance(state, dict):
        return {str(name): state_tree(part) for name, part in cast("dict[Any, Any]", state).items()}
    if isinstance(state, (tuple, list)):
        parts = cast("tuple[Any, ...]", state)
        return {str(number): state_tree(part) for number, part in enumerate(parts)}
    return np.array(state)


def flat_arrays(tree: Any) -> dict[str, NDArray[Any]]:
    """A tree of ``state_tree`` as one dictionary; names are joined by slashes."""
    found: dict[str, NDArray[Any]] = {}

    def visit(prefix: str, part: Any) -> None:
        if isinstance(part, dict):
            for name, inner in cast("dict[str, Any]", part).items():
                visit(f"{prefix}/{name}" if prefix else name, inner)
        else:
            found[prefix] = np.asarray(part)

    visit("", tree)
    return found


def from_tree(tree: Any, like: State) -> State:
    """The state that ``state_tree`` took apart.

    Args:
        tree: nested dictionaries, or the one dictionary of ``flat_arrays``.
        like: a state of the same kind (a fresh one), which says how to put the arrays together.

    Raises:
        JimbotError: an array is missing, is too many, or has another shape or type.
    """
    given = flat_arrays(tree)
    expected = flat_arrays(state_tree(like))
    if given.keys() != expected.keys():
        missing, extra = sorted(expected.keys() - given.keys()), sorted(given.keys() - expected.keys())
        raise JimbotError(
            f"the saved state does not fit: missing {missing}, unknown {extra}; expected the same network"
        )
    for name, array in expected.items():
        other = given[name]
        if (array.shape, array.dtype) != (other.shape, other.dtype):
            raise JimbotError(
                f"the saved state does not fit: {name} is {other.dtype}{list(other.shape)}, "
                f"expected {array.dtype}{list(array.shape)}"
            )
    arrays = iter(given[name] for name in expected)
    return cast("State", rebuilt(like, arrays))


def rebuilt(like: Any, arrays: Any) -> Any:
    """``like`` with its arrays replaced one after another, in the order of ``state_tree``."""
    if hasattr(like, "_asdict"):
        return type(like)(*(rebuilt(part, arrays) for part in cast("tuple[Any, ...]", like)))
    if isinstance(like, dict):
        return {name: rebuilt(part, arrays) for name, part in cast("dict[Any, Any]", like).items()}
    if isinstance(like, (tuple, list)):
        parts = cast("tuple[Any, ...]", like)
        return type(parts)(rebuilt(part, arrays) for part in parts)
    # A copy of its own: a compiled function must not share memory with the caller's tree.
    return jnp.array(next(arrays)) if isinstance(like, jax.Array) else np.array(next(arrays))


def save_arrays(path: Path, tree: Any) -> Path:
    """Write a tree as an ``.npz`` file; numbers only, nothing that could run on load."""
    with atomic_file(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **cast("dict[str, Any]", flat_arrays(tree)))
    return path


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """What ``save_arrays`` wrote, as one dictionary for ``from_tree``."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError) as error:
        raise JimbotError(
            f"cannot read the saved state {path}: {error}; expected a file written by save"
        ) from None
