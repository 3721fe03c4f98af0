"""Network descriptions from the spaces of an environment."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

from jimbot.networks.errors import NetworkSpecError
from jimbot.networks.spec import KNOWLEDGE_FIELD, MASK_FIELD, FieldSpec, NetworkSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BALATRO_FIELDS", "check_spaces", "make_network_spec"]

BALATRO_FIELDS = (
    "hand",
    "hand_ids",
    "jokers",
    "joker_ids",
    "consumables",
    "consumable_ids",
    "shop",
    "shop_ids",
)
"""A space that has all of these is one of Balatro."""

_PLAIN_NAME = "observation"
_SIZES = frozenset(NetworkSpec.model_fields) - {
    "version",
    "kind",
    "fields",
    "dict_observation",
    "actions",
    "action_mode",
    "choices",
    "box",
}


def make_network_spec(
    observation_space: gymnasium.Space[Any],
    action_space: gymnasium.Space[Any],
    *,
    flat: bool = False,
    **sizes: Any,
) -> NetworkSpec:
    """Describe the network for these spaces (of one environment, not of a batch).

    Box arrays of any shape are flattened, Discrete, MultiDiscrete and MultiBinary become columns, a Dict is put side by
    side; a field ``action_mask`` is the mask. Spaces with the fields of Balatro get its encoders; with the field
    ``candidates`` beside them, every candidate is scored by its row.

    Args:
        observation_space: what is seen.
        action_space: Discrete, counted from 0; MultiDiscrete and MultiBinary (one choice per part); or a Box of floats
            (normal distributions).
        flat: one plain vector, also where Balatro's fields are; candidates are always scored by their rows.
        **sizes: fields of ``NetworkSpec`` from ``features_dim`` on. ``knowledge_dim=128`` adds the field ``knowledge``.
    """
    unknown = sorted(set(sizes) - _SIZES)
    if unknown:
        raise NetworkSpecError(f"unknown network size '{unknown[0]}'; known are {', '.join(sorted(_SIZES))}")
    is_dict = isinstance(observation_space, gymnasium.spaces.Dict)
    spaces: Mapping[str, Any] = observation_space.spaces if is_dict else {_PLAIN_NAME: observation_space}
    balatro = all(name in spaces for name in BALATRO_FIELDS) and not (flat and "candidates" not in spaces)
    fields = [_make_field(name, space, balatro=balatro) for name, space in spaces.items()]
    knowledge = int(sizes.get("knowledge_dim", 0))
    if KNOWLEDGE_FIELD in spaces:
        sizes.setdefault("knowledge_dim", math.prod(spaces[KNOWLEDGE_FIELD].shape or ()))
    elif knowledge and is_dict:
        fields.append(FieldSpec(name=KNOWLEDGE_FIELD, shape=(knowledge,), dtype="float32"))
    if all(field.encoding == "mask" for field in fields):
        raise NetworkSpecError(
            "the observation holds nothing but an action mask; a network needs something to see"
        )
    mode = "plain"
    if balatro:
        mode = "candidates" if "candidates" in spaces else "slots"
    return NetworkSpec.of(
        kind="balatro" if balatro else "flat",
        fields=tuple(fields),
        dict_observation=is_dict,
        action_mode=mode,
        **_describe_actions(action_space),
        **sizes,
    )


def check_spaces(
    spec: NetworkSpec, observation_space: gymnasium.Space[Any], action_space: gymnasium.Space[Any]
) -> None:
    """Raise if an environment does not match a network; the error names the first difference."""
    other = make_network_spec(observation_space, action_space, flat=spec.kind == "flat")
    box = spec.box and spec.box.model_copy(update={"squashed": False})
    if (other.box, other.choices) != (box, spec.choices):
        raise NetworkSpecError(
            f"the actions of the environment, {action_space}, are not those of the network; use the environment it was "
            "trained on"
        )
    if other.actions != spec.actions:
        raise NetworkSpecError(f"the network has {spec.actions} actions, the environment {other.actions}")
    own = {field.name: field for field in spec.fields}
    theirs = {field.name: field for field in other.fields}
    if spec.knowledge_dim and KNOWLEDGE_FIELD not in theirs:
        raise NetworkSpecError("the network sees the field 'knowledge', which the environment does not give")
    for name in dict.fromkeys([*own, *theirs]):
        if own.get(name) != theirs.get(name):
            expected, found = _describe_field(own.get(name)), _describe_field(theirs.get(name))
            raise NetworkSpecError(
                f"observation field '{name}' is {expected} in the network, {found} in the environment; "
                "use the environment it was trained on"
            )


def _describe_field(field: FieldSpec | None) -> str:
    return "absent" if field is None else f"{field.dtype}{list(field.shape)} up to {field.high}"


def _describe_actions(space: gymnasium.Space[Any]) -> dict[str, Any]:
    """The fields of ``NetworkSpec`` that say what actions are."""
    if isinstance(space, gymnasium.spaces.Box):
        return _describe_box(space)
    if isinstance(space, gymnasium.spaces.MultiBinary):
        choices = (2,) * math.prod(space.shape)
        if len(space.shape) == 1:
            return {"actions": sum(choices), "choices": choices}
    if isinstance(space, gymnasium.spaces.MultiDiscrete) and space.nvec.ndim == 1:
        if np.any(space.start != 0):
            raise NetworkSpecError(f"actions start at {space.start}; networks count them from 0")
        return {"actions": int(space.nvec.sum()), "choices": tuple(space.nvec.tolist())}
    if not isinstance(space, gymnasium.spaces.Discrete):
        raise NetworkSpecError(
            f"actions are {space}; networks choose from Discrete, MultiDiscrete and MultiBinary actions and act in Box"
        )
    if int(space.start) != 0:
        raise NetworkSpecError(f"actions start at {space.start}; networks count them from 0")
    return {"actions": int(space.n)}


def _describe_box(space: gymnasium.spaces.Box) -> dict[str, Any]:
    if space.dtype.kind != "f":
        raise NetworkSpecError(f"actions are a Box of {space.dtype}; networks act in a Box of floats")
    low, high = (
        tuple(float(bound) if np.isfinite(bound) else None for bound in bounds.ravel())
        for bounds in (space.low, space.high)
    )
    box = {"shape": space.shape, "dtype": space.dtype.name, "low": low, "high": high}
    return {"actions": len(low), "box": box}


def _make_field(name: str, space: gymnasium.Space[Any], *, balatro: bool) -> FieldSpec:
    if isinstance(space, gymnasium.spaces.Discrete):
        low = int(space.start)
        return FieldSpec(
            name=name, shape=(), dtype="int64", encoding="one_hot", low=low, high=low + int(space.n) - 1
        )
    if isinstance(space, gymnasium.spaces.MultiDiscrete):
        if np.any(space.start != 0):
            raise NetworkSpecError(f"observation field '{name}' starts at {space.start}; expected 0")
        high = int(np.max(space.nvec)) - 1
        return FieldSpec(name=name, shape=space.shape, dtype="int64", encoding="one_hot", high=high)
    if isinstance(space, gymnasium.spaces.MultiBinary):
        encoding = "mask" if name == MASK_FIELD else "values"
        return FieldSpec(name=name, shape=space.shape, dtype="int8", encoding=encoding, high=1)
    if isinstance(space, gymnasium.spaces.Box):
        return _make_box_field(name, space, balatro=balatro)
    raise NetworkSpecError(
        f"observation field '{name}' is {type(space).__name__}; networks see Box, Discrete, MultiDiscrete, "
        "MultiBinary, or one Dict of them"
    )


def _make_box_field(name: str, space: gymnasium.spaces.Box, *, balatro: bool) -> FieldSpec:
    dtype = np.dtype(space.dtype)
    if name == MASK_FIELD:
        return FieldSpec(name=name, shape=space.shape, dtype=dtype.name, encoding="mask", high=1)  # pyright: ignore[reportArgumentType]
    if dtype.kind == "f":
        return FieldSpec(name=name, shape=space.shape, dtype=dtype.name)  # pyright: ignore[reportArgumentType]
    identities = balatro and dtype.name in ("int16", "int32", "int64") and int(space.low.min()) == 0
    return FieldSpec(
        name=name,
        shape=space.shape,
        dtype=dtype.name,  # pyright: ignore[reportArgumentType]
        encoding="identities" if identities else "values",
        low=int(space.low.min()),
        high=int(space.high.max()),
    )
