"""Whole episodes: one compiled call where the environment is written in JAX, step by step elsewhere."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from jimbot.functional.jax_batch import jit, reset_batch
from jimbot.training.backends.jax import distributions
from jimbot.training.backends.jax.state import Rollout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from jimbot.functional.jax_batch import Environment
    from jimbot.training.backends.jax.ppo import PPO
    from jimbot.training.backends.jax.state import PPOState

__all__ = [
    "CompiledEpisodes",
    "EpisodeData",
    "EpisodeSource",
    "SteppedEpisodes",
    "compiled_episodes",
    "join_episodes",
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
    """bool[steps]: the episode was cut off, by the environment or by the trainer's limit of steps."""
    final_value: float
    """Value of the last next observation, which a truncated episode bootstraps from."""


class EpisodeSource(Protocol):
    """Plays episodes with a policy; the policy's state does not change."""

    def play(self, state: PPOState, key: Array, *, greedy: bool) -> EpisodeData:
        """One episode from its start to its end."""
        ...

    def evaluate(
        self, state: PPOState, key: Array, episodes: int, *, greedy: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns and lengths of new episodes, float64[episodes] each."""
        ...


class _Buffer(NamedTuple):
    """Arrays [max_steps, …] that an episode is recorded in."""

    observations: Array
    actions: Array
    rewards: Array
    next_observations: Array
    terminated: Array
    truncated: Array
    log_probs: Array
    values: Array


class CompiledEpisodes:
    """Episodes of an environment of pure functions; each is one call of compiled code, which ends with the episode."""

    def __init__(self, ppo: PPO, environment: Environment, max_steps: int) -> None:
        self.ppo, self.environment, self.max_steps = ppo, environment, max_steps
        self._play = jit(self.record_episode, static=(2,))
        self._evaluate = jit(self.play_episodes, static=(2, 3))

    def play(self, state: PPOState, key: Array, *, greedy: bool) -> EpisodeData:
        """One episode."""
        buffer, length, final_value = jax.device_get(self._play(state, key, greedy))
        return episode_data(_Buffer(*(part[:length] for part in buffer)), float(final_value))

    def evaluate(
        self, state: PPOState, key: Array, episodes: int, *, greedy: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns and lengths of episodes that are played side by side."""
        returns, lengths = self._evaluate(state, key, episodes, greedy)
        return np.asarray(returns, np.float64), np.asarray(lengths, np.float64)

    def record_episode(self, state: PPOState, key: Array, greedy: bool) -> tuple[_Buffer, Array, Array]:
        """One episode: its steps, how many there are, and the value of its last observation."""
        start_key, noise_key = jax.random.split(key)
        environment, observation = self.environment.reset(start_key)
        noise = jax.random.gumbel(noise_key, (self.max_steps, self.environment.num_actions), jnp.float32)
        noise = noise * (0.0 if greedy else 1.0)

        def zeros(dtype: Any, *shape: int) -> Array:
            return jnp.zeros((self.max_steps, *shape), dtype)

        rows = zeros(jnp.float32, *observation.shape)
        flags, floats = zeros(bool), zeros(jnp.float32)
        empty = _Buffer(rows, zeros(jnp.int32), floats, rows, flags, flags, floats, floats)

        def is_running(carry: tuple[Array, Any, Array, Array, _Buffer]) -> Array:
            time, _, _, ended, _ = carry
            return (time < self.max_steps) & ~ended

        def step(carry: tuple[Array, Any, Array, Array, _Buffer]) -> tuple[Array, Any, Array, Array, _Buffer]:
            time, environment, observation, _, buffer = carry
            log_probs, values = self.ppo.evaluate_policy(state.params, state.normalizer, observation[None])
            action = distributions.mode(log_probs + noise[time])[0]
            environment, after, reward, terminated, truncated = self.environment.step(environment, action)
            truncated = (truncated | (time + 1 >= self.max_steps)) & ~terminated
            log_prob = log_probs[0, action]
            row = _Buffer(observation, action, reward, after, terminated, truncated, log_prob, values[0])
            buffer = _Buffer(*(kept.at[time].set(part) for kept, part in zip(buffer, row, strict=True)))
            return time + 1, environment, after, terminated | truncated, buffer

        while_loop = cast("Callable[..., tuple[Array, Any, Array, Array, _Buffer]]", jax.lax.while_loop)
        start = (jnp.zeros((), jnp.int32), environment, observation, jnp.zeros((), bool), empty)
        length, _, last, _, buffer = while_loop(is_running, step, start)
        return buffer, length, self.ppo.predict_values(state.params, state.normalizer, last[None])[0]

    def play_episodes(self, state: PPOState, key: Array, episodes: int, greedy: bool) -> tuple[Array, Array]:
        """Returns float[episodes] and lengths int[episodes] of episodes side by side, without recording them."""
        start_key, key = jax.random.split(key)
        environments, observations = reset_batch(self.environment, start_key, episodes)
        zeros = jnp.zeros(episodes)
        start = (environments, observations, zeros, zeros.astype(jnp.int32), jnp.ones(episodes, bool))

        def is_running(carry: tuple[Array, Any]) -> Array:
            time, (*_, running) = carry
            return (time < self.max_steps) & running.any()

        def step(carry: tuple[Array, Any]) -> tuple[Array, Any]:
            time, (environments, observations, returns, lengths, running) = carry
            log_probs, _ = self.ppo.evaluate_policy(state.params, state.normalizer, observations)
            if greedy:
                actions = distributions.mode(log_probs)
            else:
                actions = distributions.sample(jax.random.fold_in(key, time), log_probs)
            environments, observations, reward, terminated, truncated = jax.vmap(self.environment.step)(
                environments, actions
            )
            totals = (returns + reward * running, lengths + running, running & ~(terminated | truncated))
            return time + 1, (environments, observations, *totals)

        while_loop = cast("Callable[..., tuple[Array, Any]]", jax.lax.while_loop)
        _, (_, _, returns, lengths, _) = while_loop(is_running, step, (jnp.zeros((), jnp.int32), start))
        return returns, lengths


@lru_cache(maxsize=32)
def compiled_episodes(ppo: PPO, environment: Environment, max_steps: int) -> CompiledEpisodes:
    """``CompiledEpisodes``; equal arguments share the compiled code."""
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
                choice = self.ppo.act_greedily(state.params, state.normalizer, observation[None])
            else:
                step_key = jax.random.fold_in(key, len(rows))
                choice = self.ppo.act(state.params, state.normalizer, observation[None], step_key)
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
        final_value = float(self.ppo.value(state.params, state.normalizer, observation[None])[0])
        columns = cast("list[Any]", [np.stack(column) for column in zip(*rows, strict=True)])
        return episode_data(_Buffer(*columns), final_value)

    def evaluate(
        self, state: PPOState, key: Array, episodes: int, *, greedy: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns and lengths of episodes, one after another."""
        played = [
            np.asarray(
                self.play(state, jax.random.fold_in(key, number), greedy=greedy)["rewards"], np.float64
            )
            for number in range(episodes)
        ]
        return np.array([rewards.sum() for rewards in played]), np.array(
            [len(rewards) for rewards in played], float
        )


def episode_data(buffer: _Buffer, final_value: float) -> EpisodeData:
    """A recorded episode as the documented dictionary."""
    named = {name: jnp.asarray(part) for name, part in buffer._asdict().items()}
    done = jnp.asarray(np.asarray(buffer.terminated) | np.asarray(buffer.truncated))
    return cast("EpisodeData", {**named, "dones": done, "final_value": final_value})


def join_episodes(episodes: Sequence[EpisodeData], capacity: int) -> Rollout:
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
