"""SAC and TD3 of Stable-Baselines3 on our environments: seeded exploration, resumable state, and their policy file.

The networks are the library's own, over the inputs of ours: all numbers of an observation in one vector. The actor has
the layers of a flat network, so a policy file holds it; its deterministic action is ``tanh`` of the mean, scaled to the
bounds of the space.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from stable_baselines3 import SAC, TD3
from stable_baselines3.common.noise import NormalActionNoise
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from jimbot.networks import create_network
from jimbot.networks.layout import build_layout, list_parameter_shapes
from jimbot.training.backends.sb3.state import model_parts, restore_model_parts
from jimbot.training.backends.torch.state import (
    optimizer_state,
    parameter_arrays,
    restore_optimizer_state,
    restore_parameters,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import gymnasium
    from numpy.typing import NDArray
    from torch import Tensor

    from jimbot.networks import NetworkSpec
    from jimbot.networks.normalizer import ObservationNormalizer
    from jimbot.training.envs.packing import Packing

__all__ = [
    "actor_spec",
    "actor_tensors",
    "continuous_policy",
    "continuous_state",
    "create_continuous_model",
    "load_actor",
    "restore_continuous_state",
]

COUNTERS = ("_n_updates", "_current_progress_remaining", "_episode_num")
NARROW = -20.0
"""Stands as ``log_std`` in the policy file: the file holds the deterministic policy."""


class FlatInputs(BaseFeaturesExtractor):
    """The inputs of a flat network, without parameters."""

    def __init__(self, space: gymnasium.Space[Any], spec: NetworkSpec, packing: Packing) -> None:
        super().__init__(space, build_layout(spec).input_width)
        self.body = create_network(spec).body
        self.packing = packing

    def forward(self, observations: Any) -> Tensor:
        """float32[batch, inputs]."""
        return self.body(self.packing.unpack(observations))


class SeededStart:
    """Random first actions from NumPy's generator, which checkpoints hold, instead of the action space's own."""

    def _sample_action(
        self, learning_starts: int, action_noise: Any = None, n_envs: int = 1
    ) -> tuple[Any, Any]:
        model = cast("Any", self)
        if model.num_timesteps >= learning_starts:
            return cast("Any", super())._sample_action(learning_starts, action_noise, n_envs)  # noqa: SLF001
        scaled = np.random.uniform(-1, 1, (n_envs, *model.action_space.shape)).astype(np.float32)  # noqa: NPY002
        return model.policy.unscale_action(scaled), scaled


class ResumableSAC(SeededStart, SAC):
    """SAC whose first actions are seeded by the run."""


class ResumableTD3(SeededStart, TD3):
    """TD3 whose first actions are seeded by the run."""


def create_continuous_model(
    algorithm: str,
    adapter: Any,
    spec: NetworkSpec,
    packing: Packing,
    critic: list[int],
    arguments: dict[str, Any],
) -> Any:
    """The library's SAC or TD3."""
    arguments = dict(arguments)
    noise = arguments.pop("exploration_noise", None)
    if noise:
        deviation = np.full(adapter.action_space.shape, noise, np.float32)
        arguments["action_noise"] = NormalActionNoise(np.zeros_like(deviation), deviation)
    kind = {"SAC": ResumableSAC, "TD3": ResumableTD3}[algorithm]
    return cast("Any", kind)(
        "MultiInputPolicy",
        adapter,
        policy_kwargs={
            "net_arch": {"pi": list(spec.policy_net_arch), "qf": critic},
            "activation_fn": {"relu": nn.ReLU, "tanh": nn.Tanh, "silu": nn.SiLU}[spec.activation],
            "features_extractor_class": FlatInputs,
            "features_extractor_kwargs": {"spec": spec, "packing": packing},
        },
        **arguments,
    )


# --- the actor as one of our networks ---------------------------------------------------------------------------------


def actor_spec(spec: NetworkSpec) -> NetworkSpec:
    """The network of the actor: no trunk, no layers of a value function, squashed actions."""
    assert spec.box is not None
    box = spec.box.model_copy(update={"squashed": True})
    return spec.model_copy(update={"features_dim": 0, "value_net_arch": (), "box": box})


def actor_layers(model: Any, spec: NetworkSpec) -> dict[str, Any]:
    """The linear layers of the library's actor by our names."""
    actor = model.policy.actor
    modules = [*actor.latent_pi, actor.mu] if hasattr(actor, "latent_pi") else list(actor.mu)
    linear = [each for each in modules if isinstance(each, nn.Linear)]
    names = [f"policy_tower.layers.{number}" for number in range(len(spec.policy_net_arch))]
    return dict(zip([*names, "policy_head"], linear, strict=True))


def actor_tensors(model: Any, spec: NetworkSpec) -> dict[str, NDArray[np.float32]]:
    """The actor's parameters as a policy file holds them; there is no value, so its head is zero."""
    tensors = {name: np.zeros(shape, np.float32) for name, shape in list_parameter_shapes(spec).items()}
    tensors["log_std"][:] = NARROW
    for name, layer in actor_layers(model, spec).items():
        tensors |= {f"{name}.{part}": array for part, array in parameter_arrays(layer.state_dict()).items()}
    return tensors


def load_actor(model: Any, spec: NetworkSpec, tensors: Mapping[str, Any]) -> None:
    """Set the actor's parameters, and those of its target if it has one."""
    for name, layer in actor_layers(model, spec).items():
        restore_parameters(layer, {part: tensors[f"{name}.{part}"] for part in ("weight", "bias")})
    target = getattr(model.policy, "actor_target", None)
    if target is not None:
        target.load_state_dict(model.policy.actor.state_dict())


def continuous_policy(
    model: Any, packing: Packing, normalizer: ObservationNormalizer | None, *, deterministic: bool
) -> Callable[[Any], NDArray[Any]]:
    """The actor's choice for batches of observations as environments give them."""

    def choose(observation: Any) -> NDArray[Any]:
        seen = observation if normalizer is None else normalizer.normalize(observation)
        first = next(iter(cast("dict[str, Any]", seen).values())) if isinstance(seen, dict) else seen
        blocks = packing.empty(len(first))
        packing.pack(seen, blocks)
        return model.predict(blocks, deterministic=deterministic)[0]

    return choose


# --- state ------------------------------------------------------------------------------------------------------------


def optimizers(model: Any) -> dict[str, Any]:
    """The optimizers by name; SAC has one for the temperature unless that is fixed."""
    found = {"actor": model.policy.actor.optimizer, "critic": model.policy.critic.optimizer}
    temperature = getattr(model, "ent_coef_optimizer", None)
    return found if temperature is None else {**found, "temperature": temperature}


def continuous_state(model: Any) -> dict[str, Any]:
    """Everything that decides how the model goes on, but for the generators and the environments."""
    state = model_parts(model, COUNTERS)
    state["optimisers"] = {name: optimizer_state(each) for name, each in optimizers(model).items()}
    if "temperature" in state["optimisers"]:
        state["log_temperature"] = model.log_ent_coef.detach().cpu().numpy().copy()
    return state


def restore_continuous_state(model: Any, state: Mapping[str, Any]) -> None:
    """Go back to a state."""
    for name, optimizer in optimizers(model).items():
        restore_optimizer_state(optimizer, state["optimisers"][name])
    if "log_temperature" in state:
        with torch.no_grad():
            model.log_ent_coef.copy_(torch.from_numpy(np.array(state["log_temperature"])))
    restore_model_parts(model, state)
