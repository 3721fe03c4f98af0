"""Therapists trained in compiled code: whole therapies of many clients at once, learned from by PPO.

A policy is first taught to do what the preparing therapist does, for random answers never succeed. Then PPO goes on.

The policy sees an ``Impression`` of the documented observations and nothing else. The value function, which only
training needs, also looks into the client's mind: it knows which clients are hopeless, and what an answer has changed
before it shows. Clients are drawn anew for every update, with independent luck; none is ever seen twice.
"""

# JAX's and Optax's own signatures name types that they do not describe.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

from jimbot.functional.jax_batch import compiled
from jimbot.therapy.jax import clients as jax_clients
from jimbot.therapy.model.perception import PERCEPTION_WINDOW
from jimbot.therapy.therapists import impressions
from jimbot.therapy.therapists.preparation import prepare_answers
from jimbot.training.backends.jax import distribution
from jimbot.training.backends.jax.gradients import adam_started
from jimbot.training.backends.jax.networks import (
    ActorNetwork,
    CriticNetwork,
    apply_function,
    initial_parameters,
)
from jimbot.training.backends.jax.ppo import PPO
from jimbot.training.backends.jax.types import PPOConfig, Rollout

if TYPE_CHECKING:
    from jax import Array

    from jimbot.therapy.env.options import TherapyOptions
    from jimbot.therapy.jax.clients import Client
    from jimbot.training.backends.jax.types import PPOState

__all__ = ["MIND", "TherapistLearner", "TherapistNetwork", "mind"]

MIND = 9 * 8 + 6
"""Length of the vector of a client's mind."""
DOUBT = 0.03
"""Chance that the taught policy leaves to any answer, so that there is something to explore."""
TAUGHT_ON = 1_024
"""Clients whose therapies are taught from."""
STRAYING = 8 / 120
"""Share of sessions of these therapies in which any answer is given, to show what to do afterwards."""
LAST_MILES = (0.65, 0.8)
"""Where on the way to the greatest satisfaction progress begins and ends to be rewarded."""


class TherapistNetwork(nn.Module):
    """Actor on impressions, critic on impressions and minds, float[batch, …] each.

    With ``omniscient`` the actor sees minds too: no therapist, but a measure of what knowing them would be worth.
    """

    hidden_sizes: tuple[int, ...] = (64, 64)
    omniscient: bool = False

    def setup(self) -> None:
        """The two towers."""
        self.actor = ActorNetwork(8, self.hidden_sizes)
        self.critic = CriticNetwork(self.hidden_sizes)

    def __call__(self, observations: dict[str, Array]) -> tuple[Array, Array]:
        """Logits and values."""
        whole = jnp.concatenate([observations["impression"], observations["mind"]], axis=-1)
        return self.actor(whole if self.omniscient else observations["impression"]), self.critic(whole)


def position(client: Client) -> Array:
    """How far satisfaction has come from the least to the greatest utility."""
    least, greatest = client.utilities.min(), client.utilities.max()
    return (client.rs - least) / (greatest - least)


def mind(options: TherapyOptions, client: Client, mirror: Array) -> Array:
    """What decides a client's next steps, float[MIND], in the frame of its impression."""
    shares = jax_clients.frequencies_of(options, client.memory).sum(axis=0)
    recent = jax.nn.one_hot(client.memory[-PERCEPTION_WINDOW:, 1], 8).sum(axis=0)
    ordered = jnp.sort(client.utilities * (1 + options.history_weight * shares), axis=1)
    height = 7 * client.bond
    least, greatest = client.utilities.min(), client.utilities.max()

    def promised(rise: float) -> Array:
        """What each action promises at a bond a little higher, below the best of them."""
        at = jnp.clip(height + rise, 0, 6.999)
        lower = at.astype(jnp.int32)
        payoffs = ordered[:, lower] + (at - lower) * (ordered[:, lower + 1] - ordered[:, lower])
        return jnp.clip((payoffs - payoffs.max()) / 10, -3, 0)

    used_to = jax_clients.perceived(options, client.memory, jnp.int32(0), jnp.float32(2))
    octants = [
        2 * shares,
        recent / 8,
        jax.nn.one_hot(used_to, 8),
        client.utilities[client.action] / 40,
        client.utilities[:, used_to] / 40,
        promised(0.0),
        promised(0.4),
        promised(0.8),
        4 * ((client.utilities.max(axis=1) - least) / (greatest - least) - 0.7),
    ]
    here = position(client)
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
        clients: treated at once, from the first session to the last, per update.
        progress: reward for coming nearer to success than ever before, in all; success itself is 1.
        dropout: what a client who leaves costs.
        omniscient: whether the policy reads minds.
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
        self.train = compiled(self.trained, static=(1,))
        """``trained`` compiled: several updates in one call."""
        self.measure = compiled(self.measured, static=(2,))
        """``measured`` compiled: success and dropouts of the greedy policy on fresh clients."""
        self.play = compiled(self.explored, static=(2,))
        """``explored`` compiled: therapies as training sees them."""
        self.teach = compiled(self.taught, static=(2,))
        """``taught`` compiled: imitation of the preparing therapist."""

    @property
    def steps_per_update(self) -> int:
        """Sessions an update plays; those after an early end do not count."""
        return self.clients * self.options.max_sessions

    def start(self, seed: int) -> PPOState:
        """The state before training."""
        blank = {"impression": jnp.zeros(impressions.FEATURES), "mind": jnp.zeros(MIND)}
        return self.ppo.init(
            initial_parameters(self.network, seed, blank), jax.random.PRNGKey(seed + 1_000_003), blank
        )

    # --- therapies -----------------------------------------------------------------------------------------------

    def observed(self, client: Client, seen: impressions.Impression) -> tuple[dict[str, Array], Array]:
        """What the network is given of a batch of clients, and whether it is mirrored, bool[clients]."""
        mirror = impressions.is_mirrored(jnp, seen, client.action)
        vector = impressions.build_features(jnp, seen, client.action, self.options.max_sessions)
        return {"impression": vector, "mind": jax.vmap(partial(mind, self.options))(client, mirror)}, mirror

    def begun(self, key: Array, count: int) -> tuple[Client, impressions.Impression, Array]:
        """New clients, first impressions of them, and their luck, float[sessions, clients, 2]."""
        client_key, luck_key = jax.random.split(key)
        client = jax.vmap(partial(jax_clients.sample_client, self.options))(
            jax.random.split(client_key, count)
        )
        luck = jax.random.uniform(luck_key, (self.options.max_sessions, count, 2))
        return client, impressions.make_first_impression(jnp, (count,)), luck

    def advanced(
        self, client: Client, seen: impressions.Impression, given: Array, luck: Array
    ) -> tuple[Client, impressions.Impression]:
        """Clients and impressions after a session."""
        after, _ = jax.vmap(partial(jax_clients.session, self.options))(client, given, luck)
        accuracy = self.options.baseline_accuracy if self.options.enable_parataxic else 1.0
        return after, impressions.update_impression(jnp, seen, client.action, given, accuracy)

    def reached(self, client: Client) -> Array:
        """Share of the last miles to success that is behind each client, 0 to 1."""
        first, last = LAST_MILES
        return jnp.clip((jax.vmap(position)(client) - first) / (last - first), 0, 1)

    def played(
        self, params: Any, statistics: Any, key: Array, count: int, greedy: bool
    ) -> tuple[Client, Rollout]:
        """Whole therapies with ``count`` new clients: how they ended, and the sessions to learn from."""
        key, noise_key = jax.random.split(key)
        client, seen, luck = self.begun(key, count)
        noise = jax.random.gumbel(noise_key, (self.options.max_sessions, count, 8)) * (0.0 if greedy else 1.0)

        def step(carry: Any, inputs: tuple[Array, Array]) -> tuple[Any, Rollout]:
            client, seen, best = carry
            observations, mirror = self.observed(client, seen)
            log_probs, values = self.ppo.evaluated(params, statistics, observations)
            actions = distribution.most_likely(log_probs + inputs[1])
            given = impressions.mirror_octant(jnp, mirror, actions)
            after, impression = self.advanced(client, seen, given, inputs[0])
            nearer = jnp.maximum(best, self.reached(after))
            reward = jnp.where(after.dropped_out, -self.dropout, after.success) + self.progress * (
                nearer - best
            )
            row = Rollout(
                observations,
                actions,
                jnp.where(client.ended, 0.0, reward),
                # Sessions that run out are an end too: the policy knows how many are left.
                after.ended,
                jnp.zeros(count, bool),
                distribution.log_prob(log_probs, actions),
                values,
                final_values=values,
                last_values=values,
                valid=~client.ended,
            )
            return (after, impression, nearer), row

        (client, _, _), rollout = jax.lax.scan(step, (client, seen, self.reached(client)), (luck, noise))
        return client, rollout._replace(last_values=jnp.zeros(count))

    def explored(self, state: PPOState, key: Array, count: int) -> tuple[Client, Rollout]:
        """``played`` with answers drawn from the policy of a state."""
        return self.played(state.params, state.normaliser, key, count, greedy=False)

    # --- learning ------------------------------------------------------------------------------------------------

    def trained(self, state: PPOState, updates: int) -> tuple[PPOState, dict[str, Array]]:
        """``updates`` times therapies and an update; metrics are float[updates]."""

        def once(state: PPOState, _: None) -> tuple[PPOState, dict[str, Array]]:
            key, play_key = jax.random.split(state.key)
            client, rollout = self.explored(state, play_key, self.clients)
            state, metrics = self.ppo.updated(state._replace(key=key), rollout)
            ends = {"success": jnp.mean(client.success), "dropouts": jnp.mean(client.dropped_out)}
            return state, metrics | ends

        return jax.lax.scan(once, state, None, length=updates)

    def measured(self, state: PPOState, key: Array, count: int) -> tuple[Array, Array]:
        """Shares of success and of dropouts among ``count`` new clients of the greedy policy."""
        client, _ = self.played(state.params, state.normaliser, key, count, greedy=True)
        return jnp.mean(client.success & ~client.dropped_out), jnp.mean(client.dropped_out)

    def taught(self, state: PPOState, key: Array, batches: int) -> tuple[PPOState, Array]:
        """The actor fitted to the preparing therapist, with a little doubt, on therapies that stray now and then.

        Returns the state, with a fresh optimiser, and the loss of the last batch.
        """
        begin_key, stray_key, rows_key = jax.random.split(key, 3)
        count, sessions = TAUGHT_ON, self.options.max_sessions
        client, seen, luck = self.begun(begin_key, count)
        strays = jax.random.randint(stray_key, (sessions, count), 0, round(8 / STRAYING))

        def step(carry: Any, inputs: tuple[Array, Array]) -> tuple[Any, tuple[Array, Array]]:
            client, seen = carry
            observations, mirror = self.observed(client, seen)
            right = prepare_answers(jnp, seen, client.action)
            given = jnp.where(inputs[1] < 8, inputs[1], right)
            pair = (observations["impression"], impressions.mirror_octant(jnp, mirror, right))
            return self.advanced(client, seen, given, inputs[0]), pair

        _, (vectors, answers) = jax.lax.scan(step, (client, seen), (luck, strays))
        vectors, answers = vectors.reshape(-1, vectors.shape[-1]), answers.reshape(-1)
        optimiser = optax.adam(2e-3)
        rows = jax.random.randint(rows_key, (batches, 512), 0, len(answers))

        def loss(params: Any, chosen: Array) -> Array:
            unseen = jnp.zeros((chosen.shape[0], MIND))  # an omniscient policy begins without looking
            logits, _ = self.ppo.apply(params, {"impression": vectors[chosen], "mind": unseen})
            wanted = optax.smooth_labels(jax.nn.one_hot(answers[chosen], 8), DOUBT)
            return optax.softmax_cross_entropy(logits, wanted).mean()

        def fit(carry: Any, chosen: Array) -> tuple[Any, Array]:
            params, moments = carry
            value, gradients = jax.value_and_grad(loss)(params, chosen)
            moves, moments = optimiser.update(gradients, moments)
            return (optax.apply_updates(params, moves), moments), value

        (params, _), losses = jax.lax.scan(fit, (state.params, optimiser.init(state.params)), rows)
        return state._replace(params=params, optimiser=adam_started(params)), losses[-1]
