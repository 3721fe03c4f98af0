"""System calls that fail, or end the process, at a chosen moment.

As a program it saves a checkpoint in a child process that dies at its first call, as in a power cut, in another one
that dies at the second, and so on until one gets to the end. Usage: faults.py DIRECTORY; prints what it found as JSON.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from jimbot.training.checkpoints.manager import CheckpointManager

WRITING_CALLS = (
    "mkdir",
    "open",
    "write",
    "fsync",
    "rename",
    "replace",
    "unlink",
    "rmdir",
    "close",
    "ftruncate",
)
CALLS_TO_CRASH_AT = tuple(name for name in WRITING_CALLS if name != "close")  # it changes nothing on disk
CRASHED = 77


@contextmanager
def faulty_calls(
    at: int, fault: Callable[[], None], names: tuple[str, ...] = WRITING_CALLS
) -> Iterator[list[str]]:
    """Within, the call of that number (from 1) among the named functions of ``os`` makes the fault first.

    Gives the names of the calls made; the fault may raise, or not return.
    """
    calls: list[str] = []
    originals = {name: getattr(os, name) for name in names}

    def wrapped(name: str) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            calls.append(name)
            if len(calls) == at:
                if name == "close":  # the system closes a file even when it reports an error
                    return (originals["close"](*arguments), fault())[0]
                fault()
            return originals[name](*arguments, **options)

        return call

    for name in names:
        setattr(os, name, wrapped(name))
    try:
        yield calls
    finally:
        for name, original in originals.items():
            setattr(os, name, original)


def tree_of(step: int) -> dict[str, Any]:
    return {
        "step": step,
        "weights": np.full((3, 4), step, np.float32),
        "replay": {"obs": np.arange(step + 5)},
    }


def save(manager: CheckpointManager, step: int) -> Path:
    return manager.save(step, tree_of(step), score=-step, groups=("replay",))


def prepare(directory: Path, template: Path | None = None) -> CheckpointManager:
    """Checkpoints 1 to 3, of which saving 4 will delete 2 (1 is the best, 3 the last but one)."""
    if template is not None:
        shutil.copytree(template, directory)
        return CheckpointManager(directory, keep_last=2).open()
    with CheckpointManager(directory, keep_last=3) as manager:
        for step in (1, 2, 3):
            save(manager, step)
    return CheckpointManager(directory, keep_last=2).open()


def steps_loaded(directory: Path) -> list[int]:
    """The steps of all checkpoints, each of which must load as it was saved."""
    manager = CheckpointManager(directory)
    steps: list[int] = []
    for info in manager.list():
        tree = manager.load(info).tree
        expected = tree_of(info.step)
        assert tree["step"] == info.step
        assert np.array_equal(tree["weights"], expected["weights"])
        assert np.array_equal(tree["replay"]["obs"], expected["replay"]["obs"])
        steps.append(info.step)
    return steps


def crash_at(directory: Path, template: Path, call: int) -> dict[str, Any]:
    """Die at the given call of a save in a child; what is on disk then, and after the next save."""
    prepare(directory, template).close()
    child = os.fork()
    if not child:
        with faulty_calls(call, lambda: os._exit(CRASHED), CALLS_TO_CRASH_AT):
            save(CheckpointManager(directory, keep_last=2), 4)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    found = steps_loaded(directory)
    with CheckpointManager(directory, keep_last=2) as manager:
        save(manager, 5)
    hidden = [path.name for path in directory.iterdir() if path.name.startswith((".saving", ".deleting"))]
    after = steps_loaded(directory)
    return {"code": os.waitstatus_to_exitcode(status), "found": found, "after": after, "hidden": hidden}


def main(directory: Path) -> None:
    results: list[dict[str, Any]] = []
    template = directory / "template"
    prepare(template).close()
    while not results or results[-1]["code"] == CRASHED:
        call = len(results) + 1
        results.append(crash_at(directory / str(call), template, call))
        shutil.rmtree(directory / str(call))
    print(json.dumps(results))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
