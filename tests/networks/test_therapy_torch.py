"""Networks for therapists: documented shapes and sizes, and that they learn from what they read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jimbot.therapy import TherapyVectorEnv

torch: Any = pytest.importorskip("torch")
networks: Any = pytest.importorskip("jimbot.networks")


def size_of(network: Any) -> int:
    return sum(parameter.numel() for parameter in network.parameters())


@pytest.mark.parametrize(
    ("omniscient", "inputs", "actor_size", "critic_size"),
    [(False, 417, 175_056, 173_257), (True, 471, 194_626, 192_827)],
)
def test_documented_shapes(omniscient, inputs, actor_size, critic_size):
    env = TherapyVectorEnv(3, omniscient=omniscient)
    observations, _ = env.reset(seed=0)
    actor, critic = networks.make_therapy_networks(env.single_observation_space, env.single_action_space)
    assert (size_of(actor), size_of(critic)) == (actor_size, critic_size)
    assert actor.body.input_size == inputs
    probabilities, state = actor(observations, state="kept")
    assert state == "kept"
    assert probabilities.shape == (3, 8)
    torch.testing.assert_close(probabilities.sum(dim=1), torch.ones(3))
    torch.testing.assert_close(torch.softmax(actor.logits(observations), dim=1), probabilities)
    assert critic(observations).shape == (3, 1)
    assert actor.body(observations).shape == (3, 256)


def test_hidden_size():
    actor, critic = networks.make_therapy_networks(hidden_size=32)
    assert actor.body.output_size == critic.body.output_size == 32
    assert actor.body is not critic.body


def test_tensors_and_arrays_read_alike():
    env = TherapyVectorEnv(2)
    observations, _ = env.reset(seed=0)
    actor, _ = networks.make_therapy_networks(hidden_size=16)
    tensors = {name: torch.as_tensor(values) for name, values in observations.items()}
    torch.testing.assert_close(actor(observations)[0], actor(tensors)[0])


def test_every_part_of_the_observation_counts():
    env = TherapyVectorEnv(1, omniscient=True, patterns="cold_stuck")
    observations, _ = env.reset(seed=0)
    for _ in range(3):
        observations, *_ = env.step(np.array([2]))
    torch.manual_seed(0)
    actor, _ = networks.make_therapy_networks(env.single_observation_space)
    before = actor(observations)[0]
    for name, values in observations.items():
        changed = (values + 1) % 2 if values.dtype.kind == "i" else values * 0.5 + 0.25
        after = actor(observations | {name: changed})[0]
        assert not torch.equal(before, after), name


def test_complementarity_can_be_learned():
    torch.manual_seed(0)
    actor, _ = networks.make_therapy_networks(hidden_size=32)
    optimizer = torch.optim.Adam(actor.parameters(), lr=0.01)
    shown = np.arange(8)
    batch = {
        "client_action": shown,
        "history": np.full((8, 50), 8),
        "session_number": np.zeros((8, 1), np.float32),
    }
    target = torch.as_tensor((4 - shown) % 8)
    for _ in range(60):
        loss = torch.nn.functional.cross_entropy(actor.logits(batch), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert actor(batch)[0].argmax(dim=1).tolist() == target.tolist()


def test_misuse_gets_one_line():
    from gymnasium import spaces

    from jimbot.networks.torch.therapy import NetworkError

    plain = TherapyVectorEnv(1).single_observation_space
    for arguments, options, message in (
        ((plain, spaces.Discrete(4)), {}, "a therapist has 8 actions"),
        ((spaces.Discrete(4),), {}, "expected the observation space of a therapy environment"),
        ((plain,), {"omniscient": True}, "omniscient networks need"),
        ((), {"hidden_size": 0}, "hidden_size must be at least 1, got 0"),
    ):
        with pytest.raises(NetworkError, match=message):
            networks.make_therapy_networks(*arguments, **options)
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        _ = networks.Nothing
