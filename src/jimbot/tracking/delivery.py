"""Delivery records in the run's directory: what each tracker has received, in ``delivered/NAME-….json``.

The record is what makes replaying idempotent. It is written after the tracker has confirmed the events, so that after a
crash it can say less than was sent, never more; trackers take the same event twice without keeping it twice.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from jimbot.storage.strict_json import dump_json, read_json
from jimbot.tracking.events import UNNUMBERED
from jimbot.tracking.files import make_directory, write_whole
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.tracking.tracker import Tracker

__all__ = ["DELIVERED_DIRECTORY", "Delivery", "forget_deliveries", "get_destination", "rewind_deliveries"]

DELIVERED_DIRECTORY = "delivered"


def get_destination(tracker: Tracker) -> str:
    """Return where a tracker writes to, as text; empty if it does not say."""
    return str(getattr(tracker, "destination", ""))


@dataclass(frozen=True)
class Delivery:
    """The progress of one tracker with one run.

    Attributes:
        tracker: the name of the tracker.
        destination: the place that the tracker writes to.
        sequence: the number of the last confirmed event; -1 before the first.
        cursor: the state that the tracker needs to resume.
        origin: the cursor before the first event; empty if there is none.
    """

    tracker: str
    destination: str
    sequence: int = UNNUMBERED
    cursor: dict[str, Any] = field(default_factory=dict[str, Any])
    origin: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def begun(self) -> bool:
        """Whether the tracker has started this run before."""
        return bool(self.cursor) or self.sequence > UNNUMBERED

    @property
    def key(self) -> str:
        """The delivery's name in cursors."""
        return f"{self.tracker} {self.destination}".strip()

    def path(self, directory: Path) -> Path:
        """Return the record's file in a run's directory."""
        short = f"{zlib.crc32(self.destination.encode()):08x}"
        return directory / DELIVERED_DIRECTORY / f"{self.tracker}-{short}.json"

    def save(self, directory: Path) -> None:
        """Write the record."""
        path = self.path(directory)
        make_directory(path.parent)
        written = {
            "tracker": self.tracker,
            "destination": self.destination,
            "sequence": self.sequence,
            "cursor": self.cursor,
            "origin": self.origin,
        }
        write_whole(path, (dump_json(written, indent=2) + "\n").encode())

    def load(self, directory: Path) -> Delivery:
        """Load the record of this tracker and destination; returns itself if there is none."""
        path = self.path(directory)
        return read_record(path) if path.exists() else self


def read_record(path: Path) -> Delivery:
    """Read the file of a record."""
    try:
        read: Any = read_json(path)
        found = cast("dict[str, Any]", read)
        return Delivery(
            str(found["tracker"]),
            str(found["destination"]),
            int(found["sequence"]),
            dict(found["cursor"]),
            dict(found.get("origin", {})),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TrackingError(f"cannot read {path}: {error}; remove it to send everything again") from None


def list_record_files(directory: Path) -> list[Path]:
    """Return the files of all records of a run."""
    return sorted((directory / DELIVERED_DIRECTORY).glob("*.json"))


def forget_deliveries(directory: Path) -> None:
    """Delete every record, because the run starts anew."""
    for path in list_record_files(directory):
        path.unlink()


def rewind_deliveries(directory: Path, entries: dict[str, Any], last: int) -> None:
    """Rewind every record to a checkpoint, because the events after it have been cut off.

    A tracker that the checkpoint does not know had not begun by then; if it has got further since than what is left, it
    goes back to its origin and gets everything again.

    Args:
        directory: the run directory.
        entries: the deliveries of the checkpoint's cursor, by key.
        last: the number of the last event that is kept.
    """
    for key, entry in entries.items():
        tracker, _, destination = key.partition(" ")
        record = Delivery(tracker, destination).load(directory)
        replace(record, sequence=int(entry["sequence"]), cursor=dict(entry["cursor"])).save(directory)
    for path in list_record_files(directory):
        record = read_record(path)
        if record.sequence <= last:
            continue
        if record.origin:
            replace(record, sequence=UNNUMBERED, cursor=record.origin).save(directory)
        else:
            replace(record, sequence=last).save(directory)
