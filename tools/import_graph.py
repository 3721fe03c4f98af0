"""Who imports whom in ``src/jimbot``, read from the source: imports of modules, graphs of packages, cycles.

``python -m tools.import_graph`` prints the graph of the packages; ``--depth 2`` also tells sub-packages apart.
"""

from __future__ import annotations

import argparse
import ast
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = [
    "SOURCE",
    "Graph",
    "Import",
    "cycles",
    "import_layers",
    "imports_of",
    "module_imports",
    "package_imports",
    "without_shortcuts",
]

SOURCE = Path(__file__).resolve().parents[1] / "src" / "jimbot"

Graph = dict[str, set[str]]


@dataclass(frozen=True)
class Import:
    """One imported module: its full name, its line, and whether importing the file imports it too."""

    module: str
    line: int
    at_top: bool


def imports_of(source: str, package: str) -> Iterator[Import]:
    """Every import of a file; ``package`` is the package that relative imports start from.

    Imports for type checkers only (``if TYPE_CHECKING:``) do not count. ``from a import b`` gives ``a.b``, whether
    ``b`` is a module or a name in ``a``.
    """
    yield from walk(ast.parse(source).body, package, at_top=True)


def walk(nodes: Iterable[ast.AST], package: str, *, at_top: bool) -> Iterator[Import]:
    """The imports below some nodes of a syntax tree."""
    for node in nodes:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from walk(node.orelse, package, at_top=at_top)
            continue
        for module in modules_named_by(node, package):
            yield Import(module, getattr(node, "lineno", 0), at_top)
        inside_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from walk(ast.iter_child_nodes(node), package, at_top=at_top and not inside_function)


def modules_named_by(node: ast.AST, package: str) -> list[str]:
    """The modules that one statement or call imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            parents = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*parents, base] if base else parents)
        return [f"{base}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = ast.unparse(node.func).rpartition(".")[2]
        if called in ("import_module", "require") and isinstance(node.args[0].value, str):
            return [node.args[0].value]
    return []


def module_imports(source: Path = SOURCE, *, at_top_only: bool = False) -> Graph:
    """Every module of a package directory, and the modules of the same package that it imports.

    Args:
        source: A directory like ``src/jimbot``. Module names are relative to it: ``balatro.env.single``. A package is
            named like its ``__init__``: ``balatro``; the directory's own ``__init__`` is left out.
        at_top_only: Leave out imports inside functions, which run when the function is called.
    """
    paths = {
        ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(source.rglob("*.py*"))
        if path.suffix in (".py", ".pyi") and path.relative_to(source) != Path("__init__.py")
    }
    graph: Graph = {}
    for name, path in paths.items():
        package = ".".join([source.name, *path.relative_to(source).parts[:-1]])
        found = imports_of(path.read_text(encoding="utf-8"), package)
        targets = (
            known_module(each.module, paths, source.name) for each in found if each.at_top or not at_top_only
        )
        graph[name] = {target for target in targets if target and target != name}
    return graph


def known_module(full_name: str, known: Mapping[str, object], root: str) -> str | None:
    """The longest prefix of an imported name that is a module below ``root``; None if there is none."""
    parts = full_name.split(".")
    if parts[0] != root:
        return None
    return next((name for end in range(len(parts), 1, -1) if (name := ".".join(parts[1:end])) in known), None)


def package_imports(source: Path = SOURCE, *, depth: int = 1, at_top_only: bool = False) -> Graph:
    """The packages of ``src/jimbot``, and the packages that each imports.

    Args:
        source: A directory like ``src/jimbot``.
        depth: How many parts of a module's name tell packages apart. With 1, all of ``training`` is one package. With
            2, ``training.config`` is one, and so is each module at the top of ``training``.
        at_top_only: Leave out imports inside functions.
    """

    def package_of(module: str) -> str:
        return ".".join(module.split(".")[:depth])

    graph: Graph = {}
    for module, targets in module_imports(source, at_top_only=at_top_only).items():
        package = package_of(module)
        graph.setdefault(package, set()).update({package_of(each) for each in targets} - {package})
    return graph


def cycles(graph: Graph) -> list[list[str]]:
    """The groups of nodes that reach each other, each sorted; empty when the graph has no cycle."""
    reachable = {node: reachable_from(graph, node) for node in graph}
    groups = {
        tuple(sorted(other for other in reachable[node] if node in reachable.get(other, ())))
        for node in graph
        if node in reachable[node]
    }
    return [list(group) for group in sorted(groups)]


def reachable_from(graph: Graph, start: str) -> set[str]:
    """Every node on a path of at least one edge from ``start``; ``start`` itself only if it is on a cycle."""
    found: set[str] = set()
    waiting = list(graph.get(start, ()))
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += graph.get(node, ())
    return found


def without_shortcuts(graph: Graph) -> Graph:
    """A graph without cycles, and without the edges that a longer path replaces (its transitive reduction)."""
    return {
        node: {
            target
            for target in targets
            if not any(target in reachable_from(graph, other) for other in targets - {target})
        }
        for node, targets in graph.items()
    }


def import_layers(graph: Graph) -> list[list[str]]:
    """The nodes of a graph without cycles, bottom first: each is one layer above the highest node that it imports."""
    if found := cycles(graph):
        raise ValueError(f"packages import each other: {found}")
    heights: dict[str, int] = {}

    def height(node: str) -> int:
        if node not in heights:
            heights[node] = 1 + max((height(each) for each in graph.get(node, ())), default=-1)
        return heights[node]

    layers: dict[int, list[str]] = {}
    for node in sorted(graph):
        layers.setdefault(height(node), []).append(node)
    return [layers[each] for each in sorted(layers)]


def main() -> None:
    """Print the graph."""
    parser = argparse.ArgumentParser(description="Print which packages import which.")
    parser.add_argument(
        "--depth", type=int, default=1, help="parts of a module's name that tell packages apart"
    )
    parser.add_argument("--at-top-only", action="store_true", help="leave out imports inside functions")
    options = parser.parse_args()
    graph = package_imports(depth=options.depth, at_top_only=options.at_top_only)
    for package, targets in sorted(graph.items()):
        print(f"{package}: {' '.join(sorted(targets)) or '-'}")
    for group in cycles(graph):
        print(f"cycle: {' '.join(group)}")


if __name__ == "__main__":
    main()
