"""Policies for Stable-Baselines3 around jimbot's networks: every choice, bonus and target is over legal actions.

The library trains; the network, its masks and its parameters are ours, so every library gives the same policy file.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import torch
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.dqn.dqn import DQN
from stable_baselines3.dqn.policies import DQNPolicy
from torch import Tensor, nn

from jimbot.networks import apply_mask, create_network, make_network_spec
from jimbot.networks.torch.native import NativeAdam, NativeNet, can_run_native, evaluate_actions
from jimbot.training.envs.packing import MASK, PackedFields, Packing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from jimbot.networks import NetworkSpec
    from jimbot.networks.distributions import Distribution

__all__ = ["BalatroFeaturesExtractor", "MaskedActorCriticPolicy", "MaskedDQN", "MaskedDQNPolicy"]


class BalatroFeaturesExtractor(BaseFeaturesExtractor):
    """The body of ``BalatroNet`` for Stable-Baselines3's own policies: embeddings and pooled entities in one vector.

    Args:
        observation_space: Balatro's Dict space.
        features_dim: width of the features.
        sizes: further sizes of the network.
    """

    def __init__(
        self, observation_space: gymnasium.spaces.Dict, features_dim: int = 512, **sizes: Any
    ) -> None:
        super().__init__(observation_space, features_dim)
        mask = observation_space.spaces.get(MASK)
        actions = gymnasium.spaces.Discrete(mask.shape[0] if mask is not None and mask.shape else 1)
        spec = make_network_spec(observation_space, actions, features_dim=features_dim, **sizes)
        self.body = create_network(spec).body

    def forward(self, observations: dict[str, Tensor]) -> Tensor:
        """float32[batch, features_dim]."""
        return self.body(observations)


class NoExtractor(BaseFeaturesExtractor):
    """Stands where the library wants an extractor; ours is inside the network."""

    def __init__(self, observation_space: gymnasium.Space[Any]) -> None:
        super().__init__(observation_space, 1)

    def forward(self, observations: Any) -> Any:
        """The observations as they are."""
        return observations


def create_optimizer(
    policy: MaskedActorCriticPolicy | MaskedDQNPolicy, parameters: Iterable[Any], lr_schedule: Any
) -> Any:
    """The library's choice of optimizer; Adam in one pass over the numbers instead of a dozen."""
    arguments = dict(policy.optimizer_kwargs)
    if policy.optimizer_class is torch.optim.Adam:
        arguments.setdefault("fused", True)
        if policy.native is not None:
            return NativeAdam(policy.native, lr=lr_schedule(1), **arguments)
    return cast("Any", policy.optimizer_class)(parameters, lr=lr_schedule(1), **arguments)


class MaskedActorCriticPolicy(ActorCriticPolicy):
    """Actor and critic for PPO and A2C: one of our networks, behind packed observations if a packing is given.

    Args:
        spec: the network.
        packing: how observations are packed; None if they are not.
        native_threads: if given, the engine computes the network on so many threads wherever it can. The policy must
            then stay on the processor.
    """

    def __init__(
        self,
        *arguments: Any,
        spec: NetworkSpec,
        packing: Packing | None,
        native_threads: int | None = None,
        **named: Any,
    ) -> None:
        self.spec, self.packing, self.native_threads = spec, packing, native_threads
        super().__init__(*arguments, features_extractor_class=NoExtractor, **named)

    def _build(self, lr_schedule: Any) -> None:
        self.network = create_network(self.spec)
        self.native = self._native()
        self.optimizer = create_optimizer(self, self.parameters(), lr_schedule)

    def _native(self) -> NativeNet | None:
        if self.native_threads is None or self.packing is None:
            return None
        blocks = self.packing.blocks
        if not can_run_native(self.spec, blocks):
            return None
        return NativeNet(self.network, blocks, self.native_threads)

    def parameters(self, recurse: bool = True) -> Iterator[nn.Parameter]:
        """What is optimized, and cut to a length before it: as one block where the engine computes."""
        return super().parameters(recurse) if self.native is None else self.native.parameters()

    def _unpacked(self, obs: Any) -> Any:
        if self.packing is None:
            return obs
        # The engine takes the blocks themselves; hardly a field is then looked at.
        return self.packing.unpack(obs) if self.native is None else PackedFields(self.packing, obs)

    def _outputs(self, obs: Any) -> tuple[Distribution, Tensor]:
        if self.native is None:
            logits, values = self.network(self._unpacked(obs))
        else:
            scores, values = self.native(obs, self._unpacked(obs))
            logits = apply_mask(scores, obs[MASK])
        return self.network.distribution(logits), values.unsqueeze(-1)

    def forward(self, obs: Any, deterministic: bool = False) -> tuple[Tensor, Tensor, Tensor]:
        """Actions, values and the actions' log-probabilities."""
        with torch.inference_mode(mode=not torch.is_grad_enabled()):  # collecting asks for no gradients
            choice, values = self._outputs(obs)
            actions = choice.mode if deterministic else choice.sample()
            log_probs = choice.log_prob(actions)
            return actions.reshape(-1, *cast("Any", self.action_space).shape), values, log_probs

    def evaluate_actions(self, obs: Any, actions: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
        """Values, log-probabilities and entropies of given actions."""
        if self.native is None:
            choice, values = self._outputs(obs)
            return values, choice.log_prob(actions), choice.entropy()
        scores, values = self.native(obs, self._unpacked(obs))
        log_probs, entropies = evaluate_actions(scores, obs[MASK], actions)
        return values.unsqueeze(-1), log_probs, entropies

    def predict_values(self, obs: Any) -> Tensor:
        """Values alone; also of observations in which nothing is legal any more."""
        return self.network.value(self._unpacked(obs)).unsqueeze(-1)

    def get_distribution(self, obs: Any) -> Any:
        """The distribution over actions, masked if observations have a mask."""
        return self.network.distribution(self.network.policy_logits(self._unpacked(obs)))

    def _predict(self, observation: Any, deterministic: bool = False) -> Tensor:
        choice = self.get_distribution(observation)
        actions = choice.mode if deterministic else choice.sample()
        return actions.reshape(-1, *cast("Any", self.action_space).shape)


class MaskedQNetwork(nn.Module):
    """Q-values of legal actions; illegal ones are so low that neither a maximum nor a choice ever meets them."""

    def __init__(self, spec: NetworkSpec, packing: Packing) -> None:
        super().__init__()
        self.network = create_network(spec)
        self.packing = packing

    def forward(self, obs: Any) -> Tensor:
        """float32[batch, actions]."""
        return self.network.policy_logits(self.packing.unpack(obs))

    def set_training_mode(self, mode: bool) -> None:
        """As the library calls it."""
        self.train(mode)


class MaskedDQNPolicy(DQNPolicy):
    """Q-network and target network for DQN, computed by torch."""

    native = None

    def __init__(self, *arguments: Any, spec: NetworkSpec, packing: Packing, **named: Any) -> None:
        self.spec, self.packing = spec, packing
        super().__init__(*arguments, features_extractor_class=NoExtractor, **named)

    def _build(self, lr_schedule: Any) -> None:
        self.q_net = cast("Any", MaskedQNetwork(self.spec, self.packing))
        self.q_net_target = cast("Any", MaskedQNetwork(self.spec, self.packing))
        self.q_net_target.load_state_dict(self.q_net.state_dict())
        self.q_net_target.set_training_mode(False)
        trained = [
            value for name, value in self.q_net.named_parameters() if not name.startswith("network.value_")
        ]
        self.optimizer = create_optimizer(self, trained, lr_schedule)

    def _predict(self, obs: Any, deterministic: bool = True) -> Tensor:
        return self.q_net(obs).argmax(dim=1)


class MaskedDQN(DQN):
    """DQN that explores among legal actions only, each environment by random numbers of its own."""

    def predict(
        self, observation: Any, state: Any = None, episode_start: Any = None, deterministic: bool = False
    ) -> tuple[Any, Any]:
        """Greedy actions, some of them replaced by random legal ones unless deterministic."""
        with torch.no_grad():
            tensors, _ = self.policy.obs_to_tensor(observation)
            actions = self.policy.q_net(tensors).argmax(dim=1).cpu().numpy()
        if not deterministic:
            explore = np.random.rand(len(actions)) < self.exploration_rate  # noqa: NPY002  the library's generator
            actions = np.where(explore, self.random_legal(observation), actions)
        return actions, state

    def random_legal(self, observation: Any) -> NDArray[np.int64]:
        """A legal action per row, all equally likely."""
        rows = len(next(iter(observation.values())))
        count = int(cast("Any", self.action_space).n)
        noise = np.random.rand(rows, count)  # noqa: NPY002
        if MASK in observation:
            noise *= np.asarray(observation[MASK]) > 0
        return noise.argmax(axis=1)

    def _sample_action(
        self, learning_starts: int, action_noise: Any = None, n_envs: int = 1
    ) -> tuple[Any, Any]:
        if self.num_timesteps < learning_starts:
            actions = self.random_legal(self._last_obs)
        else:
            actions, _ = self.predict(self._last_obs, deterministic=False)
        return actions, actions
