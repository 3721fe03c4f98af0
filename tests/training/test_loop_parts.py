"""The parts of the training loop that stand alone: means of episodes, and episodes as plain data."""

from __future__ import annotations

from jimbot.training.envs.protocol import Episode
from jimbot.training.loop.episodes import average_episodes, pack_episode, unpack_episode


def make_episode(reward: float, **numbers: float) -> Episode:
    return Episode(reward=reward, length=10, stage=2, truncated=False, numbers=numbers)


def test_means_are_named_by_what_they_average():
    episodes = [
        make_episode(1.0, won=0.0, blinds=2.0, seed_number=5.0, **{"reward/win": 0.0}),
        make_episode(3.0, won=1.0, blinds=4.0, seed_number=9.0, **{"reward/win": 1.0}),
    ]
    assert average_episodes(episodes) == {
        "rollout/mean_reward": 2.0,
        "rollout/mean_length": 10.0,
        "rollout/win_rate": 0.5,
        "rollout/mean_blinds": 3.0,
        "reward/win": 0.5,
    }
    assert average_episodes([]) == {}


def test_a_packed_episode_comes_back():
    episode = make_episode(1.5, won=1.0)
    assert unpack_episode(pack_episode(episode)) == episode
