"""The vector environment is so many single ones, step for step."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from jimbot.therapy import TherapyEnv, TherapyError, TherapyVectorEnv

OPTIONS: dict[str, Any] = {
    "patterns": ["cold_stuck", "complementary_perfect", "mixed_random"],
    "max_sessions": 33,
    "threshold": 0.8,
}


@pytest.mark.parametrize("more", [{}, {"omniscient": True}, {"enable_parataxic": False, "mechanism": 4}])
def test_vector_is_single_step_for_step(more):
    options = OPTIONS | more
    vector = TherapyVectorEnv(5, **options)
    singles = [TherapyEnv(**options) for _ in range(5)]
    observations, infos = vector.reset(seed=70)
    started = [env.reset(seed=70 + i) for i, env in enumerate(singles)]
    for i, (observation, info) in enumerate(started):
        assert same_row(observations, i, observation)
        assert {name: values[i] for name, values in infos.items()} == info
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(120):
        actions = rng.integers(0, 8, 5)
        observations, rewards, terminated, truncated, infos = vector.step(actions)
        for i, env in enumerate(singles):
            observation, reward, ended, cut, info = env.step(actions[i])
            assert (rewards[i], terminated[i], truncated[i]) == (reward, ended, cut)
            if ended or cut:
                ends += 1
                assert infos["_final_info"][i]
                assert infos["_final_obs"][i]
                assert same_row(infos["final_obs"], i, observation)
                final = {name: values[i] for name, values in infos["final_info"].items()}
                assert info.items() <= final.items()
                observation, _ = env.reset()
            else:
                assert not infos.get("_final_info", np.zeros(5, bool))[i]
                assert (infos["rs"][i], infos["session"][i]) == (info["rs"], info["session"])
            assert same_row(observations, i, observation)
    assert ends > 20
    assert vector.observation_space.contains({name: each.copy() for name, each in observations.items()})


def same_row(batch: Any, index: int, single: Any) -> bool:
    return set(batch) == set(single) and all(
        np.array_equal(batch[name][index], single[name]) for name in single
    )


def test_make_vec_makes_it():
    env = gymnasium.make_vec("jimbot/Therapy-v0", num_envs=3, patterns="cold_stuck", threshold=0.8)
    assert isinstance(env.unwrapped, TherapyVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, _ = env.reset(seed=0)
    assert observations["history"].shape == (3, 50)
    assert env.action_space.shape == (3,)


def test_buffers_stay_where_they_are():
    env = TherapyVectorEnv(4)
    first, _ = env.reset(seed=0)
    second, rewards, *_ = env.step(np.zeros(4, int))
    third, more_rewards, *_ = env.step(np.zeros(4, int))
    assert rewards is more_rewards
    assert all(first[name] is second[name] is third[name] for name in first)


def test_one_seed_for_each_client():
    env = TherapyVectorEnv(3)
    _, infos = env.reset(seed=[9, 4, 9])
    seeds = infos["episode_seed"].tolist()
    assert seeds[0] == seeds[2] != seeds[1]
    _, infos = env.reset(seed=[9, 4, 9])
    assert infos["episode_seed"].tolist() == seeds
    _, infos = env.reset()
    assert infos["episode_seed"].tolist() != seeds


def test_chosen_clients():
    env = TherapyVectorEnv(3, patterns="cold_stuck")
    _, infos = env.reset(seed=0, options={"episode_seed": [5, 6, 7], "pattern": "conflictual"})
    assert infos["episode_seed"].tolist() == [5, 6, 7]
    assert infos["pattern"].tolist() == ["conflictual"] * 3


@pytest.mark.parametrize("more", [{}, {"omniscient": True}])
def test_a_restored_environment_goes_on_exactly(more):
    options = OPTIONS | more
    env, other = TherapyVectorEnv(6, **options), TherapyVectorEnv(6, **options)
    env.reset(seed=3)
    rng = np.random.default_rng(2)
    for _ in range(77):  # past several ends, and past the turn of the memory buffer
        env.step(rng.integers(0, 8, 6))
    saved = env.snapshot()
    other.reset(seed=99)
    other.step(np.zeros(6, int))
    np.testing.assert_equal(other.restore(saved), env._observations.arrays)
    for _ in range(80):
        actions = rng.integers(0, 8, 6)
        first, second = env.step(actions), other.step(actions)
        for one, two in zip(first[:4], second[:4], strict=True):
            np.testing.assert_equal(one, two)
        ended = first[4].pop("_final_obs", np.zeros(6, bool))
        for name in first[4].pop("final_obs", {}):  # says nothing about clients that go on
            np.testing.assert_equal(env._final[name][ended], other._final[name][ended])
        for infos in (first[4], second[4]):
            for name in ("final_obs", "_final_obs"):
                infos.pop(name, None)
        np.testing.assert_equal(first[4], second[4])
    assert env.snapshot() == other.snapshot()


def test_misuse_gets_one_line():
    with pytest.raises(TherapyError, match="a batch must have at least 1 client, got 0"):
        TherapyVectorEnv(0)
    env = TherapyVectorEnv(2)
    with pytest.raises(TherapyError, match="there are no clients; call reset"):
        env.step(np.zeros(2, int))
    with pytest.raises(TherapyError, match="expected 2 seeds, got 3"):
        env.reset(seed=[1, 2, 3])
    with pytest.raises(TherapyError, match="expected 2 episode seeds, got 1"):
        env.reset(options={"episode_seed": [1]})
    env.reset(seed=0)
    with pytest.raises(TherapyError, match="an action is an octant"):
        env.step(np.array([0, 8]))
    for bad in (np.zeros(3, int), np.zeros(2)):
        with pytest.raises(TherapyError, match="expected 2 whole numbers, got"):
            env.step(bad)
    with pytest.raises(TherapyError, match="unknown reset option 'level'"):
        env.reset(options={"level": 2})


def test_clients_are_simulated_in_one_thread():
    assert TherapyVectorEnv(2, threads=1).num_envs == 2
    with pytest.raises(TherapyError, match="one thread, got threads 2"):
        TherapyVectorEnv(2, threads=2)
