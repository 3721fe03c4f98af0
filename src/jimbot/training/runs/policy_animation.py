"""A GIF of an episode that a policy itself plays, in whatever environment can be drawn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Protocol, cast

import gymnasium
import numpy as np

from jimbot.cartpole.picture import draw_frame, save_animation
from jimbot.errors import JimbotError, require
from jimbot.statistics.evaluation_sets import FIRST_EVALUATION_SEED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PIL.Image import Image

    from jimbot.training.envs.evaluation import BatchPolicy

__all__ = ["CannotDrawError", "animate_episode"]

FRAMES_AT_MOST = 120
"""Frames of an animation, besides the last; of a longer episode every second, fourth, … step is shown."""
STEPS_AT_MOST = 1_000
"""Steps after which an episode is left."""
SECONDS_AT_MOST = 20.0
"""Seconds after which an episode is left."""
WIDTH_AT_MOST = 480
"""Pixels; larger pictures are made smaller."""
COLORS = 64
SECONDS_SHOWN = 12.0
"""How long the whole animation takes at most."""
CARTPOLE = "CartPole-v"


class CannotDrawError(JimbotError):
    """An environment of which there are no pictures."""


class Picture(Protocol):
    """Draws the environment as it stands."""

    def __call__(self, observation: Any, action: int | None, caption: str, /) -> Image:
        """The picture, before the action is taken."""
        ...


def animate_episode(
    policy: BatchPolicy,
    creator: Callable[[], gymnasium.Env[Any, Any]],
    path: Path,
    *,
    seed: int = FIRST_EVALUATION_SEED,
) -> Path:
    """Play one episode and write it as a GIF.

    Args:
        policy: chooses the actions, as it does in evaluation.
        creator: makes one environment. CartPole is drawn here; any other is asked for ``rgb_array``.
        path: the GIF.
        seed: of the episode; by default the first of the evaluation's.
    """
    require("PIL", "render")
    env = creator()
    try:
        env, draw = drawn(env)
        frames, every = record(policy, env, draw, seed)
    finally:
        env.close()
    seconds = min(every / float(env.metadata.get("render_fps", 30)), SECONDS_SHOWN / len(frames))
    return save_animation(frames, path, seconds_per_frame=max(seconds, 0.02), colors=COLORS)


def drawn(env: gymnasium.Env[Any, Any]) -> tuple[gymnasium.Env[Any, Any], Picture]:
    """An environment that can be drawn, in place of the given one, and what draws it."""
    if is_cartpole(env):
        return env, cartpole_picture
    if env.render_mode != "rgb_array":
        name = env.spec.id if env.spec is not None else type(env.unwrapped).__name__
        if env.spec is None or "rgb_array" not in env.metadata.get("render_modes", []):
            raise CannotDrawError(f"{name} draws no pictures (rgb_array)")
        spec = env.spec
        env.close()
        env = cast("Any", gymnasium).make(spec, render_mode="rgb_array")

    def rendered(observation: Any, action: int | None, caption: str) -> Image:
        del observation, action, caption
        return small_picture(env.render())

    return env, rendered


def is_cartpole(env: gymnasium.Env[Any, Any]) -> bool:
    """Whether it is Gymnasium's CartPole, whose own pictures need a library more."""
    return (
        env.spec is not None
        and env.spec.id.startswith(CARTPOLE)
        and getattr(env.observation_space, "shape", None) == (4,)
    )


def cartpole_picture(observation: Any, action: int | None, caption: str) -> Image:
    """CartPole from what is observed of it."""
    return draw_frame(np.asarray(observation), action=action, caption=caption)


def small_picture(pixels: Any) -> Image:
    """Pixels, uint8[height, width, 3], as a picture of at most the widest width."""
    from PIL import Image

    array = np.asarray(pixels)
    if array.ndim != 3 or array.dtype != np.uint8:
        raise CannotDrawError(
            f"expected pixels uint8[height, width, 3], got {array.dtype}{list(array.shape)}"
        )
    picture = Image.fromarray(array)
    picture.thumbnail((WIDTH_AT_MOST, picture.height))
    return picture


def record(
    policy: BatchPolicy, env: gymnasium.Env[Any, Any], draw: Picture, seed: int
) -> tuple[list[Image], int]:
    """The pictures of an episode and how many steps apart they are.

    Whenever there are too many, every second one is dropped and half as many are drawn from there on.
    """
    batch = gymnasium.vector.utils.create_empty_array(env.observation_space, 1)
    observation, _ = env.reset(seed=seed)
    frames: list[Image] = []
    every, started = 1, time.monotonic()
    for step in range(STEPS_AT_MOST):
        action = policy(one_row(batch, observation))[0]
        chosen = int(action) if np.ndim(action) == 0 else None
        if step % every == 0:
            if len(frames) == FRAMES_AT_MOST:
                frames, every = frames[::2], every * 2
            if step % every == 0:
                frames.append(draw(observation, chosen, f"step {step + 1}"))
        observation, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            frames.append(draw(observation, None, f"the end after {step + 1} steps"))
            break
        if time.monotonic() - started > SECONDS_AT_MOST:
            break
    return frames, every


def one_row(batch: Any, observation: Any) -> Any:
    """An observation as a batch of one."""
    from jimbot.training.envs.vectors import put_row

    put_row(batch, 0, observation)
    return batch
