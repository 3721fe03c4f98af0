"""Descriptions of networks: read off spaces, kept as JSON, refused when they make no sense."""

from __future__ import annotations

import importlib.util
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

from jimbot.networks import COMPACT_SIZES, NetworkSpec, NetworkSpecError, check_spaces, make_network_spec
from jimbot.networks.layout import build_layout, list_parameter_shapes

from .samples import SMALL, balatro_batch, candidate_batch, flat_batch, plain_batch

DISCRETE = spaces.Discrete(3)
BOX = spaces.Box(-1, 1, (2,), np.float32)


def test_kinds_are_found():
    assert make_network_spec(*balatro_batch()[:2]).kind == "balatro"
    assert make_network_spec(*balatro_batch()[:2]).action_mode == "slots"
    assert make_network_spec(*candidate_batch()[:2]).action_mode == "candidates"
    assert make_network_spec(*flat_batch()[:2]).kind == "flat"
    plain = make_network_spec(*plain_batch()[:2])
    assert (plain.kind, plain.action_mode, plain.dict_observation) == ("flat", "plain", False)


def test_documented_sizes_are_the_defaults():
    spec = make_network_spec(*balatro_batch()[:2])
    assert spec.features_dim == 512
    assert spec.policy_net_arch == spec.value_net_arch == (256, 256)
    assert spec.card_encoder == (256, 128)
    assert spec.joker_encoder == (512, 256)


def test_compact_sizes_are_within_half_a_million():
    shapes = list_parameter_shapes(make_network_spec(*balatro_batch()[:2], **COMPACT_SIZES))
    assert sum(int(np.prod(shape)) for shape in shapes.values()) < 500_000


def test_mask_is_no_feature_and_everything_else_is():
    layout = build_layout(make_network_spec(*flat_batch()[:2]))
    assert "action_mask" not in {field.name for field in (*layout.values, *layout.one_hot, *layout.loose)}
    assert layout.input_width == 6 + 16 + 5 + 2 * 4 + 3


def test_every_balatro_field_reaches_the_network_once():
    spec = make_network_spec(*candidate_batch()[:2])
    layout = build_layout(spec)
    used = [field.name for field in (*layout.values, *layout.loose)]
    used += [name for encoder in layout.encoders for name in (*encoder.features, *encoder.identities)]
    assert sorted([*used, "action_mask", "candidates", "candidate_ids"]) == sorted(
        field.name for field in spec.fields
    )


def test_new_rows_and_new_fields_need_no_change():
    space, actions, _ = balatro_batch()
    entries: dict[str, Any] = dict(space.spaces) | {
        "hand": spaces.Box(-3, 3, (20, 31), np.float32),
        "hand_ids": spaces.Box(0, 53, (20,), np.int16),
        "weather": spaces.Box(-1, 1, (2, 3), np.float32),
        "season_ids": spaces.Box(0, 4, (2,), np.int16),
    }
    layout = build_layout(make_network_spec(spaces.Dict(entries), actions))
    assert layout.encoders[0].rows == (20,)
    assert "weather" in {field.name for field in layout.values}
    known = build_layout(make_network_spec(space, actions)).loose_rows
    assert layout.loose_rows == known + 2 * 5


@pytest.mark.parametrize(
    ("high", "shares", "rows"), [(60, False, 320), (318, True, 320), (400, True, 402)], ids=str
)
def test_candidates_share_the_identities_of_shelves_if_they_count_as_far(high, shares, rows):
    spec = make_network_spec(*candidate_batch(high)[:2])
    layout = build_layout(spec)
    assert layout.candidates is not None
    assert layout.candidates.shares_items is shares
    assert layout.item_rows == rows
    table, starts = layout.item_table(spec)
    assert table[starts[0] + spec.field("joker_ids").high] == rows - 1  # face down, unlike anything else


@pytest.mark.parametrize("batch", [balatro_batch, candidate_batch, flat_batch, plain_batch])
def test_json_round_trip(batch):
    spec = make_network_spec(*batch()[:2], **SMALL)
    assert NetworkSpec.from_json(spec.to_json()) == spec
    assert NetworkSpec.from_json(spec.model_dump_json()) == spec
    assert hash(NetworkSpec.from_json(spec.to_json())) == hash(spec)


def test_knowledge_is_a_field_like_any_other():
    space, actions, _ = balatro_batch()
    spec = make_network_spec(space, actions, knowledge_dim=128)
    assert spec.field("knowledge").shape == (128,)
    entries: dict[str, Any] = dict(space.spaces) | {"knowledge": spaces.Box(-1, 1, (128,), np.float32)}
    with_field = spaces.Dict(entries)
    assert make_network_spec(with_field, actions).knowledge_dim == 128
    with pytest.raises(NetworkSpecError, match="knowledge_dim is 64"):
        make_network_spec(with_field, actions, knowledge_dim=64)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"color": "red"}, "unknown field 'color'"),
        ({"version": 2}, "version 2; this version of jimbot reads 1"),
        ({"kind": "round"}, "kind: expected one of flat, balatro, got 'round'"),
        ({"actions": 0}, "actions: expected a whole number of at least 1, got 0"),
        ({"actions": 8}, "action_mask has shape"),
        ({"policy_net_arch": [0]}, "policy_net_arch.0"),
        ({"activation": "step"}, "activation"),
        ({"action_mode": "slots"}, "does not belong to kind flat"),
        ({"fields": []}, "fields"),
        ({"knowledge_dim": 128}, "knowledge_dim is 128"),
        ({"dict_observation": False}, "exactly one field"),
    ],
)
def test_wrong_description_is_refused(change, message):
    values = make_network_spec(*flat_batch()[:2]).to_json() | change
    with pytest.raises(NetworkSpecError, match=message) as caught:
        NetworkSpec.from_json(values)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '"text"'])
def test_text_that_is_no_description_is_refused(content):
    with pytest.raises(NetworkSpecError):
        NetworkSpec.from_json(content)


@pytest.mark.parametrize(
    ("observation", "actions", "sizes", "message"),
    [
        (BOX, spaces.Box(0, 3, (2,), np.int64), {}, "actions are a Box of int64"),
        (BOX, spaces.Tuple([DISCRETE]), {}, "actions are Tuple"),
        (BOX, spaces.Discrete(3, start=1), {}, "start at 1"),
        (spaces.Tuple([BOX, BOX]), DISCRETE, {}, "is Tuple"),
        (spaces.Dict({"inner": spaces.Dict({"a": BOX})}), DISCRETE, {}, "'inner' is Dict"),
        (spaces.Dict({"action_mask": spaces.Box(0, 1, (3,), np.int8)}), DISCRETE, {}, "nothing but"),
        (BOX, DISCRETE, {"hidden": 3}, "unknown network size 'hidden'"),
        (BOX, DISCRETE, {"kind": "flat"}, "unknown network size 'kind'"),
        (BOX, DISCRETE, {"features_dim": -1}, "features_dim"),
    ],
)
def test_impossible_spaces_are_refused(observation, actions, sizes, message):
    with pytest.raises(NetworkSpecError, match=message):
        make_network_spec(observation, actions, **sizes)


def test_rows_without_their_identities_are_refused():
    space, actions, _ = balatro_batch()
    entries: dict[str, Any] = dict(space.spaces) | {"hand_ids": spaces.Box(0, 53, (9,), np.int16)}
    with pytest.raises(NetworkSpecError, match="card fields differ"):
        build_layout(make_network_spec(spaces.Dict(entries), actions))


def test_description_is_checked_against_an_environment():
    space, actions, _ = balatro_batch()
    spec = make_network_spec(space, actions, **SMALL)
    check_spaces(spec, space, actions)
    cartpole = gymnasium.make("CartPole-v1")
    with pytest.raises(NetworkSpecError, match=f"{spec.actions} actions, the environment 2"):
        check_spaces(spec, cartpole.observation_space, cartpole.action_space)
    entries: dict[str, Any] = dict(space.spaces) | {"tags": spaces.Box(-2, 2, (25,), np.float32)}
    with pytest.raises(
        NetworkSpecError, match=r"'tags' is float32\[24\] up to 0 in the network, float32\[25\]"
    ):
        check_spaces(spec, spaces.Dict(entries), actions)


def test_package_imports_no_library(run_python):
    code = (
        "import sys, jimbot.networks, jimbot.networks.masked;"
        "print([m for m in ('torch', 'jax', 'flax', 'pydantic', 'safetensors') if m in sys.modules])"
    )
    done = run_python("-c", code)
    assert done.stdout.strip() == "[]", done.stderr


def test_every_public_name_is_there():
    import jimbot.networks

    for name in jimbot.networks.__all__:
        try:
            found = getattr(jimbot.networks, name)
        except ModuleNotFoundError as error:
            assert error.name in ("flax", "jax", "torch")  # noqa: PT017 - a library may be absent
            assert importlib.util.find_spec(error.name) is None  # noqa: PT017
        else:
            assert found is not None
    with pytest.raises(AttributeError, match="nonsense"):
        jimbot.networks.nonsense  # noqa: B018
