"""Writes the generated parts of docs/explanation/architecture.md: ``python -m tools.architecture_page``.

The tree comes from the directories and their docstrings, the order and the picture (docs/images/imports.svg) from the
imports.
"""

from __future__ import annotations

import ast
import re
import textwrap
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from tools.import_graph import import_layers, package_imports, without_shortcuts
from tools.page_marks import filled

from jimbot.storage.atomic import write_file_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.import_graph import Graph

__all__ = ["architecture_page", "graph_picture", "layers_text", "main", "tree_text"]

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
PICTURE = ROOT / "docs" / "images" / "imports.svg"
ENGINE_TABLE = ROOT / "engine" / "DESIGN.md"

OTHER_DIRECTORIES = {
    "configs": "configurations for training, and templates for experiments",
    "docs": "this site; every code block is run by a test",
    "examples": "small programs that stand alone",
    "results": "measured numbers, each with its command, commit and seeds",
    "tests": "tests of Python, in the same order as src/jimbot; C++ tests are in engine/tests",
    "tools": "studies and page writers that only the repository needs; not in the wheel",
}
NAME_WIDTH, TREE_WIDTH = 20, 84
ENTRY_MODULES = ("__main__", "_engine_dev")
"""Modules that are not drawn: the command line's starting point, and what only a checkout holds."""
EVERYWHERE = ("errors", "field_errors", "lazy", "registration", "storage")
"""What nearly every package imports, at the bottom; the picture leaves it out."""


# --- the tree -------------------------------------------------------------------------------------------------------


def tree_text() -> str:
    """The directories of the repository with what each holds, as preformatted text."""
    lines = ["engine/", *(tree_line(1, name, text) for name, text in engine_packages())]
    lines += ["src/jimbot/", *python_packages(ROOT / "src" / "jimbot")]
    lines += [
        tree_line(0, name, text) for name, text in sorted(OTHER_DIRECTORIES.items()) if (ROOT / name).is_dir()
    ]
    return "\n".join(["```text", *lines, "```"])


def tree_line(depth: int, name: str, text: str) -> str:
    """One directory; a long text goes on in lines below it."""
    first = f"{'  ' * depth}{name}/".ljust(NAME_WIDTH)
    return textwrap.fill(text, TREE_WIDTH, initial_indent=first, subsequent_indent=" " * NAME_WIDTH)


def engine_packages() -> Iterator[tuple[str, str]]:
    """The packages of the engine and what they hold, from the table in engine/DESIGN.md."""
    table = ENGINE_TABLE.read_text(encoding="utf-8")
    for names, text in re.findall(r"^\| (`[a-z`, ]+`) \| (.*) \|$", table, re.MULTILINE):
        for name in re.findall(r"`(\w+)`", names):
            if (ROOT / "engine" / name).is_dir():
                yield name, text.replace("`", "")


def python_packages(directory: Path, depth: int = 1) -> Iterator[str]:
    """A line for every package below a directory, each with the first sentence of its docstring."""
    for package in sorted(path.parent for path in directory.glob("*/__init__.py")):
        summary = first_sentence(
            ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8")))
        )
        yield tree_line(depth, package.name, summary)
        yield from python_packages(package, depth + 1)


def first_sentence(docstring: str | None) -> str:
    """The first sentence of a docstring, in one line, without its full stop."""
    first_line = (docstring or "").split("\n\n")[0].replace("\n", " ").replace("``", "")
    return re.split(r"\.(?: |$)", first_line)[0]


# --- the order and the picture --------------------------------------------------------------------------------------


def drawn_graph() -> Graph:
    """The imports among the packages of src/jimbot."""
    drawn = {name: targets for name, targets in package_imports().items() if name not in ENTRY_MODULES}
    return {name: targets & set(drawn) for name, targets in drawn.items()}


def layers_text() -> str:
    """The layers as a list, top first."""
    graph = drawn_graph()
    layers = import_layers(graph)
    lines = ["| layer | packages | import |", "| ---: | --- | --- |"]
    for number, names in reversed(list(enumerate(layers, start=1))):
        for name in names:
            targets = ", ".join(f"`{each}`" for each in sorted(graph[name])) or "nothing of jimbot"
            lines.append(f"| {number} | `{name}` | {targets} |")
    return "\n".join(lines)


BOX_WIDTH, BOX_HEIGHT, GAP, ROW = 104, 30, 26, 84
MARGIN = 16


def picture_rows(graph: Graph) -> list[list[str]]:
    """The nodes in rows: each right below the lowest one that imports it, and below its importers in its row."""
    importers: Graph = {name: set() for name in graph}
    for name, targets in graph.items():
        for target in targets:
            importers[target].add(name)
    rows: list[list[str]] = []
    columns: dict[str, float] = {}
    for layer in import_layers(importers):

        def column(name: str) -> tuple[float, str]:
            above = [columns[each] for each in importers[name]]
            return sum(above) / len(above) if above else 0.0, name

        rows.append(sorted(layer, key=column))
        columns.update({name: place - (len(layer) - 1) / 2 for place, name in enumerate(rows[-1])})
    return rows


def graph_picture(graph: Graph) -> str:
    """The graph as an SVG, top first, without what everything may import and what a longer path replaces."""
    everywhere = {*EVERYWHERE}
    graph = without_shortcuts(
        {name: targets - everywhere for name, targets in graph.items() if name not in everywhere}
    )
    rows = picture_rows(graph)
    widest = max(map(len, rows))
    width = widest * (BOX_WIDTH + GAP) - GAP + 2 * MARGIN
    height = len(rows) * ROW - (ROW - BOX_HEIGHT) + 2 * MARGIN
    places: dict[str, tuple[float, float]] = {}
    for row, names in enumerate(rows):
        start = (width - len(names) * (BOX_WIDTH + GAP) + GAP) / 2
        for column, name in enumerate(names):
            places[name] = (start + column * (BOX_WIDTH + GAP), MARGIN + row * ROW)
    edges = [
        edge_path(places[name], places[target])
        for name, targets in sorted(graph.items())
        for target in sorted(targets)
    ]
    boxes = [box_text(name, place) for name, place in places.items()]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        'aria-label="Import graph of the packages" font-family="sans-serif" font-size="13">'
    )
    return "\n".join(
        [
            head,
            '<g fill="none" stroke="#8a93a6" stroke-width="1.4">',
            *edges,
            "</g>",
            *boxes,
            "</svg>",
            "",
        ]
    )


def edge_path(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A curve from the bottom of one box to the top of another."""
    x1, y1 = start[0] + BOX_WIDTH / 2, start[1] + BOX_HEIGHT
    x2, y2 = end[0] + BOX_WIDTH / 2, end[1]
    bend = (ROW - BOX_HEIGHT) * 0.6
    return f'<path d="M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}"/>'


def box_text(name: str, place: tuple[float, float]) -> str:
    """A package."""
    x, y = place
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6" fill="#2b5c8a"/>'
        f'<text x="{x + BOX_WIDTH / 2:g}" y="{y + BOX_HEIGHT / 2 + 5:g}" text-anchor="middle" '
        f'fill="#ffffff">{escape(name)}</text>'
    )


# --- the page -------------------------------------------------------------------------------------------------------


def architecture_page(page: str) -> str:
    """The page with its generated parts written anew."""
    return filled(page, {"tree": tree_text(), "layers": layers_text()})


def main() -> None:
    """Write the page and its picture."""
    write_file_atomically(PAGE, architecture_page(PAGE.read_text(encoding="utf-8")))
    write_file_atomically(PICTURE, graph_picture(drawn_graph()))


if __name__ == "__main__":
    main()
