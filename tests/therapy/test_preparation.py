"""The therapist who prepares the turn: when it deviates from complementarity, and when it does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jimbot.therapy import BENCHMARK, complement, create_therapist, evaluate
from jimbot.therapy.env.single import TherapyEnv
from jimbot.therapy.therapists.impressions import Impression, make_first_impression, update_impression
from jimbot.therapy.therapists.preparation import LEAD, START, PreparingTherapist, prepare_answers

D, S, CS, CD = 0, 4, 5, 7


def after(sessions: int, shown: int, given: int) -> Impression:
    """The impression of one client who showed and was given the same in all sessions."""
    seen = make_first_impression(np, (1,))
    for _ in range(sessions):
        seen = update_impression(np, seen, np.array([shown]), np.array([given]))
    return seen


def answer(seen: Impression, shown: int, **rule: float) -> int:
    return int(prepare_answers(np, seen, np.array([shown]), **rule)[0])


@pytest.mark.parametrize(("shown", "habit"), [(CD, S), (CS, D)])
def test_the_turn_is_prepared_when_the_past_has_faded(shown: int, habit: int):
    usual = complement(shown)
    assert answer(after(START - 1, shown, usual), shown) == usual
    assert answer(after(START, shown, usual), shown) == habit


@pytest.mark.parametrize(("shown", "habit"), [(CD, S), (CS, D)])
def test_a_habit_far_enough_ahead_is_only_kept(shown: int, habit: int):
    seen = after(START + 15, shown, habit)
    counts = seen.perceived.sum(axis=-2)[0]
    assert counts[habit] - counts[complement(shown)] > LEAD
    assert answer(seen, shown) == complement(shown)
    assert answer(seen, shown, lead=15) == habit


def test_other_octants_are_answered_complementarily():
    seen = after(START + 5, CD, CS)
    for shown in (0, 1, 2, 3, 4, 6):
        assert answer(seen, shown) == complement(shown)


def test_jax_answers_the_same():
    jnp: Any = pytest.importorskip("jax.numpy")
    rng = np.random.default_rng(5)
    seen = make_first_impression(np, (64,))
    for _ in range(START + 3):
        shown = rng.choice([CS, CD], 64)
        seen = update_impression(np, seen, shown, np.where(rng.random(64) < 0.5, complement(shown), S))
    shown = rng.integers(0, 8, 64)
    ours = prepare_answers(np, seen, shown)
    theirs = prepare_answers(jnp, Impression(*map(jnp.asarray, seen)), jnp.asarray(shown))
    np.testing.assert_array_equal(ours, theirs)
    assert (ours != complement(shown)).any()


def test_a_preparation_that_never_begins_is_complementarity():
    ours = evaluate(PreparingTherapist(start=101), range(40), **BENCHMARK)
    theirs = evaluate(create_therapist("complementary"), range(40), **BENCHMARK)
    np.testing.assert_array_equal(ours.final_rs, theirs.final_rs)


def test_it_treats_clients_by_name_alone_and_in_a_batch():
    batch = evaluate(create_therapist("preparing"), range(6), **BENCHMARK)
    env, therapist = TherapyEnv(**BENCHMARK), create_therapist("preparing")
    for number in range(6):
        observation, info = env.reset(seed=number)
        done = False
        while not done:
            observation, _, terminated, truncated, info = env.step(therapist(observation))
            done = terminated or truncated
        assert info["rs"] == pytest.approx(batch.final_rs[number])
