"""Files that commands write: looked at before the work starts, and there only when they are complete."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

__all__ = ["TargetError", "check_picture", "check_target", "written_whole"]


class TargetError(JimbotError):
    """A file that cannot be written."""


def check_target(path: Path) -> None:
    """Raise if a file cannot be written there, before anything is done that would then be lost."""
    if path.is_dir():
        raise TargetError(f"cannot write {path}: it is a directory")
    if not path.parent.is_dir():
        raise TargetError(f"cannot write {path}: there is no directory {path.parent}")
    if not os.access(path.parent, os.W_OK):
        raise TargetError(f"cannot write {path}: {path.parent} is not writable")


def check_picture(path: Path) -> None:
    """Raise if a PNG cannot be written there, also if the name promises something else."""
    if path.suffix.lower() != ".png":
        raise TargetError(f"cannot write {path}: the picture is a PNG; give a name that ends in .png")
    check_target(path)


@contextmanager
def written_whole(path: Path) -> Generator[Path]:
    """A path beside the target to write to; it takes the target's name when the block succeeds, and goes if not."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield partial
        partial.replace(path)
    except OSError as error:
        raise TargetError(f"cannot write {path}: {error.strerror or error}") from None
    finally:
        partial.unlink(missing_ok=True)
