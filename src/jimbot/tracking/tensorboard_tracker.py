"""TensorBoard: scalars, texts and the configuration, in one event file in the run's directory.

TensorBoard's own record format is written, with neither torch nor TensorFlow. There is one file per run and its length
is part of the cursor, so that a resumed run is cut exactly where it left off and shows no point twice.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from jimbot.errors import require
from jimbot.tracking.events import flatten_names
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from jimbot.tracking.events import Event, Value
    from jimbot.tracking.run_info import RunInfo

__all__ = ["TensorboardTracker"]

DIRECTORY = "tensorboard"
OWN_FILES = "events.out.tfevents.*.jimbot"
FILE_VERSION = "brain.Event:2"
RLLIB_NAMES = {
    "rollout/mean_reward": "episode_reward_mean",
    "rollout/mean_length": "episode_len_mean",
    "train/policy_gradient_loss": "policy_loss",
    "train/value_loss": "value_loss",
    "train/entropy": "entropy",
    "train/kl": "kl_divergence",
}
"""Names that RLlib's users look for; runs of that backend have their charts under both."""


class TensorboardTracker:
    """Writes a TensorBoard event file.

    Attributes:
        destination: the directory, unless it is the run's own.
    """

    def __init__(self, directory: str | None = None) -> None:
        """Check that the library is there.

        Args:
            directory: where the event file goes; ``tensorboard`` in the run's directory if not given.
        """
        self._event_class: Any = require("tensorboard.compat.proto.event_pb2", "tracking").Event
        self._summary: Any = require("tensorboard.compat.proto.summary_pb2", "tracking")
        self._record_writer: Any = require(
            "tensorboard.summary.writer.record_writer", "tracking"
        ).RecordWriter
        self._directory = directory
        self.destination = directory or ""
        self._file: BinaryIO | None = None
        self._records: Any = None
        self._path: Path | None = None
        self._run: RunInfo | None = None

    def start(self, run: RunInfo) -> None:
        """Start a new file, and delete one that an overwritten run left there."""
        self._run = run
        directory = self._place(run)
        directory.mkdir(parents=True, exist_ok=True)
        for old in directory.glob(OWN_FILES):
            if self._directory is None or run.run_id in old.name:
                old.unlink()
        # TensorBoard finds files by "tfevents" in their name and reads them in the order of their names.
        self._open(directory / f"events.out.tfevents.0000000000.{run.run_id}.jimbot")

    def resume(self, run: RunInfo, cursor: dict[str, Any]) -> None:
        """Truncate the file at the cursor and continue."""
        path = self._place(run) / cursor["file"]
        size = path.stat().st_size
        if size < cursor["bytes"]:
            raise TrackingError(f"{path} has {size} bytes, expected at least {cursor['bytes']}")
        os.truncate(path, cursor["bytes"])
        self._run = run
        self._open(path)

    def log(self, event: Event) -> None:
        """Write the event's numbers and texts; the first event also brings the configuration."""
        if event.kind == "run_started":
            self._write(event.time, 0, file_version=FILE_VERSION)
            self._write_text(event.time, event.step, "run", self._description())
        values = [
            self._summary.Summary.Value(tag=name, simple_value=value)
            for name, value in self._charts(event).items()
        ]
        if values and event.kind in ("metrics", "episode", "evaluation"):
            self._write(event.time, event.step, summary=self._summary.Summary(value=values))
        if event.kind in ("text", "metrics", "evaluation"):
            for name, value in event.values.items():
                if isinstance(value, str):
                    self._write_text(event.time, event.step, event.chart_name(name), value)

    def flush(self) -> None:
        """Flush everything to disk."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())

    def cursor(self) -> dict[str, Any]:
        """Return the file's name and length."""
        if self._path is None:
            return {}
        return {"file": self._path.name, "bytes": self._path.stat().st_size}

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            try:
                self.flush()
            finally:
                self._file.close()
                self._file = None

    def _charts(self, event: Event) -> dict[str, float]:
        """The event's numbers by chart; those of RLlib's runs under its names too."""
        numbers = dict(event.numbers())
        if self._run is not None and self._run.config.get("backend") == "rllib" and event.kind == "metrics":
            numbers |= {RLLIB_NAMES[name]: value for name, value in numbers.items() if name in RLLIB_NAMES}
        return numbers

    def _description(self) -> str:
        run = self._run
        if run is None:
            return ""
        rows = {
            **flatten_names(run.config),
            **flatten_names(run.tags, "tag."),
            **flatten_names(run.provenance, "provenance."),
        }
        return format_table({"name": run.name, "run_id": run.run_id, **rows})

    def _place(self, run: RunInfo) -> Path:
        return run.directory / (self._directory or DIRECTORY)

    def _open(self, path: Path) -> None:
        self._path = path
        self._file = path.open("ab")
        self._records = self._record_writer(self._file)

    def _write(self, time: float, step: int, **content: Any) -> None:
        record = self._event_class(wall_time=time, step=step, **content)
        self._records.write(record.SerializeToString())

    def _write_text(self, time: float, step: int, tag: str, text: str) -> None:
        metadata = self._summary.SummaryMetadata
        tensor = require("tensorboard.compat.proto.tensor_pb2", "tracking").TensorProto(
            dtype="DT_STRING",
            string_val=[text.encode()],
            tensor_shape={"dim": [{"size": 1}]},
        )
        value = self._summary.Summary.Value(
            tag=f"{tag}/text_summary",
            metadata=metadata(plugin_data=metadata.PluginData(plugin_name="text")),
            tensor=tensor,
        )
        self._write(time, step, summary=self._summary.Summary(value=[value]))


def format_table(values: dict[str, Value]) -> str:
    """Format names and values as a Markdown table, which TensorBoard renders."""
    rows = [f"| {name} | {str(value).replace('|', '&#124;')} |" for name, value in values.items()]
    return "\n".join(["| name | value |", "| --- | --- |", *rows])
