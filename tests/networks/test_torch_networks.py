"""The torch networks on real observations: shapes, masks, what matters and what does not, gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium import spaces

torch = pytest.importorskip("torch")

from tests.probes.table import shopping  # noqa: E402

from jimbot.balatro.env.single import BalatroEnv  # noqa: E402
from jimbot.networks import (  # noqa: E402
    COMPACT_SIZES,
    count_parameters,
    create_network,
    get_tensors,
    initialize_tensors,
    list_parameter_shapes,
    make_network_spec,
)
from jimbot.networks.layout import build_layout  # noqa: E402

from .samples import SMALL, balatro_batch, candidate_batch, flat_batch, plain_batch  # noqa: E402

BATCHES = {
    "slots": balatro_batch,
    "candidates": candidate_batch,
    "own identities": lambda: candidate_batch(60),
    "identities beyond shelves": lambda: candidate_batch(400),
    "flat": flat_batch,
    "plain": plain_batch,
}


def tensors(obs):
    if isinstance(obs, np.ndarray):
        return torch.as_tensor(obs)
    return {name: torch.as_tensor(np.array(values)) for name, values in obs.items()}


def network_for(batch, seed=0, **sizes: Any):
    space, actions, obs = batch()
    torch.manual_seed(seed)
    return create_network(make_network_spec(space, actions, **(SMALL | sizes))), tensors(obs)


@pytest.fixture(params=BATCHES, ids=list(BATCHES))
def batch(request):
    return BATCHES[request.param]


@pytest.mark.parametrize("sizes", [{}, COMPACT_SIZES, SMALL, SMALL | {"shared_trunk": False}])
def test_shapes(batch, sizes):
    space, actions, obs = batch()
    spec = make_network_spec(space, actions, **sizes)
    network, obs = create_network(spec), tensors(obs)
    with torch.no_grad():
        logits, value = network(obs)
        count = len(value)
        assert network.features(obs).shape == (count, spec.features_dim)
        assert logits.shape == (count, actions.n)
        assert value.shape == (count,)
        assert torch.allclose(network.policy_logits(obs), logits, atol=1e-6)
        assert torch.allclose(network.value(obs), value, atol=1e-6)
        assert network.scores(obs).shape == logits.shape
    assert {name: tuple(t.shape) for name, t in network.state_dict().items()} == list_parameter_shapes(spec)
    assert count_parameters(network.spec) == sum(t.size for t in get_tensors(network).values())


def test_only_legal_actions_are_likely(batch):
    network, obs = network_for(batch)
    if not network.spec.masked:
        pytest.skip("no mask")
    illegal = obs["action_mask"] == 0
    with torch.no_grad():
        logits = network.policy_logits(obs)
    assert illegal.any()
    assert torch.isfinite(logits).all()
    assert torch.all(logits.softmax(1)[illegal] == 0)
    assert torch.allclose(logits[~illegal], network.scores(obs)[~illegal], atol=1e-6)


def test_same_seed_same_network(batch):
    first, second, other = (get_tensors(network_for(batch, seed)[0]) for seed in (1, 1, 2))
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert any(not np.array_equal(first[name], other[name]) for name in first)


def test_new_policy_is_nearly_uniform_over_legal_actions(batch):
    network, obs = network_for(batch)
    with torch.no_grad():
        logits = network.policy_logits(obs)
    legal = logits > -1e8
    chances = logits.softmax(1) * legal.sum(1, keepdim=True)
    assert torch.allclose(chances[legal], torch.ones(1), atol=0.1)


@pytest.mark.parametrize("sizes", [{}, {"shared_trunk": False}], ids=["shared", "separate"])
def test_gradient_reaches_every_parameter(batch, sizes):
    network, obs = network_for(batch, activation="tanh", **sizes)
    logits, value = network(obs)
    (logits.log_softmax(1)[logits > -1e8].square().sum() + value.square().sum()).backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert torch.isfinite(parameter.grad).all(), name
        assert parameter.grad.abs().sum() > 0, name


def test_integers_of_any_type_are_the_same(batch):
    network, obs = network_for(batch)
    if not network.spec.dict_observation:
        pytest.skip("no integers")
    with torch.no_grad():
        expected = network(obs)
        for dtype in (torch.int32, torch.int64, torch.float32):
            changed = {
                name: values if values.is_floating_point() else values.to(dtype)
                for name, values in obs.items()
            }
            for one, other in zip(network(changed), expected, strict=True):
                assert torch.equal(one, other)


def test_extreme_numbers_give_no_nan(batch):
    network, obs = network_for(batch)
    for size in (3e38, -3e38, float("inf"), 0.0):
        if isinstance(obs, dict):
            names = {field.name for field in build_layout(network.spec).values if field.dtype == "float32"}
            extreme = {name: torch.full_like(v, size) if name in names else v for name, v in obs.items()}
        else:
            extreme = torch.full_like(obs, size)
        logits, value = network(extreme)
        assert torch.isfinite(logits).all()
        assert torch.isfinite(value).all()


def test_single_observation_equals_its_row(batch):
    network, obs = network_for(batch)
    one = {name: values[2:3] for name, values in obs.items()} if isinstance(obs, dict) else obs[2:3]
    with torch.no_grad():
        (logits, value), (alone, alone_value) = network(obs), network(one)
    assert torch.allclose(logits[2], alone[0], atol=1e-5)
    assert torch.allclose(value[2], alone_value[0], atol=1e-5)


@pytest.mark.parametrize("actions", [2, 500, 8000])
def test_any_number_of_actions(actions):
    space = spaces.Dict({"x": spaces.Box(-1, 1, (3,)), "action_mask": spaces.Box(0, 1, (actions,), np.int8)})
    network = create_network(make_network_spec(space, spaces.Discrete(actions), **SMALL))
    mask = torch.zeros(5, actions, dtype=torch.int8)
    mask[torch.arange(5), torch.arange(5) % actions] = 1
    logits = network.policy_logits({"x": torch.zeros(5, 3), "action_mask": mask})
    assert torch.equal(logits.softmax(1), mask.float())


def test_flat_network_without_trunk_and_towers_is_linear():
    space, actions, obs = plain_batch()
    sizes = {"features_dim": 0, "policy_net_arch": (), "value_net_arch": ()}
    network = create_network(make_network_spec(space, actions, **sizes))
    assert torch.equal(network.features(torch.as_tensor(obs)), torch.as_tensor(obs))
    assert count_parameters(network.spec) == 4 * 2 + 2 + 4 + 1


def test_choices_may_come_as_columns():
    space, actions, _ = spaces.Discrete(5), spaces.Discrete(2), None
    network = create_network(make_network_spec(space, actions, **SMALL))
    places = torch.tensor([0, 3, 4])
    columns = torch.nn.functional.one_hot(places, 5).float()
    expected = network.features(places)
    assert torch.equal(network.features(columns), expected)
    assert torch.equal(network.features(places[:, None]), expected)


@pytest.mark.parametrize("batch", [balatro_batch, candidate_batch])
def test_start_drawn_by_numpy_is_like_torchs(batch):
    network, obs = network_for(batch)
    expected = get_tensors(network)
    own = initialize_tensors(network.spec, seed=3)
    assert own.keys() == expected.keys()
    for name, array in own.items():
        assert array.dtype == np.float32
        if name.endswith("_embedding.weight"):
            assert array.std() == pytest.approx(expected[name].std(), rel=0.1)
        elif name.endswith(".bias"):
            assert not array.any()
            assert not expected[name].any()
        else:
            sizes = [np.linalg.svd(matrix, compute_uv=False) for matrix in (array, expected[name])]
            np.testing.assert_allclose(*sizes, rtol=1e-4)
    again, other = initialize_tensors(network.spec, seed=3), initialize_tensors(network.spec, seed=4)
    assert all(np.array_equal(again[name], own[name]) for name in own)
    assert not np.array_equal(other["value_head.weight"], own["value_head.weight"])
    network.load_state_dict({name: torch.as_tensor(array) for name, array in own.items()})
    assert torch.isfinite(network.value(obs)).all()


# Balatro: what matters and what does not.


def features_of(network, obs, **changes: Any):
    with torch.no_grad():
        return network.features(obs | changes)


@pytest.mark.parametrize("batch", [balatro_batch, candidate_batch])
def test_content_of_absent_rows_does_not_matter(batch):
    network, obs = network_for(batch)
    expected = features_of(network, obs)
    for encoder in build_layout(network.spec).encoders:
        for rows, identities in zip(encoder.features, encoder.identities, strict=True):
            absent = obs[identities] == 0
            assert absent.any(), f"every row of {rows} is taken"
            changed = obs[rows].clone()
            changed[absent] = 2.0
            assert torch.equal(features_of(network, obs, **{rows: changed}), expected)


@pytest.mark.parametrize("batch", [balatro_batch, candidate_batch])
@pytest.mark.parametrize("name", ["joker_ids", "hand_ids", "consumable_ids", "shop_ids", "pack_ids"])
def test_identity_alone_matters(batch, name):
    network, obs = network_for(batch)
    first, second = obs[name].clone(), obs[name].clone()
    first[:, 0], second[:, 0] = 7, 8
    changed = features_of(network, obs, **{name: first}) - features_of(network, obs, **{name: second})
    assert (changed.abs().amax(1) > 1e-4).all()


def test_every_joker_has_an_identity_of_its_own():
    network, obs = network_for(balatro_batch)
    one = {name: values[:1].expand(151, *values.shape[1:]).clone() for name, values in obs.items()}
    one["joker_ids"][:, 0] = torch.arange(1, 152)
    features = features_of(network, one)
    assert len(features.mul(1e4).round().unique(dim=0)) == 151


def test_order_of_a_set_matters_only_where_actions_name_positions():
    for batch, matters in ((balatro_batch, True), (candidate_batch, False)):
        network, obs = network_for(batch)
        order = torch.tensor([3, 0, 1, 2, *range(4, obs["hand_ids"].shape[1])])
        changed = features_of(network, obs, hand=obs["hand"][:, order], hand_ids=obs["hand_ids"][:, order])
        rows = obs["hand_ids"][:, 0] != obs["hand_ids"][:, 3]
        assert rows.any()
        assert torch.allclose(changed, features_of(network, obs), atol=1e-5) is not matters


def test_candidates_are_scored_wherever_they_stand():
    for batch in (candidate_batch, lambda: candidate_batch(60), lambda: candidate_batch(400)):
        network, obs = network_for(batch, activation="tanh")
        order = torch.randperm(obs["candidates"].shape[1])
        names = ("candidates", "candidate_ids", "action_mask")
        moved = obs | {name: obs[name][:, order] for name in names}
        with torch.no_grad():
            assert torch.allclose(
                network.policy_logits(moved), network.policy_logits(obs)[:, order], atol=1e-6
            )
            assert torch.allclose(network.scores(moved), network.scores(obs)[:, order], atol=1e-6)
            assert torch.equal(network.value(moved), network.value(obs))
            assert network.scores(obs).std(1).min() > 0


def test_candidates_are_known_by_row_identity_and_context():
    network, obs = network_for(candidate_batch, activation="tanh")
    with torch.no_grad():
        scores = network.scores(obs)
        for name, value in (("candidates", 1.5), ("candidate_ids", 9)):
            changed = obs[name].clone()
            changed[:, 5] = value
            different = (network.scores(obs | {name: changed}) != scores).all(0)
            assert different[5]
            assert different.sum() == 1
        globals_changed = network.scores(obs | {"globals": obs["globals"] + 1}) - scores
        assert (globals_changed.std(1) > 0).all()


def test_scoring_legal_candidates_alone_changes_nothing():
    network, obs = network_for(candidate_batch)
    legal = obs["action_mask"] != 0
    assert legal.float().mean() < 0.5  # few enough for the other ones to be left out
    weight = dict(network.named_parameters())["policy_head.row.weight"]
    one = network.policy_logits(obs)
    all_scores = network.scores(obs)
    assert torch.allclose(one[legal], all_scores[legal], atol=1e-6)
    (gradient,) = torch.autograd.grad(one[legal].square().sum(), weight)
    (expected,) = torch.autograd.grad(all_scores[legal].square().sum(), weight)
    assert torch.allclose(gradient, expected, rtol=1e-4, atol=1e-9)


def test_episode_over_still_has_a_value():
    for batch in (balatro_batch, candidate_batch):
        network, obs = network_for(batch)
        logits, value = network(obs | {"action_mask": torch.zeros_like(obs["action_mask"])})
        assert torch.isfinite(logits).all()
        assert torch.isfinite(value).all()


def test_knowledge_reaches_the_features():
    network, obs = network_for(balatro_batch, knowledge_dim=128)
    blank, known = (torch.full((len(obs["hand"]), 128), value) for value in (0.0, 0.3))
    difference = features_of(network, obs, knowledge=blank) - features_of(network, obs, knowledge=known)
    assert (difference.abs().amax(1) > 1e-4).all()


def observation_of(game):
    env = BalatroEnv(starts=[game.snapshot()])
    return env, env.reset(seed=0)[0]


@pytest.mark.parametrize(
    ("joker", "consumable"), [("j_joker", "c_fool"), ("j_zany", "c_pluto"), ("j_perkeo", "c_soul")]
)
def test_owned_and_offered_jokers_and_consumables_are_the_same_things(joker, consumable):
    """The engine numbers what lies on shelves as the network's table takes it."""
    game = shopping(jokers=[joker], consumables=[consumable], shop_slots=[joker, consumable])
    env, obs = observation_of(game)
    spec = make_network_spec(env.observation_space, env.action_space)
    rows, starts = build_layout(spec).item_table(spec)
    names = [name for encoder in build_layout(spec).encoders[1:] for name in encoder.identities]
    identities = np.concatenate([obs[name] for name in names])
    taken = dict(
        zip(names, np.split(rows[starts + identities], np.cumsum([len(obs[n]) for n in names])), strict=False)
    )
    assert taken["joker_ids"][0] == taken["shop_ids"][0]
    assert taken["consumable_ids"][0] == taken["shop_ids"][1]
    assert taken["joker_ids"][0] != taken["consumable_ids"][0]


def test_joker_that_lies_face_down_is_nothing_of_a_shelf():
    spec = make_network_spec(*balatro_batch()[:2])
    rows, starts = build_layout(spec).item_table(spec)
    face_down = rows[starts[0] + spec.field("joker_ids").high]
    assert face_down == spec.field("shop_ids").high + 1
    assert (rows == face_down).sum() == 1
    assert rows.max() == face_down
