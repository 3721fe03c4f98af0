"""Which process wrote something, whether that very process still lives, which ones came from it, and ending them.

A process number alone is not enough: numbers are given again after a process ends. Number, start time, machine and
boot together name one process for good.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import time
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    import psutil

__all__ = ["ProcessIdentity", "descendants", "end_processes", "processes_below", "tree_memory_bytes"]

PATIENCE = 10.0
"""Seconds that processes have to end by themselves before they are killed."""
LOOK_SECONDS = 0.02


@dataclass(frozen=True)
class ProcessIdentity:
    """One process, told apart from every other, earlier or later.

    Attributes:
        pid: its number.
        started: its start time, in ticks since boot on Linux, in milliseconds since 1970 elsewhere.
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
    """When a living process started; None when there is none of that number. A zombie has ended and counts as gone."""
    import psutil

    try:
        process = psutil.Process(pid)
        if process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
            return None
        return ticks_since_boot(pid) if sys.platform == "linux" else round(process.create_time() * 1000)
    except (psutil.Error, OverflowError):
        return None


def ticks_since_boot(pid: int) -> int:
    """The start time of a process as the kernel counts it, which setting the clock does not change.

    psutil adds the time of the boot, which does change then, so that it is taken off again; the clock must not have
    been set in between.
    """
    import psutil

    while True:
        boot = psutil.boot_time()
        created = psutil.Process(pid).create_time()
        if psutil.boot_time() == boot:
            return round((created - boot) * os.sysconf("SC_CLK_TCK"))


@cache
def boot_identity() -> str:
    """The identity of this boot of the machine; empty where the system gives none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def processes_below(pid: int) -> set[psutil.Process]:
    """Children of a process and theirs; none if there is no such process."""
    import psutil

    try:
        return set(psutil.Process(pid).children(recursive=True))
    except psutil.NoSuchProcess:
        return set()


def descendants(pid: int) -> set[int]:
    """The numbers of ``processes_below``."""
    return {process.pid for process in processes_below(pid)}


def end_processes(processes: Iterable[psutil.Process], patience: float = PATIENCE) -> None:
    """Wait until processes have ended; those that have not after ``patience`` seconds are killed.

    They are only looked at, never waited for: their exit codes belong to whoever started them.
    """
    import psutil

    deadline = time.monotonic() + patience
    left = [process for process in processes if runs(process)]
    while left and time.monotonic() < deadline:
        time.sleep(LOOK_SECONDS)
        left = [process for process in left if runs(process)]
    for process in left:
        with contextlib.suppress(psutil.Error):
            process.kill()


def runs(process: psutil.Process) -> bool:
    """Whether this very process runs; one that only waits to be forgotten does not."""
    import psutil

    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def tree_memory_bytes(pid: int) -> int:
    """Memory of a process and of all below it; what they share is counted once where the system tells (Linux)."""
    import psutil

    total = 0
    with contextlib.suppress(psutil.Error):
        for process in {psutil.Process(pid), *processes_below(pid)}:
            with contextlib.suppress(psutil.Error, OSError):
                memory = process.memory_full_info()
                total += int(getattr(memory, "pss", memory.rss))
    return total
