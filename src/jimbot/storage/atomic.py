"""Files that are there whole or not at all, whatever happens while they are written.

Every function goes through ``os`` calls one by one, so that tests can make each of them fail.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import shutil
from typing import TYPE_CHECKING

from jimbot.storage.processes import ProcessIdentity

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = [
    "FileDigest",
    "make_directories",
    "remove_directory",
    "remove_leftovers",
    "synchronise_directory",
    "temporary_sibling",
    "write_file_atomically",
    "write_new_file",
]

BINARY = getattr(os, "O_BINARY", 0)
"""Windows translates line ends without it; elsewhere it does not exist."""

# .saving-NAME.PID.STARTED.RANDOM; STARTED tells the writer from a later process of the same number.
LEFTOVER = re.compile(r"\.(?:saving|deleting|writing)-.+\.(?P<pid>\d+)\.(?P<started>\d+)\.[0-9a-f]{8}")


class FileDigest:
    """Size in bytes and SHA-256 of what was written or read so far."""

    def __init__(self) -> None:
        self.size = 0
        self._hash = hashlib.sha256()

    def update(self, data: bytes | memoryview) -> None:
        """Count and hash some more bytes."""
        self._hash.update(data)
        self.size += len(data)

    @property
    def sha256(self) -> str:
        """As 64 hexadecimal digits."""
        return self._hash.hexdigest()


def write_new_file(path: Path, chunks: Iterable[bytes | memoryview]) -> FileDigest:
    """Write a file that must not exist yet, chunk by chunk, and bring it to the disk.

    Args:
        path: where; its directory exists.
        chunks: the content; a memoryview must be one of bytes.

    Returns:
        the size and hash of what was meant to be written; reading it back tells whether it was.
    """
    digest = FileDigest()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
    try:
        for chunk in chunks:
            write_fully(descriptor, chunk)
            digest.update(chunk)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return digest


def write_fully(descriptor: int, chunk: bytes | memoryview) -> None:
    """Write all bytes; the system may take them in parts."""
    rest = memoryview(chunk)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def synchronise_directory(path: Path) -> None:
    """Bring a directory's entries to the disk. Windows has no such call and needs none."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_directories(path: Path) -> None:
    """Make a directory and its missing parents, each brought to the disk in its parent."""
    missing: list[Path] = []
    while not path.is_dir():
        missing.append(path)
        if path == path.parent:
            break
        path = path.parent
    for directory in reversed(missing):
        with contextlib.suppress(FileExistsError):  # another process may make it at the same moment
            os.mkdir(directory)  # noqa: PTH102
        if not directory.is_dir():
            raise NotADirectoryError(20, "is a file, not a directory", str(directory))
        synchronise_directory(directory.parent)


def remove_directory(path: Path) -> None:
    """Delete a directory and all in it, or a file; it may be gone already. A link is removed, not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def temporary_sibling(purpose: str, path: Path) -> Path:
    """A free name beside ``path`` that says what is done to it (saving, deleting, writing) and by which process."""
    identity = ProcessIdentity.current()
    return path.with_name(f".{purpose}-{path.name}.{identity.pid}.{identity.started}.{secrets.token_hex(4)}")


def remove_leftovers(directory: Path) -> None:
    """Delete what writers that are gone left half done in a directory; what cannot be deleted stays.

    The caller is the directory's only writer, so what this very process left is left over too.
    """
    here = ProcessIdentity.current()
    for path in directory.iterdir():
        owner = LEFTOVER.fullmatch(path.name)
        if owner is None:
            continue
        writer = ProcessIdentity(int(owner["pid"]), int(owner["started"]), here.host, here.boot)
        if writer == here or not writer.is_alive():
            with contextlib.suppress(OSError):
                remove_directory(path)


def write_file_atomically(path: Path, content: str | bytes) -> None:
    """Put a file in place of whatever was there: a reader sees the old one or the new one, nothing between."""
    data = content.encode() if isinstance(content, str) else content
    temporary = temporary_sibling("writing", path)
    try:
        write_new_file(temporary, [data])
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        raise
    synchronise_directory(path.parent)
