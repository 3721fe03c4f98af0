"""Intervals and sample sizes against published formulas and against SciPy and rliable."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jimbot.errors import JimbotError
from jimbot.statistics.distributions import normal_quantile, student_t_quantile
from jimbot.statistics.intervals import (
    Interval,
    interquartile_mean,
    mean_interval,
    paired_difference,
    paired_proportion_difference,
    probability_of_improvement,
    probability_of_improvement_interval,
    sample_size_paired_difference,
    sample_size_two_proportions,
    stratified_bootstrap_interval,
    wilson_interval,
)

# Scores of 10 and 8 runs on 3 tasks, drawn once; two scores are ties.
FIRST = [
    *([1.001, 1.299, 0.726], [0.109, 0.545, 0.008], [1.06, 2.34, 0.508], [0.38, 1.49, 1.357]),
    *([1.105, 0.07, 0.971], [1.695, -0.344, 0.542], [-0.901, -0.29, -0.842], [0.765, -0.267, 1.271]),
    *([1.157, 0.813, -1.517], [0.461, 0.951, 1.113]),
]
SECOND = [
    *([1.001, 0.122, -0.379], [-0.209, 1.49, -0.208], [0.567, 1.484, 0.016], [0.488, 0.71, 0.664]),
    *([-0.625, 0.676, 1.959], [-0.947, 1.459, 0.719], [-0.041, 2.6, 1.362], [-0.599, 0.675, 1.177]),
]

# From rliable 1.2.0: metrics.aggregate_iqm, metrics.probability_of_improvement, and library.get_interval_estimates with
# np.random.seed(0) and 50 000 (IQM) and 20 000 (probability of improvement) repetitions.
RLIABLE_IQM = (0.695, 0.5645)
RLIABLE_IMPROVEMENT = 0.5166666666666667
RLIABLE_IQM_INTERVAL = (0.35587343750000006, 0.9646890625)
RLIABLE_IMPROVEMENT_INTERVAL = (0.37083333333333335, 0.6645833333333333)

EXACT = 1e-9

OLD_QUANTILES = [
    (0.975, 1, 12.706204736174659),
    (0.975, 4, 2.7764451051977925),
    (0.975, 19, 2.093024054408306),
    (0.975, 99, 1.9842169515864239),
    (0.9, 7, 1.414923927650507),
    (0.995, 49, 2.679951973631546),
    (0.05, 299, -1.64996576742598),
    (0.975, 999, 1.9623414611335392),
]
OLD_WILSON = [
    (137, 1000, 0.95, 0.11707313063299475, 0.1597050960275183),
    (500, 2000, 0.95, 0.23151413442481872, 0.26944438921580766),
    (0, 50, 0.95, 6.4438204832223495e-18, 0.07134759913335872),
    (47, 400, 0.95, 0.08952194095010377, 0.15275496421563303),
    (0, 300, 0.95, 0.0, 0.012642971224546036),
    (10, 10, 0.95, 0.7224672001371107, 0.9999999999999999),
    (3, 2000, 0.95, 0.0005102635836384819, 0.004401032555770693),
]


# --- distributions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("probability", "degrees", "expected"),  # from scipy.stats.t.ppf, SciPy 1.17.1
    [
        (0.975, 1, 12.706204736174694),
        (0.975, 2, 4.302652729749462),
        (0.975, 9, 2.262157162798205),
        (0.995, 4.5, 4.272823993011293),
        (0.9, 30, 1.3104150253913955),
        (0.975, 1000, 1.9623390808264083),
        (0.6, 3, 0.2766706623326898),
        (0.025, 9, -2.262157162798205),
        (0.5, 9, 0.0),
        # What jimbot 0.1.0 computed by itself, with a continued fraction of the incomplete beta function.
        *OLD_QUANTILES,
    ],
)
def test_student_quantile(probability, degrees, expected):
    assert student_t_quantile(probability, degrees) == pytest.approx(expected, rel=1e-12, abs=1e-14)


@given(st.floats(0.001, 0.999), st.floats(1, 500))
def test_student_quantile_inverts_the_distribution(probability, degrees):
    value = student_t_quantile(probability, degrees)
    whole = quadrature(lambda t: (1 + t * t / degrees) ** (-(degrees + 1) / 2), value)
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(degrees * math.pi)
    assert 0.5 + scale * whole == pytest.approx(probability, abs=1e-8)


def quadrature(density, end):
    """The integral from 0, by Gauss and Legendre on pieces."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    edges = np.linspace(0.0, end, 201)
    middles, half = (edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2
    return float(np.sum(half[:, None] * weights * density(middles[:, None] + half[:, None] * nodes)))


@pytest.mark.parametrize(
    ("probability", "expected"),  # from scipy.special.ndtri, SciPy 1.17.1
    [(0.975, 1.959963984540054), (0.5, 0.0), (0.05, -1.6448536269514729), (0.995, 2.5758293035489004)],
)
def test_normal_quantile(probability, expected):
    assert normal_quantile(probability) == pytest.approx(expected, rel=1e-14, abs=1e-15)


# --- proportions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("successes", "trials", "confidence", "low", "high"),
    # From scipy.stats.binomtest(...).proportion_ci(method="wilson"), SciPy 1.17.1. The third is example 1 of
    # Newcombe (1998), Statistics in Medicine 17: 15 of 148 gives 0.0624 to 0.1605.
    [
        (0, 10, 0.95, 0.0, 0.27753279986288926),
        (10, 10, 0.95, 0.7224672001371109, 1.0),
        (15, 148, 0.95, 0.06238639953073629, 0.16048724172330803),
        (1, 29, 0.9, 0.0077308079727380075, 0.14068309513251206),
        (41, 300, 0.99, 0.09339304505457033, 0.19566373740404439),
        # What the two other functions of jimbot 0.1.0 gave, for players and for therapists.
        *OLD_WILSON,
    ],
)
def test_wilson(successes, trials, confidence, low, high):
    interval = wilson_interval(successes, trials, confidence)
    assert interval.estimate == successes / trials
    assert interval.low == pytest.approx(low, abs=1e-12)
    assert interval.high == pytest.approx(high, abs=1e-12)
    assert interval.count == trials


@given(st.integers(1, 500), st.data())
def test_wilson_holds_its_estimate_and_stays_a_proportion(trials, data):
    successes = data.draw(st.integers(0, trials))
    interval = wilson_interval(successes, trials)
    assert 0.0 <= interval.low <= successes / trials <= interval.high <= 1.0


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_wilson_refuses_impossible_counts(successes, trials):
    with pytest.raises(JimbotError, match="expected 0 <= successes <= trials"):
        wilson_interval(successes, trials)


# --- aggregates -------------------------------------------------------------------------------------------------------


def test_interquartile_mean_leaves_out_a_quarter_at_each_end():
    assert interquartile_mean([1, 2, 3, 4, 5, 6, 7, 1000]) == 4.5
    assert interquartile_mean([1, 2, 3]) == 2.0  # a quarter of three is none
    assert interquartile_mean([5]) == 5.0


def test_aggregates_equal_rliable():
    assert interquartile_mean(FIRST) == pytest.approx(RLIABLE_IQM[0], abs=EXACT)
    assert interquartile_mean(SECOND) == pytest.approx(RLIABLE_IQM[1], abs=EXACT)
    assert probability_of_improvement(FIRST, SECOND) == pytest.approx(RLIABLE_IMPROVEMENT, abs=EXACT)


def test_aggregates_equal_an_installed_rliable():
    metrics = pytest.importorskip("rliable.metrics")
    first, second = np.array(FIRST), np.array(SECOND)
    assert interquartile_mean(first) == pytest.approx(metrics.aggregate_iqm(first), abs=EXACT)
    expected = metrics.probability_of_improvement(first, second)
    assert probability_of_improvement(first, second) == pytest.approx(expected, abs=EXACT)


def test_bootstrap_intervals_agree_with_rliable():
    # Two bootstraps differ by their luck: about 0.005 at these ends with this many resamples.
    interval = stratified_bootstrap_interval(FIRST, resamples=20_000)
    assert interval.estimate == pytest.approx(RLIABLE_IQM[0], abs=EXACT)
    assert (interval.low, interval.high) == pytest.approx(RLIABLE_IQM_INTERVAL, abs=0.02)
    interval = probability_of_improvement_interval(FIRST, SECOND, resamples=4_000)
    assert (interval.low, interval.high) == pytest.approx(RLIABLE_IMPROVEMENT_INTERVAL, abs=0.02)


def test_bootstrap_follows_its_seed():
    same = [stratified_bootstrap_interval(FIRST, resamples=200, seed=seed) for seed in (1, 1, 2)]
    assert same[0] == same[1]
    assert same[0] != same[2]


def test_bootstrap_resamples_within_tasks():
    # Each task has one score only: runs of a task are alike, so that resampling within tasks changes nothing.
    scores = np.tile([1.0, 10.0, 100.0], (6, 1))
    interval = stratified_bootstrap_interval(scores, lambda sample: float(sample.mean()), resamples=100)
    assert (interval.low, interval.high) == (37.0, 37.0)


def test_improvement_counts_ties_as_half():
    assert probability_of_improvement([1, 2], [1, 2]) == 0.5
    assert probability_of_improvement([2, 3], [1, 1]) == 1.0
    assert probability_of_improvement([1], [1, 0, 2, 2]) == 0.375
    assert probability_of_improvement([[1, 0]], [[0, 1]]) == 0.5


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=8),
    st.lists(st.integers(0, 5), min_size=1, max_size=8),
)
def test_improvement_counts_pairs(left, right):
    pairs = [1.0 if x > y else 0.5 if x == y else 0.0 for x in left for y in right]
    assert probability_of_improvement(left, right) == pytest.approx(sum(pairs) / len(pairs), abs=1e-12)


# --- means ------------------------------------------------------------------------------------------------------------


def test_mean_interval():
    sample = [row[0] for row in FIRST]
    interval = mean_interval(
        sample, 0.9
    )  # from scipy.stats.ttest_1samp(...).confidence_interval, SciPy 1.17.1
    assert interval.estimate == pytest.approx(0.6832, abs=EXACT)
    assert interval.low == pytest.approx(0.26623650774844926, abs=EXACT)
    assert interval.high == pytest.approx(1.1001634922515506, abs=EXACT)
    assert mean_interval([3.0]) == Interval(3.0, -math.inf, math.inf, 1)
    bootstrap = mean_interval(sample, 0.9, "bootstrap")
    assert bootstrap.estimate == pytest.approx(0.6832, abs=EXACT)
    assert interval.low < bootstrap.low < 0.6832 < bootstrap.high < interval.high


def test_paired_difference():
    first = [row[0] for row in FIRST]
    second = np.resize([row[0] for row in SECOND], 10)
    interval = paired_difference(
        first, second
    )  # from scipy.stats.ttest_rel(...).confidence_interval, SciPy 1.17.1
    assert interval.estimate == pytest.approx(0.6405, abs=EXACT)
    assert interval.low == pytest.approx(-0.08667516138269482, abs=EXACT)
    assert interval.high == pytest.approx(1.3676751613826947, abs=EXACT)
    with pytest.raises(JimbotError, match="pairs need two results each, got 2 and 3; use the same seeds"):
        paired_difference([1, 2], [1, 2, 3])


def test_pairing_cancels_what_seeds_bring():
    luck = np.random.default_rng(3).normal(0, 100, 50)
    assert 0.0 not in paired_difference(luck + 1.0 + np.tile([0.1, -0.1], 25), luck)
    assert 0.0 in mean_interval(luck + 1.0)


# --- sample sizes -----------------------------------------------------------------------------------------------------


def test_games_to_tell_two_win_rates_apart():
    # Fleiss, Levin and Paik (2003), table A.4 without continuity correction: 0.05 against 0.1 needs 435 at power 0.8.
    assert sample_size_two_proportions(0.05, 0.10) == 435
    assert sample_size_two_proportions(0.10, 0.05) == 435
    assert sample_size_two_proportions(0.01, 0.017) == 4266
    assert sample_size_two_proportions(0.01, 0.017, power=0.9) > 4266


def test_pairs_to_see_a_difference():
    # n = ((1.959964 + 0.841621) * 10 / 2)² + 1.959964² / 2 = 196.22 + 1.92
    assert sample_size_paired_difference(2.0, 10.0) == 199
    assert sample_size_paired_difference(-2.0, 10.0) == 199
    assert sample_size_paired_difference(1.0, 10.0) > 4 * 190


@pytest.mark.parametrize("power", [0.8, 0.95])
def test_advised_pairs_reach_the_power(power):
    pairs = sample_size_paired_difference(0.5, 1.0, power=power)
    samples = np.random.default_rng(0).normal(0.5, 1.0, (4000, pairs))
    bound = student_t_quantile(0.975, pairs - 1)
    seen = np.abs(samples.mean(1) / (samples.std(1, ddof=1) / math.sqrt(pairs))) > bound
    assert seen.mean() == pytest.approx(power, abs=0.03)


# --- refusals ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mean_interval([]), "values is empty"),
        (lambda: mean_interval([1.0, math.nan]), "values holds values that are not numbers"),
        (lambda: mean_interval([1.0], 95), "confidence must lie between 0 and 1"),
        (lambda: mean_interval([1.0], method="z"), "unknown method 'z'; expected t or bootstrap"),  # pyright: ignore[reportArgumentType]
        (lambda: stratified_bootstrap_interval([1.0], resamples=10), "needs 100 resamples at least"),
        (lambda: stratified_bootstrap_interval(np.zeros((2, 2, 2))), r"shape \[runs\] or \[runs, tasks\]"),
        (lambda: probability_of_improvement([[1, 2]], [[1]]), "the same tasks for both, got 2 and 1"),
        (lambda: sample_size_two_proportions(0.5, 0.5), "expected two different proportions"),
        (lambda: sample_size_two_proportions(0.5, 0.6, power=1), "power must lie between 0 and 1"),
        (lambda: sample_size_paired_difference(0.0, 1.0), "a difference other than 0"),
        (lambda: student_t_quantile(0.5, 0), "degrees of freedom must be positive"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    with pytest.raises(JimbotError, match=message):
        call()


def test_interval_as_text():
    assert str(wilson_interval(41, 300)) == "0.1367 [0.1024, 0.1802]"


# --- paired proportions ----------------------------------------------------------------------------------------------


def test_paired_proportions_have_the_published_interval():
    """Agresti and Min's example: 1600 voters, 794 and 570 of one opinion twice, 150 and 86 that changed."""
    first = [1] * 794 + [1] * 150 + [0] * 86 + [0] * 570
    second = [1] * 794 + [0] * 150 + [1] * 86 + [0] * 570
    found = paired_proportion_difference(first, second)
    assert found.estimate == pytest.approx(0.04)
    assert (found.low, found.high) == (pytest.approx(0.021, abs=5e-4), pytest.approx(0.059, abs=5e-4))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60))
def test_paired_proportions_are_antisymmetric_and_never_without_width(pairs):
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    found, turned = paired_proportion_difference(first, second), paired_proportion_difference(second, first)
    assert found.estimate == pytest.approx(np.mean(first) - np.mean(second))
    assert (found.low, found.high) == (pytest.approx(-turned.high), pytest.approx(-turned.low))
    assert -1.0 <= found.low < found.high <= 1.0


def test_paired_proportions_need_pairs():
    with pytest.raises(JimbotError, match="pairs need two results each, got 1 and 2"):
        paired_proportion_difference([1], [0, 1])
