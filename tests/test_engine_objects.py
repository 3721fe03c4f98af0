"""The object file of the kernels shares nothing with other files.

Kernels are compiled for processors that not everybody has. A function that several object files define, such as
std::max, exists once in the program, and the linker chooses whose copy: it must never find one to choose here.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = "engine/learn/kernels.cpp"
COMPILERS = ("g++", "clang++")
SHARED = "VvWwu"
"""What nm calls symbols that several files may define."""


@pytest.fixture(scope="module")
def flags(root: Path) -> list[str]:
    """The flags that the development build compiles the kernels with."""
    commands = root / "build" / "dev" / "compile_commands.json"
    if not commands.exists():
        pytest.skip("no development build here")
    for entry in json.loads(commands.read_text(encoding="utf-8")):
        if Path(entry["file"]) == root / SOURCE:
            words = shlex.split(entry["command"])
            break
    else:
        pytest.fail(f"the development build does not compile {SOURCE}")
    # Without link-time optimization, which nm cannot look into, and without what Clang does not know.
    return [
        word
        for word in words
        if re.match(r"-[IDWfm]|-std=", word) and not re.match(r"-flto|-fno-fat-lto|-mmem\w+-strategy", word)
    ]


def symbols_of(compiler: str, flags: list[str], source: Path, target: Path) -> dict[str, str]:
    """The symbols that a compiled source defines: nm's letter for each by its name."""
    if shutil.which(compiler) is None or shutil.which("nm") is None:
        pytest.skip(f"needs {compiler} and nm")
    subprocess.run([compiler, *flags, "-c", str(source), "-o", str(target)], check=True)
    listed = subprocess.run(
        ["nm", "--demangle", "--defined-only", "--format=posix", str(target)],
        check=True,
        capture_output=True,
        text=True,
    )
    # name, letter, value and size; a demangled name may hold spaces.
    found = [re.match(r"(.*) ([A-Za-z]) [0-9a-f]+ ?[0-9a-f]*$", line) for line in listed.stdout.splitlines()]
    return {each[1]: each[2] for each in found if each}


@pytest.mark.parametrize("optimization", ["-O0", "-O3"])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_kernels_define_nothing_that_other_files_may_define(root, tmp_path, flags, compiler, optimization):
    symbols = symbols_of(compiler, [*flags, optimization], root / SOURCE, tmp_path / "kernels.o")
    assert any("avx512::multiply" in name for name in symbols) or not any("avx2" in name for name in symbols)
    assert {name: letter for name, letter in symbols.items() if letter in SHARED} == {}
    visible = {name for name, letter in symbols.items() if letter.isupper()}
    assert visible == {"jimbot::learn::all_kernels", "jimbot::learn::all_kernels_count"}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_planted_use_of_the_standard_library_is_found(root, tmp_path, flags, compiler):
    planted = tmp_path / "planted.cpp"
    planted.write_text(
        f'#include <algorithm>\n#include "{root / SOURCE}"\n'
        "float larger(float a, float b);\nfloat larger(float a, float b) { return std::max(a, b); }\n"
    )
    symbols = symbols_of(compiler, [*flags, "-O0"], planted, tmp_path / "planted.o")
    shared = [name for name, letter in symbols.items() if letter in SHARED]
    assert [name for name in shared if "std::max" in name]
