"""Blocks of equal lines in different files: few, and never more than today."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import pytest

BLOCK = 6
"""Lines that make a block."""
LIMITS = {"src": 5, "engine": 2}
"""Pairs of blocks that are allowed; it only goes down: who removes one lowers it."""
TRIVIAL = 4
"""A line of fewer letters and digits is no line of its own: braces, ``else:``, ``return``."""


def python_lines(text: str) -> list[str]:
    """The lines of code without comments, docstrings and imports."""
    tree = ast.parse(text)
    left_out: set[int] = set()
    for node in ast.walk(tree):
        plain_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        names = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        if isinstance(node, ast.Import | ast.ImportFrom) or plain_text or names:
            assert isinstance(node, ast.stmt)
            left_out |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    comments = {
        token.start[0]: token.start[1]
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    lines = text.splitlines()
    return [
        line[: comments.get(number, len(line))]
        for number, line in enumerate(lines, start=1)
        if number not in left_out
    ]


def cpp_lines(text: str) -> list[str]:
    """The lines of code without comments of a whole line and includes."""
    return [line for line in text.splitlines() if not line.lstrip().startswith(("//", "#", "using "))]


def telling(lines: Iterable[str]) -> list[str]:
    """Lines without their spaces, and without those that say nothing by themselves."""
    close = ("".join(line.split()) for line in lines)
    return [line for line in close if sum(character.isalnum() for character in line) >= TRIVIAL]


def blocks_of(lines: list[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    for start in range(len(lines) - BLOCK + 1):
        yield start, tuple(lines[start : start + BLOCK])


def repeated(files: dict[str, list[str]]) -> list[str]:
    """Pairs of places with at least six equal lines; a longer stretch is one pair."""
    places: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    for name, lines in files.items():
        for start, block in blocks_of(lines):
            places[block].append((name, start))
    pairs = {
        (one, other)
        for found in places.values()
        for one, other in combinations(sorted(found), 2)
        if one[0] != other[0]
    }
    first = [
        (one, other)
        for one, other in sorted(pairs)
        if ((one[0], one[1] - 1), (other[0], other[1] - 1)) not in pairs
    ]
    return [f"{one[0]} and {other[0]}: {files[one[0]][one[1]]}" for one, other in first]


def files_of(root: Path, directory: str) -> dict[str, list[str]]:
    suffixes = {"src": (".py",), "engine": (".cpp", ".hpp")}[directory]
    read = python_lines if directory == "src" else cpp_lines
    return {
        path.relative_to(root).as_posix(): telling(read(path.read_text(encoding="utf-8")))
        for path in sorted((root / directory).rglob("*"))
        if path.suffix in suffixes and "tests" not in path.parts
    }


@pytest.mark.parametrize("directory", LIMITS)
def test_few_blocks_are_repeated(root, directory):
    found = repeated(files_of(root, directory))
    assert len(found) <= LIMITS[directory], "\n".join(found)


def test_planted_repetition_is_found():
    code = "".join(f"value_{number} = compute({number})\n" for number in range(8))
    other = "import os\n" + code.replace(" = ", "  =  ") + '"""A text."""\n'
    files = {"a": telling(python_lines(code)), "b": telling(python_lines(other))}
    assert repeated(files) == ["a and b: value_0=compute(0)"]
    short = {"a": files["a"][:5], "b": files["b"]}
    assert repeated(short) == []


def test_what_is_left_out():
    text = '"""Title."""\n\nimport os\nfrom a import (\n    b,\n)\n\n__all__ = ["x"]\n\nx = 12345  # why\n'
    assert telling(python_lines(text)) == ["x=12345"]
