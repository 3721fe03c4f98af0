"""Which network a configuration means on given spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.networks import COMPACT_SIZES, NetworkSpecError, make_network_spec
from jimbot.training.config.trainer_config import ConfigError

if TYPE_CHECKING:
    import gymnasium

    from jimbot.networks import NetworkSpec
    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["configured_spec"]


def configured_spec(
    observation_space: gymnasium.Space[Any], action_space: gymnasium.Space[Any], config: TrainerConfig
) -> NetworkSpec:
    """The network for an environment.

    Balatro's observations go through its encoders and a body of ``features_dim`` that policy and value share, unless
    the extractor is ``flat``: then the body sees one plain vector. Without an extractor, and for environments without
    entities, the towers see that vector directly, as in Stable-Baselines3's own policies.
    """
    sizes = config.hyperparams
    flat = not config.use_feature_extractor or config.feature_extractor_type == "flat"
    widths: dict[str, Any] = {
        **COMPACT_SIZES,
        "features_dim": sizes.features_dim,
        "policy_net_arch": tuple(sizes.policy_net_arch),
        "value_net_arch": tuple(sizes.value_net_arch),
        **config.network_sizes,
    }
    if config.network_sizes.get("knowledge_dim") and "knowledge" not in getattr(
        observation_space, "spaces", {}
    ):
        raise ConfigError(
            "network_sizes.knowledge_dim: the environment gives no field 'knowledge'; an embedding of that width has "
            "to be part of its observations"
        )
    try:
        spec = make_network_spec(observation_space, action_space, flat=flat, **widths)
        if spec.kind == "balatro" or (flat and config.use_feature_extractor):
            return spec
        return make_network_spec(observation_space, action_space, flat=True, **{**widths, "features_dim": 0})
    except NetworkSpecError as error:
        raise ConfigError(f"env or network_sizes: {error}") from None
