"""The identity of a run: name, directory, configuration, tags and provenance, saved as ``run_info.json``."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from jimbot.storage.strict_json import dump_json, read_json
from jimbot.tracking.files import write_whole
from jimbot.tracking.tracker import TrackingError

__all__ = ["RUN_INFO_FILE", "RunInfo"]

RUN_INFO_FILE = "run_info.json"
VERSION = 1


def create_run_id() -> str:
    """Create a unique run id of 16 hexadecimal digits."""
    return uuid.uuid4().hex[:16]


@dataclass(frozen=True)
class RunInfo:
    """What trackers know about a run besides its events.

    Attributes:
        name: the display name.
        directory: the run directory; created if it does not exist.
        config: the configuration, as nested dictionaries.
        tags: short texts for searching runs.
        provenance: the origin of the run: commit, versions, command line.
        run_id: the unique identifier, which stays the same when the run is resumed.
    """

    name: str
    directory: Path
    config: dict[str, Any] = field(default_factory=dict[str, Any])
    tags: dict[str, str] = field(default_factory=dict[str, str])
    provenance: dict[str, Any] = field(default_factory=dict[str, Any])
    run_id: str = field(default_factory=create_run_id)

    def __post_init__(self) -> None:
        object.__setattr__(self, "directory", Path(self.directory))
        if not self.name.strip():
            raise TrackingError("a run needs a name")

    def file(self, path: str) -> Path:
        """Return the path of an ``artifact`` event's file: in the run's directory, or as it is given."""
        own = self.directory / path
        return own if own.exists() else Path(path)

    def save(self) -> None:
        """Write ``run_info.json`` into the run's directory."""
        written = {
            "version": VERSION,
            "name": self.name,
            "run_id": self.run_id,
            "config": self.config,
            "tags": self.tags,
            "provenance": self.provenance,
        }
        text = dump_json(written, indent=2, default=str, nonfinite="null") + "\n"
        write_whole(self.directory / RUN_INFO_FILE, text.encode())

    @staticmethod
    def load(directory: Path) -> RunInfo:
        """Load the run information from a directory."""
        path = Path(directory) / RUN_INFO_FILE
        try:
            read: Any = read_json(path, nonfinite="accept")
        except OSError as error:
            raise TrackingError(
                f"{directory} is not the directory of a tracked run: cannot read {path.name}: {error.strerror}"
            ) from None
        except ValueError as error:
            raise TrackingError(f"{path} is damaged: {error}") from None
        if not isinstance(read, dict) or cast("dict[str, Any]", read).get("version") != VERSION:
            raise TrackingError(f"{path} is not of version {VERSION}; use the jimbot that wrote it")
        found = cast("dict[str, Any]", read)
        return RunInfo(
            name=found["name"],
            directory=Path(directory),
            config=found["config"],
            tags=found["tags"],
            provenance=found["provenance"],
            run_id=found["run_id"],
        )
