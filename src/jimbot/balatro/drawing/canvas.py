"""A drawing surface in coordinates of a 960 x 540 table: rounded boxes, suit symbols and fitted text.

Pillow does the drawing; it is imported when the first sheet is made. Everything is drawn at twice the size and
reduced, which smooths the edges.
"""

from __future__ import annotations

import math
import unicodedata
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.errors import require

if TYPE_CHECKING:
    from collections.abc import Generator

    from numpy.typing import NDArray

__all__ = ["TABLE_HEIGHT", "TABLE_WIDTH", "Canvas", "Color"]

TABLE_WIDTH, TABLE_HEIGHT = 960, 540
OVERSAMPLING = 2

Color = tuple[int, int, int]
Point = tuple[float, float]


class Canvas:
    """An image of ``size`` (width, height). Coordinates are those of the table, scaled to fit and centered."""

    def __init__(self, size: tuple[int, int], background: Color) -> None:
        width, height = size
        if not (16 <= width <= 8192 and 16 <= height <= 8192):
            raise ValueError(f"a picture is 16 to 8192 pixels wide and high, got {width} x {height}")
        image_module: Any = require("PIL.Image", extra="render")
        draw_module: Any = require("PIL.ImageDraw", extra="render")
        self._size = size
        self._scale: float = OVERSAMPLING * min(width / TABLE_WIDTH, height / TABLE_HEIGHT)
        self._left: float = (width * OVERSAMPLING - TABLE_WIDTH * self._scale) / 2
        self._top: float = (height * OVERSAMPLING - TABLE_HEIGHT * self._scale) / 2
        self._image = image_module.new("RGB", (width * OVERSAMPLING, height * OVERSAMPLING), background)
        self._draw = draw_module.Draw(self._image)

    def pixels(self) -> NDArray[np.uint8]:
        """Return the image: uint8[height, width, 3]."""
        return np.array(self._image.reduce(OVERSAMPLING), dtype=np.uint8)

    @contextmanager
    def zoom(self, left: float, top: float, factor: float) -> Generator[None]:
        """Within the block, draw with the origin at a point and everything scaled by ``factor``."""
        before = self._left, self._top, self._scale
        self._left, self._top = self._to_pixels(left, top)
        self._scale *= factor
        try:
            yield
        finally:
            self._left, self._top, self._scale = before

    # --- shapes -----------------------------------------------------------------------------------------------------

    def box(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        fill: Color | None,
        *,
        border: Color | None = None,
        thickness: float = 2,
        radius: float = 8,
    ) -> None:
        """Draw a rounded rectangle."""
        corners = [*self._to_pixels(left, top), *self._to_pixels(left + width, top + height)]
        self._draw.rounded_rectangle(
            corners,
            radius=radius * self._scale,
            fill=fill,
            outline=border,
            width=max(1, round(thickness * self._scale)) if border else 1,
        )

    def disc(self, x: float, y: float, radius: float, fill: Color, border: Color | None = None) -> None:
        """Draw a filled circle around a point."""
        corners = [*self._to_pixels(x - radius, y - radius), *self._to_pixels(x + radius, y + radius)]
        self._draw.ellipse(corners, fill=fill, outline=border, width=max(1, round(self._scale)))

    def polygon(self, points: list[Point], fill: Color) -> None:
        """Draw a filled polygon."""
        self._draw.polygon([self._to_pixels(x, y) for x, y in points], fill=fill)

    def line(self, start: Point, end: Point, fill: Color, thickness: float = 1) -> None:
        """Draw a straight line."""
        self._draw.line(
            [self._to_pixels(*start), self._to_pixels(*end)],
            fill=fill,
            width=max(1, round(thickness * self._scale)),
        )

    def suit(self, letter: str, x: float, y: float, size: float, fill: Color) -> None:
        """Draw a suit symbol around a point, ``size`` high."""
        for shape in make_suit_polygons(letter):
            self.polygon([(x + size * px, y + size * py) for px, py in shape], fill)

    # --- words ------------------------------------------------------------------------------------------------------

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        fill: Color,
        *,
        width: float | None = None,
        anchor: str = "lm",
        bold: bool = False,
    ) -> None:
        """Draw text at a point, shrunk and then shortened until it is at most ``width`` wide."""
        shown, fitting = self._fit(simplify_text(words), size, width)
        self._draw.text(
            self._to_pixels(x, y),
            shown,
            fill=fill,
            font=self._font(fitting),
            anchor=anchor,
            stroke_width=round(0.4 * self._scale) if bold else 0,
            stroke_fill=fill if bold else None,
        )

    def paragraph(
        self, x: float, y: float, words: str, size: float, fill: Color, *, width: float, lines: int
    ) -> float:
        """Draw centered text in at most ``lines`` lines below ``y``; returns where the next line would start."""
        rows = [""]
        for word in simplify_text(words).split():
            longer = f"{rows[-1]} {word}".strip()
            if rows[-1] and self._measure(longer, size) > width and len(rows) < lines:
                rows.append(word)
            else:
                rows[-1] = longer
        for number, row in enumerate(rows):
            self.text(x, y + size * (0.6 + 1.15 * number), row, size, fill, width=width, anchor="mm")
        return y + size * 1.15 * len(rows)

    def _fit(self, words: str, size: float, width: float | None) -> tuple[str, float]:
        if width is None or self._measure(words, size) <= width:
            return words, size
        smaller = max(size * 0.7, size * width / self._measure(words, size) * 0.98)
        while len(words) > 1 and self._measure(words, smaller) > width:
            words = words.rstrip(".")[:-1] + "."
        return words, smaller

    def _measure(self, words: str, size: float) -> float:
        return float(self._font(size).getlength(words)) / self._scale

    def _font(self, size: float) -> Any:
        return load_font(max(1, round(size * self._scale)))

    def _to_pixels(self, x: float, y: float) -> Point:
        return self._left + x * self._scale, self._top + y * self._scale


@cache
def load_font(pixels: int) -> Any:
    """Load Pillow's built-in font, which is the same on every machine."""
    font_module: Any = require("PIL.ImageFont", extra="render")
    return font_module.load_default(size=pixels)


def simplify_text(words: str) -> str:
    """Replace characters that the font lacks: accents are removed, other characters become question marks."""
    spread = unicodedata.normalize("NFKD", words.replace("\N{MULTIPLICATION SIGN}", "x"))
    kept = "".join(letter for letter in spread if not unicodedata.combining(letter))
    return "".join(letter if letter.isascii() or letter in "·…" else "?" for letter in kept)


@cache
def make_suit_polygons(letter: str) -> list[list[Point]]:
    """Return the polygons of a suit symbol, inside a square of side 1 around the origin."""
    stem = [(-0.07, -0.2), (0.07, -0.2), (0.16, 0.48), (-0.16, 0.48)]
    match letter:
        case "H":
            return [make_heart(0.5)]
        case "D":
            return [[(0, -0.5), (0.36, 0), (0, 0.5), (-0.36, 0)]]
        case "S":
            return [[(x, -0.08 - 0.84 * y) for x, y in make_heart(0.5)], stem]
        case _:
            return [
                make_circle(0, -0.24, 0.21),
                make_circle(-0.23, 0.1, 0.21),
                make_circle(0.23, 0.1, 0.21),
                stem,
            ]


def make_circle(x: float, y: float, radius: float) -> list[Point]:
    """Return a polygon that approximates a circle."""
    turns = [2 * math.pi * step / 28 for step in range(28)]
    return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]


def make_heart(half: float) -> list[Point]:
    """Return the polygon of a heart, ``half`` wide and high to each side."""
    turns = [2 * math.pi * step / 48 for step in range(48)]
    points: list[Point] = []
    for turn in turns:
        x = 16 * math.sin(turn) ** 3
        y = 13 * math.cos(turn) - 5 * math.cos(2 * turn) - 2 * math.cos(3 * turn) - math.cos(4 * turn)
        points.append((x / 17 * half, -(y + 2.5) / 15 * half))
    return points
