"""Candidates can be learned from: one weight per feature is enough to clear blinds that random choice does not."""

from __future__ import annotations

import numpy as np
import pytest
from tests.learning.candidates_policy import FEATURES, blinds_cleared, train

from jimbot.balatro.env.schema import CANDIDATE_FEATURES
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv

EPISODES = 300


@pytest.mark.slow
def test_a_linear_policy_beats_random_on_evaluation_seeds():
    weights = train(
        BalatroVectorEnv(64, actions="candidates", max_steps=200, discount=0.97),
        iterations=80,
        steps=64,
        discount=0.97,
        rate=0.1,
        seed=0,
    )
    env = BalatroEnv(actions="candidates", max_steps=200)
    trained = blinds_cleared(env, weights, EPISODES, seed=1)
    random = blinds_cleared(env, np.zeros(FEATURES, np.float32), EPISODES, seed=1)
    gain = trained - random
    error = gain.std(ddof=1) / np.sqrt(EPISODES)
    print(f"blinds cleared: trained {trained.mean():.3f}, random {random.mean():.3f}, error {error:.3f}")
    print({name: round(float(weight), 2) for name, weight in zip(CANDIDATE_FEATURES, weights, strict=True)})
    assert random.mean() < 1.0
    assert gain.mean() - 2.6 * error > 1.0
