"""What the benchmarks share: a description of the machine, and numbers as text."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jimbot
from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from types import ModuleType

__all__ = [
    "Measurement",
    "find_source_commit",
    "format_duration",
    "format_rate",
    "format_title",
    "import_development_engine",
    "make_machine_report",
]


@dataclass(frozen=True)
class Measurement:
    """A measurement of one kind of work.

    Attributes:
        name: identifier in JSON.
        what: description in tables.
        per_second: operations per second.
        nanoseconds: time of one operation.
        divisions: time of one operation, in divisions of the reference chain.
    """

    name: str
    what: str
    per_second: float
    nanoseconds: float
    divisions: float


def import_development_engine() -> ModuleType:
    """Import the module with the compiled benchmarks; ``JimbotError`` where it is not installed, as in wheels."""
    try:
        from jimbot import _engine_dev
    except ImportError as error:
        raise JimbotError(
            "the compiled benchmarks are not part of this installation; they are built in a checkout of the "
            "repository: make setup"
        ) from error
    return _engine_dev


def make_machine_report(threads: int, seconds: float, measured: list[Measurement]) -> dict[str, Any]:
    """Return the measurements with a description of the machine."""
    from jimbot import _engine
    from jimbot.balatro.seeds.seed_search import count_usable_processors

    return {
        "commit": find_source_commit(),
        "engine": _engine.build_info(),
        "machine": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "processors": count_usable_processors(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,
        "threads": threads,
        "seconds_each": seconds,
        "measurements": [asdict(each) for each in measured],
    }


def find_source_commit() -> str:
    """Return the commit of the source; empty if it is not a checkout."""
    source = Path(jimbot.__file__).resolve().parents[2]
    if not (source / ".git").exists():
        return ""
    try:
        answer = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=source, capture_output=True, text=True, check=False, timeout=30
        )
    except OSError:
        return ""
    return answer.stdout.strip()


def format_title(report: dict[str, Any]) -> str:
    """Format build and machine as one line, followed by an empty line."""
    engine = report["engine"]
    build = f"{engine['compiler']}, {engine['optimization']}{', lto' if engine['lto'] else ''}"
    return f"[bold]jimbot {engine['version']}[/] · {build} · {report['processors']} processors\n"


def format_rate(rate: float) -> str:
    """Format a rate with thousands separators and as many decimals as matter."""
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:,.2f}"


def format_duration(nanoseconds: float) -> str:
    """Format a time in a suitable unit."""
    if nanoseconds < 1000:
        return f"{nanoseconds:.1f} ns"
    return f"{nanoseconds / 1000:.1f} µs" if nanoseconds < 1e6 else f"{nanoseconds / 1e6:.1f} ms"
