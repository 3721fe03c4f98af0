"""A torch network as something that chooses actions for batches of NumPy observations."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from jimbot.networks.normalizer import ObservationNormalizer

__all__ = ["tensors_from", "torch_policy"]


def torch_policy(
    network: Any, normalizer: ObservationNormalizer | None, *, deterministic: bool = True
) -> Callable[[Any], NDArray[Any]]:
    """The network's choice: the likeliest action, or a drawn one, as environments take it.

    The normalizer learns nothing.
    """
    import torch

    from jimbot.networks.distributions import create_distribution, environment_actions

    device = next(network.parameters()).device

    def choose(observation: Any) -> NDArray[Any]:
        seen = observation if normalizer is None else normalizer.normalize(observation)
        with torch.inference_mode():
            logits = network.policy_logits(tensors_from(seen, device))
            choice = create_distribution(network.spec, logits, getattr(network, "log_std", None))
            actions = choice.mode if deterministic else choice.sample()
        return environment_actions(network.spec, actions)

    return choose


def tensors_from(observation: Any, device: Any = None) -> Any:
    """Tensors by name, or the one tensor, of a batch of NumPy observations."""
    import torch

    if isinstance(observation, dict):
        parts = cast("dict[str, Any]", observation)
        return {
            name: torch.as_tensor(np.ascontiguousarray(part), device=device) for name, part in parts.items()
        }
    return torch.as_tensor(np.ascontiguousarray(observation), device=device)
