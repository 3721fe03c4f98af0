"""The rollout of PPO and A2C as tensors: made once after collecting, so that a minibatch is one gathering per array."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import Any

import torch
from stable_baselines3.common.buffers import DictRolloutBuffer
from stable_baselines3.common.type_aliases import DictRolloutBufferSamples

__all__ = ["TensorRolloutBuffer"]

COLUMNS = ("actions", "values", "log_probs", "advantages", "returns")


class TensorRolloutBuffer(DictRolloutBuffer):
    """Gives the minibatches that the library's buffer gives, in the same order."""

    def reset(self) -> None:
        """Forget the rollout."""
        super().reset()
        self._tensors: dict[str, Any] | None = None

    def _get_samples(self, batch_inds: Any, env: Any = None) -> DictRolloutBufferSamples:
        if self._tensors is None:
            flat = {
                name: torch.as_tensor(getattr(self, name), device=self.device).flatten() for name in COLUMNS
            }
            seen = {
                name: torch.as_tensor(each, device=self.device) for name, each in self.observations.items()
            }
            self._tensors = {**flat, "observations": seen}
        rows = torch.as_tensor(batch_inds, device=self.device)
        tensors = self._tensors
        return DictRolloutBufferSamples(
            observations={name: each.index_select(0, rows) for name, each in tensors["observations"].items()},
            actions=tensors["actions"].index_select(0, rows),
            old_values=tensors["values"].index_select(0, rows),
            old_log_prob=tensors["log_probs"].index_select(0, rows),
            advantages=tensors["advantages"].index_select(0, rows),
            returns=tensors["returns"].index_select(0, rows),
        )
