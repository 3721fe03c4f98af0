"""Episodes counted, curves smoothed and drawn, algorithms side by side.

Nothing here needs a training library; Matplotlib is imported only where a picture is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.errors import JimbotError, require
from jimbot.statistics.intervals import mean_interval, wilson_interval
from jimbot.storage.atomic import atomic_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "WINNING_ANTE",
    "BalatroMetrics",
    "Episode",
    "comparison_table",
    "compute_moving_average",
    "plot_training_curves",
    "print_comparison_table",
]

WINNING_ANTE = 8
"""A run is won when the boss of this ante is beaten, which leads to the next ante."""

RECENT_EPISODES = 100
SMOOTHING = 100


@dataclass(frozen=True)
class Episode:
    """One finished run of Balatro.

    Attributes:
        reward: the sum of its rewards.
        ante: the ante it ended in.
        score: the best score of a hand.
        length: how many steps it took.
        won: whether the boss of ante 8 was beaten.
        more: whatever else was given, by name.
    """

    reward: float
    ante: int
    score: float
    length: int
    won: bool
    more: dict[str, float] = field(default_factory=dict[str, float])


class BalatroMetrics:
    """Collects finished episodes and sums them up.

    Attributes:
        episodes: all of them, in order.
    """

    def __init__(self) -> None:
        self.episodes: list[Episode] = []

    def __len__(self) -> int:
        return len(self.episodes)

    def add_episode(
        self, reward: float, ante: int, score: float, length: int, *, won: bool | None = None, **more: float
    ) -> None:
        """Add a finished episode.

        Args:
            reward: the sum of its rewards.
            ante: the ante it ended in.
            score: the best score of a hand.
            length: how many steps it took.
            won: whether it was won; if not given, whether it went beyond ante 8.
            more: further numbers, such as ``money=12`` or ``blinds_cleared=7``; each gets a mean in the summary.
        """
        if length < 0:
            raise JimbotError(f"an episode's length must not be negative, got {length}")
        is_won = ante > WINNING_ANTE if won is None else bool(won)
        extra = {name: float(value) for name, value in more.items()}
        self.episodes.append(Episode(float(reward), int(ante), float(score), int(length), is_won, extra))

    def reset(self) -> None:
        """Forget all episodes."""
        self.episodes.clear()

    def get_summary(self) -> dict[str, float]:
        """The episodes in numbers; only ``episodes`` and ``total_steps`` while there are none.

        Rewards, antes and lengths have mean, standard deviation (n in its denominator) and extremes. Scores span many
        powers of ten, so that they have a median, a maximum and a mean of ``log10(1 + score)``. The win rate and the
        mean reward have the ends of their 95 % intervals (Wilson, Student's t). ``recent_…`` is the last 100 episodes.
        """
        count = len(self.episodes)
        summary: dict[str, float] = {
            "episodes": count,
            "total_steps": sum(each.length for each in self.episodes),
        }
        if not count:
            return summary
        rewards = self.values("reward")
        interval = mean_interval(rewards)
        wins = int(self.values("won").sum())
        win_rate = wilson_interval(wins, count)
        scores = self.values("score")
        recent = slice(-RECENT_EPISODES, None)
        summary |= spread("reward", rewards) | spread("ante", self.values("ante"))
        summary |= spread("length", self.values("length"))
        summary |= {
            "mean_reward_low": interval.low,
            "mean_reward_high": interval.high,
            "median_score": float(np.median(scores)),
            "max_score": float(scores.max()),
            "mean_log10_score": float(np.log10(1.0 + np.maximum(scores, 0.0)).mean()),
            "wins": wins,
            "win_rate": win_rate.estimate,
            "win_rate_low": win_rate.low,
            "win_rate_high": win_rate.high,
            "recent_mean_reward": float(rewards[recent].mean()),
            "recent_mean_ante": float(self.values("ante")[recent].mean()),
            "recent_win_rate": float(self.values("won")[recent].mean()),
        }
        names = dict.fromkeys(name for each in self.episodes for name in each.more)
        return summary | {f"mean_{name}": float(self.values(name).mean()) for name in names}

    def values(self, name: str) -> NDArray[np.float64]:
        """One number of all episodes: float64[episodes]; of a further number, only of the episodes that have it."""
        if name in ("reward", "ante", "score", "length", "won"):
            found = [float(getattr(each, name)) for each in self.episodes]
        else:
            found = [each.more[name] for each in self.episodes if name in each.more]
        return np.array(found, dtype=np.float64)


def spread(name: str, values: NDArray[np.float64]) -> dict[str, float]:
    """Mean, standard deviation and extremes under the names that summaries use."""
    return {
        f"mean_{name}": float(values.mean()),
        f"std_{name}": float(values.std()),
        f"min_{name}": float(values.min()),
        f"max_{name}": float(values.max()),
    }


def compute_moving_average(values: ArrayLike, window: int = SMOOTHING) -> NDArray[np.float64]:
    """The mean of the last ``window`` values up to each value: float64[n] for n values.

    The first means rest on fewer values. Values that are not numbers are left out of the means; a mean of none is NaN.
    """
    if window < 1:
        raise JimbotError(f"a window must hold 1 value at least, got {window}")
    given = np.asarray(values, dtype=np.float64).ravel()
    if not given.size:
        return given
    padded = np.concatenate([np.full(window - 1, np.nan), given])
    windows = np.lib.stride_tricks.sliding_window_view(padded, window)
    counted = np.lib.stride_tricks.sliding_window_view(~np.isnan(padded), window).sum(axis=1)
    sums = np.nansum(windows, axis=1)
    with np.errstate(invalid="ignore"):
        return np.where(counted > 0, sums / np.maximum(counted, 1), np.nan)


def plot_training_curves(
    metrics_dict: Mapping[str, Any],
    save_path: str | Path | None = None,
    *,
    window: int = SMOOTHING,
    title: str | None = None,
) -> Any:
    """Draw one panel per metric: the values, and their moving average over them. The Matplotlib figure.

    Args:
        metrics_dict: by name, either values, or a pair of steps and values of the same length. A mapping of names to
            such values draws several curves, such as one per algorithm, into one panel.
        save_path: a picture to write; its end says which kind.
        window: of the moving average.
        title: above all panels.
    """
    require("matplotlib", "plots")
    from matplotlib.figure import Figure

    if not metrics_dict:
        raise JimbotError("there is nothing to plot; give at least one metric")
    columns = min(2, len(metrics_dict))
    rows = math.ceil(len(metrics_dict) / columns)
    figure: Any = Figure(figsize=(6.0 * columns, 3.5 * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    for panel, (name, values) in zip(panels, metrics_dict.items(), strict=False):
        draw_panel(panel, name, values, window)
    for panel in panels[len(metrics_dict) :]:
        panel.set_visible(False)
    if title:
        figure.suptitle(title)
    if save_path is not None:
        save_figure(figure, Path(save_path))
    return figure


def draw_panel(panel: Any, name: str, values: Any, window: int) -> None:
    """Draw one metric."""
    several = isinstance(values, Mapping)
    curves = cast("Mapping[str, Any]", values) if several else {"": values}
    for label, curve in curves.items():
        steps, points = steps_and_values(name, curve)
        smooth = compute_moving_average(points, min(window, max(1, points.size)))
        (line,) = panel.plot(steps, points, alpha=0.25, linewidth=0.8)
        panel.plot(steps, smooth, color=line.get_color(), linewidth=1.8, label=label or f"mean of {window}")
    panel.set(title=name, xlabel="step")
    panel.grid(alpha=0.3)
    panel.legend(fontsize="small")


def steps_and_values(name: str, curve: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Steps and values of a curve; steps are counted if they are not given."""
    if isinstance(curve, tuple):
        pair = cast("tuple[Any, ...]", curve)
        if len(pair) != 2 or len(pair[0]) != len(pair[1]):
            raise JimbotError(
                f"the metric {name!r} must be values, or a pair of steps and values of one length"
            )
        return np.asarray(pair[0], dtype=np.float64), np.asarray(pair[1], dtype=np.float64)
    points = np.asarray(curve, dtype=np.float64)
    if points.ndim != 1:
        raise JimbotError(f"the metric {name!r} must be a list of numbers, got the shape {points.shape}")
    return np.arange(points.size, dtype=np.float64), points


def save_figure(figure: Any, path: Path) -> None:
    """Write a picture, with one clear error if that is impossible."""
    try:
        with atomic_file(path) as temporary:
            figure.savefig(temporary, dpi=120)
    except (OSError, ValueError) as error:
        raise JimbotError(f"cannot write the picture {path}: {error}") from None


def print_comparison_table(
    results: Mapping[str, Any] | Sequence[Any],
    metrics: Sequence[str] | None = None,
    *,
    sort_by: str = "mean_reward",
    title: str = "Comparison",
    console: Any = None,
) -> None:
    """Print algorithms side by side, the best first.

    Args:
        results: summaries by algorithm, or a list of mappings or dataclasses that have ``algorithm`` or ``name``.
        metrics: the columns; all numbers that any of them has, if not given.
        sort_by: the metric that says which is best; higher is better.
        title: above the table.
        console: a rich console; the terminal, if not given.
    """
    from rich.console import Console

    (console or Console()).print(comparison_table(results, metrics, sort_by=sort_by, title=title))


def comparison_table(
    results: Mapping[str, Any] | Sequence[Any],
    metrics: Sequence[str] | None = None,
    *,
    sort_by: str = "mean_reward",
    title: str = "Comparison",
) -> Any:
    """The table of ``print_comparison_table``, as rich has it."""
    from rich.table import Table

    rows = named_rows(results)
    found = dict.fromkeys(key for _, row in rows for key, value in row.items() if is_number(value))
    columns = list(metrics) if metrics is not None else list(found)
    rows.sort(key=lambda named: number_of(named[1].get(sort_by)), reverse=True)
    table = Table(title=title)
    table.add_column("algorithm")
    for column in columns:
        table.add_column(column, justify="right")
    for place, (name, row) in enumerate(rows):
        cells = [cell(row.get(column)) for column in columns]
        table.add_row(name, *cells, style="bold" if place == 0 and len(rows) > 1 else None)
    return table


def named_rows(results: Mapping[str, Any] | Iterable[Any]) -> list[tuple[str, dict[str, Any]]]:
    """Every result with its name."""
    if isinstance(results, Mapping):
        by_name = cast("Mapping[str, Any]", results)
        return [(str(name), as_row(each)) for name, each in by_name.items()]
    rows = [as_row(each) for each in results]
    return [(str(row.get("algorithm", row.get("name", place + 1))), row) for place, row in enumerate(rows)]


def as_row(result: Any) -> dict[str, Any]:
    """A result as a dictionary."""
    if isinstance(result, BalatroMetrics):
        return dict(result.get_summary())
    if isinstance(result, Mapping):
        return dict(cast("Mapping[str, Any]", result))
    if is_dataclass(result) and not isinstance(result, type):
        return asdict(result)
    raise JimbotError(
        f"a result must be a mapping, a dataclass or BalatroMetrics, got {type(result).__name__}"
    )


def is_number(value: Any) -> bool:
    """Whether a value belongs into a column of numbers."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def number_of(value: Any) -> float:
    """A value to sort by; what is missing or not a number comes last."""
    return float(value) if is_number(value) and not math.isnan(value) else -math.inf


def cell(value: Any) -> str:
    """A value as people read it."""
    if value is None:
        return "-"
    if not is_number(value):
        return str(value)
    if isinstance(value, int) or hasattr(value, "denominator"):  # whole numbers of Python and of NumPy
        return f"{int(value):,}"
    number = float(value)
    return f"{number:,.4g}" if abs(number) < 1e6 else f"{number:.3e}"
