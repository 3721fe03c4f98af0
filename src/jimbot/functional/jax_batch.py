"""Environments as pure JAX functions: the protocol, batches with autoreset, and scans over time.

A batch resets in the same step: where an episode ended, the returned state and observation already belong to the next
episode. The last observation of the ended one is returned beside them, because a truncated episode bootstraps from it.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, Protocol, TypeVar, cast

import jax
import jax.numpy as jnp
from jax import Array

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BatchStep", "Environment", "autoreset_step", "jit", "reset_batch", "run_actions", "step_batch"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def jit(
    function: Callable[Parameters, Result], *, static: tuple[int, ...] = ()
) -> Callable[Parameters, Result]:
    """``jax.jit`` with the types of the function, which JAX's own annotations lose.

    Args:
        function: a pure function.
        static: positions of arguments that are constants of the compiled code.
    """
    compile_function = cast("Callable[..., Callable[Parameters, Result]]", jax.jit)
    return compile_function(function, static_argnums=static)


class Environment(Protocol):
    """An environment of pure functions. It must be hashable, because it is a constant of compiled code."""

    @property
    def num_actions(self) -> int:
        """Number of actions."""
        ...

    def reset(self, key: Array) -> tuple[Any, Any]:
        """State and observation at the start of an episode."""
        ...

    def step(self, state: Any, action: Array) -> Any:
        """State, observation, reward, terminated, truncated."""
        ...


class BatchStep(NamedTuple):
    """A step of ``num_envs`` environments; every array has the environments as its first axis.

    ``observation`` is the one to act on next, ``final_observation`` the one that the action led to; they differ only
    where an episode ended.
    """

    state: Any
    observation: Any
    final_observation: Any
    reward: Array
    terminated: Array
    truncated: Array


def reset_batch(environment: Environment, key: Array, num_envs: int) -> tuple[Any, Any]:
    """States and observations of ``num_envs`` new episodes."""
    return jax.vmap(environment.reset)(jax.random.split(key, num_envs))


def step_batch(environment: Environment, key: Array, state: Any, action: Array) -> BatchStep:
    """One action per environment, and a new episode wherever one ended.

    Args:
        environment: the pure functions.
        key: decides the new episodes.
        state: the batched state.
        action: int[num_envs].
    """
    return autoreset_step(environment, reset_batch(environment, key, action.shape[0]), state, action)


def autoreset_step(environment: Environment, resets: tuple[Any, Any], state: Any, action: Array) -> BatchStep:
    """``step_batch`` with given states and observations of new episodes."""
    num_envs = action.shape[0]
    next_state, next_observation, reward, terminated, truncated = jax.vmap(environment.step)(state, action)
    reset_state, reset_observation = resets
    ended = terminated | truncated

    def choose(reset: Array, following: Array) -> Array:
        return jnp.where(ended.reshape((num_envs,) + (1,) * (following.ndim - 1)), reset, following)

    return BatchStep(
        jax.tree.map(choose, reset_state, next_state),
        jax.tree.map(choose, reset_observation, next_observation),
        next_observation,
        reward,
        terminated,
        truncated,
    )


def scan_actions(environment: Environment, key: Array, state: Any, actions: Array) -> tuple[Any, BatchStep]:
    """Take given actions int[steps, num_envs] in one scan.

    Returns:
        The last state, and the steps stacked along a first axis of time (their ``state`` is the state after each).
    """

    def advance(state: Any, inputs: tuple[Array, Array]) -> tuple[Any, BatchStep]:
        step_key, action = inputs
        step = step_batch(environment, step_key, state, action)
        return step.state, step

    return jax.lax.scan(advance, state, (jax.random.split(key, actions.shape[0]), actions))


run_actions = jit(scan_actions, static=(0,))
"""``scan_actions``, compiled once per environment and shape."""
