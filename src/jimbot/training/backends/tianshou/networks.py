"""Our networks in the shapes Tianshou calls, and its DQN with masks: every choice and target is over legal actions."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from torch import Tensor, nn

from jimbot.networks.masked import ILLEGAL
from jimbot.training.envs.packing import MASK, Packing

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ActorNetwork", "CriticNetwork", "MaskedDQN", "MaskedQPolicy", "random_legal"]


class PackedNetwork(nn.Module):
    """A network behind packed observations. Several of these may share one network."""

    def __init__(self, network: Any, packing: Packing) -> None:
        super().__init__()
        self.network = network
        self.packing = packing

    def unpacked(self, obs: Any) -> Any:
        """Tensors by name, from the blocks of one of the library's batches."""
        device = next(self.network.parameters()).device
        blocks = {block: torch.as_tensor(obs[block], device=device) for block in self.packing.widths}
        return self.packing.unpack(blocks)


class ActorNetwork(PackedNetwork):
    """Masked logits; of a DQN, masked Q-values."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        """float32[batch, actions], and the state as it came."""
        return self.network.policy_logits(self.unpacked(obs)), state


class CriticNetwork(PackedNetwork):
    """Values; also of observations in which nothing is legal any more."""

    def forward(self, obs: Any, **_: Any) -> Tensor:
        """float32[batch]."""
        return self.network.value(self.unpacked(obs))


def random_legal(obs: Any, count: int, rows: int) -> NDArray[np.int64]:
    """A legal action per row, all equally likely, drawn by NumPy's global generator."""
    noise = np.random.rand(rows, count)  # noqa: NPY002  the library's generator, which checkpoints hold
    if MASK in obs:
        noise *= np.asarray(obs[MASK]) > 0
    return noise.argmax(axis=1)


class MaskedQPolicy(DiscreteQLearningPolicy[Any]):
    """Greedy among legal actions; explores among legal actions, each environment by random numbers of its own."""

    def add_exploration_noise(self, act: Any, batch: Any) -> Any:
        """The actions, some of them replaced by random legal ones."""
        chance = self.eps_training if self.is_within_training_step else self.eps_inference
        explore = np.random.rand(len(act)) < chance  # noqa: NPY002
        count = int(self.action_space.n)
        return np.where(explore, random_legal(batch.obs, count, len(act)), act)


class MaskedDQN(DQN[Any]):
    """DQN whose gradients are cut, as in its other implementations, and that bootstraps from legal actions only."""

    def __init__(self, *, max_grad_norm: float, **named: Any) -> None:
        self._longest_gradient = max_grad_norm  # the parent's constructor already needs it
        super().__init__(**named)

    def _create_policy_optimizer(self, optim: Any) -> Any:
        trained = QParameters(self.policy.model.network)
        return self._create_optimizer(trained, optim, max_grad_norm=self._longest_gradient)

    def _target_q(self, buffer: Any, indices: NDArray[np.int64]) -> Tensor:
        best = super()._target_q(buffer, indices)
        return torch.where(best > ILLEGAL / 2, best, torch.zeros_like(best))


class QParameters(nn.Module):
    """What DQN trains of a network: everything but the value's own layers."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.names = [name for name, _ in network.named_parameters() if not name.startswith("value_")]
        self._trained = nn.ParameterList(
            value for name, value in network.named_parameters() if name in set(self.names)
        )
