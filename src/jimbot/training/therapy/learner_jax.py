"""Training therapists with PPO in compiled code, on whole therapies of many clients at once.

The policy first imitates the preparing therapist, because random answers never succeed. Then PPO continues.

The policy sees an ``Impression`` of the documented observations and nothing else. The value function, which only
training needs, also gets the client's hidden state: which clients are hopeless, and what an answer has changed before
it is visible. Every update has new clients with independent random numbers.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import flax.linen as nn
import jax
import jax.numpy as jnp

from jimbot.functional.jax_batch import jit
from jimbot.therapy.jax import clients as jax_clients
from jimbot.therapy.model.perception import PERCEPTION_WINDOW
from jimbot.therapy.therapists import impressions
from jimbot.therapy.therapists.preparation import prepare_answers
from jimbot.training.backends.jax import distributions
from jimbot.training.backends.jax.networks import (
    ActorNetwork,
    CriticNetwork,
    apply_function,
    initial_parameters,
)
from jimbot.training.backends.jax.optimizer import adam_step, init_adam
from jimbot.training.backends.jax.ppo import PPO, flatten_time
from jimbot.training.backends.jax.state import Rollout

if TYPE_CHECKING:
    from jax import Array

    from jimbot.therapy.env.options import TherapyOptions
    from jimbot.therapy.jax.clients import Client
    from jimbot.training.backends.jax.config import PPOConfig
    from jimbot.training.backends.jax.state import PPOState

__all__ = ["HIDDEN_STATE_SIZE", "TherapistLearner", "TherapistNetwork", "hidden_state"]

HIDDEN_STATE_SIZE = 9 * 8 + 6
"""Length of the vector of a client's hidden state."""
LABEL_SMOOTHING = 0.03
"""Probability that imitation spreads over all answers, so that PPO has something to explore."""
IMITATION_CLIENTS = 1_024
"""Clients whose therapies are the demonstrations."""
IMITATION_BATCH = 512
"""Sessions per gradient step of imitation."""
IMITATION_RATE, IMITATION_EPSILON = 2e-3, 1e-8
"""Learning rate and epsilon of Adam in imitation."""
RANDOM_ANSWERS = 8 / 120
"""Share of sessions of the demonstrations with a random answer, to demonstrate what to do afterwards."""
REWARDED_PROGRESS = (0.65, 0.8)
"""The range of relative satisfaction in which progress is rewarded."""


class TherapistNetwork(nn.Module):
    """Actor on impressions, critic on impressions and hidden states, float[batch, …] each.

    With ``omniscient`` the actor gets the hidden states too, which measures what knowing them would be worth.
    """

    hidden_sizes: tuple[int, ...] = (64, 64)
    omniscient: bool = False

    def setup(self) -> None:
        """The two towers."""
        self.actor = ActorNetwork(8, self.hidden_sizes)
        self.critic = CriticNetwork(self.hidden_sizes)

    def __call__(self, observations: dict[str, Array]) -> tuple[Array, Array]:
        """Logits and values."""
        whole = jnp.concatenate([observations["impression"], observations["hidden_state"]], axis=-1)
        return self.actor(whole if self.omniscient else observations["impression"]), self.critic(whole)


def relative_satisfaction(client: Client) -> Array:
    """Satisfaction relative to the least (0) and the greatest (1) utility."""
    least, greatest = client.utilities.min(), client.utilities.max()
    return (client.rs - least) / (greatest - least)


def hidden_state(options: TherapyOptions, client: Client, mirror: Array) -> Array:
    """What decides a client's next steps, float[HIDDEN_STATE_SIZE], in the frame of its impression."""
    shares = jax_clients.frequencies_of(options, client.memory).sum(axis=0)
    recent = jax.nn.one_hot(client.memory[-PERCEPTION_WINDOW:, 1], 8).sum(axis=0)
    ordered = jnp.sort(client.utilities * (1 + options.history_weight * shares), axis=1)
    height = 7 * client.bond
    least, greatest = client.utilities.min(), client.utilities.max()

    def expected_utility(rise: float) -> Array:
        """The utility of each action at a slightly higher bond, relative to the best of them."""
        at = jnp.clip(height + rise, 0, 6.999)
        lower = at.astype(jnp.int32)
        payoffs = ordered[:, lower] + (at - lower) * (ordered[:, lower + 1] - ordered[:, lower])
        return jnp.clip((payoffs - payoffs.max()) / 10, -3, 0)

    used_to = jax_clients.perceive(options, client.memory, jnp.int32(0), jnp.float32(2))
    octants = [
        2 * shares,
        recent / 8,
        jax.nn.one_hot(used_to, 8),
        client.utilities[client.action] / 40,
        client.utilities[:, used_to] / 40,
        expected_utility(0.0),
        expected_utility(0.4),
        expected_utility(0.8),
        4 * ((client.utilities.max(axis=1) - least) / (greatest - least) - 0.7),
    ]
    here = relative_satisfaction(client)
    numbers = [
        4 * (here - 0.6),
        10 * (here - 0.75),
        height / 3.5 - 1,
        (greatest - least) / 65 - 2,
        (client.rs - client.initial_rs) / 50,
        (client.utilities[client.action].max() - client.rs) / 20,
    ]
    return jnp.concatenate(
        [*(impressions.rotate_to_frame(jnp, mirror, each) for each in octants), jnp.stack(numbers)]
    )


class TherapistLearner:
    """PPO on one therapy setting.

    Args:
        options: the clients.
        config: of PPO.
        hidden_sizes: of actor and critic each.
        clients: treated per update, side by side, from the first session to the last.
        progress: total reward for progress towards success; success itself is 1.
        dropout: penalty for a client who drops out.
        omniscient: whether the policy gets the hidden states.

    ``train``, ``measure``, ``play`` and ``imitate`` are compiled.
    """

    def __init__(
        self,
        options: TherapyOptions,
        config: PPOConfig,
        *,
        hidden_sizes: tuple[int, ...] = (64, 64),
        clients: int = 512,
        progress: float = 0.0,
        dropout: float = 0.2,
        omniscient: bool = False,
    ) -> None:
        self.options, self.clients, self.progress, self.dropout = options, clients, progress, dropout
        self.network = TherapistNetwork(hidden_sizes, omniscient)
        self.ppo = PPO(apply_function(self.network), config)
        self.train = jit(self.train_updates, static=(1,))
        self.measure = jit(self.measure_policy, static=(2,))
        self.play = jit(self.explore, static=(2,))
        self.imitate = jit(self.fit_demonstrations, static=(2,))

    @property
    def steps_per_update(self) -> int:
        """Sessions that an update plays, at most: none are played after the end of a therapy."""
        return self.clients * self.options.max_sessions

    def start(self, seed: int) -> PPOState:
        """The state before training."""
        example = {
            "impression": jnp.zeros(impressions.FEATURES),
            "hidden_state": jnp.zeros(HIDDEN_STATE_SIZE),
        }
        return self.ppo.init(
            initial_parameters(self.network, seed, example), jax.random.PRNGKey(seed + 1_000_003), example
        )

    # --- therapies -----------------------------------------------------------------------------------------------

    def observe(self, client: Client, seen: impressions.Impression) -> tuple[dict[str, Array], Array]:
        """The network's observations of a batch of clients, and whether they are mirrored, bool[clients]."""
        mirror = impressions.is_mirrored(jnp, seen, client.action)
        vector = impressions.build_features(jnp, seen, client.action, self.options.max_sessions)
        hidden = jax.vmap(partial(hidden_state, self.options))(client, mirror)
        return {"impression": vector, "hidden_state": hidden}, mirror

    def start_clients(self, key: Array, count: int) -> tuple[Client, impressions.Impression, Array]:
        """New clients, first impressions of them, and their random numbers, float[sessions, clients, 2]."""
        client_key, uniforms_key = jax.random.split(key)
        client = jax.vmap(partial(jax_clients.sample_client, self.options))(
            jax.random.split(client_key, count)
        )
        uniforms = jax.random.uniform(uniforms_key, (self.options.max_sessions, count, 2))
        return client, impressions.make_first_impression(jnp, (count,)), uniforms

    def advance(
        self, client: Client, seen: impressions.Impression, given: Array, uniforms: Array
    ) -> tuple[Client, impressions.Impression]:
        """Clients and impressions after a session."""
        after, _ = jax.vmap(partial(jax_clients.session, self.options))(client, given, uniforms)
        accuracy = self.options.baseline_accuracy if self.options.enable_parataxic else 1.0
        return after, impressions.update_impression(jnp, seen, client.action, given, accuracy)

    def progress_of(self, client: Client) -> Array:
        """How far each client is through the rewarded range, 0 to 1."""
        first, last = REWARDED_PROGRESS
        return jnp.clip((jax.vmap(relative_satisfaction)(client) - first) / (last - first), 0, 1)

    def play_therapies(
        self, params: Any, normalizer: Any, key: Array, count: int, greedy: bool
    ) -> tuple[Client, Rollout]:
        """Whole therapies with ``count`` new clients: how they ended, and the sessions to learn from."""
        key, noise_key = jax.random.split(key)
        client, seen, uniforms = self.start_clients(key, count)
        noise = jax.random.gumbel(noise_key, (self.options.max_sessions, count, 8)) * (0.0 if greedy else 1.0)

        def step(carry: Any, inputs: tuple[Array, Array]) -> tuple[Any, Rollout]:
            client, seen, best = carry
            observations, mirror = self.observe(client, seen)
            log_probs, values = self.ppo.evaluate_policy(params, normalizer, observations)
            actions = distributions.mode(log_probs + inputs[1])
            given = impressions.mirror_octant(jnp, mirror, actions)
            after, impression = self.advance(client, seen, given, inputs[0])
            farthest = jnp.maximum(best, self.progress_of(after))
            reward = jnp.where(after.dropped_out, -self.dropout, after.success) + self.progress * (
                farthest - best
            )
            row = Rollout(
                observations,
                actions,
                jnp.where(client.ended, 0.0, reward),
                # Running out of sessions is a termination too: the policy knows how many are left.
                after.ended,
                jnp.zeros(count, bool),
                distributions.log_prob(log_probs, actions),
                values,
                final_values=values,
                last_values=values,
                valid=~client.ended,
            )
            return (after, impression, farthest), row

        (client, _, _), rollout = jax.lax.scan(
            step, (client, seen, self.progress_of(client)), (uniforms, noise)
        )
        return client, rollout._replace(last_values=jnp.zeros(count))

    def explore(self, state: PPOState, key: Array, count: int) -> tuple[Client, Rollout]:
        """``play_therapies`` with answers sampled from the policy."""
        return self.play_therapies(state.params, state.normalizer, key, count, greedy=False)

    # --- learning ------------------------------------------------------------------------------------------------

    def train_updates(self, state: PPOState, updates: int) -> tuple[PPOState, dict[str, Array]]:
        """``updates`` times therapies and an update; metrics are float[updates]."""

        def step(state: PPOState, _: None) -> tuple[PPOState, dict[str, Array]]:
            key, play_key = jax.random.split(state.key)
            client, rollout = self.explore(state, play_key, self.clients)
            state, metrics = self.ppo.update_state(state._replace(key=key), rollout)
            ends = {"success": jnp.mean(client.success), "dropouts": jnp.mean(client.dropped_out)}
            return state, metrics | ends

        return jax.lax.scan(step, state, None, length=updates)

    def measure_policy(self, state: PPOState, key: Array, count: int) -> tuple[Array, Array]:
        """Shares of success and of dropouts among ``count`` new clients of the greedy policy."""
        client, _ = self.play_therapies(state.params, state.normalizer, key, count, greedy=True)
        return jnp.mean(client.success & ~client.dropped_out), jnp.mean(client.dropped_out)

    def fit_demonstrations(self, state: PPOState, key: Array, batches: int) -> tuple[PPOState, Array]:
        """Fit the actor to the preparing therapist, with smoothed labels, on its therapies with some random answers.

        Returns:
            The state, with Adam at its start, and the loss of the last batch.
        """
        start_key, random_key, rows_key = jax.random.split(key, 3)
        vectors, answers = self.demonstrations(start_key, random_key)
        rows = jax.random.randint(rows_key, (batches, IMITATION_BATCH), 0, len(answers))

        def loss(params: Any, chosen: Array) -> Array:
            # An omniscient policy imitates without the hidden states.
            hidden = jnp.zeros((chosen.shape[0], HIDDEN_STATE_SIZE))
            logits, _ = self.ppo.apply(params, {"impression": vectors[chosen], "hidden_state": hidden})
            log_probs = distributions.masked_log_softmax(logits, None)
            right = distributions.log_prob(log_probs, answers[chosen])
            return -jnp.mean((1 - LABEL_SMOOTHING) * right + LABEL_SMOOTHING * log_probs.mean(axis=1))

        def step(carry: Any, chosen: Array) -> tuple[Any, Array]:
            params, adam = carry
            value, gradients = jax.value_and_grad(loss)(params, chosen)
            return adam_step(params, gradients, adam, IMITATION_RATE, IMITATION_EPSILON), value

        (params, _), losses = jax.lax.scan(step, (state.params, init_adam(state.params)), rows)
        return state._replace(params=params, optimizer=init_adam(params)), losses[-1]

    def demonstrations(self, start_key: Array, random_key: Array) -> tuple[Array, Array]:
        """Impressions float[sessions, FEATURES] and the preparing therapist's answers to them, int[sessions]."""
        count, sessions = IMITATION_CLIENTS, self.options.max_sessions
        client, seen, uniforms = self.start_clients(start_key, count)
        random_answers = jax.random.randint(random_key, (sessions, count), 0, round(8 / RANDOM_ANSWERS))

        def step(carry: Any, inputs: tuple[Array, Array]) -> tuple[Any, tuple[Array, Array]]:
            client, seen = carry
            observations, mirror = self.observe(client, seen)
            right = prepare_answers(jnp, seen, client.action)
            given = jnp.where(inputs[1] < 8, inputs[1], right)
            pair = (observations["impression"], impressions.mirror_octant(jnp, mirror, right))
            return self.advance(client, seen, given, inputs[0]), pair

        _, (vectors, answers) = jax.lax.scan(step, (client, seen), (uniforms, random_answers))
        return flatten_time((vectors, answers))
