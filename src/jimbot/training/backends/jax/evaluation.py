"""Measuring a policy on fresh episodes, side by side in compiled code. Nothing of the policy's state changes."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import jax
import jax.numpy as jnp

from jimbot.functional.jax_batch import compiled, reset_batch
from jimbot.training.backends.jax import distribution

if TYPE_CHECKING:
    from collections.abc import Callable

    from jax import Array

    from jimbot.functional.jax_batch import Environment
    from jimbot.training.backends.jax.ppo import PPO
    from jimbot.training.backends.jax.types import PPOState

__all__ = ["Evaluation", "compiled_evaluation"]


class Evaluation:
    """Episodes of an environment of pure functions, ``episodes`` at once.

    Args:
        ppo: the algorithm.
        environment: the pure functions.
        episodes: how many.
        max_steps: steps after which an episode is cut.
    """

    def __init__(self, ppo: PPO, environment: Environment, episodes: int, max_steps: int) -> None:
        self.ppo, self.environment = ppo, environment
        self.episodes, self.max_steps = episodes, max_steps
        self.run = compiled(self.evaluated, static=(2,))
        """``evaluated`` compiled."""

    def evaluated(self, state: PPOState, key: Array, greedy: bool) -> tuple[Array, Array]:
        """Returns float[episodes] and lengths int[episodes].

        Args:
            state: the policy and its frozen statistics.
            key: decides the starts, and the actions if they are drawn.
            greedy: whether to take the most likely action instead of drawing one.
        """
        start_key, key = jax.random.split(key)
        environments, observations = reset_batch(self.environment, start_key, self.episodes)
        begin = (
            environments,
            observations,
            jnp.zeros(self.episodes),
            jnp.zeros(self.episodes, jnp.int32),
            jnp.ones(self.episodes, bool),
        )

        def running(carry: tuple[Array, Any]) -> Array:
            number, (*_, alive) = carry
            return (number < self.max_steps) & alive.any()

        def step(carry: tuple[Array, Any]) -> tuple[Array, Any]:
            number, (environments, observations, returns, lengths, alive) = carry
            log_probs, _ = self.ppo.evaluated(state.params, state.normaliser, observations)
            if greedy:
                actions = distribution.most_likely(log_probs)
            else:
                actions = distribution.sample(jax.random.fold_in(key, number), log_probs)
            after, seen, reward, terminated, truncated = jax.vmap(self.environment.step)(
                environments, actions
            )
            totals = (returns + reward * alive, lengths + alive, alive & ~(terminated | truncated))
            return number + 1, (after, seen, *totals)

        loop = cast("Callable[..., tuple[Array, Any]]", jax.lax.while_loop)
        _, (_, _, returns, lengths, _) = loop(running, step, (jnp.zeros((), jnp.int32), begin))
        return returns, lengths


@lru_cache(maxsize=32)
def compiled_evaluation(ppo: PPO, environment: Environment, episodes: int, max_steps: int) -> Evaluation:
    """``Evaluation``, the same one for the same arguments, so that it compiles once."""
    return Evaluation(ppo, environment, episodes, max_steps)
