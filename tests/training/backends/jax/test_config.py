"""Hyperparameters of PPO."""

from __future__ import annotations

import pytest

from jimbot.errors import JimbotError
from jimbot.training.backends.jax.config import PPOConfig


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"minibatch_size": 0}, "minibatch_size must be at least 1"),
        ({"gamma": 1.5}, "gamma must be between 0 and 1"),
        ({"learning_rate": 0.0}, "learning_rate must be positive"),
        ({"value_clip": -1.0}, "value_clip must be positive"),
    ],
)
def test_wrong_hyperparameters_are_refused(options, message):
    with pytest.raises(JimbotError, match=message):
        PPOConfig(**options)
