"""The output of a benchmark: a progress bar per experiment while it runs, then a table."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.training.experiments.result import ExperimentResult
    from jimbot.training.experiments.run import ExperimentTask

__all__ = ["BenchmarkProgress", "print_results"]


class BenchmarkProgress:
    """A bar for all experiments and one for each that runs; on anything but a terminal, a line when one ends."""

    def __init__(self, tasks: list[ExperimentTask], *, verbose: bool, console: Console | None = None) -> None:
        self.console = console or Console(stderr=True)
        self.verbose = verbose
        self.total = len(tasks)
        self.done = 0
        self.bars: Progress | None = None
        if verbose and self.console.is_terminal:
            self.bars = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.completed:,.0f} / {task.total:,.0f}"),
                TimeElapsedColumn(),
                console=self.console,
            )
        self._all = self.bars.add_task("experiments", total=self.total) if self.bars is not None else None
        self._rows: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        if self.bars is not None:
            self.bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.bars is not None:
            self.bars.stop()

    def known(self, task: ExperimentTask, result: ExperimentResult | None) -> None:
        """Tell of one that need not be run."""
        if result is not None:
            self._count(f"{describe(task)}: {result.status} before, {outcome(result)}")

    def begin(self, task: ExperimentTask) -> None:
        """Show that one runs."""
        if self.bars is not None:
            self._rows[task.key] = self.bars.add_task(
                f"  {describe(task)}", total=task.config.total_timesteps
            )

    def steps(self, task: ExperimentTask, steps: int) -> None:
        """Show how far it is."""
        if self.bars is not None:
            self.bars.update(self._rows[task.key], completed=steps)

    def end(self, task: ExperimentTask, result: ExperimentResult) -> None:
        """Show that it is done."""
        if self.bars is not None:
            self.bars.remove_task(self._rows.pop(task.key))
        self._count(f"{describe(task)}: {outcome(result)}")

    def _count(self, line: str) -> None:
        self.done += 1
        if self.bars is not None and self._all is not None:
            self.bars.update(self._all, completed=self.done)
        if self.verbose:
            self.console.print(
                f"[{self.done}/{self.total}] {line}", markup=False, highlight=False, soft_wrap=True
            )


def describe(task: ExperimentTask) -> str:
    """Name and seed."""
    return f"{task.config.label}, seed {task.config.seed}"


def outcome(result: ExperimentResult) -> str:
    """A result in one line."""
    if not result.finished:
        return f"failed: {result.error}"
    return (
        f"reward {result.mean_reward:.3f} ± {result.std_reward:.3f}, "
        f"{result.steps_per_second:,.0f} steps/s, {result.wall_seconds:.1f} s"
    )


def print_results(results: list[ExperimentResult], directory: Path, console: Any = None) -> None:
    """A table of the finished ones, the best first; below it, the errors of the failed."""
    screen = console or Console()
    table = Table(title=f"{directory.name}: {len(results)} experiments", title_justify="left")
    table.add_column("experiment")
    for column in ("seed", "reward", "±", "steps/s", "seconds", "memory", "steps"):
        table.add_column(column, justify="right")
    finished = [each for each in results if each.finished]
    for each in sorted(finished, key=lambda result: order(result.mean_reward)):
        memory = f"{each.peak_memory_bytes / 1e6:,.0f} MB" if each.peak_memory_bytes is not None else "-"
        table.add_row(
            each.name,
            str(each.seed),
            f"{each.mean_reward:.3f}",
            f"{each.std_reward:.3f}",
            f"{each.steps_per_second:,.0f}",
            f"{each.wall_seconds:.1f}",
            memory,
            f"{each.timesteps:,}",
        )
    screen.print(table)
    for each in results:
        if not each.finished:
            screen.print(f"failed: {each.name}, seed {each.seed}: {each.error}", markup=False, soft_wrap=True)
    screen.print(f"results in {directory / 'results'}", markup=False, soft_wrap=True)


def order(reward: float) -> float:
    """What to sort by: high first, what is not a number last."""
    return math.inf if math.isnan(reward) else -reward
