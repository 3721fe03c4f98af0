"""JSON read without indulgence: no doubled keys, no NaN, no bottomless nesting."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from jimbot.storage.errors import StorageError

__all__ = ["parse_json"]


def parse_json(data: bytes, what: str, *, error: type[StorageError] = StorageError) -> Any:
    """The value of a UTF-8 JSON text.

    Args:
        data: the text.
        what: names it in the error.
        error: the class of error to raise.
    """
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=unique_keys, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as cause:
        reason = "it is nested too deeply" if isinstance(cause, RecursionError) else str(cause)
        raise error(f"{what} is not valid JSON: {reason}") from cause


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
