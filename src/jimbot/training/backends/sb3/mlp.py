"""``MlpPolicy`` of Stable-Baselines3 as one of our networks: the same numbers under our names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.networks import NetworkSpec, make_network_spec
from jimbot.networks.layout import build_layout

if TYPE_CHECKING:
    from collections.abc import Mapping

    import gymnasium
    from numpy.typing import NDArray

    Arrays = dict[str, NDArray[np.float32]]

__all__ = ["is_mlp", "mlp_policy"]

ACTOR, CRITIC, QUALITY = "mlp_extractor.policy_net.", "mlp_extractor.value_net.", "q_net.q_net."
KNOWN = re.compile(
    r"(mlp_extractor\.(policy|value)_net\.\d+|action_net|value_net|q_net(_target)?\.q_net\.\d+)\.(weight|bias)"
)


def is_mlp(tensors: Mapping[str, NDArray[Any]]) -> bool:
    """Whether parameters are those of an MlpPolicy of PPO, A2C or DQN and nothing else."""
    ends = "action_net.weight" in tensors or any(name.startswith(QUALITY) for name in tensors)
    return ends and all(KNOWN.fullmatch(name) for name in tensors)


def mlp_policy(
    tensors: Mapping[str, NDArray[np.float32]],
    observation_space: gymnasium.Space[Any],
    action_space: gymnasium.Space[Any],
    activation: str,
) -> tuple[NetworkSpec, Arrays]:
    """The description and the parameters of our network that computes the same."""
    if "action_net.weight" in tensors:
        actor, critic = layers(tensors, ACTOR), layers(tensors, CRITIC)
        head = tensors["action_net.weight"], tensors["action_net.bias"]
        value = tensors["value_net.weight"], tensors["value_net.bias"]
    else:
        *actor, head = layers(tensors, QUALITY)
        critic, width = [], (actor[0] if actor else head)[0].shape[1]
        value = np.zeros((1, width), np.float32), np.zeros(1, np.float32)
    spec = make_network_spec(
        observation_space,
        action_space,
        flat=True,
        features_dim=0,
        shared_layers=(),
        policy_net_arch=tuple(len(bias) for _, bias in actor),
        value_net_arch=tuple(len(bias) for _, bias in critic),
        activation=activation,
    )
    scales = build_layout(spec).value_scales
    ours: Arrays = {}
    for tower, end, stack in (("policy", head, actor), ("value", value, critic)):
        for number, (weight, bias) in enumerate([*stack, end]):
            place = f"{tower}_tower.layers.{number}" if number < len(stack) else f"{tower}_head"
            # Our networks scale integers before the first layer; the library does not.
            ours[f"{place}.weight"] = weight if number or scales is None else weight / scales
            ours[f"{place}.bias"] = bias
    return spec, ours


def layers(tensors: Mapping[str, NDArray[np.float32]], prefix: str) -> list[tuple[Any, Any]]:
    """Weights and biases of a stack of layers in their order."""
    numbers = sorted(
        int(name.removeprefix(prefix).partition(".")[0])
        for name in tensors
        if name.startswith(prefix) and name.endswith(".weight")
    )
    return [(tensors[f"{prefix}{number}.weight"], tensors[f"{prefix}{number}.bias"]) for number in numbers]
