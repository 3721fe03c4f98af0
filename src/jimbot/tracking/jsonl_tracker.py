"""``events.jsonl``: every event of a run as one line of JSON. Always active; other trackers can be filled from it.

A line reaches the operating system in one unbuffered write, so that a killed process loses nothing it has logged, and
the disk at ``flush``, so that a power cut loses nothing from before it. A write that fails part way is taken back.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from jimbot.tracking.events import EVENTS_FILE, Event, read_whole_lines
from jimbot.tracking.files import append_line, lock_writing, make_directory, writing
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from jimbot.storage.directory_lock import DirectoryLock
    from jimbot.tracking.run_info import RunInfo

__all__ = ["JsonlTracker"]

TAIL_BYTES = 1 << 16


class JsonlTracker:
    """Appends events to ``events.jsonl`` in the run's directory.

    Attributes:
        path: the file; set when tracking starts or resumes.
        next_sequence: the number the next event must have.
        last_step: the step of the last event; 0 before the first.
    """

    path: Path

    def __init__(self) -> None:
        self.next_sequence = 0
        self.last_step = 0
        self._file: BinaryIO | None = None
        self._lock: DirectoryLock | None = None
        self._size = 0

    def start(self, run: RunInfo) -> None:
        """Start an empty file; ``TrackingError`` if the directory already has events."""
        path = run.directory / EVENTS_FILE
        if path.exists() and path.stat().st_size:
            raise TrackingError(
                f"{path} already holds the events of a run; resume that run, start with overwrite, or give another "
                "directory"
            )
        self._open(run)
        self.next_sequence, self._size = 0, 0

    def start_over(self, run: RunInfo) -> None:
        """Start an empty file and discard any previous one."""
        self._open(run)
        self._cut(0)
        self.next_sequence = 0

    def resume(self, run: RunInfo, cursor: dict[str, Any]) -> None:
        """Continue from a cursor; whatever was written after it, such as a partial line, is cut off."""
        path = run.directory / EVENTS_FILE
        size, sequence = int(cursor["bytes"]), int(cursor["sequence"])
        check_cursor(path, size, sequence)
        self._open(run)
        self._cut(size)
        self._go_on(size)

    def resume_at_end(self, run: RunInfo) -> None:
        """Continue after the last complete event; a partial line is cut off."""
        size = find_end_of_events(run.directory / EVENTS_FILE)
        self._open(run)
        self._cut(size)
        self._go_on(size)

    def log(self, event: Event) -> None:
        """Append one event. If that fails, the file is left as before and ``TrackingError`` is raised."""
        if event.sequence != self.next_sequence:
            raise TrackingError(f"expected the event {self.next_sequence} of the run, got {event.sequence}")
        file = self._require_open()
        line = event.to_json().encode() + b"\n"
        append_line(file, line, self._size, self.path)
        self._size += len(line)
        self.next_sequence += 1
        self.last_step = event.step

    def flush(self) -> None:
        """Flush the events to disk."""
        if self._file is not None:
            with writing(self.path):
                os.fsync(self._file.fileno())

    def cursor(self) -> dict[str, Any]:
        """Return the file's size in bytes and the number of events in it."""
        return {"bytes": self._size, "sequence": self.next_sequence}

    def close(self) -> None:
        """Flush the events to disk and close the file."""
        try:
            self.flush()
        finally:
            if self._file is not None:
                self._file.close()
                self._file = None
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    def _require_open(self) -> BinaryIO:
        if self._file is None:
            raise TrackingError("the event file is not open; start or resume it first")
        return self._file

    def _open(self, run: RunInfo) -> None:
        make_directory(run.directory)
        self.path = run.directory / EVENTS_FILE
        lock = lock_writing(run.directory)
        try:
            with writing(self.path):
                self._file = self.path.open("ab", buffering=0)
        except TrackingError:
            lock.release()
            raise
        self._lock = lock

    def _cut(self, size: int) -> None:
        file = self._require_open()
        with writing(self.path):
            file.truncate(size)
            os.fsync(file.fileno())
        self._size = size

    def _go_on(self, size: int) -> None:
        last = find_event_ending_at(self.path, size) if size else None
        self.next_sequence = last.sequence + 1 if last else 0
        self.last_step = last.step if last else 0


def check_cursor(path: Path, size: int, sequence: int) -> None:
    """Raise unless the event file starts with the events it had when the cursor was taken."""
    try:
        found = path.stat().st_size
    except OSError as error:
        raise TrackingError(
            f"cannot resume: {path}: {error.strerror}; the checkpoint belongs to another run directory, or the file "
            "was removed"
        ) from None
    if found < size:
        raise TrackingError(
            f"cannot resume: {path} has {found} bytes, the checkpoint was made at {size}; resume from an earlier one"
        )
    last = find_event_ending_at(path, size) if size else None
    if (last.sequence + 1 if last else 0) != sequence:
        raise TrackingError(
            f"cannot resume: {path} is not as it was when the checkpoint was made; it belongs to another run"
        )


def find_event_ending_at(path: Path, size: int) -> Event | None:
    """Return the event whose line ends at a byte offset; None if there is none."""
    reach = TAIL_BYTES
    with path.open("rb") as file:
        while True:
            start = max(0, size - reach)
            file.seek(start)
            block = file.read(size - start)
            line_start = block.rfind(b"\n", 0, -1) + 1
            if line_start or not start:
                break
            reach *= 4  # a line longer than the block
    if not block.endswith(b"\n"):
        return None
    try:
        return Event.from_json(block[line_start:])
    except TrackingError:
        return None


def find_end_of_events(path: Path) -> int:
    """Return the number of bytes up to the end of the last complete line of an event file."""
    size = 0
    if path.exists():
        for _, _, size in read_whole_lines(path):  # noqa: B007 - the last end counts
            pass
        if size and find_event_ending_at(path, size) is None:
            raise TrackingError(f"{path} is damaged: its last line is not an event; resume from a checkpoint")
    return size
