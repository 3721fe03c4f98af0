"""Writes the tables of arrays, action groups and columns in docs/reference/environment.md, from the engine.

python -m tools.columns_page
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from tools.page_marks import filled

from jimbot import _engine
from jimbot.balatro.env.schema import ACTIONS, OBSERVATION_COLUMNS, Column
from jimbot.cli.env import list_action_groups
from jimbot.storage.atomic import write_file_atomically

__all__ = ["action_groups_text", "arrays_text", "columns_text", "environment_page", "main"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "environment.md"


CANDIDATES = 64
"""How many candidates the table of arrays assumes; the option ``candidates`` has the same default."""


def arrays_text() -> str:
    """A table of the observation's arrays, those of candidates last."""
    fixed = {field["name"] for field in _engine.observation_schema(0)}
    lines = ["| array | type | shape | range | holds |", "| --- | --- | --- | --- | --- |"]
    for field in sorted(_engine.observation_schema(CANDIDATES), key=lambda each: each["name"] not in fixed):
        low = -field["high"] if field["type"] == "float32" else 0
        shape, text = " by ".join(map(str, field["shape"])), field["text"]
        if field["name"] == "action_mask":
            shape, text = f"{ACTIONS}, or candidates", "1 for each legal action"
        elif field["name"] not in fixed:
            shape = shape.replace(str(CANDIDATES), "candidates", 1)
        cells = [f"`{field['name']}`", field["type"], shape, f"{low:g} to {field['high']:g}", text]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def action_groups_text() -> str:
    """A table of the fixed actions in groups, first index to last."""
    lines = ["| index | action | meaning |", "| --- | --- | --- |"]
    for group in list_action_groups():
        span = str(group.first) if group.first == group.last else f"{group.first} to {group.last}"
        lines.append(f"| {span} | {group.name} | {group.text if group.text != group.name else ''} |")
    return "\n".join(lines)


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


def environment_page(page: str) -> str:
    """The page with its tables written anew."""
    parts = {"arrays": arrays_text(), "action groups": action_groups_text(), "columns": columns_text()}
    return filled(page, parts)


def main() -> None:
    """Write the page."""
    write_file_atomically(PAGE, environment_page(PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
