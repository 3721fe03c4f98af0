"""The MLflow tracker: configuration as parameters, metrics in batches, files as artifacts, registered models.

Without a server the runs of one directory share the sqlite store beside them, so that they can be compared. An event
that is sent twice is kept once, since name, value, step and time are the same.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import require
from jimbot.tracking.mlflow.logger import MLflowLogger
from jimbot.tracking.mlflow.store import hide_credentials
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from jimbot.tracking.events import Event
    from jimbot.tracking.run_info import RunInfo

__all__ = ["MLflowTracker"]


class MLflowTracker:
    """Logs a run to MLflow, in its own thread.

    Attributes:
        destination: the server or database (unless it is the local store) and the experiment.
    """

    background = True
    keeps_files = True

    def __init__(
        self,
        uri: str | None = None,
        experiment: str = "jimbot",
        directory: str | None = None,
        fallback: bool = True,
    ) -> None:
        """Check that the library is there.

        Args:
            uri: a server or a database; by default ``MLFLOW_TRACKING_URI``, and without it the local store.
            experiment: the experiment the run belongs to.
            directory: where the local store ``mlflow/`` is; beside the run's directory, if not given.
            fallback: whether the local store takes the place of a server that does not answer.
        """
        for module in ("mlflow", "sqlalchemy", "alembic"):
            require(module, "tracking")
        self._uri, self._experiment, self._directory, self._fallback = uri, experiment, directory, fallback
        server = hide_credentials(uri or os.environ.get("MLFLOW_TRACKING_URI") or "")
        self.destination = f"{server} {experiment}".strip()
        self._logger: MLflowLogger | None = None
        self._run: RunInfo | None = None

    def start(self, run: RunInfo) -> None:
        """Start the MLflow run, or continue it if the store already has one for this run."""
        self._run = run
        directory = Path(self._directory) if self._directory else run.directory.parent
        tags = {**run.tags, **{f"provenance.{name}": value for name, value in run.provenance.items()}}
        self._logger = MLflowLogger(
            self._experiment, run.name, self._uri, directory, tags, fallback=self._fallback
        )
        if self._logger.store.is_fallback:
            self.destination = self._experiment
        self._logger.fallback = False  # a server that goes away later is the guard's business
        self._logger.start_run(run.config, origin=run.run_id)

    def resume(self, run: RunInfo, cursor: dict[str, Any]) -> None:
        """Continue the MLflow run. Points logged after the checkpoint stay, since MLflow cannot delete them."""
        del cursor
        self.start(run)

    def log(self, event: Event) -> None:
        """Log metrics, texts and files."""
        logger = self._require_open()
        if event.kind in ("metrics", "episode", "evaluation"):
            logger.log_metrics(event.numbers(), event.step, event.time)
        elif event.kind == "text":
            for name, value in event.values.items():
                logger.log_text(str(value), f"text/{sanitize_name(name)}-{event.step}.txt")
        elif event.kind == "checkpoint":
            logger.set_tags(
                {"last_checkpoint": event.values.get("path", ""), "last_checkpoint_step": event.step}
            )
        elif event.kind == "artifact":
            self._keep(logger, event)
        elif event.kind == "run_ended":
            logger.end_run(str(event.values.get("status", "finished")))

    def flush(self) -> None:
        """Send buffered metrics."""
        self._require_open().flush()

    def cursor(self) -> dict[str, Any]:
        """Return MLflow's id of the run."""
        return {} if self._logger is None else {"run_id": self._logger.run_id}

    def close(self) -> None:
        """Send buffered metrics."""
        if self._logger is not None:
            self._logger.flush()
            self._logger = None

    def _keep(self, logger: MLflowLogger, event: Event) -> None:
        """Log a file or directory as an artifact; register a model once."""
        assert self._run is not None
        values = event.values
        path = self._run.file(str(values["path"]))
        if not path.exists():  # a replay may come after the file has gone
            return
        logger.log_artifact(path, sanitize_name(str(values["name"])) if values.get("name") else None)
        if values.get("model") and path.is_dir():
            alias = str(values["alias"]) if values.get("alias") else None
            logger.register_once(path, sanitize_name(str(values["model"])), event.step, alias=alias)

    def _require_open(self) -> MLflowLogger:
        if self._logger is None:
            raise TrackingError("the tracker mlflow has not been started")
        return self._logger


def sanitize_name(name: str) -> str:
    """Return a name that is valid in paths and in the model registry."""
    return (
        "".join(sign if sign.isalnum() or sign in "-_. " else "_" for sign in name).strip(". ") or "unnamed"
    )
