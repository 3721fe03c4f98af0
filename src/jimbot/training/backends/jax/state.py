"""What PPO keeps and what it learns from, as values that JAX carries through compiled code, and their saved form.

A state is saved as a tree of NumPy arrays (``state_tree``) and restored bit for bit (``from_tree``).
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from jimbot.errors import JimbotError
from jimbot.storage.atomic import atomic_file

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    from numpy.typing import NDArray

    from jimbot.training.backends.jax.normalization import RunningMoments

__all__ = [
    "ApplyFunction",
    "PPOState",
    "Rollout",
    "flat_arrays",
    "from_tree",
    "load_arrays",
    "save_arrays",
    "state_tree",
]

State = TypeVar("State")


class ApplyFunction(Protocol):
    """A network as a pure function."""

    def __call__(self, params: Any, observations: Any, /) -> tuple[Array, Array]:
        """Logits float[batch, num_actions] and values float[batch] of a batch of observations."""
        ...


class PPOState(NamedTuple):
    """Everything that changes in training: with it and the environments' state, training continues bit for bit."""

    params: Any
    """Parameters of the network, as its apply function takes them."""
    optimizer: Any
    """State of Adam."""
    normalizer: RunningMoments
    """Statistics of observations, by leaf of the observation; no leaves if observations are not normalized."""
    key: Array
    """Random key, uint32[2]."""
    learning_rate: Array
    """float32; see ``PPOConfig.learning_rate``."""
    updates: Array
    """int32: updates done."""
    steps: Array
    """uint32: environment steps learned from."""


class Rollout(NamedTuple):
    """Collected steps, time first: every array is [steps, num_envs, …] unless said otherwise."""

    observations: Any
    """Array or (nested) dictionary of arrays, not normalized by the state's normalizer."""
    actions: Array
    """int32."""
    rewards: Array
    """float32."""
    terminated: Array
    """bool: the episode ended here and nothing follows."""
    truncated: Array
    """bool: the episode was cut off here; the rest is worth ``final_values``."""
    log_probs: Array
    """float32: log-probability of the action when it was chosen."""
    values: Array
    """float32: value of the observation when it was collected."""
    final_values: Array
    """float32: value of the episode's last observation where ``truncated``; anything elsewhere."""
    last_values: Array
    """float32[num_envs]: value of the observation after the last step."""
    valid: Array | None = None
    """bool: False marks steps that are not learned from (padding, or a vector's reset steps). None: all are valid."""


# --- saved states -----------------------------------------------------------------------------------------------------


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
    """The state that ``state_tree`` took apart, by this version or an earlier one.

    Args:
        tree: nested dictionaries, or the one dictionary of ``flat_arrays``.
        like: a state of the same structure (a new one), which says how to put the arrays together.

    Raises:
        JimbotError: an array is missing, unknown, or has another shape or type.
    """
    given = flat_arrays(tree)
    expected = flat_arrays(state_tree(like))
    if given.keys() != expected.keys():
        given = migrated_names(given, expected)
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
    return cast("State", fill(like, arrays))


def fill(like: Any, arrays: Any) -> Any:
    """``like`` with its arrays replaced one after another, in the order of ``state_tree``."""
    if hasattr(like, "_asdict"):
        return type(like)(*(fill(part, arrays) for part in cast("tuple[Any, ...]", like)))
    if isinstance(like, dict):
        return {name: fill(part, arrays) for name, part in cast("dict[Any, Any]", like).items()}
    if isinstance(like, (tuple, list)):
        parts = cast("tuple[Any, ...]", like)
        return type(parts)(fill(part, arrays) for part in parts)
    # A copy of its own: a compiled function must not share memory with the caller's tree.
    return jnp.array(next(arrays)) if isinstance(like, jax.Array) else np.array(next(arrays))


def save_arrays(path: Path, tree: Any) -> Path:
    """Write a tree as an ``.npz`` file; arrays only, nothing that could run on load."""
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


# --- states of earlier versions ---------------------------------------------------------------------------------------

FORMER_NAMES = (
    (r"(^|/)optimiser/", r"\1optimizer/"),
    (r"(^|/)normaliser/seen$", r"\1normalizer/count"),
    (r"(^|/)normaliser/(mean|variance)/", r"\1normalizer/\2/"),
    (r"^(environments/|observations$|observations/|returns$|lengths$)", r"envs/\1"),
    (r"^seen/(mean|squares)$", r"envs/observation_moments/\1/"),
    (r"^seen/seen$", r"envs/observation_moments/count"),
    (r"^discounted$", r"envs/discounted_returns"),
    (r"^spread/(mean|squares)$", r"envs/return_moments/\1"),
    (r"^spread/seen$", r"envs/return_moments/count"),
)
"""Names that arrays of a state had before, as patterns, and those they have now; the states of environments were not
under a name of their own."""
NEW_PARTS = ("envs/observation_moments/", "envs/return_moments/", "envs/discounted_returns")
"""Parts that the state of a ``JaxRunner`` did not have; they start empty."""


def migrated_names(
    given: dict[str, NDArray[Any]], expected: dict[str, NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """The arrays of a state that version 0.1.0 saved before its names changed, under the names of this version."""
    found = {current_name(name, expected): array for name, array in given.items()}
    for name in [name for name in found if "normalizer/variance/" in name]:
        count = found[name.partition("variance/")[0] + "count"]
        found[name.replace("/variance/", "/squares/")] = found.pop(name) * count
    whole_run = any(name.startswith("ppo/") for name in found)
    if whole_run:
        added = {name: array for name, array in expected.items() if name.startswith(NEW_PARTS)}
        found = {**added, **found}
    return found


def current_name(name: str, expected: Container[str]) -> str:
    """The name that an array of a saved state has in this version."""
    for pattern, replacement in FORMER_NAMES:
        name = re.sub(pattern, replacement, name)
    alone = name.removeprefix("envs/")  # a state of environments without that of PPO
    return alone if name not in expected and alone in expected else name
