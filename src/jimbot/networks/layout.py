"""The layout of a network: where every field goes, and the shape of every parameter.

Both the torch and the flax networks are built from a layout, and a policy file is checked against it without either.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from jimbot.networks.errors import NetworkSpecError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jimbot.networks.spec import FieldSpec, NetworkSpec

__all__ = [
    "CandidateLayout",
    "EncoderLayout",
    "Layout",
    "build_layout",
    "compute_tower_widths",
    "count_parameters",
    "list_parameter_shapes",
]

_SHELF_GROUPS = (
    ("shop", "shop_ids"),
    ("shop_vouchers", "shop_voucher_ids"),
    ("shop_packs", "shop_pack_ids"),
    ("pack", "pack_ids"),
)
_CANDIDATE_FIELDS = ("candidates", "candidate_ids")
INPUT_LIMIT = 1e6
"""Numbers further from 0 than this are cut: a network of float32 stays finite whatever it sees."""


@dataclass(frozen=True)
class EncoderLayout:
    """An encoder of sets: its groups of rows are pooled separately.

    Attributes:
        name: ``card``, ``joker``, ``consumable`` or ``shelf``.
        features: names of the fields with the rows' numbers, one per group.
        identities: names of the fields with the rows' identities; 0 is an absent row.
        rows: how many rows each group has.
        row_width: numbers per row, without the embedding.
        embedding: width of a row's identity.
        layers: widths per row.
        output: width per group.
        position: numbers that every row adds on its own, 0 for none.
    """

    name: str
    features: tuple[str, ...]
    identities: tuple[str, ...]
    rows: tuple[int, ...]
    row_width: int
    embedding: int
    layers: tuple[int, ...]
    output: int
    position: int

    @property
    def total_rows(self) -> int:
        """Number of rows of all groups."""
        return sum(self.rows)

    @property
    def slices(self) -> tuple[slice, ...]:
        """The rows of each group."""
        ends = np.cumsum(self.rows).tolist()
        return tuple(slice(end - rows, end) for end, rows in zip(ends, self.rows, strict=True))

    @property
    def members(self) -> NDArray[np.float32]:
        """float32[groups, rows]: 1 where a row belongs to a group."""
        matrix = np.zeros((len(self.rows), self.total_rows), np.float32)
        for group, place in enumerate(self.slices):
            matrix[group, place] = 1.0
        return matrix

    @property
    def width(self) -> int:
        """Number of outputs that go to the trunk."""
        return len(self.rows) * self.output + self.total_rows * self.position


@dataclass(frozen=True)
class CandidateLayout:
    """The rows that a candidate head scores: ``width`` numbers and ``identities`` of up to ``high`` each."""

    width: int
    identities: int
    high: int
    shares_items: bool

    @property
    def embedded(self) -> bool:
        """Whether candidates have identities of their own kind."""
        return self.identities > 0 and not self.shares_items


@dataclass(frozen=True)
class Layout:
    """Where every field of an observation goes in the network.

    Attributes:
        values: fields that enter the trunk as numbers.
        one_hot: fields that enter the trunk as columns.
        loose: identity fields that are embedded one by one, each column with identities of its own.
        encoders: the encoders of sets.
        card_rows: rows of the table of card fronts.
        item_rows: rows of the table of jokers, consumables and shelf items.
        candidates: what the candidates head scores, if there is one.
    """

    values: tuple[FieldSpec, ...]
    one_hot: tuple[FieldSpec, ...]
    loose: tuple[FieldSpec, ...]
    encoders: tuple[EncoderLayout, ...]
    card_rows: int
    item_rows: int
    candidates: CandidateLayout | None
    identity_embedding: int

    @property
    def loose_rows(self) -> int:
        """Rows of the table of loose identities."""
        return sum(field.size * (field.high + 1) for field in self.loose)

    @property
    def loose_offsets(self) -> NDArray[np.int64]:
        """int64[columns]: where each loose column's identities start in their table."""
        rows = [field.high + 1 for field in self.loose for _ in range(field.size)]
        return np.concatenate([[0], np.cumsum(rows)[:-1]]).astype(np.int64) if rows else np.zeros(0, np.int64)

    @property
    def value_scales(self) -> NDArray[np.float32] | None:
        """float32[columns]: factors of the values; None if all are 1."""
        if all(field.scale == 1.0 for field in self.values):
            return None
        return np.concatenate([np.full(field.size, field.scale, np.float32) for field in self.values])

    @property
    def input_width(self) -> int:
        """Number of inputs of the trunk."""
        values = sum(field.size for field in self.values)
        columns = sum(field.size * field.classes for field in self.one_hot)
        loose = sum(field.size for field in self.loose) * self.identity_embedding
        return values + columns + loose + sum(encoder.width for encoder in self.encoders)

    def item_table(self, spec: NetworkSpec) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows of the item table for the identities of all item rows, in the order of the encoders.

        A joker, a consumable or a card is one thing wherever it lies, so owned ones share the rows of shelf ones. The
        shelf counts jokers first, then consumables; a joker that lies face down is in no shop and has the last row.

        Returns:
            ``(rows, starts)``: row of identity ``i`` in column ``c`` is ``rows[starts[c] + i]``; int64 each.
        """
        jokers = spec.field("joker_ids").high - 1
        rows: list[NDArray[np.int64]] = []
        starts: list[NDArray[np.int64]] = []
        end = 0
        for encoder in self.encoders:
            if encoder.name == "card":
                continue
            for name in encoder.identities:
                field = spec.field(name)
                table = np.arange(field.high + 1, dtype=np.int64)
                if encoder.name == "joker":
                    table[-1] = self.item_rows - 1
                elif encoder.name == "consumable":
                    table[1:] += jokers
                rows.append(table)
                starts.append(np.full(field.size, end, np.int64))
                end += len(table)
        return np.concatenate(rows), np.concatenate(starts)


def build_layout(spec: NetworkSpec) -> Layout:
    """Build the layout of a network description."""
    encoders = _build_encoders(spec) if spec.kind == "balatro" else ()
    taken = {name for encoder in encoders for name in (*encoder.features, *encoder.identities)}
    candidates = None
    if spec.action_mode == "candidates":
        taken |= set(_CANDIDATE_FIELDS)
        candidates = _build_candidates(spec)
    free = [field for field in spec.fields if field.name not in taken and field.encoding != "mask"]
    shared = candidates.high if candidates and candidates.shares_items else 0
    items = max(_compute_shelf_high(spec), shared)
    return Layout(
        values=tuple(field for field in free if field.encoding == "values"),
        one_hot=tuple(field for field in free if field.encoding == "one_hot"),
        loose=tuple(field for field in free if field.encoding == "identities"),
        encoders=encoders,
        card_rows=spec.field("hand_ids").high + 1 if encoders else 0,
        item_rows=items + 2 if encoders else 0,
        candidates=candidates,
        identity_embedding=spec.identity_embedding,
    )


def _build_encoders(spec: NetworkSpec) -> tuple[EncoderLayout, ...]:
    shelves = tuple(pair for pair in _SHELF_GROUPS if pair[0] in spec and pair[1] in spec)
    # Candidates say themselves what they are about; only fixed actions name positions.
    slots = spec.action_mode == "slots"
    item, place, card_place = spec.item_embedding, slots * spec.item_position, slots * spec.card_position
    return (
        _build_encoder(
            spec, "card", (("hand", "hand_ids"),), spec.card_embedding, spec.card_encoder, card_place
        ),
        _build_encoder(spec, "joker", (("jokers", "joker_ids"),), item, spec.joker_encoder, place),
        _build_encoder(
            spec, "consumable", (("consumables", "consumable_ids"),), item, spec.consumable_encoder, place
        ),
        _build_encoder(spec, "shelf", shelves, item, spec.shelf_encoder, place),
    )


def _build_encoder(
    spec: NetworkSpec,
    name: str,
    groups: tuple[tuple[str, str], ...],
    embedding: int,
    sizes: tuple[int, ...],
    position: int,
) -> EncoderLayout:
    shapes = [spec.field(features).shape for features, _ in groups]
    counts = [spec.field(identities).shape for _, identities in groups]
    if any(len(shape) != 2 or (shape[0],) != count for shape, count in zip(shapes, counts, strict=True)):
        raise NetworkSpecError(f"rows and identities of the {name} fields differ: {shapes} and {counts}")
    widths = {shape[1] for shape in shapes}
    if len(widths) != 1:
        raise NetworkSpecError(f"the {name} fields have rows of {sorted(widths)} numbers; expected one width")
    return EncoderLayout(
        name=name,
        features=tuple(features for features, _ in groups),
        identities=tuple(identities for _, identities in groups),
        rows=tuple(shape[0] for shape in shapes),
        row_width=widths.pop(),
        embedding=embedding,
        layers=sizes[:-1],
        output=sizes[-1],
        position=position,
    )


def _build_candidates(spec: NetworkSpec) -> CandidateLayout:
    width = spec.field("candidates").shape[1]
    if "candidate_ids" not in spec:
        return CandidateLayout(width, 0, 0, shares_items=False)
    field = spec.field("candidate_ids")
    if field.shape[:1] != (spec.actions,):
        raise NetworkSpecError(f"candidate_ids has shape {field.shape}, expected ({spec.actions}, ...)")
    # Candidates count what lies on shelves as shelves do, and may count more after it: tags, blinds.
    shares = field.high >= _compute_shelf_high(spec)
    return CandidateLayout(width, math.prod(field.shape[1:]), field.high, shares_items=shares)


def _compute_shelf_high(spec: NetworkSpec) -> int:
    return max((spec.field(name).high for _, name in _SHELF_GROUPS if name in spec), default=0)


def compute_tower_widths(spec: NetworkSpec) -> tuple[int, int, int]:
    """Return the widths of the features and of the inputs of the policy and value heads."""
    features = spec.features_dim or build_layout(spec).input_width
    policy = spec.policy_net_arch[-1] if spec.policy_net_arch else features
    value = spec.value_net_arch[-1] if spec.value_net_arch else features
    return features, policy, value


def list_parameter_shapes(spec: NetworkSpec) -> dict[str, tuple[int, ...]]:
    """Return name and shape of every parameter, in torch's names and orientation (Linear weights are [out, in])."""
    layout = build_layout(spec)
    shapes: dict[str, tuple[int, ...]] = {}
    for body in ("body",) if spec.shared_trunk else ("body", "value_body"):
        _add_body_shapes(shapes, body, spec, layout)
    features, policy, value = compute_tower_widths(spec)
    _add_layers(shapes, "policy_tower", features, spec.policy_net_arch)
    _add_layers(shapes, "value_tower", features, spec.value_net_arch)
    if layout.candidates is None:
        _add_linear(shapes, "policy_head", policy, spec.actions)
    else:
        _add_candidate_shapes(shapes, spec, layout.candidates, policy)
    _add_linear(shapes, "value_head", value, 1)
    if spec.box is not None:
        shapes["log_std"] = (spec.actions,)
    return shapes


def count_parameters(spec: NetworkSpec) -> int:
    """Count the parameters of a network of this description."""
    return sum(math.prod(shape) for shape in list_parameter_shapes(spec).values())


def _add_body_shapes(
    shapes: dict[str, tuple[int, ...]], body: str, spec: NetworkSpec, layout: Layout
) -> None:
    if layout.encoders:
        shapes[f"{body}.card_embedding.weight"] = (layout.card_rows, spec.card_embedding)
        shapes[f"{body}.item_embedding.weight"] = (layout.item_rows, spec.item_embedding)
    if layout.loose:
        shapes[f"{body}.identity_embedding.weight"] = (layout.loose_rows, spec.identity_embedding)
    for encoder in layout.encoders:
        name = f"{body}.{encoder.name}_encoder"
        _add_layers(shapes, f"{name}.row", encoder.row_width + encoder.embedding, encoder.layers)
        _add_linear(shapes, f"{name}.set", 2 * encoder.layers[-1] + 1, encoder.output)
        if encoder.position:
            shapes[f"{name}.position.weight"] = (encoder.position, encoder.layers[-1])
    if spec.features_dim:
        _add_layers(shapes, f"{body}.trunk", layout.input_width, (*spec.shared_layers, spec.features_dim))


def _add_candidate_shapes(
    shapes: dict[str, tuple[int, ...]], spec: NetworkSpec, candidates: CandidateLayout, context: int
) -> None:
    embedding = spec.item_embedding if candidates.shares_items else spec.candidate_embedding
    if candidates.embedded:
        shapes["policy_head.candidate_embedding.weight"] = (
            candidates.identities * (candidates.high + 1),
            embedding,
        )
    first = spec.candidate_encoder[0]
    _add_linear(shapes, "policy_head.row", candidates.width + candidates.identities * embedding, first)
    shapes["policy_head.context.weight"] = (first, context)
    _add_layers(shapes, "policy_head.tower", first, spec.candidate_encoder[1:])
    shapes["policy_head.score.weight"] = (1, spec.candidate_encoder[-1])


def _add_layers(shapes: dict[str, tuple[int, ...]], name: str, width: int, widths: tuple[int, ...]) -> None:
    for number, size in enumerate(widths):
        _add_linear(shapes, f"{name}.layers.{number}", width, size)
        width = size


def _add_linear(shapes: dict[str, tuple[int, ...]], name: str, width: int, size: int) -> None:
    shapes[f"{name}.weight"] = (size, width)
    shapes[f"{name}.bias"] = (size,)
