"""Replays of Balatro as animated GIFs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.balatro.drawing.picture import render_rgb
from jimbot.balatro.game.actions import Action
from jimbot.cartpole.picture import save_animation
from jimbot.errors import require

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.balatro.game.replay import Replay

__all__ = ["draw_replay"]

SIZE = (480, 270)
FRAMES_AT_MOST = 100
"""Frames of one replay; of a longer run every second, third, … decision is drawn, and always the last."""
SECONDS_PER_FRAME = 0.35
COLORS = 48


def draw_replay(replay: Replay, path: Path) -> Path:
    """Write a replay as a GIF; its last state stays on the screen a little longer."""
    image: Any = require("PIL.Image", extra="render")
    game = replay.start()
    every = -(-len(replay.actions) // FRAMES_AT_MOST) or 1
    frames = [image.fromarray(render_rgb(game, SIZE, f"{game.seed}, the start"))]
    for number, encoded in enumerate(replay.actions, start=1):
        action = Action.decode(encoded)
        drawn = number % every == 0 or number == len(replay.actions)
        words = game.describe(action) if drawn else ""
        game.step(action)
        if drawn:
            frames.append(image.fromarray(render_rgb(game, SIZE, f"{number}. {words}")))
    frames += frames[-1:] * 4
    return save_animation(frames, path, seconds_per_frame=SECONDS_PER_FRAME, colors=COLORS)
