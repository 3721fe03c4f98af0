"""``create_network(spec)``: the PyTorch network that a description asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.networks.torch.balatro import BalatroNet
from jimbot.networks.torch.networks import FlatNet, PolicyValueNet

if TYPE_CHECKING:
    from jimbot.networks.spec import NetworkSpec

__all__ = ["create_network"]


def create_network(spec: NetworkSpec) -> PolicyValueNet:
    """Create the network of a description. ``torch.manual_seed`` determines its parameters."""
    return BalatroNet(spec) if spec.kind == "balatro" else FlatNet(spec)
