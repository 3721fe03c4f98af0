"""Whole episodes: played in one compiled call where the environment is written in JAX, step by step elsewhere."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from jimbot.functional.jax_batch import compiled
from jimbot.training.backends.jax import distribution
from jimbot.training.backends.jax.types import Rollout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jimbot.functional.jax_batch import Environment
    from jimbot.training.backends.jax.ppo import PPO
    from jimbot.training.backends.jax.types import PPOState

__all__ = [
    "CompiledEpisodes",
    "EpisodeData",
    "EpisodeSource",
    "SteppedEpisodes",
    "compiled_episodes",
    "rollout_of",
]


class EpisodeData(TypedDict):
    """One episode; arrays have its steps as their first axis."""

    observations: Array
    """State observations, float32[steps, observation_dim]."""
    actions: Array
    """Actions taken, int32[steps]."""
    rewards: Array
    """Received rewards, float32[steps]."""
    next_observations: Array
    """Next states, float32[steps, observation_dim]; the last is the one the episode ended in."""
    dones: Array
    """Episode ends of either kind, bool[steps]."""
    log_probs: Array
    """Action log probabilities, float32[steps]."""
    values: Array
    """State value estimates, float32[steps]."""
    terminated: Array
    """bool[steps]: the end was a termination."""
    truncated: Array
    """bool[steps]: the end was a cut, by the environment or by the trainer's limit of steps."""
    final_value: float
    """Value of the last next observation: what a cut episode is continued with."""


class EpisodeSource(Protocol):
    """Plays episodes with a policy."""

    def play(self, state: PPOState, key: Array, *, greedy: bool) -> EpisodeData:
        """One episode from its start to its end."""
        ...


class _Tape(NamedTuple):
    """Arrays [max_steps, …] that an episode is written to."""

    observations: Array
    actions: Array
    rewards: Array
    next_observations: Array
    terminated: Array
    truncated: Array
    log_probs: Array
    values: Array


class CompiledEpisodes:
    """Episodes of an environment of pure functions; each is one call of compiled code, which stops where it ends."""

    def __init__(self, ppo: PPO, environment: Environment, max_steps: int) -> None:
        self.ppo, self.environment, self.max_steps = ppo, environment, max_steps
        self._play = compiled(self._played, static=(2,))

    def play(self, state: PPOState, key: Array, *, greedy: bool) -> EpisodeData:
        """One episode."""
        tape, length, final_value = jax.device_get(self._play(state, key, greedy))
        return data_of(_Tape(*(part[:length] for part in tape)), float(final_value))

    def _played(self, state: PPOState, key: Array, greedy: bool) -> tuple[_Tape, Array, Array]:
        start_key, noise_key = jax.random.split(key)
        environment, observation = self.environment.reset(start_key)
        noise = jax.random.gumbel(noise_key, (self.max_steps, self.environment.num_actions), jnp.float32)
        noise = noise * (0.0 if greedy else 1.0)

        def numbers(dtype: Any, *shape: int) -> Array:
            return jnp.zeros((self.max_steps, *shape), dtype)

        seen = numbers(jnp.float32, *observation.shape)
        flags, floats = numbers(bool), numbers(jnp.float32)
        blank = _Tape(seen, numbers(jnp.int32), floats, seen, flags, flags, floats, floats)

        def running(carry: tuple[Array, Any, Array, Array, _Tape]) -> Array:
            time, _, _, ended, _ = carry
            return (time < self.max_steps) & ~ended

        def step(carry: tuple[Array, Any, Array, Array, _Tape]) -> tuple[Array, Any, Array, Array, _Tape]:
            time, environment, observation, _, tape = carry
            log_probs, values = self.ppo.evaluated(state.params, state.normaliser, observation[None])
            action = distribution.most_likely(log_probs + noise[time])[0]
            environment, after, reward, terminated, truncated = self.environment.step(environment, action)
            truncated = (truncated | (time + 1 >= self.max_steps)) & ~terminated
            log_prob = log_probs[0, action]
            row = _Tape(observation, action, reward, after, terminated, truncated, log_prob, values[0])
            tape = _Tape(*(kept.at[time].set(part) for kept, part in zip(tape, row, strict=True)))
            return time + 1, environment, after, terminated | truncated, tape

        loop = cast("Callable[..., tuple[Array, Any, Array, Array, _Tape]]", jax.lax.while_loop)
        start = (jnp.zeros((), jnp.int32), environment, observation, jnp.zeros((), bool), blank)
        length, _, last, _, tape = loop(running, step, start)
        return tape, length, self.ppo.values_of(state.params, state.normaliser, last[None])[0]


@lru_cache(maxsize=32)
def compiled_episodes(ppo: PPO, environment: Environment, max_steps: int) -> CompiledEpisodes:
    """``CompiledEpisodes``, the same one for the same arguments, so that it compiles once."""
    return CompiledEpisodes(ppo, environment, max_steps)


class SteppedEpisodes:
    """Episodes of an object with ``reset()`` and ``step(action)`` as in Gymnasium."""

    def __init__(self, ppo: PPO, env: Any, max_steps: int) -> None:
        self.ppo, self.env, self.max_steps = ppo, env, max_steps

    def play(self, state: PPOState, key: Array, *, greedy: bool) -> EpisodeData:
        """One episode."""
        rows: list[tuple[Any, ...]] = []
        observation = np.asarray(self.env.reset()[0], np.float32)
        ended = False
        while not ended:
            if greedy:
                choice = self.ppo.act_greedily(state.params, state.normaliser, observation[None])
            else:
                step_key = jax.random.fold_in(key, len(rows))
                choice = self.ppo.act(state.params, state.normaliser, observation[None], step_key)
            after, reward, terminated, truncated, _ = self.env.step(int(choice.actions[0]))
            after = np.asarray(after, np.float32)
            truncated = (truncated or len(rows) + 1 >= self.max_steps) and not terminated
            ended = terminated or truncated
            log_prob, value = np.float32(choice.log_probs[0]), np.float32(choice.values[0])
            action = np.int32(choice.actions[0])
            rows.append(
                (observation, action, np.float32(reward), after, terminated, truncated, log_prob, value)
            )
            observation = after
        final_value = float(self.ppo.value(state.params, state.normaliser, observation[None])[0])
        columns = cast("list[Any]", [np.stack(column) for column in zip(*rows, strict=True)])
        return data_of(_Tape(*columns), final_value)


def data_of(tape: _Tape, final_value: float) -> EpisodeData:
    """An episode's tape as the documented dictionary."""
    named = {name: jnp.asarray(part) for name, part in tape._asdict().items()}
    done = jnp.asarray(np.asarray(tape.terminated) | np.asarray(tape.truncated))
    return cast("EpisodeData", {**named, "dones": done, "final_value": final_value})


def rollout_of(episodes: Sequence[EpisodeData], capacity: int) -> Rollout:
    """Whole episodes one after another as a rollout of one environment, padded to ``capacity`` steps.

    The padding is what lets one compiled update serve batches of every length; it is marked as not valid.
    """
    length = sum(len(episode["rewards"]) for episode in episodes)

    def joined(name: str, dtype: Any) -> Any:
        parts = [np.asarray(cast("dict[str, Any]", episode)[name]) for episode in episodes]
        column = np.concatenate(parts).astype(dtype)
        padded = np.zeros((capacity, 1, *column.shape[1:]), dtype)
        padded[:length, 0] = column
        return padded

    final_values = np.zeros((capacity, 1), np.float32)
    end = 0
    for episode in episodes:
        end += len(episode["rewards"])
        final_values[end - 1] = episode["final_value"]
    floats = {name: joined(name, np.float32) for name in ("observations", "rewards", "log_probs", "values")}
    flags = {name: joined(name, np.bool_) for name in ("terminated", "truncated")}
    return Rollout(
        actions=joined("actions", np.int32),
        **floats,
        **flags,
        final_values=cast("Any", final_values),
        last_values=cast("Any", np.zeros(1, np.float32)),
        valid=cast("Any", np.arange(capacity)[:, None] < length),
    )
