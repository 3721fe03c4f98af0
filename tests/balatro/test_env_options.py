"""Options of the environments: whatever is wrong with one is told in one line that names it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.probes.table import playing

from jimbot.balatro import Action, Game
from jimbot.balatro.env.options import EnvOptionError, EnvOptions, RewardWeights
from jimbot.balatro.env.schema import INFO_NAMES
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv

NUMBER = INFO_NAMES.index("seed_number")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_ante": 2.5}, "max_ante must be a whole number, 1 to 39; got 2.5"),
        ({"max_ante": "x"}, "max_ante must be a whole number, 1 to 39; got 'x'"),
        ({"max_ante": True}, "max_ante must be a whole number, 1 to 39; got True"),
        ({"max_ante": None}, "max_ante must be a whole number, 1 to 39; got None"),
        ({"max_steps": 2**40}, "max_steps must be 1 to 2147483647, got 1099511627776"),
        ({"max_steps": 1e3}, "max_steps must be a whole number, 1 to 2147483647; got 1000.0"),
        ({"decks": 5}, "decks must be the key of a deck such as 'b_red', or a list of such; got 5"),
        ({"decks": None}, "decks must be the key of a deck such as 'b_red', or a list of such; got None"),
        ({"decks": [5]}, "decks must be keys such as 'b_red', got 5"),
        ({"decks": ()}, "at least one deck and one stake are needed"),
        ({"decks": "b_nobody"}, "unknown deck"),
        ({"stakes": ["a"]}, "stakes: a stake must be a whole number, 1 to 8; got 'a'"),
        ({"stakes": "1"}, "stakes must be a stake, 1 (White) to 8 (Gold), or a list of such; got '1'"),
        ({"stakes": 9}, "stakes: a stake must be 1 to 8, got 9"),
        ({"fast": "yes"}, "fast must be True or False, got 'yes'"),
        ({"starts": "abc"}, "starts must be a snapshot of a run (Game.snapshot gives one)"),
        ({"starts": ["abc"]}, "starts must be snapshots (Game.snapshot gives one), got 'abc'"),
        ({"starts": b"abc"}, "starts: number 0 is no snapshot of a run"),
        ({"start_chance": "often"}, "start_chance must be 0 to 1, got 'often'"),
        ({"discount": float("nan")}, "discount must be 0 to 1, got nan"),
        ({"discount": True}, "discount must be 0 to 1, got True"),
        ({"difficulty": [1]}, "unknown difficulty [1]; expected easy, medium or hard"),
        ({"difficulty": "cruel"}, "unknown difficulty 'cruel'; expected easy, medium or hard"),
        ({"seeds": 5}, "unknown seeds 5; expected training or evaluation"),
        ({"actions": ["slots"]}, "unknown actions ['slots']; expected slots or candidates"),
        (
            {"actions": "candidates", "candidates": 32.0},
            "candidates must be a whole number, 16 to 256; got 32.0",
        ),
        ({"rewards": 3}, "rewards must be weights by term (blind, win, loss, progress, money), got 3"),
        ({"rewards": {"blind": float("nan")}}, "rewards: blind must be a finite number, got nan"),
        ({"rewards": {"win": float("inf")}}, "rewards: win must be a finite number, got inf"),
        ({"rewards": {"win": 10**400}}, "rewards: win must be a finite number, got inf"),
        ({"rewards": {"loss": "1"}}, "rewards: loss must be a finite number, got '1'"),
        ({"rewards": RewardWeights(money=float("-inf"))}, "rewards: money must be a finite number, got -inf"),
        ({"rewards": {3: 1.0}}, "unknown reward term '3'"),
        ({"checked": "no"}, "checked must be True or False, got 'no'"),
    ],
)
def test_one_clear_error_for_each_wrong_option(options, message):
    for environment in (BalatroEnv, BalatroVectorEnv):
        with pytest.raises(EnvOptionError) as caught:
            environment(**options)
        assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_envs": 0}, "num_envs must be 1 to 1048576, got 0"),
        ({"num_envs": 2.0}, "num_envs must be a whole number"),
        ({"threads": "two"}, "threads must be a whole number, 1 to 1024; got 'two'"),
        ({"autoreset": ["same_step"]}, "unknown autoreset ['same_step']; expected same_step or next_step"),
        ({"render_mode": "film"}, "render_mode must be None, got 'film': a vector does not draw"),
        ({"render_mode": "ansi"}, "render_mode must be None, got 'ansi': a vector does not draw"),
    ],
)
def test_options_of_the_vector(options, message):
    with pytest.raises(EnvOptionError) as caught:
        BalatroVectorEnv(**options)
    assert str(caught.value).startswith(message)


def test_numbers_of_numpy_are_numbers():
    env = BalatroEnv(
        max_ante=np.int64(3),
        max_steps=np.int32(50),
        stakes=np.array([1, 2]),
        discount=np.float32(0.5),
        fast=np.bool_(True),
        rewards={"blind": np.float64(2.0), "win": 3},
    )
    env.reset(seed=0)
    two: Any = np.int64(2)
    env.set_max_ante(two)
    assert env.options.rewards == RewardWeights(blind=2.0, win=3)
    assert BalatroVectorEnv(two, stakes=two).options.stakes == (2,)


def test_long_values_are_repeated_in_part():
    with pytest.raises(EnvOptionError, match=r"got '1{39}… \(str\)$"):
        BalatroEnv(max_ante="1" * 1000)


# --- starts and difficulties ------------------------------------------------------------------------------------------


def test_a_start_beyond_the_finishing_ante_is_refused():
    game = playing(["S_A"], ante=5)
    fine = Game("7LB2WVPK")
    with pytest.raises(
        EnvOptionError, match=r"starts: number 1 is in ante 5, beyond max_ante 2: it cannot be won"
    ):
        BalatroEnv(starts=[fine.snapshot(), game.snapshot()], max_ante=2)
    env = BalatroEnv(starts=[fine.snapshot(), game.snapshot()], max_ante=5)
    with pytest.raises(EnvOptionError, match="beyond max_ante 4"):
        env.set_max_ante(4)
    assert env.options.max_ante == 5


def test_a_start_behind_its_last_boss_is_refused():
    game = playing(["S_A"], blind="bl_hook", target=1.0, ante=2)
    game.step(Action.play(0))
    with pytest.raises(EnvOptionError, match="beyond max_ante 2"):
        BalatroEnv(starts=[game.snapshot()], max_ante=2)


@pytest.mark.parametrize(("difficulty", "ante"), [("easy", 2), ("medium", 4), ("hard", 8)])
def test_difficulties_are_played_at_white_stake_unless_told(difficulty, ante):
    options = EnvOptions.of({"difficulty": difficulty})
    assert (options.max_ante, options.stakes) == (ante, (1,))
    assert EnvOptions.of({"difficulty": difficulty, "stakes": 8}).stakes == (8,)


# --- reset ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sead": "7LB2WVPK"}, "unknown reset option 'sead'; expected seed or evaluation"),
        ({5: 1}, "unknown reset option '5'"),
        ({"seed": 5}, "reset option seed must be a seed such as '7LB2WVPK', or a list of such; got 5"),
        ({"seed": [5, 6]}, "reset option seed"),
        ({"seed": "SHORT"}, "seed 'SHORT' has no number: only seeds of 8 characters"),
        ({"seed": "!"}, "reset option seed: "),
        ({"seed": ["7LB2WVPK"] * 3}, "reset option seed needs one entry per game"),
        ({"evaluation": -1}, "reset option evaluation must be 0 to"),
        ({"evaluation": 1.5}, "reset option evaluation must be a whole number"),
        ({"evaluation": "3"}, "reset option evaluation must be a whole number"),
        ({"evaluation": [1, 2, 3]}, "reset option evaluation needs one entry per game"),
        ({"seed": "7LB2WVPK", "evaluation": 1}, "reset takes seed or evaluation, not both"),
        ("7LB2WVPK", "reset options must be a dict with seed or evaluation, got '7LB2WVPK'"),
    ],
)
def test_reset_options_that_make_no_sense(options, message):
    single, vector = BalatroEnv(), BalatroVectorEnv(2)
    single.reset(seed=1)
    vector.reset(seed=1)
    before = single.game().hash, vector.records.tobytes()
    for env in (single, vector):
        with pytest.raises(EnvOptionError) as caught:
            env.reset(seed=2, options=options)
        assert str(caught.value).startswith(message)
    assert (single.game().hash, vector.records.tobytes()) == before


def numbers(vector: BalatroVectorEnv) -> list[float]:
    return [vector._runs.info(place)[NUMBER] for place in range(vector.num_envs)]


def test_the_vector_plays_runs_of_ones_choice():
    vector = BalatroVectorEnv(3)
    singles = []
    for member in (5, 6, 7):
        env = BalatroEnv()
        env.reset(options={"evaluation": member})
        singles.append(env.game().seed)

    def seeds() -> list[str]:
        return [vector._runs.game(place).describe()["seed"] for place in range(3)]

    vector.reset(options={"evaluation": 5})
    assert seeds() == singles
    vector.reset(options={"evaluation": [7, 5, 6]})
    assert seeds() == [singles[2], *singles[:2]]
    vector.reset(options={"seed": "7LB2WVPK"})
    assert seeds() == ["7LB2WVPK"] * 3
    vector.reset(options={"seed": [*singles[:2], "7LB2WVPK"]})
    assert seeds() == [*singles[:2], "7LB2WVPK"]
    vector.reset(seed=1, options={})
    drawn = seeds()
    vector.reset(seed=1)
    assert seeds() == drawn


def test_a_list_of_seeds_gives_each_run_its_own():
    vector = BalatroVectorEnv(3)
    observations, _ = vector.reset(seed=[4, 9, 4])
    assert numbers(vector)[0] == numbers(vector)[2] != numbers(vector)[1]
    for place, seed in enumerate((4, 9, 4)):
        own, _ = BalatroEnv().reset(seed=seed)
        assert all((observations[name][place] == own[name]).all() for name in own)
    array: Any = np.array([9, 4, 4])
    vector.reset(seed=array)
    assert numbers(vector)[1] == numbers(vector)[2]
    vector.reset(seed=[4, None, None])
    assert len(set(numbers(vector))) == 3


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        ([1, 2], "seed must be one number or a list of one per run, 3; got a list of 2"),
        ([1, 2, "x"], "seed must be a whole number, 0 or more; got 'x'"),
        (1.5, "seed must be a whole number, 0 or more; got 1.5"),
        (-1, "seed must be 0 or more, got -1"),
    ],
)
def test_seeds_that_are_none(seed: Any, message):
    with pytest.raises(EnvOptionError) as caught:
        BalatroVectorEnv(3).reset(seed=seed)
    assert str(caught.value) == message
