"""Which process wrote something, whether that very process still lives, and which ones came from it.

A process number alone is not enough: numbers are given again after a process ends. Number, start time, machine and
boot together name one process for good.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["ProcessIdentity", "descendants"]


@dataclass(frozen=True)
class ProcessIdentity:
    """One process, told apart from every other, earlier or later.

    Attributes:
        pid: its number.
        started: its start time, in the system's own unit (ticks since boot on Linux, seconds elsewhere).
        host: the name of its machine.
        boot: names the boot of the machine; empty where the system does not tell.
    """

    pid: int
    started: int
    host: str
    boot: str

    @classmethod
    def current(cls) -> ProcessIdentity:
        """This process."""
        pid = os.getpid()
        return cls(pid, start_time(pid) or 0, socket.gethostname(), boot_identity())

    @classmethod
    def from_plain(cls, plain: Any) -> ProcessIdentity | None:
        """What ``to_plain`` gave, or None if it is something else."""
        try:
            identity = cls(int(plain["pid"]), int(plain["started"]), str(plain["host"]), str(plain["boot"]))
        except (KeyError, TypeError, ValueError):
            return None
        return identity if identity.pid > 0 else None

    def to_plain(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return asdict(self)

    def is_alive(self) -> bool | None:
        """Whether this very process still runs; None when it ran on another machine and cannot be asked."""
        if self.host != socket.gethostname():
            return None
        return self.boot == boot_identity() and start_time(self.pid) == self.started


def start_time(pid: int) -> int | None:
    """When a living process started; None when there is none of that number."""
    if sys.platform == "linux":
        return linux_start_time(pid)
    if sys.platform == "win32":
        return windows_start_time(pid)
    return portable_start_time(pid)


def portable_start_time(pid: int) -> int | None:
    """What ``ps`` says, in seconds; for macOS and other systems like it."""
    import time

    answer = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LC_ALL": "C"},
    ).stdout.strip()
    return int(time.mktime(time.strptime(answer))) if answer else None


def linux_start_time(pid: int) -> int | None:
    """Field 22 of ``/proc/PID/stat``; a zombie has ended and counts as gone."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The second field is the program's name in brackets and may hold anything, brackets and spaces too.
    fields = line.rpartition(")")[2].split()
    return None if fields[0] in ("Z", "X") else int(fields[19])


def windows_start_time(pid: int) -> int | None:
    """The creation time of a process, in units of 100 ns."""
    import ctypes

    kernel: Any = getattr(ctypes, "windll").kernel32  # noqa: B009 - the attribute exists on Windows only
    query_limited_information, still_active = 0x1000, 259
    handle = kernel.OpenProcess(query_limited_information, False, pid)
    if not handle:
        return None
    try:
        code = ctypes.c_ulong()
        kernel.GetExitCodeProcess(handle, ctypes.byref(code))
        times = [ctypes.c_ulonglong() for _ in range(4)]
        known = kernel.GetProcessTimes(handle, *(ctypes.byref(moment) for moment in times))
        return times[0].value if known and code.value == still_active else None
    finally:
        kernel.CloseHandle(handle)


@cache
def boot_identity() -> str:
    """The identity of this boot of the machine; empty where the system gives none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def descendants(pid: int) -> set[int]:
    """Children of a process and theirs; none where the system has no ``/proc``."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # The name of a program, in parentheses, may hold anything.
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
    found: set[int] = set()
    grown = {pid}
    while grown:
        grown = {child for child, parent in parents.items() if parent in grown} - found
        found |= grown
    return found
