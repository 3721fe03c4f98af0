"""The plan from which ``_engine.Network`` is built.

A plan says where every part of the network lies in packed observations, in the array of all parameters and in the
features that the trunk reads. ``engine/learn/plans.hpp`` describes it field by field, and the engine checks it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.networks.layout import INPUT_LIMIT, build_layout, list_parameter_shapes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jimbot.networks.layout import EncoderLayout, Layout
    from jimbot.networks.packed_observations import Blocks
    from jimbot.networks.spec import NetworkSpec

__all__ = ["build_network_plan"]


def build_network_plan(
    spec: NetworkSpec, blocks: Blocks, places: Mapping[str, slice], parameters: int
) -> dict[str, Any]:
    """Build the plan of a network; layers are (weight, bias, inputs, outputs)."""
    shapes = list_parameter_shapes(spec)

    def layer(name: str) -> tuple[int, int, int, int]:
        if f"{name}.weight" not in places:
            return 0, -1, 0, 0
        outputs, inputs = shapes[f"{name}.weight"]
        bias = places.get(f"{name}.bias")
        return places[f"{name}.weight"].start, -1 if bias is None else bias.start, inputs, outputs

    def layers(name: str, widths: Sequence[int]) -> list[tuple[int, int, int, int]]:
        return [layer(f"{name}.layers.{number}") for number in range(len(widths))]

    layout = build_layout(spec)
    return {
        "encoders": build_encoders_plan(spec, layout, blocks, places, layer, layers),
        "observed_columns": sum(field.size for field in layout.values),
        "trunk": layers("body.trunk", (*spec.shared_layers, spec.features_dim)),
        "policy": layers("policy_tower", spec.policy_net_arch),
        "value": layers("value_tower", spec.value_net_arch),
        "policy_head": layer("policy_head"),
        "value_head": layer("value_head"),
        "parameters": parameters,
    }


def build_encoders_plan(
    spec: NetworkSpec, layout: Layout, blocks: Blocks, places: Mapping[str, slice], layer: Any, layers: Any
) -> dict[str, Any]:
    """Build the part of the plan for the encoders."""
    column = 0
    copies: list[tuple[int, int, int]] = []
    for field in layout.values:
        copies.append((blocks.floats[field.name], column, field.size))
        column += field.size
    named = [(field, number) for field in layout.loose for number in range(field.size)]
    embeddings = {
        "identities": [blocks.integers[field.name] + number for field, number in named],
        "first_rows": layout.loose_offsets.tolist(),
        "max_identities": [field.high for field, _ in named],
        "table": places["body.identity_embedding.weight"].start if named else 0,
        "width": layout.identity_embedding,
        "column": column,
    }
    column += len(named) * layout.identity_embedding
    rows, row_starts = layout.item_table(spec)
    place = 0  # among the columns of all items
    encoders: list[dict[str, Any]] = []
    for encoder in layout.encoders:
        card = encoder.name == "card"
        groups: list[dict[str, Any]] = []
        for features, identities, count in zip(
            encoder.features, encoder.identities, encoder.rows, strict=True
        ):
            known = spec.field(identities).high + 1
            table = range(known)
            if not card:
                table = rows[row_starts[place] : row_starts[place] + known].tolist()
                place += count
            groups.append(
                {
                    "floats": blocks.floats[features],
                    "identities": blocks.integers[identities],
                    "rows": count,
                    "table_rows": list(table),
                }
            )
        encoders.append(build_encoder_plan(encoder, groups, column, places, layer, layers))
        column += encoder.width
    return {
        "copies": copies,
        "embeddings": embeddings,
        "encoders": encoders,
        "float_width": blocks.float_width,
        "identity_width": blocks.integer_width,
        "parameters": places["body.trunk.layers.0.weight"].start,
        "columns": layout.input_width,
        "limit": INPUT_LIMIT,
    }


def build_encoder_plan(
    encoder: EncoderLayout,
    groups: list[dict[str, Any]],
    column: int,
    places: Mapping[str, slice],
    layer: Any,
    layers: Any,
) -> dict[str, Any]:
    """Build the plan of one encoder: its sets, then its positions, from ``column`` on."""
    name = f"body.{encoder.name}_encoder"
    table = "card_embedding" if encoder.name == "card" else "item_embedding"
    return {
        "groups": groups,
        "row_width": encoder.row_width,
        "table": places[f"body.{table}.weight"].start,
        "embedding": encoder.embedding,
        "layers": layers(f"{name}.row", encoder.layers),
        "set": layer(f"{name}.set"),
        "position": layer(f"{name}.position"),
        "set_column": column,
        "position_column": column + len(encoder.rows) * encoder.output,
    }
