"""Plots: success rates as a heat map, and the course of one therapy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from jimbot.storage.atomic import atomic_file
from jimbot.therapy.model.octants import OCTANTS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jimbot.therapy.course import Course
    from jimbot.therapy.report import Cell

__all__ = ["draw_course", "draw_success_map", "save_course", "save_success_map"]


def _list_unique(values: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(values))


def draw_success_map(cells: Sequence[Cell]) -> Figure:
    """Draw the success rates, one map per therapist: patterns down, mechanisms across, with 95 % intervals."""
    therapists = _list_unique([cell.therapist for cell in cells])
    patterns = _list_unique([cell.pattern for cell in cells])
    mechanisms = _list_unique([cell.mechanism for cell in cells])
    by_place = {(cell.therapist, cell.pattern, cell.mechanism): cell for cell in cells}
    size = (2.5 + 1.7 * len(mechanisms), (1.6 + 0.55 * len(patterns)) * len(therapists))
    figure = Figure(figsize=size, layout="constrained")
    axes: Any = figure.subplots(len(therapists), 1, squeeze=False)
    picture: Any = None
    for axis, therapist in zip(axes[:, 0], therapists, strict=True):
        places = [[by_place[therapist, row, column] for column in mechanisms] for row in patterns]
        rates = np.array([[100 * cell.success_rate for cell in row] for row in places])
        picture = axis.imshow(rates, vmin=0, vmax=100, cmap="viridis", aspect="auto")
        axis.set_title(therapist)
        axis.set_xticks(range(len(mechanisms)), [name.replace("_", "\n") for name in mechanisms], fontsize=8)
        axis.set_yticks(range(len(patterns)), patterns)
        for row, line in enumerate(places):
            for column, cell in enumerate(line):
                text = f"{100 * cell.success_rate:.1f}\n[{100 * cell.wilson_low:.1f}, {100 * cell.wilson_high:.1f}]"
                color = "black" if cell.success_rate > 0.6 else "white"
                axis.text(column, row, text, ha="center", va="center", fontsize=7, color=color)
    canvas: Any = figure
    canvas.colorbar(picture, ax=axes.ravel().tolist(), label="success, %")
    return figure


def draw_course(course: Course) -> Figure:
    """Draw bond and satisfaction above, and the actions of client and therapist below, by session."""
    figure = Figure(figsize=(10, 6), layout="constrained")
    axes: Any = figure.subplots(2, 1, sharex=True)
    above, below = axes
    sessions = [row["session"] for row in course.rows]
    above.plot([0, *sessions], [course.initial_bond, *(row["bond"] for row in course.rows)], color="tab:blue")
    above.set_ylabel("bond", color="tab:blue")
    above.set_ylim(0, 1)
    beside = above.twinx()
    beside.plot([0, *sessions], [course.initial_rs, *(row["rs"] for row in course.rows)], color="tab:orange")
    beside.axhline(course.rs_threshold, color="tab:orange", linestyle=":", linewidth=1)
    beside.set_ylabel("satisfaction (dotted: success)", color="tab:orange")
    above.set_title(
        f"{course.pattern}, {course.mechanism}, seed {course.seed}: {course.ending} after {sessions[-1]} sessions"
    )
    marks = (
        ("client_action", "client", "o", "tab:green"),
        ("therapist_action", "therapist", "x", "tab:red"),
        ("perceived_action", "perceived", ".", "black"),
    )
    for name, label, marker, color in marks:
        below.scatter(sessions, [row[name] for row in course.rows], label=label, marker=marker, s=18, c=color)
    below.set_yticks(range(8), OCTANTS)
    below.set_ylim(-0.5, 7.5)
    below.set_xlabel("session")
    below.legend(loc="upper left", bbox_to_anchor=(1.06, 1))
    return figure


def save_success_map(cells: Sequence[Cell], path: Path) -> None:
    """Write the heat map as a PNG."""
    _save(draw_success_map(cells), path)


def save_course(course: Course, path: Path) -> None:
    """Write the course of a therapy as a PNG."""
    _save(draw_course(course), path)


def _save(figure: Any, path: Path) -> None:
    with atomic_file(path) as temporary:
        figure.savefig(temporary, format="png", dpi=120)
