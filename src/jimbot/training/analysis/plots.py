"""Pictures of an analysis that a paper could print."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.errors import require
from jimbot.training.metrics import save_figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from jimbot.training.analysis.comparison import Group, Ranked

__all__ = ["colors_of", "draw_quality", "draw_ranking"]

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#555555")
"""Told apart by color-blind readers too."""
POINTS = 200
RESOLUTION = 200


def colors_of(ranking: Sequence[Ranked]) -> dict[str, str]:
    """A color for every group; by the order of quality, so that a group has one color in all charts."""
    return {each.name: COLORS[place % len(COLORS)] for place, each in enumerate(ranking)}


def new_figure(width: float, height: float) -> Any:
    """An empty figure that needs no screen."""
    require("matplotlib", "plots")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", dpi=RESOLUTION)
    FigureCanvasAgg(figure)
    return figure


def draw_ranking(ranking: Sequence[Ranked], label: str, colors: Mapping[str, str], path: Path) -> Path:
    """Values with their intervals, the best on top."""
    figure = new_figure(6.0, 1.2 + 0.45 * len(ranking))
    dots(figure.add_subplot(), ranking, label, colors)
    save_figure(figure, path)
    return path


def draw_quality(ranking: Sequence[Ranked], groups: Sequence[Group], path: Path) -> Path:
    """Final rewards with intervals, and the learning curves with their range over seeds."""
    figure = new_figure(10.0, max(3.4, 1.2 + 0.45 * len(ranking)))
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.3])
    colors = colors_of(ranking)
    dots(left, ranking, "reward (interquartile mean, 95 %)", colors)
    for group in groups:
        steps, curves = on_common_steps(group)
        if not len(steps):
            continue
        right.plot(steps, curves.mean(axis=0), color=colors[group.name], label=group.name)
        if len(curves) > 1:
            right.fill_between(
                steps, curves.min(axis=0), curves.max(axis=0), color=colors[group.name], alpha=0.15, lw=0
            )
    right.set(xlabel="environment steps", ylabel="reward")
    right.grid(alpha=0.3)
    if right.get_lines():
        right.legend(frameon=False)
    save_figure(figure, path)
    return path


def dots(axes: Any, ranking: Sequence[Ranked], label: str, colors: Mapping[str, str]) -> None:
    """A dot with its interval per group."""
    for place, each in enumerate(ranking):
        color = colors[each.name]
        if each.interval is not None:
            axes.plot([each.interval.low, each.interval.high], [place, place], color=color, linewidth=2)
        if math.isfinite(each.value):
            axes.plot([each.value], [place], "o", color=color, markersize=7)
    axes.set_yticks(range(len(ranking)), [each.name for each in ranking])
    axes.set_ylim(len(ranking) - 0.5, -0.5)
    axes.set_xlabel(label)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def on_common_steps(group: Group) -> tuple[Any, Any]:
    """Steps that all trainings of a group have, and their curves on them: float[points], float[runs, points]."""
    curves: list[Any] = [
        np.array([(step, value) for step, value in zip(run.steps, run.values, strict=True) if value == value])
        for run in group.runs
    ]
    curves = [curve for curve in curves if len(curve) > 1]
    if not curves:
        return np.empty(0), np.empty((0, 0))
    first, last = max(curve[0, 0] for curve in curves), min(curve[-1, 0] for curve in curves)
    steps: Any = np.linspace(float(first), float(last), POINTS)
    joined: list[Any] = [np.interp(steps, curve[:, 0], curve[:, 1]) for curve in curves]
    return steps, np.array(joined)
