"""Writes the tables of observation columns in docs/reference/environment.md, from the engine.

python tools/write_columns_page.py
"""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

from jimbot.balatro.env.schema import OBSERVATION_COLUMNS, Column
from jimbot.storage.atomic import write_file_atomically

__all__ = ["columns_text", "filled"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "environment.md"


def columns_text() -> str:
    """A table for every kind of array; arrays with the same columns share one."""
    kinds: dict[tuple[Column, ...], list[str]] = {}
    for array, columns in OBSERVATION_COLUMNS.items():
        kinds.setdefault(tuple(columns), []).append(array)
    return "\n\n".join(table_text(arrays, columns) for columns, arrays in kinds.items())


def table_text(arrays: list[str], columns: tuple[Column, ...]) -> str:
    """One table; neighbours that hold the same about different things stand in one row."""
    lines = [
        ", ".join(f"`{array}`" for array in arrays) + ":",
        "",
        "| column | name | range | holds |",
        "| --- | --- | --- | --- |",
    ]
    place = 0
    for (text, low, high), group in groupby(columns, key=lambda each: (each.text, each.low, each.high)):
        names = [f"`{column.name}`" for column in group]
        last = place + len(names) - 1
        span = str(place) if last == place else f"{place} to {last}"
        lines.append(f"| {span} | {' '.join(names)} | {low:g} to {high:g} | {text} |")
        place = last + 1
    return "\n".join(lines)


def filled(page: str) -> str:
    """The page with its tables written anew."""
    block = f"<!-- columns -->\n\n{columns_text()}\n\n<!-- end -->"
    page, count = re.subn(r"<!-- columns -->\n.*?<!-- end -->", lambda _: block, page, flags=re.DOTALL)
    if count != 1:
        raise ValueError("docs/reference/environment.md has no place for the columns")
    return page


if __name__ == "__main__":
    write_file_atomically(PAGE, filled(PAGE.read_text(encoding="utf-8")))
