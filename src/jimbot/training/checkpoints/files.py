"""One checkpoint directory: its files written, read back and verified.

The files are ``state.json``, ``tensors.safetensors``, one more safetensors file per group, and ``manifest.json``, which
is written last and names the others. Reading trusts nothing: names, kinds, sizes and hashes are checked, links are not
followed, and only JSON and safetensors are parsed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from jimbot.storage.atomic import BINARY, FileDigest, write_new_file
from jimbot.storage.strict_json import parse_json
from jimbot.training.checkpoints.codec import decode, encode, referenced_arrays
from jimbot.training.checkpoints.errors import CheckpointError
from jimbot.training.checkpoints.manifest import MANIFEST, STATE, FileEntry, Manifest, dump_json
from jimbot.training.checkpoints.safetensors_file import (
    CHUNK_BYTES,
    read_header,
    read_tensors,
    specs_of,
    tensor_chunks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from jimbot.training.checkpoints.safetensors_file import TensorSpec

__all__ = ["EncodedTree", "encode_groups", "read_manifest", "read_tree", "verify_files", "write_files"]

TENSORS = "tensors"
GROUP_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
MAX_MANIFEST_BYTES = 256 << 20
MAX_STATE_BYTES = 1 << 30
OPEN_FLAGS = os.O_RDONLY | BINARY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True)
class EncodedTree:
    """A tree ready to be written.

    Attributes:
        state: the content of ``state.json``.
        groups: the arrays of every safetensors file, by the file's name.
    """

    state: bytes
    groups: dict[str, dict[str, NDArray[Any]]]

    @property
    def size(self) -> int:
        """About how many bytes it takes on disk."""
        arrays = [array for group in self.groups.values() for array in group.values()]
        return len(self.state) + sum(array.nbytes + 100 for array in arrays) + 4096


def encode_groups(tree: Any, groups: Collection[str]) -> EncodedTree:
    """Encode a tree; the arrays under each key of ``groups`` go into a file of that key's name."""
    keys: set[str] = (
        {key for key in cast("dict[Any, Any]", tree) if type(key) is str} if isinstance(tree, dict) else set()
    )
    for group in groups:
        if not GROUP_NAME.fullmatch(group) or group == TENSORS:
            raise CheckpointError(f"{group!r} cannot name a file of arrays; use small letters, digits and _")
        if group not in keys:
            raise CheckpointError(f"the tree has no key {group!r} to make a file of; it has {sorted(keys)}")
    json_tree, arrays = encode(tree)
    if groups and "$" in json_tree:
        raise CheckpointError("a tree with groups needs strings as its keys")
    files: dict[str, dict[str, NDArray[Any]]] = {f"{name}.safetensors": {} for name in (TENSORS, *groups)}
    for name, array in arrays.items():
        first = name.partition("/")[0]
        files[f"{first if first in groups else TENSORS}.safetensors"][name] = array
    return EncodedTree(dump_json(json_tree), files)


def write_files(
    directory: Path, encoded: EncodedTree, manifest_of: Callable[[dict[str, FileEntry]], Manifest]
) -> None:
    """Write all files into an empty directory, the manifest last.

    Args:
        directory: exists and is empty.
        encoded: the tree.
        manifest_of: makes the manifest from the entries of the other files.
    """
    digest = write_new_file(directory / STATE, [encoded.state])
    entries = {STATE: FileEntry(digest.size, digest.sha256)}
    for name, arrays in encoded.groups.items():
        digest = write_new_file(directory / name, tensor_chunks(arrays))
        entries[name] = FileEntry(digest.size, digest.sha256, specs_of(arrays))
    write_new_file(directory / MANIFEST, [manifest_of(entries).to_bytes()])


class VerifiedFile:
    """A file read from its start to its end, counted and hashed on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.digest = FileDigest()
        try:
            self._descriptor = os.open(path, OPEN_FLAGS)
        except FileNotFoundError:
            raise CheckpointError(f"{path.name} is missing") from None
        except OSError as error:
            link = error.errno in (errno.ELOOP, errno.EMLINK) or path.is_symlink()
            reason = (
                "is a symbolic link, which is not followed" if link else f"cannot be read: {error.strerror}"
            )
            raise CheckpointError(f"{path.name} {reason}") from error
        status = os.fstat(self._descriptor)
        self.size = status.st_size
        if not stat.S_ISREG(status.st_mode):
            os.close(self._descriptor)
            raise CheckpointError(f"{path.name} is not a regular file")

    def __enter__(self) -> VerifiedFile:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):  # nothing was written, so nothing can be lost
            os.close(self._descriptor)

    def read_into(self, view: memoryview) -> None:
        """Fill the view with the next bytes."""
        filled = 0
        while filled < len(view):
            part = view[filled : filled + CHUNK_BYTES]
            count = self._system_call(os.readv, [part]) if hasattr(os, "readv") else self._read_copy(part)
            if not count:
                raise CheckpointError(f"{self.path.name} is truncated")
            self.digest.update(part[:count])
            filled += count

    def read(self, count: int) -> bytes:
        """The next bytes."""
        buffer = bytearray(count)
        self.read_into(memoryview(buffer))
        return bytes(buffer)

    def skip_to_end(self) -> None:
        """Read and hash what is left."""
        buffer = memoryview(bytearray(CHUNK_BYTES))
        while self.digest.size < self.size:
            self.read_into(buffer[: min(CHUNK_BYTES, self.size - self.digest.size)])

    def check(self, entry: FileEntry) -> None:
        """Refuse the file unless all of it was read and it is the one the manifest names."""
        if self.digest.size != entry.size or self.digest.sha256 != entry.sha256:
            raise CheckpointError(f"{self.path.name} is damaged: its SHA-256 is not the one of the manifest")

    def _read_copy(self, part: memoryview) -> int:
        data = self._system_call(os.read, len(part))
        part[: len(data)] = data
        return len(data)

    def _system_call(self, call: Callable[..., Any], argument: Any) -> Any:
        try:
            return call(self._descriptor, argument)
        except OSError as error:
            raise CheckpointError(f"{self.path.name} cannot be read: {error.strerror}") from error


def open_listed(directory: Path, name: str, entry: FileEntry) -> VerifiedFile:
    """Open a file of the manifest; a wrong size is told before anything is read."""
    file = VerifiedFile(directory / name)
    if file.size != entry.size:
        with file:
            kind = "truncated" if file.size < entry.size else "damaged"
            raise CheckpointError(f"{name} is {kind}: it has {file.size} bytes, and should have {entry.size}")
    return file


def read_manifest(directory: Path) -> Manifest:
    """The manifest of a checkpoint directory."""
    if not directory.is_dir():
        raise CheckpointError("there is no such directory")
    if not os.path.lexists(directory / MANIFEST):
        raise CheckpointError(f"it holds no {MANIFEST}, so it is not a jimbot checkpoint")
    with VerifiedFile(directory / MANIFEST) as file:
        if file.size > MAX_MANIFEST_BYTES:
            raise CheckpointError(f"{MANIFEST} is far too large: {file.size} bytes")
        manifest = Manifest.from_bytes(file.read(file.size))
    refuse_unlisted(directory, manifest)
    return manifest


def refuse_unlisted(directory: Path, manifest: Manifest) -> None:
    """Arrays that the manifest does not name do not belong there. Other files are left alone and never read."""
    for path in directory.glob("*.safetensors"):
        if path.name not in manifest.files:
            raise CheckpointError(f"{path.name} is not named by {MANIFEST}")


def read_state(directory: Path, manifest: Manifest) -> Any:
    """The JSON of ``state.json``, after its hash was found right."""
    entry = manifest.files[STATE]
    if entry.size > MAX_STATE_BYTES:
        raise CheckpointError(
            f"{STATE} is far too large: {entry.size} bytes; arrays belong into safetensors files"
        )
    with open_listed(directory, STATE, entry) as file:
        data = file.read(entry.size)
        file.check(entry)
    return parse_json(data, STATE, error=CheckpointError)


def tensor_files(manifest: Manifest) -> Iterator[tuple[str, FileEntry, dict[str, TensorSpec]]]:
    """Every file of arrays the manifest names."""
    for name, entry in manifest.files.items():
        if name != STATE:
            if entry.tensors is None or not name.endswith(".safetensors"):
                raise CheckpointError(f"{MANIFEST} does not say what {name} holds")
            yield name, entry, entry.tensors


def checked_header(
    file: VerifiedFile, entry: FileEntry, listed: dict[str, TensorSpec]
) -> dict[str, TensorSpec]:
    """The header of a file of arrays, which must be as the manifest lists it."""
    try:
        specs = read_header(file, file.size)
    except CheckpointError as error:
        file.skip_to_end()
        file.check(entry)  # if the bytes were changed, that is the news, not what they happen to say now
        raise CheckpointError(f"{file.path.name}: {error}") from error
    if specs != listed:
        different = min(name for name, _ in {*specs.items()} ^ {*listed.items()})
        raise CheckpointError(f"{file.path.name} and {MANIFEST} disagree about array {different!r}")
    return specs


def read_tree(directory: Path, manifest: Manifest, without: Collection[str] = ()) -> Any:
    """The tree of a checkpoint, every byte of it verified before it is handed out.

    Args:
        directory: of the checkpoint.
        manifest: its manifest.
        without: groups to leave out; their files are not read, and their keys are not in the tree.
    """
    left_out = {f"{group}.safetensors" for group in without}
    unknown = sorted(left_out - set(manifest.files))
    if unknown:
        raise CheckpointError(f"it has no group {unknown[0].removesuffix('.safetensors')!r} to leave out")
    json_tree = read_state(directory, manifest)
    for group in without:
        json_tree.pop(group, None)
    arrays: dict[str, NDArray[Any]] = {}
    for name, entry, listed in tensor_files(manifest):
        if name in left_out:
            continue
        with open_listed(directory, name, entry) as file:
            found = read_tensors(file, checked_header(file, entry, listed))
            file.check(entry)
        if not arrays.keys().isdisjoint(found):
            raise CheckpointError(f"{name} holds an array that another file holds too")
        arrays.update(found)
    return decode(json_tree, arrays)


def verify_files(directory: Path) -> Manifest:
    """Check every byte of a checkpoint without keeping its arrays; its manifest, or ``CheckpointError``."""
    manifest = read_manifest(directory)
    needed = referenced_arrays(read_state(directory, manifest))
    held: list[str] = []
    for name, entry, listed in tensor_files(manifest):
        with open_listed(directory, name, entry) as file:
            held += checked_header(file, entry, listed)
            file.skip_to_end()
            file.check(entry)
    if len(held) != len(set(held)) or needed != set(held):
        different = next(iter(needed ^ set(held)), "?")
        raise CheckpointError(f"{STATE} and the files of arrays disagree about array {different!r}")
    return manifest
