"""A save in which any one system call fails, or at which the machine dies, loses nothing."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import threading
import warnings
from pathlib import Path

import numpy as np
import pytest

from jimbot.training.checkpoints import files
from jimbot.training.checkpoints.manager import CheckpointError, CheckpointManager, CheckpointWarning

from .faults import CRASHED, faulty_calls, prepare, save, steps_loaded

BEFORE, AFTER = [1, 2, 3], [1, 3, 4]
posix_only = pytest.mark.skipif(os.name == "nt", reason="needs fork and signals")


def calls_of_a_save(directory: Path) -> list[str]:
    """The system calls of a save that goes well."""
    manager = prepare(directory)
    with faulty_calls(0, lambda: None) as calls:
        save(manager, 4)
    manager.close()
    return calls


def hidden(directory: Path) -> list[str]:
    return [path.name for path in directory.iterdir() if path.name.startswith((".saving", ".deleting"))]


@pytest.mark.parametrize(
    "code", [errno.ENOSPC, errno.EIO, errno.EROFS], ids=lambda code: errno.errorcode[code]
)
def test_a_failing_call_undoes_the_save_or_comes_too_late(memory_path, code):
    prepare(memory_path / "template").close()
    calls = calls_of_a_save(memory_path / "well")
    assert {"mkdir", "open", "write", "fsync", "rename", "unlink", "rmdir", "close"} <= set(calls)
    outcomes = set()

    def fail() -> None:
        raise OSError(code, os.strerror(code))

    for at in range(1, len(calls) + 1):
        directory = memory_path / str(at)
        manager = prepare(directory, memory_path / "template")
        with warnings.catch_warnings(record=True) as warned, faulty_calls(at, fail):
            warnings.simplefilter("always")
            try:
                save(manager, 4)
                outcome, message = "saved", ""
            except CheckpointError as error:
                outcome, message = "refused", str(error)
        assert outcome == "saved" or (os.strerror(code) in message and str(directory) in message)
        if calls[at - 1] != "close":  # that of a file that was only read is not worth a word
            assert len(warned) == (outcome == "saved"), at  # what could not be read or deleted is told
        steps = steps_loaded(directory)
        assert steps == (BEFORE if outcome == "refused" else [*BEFORE, 4] if 2 in steps else AFTER), at
        assert outcome == "saved" or not hidden(directory)
        outcomes.add(outcome)
        if at % 7 == 0:  # and the same manager goes on
            save(manager, 5)
            assert steps_loaded(directory)[-1] == 5
        manager.close()
    assert outcomes == {"saved", "refused"}


@pytest.mark.parametrize("call", ["readv", "fstat"])
def test_a_failing_read_while_verifying_undoes_the_save(tmp_path, call):
    if not hasattr(os, call):
        pytest.skip(f"no os.{call}")
    manager = prepare(tmp_path)

    def fail() -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with faulty_calls(0, lambda: None, (call,)) as calls:
        manager.list()
    # The first call after the manifests that a save reads beforehand belongs to verifying what was written.
    with (
        faulty_calls(len(calls) + 1, fail, (call,)),
        pytest.raises(CheckpointError, match="Input/output error"),
    ):
        save(manager, 4)
    assert steps_loaded(tmp_path) == BEFORE
    assert hidden(tmp_path) == []


def test_bytes_that_the_disk_changed_are_found_before_anything_is_deleted(tmp_path, monkeypatch):
    manager = prepare(tmp_path)
    original = files.write_new_file

    def write_wrongly(path, chunks):
        digest = original(path, chunks)
        if path.name == "replay.safetensors":
            data = bytearray(path.read_bytes())
            data[-1] ^= 1
            path.write_bytes(data)
        return digest

    monkeypatch.setattr(files, "write_new_file", write_wrongly)
    with pytest.raises(CheckpointError, match=r"replay\.safetensors is damaged"):
        save(manager, 4)
    assert steps_loaded(tmp_path) == BEFORE
    assert hidden(tmp_path) == []


@posix_only
def test_a_crash_at_any_call_loses_nothing(memory_path, run_python):
    finished = run_python("-W", "error", str(Path(__file__).with_name("faults.py")), str(memory_path))
    assert finished.returncode == 0, finished.stderr
    results = json.loads(finished.stdout)
    assert [result["code"] for result in results] == [CRASHED] * (len(results) - 1) + [0]
    assert len(results) > 40
    assert {tuple(result["found"]) for result in results} == {(1, 2, 3), (1, 2, 3, 4), (1, 3, 4)}
    for call, result in enumerate(results, start=1):
        assert result["hidden"] == [], call
        assert result["after"] in ([1, 3, 5], [1, 4, 5]), call


@posix_only
def test_a_file_size_limit_is_one_clear_error(tmp_path):
    import resource

    manager = prepare(tmp_path)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(CheckpointError) as caught:
            manager.save(4, {"big": np.zeros(1_000_000, np.uint8)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    message = str(caught.value)
    assert "\n" not in message
    assert str(tmp_path / "step_000000000004") in message
    assert "File too large (it needs about 1.0 MB, " in message
    assert "the checkpoints before it are untouched" in message
    assert steps_loaded(tmp_path) == BEFORE
    assert hidden(tmp_path) == []


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_directory_is_one_clear_error(tmp_path):
    directory = tmp_path / "checkpoints"
    prepare(directory).close()
    (directory / ".lock").unlink()
    directory.chmod(0o500)
    try:
        with pytest.raises(CheckpointError, match=f"cannot write into {directory}: Permission denied"):
            save(CheckpointManager(directory), 4)
        assert steps_loaded(directory) == BEFORE
    finally:
        directory.chmod(0o700)


def test_a_file_in_the_place_of_the_directory_is_one_clear_error(tmp_path):
    (tmp_path / "checkpoints").write_text("not a directory")
    with pytest.raises(CheckpointError, match=f"cannot write into {tmp_path / 'checkpoints'}: "):
        save(CheckpointManager(tmp_path / "checkpoints"), 1)
    with pytest.raises(CheckpointError, match="cannot write into"):
        save(CheckpointManager(tmp_path / "checkpoints" / "below"), 1)


@posix_only
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_at_any_call_waits_until_the_save_is_done(memory_path, number):
    prepare(memory_path / "template").close()
    calls = calls_of_a_save(memory_path / "well")
    previous = signal.signal(number, signal.default_int_handler)  # a handler in Python that raises
    try:
        for at in range(1, len(calls) + 1, 3):
            manager = prepare(memory_path / str(at), memory_path / "template")
            with pytest.raises(KeyboardInterrupt), faulty_calls(at, lambda: signal.raise_signal(number)):
                save(manager, 4)
            assert steps_loaded(memory_path / str(at)) == AFTER
            assert hidden(memory_path / str(at)) == []
            assert signal.getsignal(number) is signal.default_int_handler
            manager.close()
    finally:
        signal.signal(number, previous)


@posix_only
def test_an_interrupt_of_a_save_that_fails_is_not_lost(tmp_path):
    manager = prepare(tmp_path)

    def interrupt_and_fail() -> None:
        signal.raise_signal(signal.SIGINT)
        raise OSError(errno.ENOSPC, "full")

    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt) as caught, faulty_calls(2, interrupt_and_fail, ("write",)):
            save(manager, 4)
    finally:
        signal.signal(signal.SIGINT, previous)
    assert isinstance(caught.value.__context__, CheckpointError)
    assert steps_loaded(tmp_path) == BEFORE
    assert hidden(tmp_path) == []


def test_saving_works_in_another_thread(tmp_path):
    manager = CheckpointManager(tmp_path)
    paths: list[Path] = []
    threads = [
        threading.Thread(target=lambda step=step: paths.append(save(manager, step))) for step in (1, 2, 3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(paths) == 3
    assert sorted(steps_loaded(tmp_path)) == [1, 2, 3]
    assert [info.manifest.sequence for info in manager.list()] == [1, 2, 3]


# --- leftovers ------------------------------------------------------------------------------------------------------

HOLD_A_SAVE = """
import sys, time
from pathlib import Path
from jimbot.storage.atomic import temporary_sibling
path = temporary_sibling("saving", Path(sys.argv[1]) / "step_000000000009")
path.mkdir()
print(path.name, flush=True)
time.sleep(600)
"""


@posix_only
def test_leftovers_go_when_their_writer_is_gone_and_not_before(tmp_path):
    import subprocess

    child = subprocess.Popen(
        [sys.executable, "-c", HOLD_A_SAVE, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert child.stdout is not None
        name = child.stdout.readline().strip()
        pid, started, token = name.rsplit(".", 3)[1:]
        assert int(pid) == child.pid
        # The same number with another start time is another process: that one is gone.
        reused = name.replace(f".{started}.", f".{int(started) + 1}.")
        foreign = ".saving-something-else"
        for other in (reused, foreign, f".deleting-step_000000000001.{pid}.{int(started) - 1}.{token}"):
            (tmp_path / other).mkdir()
            (tmp_path / other / "state.json").write_text("{")
        with CheckpointManager(tmp_path) as manager:
            assert sorted(path.name for path in tmp_path.iterdir()) == sorted([".lock", foreign, name])
            assert manager.latest() is None
    finally:
        child.kill()
        child.communicate()
    with CheckpointManager(tmp_path):
        assert sorted(path.name for path in tmp_path.iterdir()) == [".lock", foreign]


def test_what_cannot_be_deleted_gives_a_warning_and_the_save_stands(tmp_path):
    manager = prepare(tmp_path)

    def fail() -> None:
        raise OSError(errno.EACCES, "no")

    with (
        faulty_calls(1, fail, ("rmdir",)),
        pytest.warns(CheckpointWarning, match="cannot delete the old checkpoint"),
    ):
        save(manager, 4)
    assert steps_loaded(tmp_path) == AFTER
    manager.close()
    with CheckpointManager(tmp_path):
        assert hidden(tmp_path) == []
