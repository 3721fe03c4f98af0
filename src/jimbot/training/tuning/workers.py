"""Worker processes that search in one study in parallel; they share nothing but the journal on disk."""

from __future__ import annotations

import multiprocessing
import os
import time
from typing import TYPE_CHECKING, Any

from jimbot.storage.signals import interrupt_on_termination
from jimbot.training.tuning.types import TuningError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Work = Callable[[str, int, Callable[[str], None]], None]

__all__ = ["search_in_processes"]

LOOK_SECONDS = 1.0


def search_in_processes(
    search: Work,
    directory: Path,
    trials: int,
    workers: int,
    tell: Callable[[str], None],
    finished: Callable[[], list[Any]],
) -> None:
    """Search with so many fresh processes until all are done; an error or an interrupt ends all of them.

    Args:
        search: what a process does: called with the directory, the trials, and a function to call between trials.
        directory: of the study, which exists.
        trials: finished trials in all.
        workers: processes.
        tell: called with a line whenever trials were finished.
        finished: the finished trials.
    """
    context = multiprocessing.get_context("spawn")
    processes = [
        context.Process(target=work, args=(search, str(directory), trials, os.getpid()), daemon=False)
        for _ in range(workers)
    ]
    for process in processes:
        process.start()
    told = len(finished())
    try:
        while any(process.is_alive() for process in processes):
            time.sleep(LOOK_SECONDS)
            done = finished()
            if len(done) > told:
                told = len(done)
                tell(f"{told} of {trials} trials finished")
            broken = [process for process in processes if process.exitcode not in (None, 0)]
            if broken:
                raise TuningError(
                    f"a worker ended with code {broken[0].exitcode}; run the same command again to go on"
                )
    finally:
        for process in processes:
            if process.is_alive():
                process.terminate()
        for process in processes:
            process.join()


def work(search: Work, directory: str, trials: int, parent: int) -> None:
    """One worker: searches until the study has enough trials."""
    interrupt_on_termination()

    def watch(_: str) -> None:
        if os.name == "posix" and os.getppid() != parent:  # nobody would record what is found
            raise KeyboardInterrupt

    search(directory, trials, watch)
