"""JSON read and written without indulgence: no doubled keys, no NaN or infinity, no bottomless nesting."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jimbot.errors import JimbotError

__all__ = ["InvalidJsonError", "dump_json", "parse_json", "read_json", "replace_nonfinite", "write_json"]

Nonfinite = Literal["refuse", "null", "text"]
"""What becomes of NaN and the infinities, which JSON does not have: an error, null, or a text ``float`` reads back."""


class InvalidJsonError(StorageError, ValueError):
    """A text that is not JSON, or a value that JSON cannot hold."""


def parse_json(
    data: bytes | str,
    what: str,
    *,
    error: type[JimbotError] = InvalidJsonError,
    nonfinite: Literal["refuse", "accept"] = "refuse",
) -> Any:
    """The value of a JSON text.

    Args:
        data: the text; bytes are UTF-8.
        what: names it in the error.
        error: the class of error to raise.
        nonfinite: ``accept`` takes NaN and Infinity, for files of versions that wrote them.
    """
    decoder = STRICT if nonfinite == "refuse" else LENIENT
    try:
        return decoder.decode(data if isinstance(data, str) else data.decode("utf-8"))
    except (ValueError, RecursionError) as cause:
        reason = "it is nested too deeply" if isinstance(cause, RecursionError) else str(cause)
        raise error(f"{what} is not valid JSON: {reason}") from cause


def read_json(
    path: Path,
    *,
    error: type[JimbotError] = InvalidJsonError,
    nonfinite: Literal["refuse", "accept"] = "refuse",
) -> Any:
    """The value of a JSON file; a file that cannot be read is an ``OSError``, for the caller to explain."""
    return parse_json(path.read_bytes(), str(path), error=error, nonfinite=nonfinite)


def dump_json(
    value: Any,
    *,
    indent: int | None = None,
    sort_keys: bool = False,
    compact: bool = False,
    ascii_only: bool = True,
    default: Callable[[Any], Any] | None = None,
    nonfinite: Nonfinite = "refuse",
) -> str:
    """A value as JSON text without a line end.

    Args:
        value: plain data; anything else is a ``TypeError``.
        indent: spaces per level; None puts everything on one line.
        sort_keys: whether the keys of objects are sorted.
        compact: no spaces after separators.
        ascii_only: whether other characters are escaped.
        default: what stands for a value that is not plain data.
        nonfinite: what becomes of NaN and the infinities.
    """
    if nonfinite != "refuse":
        value = replace_nonfinite(value, nonfinite)
    try:
        return json.dumps(
            value,
            indent=indent,
            sort_keys=sort_keys,
            separators=(",", ":") if compact else None,
            ensure_ascii=ascii_only,
            default=default,
            allow_nan=False,
        )
    except (ValueError, RecursionError) as cause:
        raise InvalidJsonError(f"cannot be written as JSON: {cause}") from cause


def write_json(
    path: Path, value: Any, *, indent: int = 2, sort_keys: bool = False, nonfinite: Nonfinite = "refuse"
) -> None:
    """Put a value into a file of its own, atomically, with a line end."""
    text = dump_json(value, indent=indent, sort_keys=sort_keys, nonfinite=nonfinite)
    write_file_atomically(path, text + "\n")


def replace_nonfinite(value: Any, by: Literal["null", "text"] = "null") -> Any:
    """The same data with None, or ``nan``, ``inf`` and ``-inf`` as texts, in place of NaN and the infinities."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(float(value)) if by == "text" else None
    if isinstance(value, dict):
        return {key: replace_nonfinite(each, by) for key, each in cast("dict[Any, Any]", value).items()}
    if isinstance(value, (list, tuple)):
        return [replace_nonfinite(each, by) for each in cast("list[Any]", value)]
    return value


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's pairs as a dictionary; json itself would let the last of two equal keys win."""
    result = dict(pairs)
    if len(result) != len(pairs):
        seen: set[str] = set()
        doubled = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise ValueError(f"the key {doubled!r} occurs twice")
    return result


def refuse_constant(name: str) -> NoReturn:
    """JSON has no NaN and no infinities; json would take them."""
    raise ValueError(f"{name} is not JSON")


STRICT = json.JSONDecoder(object_pairs_hook=unique_keys, parse_constant=refuse_constant)
LENIENT = json.JSONDecoder(object_pairs_hook=unique_keys)
