"""An agent that does not fit its environment, unknown parameters: one clear line when a trainer is made."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from tests.training.tiny_envs import Identity, MaskedBandit

pytest.importorskip("jax")
pytest.importorskip("flax")

from jimbot.cartpole import CartPoleWrapper
from jimbot.errors import JimbotError
from jimbot.training.jax_trainer import PPOAgent, PPOTrainer


class Shifted(gymnasium.Env):
    """Actions that are counted from 1."""

    observation_space = gymnasium.spaces.Box(-1, 1, (4,), np.float32)
    action_space = gymnasium.spaces.Discrete(2, start=1)


class Plain:
    """No spaces: nothing is known about it before it is played."""


@pytest.fixture(scope="module")
def agent() -> PPOAgent:
    return PPOAgent(4, 2, hidden_sizes=(8,))


@pytest.mark.parametrize("make", [CartPoleWrapper, lambda: gymnasium.make("CartPole-v1"), Plain])
def test_agents_that_fit(agent, make):
    assert PPOTrainer(agent, make()).agent is agent


@pytest.mark.parametrize("make", [CartPoleWrapper, lambda: gymnasium.make("CartPole-v1")])
@pytest.mark.parametrize(("seen", "actions"), [(5, 2), (4, 3)])
def test_agents_of_another_size_are_refused(make, seen, actions):
    other = PPOAgent(seen, actions, hidden_sizes=(8,))
    message = rf"^env: observations of 4 numbers and 2 actions do not fit .* {seen} .* {actions}; .*PPOAgent\(4, 2\)$"
    with pytest.raises(JimbotError, match=message):
        PPOTrainer(other, make())
    with pytest.raises(JimbotError, match=r"^eval_env: observations of 4 numbers"):
        PPOTrainer(other, Plain(), eval_env=make())  # pyright: ignore[reportArgumentType]


def test_spaces_that_it_cannot_look_at_are_refused(agent):
    with pytest.raises(JimbotError, match=r"^env: PPOTrainer takes vector observations.*Dict.*backend jax"):
        PPOTrainer(agent, MaskedBandit())
    with pytest.raises(
        JimbotError, match=r"^env: PPOTrainer takes vector observations.*got the observation space Discrete"
    ):
        PPOTrainer(agent, Identity())
    with pytest.raises(
        JimbotError, match=r"^env: PPOTrainer takes discrete actions that count from 0; got .*start=1"
    ):
        PPOTrainer(agent, Shifted())
    with pytest.raises(JimbotError, match=r"^env: PPOTrainer takes discrete actions.*Box"):
        PPOTrainer(PPOAgent(3, 1, hidden_sizes=(8,)), gymnasium.make("Pendulum-v1"))


def test_parameters_that_there_are_not_are_refused(agent):
    with pytest.raises(JimbotError, match=r"^unknown parameter 'learning_rat'; .*learning_rate") as caught:
        PPOTrainer(agent, CartPoleWrapper(), learning_rat=1e-3)  # pyright: ignore[reportCallIssue]
    assert "PPOConfig" not in str(caught.value)
    assert PPOTrainer(agent, CartPoleWrapper(), learning_rate=1e-3).agent.config.learning_rate == 1e-3
