"""The torch module that is exported: normalizer, network and mask in one, over plain tensors."""

# Torch is partly untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn

from jimbot.networks.torch.creation import create_network
from jimbot.networks.torch.threads import limit_threads

if TYPE_CHECKING:
    from jimbot.networks import PolicyFile

__all__ = ["ExportedPolicy"]


class ExportedPolicy(nn.Module):
    """Takes the arrays of an observation in the order of the network's description; gives logits and values."""

    def __init__(self, policy: PolicyFile) -> None:
        super().__init__()
        limit_threads()
        self.network = create_network(policy.spec)
        self.network.load_state_dict(
            {name: torch.from_numpy(array.copy()) for name, array in policy.tensors.items()}
        )
        self.names = [field.name for field in policy.spec.fields]
        self.one_array = not policy.spec.dict_observation
        self.normalized: list[str] = []
        self.clip = 0.0
        if policy.normalizer is not None:
            self.clip = policy.normalizer.clip
            for name, moments in policy.normalizer.moments.items():
                self.normalized.append(name)
                deviation = np.sqrt(moments.variance + policy.normalizer.epsilon)
                self.register_buffer(f"mean_of_{name}", torch.from_numpy(moments.mean.copy()))
                self.register_buffer(f"deviation_of_{name}", torch.from_numpy(deviation))

    def forward(self, *observation: Tensor) -> tuple[Tensor, Tensor]:
        """float32[batch, actions] masked logits, float32[batch] values."""
        parts: dict[str, Any] = dict(zip(self.names, observation, strict=True))
        for name in self.normalized:
            mean, deviation = getattr(self, f"mean_of_{name}"), getattr(self, f"deviation_of_{name}")
            scaled = (parts[name].double() - mean) / deviation
            parts[name] = scaled.clamp(-self.clip, self.clip).float()
        return self.network(parts[self.names[0]] if self.one_array else parts)
