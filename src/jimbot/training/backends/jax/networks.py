"""Actor and critic for observations that are vectors: two towers of tanh layers, as in Stable-Baselines3."""

# Flax's and JAX's own signatures name types that they do not describe.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import flax.linen as nn
import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jax import Array

    from jimbot.training.backends.jax.types import ApplyFunction

__all__ = ["ActorNetwork", "CriticNetwork", "PPONetwork", "apply_function", "initial_parameters"]


def tower(observations: Array, sizes: tuple[int, ...]) -> Array:
    """Tanh layers of the given widths, orthogonal at the start."""
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
        """The logits. They start near zero, so that the first policy is nearly uniform."""
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
    """Actor and critic side by side; they share nothing."""

    action_dim: int
    hidden_sizes: tuple[int, ...] = (64, 64)

    def setup(self) -> None:
        """The two towers."""
        self.actor = ActorNetwork(self.action_dim, self.hidden_sizes)
        self.critic = CriticNetwork(self.hidden_sizes)

    def __call__(self, observations: Any) -> tuple[Array, Array]:
        """Logits and values. Of a dictionary of observations, ``observation`` is read; its mask is PPO's affair."""
        vector = observations["observation"] if isinstance(observations, dict) else observations
        return self.actor(vector), self.critic(vector)


def apply_function(network: nn.Module) -> ApplyFunction:
    """A Flax module as the pure function that PPO takes."""

    def apply(params: Any, observations: Any, /) -> tuple[Array, Array]:
        return cast("tuple[Array, Array]", network.apply(params, observations))

    return apply


def initial_parameters(network: nn.Module, seed: int | Array, observation: Any) -> Any:
    """Fresh parameters from a seed or a key; ``observation`` shows the shape of one observation, without a batch."""
    batch = jax.tree.map(lambda leaf: jnp.asarray(leaf)[None], observation)  # pyright: ignore[reportUnknownLambdaType]
    key = jax.random.PRNGKey(seed) if isinstance(seed, int) else seed
    return network.init(key, batch)
