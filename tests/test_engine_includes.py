"""Which engine file may include which: layers include downward only, and headers never in a circle."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

GAME = {"core", "catalog", "rules"}
ALLOWED = {
    "core": {"core"},
    "catalog": GAME,
    "rules": GAME,
    "seeds": GAME | {"seeds"},
    "view": GAME | {"view"},
    "play": GAME | {"seeds", "view", "play"},
    "vector": GAME | {"seeds", "view", "vector"},
}
"""What a layer may include. Catalog and rules know each other in their sources, not in their headers."""

INCLUDE = re.compile(r'^#include "(\w+)/([\w./]+)"', re.MULTILINE)
SUFFIXES = {".hpp", ".cpp", ".inl"}


def includes_of(engine: Path) -> dict[str, list[str]]:
    """Own files that each file of the layers above includes, by their path below ``engine``."""
    found = {}
    for layer in ALLOWED:
        for path in sorted((engine / layer).iterdir()):
            if path.suffix in SUFFIXES:
                text = path.read_text(encoding="utf-8")
                found[f"{layer}/{path.name}"] = [f"{folder}/{file}" for folder, file in INCLUDE.findall(text)]
    return found


def upward_includes(includes: Mapping[str, list[str]]) -> list[str]:
    """Every include that goes up."""
    return [
        f"{file} includes {other}"
        for file, others in includes.items()
        for other in others
        if other.split("/")[0] not in ALLOWED[file.split("/")[0]]
    ]


def reachable(includes: Mapping[str, list[str]], file: str) -> set[str]:
    """Every file that a file includes, directly or not."""
    found: set[str] = set()
    waiting = list(includes.get(file, []))
    while waiting:
        other = waiting.pop()
        if other not in found:
            found.add(other)
            waiting += includes.get(other, [])
    return found


def circles(includes: Mapping[str, list[str]]) -> list[str]:
    """Headers that include themselves, and catalog headers that a rule includes and that include rules."""
    reached = {file: reachable(includes, file) for file in includes}
    found = [f"{file} includes itself" for file, others in reached.items() if file in others]
    needed = {
        other
        for file, others in reached.items()
        if file.startswith("rules/")
        for other in others
        if other.startswith("catalog/")
    }
    return found + [
        f"{file} is included by rules and includes {other}"
        for file in sorted(needed)
        for other in sorted(reached.get(file, set()))
        if other.startswith("rules/")
    ]


def test_layers_include_downward_only(root):
    assert upward_includes(includes_of(root / "engine")) == []


def test_headers_do_not_include_in_a_circle(root):
    includes = includes_of(root / "engine")
    assert "catalog/catalog.hpp" in includes["rules/owned.hpp"]  # the pattern above still finds includes
    assert circles(includes) == []


@pytest.mark.parametrize(
    ("includes", "up", "circle"),
    [
        ({"core/a.hpp": ["rules/b.hpp"]}, ["core/a.hpp includes rules/b.hpp"], []),
        ({"view/a.hpp": ["play/b.hpp"]}, ["view/a.hpp includes play/b.hpp"], []),
        (
            {"rules/a.hpp": ["catalog/b.hpp"], "catalog/b.hpp": ["rules/c.hpp"], "rules/c.hpp": []},
            [],
            ["catalog/b.hpp is included by rules and includes rules/c.hpp"],
        ),
        (
            {"rules/a.hpp": ["rules/b.hpp"], "rules/b.hpp": ["rules/a.hpp"]},
            [],
            ["rules/a.hpp includes itself", "rules/b.hpp includes itself"],
        ),
        ({"catalog/table.cpp": ["rules/a.hpp"], "rules/a.hpp": ["core/state.hpp"]}, [], []),
    ],
)
def test_planted_includes_are_judged(includes, up, circle):
    assert upward_includes(includes) == up
    assert circles(includes) == circle
