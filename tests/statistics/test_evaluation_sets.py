"""No two sets of evaluation episodes share a seed, training meets none, and their values stay."""

from __future__ import annotations

import inspect
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jimbot.errors import JimbotError
from jimbot.statistics.evaluation_sets import (
    FIRST_EVALUATION_SEED,
    LAST_SET,
    PLAYER_MEMBERS,
    SEALED_PLAYER_MEMBERS,
    SEEDS_PER_SET,
    THERAPY_FURTHER_SEEDS,
    THERAPY_TEST_SEEDS,
    EvaluationSet,
    player_members,
    seeds_of_set,
)


def overlap(one: range, other: range) -> bool:
    return max(one.start, other.start) < min(one.stop, other.stop)


def test_values_stay_so_that_results_remain_comparable():
    assert {each.name: each.value for each in EvaluationSet} == {
        "SELECTION": 0,
        "CONFIRMATION": 1,
        "FINALISTS": 2,
        "EXPERIMENT": 3,
        "PARITY": 7,
        "TEST": 10,
        "ANALYSIS": 11,
        "SEALED": 2_000,
    }
    assert EvaluationSet.TEST.first_seed == 2_157_483_648
    assert (THERAPY_TEST_SEEDS[0], THERAPY_FURTHER_SEEDS[0], PLAYER_MEMBERS[0]) == (1_000_000, 2_000_000, 0)


def test_no_two_sets_share_a_seed():
    ranges = [each.seeds for each in EvaluationSet]
    ranges += [THERAPY_TEST_SEEDS, THERAPY_FURTHER_SEEDS]
    for one, other in itertools.combinations(ranges, 2):
        assert not overlap(one, other), (one, other)
    assert overlap(range(5), range(4, 6))  # what is asked above can be true
    assert not overlap(PLAYER_MEMBERS, SEALED_PLAYER_MEMBERS)
    assert len(EvaluationSet.SEALED.seeds) >= 1_000
    assert len(SEALED_PLAYER_MEMBERS) >= 1_000


def test_evaluation_begins_where_training_ends_and_fits_into_32_bits():
    assert min(each.seeds.start for each in EvaluationSet) == FIRST_EVALUATION_SEED == 2**31
    assert seeds_of_set(LAST_SET, SEEDS_PER_SET).stop <= 2**32
    assert EvaluationSet.SEALED <= LAST_SET


@given(st.integers(0, LAST_SET), st.integers(0, 2_000), st.integers(1, 2_000))
def test_episodes_from_a_later_one_on_are_the_end_of_the_whole(number, first, episodes):
    assert list(seeds_of_set(number, episodes, first)) == list(seeds_of_set(number, first + episodes))[first:]
    assert seeds_of_set(number, 1)[0] == 2**31 + number * 1_000_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 1), "evaluation_set must be 0 to"),
        ((LAST_SET + 1, 1), "evaluation_set must be 0 to"),
        ((0, 0), "0 from 0 on are not in it"),
        ((0, 1, -1), "are not in it"),
        ((0, 2, SEEDS_PER_SET - 1), "has the episodes 0 to 999999"),
    ],
)
def test_episodes_outside_of_a_set_are_refused(arguments, message):
    with pytest.raises(JimbotError, match=message):
        seeds_of_set(*arguments)
    assert len(seeds_of_set(0, 1, SEEDS_PER_SET - 1)) == 1


def test_players_meet_sealed_seeds_only_when_asked_for():
    ordinary, sealed = player_members(1_000), player_members(1_000, sealed=True)
    assert list(ordinary) == list(range(1_000))
    assert not set(ordinary) & set(sealed)
    assert player_members(5, 10, sealed=True) == player_members(15, sealed=True)[10:]
    for arguments in ((0,), (1, -1), (2, len(PLAYER_MEMBERS) - 1)):
        with pytest.raises(JimbotError, match="expected at least one seed"):
            player_members(*arguments)
    assert not set(player_members(1, len(PLAYER_MEMBERS) - 1)) & set(SEALED_PLAYER_MEMBERS)


def test_nothing_in_the_package_plays_the_sealed_set(root):
    """It is for a last measurement, by hand; whoever chooses on it breaks the seal."""
    own = inspect.getsourcefile(EvaluationSet)
    users = [
        str(path.relative_to(root))
        for directory in ("src", "tools", "examples")
        for path in (root / directory).rglob("*.py")
        if "EvaluationSet.SEALED" in path.read_text(encoding="utf-8") and str(path) != own
    ]
    assert users == ["src/jimbot/players/evaluation.py"]  # its docstring names it
