"""The algorithm: acting, and one update from a rollout, as pure functions compiled once.

``PPO`` holds only constants, a network's apply function and the hyperparameters. All that changes is in ``PPOState``.
The same update serves environments written in JAX, where it is part of a larger compiled loop, and all others.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, cast

import jax
import jax.numpy as jnp
from jax import Array

from jimbot.functional.jax_batch import compiled
from jimbot.training.backends.jax import distribution
from jimbot.training.backends.jax import normalizer as normaliser
from jimbot.training.backends.jax.gae import advantages_and_returns
from jimbot.training.backends.jax.gradients import adam_moved, adam_started, blocks_of, clipped, layer_norms
from jimbot.training.backends.jax.losses import Batch, Losses, losses_of, mean_of
from jimbot.training.backends.jax.shuffling import shuffled_orders
from jimbot.training.backends.jax.types import PPOState

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.training.backends.jax.types import ApplyFunction, NormaliserState, PPOConfig, Rollout

__all__ = ["PPO", "Choice"]


class Choice(NamedTuple):
    """Actions int32[batch] with the logarithms of their probabilities and the values, float[batch]."""

    actions: Array
    log_probs: Array
    values: Array


class Progress(NamedTuple):
    """Where an update stands: ``sums`` of metrics over the ``done`` minibatches, and whether it ``stopped`` early.

    Parameters and both moments of Adam are blocks (``blocks_of``), the sums one vector.
    """

    params: Any
    optimiser: Any
    sums: Array
    done: Array
    stopped: Array


class PPO:
    """Proximal policy optimisation for discrete actions.

    Args:
        apply: the network, ``(params, observations) -> (logits, values)``.
        config: the hyperparameters.
    """

    def __init__(self, apply: ApplyFunction, config: PPOConfig) -> None:
        self.apply = apply
        self.config = config
        self.update = compiled(self.updated)
        """``updated`` compiled: one rollout learned from."""
        self.act = compiled(self.chosen)
        """``chosen`` compiled: actions drawn from the policy."""
        self.act_greedily = compiled(self.most_likely)
        """``most_likely`` compiled: the most likely actions, and values."""
        self.value = compiled(self.values_of)
        """``values_of`` compiled: values alone."""

    def init(self, params: Any, key: Array, observation: Any) -> PPOState:
        """The state before training; ``observation`` shows the shape of one observation, without a batch."""
        return PPOState(
            params,
            adam_started(params),
            normaliser.create(observation, enabled=self.config.normalise_observations),
            key,
            jnp.asarray(self.config.learning_rate, jnp.float32),
            jnp.zeros((), jnp.int32),
            jnp.zeros((), jnp.uint32),
        )

    # --- acting --------------------------------------------------------------------------------------------------

    def evaluated(self, params: Any, statistics: NormaliserState, observations: Any) -> tuple[Array, Array]:
        """Log-probabilities float[batch, num_actions] and values float[batch]."""
        seen = normaliser.normalise(statistics, observations)
        logits, values = self.apply(params, seen)
        return distribution.log_probabilities(logits, distribution.mask_of(observations)), values

    def chosen(self, params: Any, statistics: NormaliserState, observations: Any, key: Array) -> Choice:
        """Actions drawn from the policy."""
        log_probs, values = self.evaluated(params, statistics, observations)
        actions = distribution.sample(key, log_probs)
        return Choice(actions, distribution.log_prob(log_probs, actions), values)

    def most_likely(self, params: Any, statistics: NormaliserState, observations: Any) -> Choice:
        """The most likely actions."""
        log_probs, values = self.evaluated(params, statistics, observations)
        actions = distribution.most_likely(log_probs)
        return Choice(actions, distribution.log_prob(log_probs, actions), values)

    def values_of(self, params: Any, statistics: NormaliserState, observations: Any) -> Array:
        """Values float[batch]."""
        return self.apply(params, normaliser.normalise(statistics, observations))[1]

    # --- learning ------------------------------------------------------------------------------------------------

    def updated(self, state: PPOState, rollout: Rollout) -> tuple[PPOState, dict[str, Array]]:
        """Learn from a rollout: the new state, and what the update was like (floats, by name)."""
        key, order_key = jax.random.split(state.key)
        orders = self.orders(order_key, rollout)
        state, metrics = self.learned(state, rollout, orders)
        return state._replace(key=key), metrics

    def orders(self, key: Array, rollout: Rollout) -> Array:
        """The order of steps in each pass, int32[epochs, steps * num_envs]: shuffled, steps not valid at the end."""
        valid = None if rollout.valid is None else rollout.valid.reshape(-1)
        return shuffled_orders(key, self.config.epochs_per_update, rollout.actions.size, valid)

    def learned(self, state: PPOState, rollout: Rollout, orders: Array) -> tuple[PPOState, dict[str, Array]]:
        """Learn from a rollout in a given order; ``updated`` with the shuffling taken out."""
        config = self.config
        advantages, returns = advantages_and_returns(rollout, config.gamma, config.gae_lambda)

        def flat(leaf: Array) -> Array:
            return leaf.reshape((-1, *leaf.shape[2:]))

        observations = jax.tree.map(flat, rollout.observations)
        batch = Batch(
            normaliser.normalise(state.normaliser, observations),
            *(
                flat(part)
                for part in (rollout.actions, rollout.log_probs, rollout.values, advantages, returns)
            ),
        )
        if rollout.valid is None:
            count = rollout.actions.size
            weights = jnp.ones(count, jnp.float32)
        else:
            weights = flat(rollout.valid).astype(jnp.float32)
            count = jnp.sum(weights).astype(jnp.int32)
        learning_rate = state.learning_rate
        if config.schedule is not None:
            learning_rate = learning_rate * config.schedule(state.updates)
        params, optimiser, metrics = self.passes(state, batch, orders, count, learning_rate)
        metrics["explained_variance"] = explained_variance(batch.values, batch.returns, weights)
        metrics["learning_rate"] = learning_rate
        new = state._replace(
            params=params,
            optimiser=optimiser,
            normaliser=normaliser.update(state.normaliser, observations, weights),
            updates=state.updates + 1,
            steps=state.steps + jnp.asarray(count, jnp.uint32),
        )
        return new, metrics

    def passes(
        self, state: PPOState, batch: Batch, orders: Array, count: Array | int, learning_rate: Array
    ) -> tuple[Any, Any, dict[str, Array]]:
        """All gradient steps of an update: parameters, state of Adam, and metrics averaged over minibatches.

        ``count`` is how many steps there are to learn from; with a padded rollout it is known only at run time, and so
        is the number of minibatches.
        """
        size = min(self.config.minibatch_size, orders.shape[1])
        orders = jnp.pad(orders, ((0, 0), (0, -orders.shape[1] % size)))
        per_pass = (count + size - 1) // size
        places = jnp.arange(size)

        def step(number: Any, progress: Progress) -> Progress:
            start = (number % per_pass) * size
            rows = jax.lax.dynamic_slice(orders, (number // per_pass, start), (1, size))[0]
            # Where every minibatch is full, its weights are constants, and multiplying by them costs nothing.
            full = isinstance(count, int) and count % size == 0
            weights = jnp.ones(size) if full else (start + places < count).astype(jnp.float32)

            def picked(leaf: Array) -> Array:
                return leaf[rows]

            chosen = jax.tree.map(picked, (batch.observations, batch.actions, numbers))
            return self.stepped(progress, Batch(*chosen[:2], *chosen[2].T), weights, learning_rate, as_tree)

        # Gathered together: one copy instead of four.
        numbers = jnp.stack([batch.log_probs, batch.values, batch.advantages, batch.returns], 1)
        zero = jnp.zeros((), jnp.float32)
        layers = [f"gradient_norm/{name}" for name in layer_norms(state.params)]
        names = [*Losses._fields, "gradient_norm", *layers]
        sums = jnp.zeros(len(names), jnp.float32)
        params, as_tree = blocks_of(state.params)
        adam = state.optimiser
        moments = adam._replace(mu=blocks_of(adam.mu)[0], nu=blocks_of(adam.nu)[0])
        begin = Progress(params, moments, sums, zero, jnp.zeros((), bool))
        loop = cast("Callable[..., Progress]", jax.lax.fori_loop)
        end = loop(0, self.config.epochs_per_update * per_pass, step, begin)
        adam = end.optimiser._replace(mu=as_tree(end.optimiser.mu), nu=as_tree(end.optimiser.nu))
        means = end.sums / jnp.maximum(end.done, 1.0)
        metrics = dict(zip(names, means, strict=True))
        return as_tree(end.params), adam, {**metrics, "gradient_steps": end.done}

    def stepped(
        self,
        progress: Progress,
        batch: Batch,
        weights: Array,
        learning_rate: Array,
        as_tree: Callable[[Any], Any],
    ) -> Progress:
        """One gradient step on one minibatch; nothing but ``stopped`` changes once the divergence was too large."""
        gradients, losses = self.gradients(progress.params, batch, weights, as_tree)
        norms = layer_norms(as_tree(gradients))
        gradients, norm = clipped(gradients, norms, self.config.max_grad_norm)
        moves, optimiser = adam_moved(gradients, progress.optimiser, self.config.adam_epsilon)
        report = jnp.stack([*losses, norm, *norms.values()])

        def moved(params: Array, move: Array) -> Array:
            return params - learning_rate * move

        new = Progress(
            jax.tree.map(moved, progress.params, moves),
            optimiser,
            progress.sums + report,
            progress.done + 1.0,
            progress.stopped,
        )
        if self.config.target_kl is None:
            return new
        stopped = progress.stopped | (losses.approx_kl > 1.5 * self.config.target_kl)

        def kept(old: Array, fresh: Array) -> Array:
            return jnp.where(stopped, old, fresh)

        return jax.tree.map(kept, progress, new)._replace(stopped=stopped)

    def gradients(
        self, params: Any, batch: Batch, weights: Array, as_tree: Callable[[Any], Any]
    ) -> tuple[Any, Losses]:
        """Gradient of the loss of a minibatch by the blocks of all parameters, and the losses."""

        def outputs(params: Any) -> tuple[Array, Array]:
            return self.apply(as_tree(params), batch.observations)

        (logits, values), pull_back = cast("Callable[..., Any]", jax.vjp)(outputs, params)
        losses, slopes = losses_of(logits, values, batch, weights, self.config)
        return pull_back(tuple(slopes))[0], losses


def explained_variance(values: Array, returns: Array, weights: Array) -> Array:
    """1 for values that predict the returns exactly, 0 for values no better than a constant; 0 if returns are equal."""

    def variance(numbers: Array) -> Array:
        return mean_of(jnp.square(numbers - mean_of(numbers, weights)), weights)

    whole = variance(returns)
    safe = jnp.where(whole > 0, whole, 1.0)
    return jnp.where(whole > 0, 1.0 - variance(returns - values) / safe, 0.0)
