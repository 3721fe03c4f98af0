"""CartPole as an object that holds its state, for loops written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import jax
import numpy as np

from jimbot.cartpole.jax_dynamics import CartPole, CartPoleParameters, CartPoleState
from jimbot.errors import JimbotError
from jimbot.functional.jax_batch import jit

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CartPoleWrapper"]


class CartPoleWrapper:
    """One CartPole with ``reset`` and ``step`` as in Gymnasium.

    ``environment`` holds the pure functions, which trainers compile directly instead of stepping this object.

    Args:
        max_steps: steps after which an episode is truncated.
        seed: decides the starts of all episodes; ``reset(seed=…)`` changes it.
        parameters: other physical constants; ``max_steps`` must then be given there.
    """

    observation_dim: int
    """Size of an observation."""
    action_dim: int
    """Number of actions."""

    def __init__(
        self, max_steps: int = 500, seed: int = 0, *, parameters: CartPoleParameters | None = None
    ) -> None:
        if parameters is not None and max_steps != 500:
            raise JimbotError(
                "max_steps was given twice; expected it in parameters when parameters are given"
            )
        limits = parameters or CartPoleParameters(max_steps=max_steps)
        if limits.max_steps < 1:
            raise JimbotError(f"max_steps must be at least 1, got {limits.max_steps}")
        self.environment = CartPole(limits)
        self.observation_dim = self.environment.observation_size
        self.action_dim = self.environment.num_actions
        self.key = jax.random.PRNGKey(seed)
        self.state: CartPoleState | None = None
        self.ended = True

    @property
    def max_steps(self) -> int:
        """Steps after which an episode is truncated."""
        return self.environment.parameters.max_steps

    def reset(self, *, seed: int | None = None) -> tuple[NDArray[np.floating[Any]], dict[str, Any]]:
        """Start an episode: the observation float[4], and an empty dict."""
        if seed is not None:
            self.key = jax.random.PRNGKey(seed)
        self.key, episode_key = jax.random.split(self.key)
        self.state, observation = _reset(self.environment, episode_key)
        self.ended = False
        return np.asarray(observation), {}

    def step(self, action: int) -> tuple[NDArray[np.floating[Any]], float, bool, bool, dict[str, Any]]:
        """One action, 0 or 1: observation float[4], reward, terminated, truncated, and an empty dict."""
        if self.state is None or self.ended:
            raise JimbotError("the episode is over or was never started; call reset() before step()")
        if int(action) not in range(self.action_dim):
            raise JimbotError(f"unknown action {action}; expected 0 (left) or 1 (right)")
        taken = _step(self.environment, self.state, cast("Any", np.int32(action)))
        self.state = taken.state
        terminated, truncated = bool(taken.terminated), bool(taken.truncated)
        self.ended = terminated or truncated
        return np.asarray(taken.observation), float(taken.reward), terminated, truncated, {}

    def close(self) -> None:
        """Nothing to release; Gymnasium environments have this method."""


_reset = jit(CartPole.reset, static=(0,))
_step = jit(CartPole.step, static=(0,))
