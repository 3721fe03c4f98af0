"""``BalatroMetricsCallback`` under the library's own ``learn``: window, blinds, reward terms, rewards added up."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from stable_baselines3 import A2C, DQN
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

from jimbot.errors import JimbotError
from jimbot.training.sb3_trainer import BalatroMetricsCallback


class Numbered(gymnasium.Env):
    """Two steps of reward n in the n-th episode, which clears n blinds in ante 2 n and is won if n is even."""

    def __init__(self) -> None:
        self.observation_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(2)
        self.episode = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        super().reset(seed=seed)
        self.episode += 1
        self.steps = 0
        return np.zeros(1, np.float32), {}

    def step(self, action: Any):
        self.steps += 1
        number = self.episode
        info = {
            "ante": 2 * number,
            "blinds": number,
            "won": number % 2 == 0,
            "best_hand": 10.0 * number,
            "seed": "ABCD",
            "ledger": {"blind": 0.5 * number, "win": 0.25},
        }
        return np.zeros(1, np.float32), float(number), self.steps == 2, False, info


class Recorded(BaseCallback):
    """Keeps what the library's logger holds at the end of the last rollout."""

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        self.values = dict(self.logger.name_to_value)


def learned(
    make: Any, *, window: int = 100, steps: int = 16
) -> tuple[BalatroMetricsCallback, dict[str, Any]]:
    """The callback, and what it recorded last; eight episodes in 16 steps of one environment."""
    callback, recorded = BalatroMetricsCallback(window), Recorded()
    model = A2C("MlpPolicy", DummyVecEnv([make]), n_steps=4, device="cpu")
    model.learn(steps, callback=[callback, recorded])
    return callback, recorded.values


@pytest.mark.parametrize("make", [Numbered, lambda: Monitor(Numbered())], ids=["alone", "monitored"])
def test_rewards_are_there_with_and_without_a_monitor(make):
    callback, _ = learned(make)
    assert [each.reward for each in callback.metrics.episodes] == [2.0 * number for number in range(1, 9)]
    assert [each.length for each in callback.metrics.episodes] == [2] * 8
    assert [each.ante for each in callback.metrics.episodes] == [2 * number for number in range(1, 9)]


def test_blinds_and_reward_terms_are_recorded():
    _, values = learned(Numbered)
    assert values["balatro/mean_blinds"] == 4.5
    assert values["balatro/reward/blind"] == 2.25
    assert values["balatro/reward/win"] == 0.25
    assert values["balatro/mean_reward"] == 9.0
    assert values["balatro/win_rate"] == 0.5
    assert not any("seed" in name for name in values)


def test_means_are_over_the_window():
    callback, values = learned(Numbered, window=2)
    assert values["balatro/mean_blinds"] == 7.5
    assert values["balatro/mean_ante"] == 15.0
    assert values["balatro/mean_reward"] == 15.0
    assert (values["balatro/episodes"], values["balatro/total_steps"]) == (8, 16)
    assert len(callback.metrics) == 8
    with pytest.raises(JimbotError, match="window must be at least 1, got 0"):
        BalatroMetricsCallback(window=0)


def test_episodes_go_on_where_a_second_call_begins():
    callback = BalatroMetricsCallback()
    model = DQN("MlpPolicy", DummyVecEnv([Numbered]), learning_starts=100, train_freq=1, device="cpu")
    model.learn(3, callback=callback)
    model.learn(1, callback=callback, reset_num_timesteps=False)
    assert [each.reward for each in callback.metrics.episodes] == [2.0, 4.0]
    model.learn(1, callback=callback, reset_num_timesteps=False)
    model.learn(2, callback=callback)  # begins anew in the middle of the third episode
    assert [each.reward for each in callback.metrics.episodes] == [2.0, 4.0, 8.0]
