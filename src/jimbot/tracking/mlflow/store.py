"""MLflow stores: a local SQLite file, or a server with the local file as fallback.

The local store is ``mlflow/mlflow.db`` in a directory, with artifacts beside it; it has runs and the model registry.
"""

from __future__ import annotations

import logging
import os
import re
import tempfile
import urllib.error
import urllib.request
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import require
from jimbot.tracking.tracker import TrackerWarning, TrackingError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

__all__ = ["Store", "connect", "copy_run", "explain_unreachable", "make_local_uri", "open_store"]

LOCAL_DIRECTORY = "mlflow"
REACH_SECONDS = 5.0
RUN_ID_TAG = "jimbot.run_id"
MOST_METRICS, MOST_PARAMS, MOST_TAGS = 1000, 100, 100
LONGEST_PARAM = 6000
LONGEST_TAG = 5000

# Defaults for servers, unless the environment has others. A call to a server that has gone gives up in half a minute
# instead of several minutes, and MLflow prints no addresses and progress bars between the lines of training.
SERVER_DEFAULTS = {
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "2",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "10",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
}


@dataclass(frozen=True)
class Store:
    """An open store.

    Attributes:
        client: MLflow's client on it.
        uri: the address of the store.
        artifacts: location for the artifacts of new experiments; None lets the server decide.
        is_fallback: whether it replaces a server that did not respond.
    """

    client: Any
    uri: str
    artifacts: str | None
    is_fallback: bool = False

    def experiment_id(self, name: str) -> str:
        """Return the id of an experiment, and create it if necessary."""
        found = self.client.get_experiment_by_name(name)
        if found is not None:
            if found.lifecycle_stage != "active":
                self.client.restore_experiment(found.experiment_id)
            return found.experiment_id
        try:
            return self.client.create_experiment(name, artifact_location=self.artifacts)
        except require("mlflow.exceptions", "tracking").MlflowException:
            found = self.client.get_experiment_by_name(name)  # another process was faster
            if found is None:
                raise
            return found.experiment_id

    def find_run(self, experiment_id: str, run_id: str) -> Any:
        """Return the MLflow run of one of our runs, or None."""
        condition = f"tags.`{RUN_ID_TAG}` = '{run_id}'"
        runs = self.client.search_runs([experiment_id], filter_string=condition, max_results=1)
        return runs[0] if runs else None


def make_local_uri(directory: Path) -> str:
    """Return the URI of the local store in a directory."""
    return f"sqlite:///{(directory / LOCAL_DIRECTORY / 'mlflow.db').absolute()}"


def open_store(tracking_uri: str | None, directory: Path, *, fallback: bool = True) -> Store:
    """Open a store.

    Args:
        tracking_uri: a server or database; the default is ``MLFLOW_TRACKING_URI``, or the local store if it is not set.
        directory: the directory of the local store.
        fallback: whether to use the local store, with one warning, if the server does not respond.
    """
    os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
    uri = tracking_uri or os.environ.get("MLFLOW_TRACKING_URI") or make_local_uri(directory)
    reason = explain_unreachable(uri)
    if reason is None:
        return connect(uri)
    if not fallback:
        raise TrackingError(f"the MLflow server {hide_credentials(uri)} cannot be reached: {reason}")
    local = make_local_uri(directory)
    warnings.warn(
        f"the MLflow server {hide_credentials(uri)} cannot be reached: {reason}; the run is kept in {local}. "
        "Send it later with MLflowLogger.upload_fallback, or with: jimbot track replay",
        TrackerWarning,
        stacklevel=3,
    )
    return connect(local, is_fallback=True)


def connect(uri: str, *, is_fallback: bool = False) -> Store:
    """Open a reachable store."""
    artifacts = None
    if uri.startswith("sqlite:"):
        require("sqlalchemy", "tracking")
        require("alembic", "tracking")
        place = Path(uri.removeprefix("sqlite:///")).parent
        place.mkdir(parents=True, exist_ok=True)
        artifacts = (place / "artifacts").absolute().as_uri()
    elif not re.match(r"\w+(\+\w+)?:", uri):
        raise TrackingError(
            f"not an address of MLflow: {uri!r}; expected http://…, sqlite:///… or another database"
        )
    elif uri.startswith("http"):
        for name, value in SERVER_DEFAULTS.items():
            os.environ.setdefault(name, value)
    tracking = require("mlflow.tracking", "tracking")
    with silence_loggers("mlflow.store.db.utils", "alembic"):
        client = tracking.MlflowClient(tracking_uri=uri, registry_uri=uri)
    return Store(client, uri, artifacts, is_fallback)


def explain_unreachable(uri: str) -> str | None:
    """Return why a server does not answer; None if it does, or if the URI is not a server's."""
    if not uri.startswith(("http://", "https://")):
        return None
    try:
        with urllib.request.urlopen(f"{hide_credentials(uri).rstrip('/')}/health", timeout=REACH_SECONDS):  # noqa: S310
            return None
    except urllib.error.HTTPError:
        return None  # it answers, if only to say that it wants a password
    except urllib.error.URLError as error:
        return str(error.reason)
    except (OSError, ValueError) as error:
        return str(error)


def hide_credentials(uri: str) -> str:
    """Return a URI without user and password."""
    return re.sub(r"//[^/@]*@", "//", uri)


@contextmanager
def silence_loggers(*names: str) -> Generator[None]:
    """Silence MLflow's log messages about creating tables."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def split_into_batches(items: list[Any], size: int) -> Iterator[list[Any]]:
    """Yield the items in lists of at most ``size``."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


def copy_run(source: Store, run: Any, target: Store, experiment_id: str) -> str:
    """Copy a run with its parameters, tags, metric histories and artifacts; returns the id of the copy.

    A run that was copied before, or that the target began itself, is completed: metrics that are there already are kept
    once.
    """
    entities = require("mlflow.entities", "tracking")
    tags = {name: value for name, value in run.data.tags.items() if not name.startswith("mlflow.log-model")}
    origin = tags.setdefault(RUN_ID_TAG, run.info.run_id)
    found = target.find_run(experiment_id, origin)
    if found is None:
        found = target.client.create_run(
            experiment_id, start_time=run.info.start_time, tags=tags, run_name=run.info.run_name
        )
    copied = found.info.run_id
    new = {name: value for name, value in run.data.params.items() if name not in found.data.params}
    for part in split_into_batches([entities.Param(*pair) for pair in new.items()], MOST_PARAMS):
        target.client.log_batch(copied, params=part)
    for name in run.data.metrics:
        history = source.client.get_metric_history(run.info.run_id, name)
        for part in split_into_batches(list(history), MOST_METRICS):
            plain = [entities.Metric(each.key, each.value, each.timestamp, each.step) for each in part]
            target.client.log_batch(copied, metrics=plain)
    with tempfile.TemporaryDirectory() as directory:
        if source.client.list_artifacts(run.info.run_id):
            source.client.download_artifacts(run.info.run_id, "", directory)
            target.client.log_artifacts(copied, directory)
    if run.info.status != "RUNNING":
        target.client.set_terminated(copied, status=run.info.status, end_time=run.info.end_time)
    return copied
