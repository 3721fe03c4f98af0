"""``manifest.json``: what a checkpoint is, who wrote it, and the size and hash of each of its files.

The manifest seals itself: it holds a hash of its own content, and its bytes must be exactly those that its content
gives. So a changed byte anywhere in a checkpoint, in the manifest too, is found.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field
from typing import Any, cast

from jimbot.storage import strict_json
from jimbot.training.checkpoints.codec import decode, encode
from jimbot.training.checkpoints.errors import CheckpointError
from jimbot.training.checkpoints.safetensors_file import TensorSpec

__all__ = ["FORMAT_VERSION", "MANIFEST", "STATE", "FileEntry", "Manifest", "dump_json"]

FORMAT = "jimbot-checkpoint"
FORMAT_VERSION = 1
MANIFEST = "manifest.json"
STATE = "state.json"
FILE_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}\.(json|safetensors)")


@dataclass(frozen=True)
class FileEntry:
    """One file of a checkpoint.

    Attributes:
        size: in bytes.
        sha256: as hexadecimal digits.
        tensors: the arrays in it by name; None for a file that holds none.
    """

    size: int
    sha256: str
    tensors: dict[str, TensorSpec] | None = None

    def to_plain(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        plain: dict[str, Any] = {"size": self.size, "sha256": self.sha256}
        if self.tensors is not None:
            plain["tensors"] = {name: spec.to_plain() for name, spec in self.tensors.items()}
        return plain

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> FileEntry:
        """What ``to_plain`` gave."""
        tensors = plain.get("tensors")
        if tensors is not None:
            items = cast("dict[str, dict[str, Any]]", tensors).items()
            tensors = {name: TensorSpec(str(spec["dtype"]), tuple(spec["shape"])) for name, spec in items}
        return cls(int(plain["size"]), str(plain["sha256"]), tensors)


@dataclass(frozen=True)
class Manifest:
    """What ``manifest.json`` says.

    Attributes:
        step: environment steps taken when it was saved.
        sequence: counts the saves of a directory; the highest is the newest, whatever its step and the clock say.
        score: how good the policy was, or None; NaN is kept, and never best.
        saved_at: UTC, ISO 8601.
        writer: who wrote it: backend, algorithm, hash of the configuration.
        versions: of the libraries that were installed.
        metadata: whatever else the writer wanted to say; plain data.
        files: by name.
        format_version: of the layout and of the tree.
    """

    step: int
    sequence: int
    score: float | None
    saved_at: str
    writer: dict[str, Any]
    versions: dict[str, str]
    metadata: dict[str, Any]
    files: dict[str, FileEntry]
    format_version: int = field(default=FORMAT_VERSION)

    def to_bytes(self) -> bytes:
        """The content of ``manifest.json``."""
        plain = {
            "format": FORMAT,
            "format_version": self.format_version,
            "step": self.step,
            "sequence": self.sequence,
            "score": self.score,
            "saved_at": self.saved_at,
            "writer": self.writer,
            "versions": self.versions,
            "metadata": self.metadata,
            "files": {name: entry.to_plain() for name, entry in self.files.items()},
        }
        content, arrays = encode(plain)
        if arrays:
            raise CheckpointError(
                f"metadata holds the array {next(iter(arrays))!r}; arrays belong into the tree"
            )
        return sealed(content)

    @classmethod
    def from_bytes(cls, data: bytes) -> Manifest:
        """The manifest behind the content of ``manifest.json``; ``CheckpointError`` if it is anything else."""
        content = strict_json.parse_json(data, MANIFEST, error=CheckpointError)
        if not isinstance(content, dict) or cast("dict[str, Any]", content).get("format") != FORMAT:
            raise CheckpointError(f"{MANIFEST} does not belong to a jimbot checkpoint")
        content = cast("dict[str, Any]", content)
        version = content.get("format_version")
        if type(version) is int and version > FORMAT_VERSION:
            raise CheckpointError(
                f"it has format {version}, and this jimbot knows formats up to {FORMAT_VERSION}; update jimbot"
            )
        content.pop("seal", None)
        if sealed(content) != data:
            raise CheckpointError(f"{MANIFEST} is damaged: its seal does not match its content")
        try:
            return cls.from_plain(decode(content, {}))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise CheckpointError(f"{MANIFEST} is malformed: {error!r}") from error

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Manifest:
        """Fields with their types; raises whatever a wrong type raises."""
        files = cast("dict[str, dict[str, Any]]", plain["files"])
        for name in files:
            if not FILE_NAME.fullmatch(name) or name == MANIFEST:
                raise CheckpointError(
                    f"{MANIFEST} names the file {name!r}; expected a plain name in its directory"
                )
        if STATE not in files:
            raise CheckpointError(f"{MANIFEST} names no {STATE}")
        score, version = plain["score"], plain["format_version"]
        if type(version) is not int or version < 1:
            raise CheckpointError(f"{MANIFEST} has the format version {version!r}; expected a number from 1")
        return cls(
            step=int(plain["step"]),
            sequence=int(plain["sequence"]),
            score=None if score is None else float(score),
            saved_at=str(plain["saved_at"]),
            writer=dict(plain["writer"]),
            versions=dict(plain["versions"]),
            metadata=dict(plain["metadata"]),
            files={name: FileEntry.from_plain(entry) for name, entry in files.items()},
            format_version=version,
        )


def sealed(content: dict[str, Any]) -> bytes:
    """The bytes of a manifest: its content, and last a hash of the bytes its content alone would have."""
    seal = hashlib.sha256(dump_json(content)).hexdigest()
    return dump_json({**content, "seal": seal})


def dump_json(content: Any) -> bytes:
    """ASCII, one value a line, the same bytes for the same content."""
    return (strict_json.dump_json(content, indent=1) + "\n").encode("ascii")
