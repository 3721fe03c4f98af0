"""Animated GIFs of runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from jimbot.balatro.drawing.picture import render_rgb
from jimbot.cli.files import write_atomically
from jimbot.errors import JimbotError, require

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.balatro.game.game import Game

__all__ = ["GifWriter"]


class GifWriter:
    """Collects frames and writes them as one GIF; each is shown for ``delay`` seconds, the last one longer."""

    SIZE: ClassVar[tuple[int, int]] = (640, 360)
    COLORS: ClassVar[int] = 96
    MOST_FRAMES: ClassVar[int] = 2000
    """A GIF is put together in memory, a quarter of a megabyte per frame."""

    def __init__(self, delay: float) -> None:
        self._image: Any = require("PIL.Image", extra="render")
        # Viewers take less than 20 ms for a mistake and slow down.
        self._milliseconds = max(20, round(1000 * delay))
        self._frames: list[Any] = []

    def add(self, game: Game, caption: str) -> None:
        """Add a frame with the current state of the run."""
        if len(self._frames) == self.MOST_FRAMES:
            raise JimbotError(f"a GIF has at most {self.MOST_FRAMES} frames; shorten it with --steps")
        picture = self._image.fromarray(render_rgb(game, self.SIZE, caption))
        self._frames.append(picture.quantize(self.COLORS, dither=self._image.Dither.NONE))

    def write(self, path: Path) -> None:
        """Write the file atomically."""
        first, *others = self._frames
        durations = [self._milliseconds] * len(others) + [self._milliseconds * 4]
        with write_atomically(path) as partial:
            first.save(
                partial,
                format="GIF",
                save_all=True,
                append_images=others,
                duration=durations,
                loop=0,
                optimize=False,
            )
