"""Many environments at once: pure functions vectorised, with autoreset, and scanned over time.

These forms serve any environment written as pure functions; CartPole is the one that is here. A batch resets in the
same step: where an episode ended, the returned state and observation belong to the next episode already, and the last
observation of the ended one is kept beside them, because the value of a truncated episode is read from it.
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

__all__ = ["BatchStep", "Environment", "compiled", "reset_batch", "run_actions", "step_batch", "step_into"]

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def compiled(
    function: Callable[Parameters, Result], *, static: tuple[int, ...] = (), donated: tuple[int, ...] = ()
) -> Callable[Parameters, Result]:
    """``jax.jit`` that keeps the function's types.

    Args:
        function: a pure function.
        static: positions of arguments that are constants of the compiled code.
        donated: positions of arguments whose memory the results may take over; the caller gives them up.
    """
    jit = cast("Callable[..., Callable[Parameters, Result]]", jax.jit)
    return jit(function, static_argnums=static, donate_argnums=donated)


class Environment(Protocol):
    """What an environment of pure functions offers; it must be hashable, for it is a constant of compiled code."""

    @property
    def num_actions(self) -> int:
        """How many actions there are."""
        ...

    def reset(self, key: Array) -> tuple[Any, Any]:
        """State and observation at the start of an episode."""
        ...

    def step(self, state: Any, action: Array) -> Any:
        """State, observation, reward, terminated, truncated."""
        ...


class BatchStep(NamedTuple):
    """A step of ``num_envs`` environments; every array has the environments as its first axis.

    ``observation`` is where to act next, ``final_observation`` is what the action led to; they differ only where an
    episode ended.
    """

    state: Any
    observation: Any
    final_observation: Any
    reward: Array
    terminated: Array
    truncated: Array


def reset_batch(environment: Environment, key: Array, num_envs: int) -> tuple[Any, Any]:
    """States and observations of ``num_envs`` fresh episodes."""
    return jax.vmap(environment.reset)(jax.random.split(key, num_envs))


def step_batch(environment: Environment, key: Array, state: Any, action: Array) -> BatchStep:
    """One action per environment, and a fresh episode wherever one ended.

    Args:
        environment: the pure functions.
        key: decides how ended episodes start anew.
        state: the batched state.
        action: int[num_envs].
    """
    return step_into(environment, reset_batch(environment, key, action.shape[0]), state, action)


def step_into(environment: Environment, fresh: tuple[Any, Any], state: Any, action: Array) -> BatchStep:
    """``step_batch`` with the states and observations that ended episodes start anew with."""
    num_envs = action.shape[0]
    moved, arrived, reward, terminated, truncated = jax.vmap(environment.step)(state, action)
    fresh_state, fresh_observation = fresh
    ended = terminated | truncated

    def choose(fresh: Array, old: Array) -> Array:
        return jnp.where(ended.reshape((num_envs,) + (1,) * (old.ndim - 1)), fresh, old)

    return BatchStep(
        jax.tree.map(choose, fresh_state, moved),
        jax.tree.map(choose, fresh_observation, arrived),
        arrived,
        reward,
        terminated,
        truncated,
    )


def scan_actions(environment: Environment, key: Array, state: Any, actions: Array) -> tuple[Any, BatchStep]:
    """Play given actions int[steps, num_envs] in one scan.

    Returns:
        The last state, and the steps stacked along a first axis of time (their ``state`` is the state after each).
    """

    def advance(state: Any, inputs: tuple[Array, Array]) -> tuple[Any, BatchStep]:
        step_key, action = inputs
        step = step_batch(environment, step_key, state, action)
        return step.state, step

    return jax.lax.scan(advance, state, (jax.random.split(key, actions.shape[0]), actions))


run_actions = compiled(scan_actions, static=(0,))
"""``scan_actions``, compiled once per environment and shape."""
