"""Random rollouts and a linear policy, for comparisons with ``oracle``."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from tests.training.backends.jax import oracle

from jimbot.training.backends.jax import Rollout

STEPS, NUM_ENVS, WIDTH, ACTIONS = 7, 3, 5, 4


def make_rollout(seed=0, *, masked=False, valid=None):
    rng = np.random.default_rng(seed)
    shape = (STEPS, NUM_ENVS)
    terminated = rng.random(shape) < 0.2
    truncated = (rng.random(shape) < 0.2) & ~terminated
    actions = rng.integers(ACTIONS, size=shape).astype(np.int32)
    observations = rng.normal(size=(*shape, WIDTH)).astype(np.float32)
    if masked:
        mask = rng.random((*shape, ACTIONS)) < 0.5
        np.put_along_axis(mask, actions[..., None], True, axis=2)
        observations = {"vector": observations, "action_mask": mask.astype(np.int8)}
    floats = rng.normal(size=(4, *shape)).astype(np.float32)
    return Rollout(
        observations,
        jnp.asarray(actions),
        jnp.asarray(floats[0]),
        jnp.asarray(terminated),
        jnp.asarray(truncated),
        jnp.asarray(np.log(rng.uniform(0.1, 0.9, shape)), jnp.float32),
        jnp.asarray(floats[1]),
        jnp.asarray(floats[2]),
        jnp.asarray(rng.normal(size=NUM_ENVS), jnp.float32),
        valid,
    )


def apply(params, observations):
    vector = observations["vector"] if isinstance(observations, dict) else observations
    return vector @ params["policy"], vector @ params["value"]


def params_of(seed=1):
    rng = np.random.default_rng(seed)
    return {
        "policy": jnp.asarray(0.5 * rng.normal(size=(WIDTH, ACTIONS)), jnp.float32),
        "value": jnp.asarray(rng.normal(size=WIDTH), jnp.float32),
    }


def on_policy(rollout, params):
    """The rollout with the probabilities that the parameters give to its actions."""
    log_probs = jax.nn.log_softmax(apply(params, rollout.observations)[0])
    return rollout._replace(
        log_probs=jnp.take_along_axis(log_probs, rollout.actions[..., None], axis=2)[..., 0]
    )


def flat(array):
    array = np.asarray(array)
    return array.reshape(-1, *array.shape[2:])


def oracle_batch(rollout, config):
    advantages, returns = oracle.gae(rollout, config.gamma, config.gae_lambda)
    masked = isinstance(rollout.observations, dict)
    vector = rollout.observations["vector"] if masked else rollout.observations
    return {
        "observations": flat(vector).astype(np.float64),
        "mask": flat(rollout.observations["action_mask"]).astype(bool) if masked else None,
        "actions": flat(rollout.actions),
        "log_probs": flat(rollout.log_probs).astype(np.float64),
        "values": flat(rollout.values).astype(np.float64),
        "advantages": flat(advantages),
        "returns": flat(returns),
    }


CONFIGS = {
    "plain": {},
    "value_clip": {"value_clip": 0.3},
    "half_square": {"value_loss_scale": 0.5},
    "advantages_as_they_are": {"normalize_advantages": False},
    "uneven": {"minibatch_size": 8, "value_clip": 0.3},
    "uneven_by_one": {"minibatch_size": 20},
    "one_by_one": {"minibatch_size": 1, "epochs_per_update": 1},
    "larger_than_the_rollout": {"minibatch_size": 1000},
    "early_stop": {"target_kl": 0.02, "learning_rate": 0.05},
}
