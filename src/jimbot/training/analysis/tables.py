"""An analysis as text: rankings, comparisons and what they do and do not tell."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jimbot.statistics.intervals import Interval
    from jimbot.training.analysis.comparison import Comparison, Ranked
    from jimbot.training.performance_analysis import PerformanceAnalyzer

__all__ = ["comparison_sentence", "interval_text", "number_text", "print_analysis"]


def print_analysis(analyzer: PerformanceAnalyzer, console: Any = None) -> None:
    """Print one table of all groups, then a sentence per comparison and failure."""
    from rich.console import Console
    from rich.table import Table

    screen = console or Console()
    quality = analyzer.rank_quality()
    speed = {each.name: each for each in analyzer.rank_throughput()}
    soon = {each.name: each for each in analyzer.rank_convergence()}
    table = Table(title="performance", title_justify="left")
    table.add_column("rank", justify="right")
    table.add_column("name")
    for column in ("runs", "reward", "95 %", "steps/s", "steps/h", "90 % after"):
        table.add_column(column, justify="right")
    for each in quality:
        table.add_row(*row_of(each, speed[each.name], soon[each.name]))
    screen.print(table)
    for comparison in analyzer.comparisons():
        screen.print(comparison_sentence(comparison), markup=False, highlight=False, soft_wrap=True)
    for failed in analyzer.failed:
        screen.print(
            f"failed: {failed.name}, seed {failed.seed}: {failed.error}", markup=False, soft_wrap=True
        )


def row_of(quality: Ranked, speed: Ranked, soon: Ranked) -> list[str]:
    """A group's cells."""
    after = "never" if math.isinf(soon.value) else f"{soon.value:,.1f} s"
    return [
        f"{quality.rank}{'=' if quality.tied_with else ''}",
        quality.name,
        str(quality.runs),
        number_text(quality.value),
        interval_text(quality.interval),
        number_text(speed.value),
        number_text(speed.value * 3600),
        after,
    ]


def number_text(value: float) -> str:
    """A number as people read it."""
    if math.isnan(value):
        return "not a number"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def interval_text(interval: Interval | None) -> str:
    """The ends of an interval."""
    return "-" if interval is None else f"{number_text(interval.low)} to {number_text(interval.high)}"


def comparison_sentence(each: Comparison) -> str:
    """Describe a comparison: which one is better and how surely, or that the data cannot tell."""
    words = (
        f"{each.first} - {each.second}: {each.difference.estimate:+.3g} "
        f"({interval_text(each.difference)}, {each.difference.count} common {each.unit})"
    )
    if each.told_apart:
        return f"{words}; better with probability {each.improvement.estimate:.0%}"
    if each.seeds_needed is None:
        return f"{words}; no difference"
    return f"{words}; no significant difference, about {each.seeds_needed:,} common {each.unit} are needed to find one"
