"""Actions of the vector: one whole number per run, nothing else is executed, and what is refused is told why."""

from __future__ import annotations

import numpy as np
import pytest
from tests.balatro.test_env_state import random_actions
from tests.probes.table import playing, shopping

from jimbot.balatro import IllegalActionError
from jimbot.balatro.env.schema import ACTIONS, INFO_NAMES, meanings
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv

ILLEGAL = INFO_NAMES.index("illegal")
START = meanings().index("play the blind")


def illegal(env: BalatroVectorEnv) -> list[float]:
    return [env._runs.info(place)[ILLEGAL] for place in range(env.num_envs)]


@pytest.mark.parametrize(
    "far",
    [
        START + 2**32,
        START - 2**32,
        -1,
        ACTIONS,
        2**31,
        2**63 - 1,
        -(2**63),
        np.uint64(2**64 - 1),
        np.uint64(2**63 + START),
    ],
)
@pytest.mark.parametrize("actions", ["slots", "candidates"])
def test_indices_out_of_range_are_counted_and_not_executed(far, actions):
    env = BalatroVectorEnv(2, actions=actions)
    env.reset(seed=0)
    before = env.records.tobytes()
    dtype = np.int64 if isinstance(far, int) else np.uint64
    env.step(np.array([far, far], dtype))
    assert illegal(env) == [1, 1]
    assert env.records.tobytes() == before


@pytest.mark.parametrize(
    "dtype", [np.int8, np.int16, np.uint8, np.int32, np.int64, np.uint32, np.uint64, ">i8"]
)
def test_every_integer_type_means_the_same(dtype):
    start = playing(["S_A", "S_K"]).snapshot()
    env, other = (BalatroVectorEnv(2, starts=(start,)) for _ in range(2))
    for each in (env, other):
        each.reset(seed=0)
    env.step(np.array([0, 1], dtype))
    other.step([0, 1])
    assert env.records.tobytes() == other.records.tobytes()
    assert illegal(env) == [0, 0]
    wide = np.zeros((2, 2), np.int64)
    wide[:, 0] = 529
    env.step(wide[:, 0])  # not contiguous
    frozen = np.array([529, 529])
    frozen.flags.writeable = False
    env.step(frozen)


@pytest.mark.parametrize(
    ("actions", "given"),
    [
        (0, r"int64 of shape \(\)"),
        ([0], r"int64 of shape \(1,\)"),
        ([[0, 1]], r"int64 of shape \(1, 2\)"),
        ([0, 1, 2], r"int64 of shape \(3,\)"),
        ([0.0, 1.0], r"float64 of shape \(2,\)"),
        (np.array([1.7, 2.2], np.float32), r"float32 of shape \(2,\)"),
        ([True, False], r"bool of shape \(2,\)"),
        (["a", "b"], r"<U1 of shape \(2,\)"),
        (None, r"object of shape \(\)"),
        ([2**70, 0], r"object of shape \(2,\)"),
    ],
)
def test_anything_but_a_whole_number_per_run_is_refused(actions, given):
    env = BalatroVectorEnv(2)
    env.reset(seed=0)
    before = env.records.tobytes()
    with pytest.raises(IllegalActionError, match=rf"integers of shape \(2,\), one per run; got {given}"):
        env.step(actions)
    assert (env.records.tobytes(), illegal(env)) == (before, [0, 0])


# --- checked ----------------------------------------------------------------------------------------------------------


def test_a_checked_vector_says_who_what_and_why():
    env = BalatroVectorEnv(3, checked=True)
    env.reset(seed=0)
    before = env.records.tobytes()
    far = rf"run 0 of 3: action {START + 2**32} .*: there are {ACTIONS} actions"
    leave = meanings().index("leave the shop")
    message = (
        rf"run 1 of 3: leave the shop \(index {leave}\) is not legal now: this action does not belong to the current "
        r"phase; see observation\['action_mask'\]; nothing was stepped"
    )
    with pytest.raises(IllegalActionError, match=message):
        env.step([START, leave, START])
    with pytest.raises(IllegalActionError, match=far):
        env.step([START + 2**32, START, START])
    assert (env.records.tobytes(), illegal(env)) == (before, [0, 0, 0])
    env.step([START] * 3)
    assert env.records.tobytes() != before


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
@pytest.mark.parametrize("actions", ["slots", "candidates"])
def test_a_checked_vector_gives_what_an_unchecked_one_gives(autoreset, actions):
    rng = np.random.default_rng(0)
    checked = BalatroVectorEnv(4, checked=True, autoreset=autoreset, actions=actions)
    loose = BalatroVectorEnv(4, autoreset=autoreset, actions=actions)
    checked.reset(seed=3)
    loose.reset(seed=3)
    ends = 0
    for _ in range(80):
        chosen = random_actions(loose.observations()["action_mask"], rng)
        *_, terminated, truncated, _ = loose.step(chosen)
        checked.step(chosen)
        ends += int((terminated | truncated).sum())
        assert checked.records.tobytes() == loose.records.tobytes()
    assert ends > 5


def test_a_checked_vector_knows_its_candidates():
    env = BalatroVectorEnv(2, checked=True, actions="candidates")
    env.reset(seed=0)
    listed = len(env._runs.candidates(1))
    with pytest.raises(
        IllegalActionError, match=rf"run 1 of 2: there is no candidate 60 now: {listed} candidates"
    ):
        env.step([0, 60])


# --- reasons ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "words", "reason"),
    [
        (playing(["S_A", "S_K"], discards_left=0), "discard hand cards 0", "no discards are left this round"),
        (
            playing(["S_A", "S_K"]),
            "play hand cards 3",
            "the selection is empty or names cards",
        ),
        (playing(["S_A"]), "buy shop card 0", "this action does not belong to the current phase"),
        (playing(["S_A"]), "sell joker 0", "there is nothing at this position"),
        (playing(["S_A"]), "target hand cards 0", "no card waits for its targets"),
        (playing(["S_A"]), "give up choosing targets", "no card waits for its targets"),
        (
            playing(["S_A"], consumables=["c_death"]),
            "use consumable 0",
            "there are no hand cards it could be used on",
        ),
        (shopping(shop_slots=["j_joker"], money=0), "buy shop card 0", "not enough money for this price"),
        (shopping(shop_slots=["j_joker"], money=0), "reroll the shop", "not enough money for this price"),
    ],
)
def test_the_reason_is_the_engines(game, words, reason):
    env = BalatroEnv(starts=(game.snapshot(),))
    env.reset(seed=0)
    index = meanings().index(words)
    with pytest.raises(IllegalActionError) as caught:
        env.step(index)
    assert str(caught.value).startswith(f"{words} (index {index}) is not legal now: {reason}")


def test_every_illegal_action_has_a_reason_and_no_legal_one():
    rng = np.random.default_rng(1)
    env = BalatroVectorEnv(6, max_steps=200)
    observations, _ = env.reset(seed=4)
    for _ in range(40):
        for place in range(6):
            mask = observations["action_mask"][place]
            told = [bool(env._runs.refusal(place, action)) for action in range(ACTIONS)]
            assert told == [not legal for legal in mask]
        env.step(random_actions(observations["action_mask"], rng))


def test_while_targets_are_chosen_nothing_else_is_legal():
    env = BalatroEnv(starts=(playing(["S_2", "H_3", "D_4"], consumables=["c_death"]).snapshot(),))
    env.reset(seed=0)
    words = meanings()
    env.step(words.index("use consumable 0"))
    with pytest.raises(IllegalActionError, match="waits for its targets; choose them or give up choosing"):
        env.step(words.index("play hand cards 0"))
    with pytest.raises(IllegalActionError, match="another number of selected hand cards"):
        env.step(words.index("target hand cards 0"))


@pytest.mark.parametrize("action", [1.5, "0", None, [0, 1], np.array([0.0])])
def test_single_actions_are_whole_numbers(action):
    env = BalatroEnv()
    env.reset(seed=0)
    with pytest.raises(IllegalActionError, match="an action is one whole number"):
        env.step(action)


def test_single_actions_of_any_integer_form():
    for action in (START, np.int64(START), np.array(START), np.array([START])):
        env = BalatroEnv()
        env.reset(seed=0)
        env.step(action)
        assert env.game().blind.key == "bl_small"
    far = BalatroEnv(checked=False)
    far.reset(seed=0)
    far.step(2**70)
    assert far._run.info(0)[ILLEGAL] == 1
    checked = BalatroEnv()
    checked.reset(seed=0)
    with pytest.raises(IllegalActionError, match=f"action {2**70}"):
        checked.step(2**70)
