"""A measurement in a process of its own, so that neither its libraries nor its memory mix with another's."""

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
    """What a function of a queue, and of ``arguments``, puts there in a fresh process."""
    return _run(function, arguments, watched=False)[0]


def run_with_memory(function: Any, *arguments: Any) -> tuple[Any, int]:
    """The same, and the most memory of the process with all below it, in bytes."""
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
    """Let the libraries of this process compute on so many threads; before anything else is asked of them."""
    os.environ |= {"OMP_NUM_THREADS": str(count), "PJRT_NPROC": str(count)}
