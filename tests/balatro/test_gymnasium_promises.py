"""What Gymnasium and Stable-Baselines3 ask of environments: their checkers, and the vector held to the vector API."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from tests.balatro.test_env_state import random_actions

from jimbot.balatro import IllegalActionError
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv

both_modes = pytest.mark.parametrize("actions", ["slots", "candidates"])
both_resets = pytest.mark.parametrize("autoreset", ["same_step", "next_step"])


class LegalSteps(gymnasium.Wrapper, gymnasium.utils.RecordConstructorArgs):
    """Checkers draw actions without looking at the mask; here an action that is not legal becomes one that is."""

    def __init__(self, env: Any) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self)
        super().__init__(env)

    def step(self, action: Any) -> Any:
        """The action, or the first legal one after it."""
        balatro: Any = self.env.unwrapped
        mask = np.roll(balatro.action_masks(), -int(action))
        return self.env.step((int(action) + int(mask.argmax())) % len(mask))


@both_modes
@pytest.mark.parametrize("checked", [True, False])
def test_gymnasiums_checker(actions, checked):
    env: Any = gymnasium.make("jimbot/Balatro-v0", checked=checked, actions=actions, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*different from the unwrapped version.*")
        check_env(LegalSteps(env.unwrapped) if checked else env.unwrapped, skip_render_check=checked)


@both_modes
@pytest.mark.parametrize("checked", [True, False])
def test_stable_baselines_checker(actions, checked):
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    env: Any = BalatroEnv(checked=checked, actions=actions)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        checker.check_env(LegalSteps(env) if checked else env, warn=False)


def test_a_checked_environment_refuses_what_a_checker_draws_blindly():
    with pytest.raises(IllegalActionError, match=r"is not legal now: .*see observation"):
        check_env(BalatroEnv(), skip_render_check=True)


# --- the vector -------------------------------------------------------------------------------------------------------


def same_spaces(one: Any, other: Any) -> None:
    for name in ("single_observation_space", "single_action_space", "observation_space", "action_space"):
        assert getattr(one, name) == getattr(other, name), name
        assert type(getattr(one, name)) is type(getattr(other, name)), name


@both_modes
@both_resets
def test_the_vector_looks_like_gymnasiums_own(actions, autoreset):
    env: Any = BalatroVectorEnv(3, actions=actions, autoreset=autoreset)
    mode = AutoresetMode.SAME_STEP if autoreset == "same_step" else AutoresetMode.NEXT_STEP
    plain = SyncVectorEnv([lambda: BalatroEnv(actions=actions, checked=False)] * 3, autoreset_mode=mode)
    same_spaces(env, plain)
    assert env.observation_space == batch_space(env.single_observation_space, 3)
    assert env.metadata["autoreset_mode"] is plain.metadata["autoreset_mode"] is mode
    (own, own_info), (expected, _) = env.reset(seed=0), plain.reset(seed=[0, 0, 0])
    assert own_info == {}
    assert set(own) == set(env.single_observation_space.spaces) == set(expected)
    for name in own:
        assert (own[name].shape, own[name].dtype) == (expected[name].shape, expected[name].dtype)
    rng = np.random.default_rng(0)
    for _ in range(60):
        own, *results = env.step(random_actions(own["action_mask"], rng))
        assert env.observation_space.contains(own)
        rewards, terminated, truncated, infos = results
        assert [each.shape for each in (rewards, terminated, truncated)] == [(3,)] * 3
        assert rewards.dtype.kind == "f"
        assert terminated.dtype == truncated.dtype == np.bool_
        assert isinstance(infos, dict)
    assert env.action_space.contains(env.action_space.sample())
    env.step(env.action_space.sample())
    env.close()
    plain.close()


@both_modes
def test_last_observations_are_those_of_gymnasiums_own(actions):
    """The same runs in both vectors, to the end of every first episode: the same numbers and last observations."""
    env = BalatroVectorEnv(4, actions=actions, max_steps=40)
    plain = SyncVectorEnv(
        [lambda: BalatroEnv(actions=actions, max_steps=40)] * 4, autoreset_mode=AutoresetMode.SAME_STEP
    )
    seeds: list[int | None] = [3, 1, 4, 1]
    own, _ = env.reset(seed=seeds)
    theirs, _ = plain.reset(seed=seeds)
    first = np.ones(4, np.bool_)
    rng = np.random.default_rng(3)
    while first.any():
        assert all((own[name][first] == theirs[name][first]).all() for name in own)
        chosen = random_actions(own["action_mask"], rng)
        other = np.where(first, chosen, random_actions(theirs["action_mask"], rng))
        own, rewards, terminated, truncated, infos = env.step(chosen)
        theirs, their_rewards, their_terminated, their_truncated, their_infos = plain.step(other)
        assert (rewards[first] == their_rewards[first].astype(np.float32)).all()
        assert (terminated[first] == their_terminated[first]).all()
        assert (truncated[first] == their_truncated[first]).all()
        for place in np.flatnonzero((terminated | truncated) & first):
            assert infos["_final_obs"][place]
            assert their_infos["_final_obs"][place]
            last = their_infos["final_obs"][place]
            assert all((infos["final_obs"][name][place] == last[name]).all() for name in last)
            for name in ("ante", "blinds", "seed", "blind", "played"):
                assert infos["final_info"][name][place] == their_infos["final_info"][name][place]
            first[place] = False
    plain.close()


@both_resets
def test_gymnasiums_episode_statistics(autoreset):
    env = BalatroVectorEnv(4, autoreset=autoreset, max_steps=40)
    wrapped = RecordEpisodeStatistics(env)
    own, _ = wrapped.reset(seed=2)
    rng = np.random.default_rng(1)
    ends = 0
    for _ in range(120):
        own, _, terminated, truncated, infos = wrapped.step(random_actions(own["action_mask"], rng))
        ended = terminated | truncated
        assert ("episode" in infos) == bool(ended.any())
        if not ended.any():
            continue
        ends += int(ended.sum())
        assert (infos["_episode"] == ended).all()
        assert (infos["_final_info"] == ended).all()
        ledger = np.sum(list(infos["final_info"]["ledger"].values()), axis=0)
        assert infos["episode"]["r"][ended] == pytest.approx(ledger[ended], abs=1e-4)
        if autoreset == "same_step":
            assert (infos["_final_obs"] == ended).all()
            # The wrapper is made for NEXT_STEP: of every episode but the first it leaves out the first step.
            left_out = infos["final_info"]["steps"][ended] - infos["episode"]["l"][ended]
            assert set(left_out.tolist()) <= {0, 1}
        else:
            assert "final_obs" not in infos
    assert ends > 10
    assert len(wrapped.return_queue) == min(ends, 100)


def test_make_vec_makes_the_native_vector():
    env = gymnasium.make_vec("jimbot/Balatro-v0", num_envs=2, threads=2, max_ante=2)
    assert isinstance(env.unwrapped, BalatroVectorEnv)
    assert env.unwrapped.options.max_ante == 2
    with pytest.raises(Exception, match="a vector does not draw"):
        gymnasium.make_vec("jimbot/Balatro-v0", num_envs=2, render_mode="film")
