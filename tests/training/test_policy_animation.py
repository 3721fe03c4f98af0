"""The animation shows what the policy does, and stays small."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import gymnasium
import numpy as np
import pytest

from jimbot.training.runs import policy_animation
from jimbot.training.runs.policy_animation import CannotDrawError, animate_episode

image = pytest.importorskip("PIL.Image")


def make_cartpole() -> gymnasium.Env[Any, Any]:
    return gymnasium.make("CartPole-v1")


def balance(observation: Any) -> Any:
    """Push to where the pole falls: good for some hundred steps."""
    return (observation[:, 2] + observation[:, 3] > 0).astype(np.int64)


def test_the_frames_are_of_the_policys_own_episode(monkeypatch, tmp_path):
    drawn: list[tuple[Any, int | None]] = []
    draw = policy_animation.draw_frame

    def watched(physics: Any, **options: Any) -> Any:
        drawn.append((np.array(physics), options["action"]))
        return draw(physics, **options)

    monkeypatch.setattr(policy_animation, "draw_frame", watched)
    path = animate_episode(
        lambda observation: np.zeros(len(observation), int), make_cartpole, tmp_path / "a.gif", seed=3
    )
    env = make_cartpole()
    expected = [env.reset(seed=3)[0]]
    ended = False
    while not ended:
        observation, _, ended, _, _ = env.step(0)
        expected.append(observation)
    np.testing.assert_array_equal([physics for physics, _ in drawn], expected)
    assert [action for _, action in drawn] == [0] * (len(expected) - 1) + [None]
    with image.open(path) as picture:
        assert picture.n_frames == len(expected)


def test_long_episodes_are_thinned_out(monkeypatch, tmp_path):
    steps: list[int] = []
    draw = policy_animation.draw_frame

    def watched(physics: Any, **options: Any) -> Any:
        steps.append(int(options["caption"].split()[-1]) if options["action"] is not None else -1)
        return draw(physics, **options)

    monkeypatch.setattr(policy_animation, "draw_frame", watched)
    monkeypatch.setattr(policy_animation, "FRAMES_AT_MOST", 16)
    path = animate_episode(balance, make_cartpole, tmp_path / "a.gif")
    with image.open(path) as picture:
        assert 8 <= picture.n_frames <= 17
    assert len(steps) < 100  # hardly more is drawn than is kept
    assert len({after - before for before, after in pairwise(steps[-4:-1])}) == 1


def test_endless_episodes_are_left(monkeypatch, tmp_path):
    monkeypatch.setattr(policy_animation, "STEPS_AT_MOST", 5)
    with image.open(animate_episode(balance, make_cartpole, tmp_path / "a.gif")) as picture:
        assert picture.n_frames == 5
    monkeypatch.setattr(policy_animation, "SECONDS_AT_MOST", -1.0)
    with image.open(animate_episode(balance, make_cartpole, tmp_path / "b.gif")) as picture:
        assert getattr(picture, "n_frames", 1) == 1


def test_balatro_draws_itself(monkeypatch, tmp_path):
    import jimbot.balatro  # noqa: F401  registers the environment

    monkeypatch.setattr(policy_animation, "STEPS_AT_MOST", 4)

    def first_legal(observation: Any) -> Any:
        return np.argmax(observation["action_mask"] > 0, axis=1)

    path = animate_episode(first_legal, lambda: gymnasium.make("jimbot/Balatro-v0"), tmp_path / "a.gif")
    with image.open(path) as picture:
        assert picture.size == (480, 270)
        assert picture.n_frames >= 2


def test_what_draws_no_pictures_says_so(tmp_path):
    import jimbot.therapy  # noqa: F401  registers the environment

    with pytest.raises(CannotDrawError, match=r"jimbot/Therapy-v0 draws no pictures \(rgb_array\)"):
        animate_episode(balance, lambda: gymnasium.make("jimbot/Therapy-v0"), tmp_path / "a.gif")
    with pytest.raises(
        CannotDrawError, match=r"expected pixels uint8\[height, width, 3\], got float64\[2, 2\]"
    ):
        policy_animation.small_picture(np.zeros((2, 2)))
