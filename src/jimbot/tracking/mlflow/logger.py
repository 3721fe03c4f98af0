"""``MLflowLogger``: parameters, live metrics, artifacts, registered models and comparison of runs in MLflow.

It needs no server: without one everything is in a sqlite store. With one that is absent, or that goes away, there is
one warning, the run continues in the local store, and ``upload_fallback`` copies it to the server later.
"""

from __future__ import annotations

import re
import tempfile
import time as clock
import uuid
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from jimbot.errors import require
from jimbot.tracking.events import flatten_names
from jimbot.tracking.mlflow.registry import ModelRegistry
from jimbot.tracking.mlflow.store import (
    LONGEST_PARAM,
    LONGEST_TAG,
    MOST_METRICS,
    MOST_PARAMS,
    MOST_TAGS,
    RUN_ID_TAG,
    connect,
    copy_run,
    hide_credentials,
    make_local_uri,
    open_store,
    split_into_batches,
)
from jimbot.tracking.tracker import TrackerWarning, TrackingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

__all__ = ["MLflowLogger"]

NOT_A_NAME_SIGN = re.compile(r"[^\w\-. :/]")
SERVER_ERROR = 500
STATUSES = {"finished": "FINISHED", "failed": "FAILED", "interrupted": "KILLED"}


class MLflowLogger:
    """A run in MLflow. As a context manager it starts and ends the run.

    Attributes:
        experiment_name: the experiment that the run belongs to.
        run_id: MLflow's id of the run; empty before ``start_run``.
        fallback: whether to use the local store if the server fails.
        store: the store that holds the run.
    """

    def __init__(
        self,
        experiment_name: str = "jimbot",
        run_name: str | None = None,
        tracking_uri: str | None = None,
        directory: str | Path = ".",
        tags: Mapping[str, Any] | None = None,
        *,
        batch_size: int = MOST_METRICS,
        fallback: bool = True,
    ) -> None:
        """Open the store.

        Args:
            experiment_name: the experiment; made if it is not there.
            run_name: displayed name; MLflow makes one up if not given.
            tracking_uri: a server (``http://…``) or a database; by default ``MLFLOW_TRACKING_URI``, and without it the
                local store.
            directory: where the local store ``mlflow/`` is.
            tags: of the run.
            batch_size: how many metrics are kept back before they are sent together; at most 1000.
            fallback: whether the local store takes the place of a server that does not answer.
        """
        require("mlflow", "tracking")
        if not 1 <= batch_size <= MOST_METRICS:
            raise TrackingError(f"batch_size must be from 1 to {MOST_METRICS}, got {batch_size}")
        self.experiment_name = experiment_name
        self.run_id = ""
        self._run_name, self._tags = run_name, dict(tags or {})
        self._directory, self._batch_size = Path(directory), batch_size
        self.fallback = fallback
        self._params: dict[str, Any] = {}
        self._pending: list[Any] = []
        self._origin = ""
        self.store = open_store(tracking_uri, self._directory, fallback=fallback)

    # --- the run -----------------------------------------------------------------------------------------------------

    def start_run(self, params: Mapping[str, Any] | None = None, *, origin: str = "") -> str:
        """Start or continue the run and log its parameters; returns MLflow's id of the run.

        Args:
            params: as for ``log_params``.
            origin: an id of yours. If the experiment has a run with it, that run is continued.
        """
        self._origin = origin or uuid.uuid4().hex
        self._params.update(params or {})
        self._begin()
        return self.run_id

    def end_run(self, status: str = "finished") -> None:
        """Send buffered data and end the run: ``finished``, ``failed`` or ``interrupted``."""
        if status not in STATUSES:
            raise TrackingError(f"unknown status {status!r}; expected {', '.join(STATUSES)}")
        self.flush()
        if self.run_id:
            self._try(lambda: self.store.client.set_terminated(self.run_id, status=STATUSES[status]))

    def __enter__(self) -> Self:
        if not self.run_id:
            self.start_run()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        del error, trace
        interrupted = kind is not None and issubclass(kind, KeyboardInterrupt)
        self.end_run("finished" if kind is None else "interrupted" if interrupted else "failed")

    # --- numbers and files -------------------------------------------------------------------------------------------

    def log_params(self, params: Mapping[str, Any]) -> None:
        """Log parameters; nested names are joined by dots. A parameter whose value has changed becomes a tag."""
        self._params.update(params)
        self._try(lambda: self._send_params(params))

    def log_metric(self, name: str, value: float, step: int, time: float | None = None) -> None:
        """Log one metric."""
        self.log_metrics({name: value}, step, time)

    def log_metrics(self, values: Mapping[str, float], step: int, time: float | None = None) -> None:
        """Log metrics of a step. They are sent when a batch is full and at ``flush``.

        Args:
            values: by name. Signs that MLflow does not allow in names become ``_``.
            step: the environment step or episode.
            time: seconds since 1970; now, if not given.
        """
        entities = require("mlflow.entities", "tracking")
        milliseconds = int((clock.time() if time is None else time) * 1000)
        self._pending += [
            entities.Metric(NOT_A_NAME_SIGN.sub("_", name), float(value), milliseconds, step)
            for name, value in values.items()
        ]
        if len(self._pending) >= self._batch_size:
            self.flush()

    def flush(self) -> None:
        """Send buffered metrics."""
        while self._pending:
            part = self._pending[:MOST_METRICS]
            self._try(partial(self._send_metrics, part))
            del self._pending[: len(part)]

    def log_artifact(self, path: str | Path, folder: str | None = None) -> None:
        """Log a file, or a directory under its own name."""
        given = Path(path)
        if not given.exists():
            raise TrackingError(f"there is no file {given} to keep with the run")
        if given.is_dir():
            place = "/".join(filter(None, [folder, given.name]))
            self._try(lambda: self.store.client.log_artifacts(self._require_started(), str(given), place))
        else:
            self._try(lambda: self.store.client.log_artifact(self._require_started(), str(given), folder))

    def log_text(self, text: str, name: str) -> None:
        """Log a text as a file."""
        self._try(lambda: self.store.client.log_text(self._require_started(), text, name))

    def log_figure(self, figure: Any, name: str) -> None:
        """Log a Matplotlib figure as an image; the extension of the name decides its format."""
        place = Path(name)
        with tempfile.TemporaryDirectory() as directory:
            picture = Path(directory) / place.name
            figure.savefig(picture)
            folder = place.parent.as_posix()
            self.log_artifact(picture, None if folder == "." else folder)

    def log_model(self, directory: str | Path, name: str = "model") -> str:
        """Log the directory of a model, and return the URI of the copy. ``register_model`` logs it as well."""
        source = Path(directory)
        if not source.is_dir():
            raise TrackingError(f"{source} is not the directory of a model")
        folder = f"models/{name}"
        self._try(lambda: self.store.client.log_artifacts(self._require_started(), str(source), folder))
        return f"{self.store.client.get_run(self.run_id).info.artifact_uri}/{folder}"

    def set_tags(self, tags: Mapping[str, Any]) -> None:
        """Set tags of the run."""
        self._tags.update(tags)
        self._try(lambda: self._send_tags(tags))

    # --- registry and comparison -------------------------------------------------------------------------------------

    @property
    def registry(self) -> ModelRegistry:
        """The model registry of the store."""
        return ModelRegistry(self.store)

    def register_model(
        self,
        directory: str | Path,
        name: str,
        alias: str | None = None,
        stage: str | None = None,
        tags: Mapping[str, Any] | None = None,
    ) -> int:
        """Log the directory of a model and register it as a new version; returns the version.

        Args:
            directory: the model's files.
            name: of the registered model; made if it is not there.
            alias: points at this version from now on, such as ``champion``.
            stage: ``Staging``, ``Production`` or another word: kept as the tag ``stage`` and as an alias in lower case.
            tags: of the version.
        """
        source = self.log_model(directory, f"{name}-{uuid.uuid4().hex[:8]}")  # versions of one run stay apart
        return self.registry.register(source, name, self.run_id, alias=alias, stage=stage, tags=tags)

    def register_once(self, directory: str | Path, name: str, step: int, alias: str | None = None) -> int:
        """Register a model at a step of this run, unless that has been done; returns the version.

        Args:
            directory: the model's files.
            name: of the registered model; made if it is not there.
            step: kept as the version's tag ``step``.
            alias: points at this version from now on.
        """
        known = self.registry.version_of(name, self._require_started(), step)
        if known is not None:
            return known
        return self.register_model(directory, name, alias, tags={"step": step})

    def load_registered(
        self, name: str, alias: str | None = None, destination: str | Path | None = None
    ) -> Path:
        """Return a directory with the files of a registered model; without an alias, of its newest version.

        Args:
            name: of the registered model.
            alias: which version.
            destination: where files of a server are copied to; a temporary directory, if not given.
        """
        return self.registry.load(name, alias, destination)

    def compare_runs(
        self, experiment: str | None = None, metrics: list[str] | None = None
    ) -> list[dict[str, Any]]:
        """Return the runs of an experiment, newest first: run_id, name, status, seconds, ``params.…`` and last
        ``metrics.…``.

        Args:
            experiment: its name; this logger's own, if not given.
            metrics: only these.
        """
        from jimbot.tracking.mlflow.comparison import compare_runs

        self.flush()
        return compare_runs(self.store, experiment or self.experiment_name, metrics)

    def plot_comparison(self, metric: str, path: str | Path, experiment: str | None = None) -> Path:
        """Plot a metric of all runs of an experiment over the steps, and save the image."""
        from jimbot.tracking.mlflow.comparison import plot_comparison

        self.flush()
        return plot_comparison(self.store, experiment or self.experiment_name, metric, Path(path))

    # --- without the server ------------------------------------------------------------------------------------------

    def upload_fallback(self, tracking_uri: str) -> dict[str, str]:
        """Copy this experiment's runs from the local store to a server; returns the new ids by local id. Safe to
        repeat.
        """
        self.flush()
        target = open_store(tracking_uri, self._directory, fallback=False)
        source = connect(make_local_uri(self._directory))
        experiment = source.client.get_experiment_by_name(self.experiment_name)
        if experiment is None:
            return {}
        target_experiment = target.experiment_id(self.experiment_name)
        runs = source.client.search_runs([experiment.experiment_id], max_results=50_000)
        return {run.info.run_id: copy_run(source, run, target, target_experiment) for run in reversed(runs)}

    # --- inside ------------------------------------------------------------------------------------------------------

    def _require_started(self) -> str:
        if not self.run_id:
            raise TrackingError("the MLflow run has not been started; call start_run first")
        return self.run_id

    def _begin(self) -> None:
        def begin() -> None:
            experiment = self.store.experiment_id(self.experiment_name)
            found = self.store.find_run(experiment, self._origin)
            if found is None:
                tags = {RUN_ID_TAG: self._origin}
                found = self.store.client.create_run(experiment, tags=tags, run_name=self._run_name)
            elif found.info.status != "RUNNING":
                self.store.client.update_run(found.info.run_id, status="RUNNING")
            self.run_id = found.info.run_id
            self._send_tags(self._tags)
            self._send_params(self._params)

        self._try(begin)

    def _send_params(self, params: Mapping[str, Any]) -> None:
        entities = require("mlflow.entities", "tracking")
        known = self.store.client.get_run(self._require_started()).data.params
        wanted = {
            NOT_A_NAME_SIGN.sub("_", name): str(value)[:LONGEST_PARAM]
            for name, value in flatten_names(params).items()
        }
        new = [entities.Param(name, value) for name, value in wanted.items() if name not in known]
        for part in split_into_batches(new, MOST_PARAMS):
            self.store.client.log_batch(self.run_id, params=part)
        changed = {name: value for name, value in wanted.items() if known.get(name, value) != value}
        self._send_tags({f"changed.{name}": value for name, value in changed.items()})

    def _send_metrics(self, metrics: list[Any]) -> None:
        self.store.client.log_batch(self._require_started(), metrics=metrics)

    def _send_tags(self, tags: Mapping[str, Any]) -> None:
        entities = require("mlflow.entities", "tracking")
        texts = {NOT_A_NAME_SIGN.sub("_", name): str(value)[:LONGEST_TAG] for name, value in tags.items()}
        items = [entities.RunTag(name, text) for name, text in texts.items()]
        for part in split_into_batches(items, MOST_TAGS):
            self.store.client.log_batch(self._require_started(), tags=part)

    def _try(self, action: Callable[[], object]) -> None:
        """Perform an operation on the store; if the server fails, warn once and continue in the local store."""
        try:
            action()
        except (require("mlflow.exceptions", "tracking").MlflowException, OSError) as error:
            servers_fault = isinstance(error, OSError) or error.get_http_status_code() >= SERVER_ERROR
            if not (self.fallback and servers_fault and self.store.uri.startswith("http")):
                raise
            self._switch_to_fallback(error)
            action()

    def _switch_to_fallback(self, error: Exception) -> None:
        local = make_local_uri(self._directory)
        reason = " ".join(str(error).split())[:300]
        warnings.warn(
            f"the MLflow server {hide_credentials(self.store.uri)} failed: {reason}; the run continues in {local}. "
            "Send it later with MLflowLogger.upload_fallback",
            TrackerWarning,
            stacklevel=4,
        )
        self.store = connect(local, is_fallback=True)
        self.run_id = ""
        self._begin()
