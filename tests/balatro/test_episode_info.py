"""What is told at the end of an episode: the blind it ended in, how every blind went and the seed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.balatro.test_env_state import random_actions, rich_starts
from tests.probes.table import playing

from jimbot.balatro.env.episode_info import BlindOutcome
from jimbot.balatro.env.schema import meanings
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv


def test_the_blind_that_killed_is_told():
    env = BalatroEnv(starts=(playing(["S_2"], blind="bl_hook", hands_left=1, ante=3).snapshot(),))
    env.reset(seed=0)
    _, _, terminated, _, info = env.step(0)
    assert terminated
    assert (info["ending"], info["blind"], info["blind_name"]) == ("out_of_hands", "bl_hook", "The Hook")
    assert info["outcomes"] == [BlindOutcome(3, "bl_hook", "The Hook", False)]
    assert (info["cleared"], info["played"], info["blinds"]) == ([False], 1, 0)


def test_a_won_run_ended_in_its_boss():
    env = BalatroEnv(starts=(playing(["S_A"], blind="bl_hook", target=1.0, ante=2).snapshot(),), max_ante=2)
    env.reset(seed=0)
    *_, info = env.step(0)
    assert (info["won"], info["blind"]) == (True, "bl_hook")
    assert info["outcomes"] == [BlindOutcome(2, "bl_hook", "The Hook", True)]


def test_a_run_that_is_cut_off_tells_where():
    env = BalatroEnv(max_steps=1)
    env.reset(seed=0)
    *_, info = env.step(meanings().index("play the blind"))
    assert (info["ending"], info["blind"], info["blind_name"]) == ("cut_off", "bl_small", "Small Blind")
    assert (info["outcomes"], info["played"]) == ([], 0)
    env.reset(seed=0)
    *_, info = env.step(meanings().index("skip the blind"))
    assert (info["ending"], info["blind"], info["blind_name"]) == ("cut_off", "", "")


def test_blinds_are_told_in_the_order_they_were_played():
    cards = [f"{suit}_{rank}" for suit in "SH" for rank in "789T"]
    strong = playing(cards, jokers=["j_cavendish"] * 5, target=300.0)
    env = BalatroEnv(starts=(strong.snapshot(),), start_chance=0.8, max_steps=100, stakes=(1, 8))
    rng = np.random.default_rng(0)
    onward = ("play", "cash out", "leave the shop")
    useful = np.array([words.startswith(onward) for words in meanings()])
    several = 0
    for seed in range(20):
        env.reset(seed=seed)
        played: list[tuple[int, str]] = []
        done, info = False, {}
        while not done:
            view = env.game().public_view()
            mask = env.action_masks() & useful
            *_, terminated, truncated, info = env.step(random_actions(mask[None], rng)[0])
            done = terminated or truncated
            after = env.game().public_view()
            if view["phase"] == "playing" and (after["phase"] == "round_eval" or terminated):
                played.append((view["ante"], view["blind"]["key"]))
        assert [(each.ante, each.key) for each in info["outcomes"]] == played
        assert info["played"] == len(played)
        assert info["blinds"] == sum(each.cleared for each in info["outcomes"])
        several += len(played) > 1
    assert several > 3


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
@pytest.mark.parametrize("given", [False, True])
def test_the_vector_tells_what_the_single_environment_tells(autoreset, given):
    options = {"max_steps": 60, **({"starts": rich_starts()} if given else {})}
    vector = BalatroVectorEnv(5, autoreset=autoreset, **options)
    observations, _ = vector.reset(seed=7)
    singles = [BalatroEnv(starts=(vector._runs.game(i).snapshot(),), max_steps=60) for i in range(5)]
    for single in singles:
        single.reset(seed=0)
    waiting = set(range(5))
    assert vector.outcomes(0) == []
    rng = np.random.default_rng(2)
    while waiting:
        actions = random_actions(observations["action_mask"], rng)
        observations, _, terminated, truncated, infos = vector.step(actions)
        for place in sorted(waiting):
            *_, info = singles[place].step(actions[place])
            assert bool(info) == bool(terminated[place] or truncated[place])
            if not info:
                continue
            waiting.remove(place)
            final = infos["final_info"]
            for name in ("seed", "blind", "played", "ante", "blinds", "steps", "money"):
                assert final[name][place] == info[name], name
            assert final["cleared"][place, : info["played"]].tolist() == info["cleared"]
            assert not final["cleared"][place, info["played"] :].any()
            assert vector.outcomes(place) == info["outcomes"]
            assert vector.ending(place) == info["ending"]
            replay = vector.replay(place)
            assert replay is not None
            assert replay.seed == info["seed"]


def test_what_is_told_survives_a_snapshot():
    env, other = BalatroVectorEnv(4), BalatroVectorEnv(4)
    observations, _ = env.reset(seed=3)
    rng = np.random.default_rng(0)
    for _ in range(60):
        env.step(random_actions(observations["action_mask"], rng))
    other.restore(env.snapshot())
    assert [other.outcomes(i) for i in range(4)] == [env.outcomes(i) for i in range(4)]
    assert all(env.outcomes(i) for i in range(4))
    assert (other._ends == env._ends).all()
    for _ in range(60):
        actions = random_actions(observations["action_mask"], rng)
        env.step(actions)
        other.step(actions)
    assert (other._ends == env._ends).all()


def test_infos_of_two_steps_do_not_share_what_can_be_changed():
    env = BalatroVectorEnv(1, max_steps=1)
    env.reset(seed=0)
    *_, infos = env.step([0])
    infos["final_info"]["mine"] = 1
    *_, infos = env.step([0])
    assert "mine" not in infos["final_info"]
