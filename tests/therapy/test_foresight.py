"""The search with perfect foresight finds answers that the environment confirms."""

from __future__ import annotations

import numpy as np
import pytest

from jimbot.therapy import BENCHMARK, TherapyEnv, TherapyError, create_therapist, evaluate
from jimbot.therapy.therapists.foresight import foreseen_answers, foreseen_successes

EASY = {**BENCHMARK, "threshold": 0.6}


@pytest.mark.parametrize("options", [EASY, {**EASY, "enable_parataxic": False, "mechanism": 4}])
def test_what_is_foreseen_happens(options):
    for seed in range(4):
        answers = foreseen_answers(seed, 8, **options)
        assert answers is not None
        env = TherapyEnv(**options)
        env.reset(seed=seed)
        for number, answer in enumerate(answers, start=1):
            _, _, terminated, _, info = env.step(int(answer))
            assert terminated == (number == len(answers))
        assert info["success"]
        assert not info["dropped_out"]


def test_foresight_beats_complementarity():
    seeds = range(8)
    options = {**BENCHMARK, "threshold": 0.75}
    found = foreseen_successes(seeds, 12, **options)
    theirs = evaluate(create_therapist("complementary"), seeds, **options).success
    assert found.sum() > theirs.sum()
    assert not np.any(foreseen_successes(seeds, 4, **{**options, "max_sessions": 5}))


def test_a_search_needs_courses():
    with pytest.raises(TherapyError, match="at least 1 course"):
        foreseen_answers(0, 0, **BENCHMARK)
