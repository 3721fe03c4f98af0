"""Measurements in a separate process, isolated from the libraries and memory of others."""

from __future__ import annotations

import multiprocessing
import os
from queue import Empty
from typing import Any

from jimbot.errors import JimbotError
from jimbot.storage.processes import tree_memory_bytes

__all__ = ["MEGABYTE", "run_in_process", "run_with_memory", "use_threads"]

MEGABYTE = 2**20
WATCH_SECONDS = 0.2
"""Between two looks at the memory."""


def run_in_process(function: Any, *arguments: Any) -> Any:
    """Run a function of a queue and ``arguments`` in a fresh process, and return what it puts into the queue."""
    return _run(function, arguments, watched=False)[0]


def run_with_memory(function: Any, *arguments: Any) -> tuple[Any, int]:
    """Like ``run_in_process``, and return the peak memory of the process tree in bytes."""
    return _run(function, arguments, watched=True)


def _run(function: Any, arguments: tuple[Any, ...], *, watched: bool) -> tuple[Any, int]:
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue()
    process = context.Process(target=function, args=(queue, *arguments))
    process.start()
    peak = 0
    while True:
        if watched:
            peak = max(peak, tree_memory_bytes(process.pid or 0))
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
    """Limit the threads of this process's libraries; call it before they are used."""
    os.environ |= {"OMP_NUM_THREADS": str(count), "PJRT_NPROC": str(count)}
