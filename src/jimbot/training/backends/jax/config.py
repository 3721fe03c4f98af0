"""Hyperparameters of PPO."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from jax import Array

__all__ = ["PPOConfig", "PPOParameters", "check_parameter_names", "current_parameter_names"]

FORMER_NAMES = {
    "normalise_advantages": "normalize_advantages",
    "normalise_observations": "normalize_observations",
}
"""How hyperparameters were spelled in agents that earlier versions saved."""


@dataclass(frozen=True)
class PPOConfig:
    """The hyperparameters of PPO. They are constants of the compiled update, except ``learning_rate``."""

    learning_rate: float = 3e-4
    """Step size of Adam at the start. The current one is in ``PPOState`` and can change without recompiling."""
    clip_epsilon: float = 0.2
    """Clip range of the probability ratio: the objective is flat outside 1 ± this."""
    gamma: float = 0.99
    """Discount factor."""
    gae_lambda: float = 0.95
    """Decay of generalized advantage estimation: 0 trusts the value function, 1 trusts the rewards."""
    entropy_coef: float = 0.01
    """Weight of the entropy bonus."""
    value_coef: float = 0.5
    """Weight of the value loss."""
    max_grad_norm: float = 0.5
    """Gradients with a larger global norm are scaled down to it."""
    epochs_per_update: int = 10
    """Passes over the rollout in one update."""
    minibatch_size: int = 64
    """Steps per gradient step. The last minibatch of a pass is smaller if the sizes do not divide; none is dropped."""
    value_clip: float | None = None
    """If given, clip range of the value around its value at collection time, as in Stable-Baselines3."""
    value_loss_scale: float = 1.0
    """Factor on the mean squared error: 1 as in Stable-Baselines3 and in the formula E[(V - target)^2]; 0.5 to halve
    the square."""
    normalize_advantages: bool = True
    """Whether advantages get mean 0 and standard deviation 1 in every minibatch."""
    normalize_observations: bool = False
    """Whether observations are normalized by running statistics, which are part of ``PPOState``."""
    target_kl: float | None = None
    """If given, an update stops at the first minibatch whose approximate KL divergence exceeds 1.5 times this."""
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
        positive = (
            "learning_rate",
            "clip_epsilon",
            "max_grad_norm",
            "adam_epsilon",
            "value_clip",
            "target_kl",
        )
        for name in positive:
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise JimbotError(f"{name} must be positive, got {value}")


class PPOParameters(TypedDict, total=False):
    """The hyperparameters of ``PPOConfig``, which explains them, as keyword arguments."""

    learning_rate: float
    clip_epsilon: float
    gamma: float
    gae_lambda: float
    entropy_coef: float
    value_coef: float
    max_grad_norm: float
    epochs_per_update: int
    minibatch_size: int
    value_clip: float | None
    value_loss_scale: float
    normalize_advantages: bool
    normalize_observations: bool
    target_kl: float | None
    adam_epsilon: float


def check_parameter_names(names: Iterable[str]) -> None:
    """Raise for an unknown hyperparameter."""
    known = sorted(PPOParameters.__annotations__)
    for name in names:
        if name not in known:
            raise JimbotError(f"unknown parameter {name!r}; the hyperparameters are {', '.join(known)}")


def current_parameter_names(saved: Mapping[str, Any]) -> dict[str, Any]:
    """Saved hyperparameters with the names of earlier versions replaced by those of this one."""
    return {FORMER_NAMES.get(name, name): value for name, value in saved.items()}
