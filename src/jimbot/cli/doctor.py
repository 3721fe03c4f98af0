"""``jimbot doctor``: a report on this installation, and how to install what is missing.

Nothing heavy is imported: the versions come from package metadata.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Annotated, Any

import typer

from jimbot.storage.strict_json import dump_json

__all__ = ["ExtraReport", "Report", "app", "examine"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

COMPILERS = ("c++", "g++", "clang++", "cl")


@dataclass(frozen=True)
class ExtraReport:
    """The state of one optional extra.

    Attributes:
        name: as in ``pip install 'jimbot[name]'``.
        installed: version by package, for the packages that are there.
        missing: the packages that are not.
        command: what brings the missing ones; empty when none is missing.
    """

    name: str
    installed: dict[str, str]
    missing: list[str]
    command: str

    @property
    def complete(self) -> bool:
        """Whether every package of the extra is installed."""
        return not self.missing


@dataclass(frozen=True)
class Report:
    """The report of ``jimbot doctor``.

    Attributes:
        jimbot: version of this package.
        python: version and implementation.
        system: operating system and processor.
        processors: how many this process may use.
        compiler: first line of the C++ compiler's ``--version``, or None when none is on PATH.
        engine: what ``jimbot._engine.build_info()`` says, or ``{"error": …}``.
        extras: one entry per extra, in the order of pyproject.toml.
    """

    jimbot: str
    python: str
    system: str
    processors: int
    compiler: str | None
    engine: dict[str, Any]
    extras: list[ExtraReport]

    @property
    def healthy(self) -> bool:
        """Whether the base installation works; extras are optional."""
        return "error" not in self.engine


def examine() -> Report:
    """Examine this installation."""
    return Report(
        jimbot=find_installed_version("jimbot") or "not installed: no package metadata",
        python=f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})",
        system=f"{platform.system()} {platform.machine()}",
        processors=count_usable_processors(),
        compiler=find_compiler(),
        engine=describe_engine_build(),
        extras=examine_extras(read_requirements()),
    )


def count_usable_processors() -> int:
    """Return the number of processors this process may run on, which may be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def find_compiler() -> str | None:
    """Return path and version of the C++ compiler that a build would use."""
    for name in (os.environ.get("CXX", ""), *COMPILERS):
        path = shutil.which(name) if name else None
        if path is None:
            continue
        answer = subprocess.run([path, "--version"], capture_output=True, text=True, check=False, timeout=30)
        lines = (answer.stdout or answer.stderr).strip().splitlines()
        return f"{path}: {lines[0] if lines else 'gives no version'}"
    return None


def describe_engine_build() -> dict[str, Any]:
    """Return how the compiled engine was built, or why it cannot be loaded."""
    try:
        from jimbot import _engine
    except ImportError as error:
        return {"error": str(error)}
    return dict(_engine.build_info())


def read_requirements() -> list[str]:
    """Return the requirements of the installed jimbot; empty if it is not installed."""
    try:
        return metadata.requires("jimbot") or []
    except metadata.PackageNotFoundError:
        return []


def examine_extras(requirements: list[str]) -> list[ExtraReport]:
    """Examine every extra, given requirement lines such as ``torch>=2.4; extra == "sb3"``."""
    packages: dict[str, list[str]] = {}
    for requirement in requirements:
        extra = re.search(r"""extra\s*==\s*["']([\w.-]+)["']""", requirement)
        package = re.match(r"[\w.-]+", requirement)
        # `all` names jimbot itself: it is the sum of the others, and adds nothing to tell.
        if extra and package and package[0] != "jimbot":
            packages.setdefault(extra[1], []).append(package[0])
    return [examine_extra(name, needed) for name, needed in packages.items()]


def examine_extra(name: str, packages: list[str]) -> ExtraReport:
    """Find the installed versions of an extra's packages."""
    versions = {package: find_installed_version(package) for package in packages}
    missing = [package for package, version in versions.items() if version is None]
    return ExtraReport(
        name=name,
        installed={package: version for package, version in versions.items() if version is not None},
        missing=missing,
        command=f"pip install 'jimbot[{name}]'" if missing else "",
    )


def find_installed_version(package: str) -> str | None:
    """Return the version of an installed package without importing it; None if it is absent."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def format_report(report: Report) -> list[str]:
    """Format the report as lines of text."""
    engine = ", ".join(f"{key} {value}" for key, value in report.engine.items())
    lines = [
        f"jimbot      {report.jimbot}",
        f"python      {report.python}",
        f"system      {report.system}, {report.processors} processors",
        f"compiler    {report.compiler or 'none on PATH (needed only to build from source)'}",
        f"engine      {engine}",
        "",
        "extras:",
    ]
    for extra in report.extras:
        versions = ", ".join(f"{package} {version}" for package, version in extra.installed.items())
        if extra.complete:
            lines.append(f"  {extra.name:<10} ready    {versions}")
        else:
            state = "partial" if extra.installed else "absent"
            missing = ", ".join(extra.missing)
            lines.append(f"  {extra.name:<10} {state:<8} {extra.command}  (missing: {missing})")
    return lines


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Report on this installation: Python, compiler, engine build, optional extras."""
    report = examine()
    print(
        dump_json(asdict(report), indent=2, nonfinite="null") if as_json else "\n".join(format_report(report))
    )
    if not report.healthy:
        raise typer.Exit(code=1)
