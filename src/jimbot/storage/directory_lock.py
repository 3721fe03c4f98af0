"""One writer at a time for a directory.

The operating system holds the lock and lets it go when its process ends, however it ends; so a lock is never left
behind. The lock file's content only tells others who holds it. On file systems without locks the content decides: its
process must be gone.
"""

from __future__ import annotations

import contextlib
import errno
import os
from typing import TYPE_CHECKING

from jimbot.storage.atomic import write_fully
from jimbot.storage.errors import StorageError
from jimbot.storage.processes import ProcessIdentity
from jimbot.storage.strict_json import dump_json, parse_json

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.errors import JimbotError

__all__ = ["DirectoryLock"]

LOCK_NAME = ".lock"
UNSUPPORTED = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


class DirectoryLock:
    """An exclusive lock on a directory, held until ``release``, its garbage collection or the process's end.

    A forked child does not hold its parent's lock, and does not keep it from being released.

    Args:
        directory: exists.
        what: what its holder does there, for the refusal.
        name: of the lock file; locks of different names do not exclude each other.
        error: the class of error to raise.

    Raises:
        StorageError: Another holder is alive; ``error`` chooses another class.
    """

    def __init__(
        self,
        directory: Path,
        *,
        what: str = "writes",
        name: str = LOCK_NAME,
        error: type[JimbotError] = StorageError,
    ) -> None:
        from filelock import FileLock

        self._error, self._what = error, what
        self._path = directory / name
        self._pid = os.getpid()
        self._without_system = False
        # No soft lock: on systems without locks it would survive its holder. Any thread may release.
        self._lock = FileLock(
            self._path, thread_local=False, fallback_to_soft=False, on_acquired=write_owner_into
        )
        self._take()

    @property
    def held(self) -> bool:
        """Whether this process holds the lock; a fork of the process that took it does not."""
        return self._pid == os.getpid() and (self._without_system or self._lock.is_locked)

    def release(self) -> None:
        """Let others in. The file stays: removing it would let two processes lock two files of one name."""
        if self.held:
            with contextlib.suppress(OSError):  # it only informs
                os.truncate(self._path, 0)
            self._without_system = False
            self._lock.release(force=True)

    def _take(self) -> None:
        from filelock import Timeout

        os.stat(self._path.parent)  # noqa: PTH116 - filelock would make the directory
        owner = owner_written_in(self._path)
        try:
            self._lock.acquire(blocking=False)
        except Timeout:
            raise self._error(self._refusal(owner)) from None
        except OSError as error:
            if error.errno not in UNSUPPORTED:
                raise
            # None: it runs on another machine, and nobody here can say that it has ended.
            if owner is not None and owner != ProcessIdentity.current() and owner.is_alive() is not False:
                raise self._error(self._refusal(owner)) from error
            self._without_system = True
            with self._path.open("wb") as file:
                write_owner_into(file.fileno())

    def _refusal(self, owner: ProcessIdentity | None) -> str:
        if owner is None:
            who = "another process"
        elif owner.pid == os.getpid():
            who = f"this process ({owner.pid}), through another writer,"
        else:
            who = f"process {owner.pid} on {owner.host}"
        return f"{who} {self._what} into {self._path.parent}; wait until it ends, stop it, or choose another directory"


def write_owner_into(descriptor: int) -> None:
    """Tell in an empty lock file that this process holds it."""
    write_fully(descriptor, dump_json(ProcessIdentity.current().to_plain()).encode())


def owner_written_in(path: Path) -> ProcessIdentity | None:
    """Who the lock file says holds it; None if it says nothing or cannot be read, as on Windows while it is locked."""
    try:
        return ProcessIdentity.from_plain(parse_json(path.read_bytes(), path.name))
    except (OSError, ValueError):
        return None
