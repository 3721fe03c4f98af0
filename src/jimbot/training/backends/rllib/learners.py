"""RLlib's learners with the optimizer that every backend has: Adam with the configuration's epsilon."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

import torch
from ray.rllib.algorithms.appo.torch.appo_torch_learner import APPOTorchLearner
from ray.rllib.algorithms.dqn.torch.dqn_torch_learner import DQNTorchLearner
from ray.rllib.algorithms.impala.torch.impala_torch_learner import IMPALATorchLearner
from ray.rllib.algorithms.ppo.torch.ppo_torch_learner import PPOTorchLearner

__all__ = ["LEARNERS"]


class SameAdam:
    """What the learners below share."""

    def configure_optimizers_for_module(self, module_id: str, config: Any = None) -> None:
        """Adam over everything the module learns; target networks are left out."""
        learner: Any = self
        module = learner._module[module_id]  # noqa: SLF001
        trained = [each for each in module.parameters() if each.requires_grad]
        optimizer = torch.optim.Adam(trained, eps=module.model_config["adam_epsilon"])
        learner.register_optimizer(
            module_id=module_id, optimizer=optimizer, params=trained, lr_or_lr_schedule=config.lr
        )


class PPOLearner(SameAdam, PPOTorchLearner):
    """PPO."""


class APPOLearner(SameAdam, APPOTorchLearner):
    """APPO."""


class IMPALALearner(SameAdam, IMPALATorchLearner):
    """IMPALA."""


class DQNLearner(SameAdam, DQNTorchLearner):
    """DQN."""


LEARNERS: dict[str, type] = {
    "PPO": PPOLearner,
    "APPO": APPOLearner,
    "IMPALA": IMPALALearner,
    "DQN": DQNLearner,
}
"""By algorithm."""
