"""The actor and critic of TherapyNet as one policy, and its conversion to a policy file.

An embedding followed by a linear layer is a linear layer on one-hot columns. So the two embeddings multiply out into
the first layer, and what is left is a flat network that every trainer and player can load and that computes the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from jimbot.networks.layout import build_layout
from jimbot.networks.spaces import make_network_spec
from jimbot.networks.torch.therapy import NetworkError, make_therapy_networks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gymnasium import spaces

    from jimbot.networks.spec import NetworkSpec
    from jimbot.networks.torch.therapy import TherapyNet

__all__ = ["TherapyPolicyNet", "make_therapy_spec"]


def make_therapy_spec(
    observation_space: spaces.Space[Any], action_space: spaces.Space[Any], hidden_size: int = 256
) -> NetworkSpec:
    """Describe the flat network that computes the same as an actor and a critic of this width."""
    if "u_matrix" in getattr(observation_space, "spaces", {}):
        raise NetworkError(
            "the omniscient TherapyNet has no flat form; train on observations without the inner state, or with a "
            "network of the configuration"
        )
    widths = (hidden_size, hidden_size)
    return make_network_spec(
        observation_space,
        action_space,
        flat=True,
        features_dim=0,
        policy_net_arch=widths,
        value_net_arch=widths,
    )


class TherapyPolicyNet(nn.Module):
    """The actor and critic of ``make_therapy_networks`` behind the interface that all trainers use."""

    def __init__(
        self,
        observation_space: spaces.Space[Any],
        action_space: spaces.Space[Any],
        hidden_size: int = 256,
    ) -> None:
        super().__init__()
        self.spec = make_therapy_spec(observation_space, action_space, hidden_size)
        self.actor, self.critic = make_therapy_networks(observation_space, action_space, hidden_size)

    def policy_logits(self, obs: Mapping[str, Tensor]) -> Tensor:
        """Return float32[clients, 8]."""
        return self.actor.logits(obs)

    def value(self, obs: Mapping[str, Tensor]) -> Tensor:
        """Return float32[clients]."""
        return self.critic(obs).squeeze(-1)

    def flat_tensors(self) -> dict[str, Any]:
        """Return the parameters of the equivalent flat network as NumPy arrays by name."""
        tensors: dict[str, Tensor] = {}
        with torch.no_grad():
            for part, network in (("policy", self.actor), ("value", self.critic)):
                first, second = network.body.layers[0], network.body.layers[2]
                assert isinstance(first, nn.Linear)
                assert isinstance(second, nn.Linear)
                tensors[f"{part}_tower.layers.0.weight"] = expand_first_layer(
                    self.spec, network.body, first.weight
                )
                tensors[f"{part}_tower.layers.0.bias"] = first.bias
                tensors[f"{part}_tower.layers.1.weight"] = second.weight
                tensors[f"{part}_tower.layers.1.bias"] = second.bias
                tensors[f"{part}_head.weight"] = network.head.weight
                tensors[f"{part}_head.bias"] = network.head.bias
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}


def expand_first_layer(spec: NetworkSpec, body: TherapyNet, weight: Tensor) -> Tensor:
    """Multiply the embeddings into the first layer; returns its weight on one-hot columns, float32[hidden_size,
    columns].

    Args:
        spec: the flat network, which decides the order of the columns.
        body: whose embeddings are multiplied out.
        weight: its first layer, float32[hidden_size, 417]: client action, history, session number.
    """
    client, history = body.client_embedding.weight, body.history_embedding.weight
    start = client.shape[1]
    stop = weight.shape[1] - 1
    entries = weight[:, start:stop].reshape(weight.shape[0], -1, history.shape[1])
    columns = {
        "session_number": weight[:, stop:],
        "client_action": weight[:, :start] @ client.t(),
        "history": (entries @ history.t()).flatten(1),
    }
    layout = build_layout(spec)
    return torch.cat([columns[field.name] for field in (*layout.values, *layout.one_hot)], 1)
