"""The import graph that the documentation and the architecture tests read."""

from __future__ import annotations

import pytest
from tools.import_graph import (
    cycles,
    import_layers,
    imports_of,
    module_imports,
    package_imports,
    without_shortcuts,
)


@pytest.fixture
def source(tmp_path):
    """A small package directory laid out like src/jimbot."""
    files = {
        "__init__.py": "from game.storage import files\n",
        "errors.py": "",
        "storage/__init__.py": "",
        "storage/files.py": "from ..errors import Problem\nfrom . import locks\n",
        "storage/locks.py": "import os\n",
        "training/__init__.py": "import importlib\n\ndef load():\n    return importlib.import_module('game.engine')\n",
        "training/loop.py": "from game.storage.files import write\n\ndef f():\n    import game.errors\n",
        "training/types.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import game.errors\n",
        "engine.pyi": "",
    }
    for name, text in files.items():
        path = tmp_path / "game" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "game"


def test_imports_of_modules(source):
    assert module_imports(source) == {
        "engine": set(),
        "errors": set(),
        "storage": set(),
        "storage.files": {"errors", "storage.locks"},
        "storage.locks": set(),
        "training": {"engine"},
        "training.loop": {"errors", "storage.files"},
        "training.types": set(),
    }


def test_imports_inside_functions_can_be_left_out(source):
    graph = module_imports(source, at_top_only=True)
    assert graph["training"] == set()
    assert graph["training.loop"] == {"storage.files"}


def test_imports_of_packages(source):
    assert package_imports(source) == {
        "engine": set(),
        "errors": set(),
        "storage": {"errors"},
        "training": {"engine", "errors", "storage"},
    }
    assert package_imports(source, depth=2) == module_imports(source)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("import a.b", ["a.b"]),
        ("from a.b import c, d", ["a.b.c", "a.b.d"]),
        ("from . import c", ["game.sub.c"]),
        ("from ..other import c", ["game.other.c"]),
        ("x = require('torch', 'sb3')", ["torch"]),
        ("x = other('torch')", []),
    ],
)
def test_statements(statement, expected):
    assert [each.module for each in imports_of(statement, "game.sub")] == expected


def test_cycles_are_found():
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": {"e"}}
    assert cycles(graph) == [["a", "b", "c"], ["e"]]
    assert cycles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_layers_and_shortcuts():
    graph = {"a": {"b", "c"}, "b": {"c"}, "c": set(), "d": {"c"}}
    assert import_layers(graph) == [["c"], ["b", "d"], ["a"]]
    assert without_shortcuts(graph) == {"a": {"b"}, "b": {"c"}, "c": set(), "d": {"c"}}
    with pytest.raises(ValueError, match="import each other"):
        import_layers({"a": {"b"}, "b": {"a"}})


def test_the_source_has_layers():
    layers = import_layers(package_imports())
    order = {package: number for number, layer in enumerate(layers) for package in layer}
    assert order["errors"] < order["balatro"] < order["networks"] < order["training"] < order["cli"]
