"""Draws docs/images/winning_run.gif: the scripted player wins a run on White Stake.

``python -m tools.winning_run_gif``. To stay small the animation shows every hand played, every shop as it is left, and
the end, in few colors.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from jimbot.balatro import Game
from jimbot.balatro.drawing.picture import render_rgb
from jimbot.balatro.game.actions import ActionKind
from jimbot.cli.play.commands import action_words
from jimbot.players import create_player
from jimbot.storage.atomic import write_file_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["SEED", "main", "winning_run_frames"]

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "images" / "winning_run.gif"
SEED = "6HMW5PAL"
SHOWN_ACTIONS = (ActionKind.PLAY_HAND, ActionKind.LEAVE_SHOP)
SIZE = (640, 360)
COLORS = 80
MILLISECONDS, LAST_MILLISECONDS = 500, 4000
MOST_DECISIONS = 1000


def winning_run_frames(seed: str = SEED) -> Iterator[Image.Image]:
    """The pictures of a run that the scripted player wins, each with what it does next as a caption."""
    game, player = Game(seed), create_player("scripted")
    for _ in range(MOST_DECISIONS):
        if game.won:
            yield drawn(game, f"{seed}: won")
            return
        if game.over:
            break
        action = player.choose(game)
        if action.kind in SHOWN_ACTIONS:
            yield drawn(game, action_words(game.public_view(), action))
        game.step(action)
    raise ValueError(f"the scripted player does not win {seed}")


def drawn(game: Game, caption: str) -> Image.Image:
    """One frame."""
    return Image.fromarray(render_rgb(game, size=SIZE, caption=caption))


def animation(frames: list[Image.Image]) -> bytes:
    """The frames as a GIF with one palette; the last frame stays."""
    sample = Image.fromarray(
        np.concatenate([np.asarray(frame) for frame in frames[:: max(1, len(frames) // 12)]])
    )
    palette = sample.quantize(COLORS)
    small = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    durations = [MILLISECONDS] * (len(small) - 1) + [LAST_MILLISECONDS]
    file = io.BytesIO()
    small[0].save(
        file, "GIF", save_all=True, append_images=small[1:], duration=durations, loop=0, optimize=True
    )
    return file.getvalue()


def main() -> None:
    """Write the animation."""
    write_file_atomically(PICTURE, animation(list(winning_run_frames())))


if __name__ == "__main__":
    main()
