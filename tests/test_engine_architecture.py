"""Which package of engine/ may include which, and that every name is defined once: held by reading the source.

engine/DESIGN.md has the order of the packages. The compiler cannot see any of this: an include of a package above
compiles, and two files that define one name in different ways link, with whichever definition the linker meets first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

GAME = ("core", "catalog", "rules", "seeds", "view", "play", "vector")

# What the files of a package may include, besides their own package.
MAY_INCLUDE: dict[str, set[str]] = {
    "core": set(),
    "catalog": {"core", "rules"},
    "rules": {"core", "catalog"},
    "seeds": {"core", "catalog", "rules"},
    "view": {"core", "catalog", "rules"},
    "play": {"core", "catalog", "rules", "seeds", "view"},
    "vector": {"core", "catalog", "rules", "seeds", "view"},
    "learn": {"core"},
    "bindings": {*GAME, "learn"},
    "bench": {*GAME, "learn", "fuzz"},
    "fuzz": {*GAME, "learn"},
    "tests": {*GAME, "learn", "fuzz", "bench"},
}

SUFFIXES = {".hpp", ".cpp", ".inl"}


def source_files(engine: Path) -> list[Path]:
    return sorted(path for path in engine.rglob("*") if path.suffix in SUFFIXES)


def includes_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of every include of our own files."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        found = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if found:
            yield number, found[1]


# --- the order of packages ------------------------------------------------------------------------------------------


def broken_includes(engine: Path) -> list[str]:
    """Every include that the order does not allow, as ``file:line: what is wrong``."""
    found = []
    for path in source_files(engine):
        file = path.relative_to(engine).as_posix()
        package = file.partition("/")[0]
        if package not in MAY_INCLUDE:
            found.append(
                f"{file}:1: package {package!r} has no place in the order; give it one here and in DESIGN.md"
            )
            continue
        for line, name in includes_of(path):
            included = name.partition("/")[0]
            if not (engine / name).is_file():
                found.append(f"{file}:{line}: {name} is not a file of engine/; write the path from there")
            elif included != package and included not in MAY_INCLUDE[package]:
                found.append(f"{file}:{line}: {package} includes {included}")
    return found


def test_packages_include_only_what_is_below_them(root):
    assert broken_includes(root / "engine") == []


@pytest.mark.parametrize(
    ("file", "included", "expected"),
    [
        ("core/state.hpp", "rules/game.hpp", "core includes rules"),
        ("rules/game.cpp", "view/odds.hpp", "rules includes view"),
        ("rules/game.cpp", "learn/network.hpp", "rules includes learn"),
        ("seeds/find.cpp", "view/odds.hpp", "seeds includes view"),
        ("vector/episode.cpp", "learn/network.hpp", "vector includes learn"),
        ("vector/episode.cpp", "play/expert.hpp", "vector includes play"),
        ("learn/network.hpp", "vector/episode.hpp", "learn includes vector"),
        ("bindings/game.cpp", "fuzz/checks.hpp", "bindings includes fuzz"),
        ("bindings/game.cpp", "bench/measure.hpp", "bindings includes bench"),
        ("attic/game.cpp", "core/state.hpp", "package 'attic' has no place"),
    ],
)
def test_planted_include_is_found(tmp_path, file, included, expected):
    plant(tmp_path, included, "")
    plant(tmp_path, file, f'#include <vector>\n#include "{included}"\n')
    (found,) = broken_includes(tmp_path)
    assert expected in found
    assert found.startswith(f"{file}:")


def test_planted_include_of_no_file_is_found(tmp_path):
    plant(tmp_path, "core/state.hpp", '#include "ids.hpp"\n')
    plant(tmp_path, "core/ids.hpp", "")
    assert broken_includes(tmp_path) == [
        "core/state.hpp:1: ids.hpp is not a file of engine/; write the path from there"
    ]


@pytest.mark.parametrize(
    ("file", "included"),
    [
        ("catalog/jokers.cpp", "rules/hooks.hpp"),
        ("rules/game.cpp", "catalog/catalog.hpp"),
        ("vector/episode.cpp", "view/odds.hpp"),
        ("learn/network.hpp", "core/workers.hpp"),
        ("bindings/learn.cpp", "learn/network.hpp"),
        ("bench/module.cpp", "fuzz/conformance.hpp"),
        ("tests/test_learn.cpp", "learn/network.hpp"),
    ],
)
def test_allowed_include_is_allowed(tmp_path, file, included):
    plant(tmp_path, included, "")
    plant(tmp_path, file, f'#include "{included}"\n')
    assert broken_includes(tmp_path) == []


def plant(engine: Path, file: str, source: str) -> None:
    path = engine / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")


# --- cycles of headers ----------------------------------------------------------------------------------------------


def header_cycles(engine: Path) -> set[frozenset[str]]:
    """Every set of headers of which each includes, directly or not, all others."""
    graph = {
        path.relative_to(engine).as_posix(): {name for _, name in includes_of(path)}
        for path in source_files(engine)
        if path.suffix != ".cpp"
    }
    reached = {file: reachable(graph, file) for file in graph}
    return {
        frozenset(other for other in reached[file] if file in reached.get(other, set()))
        for file in graph
        if file in reached[file]
    }


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """What a header includes, directly or not; itself only if it is part of a cycle."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for name in graph.get(waiting.pop(), set()) - found:
            found.add(name)
            waiting.append(name)
    return found


def test_headers_do_not_include_each_other(root):
    assert header_cycles(root / "engine") == set()


def test_planted_cycle_is_found(tmp_path):
    plant(tmp_path, "rules/a.hpp", '#include "rules/b.hpp"\n')
    plant(tmp_path, "rules/b.hpp", '#include "rules/c.hpp"\n')
    plant(tmp_path, "rules/c.hpp", '#include "rules/d.hpp"\n')
    plant(tmp_path, "rules/d.hpp", "")
    assert header_cycles(tmp_path) == set()
    plant(tmp_path, "rules/c.hpp", '#include "rules/d.hpp"\n#include "rules/a.hpp"\n')
    assert header_cycles(tmp_path) == {frozenset({"rules/a.hpp", "rules/b.hpp", "rules/c.hpp"})}


# --- one definition of every name -----------------------------------------------------------------------------------


def stripped(source: str) -> str:
    """The source without comments, directives and the content of literals."""
    source = re.sub(r"\\\n", "", source)
    pattern = r'R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/'
    source = re.sub(pattern, lambda found: '""' if found[0][0] in "\"R'" else " ", source, flags=re.DOTALL)
    return re.sub(r"^\s*#[^\n]*", "", source, flags=re.MULTILINE)


def definitions_of(source: str) -> set[str]:
    """The names that a file defines in named namespaces: types, variables, and functions with their parameters.

    Names in unnamed namespaces and in functions are the file's own, and members belong to their type.
    """
    found: set[str] = set()
    scopes: list[str | None] = []  # name of each open namespace; None for every other brace
    statement = ""
    for character in stripped(source):
        if character not in "{};":
            statement += character
            continue
        named = None not in scopes
        text = " ".join(statement.split())
        if character == "{":
            namespace = re.fullmatch(r"(?:inline )?namespace ([\w:]+)", text)
            if named and not namespace:
                found |= {"::".join([*filter(None, scopes), name]) for name in defined_by(text, opens=True)}
            scopes.append(namespace[1] if namespace else None)
        elif character == "}":
            if scopes:
                scopes.pop()
        elif named:
            found |= {"::".join([*filter(None, scopes), name]) for name in defined_by(text, opens=False)}
        # `Type name = {...};` and `struct Name {...};`: what follows the brace belongs to the same statement.
        statement = ""
    return found


def defined_by(text: str, *, opens: bool) -> Iterator[str]:
    """What a statement at namespace scope defines; ``opens`` if a brace follows it."""
    plain = re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)|__attribute__\(\(.*?\)\)", "", text).strip()
    template = re.match(r"template <[^{;]*?> (?=\w)", plain)
    head = plain[template.end() :] if template else plain
    kind = re.match(r"(?:struct|class|union|enum class|enum) ([\w:]+(?:<[^>]*>)?)", head)
    if kind:
        if opens:
            yield f"type {kind[1]}"
        return
    alias = re.match(r"using (\w+)[^=]*=", head)
    if alias:
        yield f"type {alias[1]}"
        return
    if re.match(r"(?:using|namespace|extern|friend|static_assert|typedef|template)\b", head) or not head:
        return
    before_value = re.split(r"(?<![=!<>])=(?!=)", head)[0]
    function = re.match(
        r"(?P<front>[^()]*?)(?P<name>(?:[\w:~]+|operator\S+))\s*\((?P<parameters>.*)\)", before_value
    )
    if function and function["front"].strip():
        if opens:
            yield f"function {function['name']}({parameter_types(function['parameters'])})"
        return
    variable = re.match(r"(?:[\w:<>,*&\s]+?[\s*&])(\w+)(?:\[[^\]]*\])*\s*$", before_value)
    if variable and ("=" in head or opens):
        yield f"variable {variable[1]}"


def parameter_types(parameters: str) -> str:
    """Parameters without their names, so that overloads differ and copies do not."""
    depth, parts = 0, [""]
    for character in parameters:
        depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return ", ".join(re.sub(r"(?<=[\w>&*\s])\b\w+$", "", part.strip()).strip() for part in parts)


def repeated_definitions(engine: Path) -> dict[str, list[str]]:
    """Every name of namespace jimbot that two files define, with the files."""
    files: dict[str, list[str]] = defaultdict(list)
    for path in source_files(engine):
        for name in definitions_of(path.read_text(encoding="utf-8")):
            if name.startswith("jimbot"):
                files[name].append(path.relative_to(engine).as_posix())
    return {name: where for name, where in files.items() if len(where) > 1}


# Added content: a build takes one of these files, and no program links two of them (engine/DESIGN.md).
ALTERNATIVES = {"jimbot::variable kExtraJokers"}


def test_every_name_is_defined_in_one_file(root):
    repeated = repeated_definitions(root / "engine")
    assert set(repeated) <= ALTERNATIVES


def test_the_reader_of_definitions_sees_the_engine(root):
    found = definitions_of((root / "engine" / "core" / "seed_space.hpp").read_text(encoding="utf-8"))
    assert found == {
        "jimbot::variable kSeedCharacters",
        "jimbot::variable kSeedCharacterCount",
        "jimbot::variable kRandomSeedLength",
        "jimbot::variable kSeedSuffixes",
        "jimbot::variable kSeedSpace",
    }
    found = definitions_of((root / "engine" / "learn" / "matrix.hpp").read_text(encoding="utf-8"))
    assert "jimbot::learn::variable kPadding" in found
    assert "jimbot::learn::function padded(int)" in found
    assert "jimbot::learn::type MatrixView" in found
    total = sum(
        len(definitions_of(path.read_text(encoding="utf-8"))) for path in source_files(root / "engine")
    )
    assert total > 500


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("inline constexpr int kLanes = 34;", "inline constexpr int kLanes = 16;", "variable kLanes"),
        ("inline constexpr int kLanes{34};", "constexpr int kLanes = 16;", "variable kLanes"),
        ("struct Scale { int x; };", "struct Scale\n{ double x; };", "type Scale"),
        ("struct Scale { int x; };", "using Scale = double;", "type Scale"),
        ("enum class Keep { a };", "enum class Keep : char { b };", "type Keep"),
        (
            "inline int twice(int x) { return 2 * x; }",
            "int twice(int y) { return y; }",
            "function twice(int)",
        ),
        (
            "template <typename T> T same(const T& x) { return x; }",
            "template <typename T> T same(const T& y) { return y; }",
            "function same(const T&)",
        ),
        ("template <> struct Lane<4> {};", "template <> struct Lane<4> { int x; };", "type Lane<4>"),
        ("constexpr int table[] = {1, 2};", "constexpr int table[3] = {};", "variable table"),
    ],
)
def test_planted_repetition_is_found(tmp_path, one, other, expected):
    plant(tmp_path, "rules/one.cpp", f"namespace jimbot {{\n{one}  // a comment {{\n}}\n")
    plant(tmp_path, "view/other.cpp", f"namespace jimbot {{\n{other}\n}}\n")
    assert repeated_definitions(tmp_path) == {f"jimbot::{expected}": ["rules/one.cpp", "view/other.cpp"]}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("namespace { struct Scale { int x; }; }", "namespace { struct Scale { double x; }; }"),
        ("namespace learn { inline constexpr int kLanes = 16; }", "inline constexpr int kLanes = 34;"),
        ("int f(int x) { return x; }", "int f(double x) { return 0; }"),
        ("int f(int x);", "int f(int x) { struct Entry {}; int kOne = 1; return x; }"),
        ("extern const int kOne;", "extern const int kOne; const int kOne = 1;"),
        ("struct Scale;", "struct Scale { int x = 1; void f() {} };"),
        ("void A::f() {}", "void B::f() {}"),
    ],
)
def test_allowed_repetition_is_allowed(tmp_path, one, other):
    plant(tmp_path, "rules/one.cpp", f"namespace jimbot {{\n{one}\n}}\n")
    plant(tmp_path, "view/other.cpp", f"namespace jimbot {{\n{other}\n}}\n")
    assert repeated_definitions(tmp_path) == {}
