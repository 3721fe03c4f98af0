"""Vectors are examined like single environments: good ones are fit, and what is wrong with others is found."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from jimbot.balatro.env.vector import BalatroVectorEnv
from jimbot.training.utils import create_balatro_env, make_vectorized_env, validate_environment

VECTORS = {
    "native": lambda: BalatroVectorEnv(4),
    "checked": lambda: BalatroVectorEnv(3, checked=True),
    "next step": lambda: BalatroVectorEnv(3, autoreset="next_step", checked=True),
    "candidates": lambda: BalatroVectorEnv(2, actions="candidates"),
    "sync": lambda: make_vectorized_env(create_balatro_env, 2, kind="sync"),
    "cartpole": lambda: gymnasium.make_vec("CartPole-v1", num_envs=3),
}


@pytest.mark.parametrize("name", VECTORS)
def test_vectors_are_fit(name):
    report = validate_environment(VECTORS[name](), steps=300)
    assert report.ok, str(report)
    assert report.steps >= 300
    assert report.episodes > 5
    refused = [each for each in report.findings if "a masked action is refused" in each.text]
    assert bool(refused) == (name in ("checked", "next step", "sync"))


class BrokenVector(BalatroVectorEnv):
    """A vector that does one thing wrong."""

    def __init__(self, wrong: str) -> None:
        super().__init__(2)
        self.wrong = wrong
        if wrong == "spaces":
            self.action_space = self.single_action_space
        if wrong == "metadata":
            self.metadata = {}

    def step(self, actions: Any) -> Any:
        """As the vector, but for what is wrong."""
        if self.wrong == "mask":
            actions = np.where(self.observations()["action_mask"][:, 528:530].any(axis=1), 529, actions)
        observations, rewards, terminated, truncated, infos = super().step(actions)
        match self.wrong:
            case "raises":
                raise RuntimeError("boom")
            case "tuple":
                return observations, rewards
            case "reward":
                return observations, rewards[:1], terminated, truncated, infos
            case "nan":
                return observations, rewards * np.nan, terminated, truncated, infos
            case "ends":
                return observations, rewards, terminated.astype(np.int64), truncated, infos
            case "infos":
                return observations, rewards, terminated, truncated, {}
            case "luck":
                return (
                    observations,
                    rewards + np.random.default_rng().random(2, np.float32),
                    terminated,
                    truncated,
                    infos,
                )
            case "observation":
                return (
                    {**observations, "hand": observations["hand"][:1]},
                    rewards,
                    terminated,
                    truncated,
                    infos,
                )
        return observations, rewards, terminated, truncated, infos


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ("spaces", "action_space is not single_action_space of 2 environments"),
        ("raises", "raised RuntimeError: boom"),
        ("tuple", "returned tuple of 2, expected (observation, reward, terminated, truncated, info)"),
        ("reward", "reward is float32 of shape (1,), expected one value per environment"),
        ("nan", "a reward is not a finite number"),
        ("ends", "terminated is int64 of shape (2,), expected one value per environment"),
        ("infos", "an environment ended and infos lack 'final_obs'"),
        ("luck", "the same seed and actions gave another reward at step 1"),
        ("observation", "observation['hand'] has shape (1, 16, 28), expected (2, 16, 28)"),
        ("mask", "was executed: the observation changed"),
    ],
)
def test_what_is_wrong_with_a_vector_is_found(wrong, text):
    report = validate_environment(BrokenVector(wrong), steps=100)
    assert not report.ok
    assert any(text in each.text for each in report.errors), str(report)


def test_a_vector_that_does_not_say_how_it_goes_on():
    report = validate_environment(BrokenVector("metadata"), steps=50)
    assert report.ok, str(report)
    assert any(each.check == "autoreset" for each in report.findings)
