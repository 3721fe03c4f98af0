"""The formulas: known answers, properties that hold for all inputs, and errors that say what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jimbot import therapy
from jimbot.therapy import (
    MECHANISMS,
    PATTERNS,
    ClientBatch,
    EpisodeSource,
    TherapyError,
    TherapyOptions,
    action_probabilities,
    anti_complement,
    bond,
    complement,
    episode_reward,
    expected_payoffs,
    generate_memory,
    octant_distance,
    perceive,
    recency_weights,
    relationship_satisfaction,
    sample_utilities,
    success_threshold,
)
from jimbot.therapy.model import kernels
from jimbot.therapy.model.patterns import generate_words, make_memory_from_words
from jimbot.therapy.model.perception import find_habitual_action
from jimbot.therapy.model.utilities import HALF_WIDTH, MIDPOINTS

from .reference import reference_memory

CLOSE = 1e-9
CLIENT_OPTIONS = (
    *("bond_alpha", "bond_offset", "history_weight", "smoothing_alpha", "bond_power", "recency_factor"),
)
octants = st.integers(0, 7)
memories = st.lists(st.tuples(octants, octants), min_size=50, max_size=50)


def test_recency_weights(model):
    for case in model["weights"]:
        np.testing.assert_allclose(
            recency_weights(case["n"], case["factor"]), case["weights"], rtol=0, atol=CLOSE
        )


def test_bond(model):
    for case in model["bond"]:
        found = bond(case["rs"], case["rs_min"], case["rs_max"], case["alpha"], case["offset"])
        assert found == pytest.approx(case["bond"], abs=CLOSE)


def test_success_threshold(model):
    for case in model["threshold"]:
        found = success_threshold(case["u_min"], case["u_max"], case["percentile"])
        assert found == pytest.approx(case["threshold"], abs=CLOSE)


def test_client_states(model):
    for case in model["client_state"]:
        options = {name: case[name] for name in CLIENT_OPTIONS}
        u, memory = case["u"], case["memory"]
        rs = relationship_satisfaction(u, memory, case["recency_factor"])
        assert rs == pytest.approx(case["rs"], abs=CLOSE)
        trust = bond(rs, np.min(u), np.max(u), case["bond_alpha"], case["bond_offset"])
        assert trust == pytest.approx(case["bond"], abs=CLOSE)
        for name, answers in case["mechanisms"].items():
            found = expected_payoffs(u, memory, name, **options)
            np.testing.assert_allclose(found, answers["expected_payoffs"], rtol=0, atol=CLOSE)
            shown = action_probabilities(u, memory, name, entropy=case["entropy"], **options)
            np.testing.assert_allclose(shown, answers["probabilities"], rtol=0, atol=CLOSE)
            by_number = action_probabilities(
                u, memory, MECHANISMS.index(name), entropy=case["entropy"], **options
            )
            np.testing.assert_array_equal(shown, by_number)


def test_frequencies_that_amplify(model):
    """What the mechanisms multiply utilities by, read off utilities of 1: known to the ninth digit."""
    ones = np.ones((8, 8, 1))
    for case in model["client_state"]:
        pairs = np.array(case["memory"])
        cells = (pairs[:, 1] * 8 + pairs[:, 0]).reshape(-1, 1)
        weights = recency_weights(len(pairs), case["recency_factor"])
        frequencies = kernels.compute_pair_frequencies(cells, weights, 1)

        def added(
            mechanism: int, history_weight: float, case: Any = case, frequencies: Any = frequencies
        ) -> Any:
            trust, smoothing, power = case["bond"], case["smoothing_alpha"], case["bond_power"]
            adjusted = kernels.adjust_utilities(
                ones, frequencies, np.array([trust]), mechanism, history_weight, smoothing, power
            )
            return adjusted[:, :, 0] - 1  # [therapist, client]

        answers = case["mechanisms"]
        known = answers["frequency_amplifier"]["marginal_frequencies"]
        np.testing.assert_allclose(added(1, 1.0), np.repeat([known], 8, axis=0).T, rtol=0, atol=CLOSE)
        known = answers["conditional_amplifier"]["conditional_frequencies"]
        np.testing.assert_allclose(added(2, 1.0).T, known, rtol=0, atol=CLOSE)
        for number, plain in (
            (3, 1),
            (4, 2),
        ):  # frequencies of a client sum to 1: so does what is added to one
            known = answers[MECHANISMS[number]]["effective_history_weight"]
            strength = added(number, case["history_weight"]).sum(axis=0)
            np.testing.assert_allclose(
                strength, np.full(8, known), rtol=0, atol=CLOSE * case["history_weight"]
            )
            np.testing.assert_allclose(
                added(number, case["history_weight"]), known * added(plain, 1.0), rtol=0, atol=1e-8
            )


def test_threshold_of_each_client(model):
    for case in model["client_state"]:
        u = np.array(case["u"])
        assert success_threshold(u.min(), u.max(), 0.9) == pytest.approx(case["threshold_0.9"], abs=CLOSE)


def test_updates(model):
    for case in model["update_sequences"]:
        memory, u, start = list(case["memory"]), case["u"], case["initial_rs"]
        assert relationship_satisfaction(u, memory, case["recency_factor"]) == pytest.approx(start, abs=CLOSE)
        for number, (pair, known) in enumerate(
            zip(case["updates"], case["rs_bond_dropout_after_each"], strict=True), start=1
        ):
            memory = [*memory[1:], pair]
            rs = relationship_satisfaction(u, memory, case["recency_factor"])
            trust = bond(rs, np.min(u), np.max(u), case["bond_alpha"], case["bond_offset"])
            assert (rs, trust) == pytest.approx(known[:2], abs=CLOSE)
            assert (number == 10 and rs < start) is known[2]


def test_perception(model):
    for case in model["perception"]:
        recent = case["last15_therapist_actions_oldest_first"]
        found = perceive(case["actual"], recent, case["uniform_draw"], case["baseline_accuracy"])
        assert found == case["perceived"]
        assert (case["uniform_draw"] < case["baseline_accuracy"]) is case["correct_by_baseline"]


def test_utilities_and_memories_of_seeds(model):
    for case in model["u_matrix_by_seed"]:
        np.testing.assert_allclose(sample_utilities(case["seed"]), case["u"], rtol=0, atol=CLOSE)
    for case in model["memory_generation"]:
        found = generate_memory(case["pattern"], case["seed"], case["generator"])
        assert found.tolist() == case["memory"], (case["pattern"], case["generator"])


def test_initial_states(model):
    for case in model["initial_state_stats"]:
        options = TherapyOptions.of(
            {name: case[name] for name in ("pattern", "generator", "bond_alpha", "bond_offset")}
        )
        clients = ClientBatch(options, 2000)
        clients.begin(np.arange(2000), EpisodeSource(options).make([case["pattern"]] * 2000, range(2000)))
        assert clients.rs.mean() == pytest.approx(case["initial_rs_mean"], abs=CLOSE)
        assert clients.rs.std() == pytest.approx(case["initial_rs_std"], abs=CLOSE)
        assert clients.bond.mean() == pytest.approx(case["initial_bond_mean"], abs=CLOSE)
        assert clients.bond.std() == pytest.approx(case["initial_bond_std"], abs=CLOSE)


def test_rewards(model):
    for case in model["reward"]:
        found = episode_reward(case["sessions"], case["max_sessions"], case["success"], case["dropped_out"])
        assert found == case["reward"]
    assert episode_reward(100, 100, False, False) == 0


@pytest.mark.parametrize("generator", ["v1", "v2"])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_memories_are_those_of_the_legacy_generator(pattern, generator):
    for seed in (0, 1, 77, 2**31 - 1, 2**32 - 1):
        found = generate_memory(pattern, seed, generator)
        assert [tuple(pair) for pair in found.tolist()] == reference_memory(pattern, seed, generator)


def test_a_memory_that_runs_out_of_words_makes_more():
    few = generate_words(np.random.RandomState(), 5, 16)
    found = make_memory_from_words("cold_stuck", "v1", 5, few)
    np.testing.assert_array_equal(found, generate_memory("cold_stuck", 5))


def test_old_name_of_a_pattern():
    np.testing.assert_array_equal(generate_memory("cw_50_50", 3), generate_memory("cold_warm", 3))


@given(octants, octants)
def test_octant_symmetries(a, b):
    assert complement(complement(a)) == a
    assert anti_complement(anti_complement(a)) == a
    assert octant_distance(a, complement(a)) % 2 == 0
    assert complement(anti_complement(a)) == (a + 4) % 8
    assert 0 <= octant_distance(a, b) == octant_distance(b, a) <= 4
    assert octant_distance(complement(a), complement(b)) == octant_distance(a, b)
    assert octant_distance(a, b) == min(abs(a - b), 8 - abs(a - b))


def test_every_row_is_best_at_its_complement():
    for row in range(8):
        assert MIDPOINTS[row].max() == MIDPOINTS[row, complement(row)]


@given(st.integers(1, 300), st.floats(1, 50))
def test_weights_sum_to_one_and_rise(n, factor):
    weights = recency_weights(n, factor)
    assert weights.sum() == pytest.approx(1)
    assert (np.diff(weights) >= 0).all()
    assert weights[-1] / weights[0] == pytest.approx(factor if n > 1 else 1)


@given(st.floats(-70, 70), st.floats(-70, 70), st.floats(0.1, 50), st.floats(0, 1), st.floats(-80, -71))
def test_bond_is_monotone(first, second, alpha, offset, least):
    low, high = sorted((first, second))
    below, above = (bond(rs, least, 80.0, alpha, offset) for rs in (low, high))
    assert 0 <= below <= above <= 1
    middle = least + offset * (80.0 - least)
    assert bond(middle, least, 80.0, alpha, offset) == pytest.approx(0.5)


def test_bond_far_away_is_nought_without_a_warning():
    assert bond(-1e6, -70.0, 70.0, 50.0, 0.8) == 0


@settings(max_examples=60, deadline=None)
@given(memories, st.integers(0, 4), st.floats(0.05, 20), st.integers(0, 2**32 - 1))
def test_probabilities_sum_to_one(memory, mechanism, entropy, seed):
    found = action_probabilities(sample_utilities(seed), memory, mechanism, entropy=entropy)
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()


@settings(max_examples=30, deadline=None)
@given(memories, st.integers(0, 4))
def test_a_mirrored_world_has_mirrored_clients(memory, mechanism):
    """Rotating every octant by the same amount rotates the client's choices."""
    u = sample_utilities(1)
    turned = np.roll(u, (3, 3), axis=(0, 1))
    moved = [((c + 3) % 8, (t + 3) % 8) for c, t in memory]
    found = action_probabilities(turned, moved, mechanism)
    np.testing.assert_allclose(found, np.roll(action_probabilities(u, memory, mechanism), 3), atol=1e-12)


@given(st.lists(octants, min_size=1, max_size=15))
def test_habit_is_the_latest_of_the_most_frequent(actions):
    most = max(actions.count(each) for each in actions)
    assert find_habitual_action(actions) == next(a for a in reversed(actions) if actions.count(a) == most)


@given(st.integers(0, 2**32 - 1))
def test_utilities_stay_within_their_bounds(seed):
    assert (np.abs(sample_utilities(seed) - MIDPOINTS) <= HALF_WIDTH).all()


def test_named_utilities_are_copies():
    first = therapy.get_utilities("cold_trap")
    first[:] = 0
    assert therapy.get_utilities("cold_trap")[2, 2] == 68


def test_sampled_entropies_stay_within_their_bounds():
    found = [therapy.sample_entropy(seed) for seed in range(300)]
    assert 1.5 <= min(found) < max(found) <= 5
    assert np.mean(found) == pytest.approx(3, abs=0.15)
    assert therapy.sample_entropy(7) == therapy.sample_entropy(7)


FULL = [(6, 2)] * 50


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: generate_memory("happy", 0), "unknown pattern 'happy'; expected one of cold_stuck, "),
        (lambda: generate_memory("cold_warm", 0, "v3"), "unknown generator 'v3'; expected v1 or v2"),
        (lambda: action_probabilities(MIDPOINTS, FULL, 5), "unknown mechanism 5; expected 0 to 4 or"),
        (lambda: action_probabilities(MIDPOINTS, FULL, -1), "unknown mechanism -1; expected 0 to 4 or"),
        (lambda: action_probabilities(MIDPOINTS, FULL, "filter"), "unknown mechanism 'filter'; expected"),
        (lambda: action_probabilities(MIDPOINTS, FULL, entropy=0), "entropy must be more than 0, got 0"),
        (lambda: action_probabilities(MIDPOINTS, FULL, 2, smoothing_alpha=0), "smoothing_alpha must be"),
        (lambda: action_probabilities(MIDPOINTS[:7], FULL), "utilities must have shape (8, 8), got (7, 8)"),
        (lambda: action_probabilities(MIDPOINTS * 0, FULL), "utilities must not all be equal"),
        (lambda: action_probabilities(MIDPOINTS * np.nan, FULL), "utilities must be finite numbers"),
        (lambda: action_probabilities(MIDPOINTS, [(0, 8)]), "a memory must hold octants"),
        (lambda: action_probabilities(MIDPOINTS, []), "a memory must have shape (interactions, 2)"),
        (lambda: recency_weights(-1), "a memory cannot have -1 interactions"),
        (lambda: recency_weights(3, 0.5), "the recency factor must be a number of at least 1, got 0.5"),
        (lambda: bond(0.0, 1.0, 1.0), "rs_max must be greater than rs_min"),
        (lambda: success_threshold(0.0, 1.0, 1.5), "percentile must be 0 to 1, got 1.5"),
        (lambda: therapy.get_utilities("warm_trap"), "unknown utilities 'warm_trap'; expected average"),
        (lambda: find_habitual_action([]), "expected a list of actions, got shape (0,)"),
    ],
)
def test_bad_input_gets_one_line(work, message):
    with pytest.raises(TherapyError) as caught:
        work()
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_names_are_imported_when_asked_for(run_python):
    code = (
        "import sys, jimbot.therapy as t; assert 'jimbot.therapy.env.single' not in sys.modules; t.TherapyEnv"
    )
    assert run_python("-c", code).returncode == 0
    for name in therapy.__all__:
        assert getattr(therapy, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = therapy.nothing  # pyright: ignore[reportAttributeAccessIssue]
