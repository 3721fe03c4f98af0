"""A measurement in a process of its own, so that neither its libraries nor its memory mix with another's."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from pathlib import Path
from queue import Empty
from typing import Any

from jimbot.errors import JimbotError

__all__ = ["MEGABYTE", "measure_tree_memory", "run_in_process", "run_with_memory", "use_threads"]

MEGABYTE = 2**20
WATCH_SECONDS = 0.2
"""Between two looks at the memory."""


def run_in_process(function: Any, *arguments: Any) -> Any:
    """What a function of a queue, and of ``arguments``, puts there in a fresh process."""
    return _run(function, arguments, watched=False)[0]


def run_with_memory(function: Any, *arguments: Any) -> tuple[Any, float]:
    """The same, and the most memory of the process with all below it, in bytes."""
    return _run(function, arguments, watched=True)


def _run(function: Any, arguments: tuple[Any, ...], *, watched: bool) -> tuple[Any, float]:
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue()
    process = context.Process(target=function, args=(queue, *arguments))
    process.start()
    peak = 0.0
    while True:
        if watched:
            peak = max(peak, measure_tree_memory(process.pid or 0))
        ended = not process.is_alive()  # asked before the queue: what it put there last is there by then
        try:
            found = queue.get(timeout=WATCH_SECONDS)
            break
        except Empty:
            if ended:
                code = process.exitcode
                raise JimbotError(
                    f"a measurement ended without a result, with exit code {code}; its error stands above"
                ) from None
    process.join()
    return found, peak


def use_threads(count: int) -> None:
    """Let the libraries of this process compute on so many threads; before anything else is asked of them."""
    os.environ |= {"OMP_NUM_THREADS": str(count), "PJRT_NPROC": str(count)}


def measure_tree_memory(pid: int) -> float:
    """Bytes of a process and of all below it, what they share counted once; 0 where that cannot be read."""
    from jimbot.storage.processes import descendants

    total = 0.0
    for each in {pid, *descendants(pid)}:
        with contextlib.suppress(OSError, ValueError, IndexError):
            for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) * 1024
    return total
