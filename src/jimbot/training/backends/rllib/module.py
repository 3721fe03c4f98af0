"""jimbot's networks as RLlib modules: every choice, bonus and target is over legal actions only.

RLlib sees observations packed into two or three blocks (see ``Packing``); a module unpacks them for its network.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportMissingTypeArgument=false

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.dqn.default_dqn_rl_module import QF_NEXT_PREDS, QF_PREDS, QF_TARGET_NEXT_PREDS
from ray.rllib.core.columns import Columns
from ray.rllib.core.distribution.torch.torch_distribution import TorchCategorical
from ray.rllib.core.learner.utils import make_target_network
from ray.rllib.core.rl_module.apis import (
    TARGET_NETWORK_ACTION_DIST_INPUTS,
    InferenceOnlyAPI,
    QNetAPI,
    TargetNetworkAPI,
    ValueFunctionAPI,
)
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import Tensor

from jimbot.networks import NetworkSpec, create_network
from jimbot.training.envs.packing import MASK, Packing

__all__ = ["MaskedPolicyModule", "MaskedQModule", "MaskedTargetModule"]


class NetworkModule(TorchRLModule):
    """One of our networks, built from ``model_config``: ``spec`` as JSON and the ``packing`` of observations."""

    def setup(self) -> None:
        """Build the network."""
        self.packing: Packing = self.model_config["packing"]
        self.network: Any = create_network(NetworkSpec.from_json(self.model_config["spec"]))

    def unpacked(self, blocks: Any) -> Any:
        """Tensors by name from packed ones."""
        return self.packing.unpack(blocks)

    def get_exploration_action_dist_cls(self) -> Any:
        """Masked logits make a plain categorical distribution a masked one."""
        return TorchCategorical

    get_train_action_dist_cls = get_exploration_action_dist_cls
    get_inference_action_dist_cls = get_exploration_action_dist_cls


class MaskedPolicyModule(NetworkModule, ValueFunctionAPI):
    """Actor and critic, for PPO and IMPALA."""

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {Columns.ACTION_DIST_INPUTS: self.network.policy_logits(self.unpacked(batch[Columns.OBS]))}

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        obs = self.unpacked(batch[Columns.OBS])
        features = self.network.features(obs)
        of_value = features if self.network.value_body is None else self.network.value_features(obs)
        return {
            Columns.ACTION_DIST_INPUTS: self.network.logits_from(features, obs),
            Columns.EMBEDDINGS: of_value,
        }

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        """float32[batch]; also of observations in which nothing is legal any more."""
        if embeddings is None:
            return self.network.value(self.unpacked(batch[Columns.OBS]))
        return self.network.value_from(embeddings)


class MaskedTargetModule(MaskedPolicyModule, TargetNetworkAPI, InferenceOnlyAPI):
    """Actor and critic with an older copy of themselves, for APPO."""

    def make_target_networks(self) -> None:
        """Copy the network."""
        self.target: Any = make_target_network(self.network)

    def get_target_network_pairs(self) -> list[tuple[Any, Any]]:
        """What is copied into what."""
        return [(self.network, self.target)]

    def forward_target(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Masked logits of the older policy."""
        obs = self.unpacked(batch[Columns.OBS])
        return {TARGET_NETWORK_ACTION_DIST_INPUTS: self.target.policy_logits(obs)}

    def get_non_inference_attributes(self) -> list[str]:
        """What runners do not need."""
        return ["target"]


class MaskedQModule(NetworkModule, QNetAPI, TargetNetworkAPI, InferenceOnlyAPI):
    """Q-values of legal actions, for DQN. Exploration draws among legal actions."""

    def make_target_networks(self) -> None:
        """Copy the network."""
        self.target: Any = make_target_network(self.network)

    def get_target_network_pairs(self) -> list[tuple[Any, Any]]:
        """What is copied into what."""
        return [(self.network, self.target)]

    def get_non_inference_attributes(self) -> list[str]:
        """What runners do not need."""
        return ["target"]

    def compute_q_values(self, batch: dict[str, Any]) -> dict[str, Any]:
        """float32[batch, actions], hugely negative where illegal."""
        return {QF_PREDS: self.network.policy_logits(self.unpacked(batch[Columns.OBS]))}

    def forward_target(self, batch: dict[str, Any]) -> dict[str, Any]:
        """The same of the target network."""
        return {QF_PREDS: self.target.policy_logits(self.unpacked(batch[Columns.OBS]))}

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {Columns.ACTIONS: self.compute_q_values(batch)[QF_PREDS].argmax(1)}

    def _forward_exploration(self, batch: dict[str, Any], t: int = 0, **_: Any) -> dict[str, Any]:
        with torch.no_grad():
            actions = self._forward(batch)[Columns.ACTIONS]
            noise = torch.rand(len(actions), self.network.spec.actions)
            if MASK in batch[Columns.OBS]:
                noise *= batch[Columns.OBS][MASK] > 0
            explore = torch.rand(len(actions)) < self.exploration(t)
            return {Columns.ACTIONS: torch.where(explore, noise.argmax(1), actions)}

    def exploration(self, taken: int) -> float:
        """Chance of a random legal action after so many steps; certain until learning starts."""
        plan = self.model_config["exploration"]
        if taken < plan["random_steps"]:
            return 1.0
        if not plan["steps"]:
            return plan["final"]
        share = min(1.0, taken / plan["steps"])
        return plan["initial"] + (plan["final"] - plan["initial"]) * share

    def _forward_train(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        following = {Columns.OBS: batch[Columns.NEXT_OBS]}
        outputs = {
            QF_PREDS: self.compute_q_values(batch)[QF_PREDS],
            QF_TARGET_NEXT_PREDS: self.forward_target(following)[QF_PREDS],
        }
        if self.model_config.get("double_q"):
            outputs[QF_NEXT_PREDS] = self.compute_q_values(following)[QF_PREDS]
        return outputs
