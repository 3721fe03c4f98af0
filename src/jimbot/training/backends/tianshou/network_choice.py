"""Which network Tianshou trains: that of the configuration, or another that ``backend_options.network`` names.

A further network is one line in ``NETWORKS`` and a class like ``ConfiguredNetwork``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from jimbot.training.config.network_choice import configured_spec

if TYPE_CHECKING:
    from collections.abc import Mapping

    import gymnasium

    from jimbot.networks import NetworkSpec
    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["NETWORKS", "ConfiguredNetwork", "NetworkChoice", "find_network"]

NETWORKS: dict[str, str] = {
    "chosen": "jimbot.training.backends.tianshou.network_choice:ConfiguredNetwork",
    "therapy": "jimbot.training.therapy.network_choice:TherapyNetwork",
}
"""Names of networks, and the classes that make them."""


class NetworkChoice(Protocol):
    """Makes a torch network for an environment, and reads and writes its policy file."""

    def spec(
        self,
        observation_space: gymnasium.Space[Any],
        action_space: gymnasium.Space[Any],
        config: TrainerConfig,
    ) -> NetworkSpec:
        """The network of the policy file."""
        ...

    def create(
        self,
        observation_space: gymnasium.Space[Any],
        action_space: gymnasium.Space[Any],
        config: TrainerConfig,
    ) -> Any:
        """The torch module that is trained; it has ``policy_logits`` and ``value``."""
        ...

    def tensors(self, network: Any) -> dict[str, Any]:
        """The parameters of the policy file as NumPy arrays by name."""
        ...

    def load(self, network: Any, tensors: Mapping[str, Any]) -> None:
        """Set a network's parameters from a policy file."""
        ...


class ConfiguredNetwork:
    """The network that the configuration describes."""

    def spec(
        self,
        observation_space: gymnasium.Space[Any],
        action_space: gymnasium.Space[Any],
        config: TrainerConfig,
    ) -> NetworkSpec:
        """The configuration's network."""
        return configured_spec(observation_space, action_space, config)

    def create(
        self,
        observation_space: gymnasium.Space[Any],
        action_space: gymnasium.Space[Any],
        config: TrainerConfig,
    ) -> Any:
        """The same as a torch module."""
        from jimbot.networks import create_network

        return create_network(self.spec(observation_space, action_space, config))

    def tensors(self, network: Any) -> dict[str, Any]:
        """Its parameters as they are."""
        from jimbot.networks import get_tensors

        return get_tensors(network)

    def load(self, network: Any, tensors: Mapping[str, Any]) -> None:
        """Set them."""
        from jimbot.training.backends.torch.state import restore_parameters

        restore_parameters(network, tensors)


def find_network(name: str) -> NetworkChoice:
    """The network behind a name."""
    module, _, attribute = NETWORKS[name].partition(":")
    return getattr(import_module(module), attribute)()
