"""What is wrong with a field, in words: the only place where Pydantic's errors are turned into text.

A message names the path, what was given and what is expected: ``n_envs: expected a whole number of at least 1, got 0``.
An unknown field names the valid ones nearest to it, three at most.
"""

from __future__ import annotations

import difflib
import types
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pydantic import BaseModel, ValidationError
    from pydantic.fields import FieldInfo
    from pydantic_core import ErrorDetails

__all__ = ["explain_error", "field_paths", "nearest_names", "unknown_field"]

SHORT_LIST = 6
"""Valid names that are all listed when none is near."""
LONGEST_VALUE = 80
"""Characters of a given value that a message repeats."""

KINDS: dict[str, str] = {
    "int": "a whole number",
    "float": "a number",
    "finite_number": "a finite number",
    "bool": "true or false",
    "string": "text",
    "list": "a list",
    "tuple": "a list",
    "set": "a list",
    "dict": "a mapping of names to values",
    "mapping": "a mapping of names to values",
    "none": "none",
    "model": "a section of fields",
    "dataclass": "a section of fields",
}
"""The beginning of the type of a Pydantic error, and what is expected where it occurs."""

LIMITS: dict[str, str] = {
    "greater_than_equal": "of at least {ge}",
    "greater_than": "above {gt}",
    "less_than_equal": "of at most {le}",
    "less_than": "below {lt}",
}
LENGTHS: dict[str, str] = {
    "too_long": "at most {max_length} entries",
    "too_short": "at least {min_length} entries",
    "string_too_long": "at most {max_length} characters",
    "string_too_short": "at least {min_length} characters",
}


def explain_error(error: ValidationError, section: type[BaseModel]) -> str:
    """The first thing wrong with given values, in one line: path, what was expected, what was given."""
    errors = error.errors(include_url=False)
    first = errors[0]
    cause = first.get("ctx", {}).get("error")
    path = field_path(section, first["loc"])
    if getattr(cause, "names_field", False):  # raised by an inner section, which has named its own field
        return ".".join([*path, str(cause)])
    if first["type"] == "value_error":
        return ": ".join([*filter(None, [".".join(path)]), str(cause)])
    if first["type"] == "extra_forbidden":
        inner = section_at(section, path[:-1])
        names = getattr(section, "names_to_suggest", field_paths)(inner)
        text = unknown_field(".".join(path), names, ".".join(path[:-1]))
        known = getattr(section, "fields_are_listed_by", "")
        return f"{text}; {known} lists them all" if known and text.endswith("no such field") else text
    if first["type"] == "missing":
        return f"{'.'.join(path)}: is missing"
    # A union reports one error per member; together they say everything that is allowed.
    same = [each for each in errors if field_path(section, each["loc"]) == path]
    field = field_at(section, path)
    expected = list(dict.fromkeys(expectation(each, field) for each in same))
    if field is not None and type(None) in get_args(field.annotation):
        expected.append("none")
    return f"{'.'.join(path)}: expected {' or '.join(expected)}, got {shortened(first['input'])}"


def expectation(error: ErrorDetails, field: FieldInfo | None) -> str:
    """What is expected where an error occurred."""
    kind, context = error["type"], error.get("ctx", {})
    if kind in LIMITS:
        number = "a whole number" if isinstance(context.get(LIMIT_KEYS[kind]), int) else "a number"
        return f"{number} {LIMITS[kind].format(**context)}"
    if kind in LENGTHS:
        return LENGTHS[kind].format(**context)
    if kind == "literal_error":
        choices = " or ".join(choices_of(field)) or str(context.get("expected"))
        return choices if " or " not in choices else f"one of {choices.replace(' or ', ', ')}"
    for prefix, words in KINDS.items():
        if kind.startswith(prefix):
            return words
    return "a valid value"


LIMIT_KEYS = {"greater_than_equal": "ge", "greater_than": "gt", "less_than_equal": "le", "less_than": "lt"}


def choices_of(field: FieldInfo | None) -> list[str]:
    """The values that the literal in a field's type allows."""
    found: list[str] = []
    waiting: list[Any] = [] if field is None else [field.annotation]
    while waiting:
        annotation = waiting.pop()
        if get_origin(annotation) is Literal:
            found += [str(each) for each in get_args(annotation)]
        else:
            waiting += [each for each in get_args(annotation) if get_origin(each) is not None]
    return found


def shortened(value: Any) -> str:
    """A given value as messages repeat it."""
    text = "none" if value is None else repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}..."


# --- paths ------------------------------------------------------------------------------------------------------------


def field_path(section: type[BaseModel], place: Sequence[int | str]) -> list[str]:
    """The path of an error as a user writes it, without the members of unions that Pydantic adds."""
    path: list[str] = []
    inner: type[BaseModel] | None = section
    annotation: Any = None
    for part in place:
        if inner is not None:
            path.append(str(part))
            field = inner.model_fields.get(str(part))
            annotation = field.annotation if field is not None else None
            inner = next(models_in(annotation, deep=False), None)
        elif isinstance(part, int):
            path.append(str(part))
            inner = next(models_in(annotation, deep=True), None)
        elif get_origin(annotation) is dict:
            path.append(str(part))
            annotation = None
    return [part for part in path if part != "[key]"]


def models_in(annotation: Any, *, deep: bool) -> Iterator[type[BaseModel]]:
    """The sections a type allows: itself, or members of a union; with ``deep`` entries of lists too."""
    from pydantic import BaseModel

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    elif deep or get_origin(annotation) in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from models_in(member, deep=deep)


def section_at(section: type[BaseModel], path: Sequence[str]) -> type[BaseModel]:
    """The section that a path of field names leads to, as far as it leads."""
    for part in path:
        field = section.model_fields.get(part)
        section = next(models_in(field.annotation if field else None, deep=True), section)
    return section


def field_at(section: type[BaseModel], path: Sequence[str]) -> FieldInfo | None:
    """The field that a path leads to; None for entries of lists and mappings."""
    return section_at(section, path[:-1]).model_fields.get(path[-1]) if path else None


def field_paths(section: type[BaseModel], prefix: str = "") -> list[str]:
    """Dotted paths of all fields of a section and of the sections in it."""
    found: list[str] = []
    for name, field in section.model_fields.items():
        path = f"{prefix}{name}"
        found.append(path)
        for inner in models_in(field.annotation, deep=False):
            found += field_paths(inner, f"{path}.")
    return found


# --- names ------------------------------------------------------------------------------------------------------------


def nearest_names(name: str, valid: Iterable[str]) -> list[str]:
    """Valid names that somebody who wrote ``name`` may have meant, the nearest first, three at most."""
    known = list(dict.fromkeys(valid))
    exact = [each for each in known if each.rpartition(".")[2] == name]
    if exact:
        return exact[:3]
    by_end: dict[str, list[str]] = {}
    for each in known:
        by_end.setdefault(each.rpartition(".")[2].lower(), []).append(each)
    near = difflib.get_close_matches(name.lower(), list(by_end), n=3, cutoff=0.6)
    inside = [each for each in by_end if len(name) > 3 and name.lower() in each]
    found = [path for end in [*near, *inside] for path in by_end[end]]
    return list(dict.fromkeys(found))[:3]


def unknown_field(path: str, valid: Iterable[str], prefix: str = "") -> str:
    """The message about a field that does not exist.

    Args:
        path: what was given.
        valid: names that exist there, as paths from ``prefix`` on.
        prefix: the section that ``path`` stands in.
    """
    known = list(valid)
    near = nearest_names(path.rpartition(".")[2], known)
    start = f"{path}: there is no such field"
    if near:
        dotted = [f"{prefix}.{each}" if prefix else each for each in near]
        return f"{start}; did you mean {' or '.join(dotted)}?"
    top = [each for each in known if "." not in each]
    if not top:
        return f"{start}; leave it out"
    return f"{start}; allowed are {', '.join(sorted(top))}" if len(top) <= SHORT_LIST else start
