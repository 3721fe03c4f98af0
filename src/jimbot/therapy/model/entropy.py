"""Sampled softmax temperatures, for studies in which clients differ in how predictable they are."""

from __future__ import annotations

import numpy as np

__all__ = ["sample_entropy"]

MEAN, DEVIATION, LEAST, GREATEST = 3.0, 0.5, 1.5, 5.0


def sample_entropy(seed: int | np.random.Generator) -> float:
    """Sample a client's temperature: normal with mean 3 and deviation 0.5, clipped to 1.5 to 5."""
    rng = np.random.default_rng(seed)
    return float(np.clip(rng.normal(MEAN, DEVIATION), LEAST, GREATEST))
