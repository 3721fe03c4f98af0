"""The algorithm: acting, and one update from a rollout, as pure functions that are compiled once.

``PPO`` holds only constants, a network's apply function and the hyperparameters. All that changes is in ``PPOState``.
The same update serves environments written in JAX, where it is part of a larger compiled loop, and all others.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import jax
import jax.numpy as jnp
from jax import Array

from jimbot.functional.jax_batch import jit
from jimbot.training.backends.jax import distributions
from jimbot.training.backends.jax.gae import compute_advantages
from jimbot.training.backends.jax.losses import Batch, Losses, explained_variance, ppo_loss
from jimbot.training.backends.jax.normalization import (
    init_normalizer,
    normalize_observations,
    update_normalizer,
)
from jimbot.training.backends.jax.optimizer import (
    adam_step,
    clip_gradients,
    init_adam,
    layer_norms,
    merge_small_arrays,
)
from jimbot.training.backends.jax.state import PPOState

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.training.backends.jax.config import PPOConfig
    from jimbot.training.backends.jax.normalization import RunningMoments
    from jimbot.training.backends.jax.state import ApplyFunction, Rollout

__all__ = ["PPO", "Choice", "cached_ppo", "flatten_time", "shuffle_steps"]

PACKED_BITS = 16
"""Largest width of an index that is sorted together with its random bits."""


class Choice(NamedTuple):
    """Actions int32[batch] with their log-probabilities and the values of the observations, float[batch]."""

    actions: Array
    log_probs: Array
    values: Array


class LoopState(NamedTuple):
    """What the loop over minibatches carries: ``sums`` of the metrics of ``done`` minibatches, and the early stop.

    Parameters and both moments of Adam are in the form of ``merge_small_arrays``, the sums are one vector.
    """

    params: Any
    optimizer: Any
    sums: Array
    done: Array
    stopped: Array


class PPO:
    """Proximal policy optimization for discrete actions.

    ``act``, ``act_greedily``, ``value`` and ``update`` are compiled; the methods that they compile can be part of
    larger compiled functions.

    Args:
        apply: the network, ``(params, observations) -> (logits, values)``.
        config: the hyperparameters.
    """

    def __init__(self, apply: ApplyFunction, config: PPOConfig) -> None:
        self.apply = apply
        self.config = config
        self.act = jit(self.sample_actions)
        self.act_greedily = jit(self.choose_most_likely)
        self.value = jit(self.predict_values)
        self.update = jit(self.update_state)

    def init(self, params: Any, key: Array, observation: Any) -> PPOState:
        """The state before training; ``observation`` is one example, without a batch."""
        return PPOState(
            params,
            init_adam(params),
            init_normalizer(observation, enabled=self.config.normalize_observations),
            key,
            jnp.asarray(self.config.learning_rate, jnp.float32),
            jnp.zeros((), jnp.int32),
            jnp.zeros((), jnp.uint32),
        )

    # --- acting --------------------------------------------------------------------------------------------------

    def evaluate_policy(
        self, params: Any, normalizer: RunningMoments, observations: Any
    ) -> tuple[Array, Array]:
        """Log-probabilities float[batch, num_actions] and values float[batch]."""
        logits, values = self.apply(params, normalize_observations(normalizer, observations))
        return distributions.masked_log_softmax(logits, distributions.get_mask(observations)), values

    def sample_actions(
        self, params: Any, normalizer: RunningMoments, observations: Any, key: Array
    ) -> Choice:
        """Actions drawn from the policy."""
        log_probs, values = self.evaluate_policy(params, normalizer, observations)
        actions = distributions.sample(key, log_probs)
        return Choice(actions, distributions.log_prob(log_probs, actions), values)

    def choose_most_likely(self, params: Any, normalizer: RunningMoments, observations: Any) -> Choice:
        """The most likely actions."""
        log_probs, values = self.evaluate_policy(params, normalizer, observations)
        actions = distributions.mode(log_probs)
        return Choice(actions, distributions.log_prob(log_probs, actions), values)

    def predict_values(self, params: Any, normalizer: RunningMoments, observations: Any) -> Array:
        """Values float[batch]."""
        return self.apply(params, normalize_observations(normalizer, observations))[1]

    # --- learning ------------------------------------------------------------------------------------------------

    def update_state(self, state: PPOState, rollout: Rollout) -> tuple[PPOState, dict[str, Array]]:
        """Learn from a rollout: the new state, and the metrics of the update (floats, by name)."""
        key, shuffle_key = jax.random.split(state.key)
        state, metrics = self.learn(state, rollout, self.shuffle(shuffle_key, rollout))
        return state._replace(key=key), metrics

    def shuffle(self, key: Array, rollout: Rollout) -> Array:
        """The order of steps in each epoch, int32[epochs, steps * num_envs]; steps that are not valid come last."""
        valid = None if rollout.valid is None else rollout.valid.reshape(-1)
        return shuffle_steps(key, self.config.epochs_per_update, rollout.actions.size, valid)

    def learn(self, state: PPOState, rollout: Rollout, orders: Array) -> tuple[PPOState, dict[str, Array]]:
        """Learn from a rollout in a given order; ``update_state`` without the shuffling."""
        config = self.config
        advantages, returns = compute_advantages(rollout, config.gamma, config.gae_lambda)
        observations = flatten_time(rollout.observations)
        columns = (rollout.actions, rollout.log_probs, rollout.values, advantages, returns)
        batch = Batch(
            normalize_observations(state.normalizer, observations), *(flatten_time(part) for part in columns)
        )
        if rollout.valid is None:
            count = rollout.actions.size
            weights = jnp.ones(count, jnp.float32)
        else:
            weights = flatten_time(rollout.valid).astype(jnp.float32)
            count = jnp.sum(weights).astype(jnp.int32)
        learning_rate = state.learning_rate
        if config.schedule is not None:
            learning_rate = learning_rate * config.schedule(state.updates)
        params, optimizer, metrics = self.run_epochs(state, batch, orders, count, learning_rate)
        metrics["explained_variance"] = explained_variance(batch.values, batch.returns, weights)
        metrics["learning_rate"] = learning_rate
        new = state._replace(
            params=params,
            optimizer=optimizer,
            normalizer=update_normalizer(state.normalizer, observations, weights),
            updates=state.updates + 1,
            steps=state.steps + jnp.asarray(count, jnp.uint32),
        )
        return new, metrics

    def run_epochs(
        self, state: PPOState, batch: Batch, orders: Array, count: Array | int, learning_rate: Array
    ) -> tuple[Any, Any, dict[str, Array]]:
        """All gradient steps of an update: parameters, state of Adam, and metrics averaged over minibatches.

        ``count`` is the number of steps to learn from; with a padded rollout it is known only at run time, and so is
        the number of minibatches.
        """
        size = min(self.config.minibatch_size, orders.shape[1])
        orders = jnp.pad(orders, ((0, 0), (0, -orders.shape[1] % size)))
        per_epoch = (count + size - 1) // size
        places = jnp.arange(size)
        # Gathered together: one copy instead of four.
        numbers = jnp.stack([batch.log_probs, batch.values, batch.advantages, batch.returns], 1)
        params, unmerge = merge_small_arrays(state.params)

        def step(number: Any, loop: LoopState) -> LoopState:
            start = (number % per_epoch) * size
            rows = jax.lax.dynamic_slice(orders, (number // per_epoch, start), (1, size))[0]
            # Where every minibatch is full, its weights are constants, and multiplying by them costs nothing.
            full = isinstance(count, int) and count % size == 0
            weights = jnp.ones(size) if full else (start + places < count).astype(jnp.float32)

            def gather(leaf: Array) -> Array:
                return leaf[rows]

            observations, actions, columns = jax.tree.map(
                gather, (batch.observations, batch.actions, numbers)
            )
            return self.step_minibatch(
                loop, Batch(observations, actions, *columns.T), weights, learning_rate, unmerge
            )

        layers = [f"gradient_norm/{name}" for name in layer_norms(state.params)]
        names = [*Losses._fields, "gradient_norm", *layers]
        adam = state.optimizer
        adam = adam._replace(mu=merge_small_arrays(adam.mu)[0], nu=merge_small_arrays(adam.nu)[0])
        zero = jnp.zeros((), jnp.float32)
        start = LoopState(params, adam, jnp.zeros(len(names), jnp.float32), zero, jnp.zeros((), bool))
        fori_loop = cast("Callable[..., LoopState]", jax.lax.fori_loop)
        end = fori_loop(0, self.config.epochs_per_update * per_epoch, step, start)
        adam = end.optimizer._replace(mu=unmerge(end.optimizer.mu), nu=unmerge(end.optimizer.nu))
        means = end.sums / jnp.maximum(end.done, 1.0)
        metrics = dict(zip(names, means, strict=True))
        return unmerge(end.params), adam, {**metrics, "gradient_steps": end.done}

    def step_minibatch(
        self,
        loop: LoopState,
        batch: Batch,
        weights: Array,
        learning_rate: Array,
        unmerge: Callable[[Any], Any],
    ) -> LoopState:
        """One gradient step on one minibatch; after the early stop only ``stopped`` changes."""
        gradients, losses = self.loss_gradients(loop.params, batch, weights, unmerge)
        norms = layer_norms(unmerge(gradients))
        gradients, norm = clip_gradients(gradients, norms, self.config.max_grad_norm)
        params, optimizer = adam_step(
            loop.params, gradients, loop.optimizer, learning_rate, self.config.adam_epsilon
        )
        report = jnp.stack([*losses, norm, *norms.values()])
        new = LoopState(params, optimizer, loop.sums + report, loop.done + 1.0, loop.stopped)
        if self.config.target_kl is None:
            return new
        stopped = loop.stopped | (losses.approx_kl > 1.5 * self.config.target_kl)

        def keep_if_stopped(old: Array, fresh: Array) -> Array:
            return jnp.where(stopped, old, fresh)

        return jax.tree.map(keep_if_stopped, loop, new)._replace(stopped=stopped)

    def loss_gradients(
        self, params: Any, batch: Batch, weights: Array, unmerge: Callable[[Any], Any]
    ) -> tuple[Any, Losses]:
        """Gradient of a minibatch's loss with respect to the merged parameters, and the losses."""

        def outputs(params: Any) -> tuple[Array, Array]:
            return self.apply(unmerge(params), batch.observations)

        (logits, values), backward = cast("Callable[..., Any]", jax.vjp)(outputs, params)
        losses, gradients = ppo_loss(logits, values, batch, weights, self.config)
        return backward(tuple(gradients))[0], losses


@lru_cache(maxsize=32)
def cached_ppo(apply: ApplyFunction, config: PPOConfig) -> PPO:
    """The algorithm for a network and hyperparameters; equal arguments share the compiled code.

    ``jimbot.training.backends.jax.networks.NetworkApply`` compares by network, so that two trainers or agents of the
    same architecture are equal here.
    """
    return PPO(apply, config)


def flatten_time(tree: Any) -> Any:
    """Arrays [steps, num_envs, …] as [steps * num_envs, …]."""

    def flatten(leaf: Array) -> Array:
        return leaf.reshape((-1, *leaf.shape[2:]))

    return jax.tree.map(flatten, tree)


def shuffle_steps(key: Array, epochs: int, size: int, valid: Array | None = None) -> Array:
    """Random orders of ``size`` steps, int32[epochs, size]; steps that are not valid (bool[size]) come last.

    Sorting is the expensive part of shuffling on a CPU. One word that holds random bits above and the index below sorts
    four times faster than pairs of random number and index. Two steps that drew the same random bits, which with 2 048
    steps happens to about one pair, then keep their order.
    """
    width = max(1, (size - 1).bit_length())
    flag = jnp.uint32(1 << 31)
    draws = jax.random.bits(key, (epochs, size), jnp.uint32) & ~flag
    if valid is not None:
        draws = jnp.where(valid, draws, draws | flag)
    if width > PACKED_BITS:
        return jnp.argsort(draws, axis=1).astype(jnp.int32)
    low = jnp.uint32((1 << width) - 1)
    words = (draws & ~low) | jnp.arange(size, dtype=jnp.uint32)
    return (jnp.sort(words, axis=1, stable=False) & low).astype(jnp.int32)
