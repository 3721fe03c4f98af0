"""What PPO is given, what it keeps, and what it is fed: plain values that JAX can carry through compiled code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax import Array

__all__ = ["ApplyFunction", "NormaliserState", "PPOConfig", "PPOState", "Rollout"]


class ApplyFunction(Protocol):
    """A network as a pure function."""

    def __call__(self, params: Any, observations: Any, /) -> tuple[Array, Array]:
        """Logits float[batch, num_actions] and values float[batch] of a batch of observations."""
        ...


@dataclass(frozen=True)
class PPOConfig:
    """The hyperparameters of PPO. They are constants of the compiled update, except ``learning_rate``."""

    learning_rate: float = 3e-4
    """Step size of Adam at the start; it is kept in ``PPOState``, where it can be changed without compiling anew."""
    clip_epsilon: float = 0.2
    """How far the ratio of new to old probability may leave 1 before it earns nothing more."""
    gamma: float = 0.99
    """Discount factor."""
    gae_lambda: float = 0.95
    """Decay of the generalised advantage estimate: 0 trusts the value function, 1 trusts the rewards."""
    entropy_coef: float = 0.01
    """Weight of the entropy bonus."""
    value_coef: float = 0.5
    """Weight of the value loss."""
    max_grad_norm: float = 0.5
    """Gradients whose global norm is larger are scaled down to it."""
    epochs_per_update: int = 10
    """Passes over the collected steps in one update."""
    minibatch_size: int = 64
    """Steps per gradient step. The last minibatch of a pass is smaller if the sizes do not divide; none is dropped."""
    value_clip: float | None = None
    """If given, the value may leave the value at collection by this much; the rest of the move has no gradient."""
    value_loss_scale: float = 1.0
    """Factor on the mean squared error: 1 as in Stable-Baselines3 and in the formula E[(V - target)^2]; 0.5 where the
    square is halved."""
    normalise_advantages: bool = True
    """Whether advantages get mean 0 and standard deviation 1 in every minibatch."""
    normalise_observations: bool = False
    """Whether observations are normalised by running statistics, which are part of ``PPOState``."""
    target_kl: float | None = None
    """If given, an update stops at the first minibatch whose approximate divergence exceeds 1.5 times this."""
    adam_epsilon: float = 1e-5
    """Added to the denominator of Adam; 1e-5 as in Stable-Baselines3."""
    schedule: Callable[[Array], Array] | None = None
    """If given, a factor on the learning rate as a function of the number of updates done."""

    def __post_init__(self) -> None:
        for name in ("epochs_per_update", "minibatch_size"):
            if getattr(self, name) < 1:
                raise JimbotError(f"{name} must be at least 1, got {getattr(self, name)}")
        for name in ("gamma", "gae_lambda"):
            if not 0 <= getattr(self, name) <= 1:
                raise JimbotError(f"{name} must be between 0 and 1, got {getattr(self, name)}")
        for name in (
            "learning_rate",
            "clip_epsilon",
            "max_grad_norm",
            "adam_epsilon",
            "value_clip",
            "target_kl",
        ):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise JimbotError(f"{name} must be positive, got {value}")


class NormaliserState(NamedTuple):
    """Running statistics of observations: how many were seen, and mean and variance by leaf of the observation.

    The dictionaries hold only the leaves that are normalised, by their path (``""`` for an observation that is one
    array): floating-point leaves that are not the action mask.
    """

    seen: Array
    mean: dict[str, Array]
    variance: dict[str, Array]


class PPOState(NamedTuple):
    """Everything that changes in training: with it and the environment's state, training continues bit for bit."""

    params: Any
    """Parameters of the network, as its apply function takes them."""
    optimiser: Any
    """State of Adam."""
    normaliser: NormaliserState
    """Statistics of observations."""
    key: Array
    """Random key, uint32[2]."""
    learning_rate: Array
    """float32; see ``PPOConfig.learning_rate``."""
    updates: Array
    """int32: updates done."""
    steps: Array
    """uint32: steps of environments learned from."""


class Rollout(NamedTuple):
    """Collected steps, time first: every array is [steps, num_envs, …] unless said otherwise."""

    observations: Any
    """Array or (nested) dictionary of arrays, as the environment gave them: not normalised."""
    actions: Array
    """int32."""
    rewards: Array
    """float32."""
    terminated: Array
    """bool: the episode ended here and nothing follows."""
    truncated: Array
    """bool: the episode was cut here; what would have followed is worth ``final_values``."""
    log_probs: Array
    """float32: logarithm of the probability the action had when it was chosen."""
    values: Array
    """float32: value of the observation when it was collected."""
    final_values: Array
    """float32: value of the episode's last observation where ``truncated``; anything elsewhere."""
    last_values: Array
    """float32[num_envs]: value of the observation after the last step."""
    valid: Array | None = None
    """bool: False marks steps that are not to be learned from (padding, or a vector's reset steps). None: all are."""
