"""Saves checkpoints in child processes and kills them at random moments; run by ``test_checkpoint_kills``.

It is a program of its own because it forks: the children need no imports, so that hundreds of kills take seconds.

Usage: kill_loop.py DIRECTORY KILLS SEED; prints a JSON report.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from jimbot.training.checkpoints.manager import CheckpointManager

KEEP_LAST = 2


def tree_of(step: int) -> dict[str, Any]:
    """A tree whose every part follows from the step, so that a mixture of two steps would be seen."""
    rng = np.random.default_rng(step)
    return {
        "step": step,
        "policy": {"weights": rng.standard_normal((64, 50)), "bias": np.full(7, step, np.int64)},
        "replay": {"obs": rng.integers(0, 256, (200, 100), np.uint8)},
        "words": [str(step)] * 20,
    }


def equal(left: Any, right: Any) -> bool:
    """Whether two trees hold the same, to the bit."""
    if isinstance(left, np.ndarray):
        same_kind = isinstance(right, np.ndarray) and left.dtype == right.dtype
        return same_kind and left.shape == right.shape and left.tobytes() == right.tobytes()
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    return type(left) is type(right) and left == right


def save_for_ever(directory: Path) -> None:
    """Go on after the newest checkpoint, one step a save, telling each finished save in a file."""
    with CheckpointManager(directory, keep_last=KEEP_LAST) as manager:
        newest = manager.latest()
        step = 0 if newest is None else newest.step
        told = os.open(directory.parent / "told", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        while True:
            step += 1
            manager.save(step, tree_of(step), score=step % 5, groups=("replay",))
            os.write(told, f"{step}\n".encode())


def kill_one(directory: Path, delay: float, *, amid_a_save: bool) -> None:
    """Start a child and kill it after the delay; or, amid a save, that long after it began to write a checkpoint."""
    child = os.fork()
    if not child:
        try:
            save_for_ever(directory)
        finally:
            os._exit(1)  # only if it ended by itself, which is a failure
    while amid_a_save and not any(f".{child}." in path.name for path in directory.iterdir()):
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break  # it ended by itself, which is told below
        time.sleep(0.0002)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"the child ended by itself: {status}"


def look(directory: Path, told: Path, step_before: int) -> dict[str, Any]:
    """What is on disk after a kill; raises unless the newest checkpoint is complete and as it should be.

    Args:
        directory: the checkpoints.
        told: the file in which children tell what they saved.
        step_before: the newest checkpoint after the kill before.
    """
    manager = CheckpointManager(directory)
    finished = max(
        step_before, int(told.read_text().split()[-1]) if told.exists() and told.read_text() else 0
    )
    newest = manager.latest()  # warnings are errors here: nothing damaged may look like a checkpoint
    step = 0 if newest is None else newest.step
    # The save that was under way may have succeeded without being told; nothing that was told may be missing.
    assert finished <= step <= finished + 1, (finished, step)
    for info in manager.list():
        loaded = manager.load(info)
        assert equal(loaded.tree, tree_of(info.step)), info.path
        assert loaded.manifest.step == info.step
    steps = [info.step for info in manager.list()]
    assert sorted(set(steps)) == steps
    assert not finished or set(range(max(1, step - KEEP_LAST + 1), step + 1)) <= set(steps)
    leftovers = [
        path.name.partition("-")[0] for path in directory.iterdir() if path.name[1:7] in ("saving", "deleti")
    ]
    return {"step": step, "leftovers": leftovers}


def main(directory: Path, kills: int, seed: int) -> None:
    rng = random.Random(seed)
    directory.mkdir()
    seen: list[dict[str, Any]] = []
    with CheckpointManager(directory, keep_last=KEEP_LAST) as manager:
        manager.save(0, tree_of(0))  # the first one looks up versions and takes longer
        started = time.perf_counter()
        manager.save(0, tree_of(0))
        one_save = time.perf_counter() - started
    for number in range(kills):
        if number % 2:
            kill_one(directory, rng.uniform(0, one_save / 2), amid_a_save=True)
        else:
            kill_one(directory, rng.uniform(0, 6 * one_save), amid_a_save=False)
        seen.append(look(directory, directory.parent / "told", seen[-1]["step"] if seen else 0))
    with CheckpointManager(directory):
        after = [path.name for path in directory.iterdir() if path.name.startswith((".saving", ".deleting"))]
    report = {
        "kills": kills,
        "last_step": seen[-1]["step"],
        "kills_amid_a_save": sum(".saving" in one["leftovers"] for one in seen),
        "kills_amid_a_deletion": sum(".deleting" in one["leftovers"] for one in seen),
        "leftovers_after_open": after,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
