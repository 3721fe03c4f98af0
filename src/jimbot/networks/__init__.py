"""Networks shared by all trainers, masked distributions, normalizers, and the policy file.

Names are looked up when they are first used, so importing this package imports no library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.networks.errors import MaskError, NetworkSpecError, NormalizerError, PolicyFileError
    from jimbot.networks.flax.networks import FlaxNet, create_flax_network, from_flax, to_flax
    from jimbot.networks.initialization import initialize_tensors
    from jimbot.networks.layout import count_parameters, list_parameter_shapes
    from jimbot.networks.masked import MaskedCategorical, apply_mask, masked_argmax, masked_max
    from jimbot.networks.normalizer import ObservationNormalizer, RewardScaler, RunningMoments
    from jimbot.networks.policy_file import PolicyFile, load_network, load_policy, save_policy
    from jimbot.networks.spaces import check_spaces, make_network_spec
    from jimbot.networks.spec import COMPACT_SIZES, FieldSpec, NetworkSpec
    from jimbot.networks.torch.balatro import BalatroNet
    from jimbot.networks.torch.creation import create_network
    from jimbot.networks.torch.networks import FlatNet, PolicyValueNet, get_tensors
    from jimbot.networks.torch.therapy import Actor, Critic, TherapyNet, make_therapy_networks

__all__ = [
    "COMPACT_SIZES",
    "Actor",
    "BalatroNet",
    "Critic",
    "FieldSpec",
    "FlatNet",
    "FlaxNet",
    "MaskError",
    "MaskedCategorical",
    "NetworkSpec",
    "NetworkSpecError",
    "NormalizerError",
    "ObservationNormalizer",
    "PolicyFile",
    "PolicyFileError",
    "PolicyValueNet",
    "RewardScaler",
    "RunningMoments",
    "TherapyNet",
    "apply_mask",
    "check_spaces",
    "count_parameters",
    "create_flax_network",
    "create_network",
    "from_flax",
    "get_tensors",
    "initialize_tensors",
    "list_parameter_shapes",
    "load_network",
    "load_policy",
    "make_network_spec",
    "make_therapy_networks",
    "masked_argmax",
    "masked_max",
    "save_policy",
    "to_flax",
]

__getattr__ = lazy_attributes(
    __name__,
    {
        ".errors": (
            "MaskError",
            "NetworkSpecError",
            "NormalizerError",
            "PolicyFileError",
        ),
        ".flax.networks": (
            "FlaxNet",
            "create_flax_network",
            "from_flax",
            "to_flax",
        ),
        ".initialization": ("initialize_tensors",),
        ".layout": (
            "count_parameters",
            "list_parameter_shapes",
        ),
        ".masked": (
            "MaskedCategorical",
            "apply_mask",
            "masked_argmax",
            "masked_max",
        ),
        ".normalizer": (
            "ObservationNormalizer",
            "RewardScaler",
            "RunningMoments",
        ),
        ".policy_file": (
            "PolicyFile",
            "load_network",
            "load_policy",
            "save_policy",
        ),
        ".spaces": (
            "check_spaces",
            "make_network_spec",
        ),
        ".spec": (
            "COMPACT_SIZES",
            "FieldSpec",
            "NetworkSpec",
        ),
        ".torch.balatro": ("BalatroNet",),
        ".torch.creation": ("create_network",),
        ".torch.networks": (
            "FlatNet",
            "PolicyValueNet",
            "get_tensors",
        ),
        ".torch.therapy": (
            "Actor",
            "Critic",
            "TherapyNet",
            "make_therapy_networks",
        ),
    },
)
