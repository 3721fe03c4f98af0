"""Evaluation episodes that are shared out are those that one process plays."""

from __future__ import annotations

import numpy as np
import pytest
from tests.training.tiny_envs import Identity

from jimbot.training.config.trainer_config import TrainerConfig
from jimbot.training.envs.creation import Environments
from jimbot.training.envs.evaluation import joined


def first_legal(observation):
    """Decided by the observation alone, so that who plays does not matter."""
    return np.asarray(observation["action_mask"]).argmax(1)


PLAYED = pytest.mark.parametrize(
    ("env", "policy"), [("balatro", first_legal), (Identity, lambda seen: np.asarray(seen).reshape(-1) % 3)]
)


@PLAYED
def test_episodes_from_a_later_one_on_are_the_end_of_the_whole(env, policy):
    environments = Environments.of(env, TrainerConfig())
    whole = environments.evaluate(policy, 11, 3)
    end = environments.evaluate(policy, 7, 3, first=4)
    np.testing.assert_array_equal(end.rewards, whole.rewards[4:])
    np.testing.assert_array_equal(end.lengths, whole.lengths[4:])
    for name, values in whole.numbers.items():
        np.testing.assert_array_equal(end.numbers[name], values[4:], err_msg=name)
    shares = joined([environments.evaluate(policy, 7, 3, share=(part, 2), first=4) for part in range(2)])
    np.testing.assert_array_equal(shares.rewards, end.rewards)


def test_threads_change_nothing():
    environments = Environments.of("balatro", TrainerConfig())
    one, two = (environments.evaluate(first_legal, 6, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.rewards, two.rewards)
    np.testing.assert_array_equal(one.lengths, two.lengths)


@PLAYED
def test_shares_are_the_whole(env, policy):
    environments = Environments.of(env, TrainerConfig())
    whole = environments.evaluate(policy, 11, 3)
    shares = joined([environments.evaluate(policy, 11, 3, share=(part, 3)) for part in range(3)])
    np.testing.assert_array_equal(shares.rewards, whole.rewards)
    np.testing.assert_array_equal(shares.lengths, whole.lengths)
    assert shares.numbers.keys() == whole.numbers.keys()
    for name, values in whole.numbers.items():
        np.testing.assert_array_equal(shares.numbers[name], values, err_msg=name)
