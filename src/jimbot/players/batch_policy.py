"""A trained network as a policy for batches of observations, independent of any training library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.errors import require
from jimbot.networks.distributions import environment_actions
from jimbot.networks.errors import PolicyFileError
from jimbot.networks.masked import MaskedCategorical, masked_argmax
from jimbot.networks.policy_file import PolicyFile, load_policy
from jimbot.networks.spec import MASK_FIELD

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

__all__ = ["NetworkPolicy"]


class NetworkPolicy:
    """Chooses legal actions for batches of observations, normalized with the policy's own frozen statistics.

    Args:
        policy: a policy file or where one lies.
        deterministic: take the likeliest action; otherwise draw from the policy.
        seed: of the draws.
    """

    def __init__(
        self, policy: PolicyFile | str | os.PathLike[str], *, deterministic: bool = True, seed: int = 0
    ) -> None:
        self._torch: Any = require("torch", "sb3")
        self.policy = policy if isinstance(policy, PolicyFile) else load_policy(policy)
        self.policy.require_current()
        self.network = self.policy.network()
        self.deterministic = deterministic
        self._generator = self._torch.Generator().manual_seed(seed)

    def __call__(self, obs: Any) -> NDArray[Any]:
        """An action per observation, from arrays by name (or the one array), batch first.

        int64[batch] for one choice, int64[batch, choices] for several, float[batch, *shape] for continuous actions.
        """
        logits, mask = self._logits(obs)
        if mask is None:
            with self._torch.inference_mode():
                choice = self.network.distribution(logits)
                chosen = choice.mode if self.deterministic else choice.sample(self._generator)
            return environment_actions(self.policy.spec, chosen)
        if self.deterministic:
            chosen = masked_argmax(logits, mask)
        else:
            chosen = MaskedCategorical(logits, mask).sample(self._generator)
        return chosen.numpy()

    def probabilities(self, obs: Any) -> NDArray[np.float32]:
        """Return the action probabilities, float32[batch, actions], of a policy that makes one choice."""
        if self.policy.spec.box is not None or self.policy.spec.choices:
            raise PolicyFileError(
                "this policy does not choose one of several actions, so they have no probabilities"
            )
        logits, mask = self._logits(obs)
        return MaskedCategorical(logits, mask).probs.numpy()

    def values(self, obs: Any) -> NDArray[np.float32]:
        """Return the value estimates, float32[batch]."""
        with self._torch.inference_mode():
            return self.network.value(self._tensors(obs)).numpy()

    def outputs(self, obs: Any) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the network's outputs: masked logits, float32[batch, actions], and values, float32[batch]."""
        with self._torch.inference_mode():
            logits, values = self.network(self._tensors(obs))
        return logits.numpy(), values.numpy()

    def _logits(self, obs: Any) -> tuple[Any, Any]:
        tensors = self._tensors(obs)
        with self._torch.inference_mode():
            logits = self.network.policy_logits(tensors)
        return logits, tensors[MASK_FIELD] if self.policy.spec.masked else None

    def _tensors(self, obs: Any) -> Any:
        """Convert observations to normalized tensors."""
        if self.policy.normalizer is not None:
            obs = self.policy.normalizer.normalize(obs)
        if not self.policy.spec.dict_observation:
            return self._torch.as_tensor(np.asarray(obs))
        return {
            field.name: self._torch.as_tensor(np.asarray(obs[field.name]))
            for field in self.policy.spec.fields
        }
