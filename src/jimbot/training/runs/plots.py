"""Plots of a run, from its event file alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jimbot.errors import MissingExtraError, require
from jimbot.storage.atomic import atomic_file
from jimbot.tracking.events import EVENTS_FILE, read_events

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["learning_curves", "plot_run"]

PANELS = (
    ("reward", ("rollout/mean_reward", "evaluation/mean_reward")),
    ("blinds cleared", ("rollout/mean_blinds", "evaluation/mean_blinds")),
    ("episode length", ("rollout/mean_length", "evaluation/mean_length")),
    ("win rate", ("rollout/win_rate", "evaluation/win_rate")),
    ("entropy, in nats", ("train/entropy",)),
    ("value loss", ("train/value_loss",)),
)


def learning_curves(run: Path) -> dict[str, tuple[list[int], list[float]]]:
    """Steps and values of every number that was logged, by name; an entropy loss gives the entropy too."""
    curves: dict[str, tuple[list[int], list[float]]] = {}
    for event in read_events(run / EVENTS_FILE):
        if event.kind in ("metrics", "evaluation"):
            for name, value in event.numbers().items():
                steps, values = curves.setdefault(name, ([], []))
                steps.append(event.step)
                values.append(value)
    loss = curves.get("train/entropy_loss")
    if loss is not None and "train/entropy" not in curves:
        curves["train/entropy"] = (loss[0], [-value for value in loss[1]])
    return curves


def plot_run(run: Path) -> list[Path]:
    """Draw ``plots/training.png``; nothing if matplotlib is not installed or nothing was logged."""
    curves = learning_curves(run)
    panels = [(title, [name for name in names if name in curves]) for title, names in PANELS]
    panels = [(title, names) for title, names in panels if names]
    if not panels:
        return []
    try:
        require("matplotlib", "plots")
    except MissingExtraError:
        return []
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = (len(panels) + 1) // 2
    figure = Figure(figsize=(11, 3.2 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    for number, (title, names) in enumerate(panels, start=1):
        axes: Any = figure.add_subplot(rows, 2, number)
        for name in names:
            steps, values = curves[name]
            axes.plot(
                steps, values, marker="o" if len(steps) < 30 else None, markersize=3, label=name.split("/")[0]
            )
        axes.set_title(title)
        axes.set_xlabel("environment steps")
        axes.set_ylabel(title)
        axes.grid(alpha=0.3)
        if len(names) > 1:
            axes.legend()
    directory = run / "plots"
    directory.mkdir(exist_ok=True)
    target = directory / "training.png"
    with atomic_file(target) as temporary:
        cast("Any", figure).savefig(temporary, dpi=110)
    return [target]
