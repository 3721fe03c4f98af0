"""CartPole of pure functions against Gymnasium's CartPole-v1, step for step, and its batches against single steps."""

from __future__ import annotations

from typing import cast

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.classic_control.cartpole import CartPoleEnv

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

from jimbot.cartpole import (  # noqa: E402
    CartPole,
    CartPoleParameters,
    CartPoleState,
    reset_batch,
    run_actions,
    step_batch,
)

STEPS = 100_000

# One step of Euler in float32: velocities up to about 4, accelerations up to about 25 m/s^2 times 0.02 s. The sum is
# rounded a handful of times at magnitude 4, where float32 steps by 4.8e-7.
FLOAT32_TOLERANCE = 2e-6
# float64 steps by 8.9e-16 there; the compiler may fuse a product into a sum, which changes the last digits.
FLOAT64_TOLERANCE = 1e-14


def physics_of(env) -> CartPoleEnv:
    """The environment inside its wrappers, whose ``state`` can be read and set."""
    return cast("CartPoleEnv", env.unwrapped)


@pytest.fixture(scope="module")
def trace():
    """States before and after each of 10^5 steps of Gymnasium's environment under random play, in float64."""
    env = gymnasium.make("CartPole-v1")
    inner = physics_of(env)
    rng = np.random.default_rng(0)
    actions = rng.integers(2, size=STEPS)
    before, after = np.empty((2, STEPS, 4))
    terminated = np.empty(STEPS, bool)
    rewards = np.empty(STEPS)
    env.reset(seed=0)
    for number in range(STEPS):
        before[number] = inner.state
        _, rewards[number], terminated[number], truncated, _ = env.step(int(actions[number]))
        after[number] = inner.state
        if terminated[number] or truncated:
            env.reset()
            if number % 3 == 0:  # wilder states than a fresh reset gives
                inner.state = rng.uniform([-2.3, -3, -0.2, -3], [2.3, 3, 0.2, 3])
    return before, actions, after, rewards, terminated


def compare(trace, tolerance):
    before, actions, after, rewards, terminated = trace
    state = CartPoleState(jnp.asarray(before), jnp.zeros(STEPS, jnp.int32))
    step = jax.jit(jax.vmap(CartPole().step))(state, jnp.asarray(actions))
    np.testing.assert_allclose(step.observation, after, rtol=0, atol=tolerance)
    np.testing.assert_array_equal(step.reward, rewards)
    distance = np.minimum(
        np.abs(np.abs(after[:, 0]) - 2.4), np.abs(np.abs(after[:, 2]) - 12 * 2 * np.pi / 360)
    )
    clear = distance > tolerance  # nearer than rounding, either answer is right
    assert clear.sum() > STEPS - 10
    np.testing.assert_array_equal(np.asarray(step.terminated)[clear], terminated[clear])
    assert terminated.sum() > 1000
    assert not np.asarray(step.truncated).any()
    return step


def test_every_step_equals_gymnasium_in_float32(trace):
    assert compare(trace, FLOAT32_TOLERANCE).observation.dtype == jnp.float32


def test_every_step_equals_gymnasium_in_float64(trace):
    with jax.enable_x64(True):
        assert compare(trace, FLOAT64_TOLERANCE).observation.dtype == jnp.float64


def test_whole_episodes_end_as_in_gymnasium():
    """Under simple controllers, some of which balance to the limit: the same length, the same way of ending.

    The physics is taken over from Gymnasium before every step, because a pole is unstable: the last digits of two
    equal runs grow e-fold every quarter of a second. The count of steps is the state's own.
    """
    env = gymnasium.make("CartPole-v1")
    inner = physics_of(env)
    step_function = jax.jit(CartPole().step)
    endings = []
    for seed, (lean, spin) in enumerate([(1.0, 0.0), (0.2, 1.0), (1.0, 1.0)] * 3):
        observation, _ = env.reset(seed=seed)
        steps, ended = jnp.int32(0), False
        while not ended:
            position, velocity, angle, angular = observation
            action = int(lean * angle + spin * angular + 0.05 * velocity + 0.01 * position > 0)
            step = step_function(
                CartPoleState(jnp.asarray(inner.state, jnp.float32), steps), jnp.int32(action)
            )
            observation, _, terminated, truncated, _ = env.step(action)
            steps, ended = step.state.steps, terminated or truncated
            assert (bool(step.terminated), bool(step.truncated)) == (terminated, truncated)
        endings.append((int(steps), truncated))
    assert (500, True) in endings
    assert any(not truncated for _, truncated in endings)


def test_reset_is_uniform_in_its_range():
    _, observation = reset_batch(CartPole(), jax.random.PRNGKey(1), 10_000)
    observation = np.asarray(observation)
    assert observation.shape == (10_000, 4)
    assert np.abs(observation).max() <= 0.05
    np.testing.assert_allclose(observation.mean(0), 0, atol=0.0015)
    np.testing.assert_allclose(observation.std(0), 0.1 / np.sqrt(12), rtol=0.03)


def test_truncation_is_not_termination_and_termination_wins():
    environment = CartPole(CartPoleParameters(max_steps=3))
    upright = CartPoleState(jnp.zeros(4), jnp.int32(1))
    falling = CartPoleState(jnp.array([0.0, 0.0, 0.2, 3.0]), jnp.int32(2))
    early = environment.step(upright, jnp.int32(1))
    late = environment.step(early.state, jnp.int32(0))
    fallen = environment.step(falling, jnp.int32(1))
    assert (bool(early.terminated), bool(early.truncated)) == (False, False)
    assert (bool(late.terminated), bool(late.truncated)) == (False, True)
    assert (bool(fallen.terminated), bool(fallen.truncated)) == (True, False)


def test_batches_equal_single_steps_and_reset_where_they_end():
    environment = CartPole(CartPoleParameters(max_steps=15))
    steps, num_envs = 60, 3
    key = jax.random.PRNGKey(0)
    state, _ = reset_batch(environment, key, num_envs)
    actions = jnp.asarray(np.random.default_rng(0).integers(2, size=(steps, num_envs)))
    last, run = run_actions(environment, key, state, actions)
    keys = jax.random.split(key, steps)
    ended = 0
    step_all = jax.jit(step_batch, static_argnums=0)
    step_one = jax.jit(environment.step)
    for time in range(steps):
        whole = step_all(environment, keys[time], state, actions[time])
        for number in range(num_envs):
            single = step_one(jax.tree.map(lambda x, n=number: x[n], state), actions[time, number])
            np.testing.assert_allclose(whole.final_observation[number], single.observation, atol=1e-6)
            fresh = bool(single.terminated | single.truncated)
            ended += fresh
            assert fresh == (int(whole.state.steps[number]) == 0)
            same = np.array_equal(whole.observation[number], whole.final_observation[number])
            assert same == (not fresh)
        np.testing.assert_allclose(run.observation[time], whole.observation, atol=1e-6)
        np.testing.assert_array_equal(run.terminated[time], whole.terminated)
        state = whole.state
    assert ended > 4
    assert bool(run.truncated.any())
    np.testing.assert_allclose(last.physics, state.physics, atol=1e-6)
