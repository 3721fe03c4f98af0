"""The therapist who thinks ahead."""

from __future__ import annotations

import numpy as np
import pytest

from jimbot.therapy import BENCHMARK, create_therapist, evaluate
from jimbot.therapy.therapists import planning
from jimbot.therapy.therapists.planning import PlanningTherapist


def test_thinking_leaves_the_clients_alone(monkeypatch):
    monkeypatch.setattr(planning, "MARGIN", 1e9)
    options = {**BENCHMARK, "max_sessions": 25}
    ours = evaluate(PlanningTherapist(1), range(6), **options)
    theirs = evaluate(create_therapist("row_maximum"), range(6), **options)
    np.testing.assert_array_equal(ours.final_rs, theirs.final_rs)
    np.testing.assert_array_equal(ours.sessions, theirs.sessions)


@pytest.mark.slow
def test_plans_help():
    seeds = range(1_000_000, 1_000_024)
    ours = evaluate(PlanningTherapist(), seeds, **BENCHMARK)
    theirs = evaluate(create_therapist("row_maximum"), seeds, **BENCHMARK)
    assert ours.success.sum() > theirs.success.sum()


def test_the_seed_decides_what_is_imagined():
    options = {**BENCHMARK, "threshold": 0.65, "max_sessions": 30}
    first, again = (evaluate(PlanningTherapist(4, seed=1), range(4), **options) for _ in range(2))
    np.testing.assert_array_equal(first.final_rs, again.final_rs)
