"""The parts of the training loop that stand alone: means of episodes, and the speed of a run."""

from __future__ import annotations

import pytest

from jimbot.training.envs.protocol import Episode
from jimbot.training.loop.episodes import average_episodes, pack_episode, unpack_episode
from jimbot.training.loop.progress import Status
from jimbot.training.loop.speed import SpeedMeter


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


def test_speed_adds_up_phases_and_measures_the_rate_from_its_start(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("jimbot.training.loop.speed.time.monotonic", lambda: now[0])
    meter, status = SpeedMeter(), Status("training", 1_000)
    meter.start_at(500)
    now[0] += 2.0
    meter.update({"collect": 3.0, "learn": 1.0}, 700, status)
    assert status.rate == pytest.approx(100.0)
    assert status.shares == {"collect": 0.75, "learn": 0.25}

    now[0] += 0.5  # too short for a new rate
    meter.update({"collect": 1.0}, 900, status)
    assert status.rate == pytest.approx(100.0)
    assert meter.metrics() == {"time/collect_seconds": 4.0, "time/learn_seconds": 1.0}
    now[0] += 1.5
    meter.update({}, 1_100, status)
    assert status.rate == pytest.approx(200.0)
