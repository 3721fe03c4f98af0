"""Charts as inline SVG text: no library, no file, no network."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jimbot.training.analysis.comparison import Ranked

__all__ = ["bar_chart", "dot_chart", "line_chart"]

WIDTH, ROW, MARGIN = 640, 30, 36
LABELS = 170
HEIGHT = 300
AXIS = 20
"""Room for the name of the horizontal axis."""
BAR_COLOR = "#0072b2"


def dot_chart(ranking: Sequence[Ranked], title: str, colors: Mapping[str, str], *, x_label: str) -> str:
    """A dot with its interval for every group, the best on top; ``x_label`` names the quantity and its unit."""
    ends = [
        value
        for each in ranking
        for value in (each.value, *((each.interval.low, each.interval.high) if each.interval else ()))
    ]
    low, high = span(ends)
    height = ROW * len(ranking) + 2 * MARGIN

    def x(value: float) -> float:
        return LABELS + (value - low) / (high - low) * (WIDTH - LABELS - 30)

    parts = [axis_x(x, ticks(low, high), MARGIN - 8, height - MARGIN)]
    for place, each in enumerate(ranking):
        y = MARGIN + ROW * place + ROW / 2 - 8
        color = colors[each.name]
        parts.append(
            f'<text x="{LABELS - 12}" y="{y + 4:.1f}" text-anchor="end">{escape(shorten(each.name))}</text>'
        )
        if each.interval is not None:
            parts.append(
                f'<line x1="{x(each.interval.low):.1f}" x2="{x(each.interval.high):.1f}" y1="{y:.1f}" y2="{y:.1f}" '
                f'stroke="{color}" stroke-width="3"/>'
            )
        if math.isfinite(each.value):
            parts.append(f'<circle cx="{x(each.value):.1f}" cy="{y:.1f}" r="5" fill="{color}"/>')
    parts.append(x_axis_name(x_label, LABELS, WIDTH - 30, height))
    return figure(parts, height + AXIS, title)


def bar_chart(values: Mapping[str, float], title: str, *, x_label: str) -> str:
    """A horizontal bar from 0 for every name, in the order given; ``x_label`` names the quantity and its unit."""
    _, high = span([0.0, *values.values()])
    height = ROW * len(values) + 2 * MARGIN

    def x(value: float) -> float:
        return LABELS + value / high * (WIDTH - LABELS - 30)

    parts = [axis_x(x, ticks(0.0, high), MARGIN - 8, height - MARGIN)]
    for place, (name, value) in enumerate(values.items()):
        y = MARGIN + ROW * place - 2
        parts.append(
            f'<text x="{LABELS - 12}" y="{y + 13}" text-anchor="end">{escape(shorten(name))}</text>'
            f'<rect x="{LABELS}" y="{y}" width="{x(value) - LABELS:.1f}" height="{ROW - 12}" fill="{BAR_COLOR}"/>'
        )
    parts.append(x_axis_name(x_label, LABELS, WIDTH - 30, height))
    return figure(parts, height + AXIS, title)


def line_chart(
    curves: Mapping[str, Sequence[Sequence[tuple[float, float]]]],
    title: str,
    colors: Mapping[str, str],
    *,
    x_label: str,
    y_label: str,
) -> str:
    """Curves by group, one color each; the labels name the quantities and their units."""
    points = [point for group in curves.values() for curve in group for point in curve]
    left, right = span([point[0] for point in points])
    low, high = span([point[1] for point in points])
    legend = 22 * math.ceil(len(curves) / 3)
    bottom = HEIGHT - MARGIN

    def x(value: float) -> float:
        return 70 + (value - left) / (right - left) * (WIDTH - 100)

    def y(value: float) -> float:
        return bottom - (value - low) / (high - low) * (bottom - 20)

    parts = [axis_x(x, ticks(left, right), 16, bottom), x_axis_name(x_label, 70, WIDTH - 30, HEIGHT)]
    middle = (16 + bottom) / 2
    parts.append(
        f'<text x="14" y="{middle:.1f}" text-anchor="middle" transform="rotate(-90 14 {middle:.1f})">'
        f"{escape(y_label)}</text>"
    )
    for tick in ticks(low, high):
        parts.append(f'<line class="grid" x1="70" x2="{WIDTH - 30}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text x="62" y="{y(tick) + 4:.1f}" text-anchor="end">{number(tick)}</text>')
    for place, (name, group) in enumerate(curves.items()):
        color = colors[name]
        for curve in group:
            path = " ".join(f"{x(step):.1f},{y(value):.1f}" for step, value in curve)
            parts.append(
                f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2" opacity="0.75"/>'
            )
        along, down = 70 + 190 * (place % 3), HEIGHT + AXIS + 10 + 22 * (place // 3)
        parts.append(f'<rect x="{along}" y="{down - 9}" width="14" height="10" fill="{color}"/>')
        parts.append(f'<text x="{along + 20}" y="{down}">{escape(shorten(name))}</text>')
    return figure(parts, HEIGHT + AXIS + legend + 4, title)


def figure(parts: list[str], height: float, title: str) -> str:
    """The picture with its title."""
    drawn = "".join(parts)
    return (
        f"<figure><figcaption>{escape(title)}</figcaption>"
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">{drawn}</svg></figure>'
    )


def x_axis_name(label: str, left: float, right: float, bottom: float) -> str:
    """What the horizontal axis shows, below its numbers."""
    return (
        f'<text x="{(left + right) / 2:.1f}" y="{bottom + 4:.1f}" text-anchor="middle">{escape(label)}</text>'
    )


def axis_x(x: Any, marks: list[float], top: float, bottom: float) -> str:
    """Vertical grid lines with their numbers below."""
    return "".join(
        f'<line class="grid" x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{top}" y2="{bottom}"/>'
        f'<text x="{x(mark):.1f}" y="{bottom + 18}" text-anchor="middle">{number(mark)}</text>'
        for mark in marks
    )


def span(values: Sequence[float]) -> tuple[float, float]:
    """Lowest and highest finite value, never the same."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 1.0)
    room = (high - low) * 0.04 or max(abs(high) * 0.1, 0.5)
    return low - room, high + room


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between two ends."""
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = math.ceil(low / step)
    return [place * step for place in range(first, math.floor(high / step) + 1)]


def number(value: float) -> str:
    """A tick's number."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def shorten(name: str, most: int = 24) -> str:
    """A name that fits."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
