"""Actor and critic for vector observations: two towers of tanh layers, as in Stable-Baselines3."""

# Flax's and JAX's own signatures name types that they do not describe.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import flax.linen as nn
import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jax import Array

    from jimbot.training.envs.packing import Packing

__all__ = [
    "ActorNetwork",
    "CriticNetwork",
    "NetworkApply",
    "PPONetwork",
    "apply_function",
    "initial_parameters",
]


def tower(observations: Array, sizes: tuple[int, ...]) -> Array:
    """Tanh layers of the given widths with orthogonal initialization."""
    hidden = observations
    for number, size in enumerate(sizes):
        start = nn.initializers.orthogonal(math.sqrt(2.0))
        hidden = nn.tanh(nn.Dense(size, kernel_init=start, name=f"hidden_{number}")(hidden))
    return hidden


class ActorNetwork(nn.Module):
    """Logits float[batch, action_dim] from observations float[batch, observation_dim]."""

    action_dim: int
    hidden_sizes: tuple[int, ...] = (64, 64)

    @nn.compact
    def __call__(self, observations: Array) -> Array:
        """The logits, near zero at initialization, so that the first policy is nearly uniform."""
        start = nn.initializers.orthogonal(0.01)
        hidden = tower(observations, self.hidden_sizes)
        return nn.Dense(self.action_dim, kernel_init=start, name="logits")(hidden)


class CriticNetwork(nn.Module):
    """Values float[batch] from observations float[batch, observation_dim]."""

    hidden_sizes: tuple[int, ...] = (64, 64)

    @nn.compact
    def __call__(self, observations: Array) -> Array:
        """The values."""
        hidden = tower(observations, self.hidden_sizes)
        return nn.Dense(1, kernel_init=nn.initializers.orthogonal(1.0), name="value")(hidden)[:, 0]


class PPONetwork(nn.Module):
    """Actor and critic; they share no layers."""

    action_dim: int
    hidden_sizes: tuple[int, ...] = (64, 64)

    def setup(self) -> None:
        """The two towers."""
        self.actor = ActorNetwork(self.action_dim, self.hidden_sizes)
        self.critic = CriticNetwork(self.hidden_sizes)

    def __call__(self, observations: Any) -> tuple[Array, Array]:
        """Logits and values. Of a dictionary of observations, ``observation`` is read; PPO applies the mask."""
        vector = observations["observation"] if isinstance(observations, dict) else observations
        return self.actor(vector), self.critic(vector)


@dataclass(frozen=True)
class NetworkApply:
    """A Flax module as the pure function that PPO takes; equal modules give equal functions.

    Attributes:
        network: the module.
        packing: if given, observations come as its blocks and are unpacked for the network.
    """

    network: nn.Module
    packing: Packing | None = None

    def __call__(self, params: Any, observations: Any, /) -> tuple[Array, Array]:
        """Logits float[batch, num_actions] and values float[batch]."""
        unpacked = observations if self.packing is None else self.packing.unpack(observations)
        return cast("tuple[Array, Array]", self.network.apply(params, unpacked))


def apply_function(network: nn.Module, packing: Packing | None = None) -> NetworkApply:
    """A Flax module as the pure function that PPO takes; see ``NetworkApply``."""
    return NetworkApply(network, packing)


def initial_parameters(network: nn.Module, seed: int | Array, observation: Any) -> Any:
    """New parameters from a seed or a key; ``observation`` is one example, without a batch."""
    batch = jax.tree.map(lambda leaf: jnp.asarray(leaf)[None], observation)  # pyright: ignore[reportUnknownLambdaType]
    key = jax.random.PRNGKey(seed) if isinstance(seed, int) else seed
    return network.init(key, batch)
