"""The repository as a whole: licence, extras, pins, targets, build flags, and nothing of one machine."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

# Directories of one machine, and addresses of package registries: neither may be written into the project.
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(?:work|root|tmp|home|Users)/")
REGISTRY = re.compile(
    r"(?:https?|file)://[\w.:@-]*(?:pypi|npmjs|pythonhosted|artifactory|nexus|mirror|proxy)"
)
REGISTRY_OPTION = re.compile(r"--(?:extra-)?index-url|--find-links|PIP_(?:EXTRA_)?INDEX_URL|PIP_FIND_LINKS")

TARGETS = (
    "help",
    "setup",
    "train",
    "test",
    "check",
    "bench",
    "sanitize",
    "sanitize-threads",
    "clang",
    "fuzz",
    "docs",
    "clean",
)


@pytest.fixture(scope="module")
def pyproject(root: Path):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def pins(root: Path) -> dict[str, Version]:
    lines = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def project_files(root: Path) -> list[Path]:
    """The files of the repository: what git knows and does not ignore."""
    if shutil.which("git") is None or not (root / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.split("\0")
    return [root / name for name in names if name and (root / name).is_file()]


def text_of(path: Path) -> str:
    """The file's text; empty for a binary file."""
    content = path.read_bytes()
    return "" if b"\0" in content else content.decode("utf-8")


def test_licence_is_mit(root, pyproject):
    licence = (root / "LICENSE").read_text(encoding="utf-8")
    assert licence.startswith("MIT License\n\nCopyright (c) 2026 the jimbot authors\n")
    assert "THE SOFTWARE IS PROVIDED" in licence
    assert pyproject["project"]["license"] == "MIT"


def test_all_names_every_extra(pyproject):
    extras = pyproject["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    named = Requirement(everything)
    assert named.name == "jimbot"
    assert named.extras == set(extras) - {"all", "dev", "docs"}


def test_every_direct_dependency_has_a_pin_it_accepts(pyproject, pins):
    groups = [
        pyproject["build-system"]["requires"],
        pyproject["project"]["dependencies"],
        *pyproject["project"]["optional-dependencies"].values(),
    ]
    requirements = [Requirement(line) for group in groups for line in group]
    for requirement in requirements:
        if requirement.name == "jimbot":
            continue
        pin = pins.get(canonicalize_name(requirement.name))
        assert pin is not None, f"constraints.txt has no pin for {requirement.name}"
        assert requirement.specifier.contains(pin), f"{requirement} does not accept the pin {pin}"


def test_pins_have_no_local_versions(pins):
    assert [name for name, version in pins.items() if version.local] == []


def test_version_has_one_home(root, pyproject):
    import jimbot

    version = pyproject["project"]["version"]
    assert jimbot.__version__ == version
    assert version not in (root / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"## {version}" in (root / "CHANGELOG.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY, REGISTRY_OPTION], ids=["path", "host", "option"])
def test_nothing_of_one_machine_is_in_the_files(root, pattern):
    own_patterns = {"tests/test_repository.py"} if pattern is REGISTRY_OPTION else set()
    found = [
        f"{path.relative_to(root)}:{number}: {line.strip()}"
        for path in project_files(root)
        if path.relative_to(root).as_posix() not in own_patterns
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if pattern.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("line", "pattern"),
    [
        ("data = '/" + "tmp/x'", MACHINE_PATH),
        ("see /" + "home/somebody/file", MACHINE_PATH),
        ("https:" + "//pypi.example.org/simple", REGISTRY),
        ("http:" + "//registry.npmjs.org/x", REGISTRY),
    ],
)
def test_planted_machine_detail_is_found(line, pattern):
    assert pattern.search(line)


@pytest.mark.parametrize("target", TARGETS)
def test_makefile_has_target(root, target):
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"^{target}:.*## \S", makefile, flags=re.MULTILINE), f"no documented target {target}"


def test_ci_runs_checks_and_tests(root):
    script = root / ".ci" / "run"
    lines = script.read_text(encoding="utf-8").splitlines()
    assert "set -euo pipefail" in lines
    assert "make check test" in lines
    assert os.name == "nt" or script.stat().st_mode & 0o111, ".ci/run is not executable"


@pytest.mark.parametrize("target", ["sanitize", "sanitize-threads", "clang"])
def test_workflow_runs_target(root, target):
    workflow = (root / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8")
    assert re.search(rf"^ *- run: make {target}$", workflow, flags=re.MULTILINE)


def test_sanitizer_build_checks_conversions_and_containers(root):
    flags = (root / "cmake" / "flags.cmake").read_text(encoding="utf-8")
    assert "-fsanitize=address,undefined,float-cast-overflow" in flags
    assert "_GLIBCXX_ASSERTIONS" in flags
    assert "-fsanitize=thread" in flags


@pytest.mark.slow
def test_wheel_holds_neither_benchmarks_nor_the_conformance_battery(root, tmp_path):
    """About a minute: it compiles the engine as a user's installation does."""
    pytest.importorskip("scikit_build_core")
    options = ["--no-build-isolation", "--no-deps", f"--config-settings=build-dir={tmp_path / 'build'}"]
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", *options, str(root), "-w", str(tmp_path)],
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        modules = [name for name in archive.namelist() if Path(name).name.startswith("_engine")]
        (compiled,) = [name for name in modules if not name.endswith(".pyi")]
        content = archive.read(compiled)
    assert sorted(Path(name).name.partition(".")[0] for name in modules) == ["_engine", "_engine"]
    assert b"expert_choose" in content
    for word in (b"measure_env", b"all_previews", b"conformance", b"fuzz"):
        assert word not in content


def test_build_files_keep_floating_point_exact(root):
    build_files = [
        root / "pyproject.toml",
        root / "CMakeLists.txt",
        *sorted((root / "cmake").glob("*.cmake")),
    ]
    text = "\n".join(path.read_text(encoding="utf-8") for path in build_files)
    assert not re.search(r"fast-math|-Ofast|/fp:fast|funsafe-math|fassociative-math", text)
    assert "-ffp-contract=off" in text
    assert text.count("-ffp-contract=fast") == 1  # in jimbot_kernel_flags
    assert "/fp:precise" in text
    lines = text.splitlines()
    native = [number for number, line in enumerate(lines) if re.search(r"march=native|/arch:", line)]
    assert all(lines[number - 1].strip() == "if(JIMBOT_NATIVE)" for number in native)


def test_compiled_commands_keep_floating_point_exact(root):
    commands = root / "build" / "dev" / "compile_commands.json"
    if not commands.exists():
        pytest.skip("no development build here")
    own = {
        Path(entry["file"]).relative_to(root / "engine").as_posix(): entry["command"]
        for entry in json.loads(commands.read_text(encoding="utf-8"))
        if Path(entry["file"]).is_relative_to(root / "engine")
    }
    assert own
    for command in own.values():
        assert "-ffp-contract=off" in command or "/fp:precise" in command
        assert not re.search(r"fast-math|-Ofast|march=native", command)
    # The last of two settings holds.
    assert [file for file, command in own.items() if "-ffp-contract=fast" in command] == ["learn/kernels.cpp"]


def test_engine_module_is_not_tuned_to_this_machine():
    from jimbot import _engine

    assert _engine.build_info()["native"] is False


def test_worked_example_of_a_joker_is_one_that_is_compiled_and_played(root):
    """The entry in CONTRIBUTING stands in the table that engine_content_tests is built with, and so does its id."""
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (entry,) = re.findall(r"```cpp\n(.*?)```", text, re.DOTALL)
    tests = root / "engine" / "tests"
    compiled = (tests / "content_jokers.hpp").read_text(encoding="utf-8")
    assert " ".join(entry.split()) in " ".join(compiled.split())
    assert "X(j_test_tally)" in text
    assert "X(j_test_tally)" in (tests / "content_ids.hpp").read_text(encoding="utf-8")


def test_requirements_install_the_package_with_extras_that_exist(root, pyproject):
    lines = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    asked = [line for line in lines if line and not line.startswith("#")]
    constraint, package = asked
    assert (root / constraint.removeprefix("--constraint ")).is_file()
    extras = package.removeprefix(".[").removesuffix("]").split(",")
    assert "sb3" in extras
    assert set(extras) <= set(pyproject["project"]["optional-dependencies"])
