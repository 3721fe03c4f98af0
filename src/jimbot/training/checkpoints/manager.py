"""Checkpoints in which nothing is ever lost.

A checkpoint is a directory ``step_000000012345`` that appears whole or not at all. ``CheckpointManager.save`` writes it
under another name, brings every byte to the disk, renames it, reads it back, and only then deletes older ones. So a
process may be killed at any moment, and the newest complete checkpoint is still there. Loading verifies every byte and
runs no code from the files.
"""

from __future__ import annotations

import contextlib
import errno
import math
import operator
import os
import re
import shutil
import threading
import warnings
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from jimbot.storage.atomic import (
    atomic_directory,
    make_directories,
    remove_directory_atomically,
    remove_leftovers,
    write_file_atomically,
)
from jimbot.storage.directory_lock import DirectoryLock
from jimbot.storage.signals import deferred_signals
from jimbot.storage.strict_json import parse_json
from jimbot.training.checkpoints.errors import CheckpointError, CheckpointWarning
from jimbot.training.checkpoints.files import (
    encode_groups,
    read_manifest,
    read_tree,
    verify_files,
    write_files,
)
from jimbot.training.checkpoints.manifest import FORMAT_VERSION, Manifest, dump_json
from jimbot.training.checkpoints.migration import migrated, migration
from jimbot.training.checkpoints.provenance import library_versions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from jimbot.training.checkpoints.files import EncodedTree
    from jimbot.training.checkpoints.manifest import FileEntry

__all__ = [
    "FORMAT_VERSION",
    "Checkpoint",
    "CheckpointError",
    "CheckpointInfo",
    "CheckpointManager",
    "CheckpointWarning",
    "Manifest",
    "migration",
]

NAME = re.compile(r"step_(\d{12,})(?:-(\d+))?")
BEST_NAME = "best.json"
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class CheckpointInfo:
    """A checkpoint on disk, without its content.

    Attributes:
        path: its directory.
        manifest: what it says about itself.
    """

    path: Path
    manifest: Manifest

    @property
    def step(self) -> int:
        """Environment steps taken when it was saved."""
        return self.manifest.step

    @property
    def score(self) -> float | None:
        """How good the policy was, if that was measured."""
        return self.manifest.score

    @property
    def saved_at(self) -> str:
        """UTC, ISO 8601."""
        return self.manifest.saved_at

    @property
    def size(self) -> int:
        """Bytes of all files but the manifest."""
        return sum(entry.size for entry in self.manifest.files.values())


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint in memory: the tree that was saved (arrays as NumPy), and its manifest."""

    tree: Any
    manifest: Manifest


class CheckpointManager:
    """The checkpoints of one run, in one directory.

    Reading needs nothing. The first ``save`` (or ``open``, or ``with``) makes the directory, takes its lock and removes
    what dead writers left; ``close`` lets the lock go.

    Args:
        directory: where; made when needed.
        keep_last: how many of the newest stay; None keeps all.
        keep_best: how many of the best by score stay besides.
        higher_is_better: what a good score is.
        writer: who writes, for the manifest: backend, algorithm, hash of the configuration.
    """

    def __init__(
        self,
        directory: str | Path,
        keep_last: int | None = 3,
        keep_best: int = 1,
        higher_is_better: bool = True,
        writer: Mapping[str, Any] | None = None,
    ) -> None:
        if keep_last is not None and keep_last < 1:
            raise CheckpointError(f"keep_last is {keep_last}; at least 1 must stay (None keeps all)")
        if keep_best < 0:
            raise CheckpointError(f"keep_best is {keep_best}; expected 0 or more")
        self.directory = Path(directory)
        self.keep_last = keep_last
        self.keep_best = keep_best
        self.higher_is_better = higher_is_better
        self.writer = dict(writer or {})
        self._lock: DirectoryLock | None = None
        self._saving = threading.Lock()
        self._sequence = 0
        self._whole_ones: dict[tuple[Path, int], bool] = {}  # by path and sequence: what verifying found

    def open(self) -> Self:
        """Take the directory's lock and clean up after dead writers. Doing it twice does no harm."""
        if self._lock is not None and self._lock.held:
            return self
        try:
            make_directories(self.directory)
            self._lock = DirectoryLock(self.directory, what="writes checkpoints", error=CheckpointError)
            remove_leftovers(self.directory)
        except OSError as error:
            raise CheckpointError(f"cannot write into {self.directory}: {error.strerror}") from error
        return self

    def close(self) -> None:
        """Let other processes write."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(self, *_: object) -> None:
        self.close()

    def save(
        self,
        step: int,
        tree: Any,
        score: float | None = None,
        metadata: Mapping[str, Any] | None = None,
        groups: Collection[str] = (),
    ) -> Path:
        """Save a tree, verify it on disk, then delete what need not stay. Ctrl-C waits until it is done or undone.

        Args:
            step: environment steps taken so far.
            tree: what ``checkpoints.codec.encode`` takes.
            score: how good the policy is; NaN is kept and never best.
            metadata: plain data for the manifest, readable without loading the tree.
            groups: keys of the tree whose arrays get a file of their own, such as ``replay``.

        Returns:
            the directory of the checkpoint.
        """
        step = operator.index(step)
        if step < 0:
            raise CheckpointError(f"step is {step}; expected 0 or more")
        encoded = encode_groups(tree, groups)
        with self._saving, deferred_signals():
            self.open()
            infos = self.list()
            described = Manifest(
                step=step,
                sequence=self._next_sequence(infos),
                score=None if score is None else float(score),
                saved_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
                writer=self.writer,
                versions=library_versions(),
                metadata=dict(metadata or {}),
                files={},
            )
            described.to_bytes()  # refuses metadata that is not plain, before anything is written
            path = self._free_name(step)
            info = self._write(path, encoded, described)
            self._apply_retention([*infos, info])
        return path

    def paths(self) -> list[Path]:
        """Every directory that is named like a checkpoint, whole or not."""
        try:
            entries = sorted(self.directory.iterdir())
        except FileNotFoundError:
            return []
        except OSError as error:
            raise CheckpointError(f"cannot read {self.directory}: {error.strerror}") from error
        return [path for path in entries if NAME.fullmatch(path.name) and path.is_dir()]

    def list(self) -> list[CheckpointInfo]:
        """All checkpoints whose manifest is whole, oldest first; others are passed over with a warning."""
        found: list[CheckpointInfo] = []
        for path in self.paths():
            try:
                found.append(CheckpointInfo(path, read_manifest(path)))
            except CheckpointError as error:
                if path.exists():  # a writer may have deleted it just now
                    warn_about(path, error)
        return sorted(found, key=lambda info: (info.manifest.sequence, info.path.name))

    def latest(self) -> CheckpointInfo | None:
        """The newest checkpoint that is whole; damaged newer ones are passed over with a warning that says why."""
        return next(self._whole(reversed(self.list())), None)

    def best(self) -> CheckpointInfo | None:
        """The one marked best, or else the best by score; None when no whole one has a score."""
        infos = self.list()
        marked = [info for info in infos if info.path.name == self.marked()]
        return next(self._whole([*marked, *self._by_score(infos)]), None)

    def mark_best(self, which: str | Path | CheckpointInfo | None) -> None:
        """Say which checkpoint is best, whatever the scores say, until another is marked; None removes the mark.

        A marked checkpoint is never deleted by ``save``.
        """
        with self._saving, deferred_signals():
            self.open()
            try:
                if which is None:
                    (self.directory / BEST_NAME).unlink(missing_ok=True)
                    return
                path = path_of(which)
                if path.parent.resolve() != self.directory.resolve() or not NAME.fullmatch(path.name):
                    raise CheckpointError(f"{path} is not a checkpoint of {self.directory}")
                self.verify(path)
                write_file_atomically(self.directory / BEST_NAME, dump_json({"checkpoint": path.name}))
            except OSError as error:
                raise CheckpointError(
                    f"cannot write {self.directory / BEST_NAME}: {error.strerror}"
                ) from error

    def load(self, which: str | Path | CheckpointInfo, without: Collection[str] = ()) -> Checkpoint:
        """Read a checkpoint, verifying every byte; trees of older formats are brought to today's.

        Args:
            which: a directory, or what ``latest``, ``best`` and ``list`` gave.
            without: groups that are not needed, such as ``replay``: their files are not read.
        """
        path = path_of(which)
        try:
            manifest = read_manifest(path)
            return Checkpoint(migrated(read_tree(path, manifest, without), manifest), manifest)
        except CheckpointError as error:
            raise CheckpointError(f"cannot load the checkpoint {path}: {error}") from error

    def verify(self, which: str | Path | CheckpointInfo) -> CheckpointInfo:
        """Read every byte of a checkpoint; ``CheckpointError`` says what is wrong with it."""
        path = path_of(which)
        try:
            info = CheckpointInfo(path, verify_files(path))
        except CheckpointError as error:
            raise CheckpointError(f"the checkpoint {path} is not whole: {error}") from error
        self._whole_ones[path, info.manifest.sequence] = True
        return info

    def _next_sequence(self, infos: list[CheckpointInfo]) -> int:
        """One more than any before; a checkpoint that cannot be read just now does not lower it."""
        self._sequence = max([self._sequence, *(info.manifest.sequence for info in infos)]) + 1
        return self._sequence

    def _free_name(self, step: int) -> Path:
        """``step_N``; a step that is saved again gets ``-2``, so that the one before stays until this one is whole."""
        path = self.directory / f"step_{step:012d}"
        revision = 1
        while os.path.lexists(path):
            revision += 1
            path = self.directory / f"step_{step:012d}-{revision}"
        return path

    def _write(self, path: Path, encoded: EncodedTree, described: Manifest) -> CheckpointInfo:
        def manifest_of(entries: dict[str, FileEntry]) -> Manifest:
            return replace(described, files=entries)

        try:
            with atomic_directory(path) as temporary:
                write_files(temporary, encoded, manifest_of)
            return self.verify(path)
        except BaseException as error:
            with contextlib.suppress(OSError):  # what cannot be removed now is removed by the next ``open``
                remove_directory_atomically(path)
            if isinstance(error, OSError):
                raise CheckpointError(self._writing_failed(path, error, encoded.size)) from error
            raise

    def _writing_failed(self, path: Path, error: OSError, needed: int) -> str:
        message = f"cannot save the checkpoint {path}: {error.strerror or error}"
        if error.errno in FULL:
            with contextlib.suppress(OSError):
                free = shutil.disk_usage(self.directory).free
                message += f" (it needs about {in_megabytes(needed)}, {in_megabytes(free)} are free)"
        return f"{message}; the checkpoints before it are untouched"

    def _whole(self, infos: Iterator[CheckpointInfo] | list[CheckpointInfo]) -> Iterator[CheckpointInfo]:
        """Those that verify; about the others a warning is given."""
        for info in infos:
            try:
                yield self.verify(info)
            except CheckpointError as error:
                if info.path.exists():
                    warn_about(info.path, error.__cause__ or error)

    def _by_score(self, infos: list[CheckpointInfo]) -> list[CheckpointInfo]:
        """Those with a score, best first; of equal ones the newer first."""
        scored = [info for info in reversed(infos) if info.score is not None and not math.isnan(info.score)]
        return sorted(scored, key=lambda info: info.score or 0.0, reverse=self.higher_is_better)

    def marked(self) -> str | None:
        """The name of the checkpoint that ``mark_best`` marked, if any."""
        try:
            content = parse_json((self.directory / BEST_NAME).read_bytes(), BEST_NAME, error=CheckpointError)
            return str(content["checkpoint"])
        except FileNotFoundError:
            return None
        except (CheckpointError, OSError, KeyError, TypeError) as error:
            warn_about(self.directory / BEST_NAME, error)
            return None

    def _apply_retention(self, infos: list[CheckpointInfo]) -> None:
        """Delete what is neither among the newest nor among the best. Only whole ones count; damaged ones stay."""
        if self.keep_last is None:
            return
        newest: dict[int, CheckpointInfo] = {}  # of each step; an older one of the same step is superseded
        whole = [info for info in infos if self._counts(info)]
        for info in reversed(whole):
            newest.setdefault(info.step, info)
        kept = [*list(newest.values())[: self.keep_last], *self._by_score(whole)[: self.keep_best]]
        names = {info.path.name for info in kept} | {self.marked()}
        for info in whole:
            if info.path.name not in names:
                self._delete(info.path)

    def _counts(self, info: CheckpointInfo) -> bool:
        """Whether a checkpoint is whole; each is read once in a manager's life."""
        key = (info.path, info.manifest.sequence)
        if key not in self._whole_ones:
            self._whole_ones[key] = any(self._whole([info]))
        return self._whole_ones[key]

    def _delete(self, path: Path) -> None:
        """Delete an old checkpoint, or warn."""
        try:
            remove_directory_atomically(path)
        except OSError as error:  # the save itself is done; this only takes room
            warnings.warn(
                f"cannot delete the old checkpoint {path}: {error}", CheckpointWarning, stacklevel=2
            )


def path_of(which: str | Path | CheckpointInfo) -> Path:
    """The directory of a checkpoint, however it is given."""
    return which.path if isinstance(which, CheckpointInfo) else Path(which)


def warn_about(path: Path, error: BaseException) -> None:
    """Tell that something on disk was passed over."""
    warnings.warn(f"{path} is passed over: {error}", CheckpointWarning, stacklevel=3)


def in_megabytes(size: int) -> str:
    """A size for people."""
    return f"{size / 1e6:.1f} MB"
