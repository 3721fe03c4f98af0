"""Which command takes a YAML file, told by the fields in it: a file given to the wrong command names the right one."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jimbot.training.config.sections import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

__all__ = [
    "CONFIGURATION",
    "EXPERIMENT",
    "KINDS",
    "TEMPLATE",
    "FileKind",
    "check_kind",
    "command_of",
    "kind_of",
]

HEADER = "# Command:"
HEADER_LINES = 3


@dataclass(frozen=True)
class FileKind:
    """A kind of configuration file.

    Attributes:
        what: it in words.
        command: the command that takes it, without the file.
        marks: fields that only files of this kind have.
    """

    what: str
    command: str
    marks: frozenset[str] = frozenset()


TEMPLATE = FileKind("a template of experiments", "jimbot compare --template", frozenset({"template"}))
EXPERIMENT = FileKind(
    "an experiment with therapists",
    "python -m jimbot.training.train_ppo --config",
    frozenset({"patterns", "mechanism", "max_sessions", "hidden_size", "save_freq", "enable_parataxic"}),
)
CONFIGURATION = FileKind(
    "a training configuration",
    "jimbot train --config",
    frozenset({"backend", "env", "env_kwargs", "hyperparams", "checkpoint_freq", "save_dir"}),
)
KINDS = (TEMPLATE, EXPERIMENT, CONFIGURATION)
"""All kinds, those with the clearest marks first."""


def kind_of(values: Mapping[str, Any]) -> FileKind | None:
    """The kind of a file with these fields; None if they do not tell."""
    return next((kind for kind in KINDS if kind.marks & set(values)), None)


def check_kind(values: Mapping[str, Any], expected: FileKind, path: Path) -> None:
    """Raise ``ConfigError`` for a file that another command takes."""
    found = kind_of(values)
    if found is not None and found is not expected:
        command = f"{command_of(path) or found.command} {path}"
        raise ConfigError(f"{path} is {found.what}, expected {expected.what}; run it with: {command}")


def command_of(path: Path) -> str | None:
    """The command that a file names in its first lines, without the file (``# Command: jimbot train FILE``)."""
    with path.open(encoding="utf-8") as file:
        for line in itertools.islice(file, HEADER_LINES):
            if line.startswith(HEADER):
                return line.removeprefix(HEADER).strip().rpartition(" ")[0]
    return None
