"""A panel that is shared out is the panel that one process plays."""

from __future__ import annotations

import numpy as np
import pytest
from tests.training.tiny_envs import Identity

from jimbot.training.config import TrainerConfig
from jimbot.training.environments import Environments
from jimbot.training.evaluation import joined


def first_legal(observation):
    """Decided by the observation alone, so that who plays does not matter."""
    return np.asarray(observation["action_mask"]).argmax(1)


@pytest.mark.parametrize(
    ("env", "policy"), [("balatro", first_legal), (Identity, lambda seen: np.asarray(seen).reshape(-1) % 3)]
)
def test_shares_are_the_whole(env, policy):
    environments = Environments.of(env, TrainerConfig())
    whole = environments.panel(policy, 11, 3)
    shares = joined([environments.panel(policy, 11, 3, share=(part, 3)) for part in range(3)])
    np.testing.assert_array_equal(shares.rewards, whole.rewards)
    np.testing.assert_array_equal(shares.lengths, whole.lengths)
    assert shares.numbers.keys() == whole.numbers.keys()
    for name, values in whole.numbers.items():
        np.testing.assert_array_equal(shares.numbers[name], values, err_msg=name)
