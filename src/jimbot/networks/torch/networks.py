"""PyTorch networks: bodies that turn observations into features, towers, heads, and one interface for all.

``jimbot.networks.torch.creation`` creates them from a description. Observations are tensors by name (or the one tensor,
for a plain Box), batch first, of any integer or floating type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from jimbot.networks.distributions import create_distribution
from jimbot.networks.initialization import POLICY_GAIN, VALUE_GAIN
from jimbot.networks.layout import INPUT_LIMIT, Layout, build_layout, compute_tower_widths
from jimbot.networks.masked import apply_mask
from jimbot.networks.spec import MASK_FIELD
from jimbot.networks.torch.layers import Layers, make_linear

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.networks.distributions import Distribution
    from jimbot.networks.spec import FieldSpec, NetworkSpec

    Observation = Tensor | Mapping[str, Tensor]

__all__ = ["FlatNet", "PolicyValueNet", "get_tensors"]


class FlatBody(nn.Module):
    """Concatenates all numbers of an observation, then applies the trunk."""

    def __init__(self, spec: NetworkSpec) -> None:
        super().__init__()
        layout = build_layout(spec)
        self._layout = layout
        scales = layout.value_scales
        self.register_buffer("_scales", None if scales is None else torch.as_tensor(scales), persistent=False)
        if spec.features_dim:
            self.trunk = Layers(layout.input_width, (*spec.shared_layers, spec.features_dim), spec.activation)
        else:
            self.trunk = nn.Identity()

    def forward(self, obs: Observation) -> Tensor:
        """Return float32[batch, features_dim]."""
        layout = self._layout
        plain = isinstance(obs, Tensor)
        inputs = {(layout.values or layout.one_hot)[0].name: obs} if plain else obs
        parts: list[Tensor] = []
        if layout.values:
            parts.append(join_values(inputs, layout, cast("Tensor | None", self._scales)))
        parts += [encode_one_hot(inputs[field.name], field) for field in layout.one_hot]
        return self.trunk(parts[0] if len(parts) == 1 else torch.cat(parts, 1))


def join_values(obs: Mapping[str, Tensor], layout: Layout, scales: Tensor | None) -> Tensor:
    """Concatenate all plain numbers, scaled and clipped: float32[batch, columns]."""
    parts = [obs[field.name] for field in layout.values]
    parts = [part.float().reshape(part.shape[0], -1) for part in parts]
    values = parts[0] if len(parts) == 1 else torch.cat(parts, 1)
    if scales is not None:
        values = values * scales
    return values.clamp(-INPUT_LIMIT, INPUT_LIMIT)


def encode_one_hot(values: Tensor, field: FieldSpec) -> Tensor:
    """One-hot encode choices, float32[batch, size * classes]; values that are one-hot already are kept."""
    columns = field.size * field.classes
    if values.ndim > 1 and values[0].numel() == columns and columns != field.size:
        return values.float().reshape(values.shape[0], columns)
    places = values.long().reshape(values.shape[0], -1) - field.low
    return functional.one_hot(places, field.classes).float().flatten(1)


class PolicyValueNet(nn.Module):
    """A policy and a value function over shared features: the network interface that every trainer uses.

    The parameters are those of ``jimbot.networks.layout.list_parameter_shapes``; subclasses say what the body is.
    """

    def __init__(self, spec: NetworkSpec) -> None:
        super().__init__()
        self.spec = spec
        features, policy, value = compute_tower_widths(spec)
        self.features_dim = features
        self.body = self.create_body(spec)
        self.value_body = None if spec.shared_trunk else self.create_body(spec)
        self.policy_tower = Layers(features, spec.policy_net_arch, spec.activation)
        self.value_tower = Layers(features, spec.value_net_arch, spec.activation)
        self.policy_head = self.create_policy_head(spec, policy)
        self.value_head = make_linear(value, 1, gain=VALUE_GAIN)
        if spec.box is not None:
            self.log_std = nn.Parameter(torch.zeros(spec.actions))

    def create_body(self, spec: NetworkSpec) -> nn.Module:
        """Create the module that turns an observation into features."""
        raise NotImplementedError

    def create_policy_head(self, spec: NetworkSpec, width: int) -> nn.Module:
        """Create the module that turns the policy tower's output into one score per action."""
        return make_linear(width, spec.actions, gain=POLICY_GAIN)

    def features(self, obs: Observation) -> Tensor:
        """Return the features of the policy, and of the value function unless the trunks are separate."""
        return self.body(obs)

    def value_features(self, obs: Observation) -> Tensor:
        """Return the features of the value function, float32[batch, features_dim]."""
        return self.body(obs) if self.value_body is None else self.value_body(obs)

    def scores_from(self, features: Tensor, obs: Observation, mask: Tensor | None = None) -> Tensor:
        """Return unmasked scores, float32[batch, actions], from precomputed features.

        A head that scores actions one by one may leave out those that the mask calls illegal.
        """
        del obs, mask
        return self.policy_head(self.policy_tower(features))

    def logits_from(self, features: Tensor, obs: Observation) -> Tensor:
        """Return masked logits, float32[batch, actions], from precomputed features."""
        mask = self.mask(obs)
        return apply_mask(self.scores_from(features, obs, mask), mask)

    def value_from(self, features: Tensor) -> Tensor:
        """Return values, float32[batch], from precomputed features."""
        return self.value_head(self.value_tower(features)).squeeze(-1)

    def mask(self, obs: Observation) -> Tensor | None:
        """Return the action mask of an observation, [batch, actions]; None if it has none."""
        return None if isinstance(obs, Tensor) or not self.spec.masked else obs[MASK_FIELD]

    def scores(self, obs: Observation) -> Tensor:
        """Return unmasked scores, float32[batch, actions]: the Q-values of a Q-network."""
        return self.scores_from(self.features(obs), obs)

    def policy_logits(self, obs: Observation) -> Tensor:
        """Return masked logits, float32[batch, actions]: illegal actions have probability 0."""
        return self.logits_from(self.features(obs), obs)

    def value(self, obs: Observation) -> Tensor:
        """Return the value of each observation, float32[batch]."""
        return self.value_from(self.value_features(obs))

    def distribution(self, logits: Tensor) -> Distribution:
        """Return the distribution over actions that masked logits, or the means of a Box, stand for."""
        return create_distribution(self.spec, logits, getattr(self, "log_std", None))

    def forward(self, obs: Observation) -> tuple[Tensor, Tensor]:
        """Return masked logits float32[batch, actions] and values float32[batch]; a shared body runs once."""
        features = self.features(obs)
        value_features = features if self.value_body is None else self.value_body(obs)
        return self.logits_from(features, obs), self.value_from(value_features)


class FlatNet(PolicyValueNet):
    """The network for observations without entities."""

    def create_body(self, spec: NetworkSpec) -> nn.Module:
        """Create a flat body."""
        return FlatBody(spec)


def get_tensors(network: nn.Module) -> dict[str, Any]:
    """Return the parameters as NumPy arrays by name, as a policy file holds them."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in network.state_dict().items()}
