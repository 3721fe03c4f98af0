"""The model as pure JAX functions of one client: batch them with ``jax.vmap``, run sessions with ``jax.lax.scan``.

Randomness comes in as numbers: ``begin`` takes one uniform number and ``session`` two, and the same numbers give the
same therapy as in the NumPy form. ``sample_client`` and ``therapy`` draw them from a JAX key instead. Numbers have the
default precision of JAX; with 64-bit mode on they agree with NumPy to the last digits. Options are
static.
"""

# JAX types the dtype arguments of its functions loosely.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array

from jimbot.therapy.env.observations import HISTORY_PAIRS, NO_ENTRY
from jimbot.therapy.jax.biographies import sample_memory, sample_utilities
from jimbot.therapy.model.perception import PERCEPTION_WINDOW, compute_habit_weights
from jimbot.therapy.model.rewards import DROPOUT_REWARD, DROPOUT_SESSION, SESSION_SAVED, SUCCESS_REWARD
from jimbot.therapy.model.satisfaction import MEMORY_SIZE, recency_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.therapy.env.options import TherapyOptions

    Policy = Callable[[dict[str, Array], Array], Array]

__all__ = [
    "Client",
    "action_probabilities",
    "begin",
    "observation",
    "sample_client",
    "session",
    "therapy",
]


class Client(NamedTuple):
    """One client; a pytree of arrays.

    Attributes:
        utilities: float[8, 8], rows the client.
        memory: int32[50, 2], the client's and the perceived octants, oldest first.
        history: int32[50], the last 25 shared interactions as the therapist sees them.
        action: what the client shows, int32.
        sessions: sessions held, int32.
        misperceived: sessions in which the client misperceived the therapist, int32.
        last_perceived: what the client took the last action for, int32; 8 before the first.
        rs: satisfaction.
        bond: trust.
        initial_rs: satisfaction before the first session.
        rs_threshold: satisfaction that means success.
        success: bool.
        dropped_out: bool.
        timed_out: bool.
    """

    utilities: Array
    memory: Array
    history: Array
    action: Array
    sessions: Array
    misperceived: Array
    last_perceived: Array
    rs: Array
    bond: Array
    initial_rs: Array
    rs_threshold: Array
    success: Array
    dropped_out: Array
    timed_out: Array

    @property
    def ended(self) -> Array:
        """Whether therapy is over, bool."""
        return self.success | self.dropped_out | self.timed_out


def frequencies_of(options: TherapyOptions, memory: Array) -> Array:
    """Recency-weighted frequency of each pair of octants, float[8 client, 8 therapist]."""
    weights = jnp.asarray(recency_weights(MEMORY_SIZE, options.recency_factor))
    return jnp.zeros((8, 8), weights.dtype).at[memory[:, 0], memory[:, 1]].add(weights)


def trust(options: TherapyOptions, utilities: Array, frequencies: Array) -> tuple[Array, Array]:
    """Satisfaction and bond."""
    rs = jnp.sum(frequencies * utilities)
    least, greatest = utilities.min(), utilities.max()
    position = (rs - least) / (greatest - least)
    return rs, 1 / (1 + jnp.exp(-2 * options.bond_alpha * (position - options.bond_offset)))


def action_probabilities(options: TherapyOptions, utilities: Array, frequencies: Array, bond: Array) -> Array:
    """Return the probability of each octant as the client's next action, float[8]."""
    mechanism = options.mechanism_number
    strength = options.history_weight * (bond**options.bond_power if mechanism in (3, 4) else 1.0)
    if mechanism == 0:
        adjusted = utilities
    elif mechanism in (1, 3):
        adjusted = utilities * (1 + strength * frequencies.sum(axis=0))
    else:
        smoothed = frequencies + options.smoothing_alpha
        adjusted = utilities * (1 + strength * smoothed / smoothed.sum(axis=1, keepdims=True))
    ordered = jnp.sort(adjusted, axis=1)
    position = 7 * bond
    lower = jnp.minimum(position.astype(jnp.int32), 7)
    low, high = ordered[:, lower], ordered[:, jnp.minimum(lower + 1, 7)]
    return jax.nn.softmax((low + (position - lower) * (high - low)) / options.entropy)


def sample_action(probability: Array, uniform: Array) -> Array:
    """Return the action that a uniform random number selects, int32."""
    cumulated = jnp.cumsum(probability)
    return jnp.sum(cumulated / cumulated[7] <= uniform).astype(jnp.int32)


def begin(options: TherapyOptions, utilities: Array, memory: Array, uniform: Array) -> Client:
    """Return a client before its first session, with its first action chosen."""
    utilities = jnp.asarray(utilities, dtype=float)
    memory = jnp.asarray(memory, jnp.int32)
    frequencies = frequencies_of(options, memory)
    rs, bond = trust(options, utilities, frequencies)
    least, greatest = utilities.min(), utilities.max()
    zero, no = jnp.int32(0), jnp.bool_(False)
    return Client(
        utilities=utilities,
        memory=memory,
        history=jnp.full(2 * HISTORY_PAIRS, NO_ENTRY, jnp.int32),
        action=sample_action(action_probabilities(options, utilities, frequencies, bond), uniform),
        sessions=zero,
        misperceived=zero,
        last_perceived=jnp.int32(NO_ENTRY),
        rs=rs,
        bond=bond,
        initial_rs=rs,
        rs_threshold=least + options.threshold * (greatest - least),
        success=no,
        dropped_out=no,
        timed_out=no,
    )


def perceive(options: TherapyOptions, memory: Array, action: Array, uniform: Array) -> Array:
    """Return the action that the client perceives, int32."""
    if not options.enable_parataxic:
        return action
    # Whole numbers below 2**24: exact in 32-bit floats too.
    weights = jnp.asarray(compute_habit_weights(), jnp.int32)
    habits = jnp.zeros(8, jnp.int32).at[memory[-PERCEPTION_WINDOW:, 1]].add(weights)
    return jnp.where(uniform < options.baseline_accuracy, action, habits.argmax().astype(jnp.int32))


def record_interaction(client: Client, action: Array) -> Array:
    """Return the shared history with this session added."""
    full = client.sessions >= HISTORY_PAIRS
    shifted = jnp.where(full, jnp.roll(client.history, -2), client.history)
    at = 2 * jnp.minimum(client.sessions, HISTORY_PAIRS - 1)
    return shifted.at[at].set(client.action).at[at + 1].set(action)


def session(options: TherapyOptions, client: Client, action: Array, uniforms: Array) -> tuple[Client, Array]:
    """Return the client after a session, and the therapist's reward. A client whose therapy is over stays as it is.

    Args:
        options: static.
        client: before the session.
        action: the therapist's octant.
        uniforms: float[2], what the client perceives with and what it chooses its next action with.
    """
    action = jnp.asarray(action, jnp.int32)
    taken_for = perceive(options, client.memory, action, uniforms[0])
    memory = jnp.roll(client.memory, -1, axis=0).at[-1].set(jnp.stack([client.action, taken_for]))
    frequencies = frequencies_of(options, memory)
    rs, bond = trust(options, client.utilities, frequencies)
    sessions = client.sessions + 1
    success = rs >= client.rs_threshold
    dropped_out = (sessions == DROPOUT_SESSION) & (rs < client.initial_rs)
    over = success | dropped_out
    timed_out = ~over & (sessions >= options.max_sessions)
    shown = sample_action(action_probabilities(options, client.utilities, frequencies, bond), uniforms[1])
    after = client._replace(
        memory=memory,
        history=record_interaction(client, action),
        action=jnp.where(over | timed_out, client.action, shown),
        sessions=sessions,
        misperceived=client.misperceived + (taken_for != action),
        last_perceived=taken_for,
        rs=rs,
        bond=bond,
        success=success,
        dropped_out=dropped_out,
        timed_out=timed_out,
    )
    saved = SUCCESS_REWARD + SESSION_SAVED * (options.max_sessions - sessions)
    reward = jnp.where(dropped_out, DROPOUT_REWARD, jnp.where(success, saved, 0.0))
    kept = Client(*(jnp.where(client.ended, old, new) for old, new in zip(client, after, strict=True)))
    return kept, jnp.where(client.ended, 0.0, reward)


def observation(options: TherapyOptions, client: Client) -> dict[str, Array]:
    """Return what the therapist observes of a client."""
    return {
        "client_action": client.action,
        "history": client.history,
        "session_number": (client.sessions / options.max_sessions).astype(jnp.float32).reshape(1),
    }


def sample_client(options: TherapyOptions, key: Array) -> Client:
    """Draw a new client of the options' patterns from a key. Utilities, memory and first action are independent."""
    utility_key, memory_key, action_key = jax.random.split(key, 3)
    fixed = options.fixed_utilities()
    utilities = sample_utilities(utility_key) if fixed is None else jnp.asarray(fixed)
    memory = sample_memory(options, memory_key)
    return begin(options, utilities, memory, jax.random.uniform(action_key))


def therapy(options: TherapyOptions, policy: Policy, key: Array) -> tuple[Client, Array, Array]:
    """Run a whole episode; return the final client, and each session's reward and bond, float[max_sessions].

    ``policy`` is a function of an observation and a key. Sessions after the end have reward 0 and change nothing.
    """
    start_key, run_key = jax.random.split(key)

    def step(client: Client, step_key: Array) -> tuple[Client, tuple[Array, Array]]:
        policy_key, uniforms_key = jax.random.split(step_key)
        action = policy(observation(options, client), policy_key)
        client, reward = session(options, client, action, jax.random.uniform(uniforms_key, (2,)))
        return client, (reward, client.bond)

    keys = jax.random.split(run_key, options.max_sessions)
    client, (rewards, bonds) = jax.lax.scan(step, sample_client(options, start_key), keys)
    return client, rewards, bonds
