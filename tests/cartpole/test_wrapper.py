"""CartPole as an object, and its pictures."""

from __future__ import annotations

import numpy as np
import pytest

jax = pytest.importorskip("jax")

from jimbot.cartpole import CartPoleParameters, CartPoleWrapper  # noqa: E402
from jimbot.errors import JimbotError  # noqa: E402


def test_sizes_and_an_episode():
    env = CartPoleWrapper(max_steps=8, seed=3)
    assert (env.observation_dim, env.action_dim, env.max_steps) == (4, 2, 8)
    observation, info = env.reset()
    assert observation.shape == (4,)
    assert info == {}
    for number in range(1, 9):
        observation, reward, terminated, truncated, _ = env.step(number % 2)
        assert reward == 1.0
        assert not terminated
        assert truncated == (number == 8)
    with pytest.raises(JimbotError, match="call reset"):
        env.step(0)


def test_seed_decides_the_starts():
    first, second = CartPoleWrapper(seed=1), CartPoleWrapper(seed=2)
    start = first.reset()[0]
    assert not np.array_equal(start, second.reset()[0])
    assert not np.array_equal(start, first.reset()[0])
    np.testing.assert_array_equal(second.reset(seed=1)[0], start)


def test_falls_under_one_sided_pushes():
    env = CartPoleWrapper()
    env.reset(seed=0)
    for _ in range(20):
        observation, _, terminated, truncated, _ = env.step(1)
        if terminated:
            break
    assert terminated
    assert not truncated
    assert observation[2] < -0.2


@pytest.mark.parametrize("action", [-1, 2])
def test_unknown_actions_are_refused(action):
    env = CartPoleWrapper()
    env.reset()
    with pytest.raises(JimbotError, match=f"unknown action {action}"):
        env.step(action)


def test_step_before_reset_and_bad_limits_are_refused():
    with pytest.raises(JimbotError, match="never started"):
        CartPoleWrapper().step(0)
    with pytest.raises(JimbotError, match="at least 1"):
        CartPoleWrapper(max_steps=0)
    with pytest.raises(JimbotError, match="given twice"):
        CartPoleWrapper(max_steps=10, parameters=CartPoleParameters())


def test_pictures_show_cart_pole_and_action(tmp_path):
    pytest.importorskip("PIL")
    from PIL import Image

    from jimbot.cartpole.picture import draw_frame, save_animation

    def middle_of(image, color):
        pixels = np.argwhere((np.asarray(image) == color).all(-1))
        return pixels.mean(0)

    cart, pole = (0x44, 0x54, 0x6A), (0xC8, 0x81, 0x3C)
    upright = draw_frame(np.zeros(4))
    right = draw_frame(np.array([1.0, 0, 0.2, 0]))
    assert middle_of(right, cart)[1] - middle_of(upright, cart)[1] == pytest.approx(360 / 5.6, abs=1)
    assert middle_of(right, pole)[1] > middle_of(right, cart)[1] + 3  # it leans to the right
    pushed = np.asarray(draw_frame(np.zeros(4), action=0)) != np.asarray(draw_frame(np.zeros(4), action=1))
    assert pushed.any()
    path = save_animation([upright, right], tmp_path / "two.gif")
    with Image.open(path) as animation:
        assert getattr(animation, "n_frames", 1) == 2
    with pytest.raises(JimbotError, match="no frames"):
        save_animation([], tmp_path / "none.gif")


@pytest.mark.parametrize(
    "line",
    ["from jimbot.cartpole import CartPoleWrapper", "from jimbot.training.jax_trainer import PPOTrainer"],
)
def test_without_jax_one_line_says_what_brings_it(line, run_python):
    finished = run_python("-c", f"import sys\nsys.modules['jax'] = None\n{line}")
    assert finished.returncode == 1
    last = finished.stderr.strip().splitlines()[-1]
    assert last.endswith("jax is not installed; install it with: pip install 'jimbot[jax]'")
