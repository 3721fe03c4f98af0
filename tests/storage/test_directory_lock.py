"""The lock itself; what it does for checkpoints, runs and studies is tested with those."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from jimbot.storage.directory_lock import DirectoryLock
from jimbot.storage.errors import StorageError
from jimbot.storage.processes import ProcessIdentity
from jimbot.storage.strict_json import read_json

HOLD = """
import sys
from pathlib import Path
from jimbot.storage.directory_lock import DirectoryLock
lock = DirectoryLock(Path(sys.argv[1]), what="trains")
print("held", flush=True)
input()
"""


def test_the_refusal_names_the_holder_what_it_does_and_a_way_out(tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    with pytest.raises(StorageError) as caught:
        DirectoryLock(tmp_path, what="tunes")
    message = str(caught.value)
    if os.name != "nt":  # where a locked file cannot be read, its holder has no number
        assert f"process {child.pid} on " in message
    assert f"tunes into {tmp_path}; wait until it ends, stop it, or choose another directory" in message
    child.kill()
    child.communicate()
    DirectoryLock(tmp_path).release()  # however the holder ended


def test_held_until_it_is_released_and_no_longer(tmp_path):
    lock = DirectoryLock(tmp_path)
    assert lock.held
    assert ProcessIdentity.from_plain(read_json(tmp_path / ".lock")) == ProcessIdentity.current()
    with pytest.raises(StorageError, match=rf"this process \({os.getpid()}\), through another writer"):
        DirectoryLock(tmp_path)
    assert lock.held
    lock.release()
    assert not lock.held
    lock.release()
    again = DirectoryLock(tmp_path)
    assert again.held
    assert not lock.held
    again.release()


def test_locks_of_different_names_do_not_exclude_each_other(tmp_path):
    first, second = DirectoryLock(tmp_path), DirectoryLock(tmp_path, name=".writer")
    assert first.held
    assert second.held
    first.release()
    with pytest.raises(StorageError):
        DirectoryLock(tmp_path, name=".writer")
    second.release()


def test_a_lock_that_is_dropped_is_released(tmp_path):
    DirectoryLock(tmp_path)
    DirectoryLock(tmp_path).release()


def test_a_directory_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        DirectoryLock(tmp_path / "none")
    assert not (tmp_path / "none").exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_neither_holds_nor_keeps_the_lock(tmp_path, run_python):
    program = f"""
import os, signal
from pathlib import Path
from jimbot.storage.directory_lock import DirectoryLock
lock = DirectoryLock(Path({str(tmp_path)!r}))
read, write = os.pipe()
child = os.fork()
if not child:
    os.write(write, b"held" if lock.held else b"free")
    lock.release()  # is not the child's to release
    os.write(write, b".")
    signal.pause()
told = b""
while not told.endswith(b"."):
    told += os.read(read, 10)
assert told == b"free.", told
assert lock.held
lock.release()
DirectoryLock(Path({str(tmp_path)!r})).release()  # though the child lives
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
"""
    finished = run_python("-c", program)
    assert finished.returncode == 0, finished.stderr
