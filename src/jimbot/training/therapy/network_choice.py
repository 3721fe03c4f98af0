"""TherapyNet as a network that a backend can train: ``backend_options.network: therapy``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.training.config.trainer_config import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import gymnasium

    from jimbot.networks import NetworkSpec
    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["TherapyNetwork"]


class TherapyNetwork:
    """TherapyNet of width ``features_dim``, actor and critic apart; its policy file holds their flat form."""

    def spec(
        self,
        observation_space: gymnasium.Space[Any],
        action_space: gymnasium.Space[Any],
        config: TrainerConfig,
    ) -> NetworkSpec:
        """The flat network that computes the same."""
        from jimbot.networks.torch.therapy_policy import make_therapy_spec

        return make_therapy_spec(observation_space, action_space, config.hyperparams.features_dim)

    def create(
        self,
        observation_space: gymnasium.Space[Any],
        action_space: gymnasium.Space[Any],
        config: TrainerConfig,
    ) -> Any:
        """TherapyNet as a torch module."""
        from jimbot.networks.torch.therapy_policy import TherapyPolicyNet

        return TherapyPolicyNet(observation_space, action_space, config.hyperparams.features_dim)

    def tensors(self, network: Any) -> dict[str, Any]:
        """The parameters of the flat form."""
        return network.flat_tensors()

    def load(self, network: Any, tensors: Mapping[str, Any]) -> None:
        """Not possible: the embeddings cannot be recovered from the flat form."""
        del network, tensors
        raise ConfigError(
            "a policy file holds TherapyNet with its embeddings multiplied out, which cannot be undone; resume a "
            "checkpoint, or set backend_options.network to chosen"
        )
