"""The files of trackers: what the system refuses is one line that says what to do."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.directory_lock import DirectoryLock
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

__all__ = ["append_line", "lock_writing", "make_directory", "write_whole", "writing"]

LOCK = ".writer"


@contextmanager
def writing(path: Path) -> Generator[None]:
    """Turn an operating system's refusal inside the block into one line that names the file and what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise TrackingError(
            f"cannot write {path}: {reason}; make room or give another directory, then resume from the last checkpoint"
        ) from error


def make_directory(path: Path) -> None:
    """Make a directory and its parents, if they are not there."""
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically; refused writes raise the errors of trackers."""
    with writing(path):
        write_file_atomically(path, content)


def append_line(file: BinaryIO, line: bytes, size: int, path: Path) -> None:
    """Append to an unbuffered file; if the line cannot be written whole, the file is as before.

    Args:
        file: a file that is open for appending.
        line: the line to append, including its line end.
        size: bytes the file has now.
        path: the path of the file, for error messages.
    """
    with writing(path):
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[file.write(rest) or 0 :]
        except OSError:
            with suppress(OSError):  # what is torn goes when the run is resumed
                file.truncate(size)
            raise


def lock_writing(directory: Path) -> DirectoryLock:
    """Keep other processes from writing events into a run's directory; ``TrackingError`` if one does."""
    with writing(directory / LOCK):
        return DirectoryLock(directory, what="writes events", name=LOCK, error=TrackingError)
