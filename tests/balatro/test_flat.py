"""Flat observations: every array at its place, nothing lost, nothing out of bounds."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.balatro.test_env_state import both_modes, random_actions

from jimbot.balatro.env.flat import FlatEnv, FlatLayout, FlatVectorEnv, flat
from jimbot.balatro.env.options import EnvOptionError
from jimbot.balatro.env.schema import observation_space
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv


def assert_same(layout, vector, observation):
    """Every array of the dict stands in the vector, identities divided by their largest value."""
    space = observation_space(layout.candidates)
    for name, place in layout.slices.items():
        array, box = observation[name], space[name]
        assert isinstance(box, gymnasium.spaces.Box)
        expected = array if array.dtype == np.float32 else array / box.high.max()
        assert vector[place] == pytest.approx(np.ravel(expected), abs=1e-6), name


@both_modes
def test_single(mode):
    env = flat(BalatroEnv(max_ante=2, **mode))
    assert isinstance(env, FlatEnv)
    rng = np.random.default_rng(0)
    vector, _ = env.reset(seed=1)
    for _ in range(150):
        assert env.observation_space.contains(vector)
        assert isinstance(env.unwrapped, BalatroEnv)
        observation = env.unwrapped.observation()
        assert_same(env.layout, vector, observation)
        assert (env.layout.flatten(observation) == vector).all()
        mask = vector[env.layout.slices["action_mask"]]
        assert (mask == env.action_masks()).all()
        vector, _, terminated, truncated, _ = env.step(random_actions(mask[None], rng)[0])
        if terminated or truncated:
            vector, _ = env.reset()


@both_modes
def test_vector(mode):
    env = flat(BalatroVectorEnv(6, **mode))
    assert isinstance(env, FlatVectorEnv)
    plain = BalatroVectorEnv(6, **mode)
    rng = np.random.default_rng(2)
    vectors, _ = env.reset(seed=3)
    observations, _ = plain.reset(seed=3)
    finals = 0
    for _ in range(60):
        assert env.observation_space.contains(vectors)
        assert (vectors == env.layout.flatten(observations)).all()
        actions = random_actions(vectors[:, env.layout.slices["action_mask"]], rng)
        vectors, rewards, *_, infos = env.step(actions)
        observations, own_rewards, *_, own_infos = plain.step(actions)
        assert (rewards == own_rewards).all()
        if "final_obs" in infos:
            ended = infos["_final_obs"]
            finals += int(ended.sum())
            assert (infos["final_obs"][ended] == env.layout.flatten(own_infos["final_obs"])[ended]).all()
    assert finals > 5


@both_modes
def test_gymnasium_checker(mode):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version.*")
        check_env(FlatEnv(BalatroEnv(checked=False, **mode)), skip_render_check=True)


def test_slices_cover_the_vector():
    for candidates in (0, 32):
        layout = FlatLayout.of(candidates)
        covered = [index for place in layout.slices.values() for index in range(place.start, place.stop)]
        assert covered == list(range(layout.size))
        assert set(layout.slices) == set(observation_space(candidates))


def test_other_environments_are_refused():
    with pytest.raises(
        EnvOptionError, match=r"not from CartPoleEnv; use gymnasium\.wrappers\.FlattenObservation"
    ):
        flat(gymnasium.make("CartPole-v1"))
