"""One writer at a time for a directory.

The operating system holds the lock and lets it go when its process ends, however it ends; so a lock is never left
behind. The lock file's content only tells others who holds it. On file systems without locks the content decides: its
process must be gone.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import weakref
from typing import TYPE_CHECKING

from jimbot.storage.errors import StorageError
from jimbot.storage.processes import ProcessIdentity

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DirectoryLock"]

LOCK_NAME = ".lock"
UNSUPPORTED = (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)


class DirectoryLock:
    """An exclusive lock on a directory, held until ``release``, its garbage collection or the process's end.

    Raises:
        StorageError: Another holder is alive; ``error`` chooses a subclass.
    """

    def __init__(self, directory: Path, *, error: type[StorageError] = StorageError) -> None:
        self._error = error
        self._path = directory / LOCK_NAME
        self._pid = os.getpid()
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
        self._finalizer = weakref.finalize(self, os.close, descriptor)
        self._finalizer.atexit = False  # the system does it, and a forked child must not do it twice
        try:
            self._take(descriptor)
        except BaseException:
            self._finalizer()
            raise
        living.add(self)

    @property
    def held(self) -> bool:
        """Whether this process holds the lock; a fork of the process that took it does not."""
        return self._finalizer.alive and self._pid == os.getpid()

    def release(self) -> None:
        """Let others in. The file stays: removing it would let two processes lock two files of one name."""
        if self.held:
            descriptor = self._descriptor()
            with contextlib.suppress(OSError):  # it only informs
                os.ftruncate(descriptor, 0)
        self._finalizer()

    def close_in_child(self) -> None:
        """After a fork: the child must not keep the parent's lock alive."""
        self._finalizer()

    def _descriptor(self) -> int:
        alive = self._finalizer.peek()
        assert alive is not None
        return alive[2][0]

    def _take(self, descriptor: int) -> None:
        owner = owner_written_in(descriptor)
        try:
            lock_exclusively(descriptor)
        except OSError as error:
            if error.errno not in UNSUPPORTED:
                raise self._error(self._refusal(owner)) from error
            # None: it runs on another machine, and nobody here can say that it has ended.
            if owner is not None and owner != ProcessIdentity.current() and owner.is_alive() is not False:
                raise self._error(self._refusal(owner)) from error
        content = json.dumps(ProcessIdentity.current().to_plain()).encode("ascii")
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, content)

    def _refusal(self, owner: ProcessIdentity | None) -> str:
        if owner is None:
            who = "another process"
        elif owner.pid == os.getpid():
            who = f"this process ({owner.pid}), through another writer,"
        else:
            who = f"process {owner.pid} on {owner.host}"
        return (
            f"{who} writes checkpoints into {self._path.parent}; wait until it ends, stop it, or train into another "
            "directory"
        )


living: weakref.WeakSet[DirectoryLock] = weakref.WeakSet()
"""The locks of this process, for its forks to close."""


def close_locks_in_child() -> None:
    """A forked child has copies of the parent's locks; a copy left open would outlive the parent."""
    for lock in list(living):
        lock.close_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=close_locks_in_child)


def lock_exclusively(descriptor: int) -> None:
    """Ask the system for the lock without waiting; OSError if another has it."""
    if sys.platform == "win32":
        import msvcrt

        # Windows forbids reading locked bytes, so a byte far behind the content is locked.
        os.lseek(descriptor, 1 << 30, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def owner_written_in(descriptor: int) -> ProcessIdentity | None:
    """Who the lock file says holds it."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        return ProcessIdentity.from_plain(json.loads(os.read(descriptor, 4096)))
    except ValueError:
        return None
