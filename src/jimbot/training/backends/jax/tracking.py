"""Where ``PPOTrainer`` reports to: the terminal, an experiment logger, a directory."""

from __future__ import annotations

import importlib
import math
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from jimbot.storage.strict_json import write_json
from jimbot.training.backends.jax.plots import write_artifacts

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

__all__ = ["ExperimentLogger", "Tracking", "default_logger", "progress_line"]

EXPERIMENT, MODEL = "jax_ppo", "jax_ppo_agent"


class ExperimentLogger(Protocol):
    """The methods that a logger needs; ``jimbot.tracking.mlflow.logger.MLflowLogger`` has them."""

    def start_run(self, params: Mapping[str, Any] | None = None) -> object:
        """Begin a run with its parameters."""
        ...

    def log_metrics(self, values: Mapping[str, float], step: int) -> object:
        """Log numbers at an episode."""
        ...

    def log_artifact(self, path: str | Path, folder: str | None = None) -> object:
        """Store a file or a directory."""
        ...

    def register_model(self, directory: str | Path, name: str) -> object:
        """Register the model in a directory as a new version."""
        ...

    def end_run(self, status: str = "finished") -> object:
        """End the run: ``finished``, ``failed`` or ``interrupted``."""
        ...


def default_logger() -> ExperimentLogger:
    """The MLflow logger. It uses ``MLFLOW_TRACKING_URI``, or a store in the current directory."""
    module = importlib.import_module("jimbot.tracking.mlflow.logger")
    return cast("ExperimentLogger", module.MLflowLogger(EXPERIMENT))


class Tracking:
    """Reports a run to a logger, to a directory, to both or to neither.

    Args:
        logger: gets parameters, metrics, artifacts, and the model of a run that converged.
        directory: gets the artifacts.
    """

    def __init__(self, logger: ExperimentLogger | None, directory: str | Path | None) -> None:
        self.logger = logger
        self.directory = None if directory is None else Path(directory)

    @contextmanager
    def run(self, settings: Mapping[str, Any]) -> Generator[None]:
        """The context of a run; its end is reported even if it fails."""
        if self.logger is None:
            yield
            return
        self.logger.start_run(settings)
        status = "failed"
        try:
            yield
            status = "finished"
        except KeyboardInterrupt:
            status = "interrupted"
            raise
        finally:
            self.logger.end_run(status)

    def metrics(self, values: Mapping[str, float], episode: int) -> None:
        """Log the numbers of an episode; those that are not finite are left out."""
        if self.logger is not None:
            finite = {name: float(value) for name, value in values.items() if math.isfinite(value)}
            self.logger.log_metrics(finite, episode)

    def save(self, trainer: Any, results: dict[str, Any]) -> None:
        """Write model, results, plots and animation to the directory and to the logger; register a converged model."""
        if self.logger is None and self.directory is None:
            return
        with tempfile.TemporaryDirectory() as scratch:
            target = self.directory or Path(scratch)
            target.mkdir(parents=True, exist_ok=True)
            model = trainer.agent.save(target / "model")
            report = target / "results.json"
            write_json(report, results, nonfinite="null")
            written = [model, report, *write_artifacts(trainer, results, target)]
            if self.logger is None:
                return
            final = results["final_evaluation"]
            self.metrics({f"final_{name}": value for name, value in final.items()}, results["episodes"])
            for path in written:
                self.logger.log_artifact(path)
            if results["converged"]:
                results["model_version"] = self.logger.register_model(model, MODEL)


UPDATE_METRICS = {
    "loss": "loss",
    "entropy": "entropy",
    "approx_kl": "kl",
    "explained_variance": "explained variance",
}
"""Metrics of the last update in a line of progress, and their names there."""


def progress_line(report: Mapping[str, Any]) -> str:
    """One line about an episode, from what a callback gets: ``episode 20: reward 31, average reward 24.5, ...``."""
    metrics = report["step_metrics"]
    parts = [
        f"reward {metrics['episode_reward']:g}",
        f"average reward {metrics['avg_reward']:.2f}",
        f"steps {metrics['total_steps']:.0f}",
        *(f"{words} {metrics[name]:.4g}" for name, words in UPDATE_METRICS.items() if name in metrics),
    ]
    if "eval_metrics" in report:
        measured = report["eval_metrics"]
        parts.append(f"evaluation {measured['avg_reward']:.2f} ± {measured['std_reward']:.2f}")
    return f"episode {report['episode']}: {', '.join(parts)}"
