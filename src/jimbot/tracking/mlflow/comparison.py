"""Comparison of the runs of an MLflow experiment, as rows and as curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.errors import require
from jimbot.storage.atomic import atomic_file
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.tracking.mlflow.store import Store

__all__ = ["compare_runs", "plot_comparison"]

MOST_RUNS = 1000


def list_runs(store: Store, experiment: str) -> list[Any]:
    """Return the runs of an experiment, newest first."""
    found = store.client.get_experiment_by_name(experiment)
    if found is None:
        known = ", ".join(sorted(each.name for each in store.client.search_experiments()))
        raise TrackingError(
            f"there is no experiment {experiment!r} in {store.uri}; the experiments are {known}"
        )
    return list(
        store.client.search_runs(
            [found.experiment_id], max_results=MOST_RUNS, order_by=["attributes.start_time DESC"]
        )
    )


def compare_runs(store: Store, experiment: str, metrics: list[str] | None) -> list[dict[str, Any]]:
    """Compare runs; see ``MLflowLogger.compare_runs``."""
    rows: list[dict[str, Any]] = []
    for run in list_runs(store, experiment):
        ended = run.info.end_time
        row: dict[str, Any] = {
            "run_id": run.info.run_id,
            "name": run.info.run_name,
            "status": run.info.status,
            "seconds": None if ended is None else (ended - run.info.start_time) / 1000,
        }
        row |= {f"params.{name}": value for name, value in sorted(run.data.params.items())}
        row |= {
            f"metrics.{name}": value
            for name, value in sorted(run.data.metrics.items())
            if metrics is None or name in metrics
        }
        rows.append(row)
    return rows


def plot_comparison(store: Store, experiment: str, metric: str, path: Path) -> Path:
    """Plot runs; see ``MLflowLogger.plot_comparison``."""
    require("matplotlib", "plots")
    from matplotlib.figure import Figure

    runs = [run for run in list_runs(store, experiment) if metric in run.data.metrics]
    if not runs:
        raise TrackingError(f"no run of the experiment {experiment!r} has the metric {metric!r}")
    figure: Any = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for run in reversed(runs):
        history = sorted(store.client.get_metric_history(run.info.run_id, metric), key=lambda each: each.step)
        axes.plot([each.step for each in history], [each.value for each in history], label=run.info.run_name)
    axes.set(xlabel="step", ylabel=metric, title=f"{experiment}: {metric}")
    axes.grid(alpha=0.3)
    axes.legend()
    with atomic_file(path) as temporary:
        figure.savefig(temporary, dpi=120)
    return path
