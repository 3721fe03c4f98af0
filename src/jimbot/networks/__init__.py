"""Networks that every trainer shares, masked distributions, normalisers, and the policy file.

Names are looked up when they are first used, so importing this package imports no library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jimbot.networks.balatro_torch import BalatroNet
    from jimbot.networks.errors import MaskError, NetworkSpecError, NormaliserError, PolicyFileError
    from jimbot.networks.flax_networks import FlaxNet, create_flax_network, from_flax, to_flax
    from jimbot.networks.initial import initial_tensors
    from jimbot.networks.layout import count_parameters, parameter_shapes
    from jimbot.networks.masked import MaskedCategorical, apply_mask, masked_argmax, masked_max
    from jimbot.networks.normaliser import ObservationNormaliser, RewardScaler, RunningMoments
    from jimbot.networks.policy_file import PolicyFile, load_network, load_policy, save_policy
    from jimbot.networks.spaces import check_spaces, network_spec
    from jimbot.networks.spec import COMPACT_SIZES, FieldSpec, NetworkSpec
    from jimbot.networks.therapy_torch import Actor, Critic, TherapyNet, make_therapy_networks
    from jimbot.networks.torch_networks import (
        FlatNet,
        PolicyValueNet,
        create_network,
        parameter_count,
        tensors_of,
    )

_HOMES = {
    "make_therapy_networks": "therapy_torch",
    "TherapyNet": "therapy_torch",
    "Critic": "therapy_torch",
    "Actor": "therapy_torch",
    "BalatroNet": "balatro_torch",
    "COMPACT_SIZES": "spec",
    "FieldSpec": "spec",
    "FlatNet": "torch_networks",
    "FlaxNet": "flax_networks",
    "MaskError": "errors",
    "MaskedCategorical": "masked",
    "NetworkSpec": "spec",
    "NetworkSpecError": "errors",
    "NormaliserError": "errors",
    "ObservationNormaliser": "normaliser",
    "PolicyFile": "policy_file",
    "PolicyFileError": "errors",
    "PolicyValueNet": "torch_networks",
    "RewardScaler": "normaliser",
    "RunningMoments": "normaliser",
    "apply_mask": "masked",
    "check_spaces": "spaces",
    "count_parameters": "layout",
    "create_flax_network": "flax_networks",
    "create_network": "torch_networks",
    "from_flax": "flax_networks",
    "initial_tensors": "initial",
    "load_network": "policy_file",
    "load_policy": "policy_file",
    "masked_argmax": "masked",
    "masked_max": "masked",
    "network_spec": "spaces",
    "parameter_count": "torch_networks",
    "parameter_shapes": "layout",
    "save_policy": "policy_file",
    "tensors_of": "torch_networks",
    "to_flax": "flax_networks",
}
"""Every public name, and the file it is in."""

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
    "NormaliserError",
    "ObservationNormaliser",
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
    "initial_tensors",
    "load_network",
    "load_policy",
    "make_therapy_networks",
    "masked_argmax",
    "masked_max",
    "network_spec",
    "parameter_count",
    "parameter_shapes",
    "save_policy",
    "tensors_of",
    "to_flax",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)
