"""Where a run came from: versions of the libraries, machine, commit, command line."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

__all__ = ["git_state", "hardware", "library_versions"]

# Whatever can change what a run computes. Versions are read from the installed metadata; nothing is imported.
LIBRARIES = (
    "jimbot",
    "numpy",
    "gymnasium",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "jax",
    "jaxlib",
    "flax",
    "optax",
    "tianshou",
    "ray",
    "pufferlib",
    "optuna",
)


@cache
def installed_versions() -> tuple[tuple[str, str], ...]:
    """Name and version of every library of the list that is installed."""
    found: list[tuple[str, str]] = []
    for name in LIBRARIES:
        try:
            found.append((name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            continue
    return tuple(found)


def library_versions() -> dict[str, str]:
    """The versions of Python and of the installed libraries that matter to training."""
    return {"python": platform.python_version(), **dict(installed_versions())}


def hardware() -> dict[str, Any]:
    """Processor, cores, memory (bytes) and system of this machine."""
    return {
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "usable_cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "memory_bytes": memory_bytes(),
    }


def cpu_model() -> str:
    """The processor's name, as the system gives it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.lower().startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"


def memory_bytes() -> int | None:
    """The machine's memory; None where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def git_state(directory: Path | None = None) -> dict[str, Any] | None:
    """Commit and whether files differ from it, of the repository around a directory; None without git or repository."""
    if shutil.which("git") is None:
        return None
    answers: list[str] = []
    for arguments in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"]):
        try:
            answer = subprocess.run(
                ["git", *arguments],
                cwd=directory,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
                timeout=30,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        if answer.returncode:
            return None
        answers.append(answer.stdout.strip())
    return {"commit": answers[0], "dirty": bool(answers[1])}


def command_line() -> list[str]:
    """How this process was started."""
    return list(getattr(sys, "orig_argv", None) or sys.argv)
