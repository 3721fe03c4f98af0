"""The rules of scoring stated twice: engine and plain-Python reference agree on random states of the game."""

from __future__ import annotations

import copy
import random

import pytest
from tests.reference.generate import random_case

from .differential import disagreements, run


def test_engine_and_reference_agree():
    found, _ = run(3000, seed=1)
    assert found == []


@pytest.mark.slow
def test_engine_and_reference_agree_on_many_cases_that_cover_everything():
    found, missing = run(100_000, seed=2, cover=True)
    assert found == []
    assert missing == set()


def test_comparison_sees_a_changed_case(monkeypatch):
    """Each part of the comparison is alive: the reference is asked about a case that differs in one thing."""
    rng = random.Random(4)
    cases = [random_case(rng) for _ in range(300)]
    blind_to = {"money", "level", "cards", "score"}

    def changed(case, how):
        other = copy.deepcopy(case)
        if how == "money":
            other["setup"]["money"] += 7
        elif how == "level":
            other["setup"]["hand_levels"] = {}
        elif how == "cards":
            other["held"] = other["held"][1:]
        else:
            other["jokers"] = other["jokers"][1:]
        return other

    from . import differential

    plain = differential.score
    for how in sorted(blind_to):
        monkeypatch.setattr(differential, "score", lambda case, how=how: plain(changed(case, how)))
        if any(disagreements(case) for case in cases):
            blind_to.discard(how)
    assert blind_to == set()
