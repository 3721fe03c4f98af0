"""The flax networks give what the torch networks give, from the same policy file."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
jax = pytest.importorskip("jax")
pytest.importorskip("flax")

from jimbot.networks import (  # noqa: E402
    create_flax_network,
    create_network,
    from_flax,
    get_tensors,
    initialize_tensors,
    load_network,
    load_policy,
    make_network_spec,
    save_policy,
    to_flax,
)
from jimbot.networks.flax.networks import to_flax_path, to_torch_name  # noqa: E402

from .samples import SMALL, balatro_batch, candidate_batch, flat_batch, plain_batch  # noqa: E402

BATCHES = {
    "slots": (balatro_batch, {}),
    "slots, separate trunks, tanh": (balatro_batch, {"shared_trunk": False, "activation": "tanh"}),
    "candidates": (candidate_batch, {}),
    "candidates of their own identities": (lambda: candidate_batch(60), {"activation": "silu"}),
    "candidates with identities beyond shelves": (lambda: candidate_batch(400), {}),
    "flat": (flat_batch, {}),
    "plain": (plain_batch, {}),
    "plain without trunk": (plain_batch, {"features_dim": 0}),
}


@pytest.fixture(params=BATCHES, ids=list(BATCHES))
def case(request):
    make, sizes = BATCHES[request.param]
    space, actions, obs = make()
    torch.manual_seed(4)
    network = create_network(make_network_spec(space, actions, **(SMALL | sizes)))
    with torch.no_grad():
        for parameter in network.parameters():  # no zero biases, no small heads
            parameter.add_(torch.randn_like(parameter) * 0.1)
    return network, obs


def tensors(obs):
    return (
        torch.as_tensor(obs)
        if isinstance(obs, np.ndarray)
        else {k: torch.as_tensor(v) for k, v in obs.items()}
    )


def test_outputs_are_equal_from_the_same_file(case, tmp_path):
    network, obs = case
    save_policy(tmp_path, network.spec, get_tensors(network))
    policy = load_policy(tmp_path)
    flax_network = create_flax_network(policy.spec)

    @jax.jit
    def outputs(variables, obs):
        return flax_network.apply(variables, obs, method="features"), *flax_network.apply(variables, obs)

    with torch.no_grad():
        logits, value = load_network(tmp_path)(tensors(obs))
        features = network.features(tensors(obs))
    assert np.abs(value.numpy()).max() > 0.01
    pairs = zip(outputs(to_flax(policy.tensors), obs), (features, logits, value), strict=True)
    for own, expected in pairs:
        np.testing.assert_allclose(own, expected.numpy(), atol=1e-5, rtol=1e-5)


def test_new_parameters_have_the_same_names_and_shapes(case):
    network, obs = case
    init = create_flax_network(network.spec).init
    variables = jax.eval_shape(init, jax.random.key(0), obs)
    own = from_flax(jax.tree.map(lambda leaf: np.zeros(leaf.shape), variables))
    expected = {name: array.shape for name, array in get_tensors(network).items()}
    assert {name: array.shape for name, array in own.items()} == expected


def test_parameters_come_back_as_they_were(case):
    network, _ = case
    expected = get_tensors(network)
    back = from_flax(to_flax(expected))
    assert back.keys() == expected.keys()
    assert all(np.array_equal(back[name], expected[name]) for name in expected)


def test_names():
    assert to_flax_path("body.trunk.layers.0.weight") == ("body", "trunk", "layers_0", "kernel")
    assert to_flax_path("body.item_embedding.weight") == ("body", "item_embedding", "embedding")
    assert to_flax_path("value_head.bias") == ("value_head", "bias")
    for name in ("body.trunk.layers.10.weight", "body.card_embedding.weight", "policy_head.bias"):
        assert to_torch_name(to_flax_path(name)) == name


def test_methods_agree_and_illegal_actions_have_probability_zero():
    space, actions, obs = flat_batch()
    network = create_flax_network(make_network_spec(space, actions, **SMALL))

    @jax.jit
    def outputs(variables, obs):
        parts = [network.apply(variables, obs, method=name) for name in ("policy_logits", "value")]
        return *parts, network.apply(variables, obs)

    policy_logits, alone, (logits, value) = outputs(to_flax(initialize_tensors(network.spec)), obs)
    np.testing.assert_allclose(policy_logits, logits, atol=1e-6)
    np.testing.assert_allclose(alone, value, atol=1e-6)
    probabilities = np.asarray(jax.nn.softmax(logits))
    assert np.all(probabilities[obs["action_mask"] == 0] == 0)
    assert np.allclose(probabilities.sum(1), 1, atol=1e-5)
