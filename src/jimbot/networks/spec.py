"""The description of a network, complete enough to rebuild it from a file.

``make_network_spec`` reads a ``NetworkSpec`` off the spaces of an environment. Nothing in it names a library: the torch
and the flax networks are built from the same description and have the same parameters.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from jimbot.field_errors import explain_error
from jimbot.networks.errors import NetworkSpecError
from jimbot.storage.strict_json import parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["COMPACT_SIZES", "MASK_FIELD", "SPEC_VERSION", "BoxActions", "FieldSpec", "NetworkSpec"]

SPEC_VERSION = 1
MASK_FIELD = "action_mask"
KNOWLEDGE_FIELD = "knowledge"
LARGEST_SCALED = 65_535
"""Integers up to this are divided by their highest value; larger ranges say nothing about what occurs."""

Width = Annotated[int, Field(ge=1, le=65_536)]
Widths = tuple[Width, ...]

COMPACT_SIZES: dict[str, Any] = {
    "features_dim": 256,
    "shared_layers": (),
    "policy_net_arch": (128,),
    "value_net_arch": (128,),
    "item_embedding": 16,
    "card_encoder": (64, 64),
    "joker_encoder": (64, 64),
    "consumable_encoder": (32, 16),
    "shelf_encoder": (64, 16),
    "card_position": 8,
    "item_position": 4,
}
"""Sizes for training on few processor cores: about half a million parameters for Balatro's fixed actions."""


class _Frozen(BaseModel, frozen=True):
    model_config = ConfigDict(extra="forbid")


class FieldSpec(_Frozen, frozen=True):
    """One array of an observation.

    Attributes:
        name: its key in the observation.
        shape: its shape, without the batch.
        dtype: its NumPy type, as in ``"float32"``.
        encoding: ``values`` are numbers, ``one_hot`` choices become one column each, ``identities`` are embedded,
            ``mask`` says which actions are legal and is never a feature.
        low: smallest value of an integer array; 0 for floats.
        high: highest value of an integer array; 0 for floats.
    """

    name: Annotated[str, Field(min_length=1)]
    shape: tuple[Annotated[int, Field(ge=0)], ...]
    dtype: Literal["float16", "float32", "float64", "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16",
                   "int32", "int64"]  # fmt: skip
    encoding: Literal["values", "one_hot", "identities", "mask"] = "values"
    low: int = 0
    high: int = 0

    @property
    def size(self) -> int:
        """Number of elements."""
        total = 1
        for length in self.shape:
            total *= length
        return total

    @property
    def classes(self) -> int:
        """Number of values that an integer can take."""
        return self.high - self.low + 1

    @property
    def scale(self) -> float:
        """Factor applied to values; it maps integers of a small range to [0, 1]."""
        whole = not self.dtype.startswith("float")
        return 1.0 / self.high if whole and 1 < self.high <= LARGEST_SCALED else 1.0


class BoxActions(_Frozen, frozen=True):
    """Continuous actions: a policy of independent normal distributions, cut to the bounds of the space.

    Attributes:
        shape: shape of an action.
        dtype: its NumPy type.
        low: lower bound of each number, in C order; None where there is none.
        high: the same for the upper bounds.
        squashed: whether the numbers go through ``tanh`` and are scaled to the bounds, instead of being cut to them.
    """

    shape: tuple[Annotated[int, Field(ge=0)], ...]
    dtype: Literal["float16", "float32", "float64"] = "float32"
    low: tuple[float | None, ...]
    high: tuple[float | None, ...]
    squashed: bool = False

    def bound(self, actions: NDArray[Any]) -> NDArray[Any]:
        """Actions within the bounds, ``[batch, *shape]``, from numbers ``[batch, actions]``."""
        low = np.array([-np.inf if bound is None else bound for bound in self.low])
        high = np.array([np.inf if bound is None else bound for bound in self.high])
        if self.squashed:
            actions = low + (np.tanh(actions) + 1.0) / 2.0 * (high - low)
        return np.clip(actions, low, high).astype(self.dtype).reshape(len(actions), *self.shape)


class NetworkSpec(_Frozen, frozen=True):
    """A network: its inputs, its actions and the widths of its layers.

    Attributes:
        version: version of this description.
        kind: ``balatro`` encodes cards, jokers and shelves as sets; ``flat`` puts all numbers into one vector.
        fields: the arrays of an observation, in the order of the space.
        dict_observation: whether observations are dictionaries; otherwise they are the one array itself.
        actions: how many actions there are; with ``choices`` or ``box``, how many numbers the policy puts out.
        action_mode: ``plain`` and ``slots`` have one output per action; ``candidates`` scores every row of the
            field ``candidates`` by what is in it.
        features_dim: width of the features that policy and value share; 0 leaves the trunk of a flat network out.
        shared_layers: widths of the layers before the features.
        policy_net_arch: widths of the layers between features and logits.
        value_net_arch: widths of the layers between features and value.
        activation: what stands after every layer.
        card_embedding: width of the identity of a card front.
        item_embedding: width of the identity of a joker, consumable or anything else on a shelf; owned jokers and
            jokers for sale share it.
        identity_embedding: width of every other identity: boss, deck, tags.
        card_encoder: layers of the card encoder; all but the last are per card, the last is per set.
        joker_encoder: the same for jokers.
        consumable_encoder: the same for consumables.
        shelf_encoder: the same for what can be bought or picked.
        card_position: numbers by which every hand position is known on its own, beside the set; only with ``slots``,
            whose actions name positions; 0 for none.
        item_position: the same for jokers, consumables and shelves.
        candidate_embedding: width of the identities of a candidate.
        candidate_encoder: layers that score a candidate.
        knowledge_dim: width of the observation field ``knowledge``; 0 if there is none.
        shared_trunk: whether policy and value see through the same encoders.
        choices: of how many each part of an action is chosen, if it has several parts; empty if it is one choice.
        box: what continuous actions are; None if actions are chosen. The network then has a parameter ``log_std``.
    """

    version: Literal[1] = SPEC_VERSION
    kind: Literal["flat", "balatro"]
    fields: Annotated[tuple[FieldSpec, ...], Field(min_length=1)]
    dict_observation: bool = True
    actions: Annotated[int, Field(ge=1)]
    action_mode: Literal["slots", "candidates", "plain"] = "plain"
    features_dim: Annotated[int, Field(ge=0, le=65_536)] = 512
    shared_layers: Widths = (512,)
    policy_net_arch: Widths = (256, 256)
    value_net_arch: Widths = (256, 256)
    activation: Literal["relu", "tanh", "silu"] = "relu"
    card_embedding: Width = 16
    item_embedding: Width = 32
    identity_embedding: Width = 8
    card_encoder: Annotated[Widths, Field(min_length=2)] = (256, 128)
    joker_encoder: Annotated[Widths, Field(min_length=2)] = (512, 256)
    consumable_encoder: Annotated[Widths, Field(min_length=2)] = (64, 32)
    shelf_encoder: Annotated[Widths, Field(min_length=2)] = (128, 64)
    card_position: Annotated[int, Field(ge=0)] = 16
    item_position: Annotated[int, Field(ge=0)] = 8
    candidate_embedding: Width = 16
    candidate_encoder: Annotated[Widths, Field(min_length=1)] = (64, 32)
    knowledge_dim: Annotated[int, Field(ge=0)] = 0
    shared_trunk: bool = True
    choices: Widths = ()
    box: BoxActions | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        names = [field.name for field in self.fields]
        if len(set(names)) != len(names):
            raise ValueError("two fields have the same name")
        if not self.dict_observation and len(self.fields) != 1:
            raise ValueError("an observation that is one array has exactly one field")
        mask = self.field(MASK_FIELD) if MASK_FIELD in names else None
        if mask is not None and mask.shape != (self.actions,):
            raise ValueError(f"action_mask has shape {mask.shape}, expected ({self.actions},)")
        if self.box is not None and self.choices:
            raise ValueError("actions are either choices or a box")
        numbers = sum(self.choices) if self.box is None else len(self.box.low)
        if (self.box is not None or self.choices) and numbers != self.actions:
            raise ValueError(f"there are {self.actions} actions, expected {numbers}")
        if self.box is not None and not (
            len(self.box.low) == len(self.box.high) == math.prod(self.box.shape)
        ):
            raise ValueError(f"bounds of box actions do not fit their shape {self.box.shape}")
        if self.box is not None and self.box.squashed and None in (*self.box.low, *self.box.high):
            raise ValueError("squashed actions need bounds")
        if self.features_dim == 0 and self.kind == "balatro":
            raise ValueError("features_dim is 0, which only a flat network can have")
        if (self.kind == "flat") != (self.action_mode == "plain"):
            raise ValueError(f"action_mode {self.action_mode} does not belong to kind {self.kind}")
        if self.action_mode == "candidates":
            rows = self.field("candidates").shape
            if len(rows) != 2 or rows[0] != self.actions:
                raise ValueError(f"candidates has shape {rows}, expected ({self.actions}, features)")
        width = self.field(KNOWLEDGE_FIELD).size if KNOWLEDGE_FIELD in names else 0
        if width != self.knowledge_dim:
            raise ValueError(f"knowledge_dim is {self.knowledge_dim}, the field has {width} numbers")
        return self

    def __contains__(self, name: str) -> bool:
        return any(field.name == name for field in self.fields)

    def field(self, name: str) -> FieldSpec:
        """Return the field with this name."""
        for field in self.fields:
            if field.name == name:
                return field
        raise ValueError(f"the observation has no field {name}")

    @property
    def masked(self) -> bool:
        """Whether observations include an action mask."""
        return MASK_FIELD in self

    def to_json(self) -> dict[str, Any]:
        """Return the description as JSON-able values."""
        values = self.model_dump(mode="json")
        for name in ("choices", "box"):  # files of policies without them stay what they were
            if not values[name]:
                del values[name]
        return values

    @classmethod
    def from_json(cls, content: str | Mapping[str, Any]) -> NetworkSpec:
        """Parse a description from ``to_json`` or its text; unknown entries are refused."""
        try:
            values = parse_json(content, "the text") if isinstance(content, str) else dict(content)
            return cls.model_validate(values)
        except ValidationError as error:
            raise NetworkSpecError(_format_error(error)) from None
        except (TypeError, ValueError) as error:
            raise NetworkSpecError(f"a network description that is not JSON: {error}") from None

    @classmethod
    def of(cls, **values: Any) -> NetworkSpec:
        """Build and validate a description; ``NetworkSpecError`` says what is wrong."""
        try:
            return cls(**values)
        except ValidationError as error:
            raise NetworkSpecError(_format_error(error)) from None


def _format_error(error: ValidationError) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "fields"
    if first["type"] == "extra_forbidden":
        return f"unknown field '{place}' in a network description; this version of jimbot does not know it"
    if place == "version":
        return (
            f"network description of version {first['input']!r}; this version of jimbot reads {SPEC_VERSION}"
        )
    return f"network description, {explain_error(error, NetworkSpec)}"
