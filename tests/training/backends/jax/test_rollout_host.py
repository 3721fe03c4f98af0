"""Collecting from vector environments that are not written in JAX, and learning from what was collected."""

# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("flax")
import jax.numpy as jnp  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402
from tests.training.backends.jax.envs import LENGTH, Corridor  # noqa: E402

from jimbot.errors import JimbotError  # noqa: E402
from jimbot.training.backends.jax import PPOConfig  # noqa: E402
from jimbot.training.backends.jax.gae import compute_advantages  # noqa: E402
from jimbot.training.backends.jax.networks import PPONetwork, apply_function, initial_parameters  # noqa: E402
from jimbot.training.backends.jax.ppo import PPO  # noqa: E402
from jimbot.training.backends.jax.rollout_host import VectorCollector  # noqa: E402

NETWORK = PPONetwork(3, (16,))
CONFIG = PPOConfig(learning_rate=0.01, minibatch_size=32, epochs_per_update=4)
PPO_HERE = PPO(apply_function(NETWORK), CONFIG)
NUM_ENVS = 4


def corridors(mode):
    return SyncVectorEnv([Corridor] * NUM_ENVS, autoreset_mode=mode)


def fresh_state():
    observation = {"observation": np.zeros(LENGTH, np.float32), "action_mask": np.ones(3, np.int8)}
    return PPO_HERE.init(initial_parameters(NETWORK, 0, observation), jax.random.PRNGKey(0), observation)


def place_of(observations):
    return np.asarray(observations["observation"]).argmax(-1)


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_rollouts_tell_the_truth_in_both_ways_of_autoreset(mode):
    """Every recorded step is replayed by the rules of the corridor; illegal actions would have raised."""
    collector = VectorCollector(PPO_HERE, corridors(mode), 40, seed=1)
    state, rollout = collector.collect(fresh_state())
    episodes = collector.vector.drain()
    assert rollout.observations["observation"].dtype == np.float32
    places, actions = place_of(rollout.observations), np.asarray(rollout.actions)
    valid = np.ones_like(rollout.terminated) if rollout.valid is None else np.asarray(rollout.valid)
    after = np.minimum(places + np.array([-1, 1, 2])[actions], LENGTH - 1)
    np.testing.assert_array_equal((after == LENGTH - 1)[valid], rollout.terminated[valid])
    np.testing.assert_array_equal(rollout.rewards[valid], rollout.terminated[valid].astype(np.float32))
    ended = np.asarray(rollout.terminated | rollout.truncated)
    going = valid[:-1] & ~ended[:-1]
    np.testing.assert_array_equal(after[:-1][going], places[1:][going])
    assert rollout.truncated.any()
    assert rollout.terminated.any()
    if mode == AutoresetMode.NEXT_STEP:
        np.testing.assert_array_equal(~valid[1:], ended[:-1])  # the step after an end only resets
    # Where an episode was cut, the bootstrap is the value of the place that the action led to.
    for time, env in np.argwhere(rollout.truncated):
        place = int(after[time, env])
        observation = {
            "observation": np.eye(LENGTH, dtype=np.float32)[[place]],
            "action_mask": np.ones((1, 3), np.int8),
        }
        value = PPO_HERE.value(state.params, state.normalizer, observation)[0]
        assert float(rollout.final_values[time, env]) == pytest.approx(float(value), abs=1e-6)
    assert sum(episode.length for episode in episodes) + int(collector.vector.lengths.sum()) == valid.sum()
    assert sum(episode.reward for episode in episodes) == rollout.rewards.sum()
    assert all(1 <= episode.length <= 10 for episode in episodes)


def test_both_ways_of_autoreset_give_equal_advantages_to_equal_steps():
    """An episode of three steps that is cut, by hand: with the reset step in between or without."""
    from jimbot.training.backends.jax import Rollout

    def rollout(values, truncated, final, last):
        column = jnp.asarray(values)[:, None]
        cuts = jnp.asarray(truncated)[:, None]
        ones, nothing = jnp.ones_like(column), jnp.zeros_like(cuts)
        return Rollout(ones, ones, ones, nothing, cuts, ones, column, final * ones, jnp.asarray([last]))

    same = rollout([1.0, 2.0, 3.0, 7.0], [False, False, True, False], 5.0, 8.0)
    following = rollout([1.0, 2.0, 3.0, 5.0, 7.0], [False, False, True, False, False], 5.0, 8.0)
    one, _ = compute_advantages(same, 0.9, 0.8)
    other, _ = compute_advantages(following, 0.9, 0.8)
    np.testing.assert_allclose(one[:, 0], np.delete(np.asarray(other)[:, 0], 3), rtol=1e-6)


def test_learns_the_corridor_with_masks():
    collector = VectorCollector(PPO_HERE, corridors(AutoresetMode.NEXT_STEP), 40, seed=0)
    state, lengths = fresh_state(), []
    for _ in range(15):
        state, rollout = collector.collect(state)
        state, metrics = PPO_HERE.update(state, rollout)
        lengths.append(np.mean([episode.length for episode in collector.vector.drain()]))
    assert PPO_HERE.update._cache_size() <= 2  # pyright: ignore[reportFunctionMemberAccess]
    assert float(metrics["entropy"]) < 0.5
    assert lengths[0] > 4.5
    assert lengths[-1] < 3.6  # from places 0, 1 and 2 it takes 3, 3 and 2 steps: 2.67 on average


def test_collecting_goes_on_where_it_stood():
    whole, other = (
        VectorCollector(PPO_HERE, corridors(AutoresetMode.SAME_STEP), 7, seed=5) for _ in range(2)
    )
    state, _ = whole.collect(fresh_state())
    other.collect(fresh_state())
    assert whole.vector.drain() == other.vector.drain()
    tree = other.vector.state_tree()
    assert tree["lengths"].any()
    other.vector.observation()["observation"][:] = 0.5
    other.vector.returns[:], other.vector.lengths[:] = 99, 99
    other.vector.restore(tree)
    _, expected = whole.collect(state)
    _, found = other.collect(state)
    episodes, other_episodes = whole.vector.drain(), other.vector.drain()
    for one, two in zip(jax.tree.leaves(expected), jax.tree.leaves(found), strict=True):
        np.testing.assert_array_equal(one, two)
    assert episodes == other_episodes != []


def test_unfit_environments_are_refused():
    pendulum = SyncVectorEnv([lambda: gymnasium.make("Pendulum-v1")], autoreset_mode=AutoresetMode.SAME_STEP)
    with pytest.raises(JimbotError, match="needs a Discrete action space, got Box"):
        VectorCollector(PPO_HERE, pendulum, 5)
    with pytest.raises(JimbotError, match="autoreset"):
        VectorCollector(PPO_HERE, corridors(AutoresetMode.DISABLED), 5)


def test_native_balatro_is_collected_and_learned_from():
    """The compiled vector environment: its buffers are overwritten every step, and the arrays keep every step."""
    from jimbot.balatro.env.vector import BalatroVectorEnv

    env = BalatroVectorEnv(3, max_steps=4)
    space: Any = env.single_observation_space
    action_space: Any = env.single_action_space
    names = [name for name, part in space.spaces.items() if np.issubdtype(part.dtype, np.floating)]
    width = sum(int(np.prod(space.spaces[name].shape)) for name in names)
    actions = int(action_space.n)
    rng = np.random.default_rng(0)
    params = {
        "policy": jnp.asarray(0.01 * rng.normal(size=(width, actions)), jnp.float32),
        "value": jnp.zeros(width, jnp.float32),
    }

    def apply(params, observations):
        flat = [observations[name].reshape(observations[name].shape[0], -1) for name in names]
        vector = jnp.concatenate(flat, axis=1)
        return vector @ params["policy"], vector @ params["value"]

    ppo = PPO(apply, PPOConfig(minibatch_size=16, epochs_per_update=2, normalize_observations=True))
    collector = VectorCollector(ppo, env, 20, seed=0)
    observation = jax.tree.map(lambda leaf: leaf[0], collector.observation)
    state, rollout = collector.collect(ppo.init(params, jax.random.PRNGKey(0), observation))
    episodes = collector.vector.drain()
    mask = np.asarray(rollout.observations["action_mask"])
    legal = np.take_along_axis(mask, np.asarray(rollout.actions)[..., None], axis=2)
    assert legal.all()
    assert not mask.all()
    assert rollout.truncated.any()
    assert len(episodes) >= 3
    assert not np.array_equal(mask[0], mask[1]) or not np.array_equal(mask[1], mask[5])
    state, metrics = ppo.update(state, rollout)
    assert all(np.isfinite(float(value)) for value in metrics.values())
    assert float(state.normalizer.count) == 60
