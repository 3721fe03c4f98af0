"""Pictures of CartPole, drawn with Pillow: a frame from a state, an animation from frames."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError, require
from jimbot.storage.atomic import atomic_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

__all__ = ["draw_frame", "save_animation"]

WIDTH, HEIGHT = 360, 200
"""Size of a frame, pixels."""
METERS_SHOWN = 5.6
"""Width of the world in a frame: the track of 4.8 m and a margin."""
TRACK_HEIGHT = 150
"""Pixels from the top to the track."""
PAPER, INK, CART, POLE, AXLE = "#fbfaf6", "#3a3a3a", "#44546a", "#c8813c", "#7f7fb5"


def draw_frame(
    physics: NDArray[np.floating[Any]],
    *,
    action: int | None = None,
    caption: str = "",
    half_length: float = 0.5,
) -> Image:
    """A picture of one state.

    Args:
        physics: float[4], as observed.
        action: the action chosen there, shown as an arrow.
        caption: a line of text at the top.
        half_length: half of the pole's length, meters.
    """
    require("PIL", "render")
    from PIL import Image, ImageDraw

    scale = WIDTH / METERS_SHOWN
    position, angle = float(physics[0]), float(physics[2])
    x, y = WIDTH / 2 + position * scale, float(TRACK_HEIGHT)
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    pen = ImageDraw.Draw(image)
    pen.line([(0, y), (WIDTH, y)], fill=INK)
    for side in (-2.4, 2.4):  # where the track ends
        edge = WIDTH / 2 + side * scale
        pen.line([(edge, y - 8), (edge, y + 8)], fill=INK, width=2)
    pen.rectangle([x - 22, y - 13, x + 22, y + 13], fill=CART)
    length = 2 * half_length * scale
    tip = (x + length * math.sin(angle), y - 8 - length * math.cos(angle))
    pen.line([(x, y - 8), tip], fill=POLE, width=8)
    pen.ellipse([x - 4, y - 12, x + 4, y - 4], fill=AXLE)
    if action is not None:
        side = 1 if action == 1 else -1
        start, end = x + side * 26, x + side * 46
        pen.line([(start, y), (end, y)], fill=INK, width=2)
        pen.polygon([(end, y - 5), (end, y + 5), (end + side * 7, y)], fill=INK)
    if caption:
        pen.text((8, 6), caption, fill=INK)
    return image


def save_animation(
    frames: Sequence[Image], path: Path, *, seconds_per_frame: float = 0.04, colors: int = 16
) -> Path:
    """Write frames as a GIF of so many colors that loops forever."""
    if not frames:
        raise JimbotError("there are no frames to write; expected at least one")
    palette = [frame.quantize(colors) for frame in frames]
    with atomic_file(path) as temporary:
        palette[0].save(
            temporary,
            format="GIF",
            save_all=True,
            append_images=palette[1:],
            duration=round(seconds_per_frame * 1000),
            loop=0,
        )
    return path
