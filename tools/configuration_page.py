"""Writes ``docs/reference/configuration.md`` from the configuration's own fields.

``python -m tools.configuration_page``; ``jimbot train --explain`` prints the same at the terminal.
"""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from jimbot.storage.atomic import write_file_atomically
from jimbot.training.config import sections as section_classes
from jimbot.training.config.trainer_config import Section, TrainerConfig

__all__ = ["configuration_page", "main"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "configuration.md"

INTRODUCTION = """# Configuration

`make docs` writes this page from the classes in `jimbot.training.config`; do not edit it by hand.

A configuration is a `TrainerConfig`. Each section below is one class; a field whose type is a section holds an instance
of it, and `section.field` names it in YAML files, in `--set` and in messages. Unknown fields, values out of range and
fields that the chosen algorithm does not use are refused by name. [Training](../guides/training.md) shows where the
values come from.
"""


def sections() -> list[type[Section]]:
    """``TrainerConfig`` first, then every other section, in the order of the source."""
    found = [
        each
        for each in vars(section_classes).values()
        if isinstance(each, type) and issubclass(each, Section) and each not in (Section, TrainerConfig)
    ]
    return [TrainerConfig, *reversed(found)]


def type_text(annotation: Any) -> str:
    """A type as a reader writes it: ``int``, ``str | None``, ``auto | native``."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return " | ".join(repr(each) for each in arguments)
    if origin in (Union, types.UnionType):
        return " | ".join(type_text(each) for each in arguments)
    if hasattr(annotation, "__metadata__"):
        return type_text(arguments[0])
    if origin is not None:
        return f"{origin.__name__}[{', '.join(type_text(each) for each in arguments)}]"
    if annotation is type(None):
        return "None"
    return getattr(annotation, "__name__", str(annotation))


def default_text(field: Any) -> str:
    """The default of a field, or nothing where the field is required or holds a section."""
    value = field.default
    if field.default_factory is not None:
        value = field.default_factory()
    if value is PydanticUndefined:
        return "required"
    return "" if isinstance(value, BaseModel) else f"`{value!r}`"


def limits_text(field: Any) -> str:
    """The bounds of a number, as mathematics writes them."""
    signs = {"gt": ">", "ge": "≥", "lt": "<", "le": "≤"}
    bounds = [
        f"{sign} {getattr(each, name):.10g}"
        for each in field.metadata
        for name, sign in signs.items()
        if getattr(each, name, None) is not None
    ]
    return ", ".join(bounds)


def section_text(section: type[Section]) -> str:
    """Heading, summary and table of one section."""
    lines = [
        f"## {section.__name__}",
        "",
        (section.__doc__ or "").strip().split("\n\n")[0].replace("``", "`"),
        "",
        "| field | type | default | limits | meaning |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, field in section.model_fields.items():
        meaning = re.sub(r"\s+", " ", field.description or "").replace("``", "`")
        cells = [
            f"`{name}`",
            f"`{type_text(field.annotation)}`",
            default_text(field),
            limits_text(field),
            meaning,
        ]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def configuration_page() -> str:
    """The whole page."""
    return "\n".join([INTRODUCTION, "\n\n".join(map(section_text, sections())), ""])


def main() -> None:
    """Write the page."""
    write_file_atomically(PAGE, configuration_page())


if __name__ == "__main__":
    main()
