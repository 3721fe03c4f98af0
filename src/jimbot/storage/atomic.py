"""Files and directories that are there whole or not at all, whatever happens while they are written.

Everything that jimbot writes goes through here. Content at hand goes through ``write_file_atomically``; a library that
wants a path to write to gets one from ``atomic_file`` or ``atomic_directory``. All of them write under another name in
the same directory, bring the bytes to the disk and rename.

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
    from collections.abc import Generator, Iterable, Mapping
    from pathlib import Path

    Content = str | bytes | Iterable[bytes | memoryview]

__all__ = [
    "FileDigest",
    "atomic_directory",
    "atomic_file",
    "make_directories",
    "remove_directory",
    "remove_directory_atomically",
    "remove_leftovers",
    "synchronize_directory",
    "temporary_sibling",
    "write_file_atomically",
    "write_files_atomically",
    "write_new_file",
]

BINARY = getattr(os, "O_BINARY", 0)
"""Windows translates line ends without it; elsewhere it does not exist."""

# .saving-NAME.PID.STARTED.RANDOM, and the name's suffix again, which libraries choose a format by. STARTED tells the
# writer from a later process of the same number.
LEFTOVER = re.compile(
    r"\.(?:saving|deleting|writing)-.+\.(?P<pid>\d+)\.(?P<started>\d+)\.[0-9a-f]{8}(?:\.\w+)?"
)
SUFFIX = re.compile(r"\.\w+")


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


# --- whole files -----------------------------------------------------------------------------------------------------


def write_file_atomically(path: Path, content: Content) -> FileDigest:
    """Put a file in place of whatever was there: a reader sees the old one or the new one, nothing between.

    Args:
        path: where; its directory exists.
        content: text (written as UTF-8), bytes, or bytes chunk by chunk.

    Returns:
        the size and hash of what was written.
    """
    temporary = temporary_sibling("writing", path)
    try:
        digest = write_new_file(temporary, chunks_of(content))
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        remove_quietly(temporary)
        raise
    synchronize_directory(path.parent)
    return digest


def write_files_atomically(contents: Mapping[Path, str | bytes]) -> None:
    """Put files that belong together in place, in their order.

    All of them are on the disk under other names before the first takes its name, so that a full disk changes nothing.
    """
    temporary = {path: temporary_sibling("writing", path) for path in contents}
    try:
        for path, content in contents.items():
            write_new_file(temporary[path], chunks_of(content))
        for path, written in temporary.items():
            os.replace(written, path)  # noqa: PTH105
            synchronize_directory(path.parent)
    finally:
        for written in temporary.values():
            remove_quietly(written)


@contextlib.contextmanager
def atomic_file(path: Path) -> Generator[Path]:
    """A path for a library to write a file to; leaving the block brings it to the disk and gives it its name.

    An error inside the block removes it, and what was there stays. The path has the suffix of ``path``.
    """
    temporary = temporary_sibling("writing", path)
    try:
        yield temporary
        synchronize_file(temporary)
        os.replace(temporary, path)  # noqa: PTH105
    except BaseException:
        remove_quietly(temporary)
        raise
    synchronize_directory(path.parent)


@contextlib.contextmanager
def atomic_directory(path: Path, purpose: str = "saving") -> Generator[Path]:
    """An empty directory to write into; leaving the block brings all of it to the disk and gives it its name.

    An error inside the block removes it, and what was there stays. A directory that is there already is moved aside
    just before and deleted afterwards, since no system replaces one directory by another in one step.
    """
    temporary = temporary_sibling(purpose, path)
    aside: Path | None = None
    try:
        os.mkdir(temporary)  # noqa: PTH102
        yield temporary
        synchronize_tree(temporary)
        if os.path.lexists(path):
            aside = temporary_sibling("deleting", path)
            os.rename(path, aside)  # noqa: PTH104
        os.rename(temporary, path)  # noqa: PTH104
    except BaseException:
        with contextlib.suppress(OSError):
            if aside is not None and not os.path.lexists(path):
                os.rename(aside, path)  # noqa: PTH104
        with contextlib.suppress(OSError):
            remove_directory(temporary)
        raise
    synchronize_directory(path.parent)
    if aside is not None:
        remove_directory(aside)


def chunks_of(content: Content) -> Iterable[bytes | memoryview]:
    """The bytes of a content, in one or more parts."""
    if isinstance(content, str):
        return [content.encode()]
    return [content] if isinstance(content, bytes) else content


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


# --- bringing to the disk --------------------------------------------------------------------------------------------


def synchronize_file(path: Path) -> None:
    """Bring a file that was written elsewhere to the disk."""
    descriptor = os.open(path, os.O_RDWR | BINARY)  # Windows flushes only what may be written
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def synchronize_directory(path: Path) -> None:
    """Bring a directory's entries to the disk. Windows has no such call and needs none."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def synchronize_tree(path: Path) -> None:
    """Bring a directory and all in it to the disk; links are left as they are."""
    for entry in sorted(path.iterdir()):
        if entry.is_symlink():
            continue
        if entry.is_dir():
            synchronize_tree(entry)
        elif entry.is_file():
            synchronize_file(entry)
    synchronize_directory(path)


# --- directories -----------------------------------------------------------------------------------------------------


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
        synchronize_directory(directory.parent)


def remove_directory(path: Path) -> None:
    """Delete a directory and all in it, or a file; it may be gone already. A link is removed, not followed."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def remove_directory_atomically(path: Path) -> None:
    """Delete a directory under another name, so that no half of it is ever found under its own."""
    temporary = temporary_sibling("deleting", path)
    os.rename(path, temporary)  # noqa: PTH104
    remove_directory(temporary)


# --- temporary names -------------------------------------------------------------------------------------------------


def temporary_sibling(purpose: str, path: Path) -> Path:
    """A free name beside ``path`` that says what is done to it (saving, deleting, writing) and by which process."""
    identity = ProcessIdentity.current()
    suffix = path.suffix if SUFFIX.fullmatch(path.suffix) else ""
    return path.with_name(
        f".{purpose}-{path.name}.{identity.pid}.{identity.started}.{secrets.token_hex(4)}{suffix}"
    )


def remove_quietly(temporary: Path) -> None:
    """Delete a temporary file if it is there; one that cannot be deleted is a leftover for later."""
    with contextlib.suppress(OSError):
        os.unlink(temporary)  # noqa: PTH108


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
