"""Which training is fastest, which learns soonest, which is best, and how sure that is; in tables, files, a report."""

from __future__ import annotations

import csv
import io
import itertools
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError
from jimbot.storage.atomic import make_directories, write_file_atomically
from jimbot.storage.strict_json import dump_json
from jimbot.training.analysis.comparison import Comparison, Group, Ranked, compare, group_runs, rank
from jimbot.training.analysis.metrics import LEVELS, PerformanceMetrics
from jimbot.training.experiments.result import ExperimentResult

if TYPE_CHECKING:
    from jimbot.statistics.intervals import Interval
    from jimbot.training.analysis.metrics import Goal, Unit

__all__ = ["Comparison", "Group", "PerformanceAnalyzer", "PerformanceMetrics", "Ranked"]


class PerformanceAnalyzer:
    """Collects trainings and compares them. Trainings of one name that differ only in their seed are one group.

    Attributes:
        metrics: of the trainings that finished.
        failed: results that did not.
    """

    def __init__(self, output_dir: str | Path | None = None) -> None:
        """An empty analysis.

        Args:
            output_dir: where relative file names go; the working directory if None.
        """
        self.output_dir = Path(output_dir) if output_dir is not None else None
        self.metrics: list[PerformanceMetrics] = []
        self.failed: list[ExperimentResult] = []
        self._found: dict[str, Any] = {}

    def add_result(self, metrics: PerformanceMetrics | ExperimentResult | str | Path) -> None:
        """Add a benchmark's result, metrics, or a run's directory. A failed result is told of, not ranked."""
        if isinstance(metrics, ExperimentResult) and not metrics.finished:
            self.failed.append(metrics)
            return
        found = PerformanceMetrics.of(metrics)
        envs = {each.env for each in [*self.metrics, found] if each.env}
        if len(envs) > 1:
            raise JimbotError(
                f"rewards on {' and '.join(sorted(envs))} cannot be compared; use an analyzer for each"
            )
        group_runs([*self.metrics, found])
        self.metrics.append(found)
        self._found.clear()

    def add_results(self, metrics: Iterable[PerformanceMetrics | ExperimentResult | str | Path]) -> None:
        """Add several."""
        given: Any = metrics
        if isinstance(given, (str, Path, PerformanceMetrics, ExperimentResult)) or not isinstance(
            given, Iterable
        ):
            raise JimbotError(
                f"add_results: expected a list of results, metrics or run directories, got {type(given).__name__}; "
                "add_result takes one"
            )
        for each in metrics:
            self.add_result(each)

    # --- rankings ---------------------------------------------------------------------------------------------------

    def groups(self) -> list[Group]:
        """The trainings by what they repeat; an error if there are none."""
        if not self.metrics:
            failed = f"; the {len(self.failed)} that were added failed" if self.failed else ""
            raise JimbotError(f"there are no finished results to analyze{failed}; add some with add_results")
        return group_runs(self.metrics)

    def rank_throughput(self) -> list[Ranked]:
        """By steps a second, with intervals and ties."""
        return rank(self.groups(), Group.throughput, highest_first=True)

    def rank_quality(self) -> list[Ranked]:
        """By the interquartile mean of the rewards, with bootstrap intervals and ties."""
        groups = self.groups()
        if "quality" not in self._found:  # a bootstrap is worth keeping
            self._found["quality"] = rank(groups, Group.quality, highest_first=True)
        return list(self._found["quality"])

    def rank_convergence(
        self, share: float = LEVELS[-1], goal: Goal = "final", unit: Unit = "seconds"
    ) -> list[Ranked]:
        """By the time to a share of the final or best level; infinite if a training of the group never got there."""
        return rank(self.groups(), lambda group: group.convergence(share, goal, unit), highest_first=False)

    def get_throughput_ranking(self) -> list[tuple[str, float]]:
        """Names and steps a second, the fastest first."""
        return [(each.name, each.value) for each in self.rank_throughput()]

    def get_convergence_ranking(
        self, share: float = LEVELS[-1], goal: Goal = "final", unit: Unit = "seconds"
    ) -> list[tuple[str, float]]:
        """Names and seconds (or steps) to 90 % of the final level, the soonest first."""
        return [(each.name, each.value) for each in self.rank_convergence(share, goal, unit)]

    def get_quality_ranking(self) -> list[tuple[str, float]]:
        """Names and interquartile mean rewards, the best first; what is not a number last."""
        return [(each.name, each.value) for each in self.rank_quality()]

    def comparisons(self) -> list[Comparison]:
        """Every two groups that have seeds or episodes in common, the better one first."""
        by_name = {group.name: group for group in self.groups()}
        if "comparisons" in self._found:
            return list(self._found["comparisons"])
        ordered = [by_name[each.name] for each in self.rank_quality()]
        found: list[Comparison] = []
        for first, second in itertools.combinations(ordered, 2):
            try:
                found.append(compare(first, second))
            except JimbotError:
                continue  # nothing in common; compare() tells why when it is asked for
        self._found["comparisons"] = found
        return list(found)

    def compare(self, first: str, second: str) -> Comparison:
        """Two groups by name."""
        by_name = {group.name: group for group in self.groups()}
        for name in (first, second):
            if name not in by_name:
                raise JimbotError(f"there is no {name!r}; there are {', '.join(by_name)}")
        return compare(by_name[first], by_name[second])

    # --- tables and files -------------------------------------------------------------------------------------------

    def rows(self) -> list[dict[str, Any]]:
        """One row per training, as the CSV file has it."""
        return [row_of(group.name, run) for group in self.groups() for run in group.runs]

    def print_summary(self, console: Any = None) -> None:
        """Print the rankings with their intervals, and what the comparisons tell."""
        from jimbot.training.analysis.tables import print_analysis

        print_analysis(self, console)

    def export_json(self, filename: str | Path) -> Path:
        """Write rankings, comparisons and every training."""
        document = {
            "rankings": {
                "throughput": [plain_rank(each) for each in self.rank_throughput()],
                "convergence": [plain_rank(each) for each in self.rank_convergence()],
                "quality": [plain_rank(each) for each in self.rank_quality()],
            },
            "comparisons": [plain_comparison(each) for each in self.comparisons()],
            "runs": [
                {
                    **row,
                    "curve": {"steps": run.steps, "values": run.values, "seconds": run.seconds},
                    "scores": run.scores,
                    "provenance": run.provenance,
                }
                for row, run in zip(
                    self.rows(), (run for group in self.groups() for run in group.runs), strict=True
                )
            ],
            "failed": [{"name": each.name, "seed": each.seed, "error": each.error} for each in self.failed],
        }
        return self._write(filename, dump_json(document, indent=1, nonfinite="text") + "\n")

    def export_csv(self, filename: str | Path) -> Path:
        """Write one line per training."""
        rows = self.rows()
        text = io.StringIO()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return self._write(filename, text.getvalue())

    def generate_html_report(self, filename: str | Path = "report.html") -> Path:
        """Write one page that needs nothing else: tables that sort, charts, comparisons, failures, provenance."""
        from jimbot.training.analysis.report_html import report_page

        return self._write(filename, report_page(self))

    def plot_throughput_comparison(self, save_path: str | Path = "throughput.png") -> Path:
        """Draw steps a second with intervals."""
        from jimbot.training.analysis.plots import colors_of, draw_ranking

        colors = colors_of(self.rank_quality())
        return draw_ranking(self.rank_throughput(), "steps per second", colors, self._place(save_path))

    def plot_quality_comparison(self, save_path: str | Path = "quality.png") -> Path:
        """Draw rewards with intervals beside the learning curves."""
        from jimbot.training.analysis.plots import draw_quality

        return draw_quality(self.rank_quality(), self.groups(), self._place(save_path))

    def _place(self, filename: str | Path) -> Path:
        path = Path(filename) if self.output_dir is None else self.output_dir / filename
        try:
            make_directories(path.parent)
        except OSError as error:
            raise JimbotError(f"cannot make the directory {path.parent}: {error.strerror}") from None
        return path

    def _write(self, filename: str | Path, text: str) -> Path:
        path = self._place(filename)
        try:
            write_file_atomically(path, text)
        except OSError as error:
            raise JimbotError(f"cannot write {path}: {error.strerror}") from None
        return path


def row_of(name: str, run: PerformanceMetrics) -> dict[str, Any]:
    """One training as a row of the CSV file."""
    return {
        "name": name,
        "algorithm": run.algorithm,
        "seed": run.seed,
        "mean_reward": run.mean_reward,
        "std_reward": run.std_reward,
        "episodes": len(run.scores),
        "timesteps": run.timesteps,
        "wall_seconds": run.wall_seconds,
        "steps_per_second": run.steps_per_second,
        "steps_per_minute": run.steps_per_minute,
        "steps_per_hour": run.steps_per_hour,
        "peak_memory_bytes": run.peak_memory_bytes,
        **run.convergence(),
        "env": run.env,
        "config_hash": run.config_hash,
        "run_directory": run.run_directory,
    }


def plain_interval(interval: Interval | None) -> dict[str, float] | None:
    """An interval for JSON."""
    if interval is None:
        return None
    return {
        "low": interval.low,
        "high": interval.high,
        "count": interval.count,
        "confidence": interval.confidence,
    }


def plain_rank(entry: Ranked) -> dict[str, Any]:
    """A place for JSON."""
    return {
        "rank": entry.rank,
        "name": entry.name,
        "value": entry.value if not math.isnan(entry.value) else None,
        "interval": plain_interval(entry.interval),
        "runs": entry.runs,
        "tied_with": list(entry.tied_with),
    }


def plain_comparison(each: Comparison) -> dict[str, Any]:
    """A comparison for JSON."""
    return {
        "first": each.first,
        "second": each.second,
        "difference": each.difference.estimate,
        "difference_interval": plain_interval(each.difference),
        "paired_by": each.unit,
        "probability_of_improvement": each.improvement.estimate,
        "probability_interval": plain_interval(each.improvement),
        "pairs_needed": each.seeds_needed,
    }
