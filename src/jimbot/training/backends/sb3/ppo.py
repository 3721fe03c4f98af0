"""Stable-Baselines3's PPO with its update in compiled code, where the engine computes the network.

Collecting, schedules, minibatches and logs are the library's. What changes is who computes a minibatch: the loss, its
gradients and the optimizer's step are three calls instead of some hundred operations. The parameters that come out are
those of the library's own update but for rounding.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.utils import explained_variance

from jimbot import _engine
from jimbot.networks.packed_observations import FLOATS, INTEGERS
from jimbot.networks.torch.native import NativeAdam
from jimbot.training.envs.packing import MASK

if TYPE_CHECKING:
    from torch import Tensor

    from jimbot.networks.torch.native import NativeNet

__all__ = ["NativePPO"]

TOO_FAR = 1.5
"""An update ends when the policy has moved this many times ``target_kl``; the library's number."""


class Losses(NamedTuple):
    """What a minibatch said, under the library's names."""

    loss: float
    policy_gradient_loss: float
    value_loss: float
    entropy_loss: float
    approx_kl: float
    clip_fraction: float


class NativePPO(PPO):
    """PPO that learns in compiled code if its policy's whole network is there, else as the library does."""

    def train(self) -> None:
        """Learn from the rollout that was collected."""
        policy = cast("Any", self.policy)
        net: NativeNet | None = getattr(policy, "native", None)
        if net is None or net.others or not isinstance(policy.optimizer, NativeAdam):
            super().train()
            return
        policy.set_training_mode(True)
        self._update_learning_rate(policy.optimizer)
        clip = float(cast("Any", self.clip_range)(self._current_progress_remaining))
        value_clip = -1.0
        if self.clip_range_vf is not None:
            value_clip = float(cast("Any", self.clip_range_vf)(self._current_progress_remaining))
        options = (
            clip,
            value_clip,
            float(self.ent_coef),
            float(self.vf_coef),
            bool(self.normalize_advantage),
        )
        found: list[Losses] = []
        in_pass: list[Losses] = []
        for _ in range(self.n_epochs):
            in_pass = []
            near = self._pass(net, policy.optimizer, options, in_pass)
            found += in_pass
            self._n_updates += 1
            if not near:
                break
        self._log(found, in_pass, clip, value_clip)

    def _pass(
        self, net: NativeNet, optimizer: NativeAdam, options: tuple[Any, ...], found: list[Losses]
    ) -> bool:
        """Learn once from every step; False if the policy moved too far from the one that collected."""
        for data in self.rollout_buffer.get(self.batch_size):
            blocks = cast("dict[str, Tensor]", data.observations)
            logits, values, cache = net.forward(blocks[FLOATS], blocks[INTEGERS])
            logit_gradients, value_gradients = torch.empty_like(logits), torch.empty_like(values)
            steps = torch.stack([data.old_log_prob, data.old_values, data.advantages, data.returns])
            losses = Losses(
                *_engine.ppo_loss(
                    logits.numpy(),
                    blocks[MASK].numpy(),
                    data.actions.long().flatten().numpy(),
                    values.numpy(),
                    steps.numpy(),
                    options,
                    logit_gradients.numpy(),
                    value_gradients.numpy(),
                )
            )
            found.append(losses)
            if self.target_kl is not None and losses.approx_kl > TOO_FAR * self.target_kl:
                return False
            gradient = net.backward(cache, logit_gradients, value_gradients, None)
            optimizer.step_array(gradient, self.max_grad_norm)
        return True

    def _log(self, found: list[Losses], in_pass: list[Losses], clip: float, value_clip: float) -> None:
        """Under the library's names and averaged as it does: the divergence over the last pass, the loss not at all."""
        means = Losses(*np.mean(found, axis=0).tolist())._asdict()
        means |= {"approx_kl": float(np.mean([each.approx_kl for each in in_pass])), "loss": found[-1].loss}
        for name, value in means.items():
            self.logger.record(f"train/{name}", value)
        buffer = self.rollout_buffer
        explained = explained_variance(buffer.values.flatten(), buffer.returns.flatten())
        self.logger.record("train/explained_variance", explained)
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")
        self.logger.record("train/clip_range", clip)
        if self.clip_range_vf is not None:
            self.logger.record("train/clip_range_vf", value_clip)
