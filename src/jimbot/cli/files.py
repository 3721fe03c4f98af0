"""Output files of commands: checked before the work starts, and written atomically."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError
from jimbot.storage.atomic import atomic_file
from jimbot.storage.strict_json import write_json

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

__all__ = ["TargetError", "check_picture", "check_target", "write_atomically", "write_report"]


class TargetError(JimbotError):
    """Raised for a file that cannot be written."""


def check_target(path: Path) -> None:
    """Raise if a file cannot be written, before any work is done."""
    if path.is_dir():
        raise TargetError(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise TargetError(f"cannot write {path}: there is no directory {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise TargetError(f"cannot write {path}: {path.parent} is not writable")


def check_picture(path: Path) -> None:
    """Raise if a PNG cannot be written, or if the name has another extension."""
    if path.suffix.lower() != ".png":
        raise TargetError(f"cannot write {path}: the picture is a PNG; give a name that ends in .png")
    check_target(path)


@contextmanager
def write_atomically(path: Path) -> Generator[Path]:
    """Provide a temporary path that replaces the target if the block succeeds and is deleted otherwise."""
    try:
        with atomic_file(path) as temporary:
            yield temporary
    except OSError as error:
        raise TargetError(f"cannot write {path}: {error.strerror or error}") from None


def write_report(path: Path, report: Any) -> None:
    """Write a report as JSON; what is not a finite number becomes null."""
    try:
        write_json(path, report, nonfinite="null")
    except OSError as error:
        raise TargetError(f"cannot write {path}: {error.strerror or error}") from None
