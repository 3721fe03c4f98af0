"""A policy file as a player of batches."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.networks.samples import SMALL, balatro_batch, candidate_batch, plain_batch  # noqa: E402

from jimbot.balatro.env.vector import BalatroVectorEnv  # noqa: E402
from jimbot.networks import (  # noqa: E402
    MaskError,
    ObservationNormalizer,
    create_network,
    get_tensors,
    load_policy,
    make_network_spec,
    save_policy,
)
from jimbot.players.batch_policy import NetworkPolicy  # noqa: E402


def saved(directory, batch, normalizer=None):
    torch.manual_seed(0)
    network = create_network(make_network_spec(*batch()[:2], **SMALL))
    save_policy(directory, network.spec, get_tensors(network), normalizer)
    return network


@pytest.mark.parametrize("deterministic", [True, False])
def test_whole_games_are_played_legally(tmp_path, deterministic):
    saved(tmp_path, balatro_batch)
    player = NetworkPolicy(tmp_path, deterministic=deterministic)
    env = BalatroVectorEnv(8)
    obs, _ = env.reset(seed=1)
    for _ in range(60):
        actions = player(obs)
        assert actions.dtype == np.int64
        assert np.all(obs["action_mask"][np.arange(8), actions] == 1)
        obs, *_ = env.step(actions)


@pytest.mark.parametrize("batch", [balatro_batch, candidate_batch, plain_batch])
def test_likeliest_action_and_draws(batch, tmp_path):
    network = saved(tmp_path, batch)
    obs = batch()[2]
    player = NetworkPolicy(load_policy(tmp_path))
    tensors = (
        torch.as_tensor(obs)
        if isinstance(obs, np.ndarray)
        else {k: torch.as_tensor(v) for k, v in obs.items()}
    )
    with torch.no_grad():
        expected = network.policy_logits(tensors)
    assert np.array_equal(player(obs), expected.argmax(1).numpy())
    np.testing.assert_allclose(player.probabilities(obs), expected.softmax(1).numpy(), atol=1e-6)
    np.testing.assert_allclose(player.values(obs), network.value(tensors).detach().numpy(), atol=1e-6)
    draws = [NetworkPolicy(tmp_path, deterministic=False, seed=s)(obs) for s in (1, 1, 2)]
    assert np.array_equal(draws[0], draws[1])
    assert not np.array_equal(draws[0], draws[2])


def test_normalizer_is_applied_and_learns_nothing(tmp_path):
    obs = plain_batch()[2]
    normalizer = ObservationNormalizer({"observation": (4,)})
    normalizer(obs * 50 + 3)
    network = saved(tmp_path, plain_batch, normalizer)
    player = NetworkPolicy(tmp_path)
    with torch.no_grad():
        expected = network.value(torch.as_tensor(normalizer.normalize(obs))).numpy()
        untouched = network.value(torch.as_tensor(obs)).numpy()
    np.testing.assert_allclose(player.values(obs), expected, atol=1e-6)
    assert not np.allclose(expected, untouched, atol=1e-3)
    player(obs * 1000)
    np.testing.assert_allclose(player.values(obs), expected, atol=1e-6)


def test_nothing_to_choose_is_an_error(tmp_path):
    saved(tmp_path, balatro_batch)
    obs = dict(balatro_batch()[2])
    obs["action_mask"] = np.zeros_like(obs["action_mask"])
    with pytest.raises(MaskError, match="row 0"):
        NetworkPolicy(tmp_path)(obs)
