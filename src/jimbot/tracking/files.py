"""Files that survive a crash: written beside and renamed, forced to disk, and one writer at a time."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

__all__ = ["WriterLock", "make_directory", "write_whole", "writing"]


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
    """Give a file this content at one instant: a reader or a crash finds the old content or the new, never a part."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    with writing(path):
        try:
            with partial.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)


class WriterLock:
    """Keeps a second process from writing into a run's directory. The system lets go of it when its process ends.

    It is a POSIX record lock on a file that nothing else opens: forked children do not inherit it, so that workers
    which outlive a killed trainer do not keep the run locked. Where the system has no such locks, nothing is locked.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / ".writer"
        self._file: Any = None

    def acquire(self) -> None:
        """Take the lock; ``TrackingError`` if another process has it."""
        try:
            import fcntl
        except ImportError:
            return
        with writing(self._path):
            self._file = self._path.open("ab")
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.release()
            raise TrackingError(
                f"another process is writing into {self._path.parent}; wait for it to end, or give another directory"
            ) from None

    def release(self) -> None:
        """Let go of the lock."""
        if self._file is not None:
            self._file.close()
            self._file = None
