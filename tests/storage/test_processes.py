"""Processes: which one it is, those below it, how they end, what they take."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from jimbot.storage.peak_memory import peak_memory_bytes, reset_peak_memory
from jimbot.storage.processes import (
    descendants,
    end_processes,
    processes_below,
    start_time,
    tree_memory_bytes,
)

NESTED = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
print(child.pid, flush=True)
input()
child.communicate(b"\\n")
"""


def test_children_and_theirs_are_found_while_they_run():
    with subprocess.Popen(
        [sys.executable, "-c", NESTED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        grandchild = int(child.stdout.readline())
        assert {child.pid, grandchild} <= descendants(os.getpid())
        assert descendants(child.pid) == {grandchild}
        child.communicate("\n")
    assert child.returncode == 0
    assert not {child.pid, grandchild} & descendants(os.getpid())


def test_a_process_that_ended_has_none_below_it_and_no_start():
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert start_time(child.pid) is not None
    child.communicate(b"\n")
    assert descendants(child.pid) == set()
    assert start_time(child.pid) is None


@pytest.mark.skipif(sys.platform == "win32", reason="needs a process that has ended and is not yet forgotten")
def test_a_zombie_has_ended():
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert start_time(child.pid) is None
    end_processes({psutil.Process(child.pid)}, patience=0)
    assert child.wait() == 0  # the exit code is still there for who started it


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the unit of Linux")
def test_a_start_is_counted_as_the_kernel_counts_it():
    """So that files of other versions name the same process."""
    line = Path(f"/proc/{os.getpid()}/stat").read_text()
    assert start_time(os.getpid()) == int(line.rpartition(")")[2].split()[19])


STUBBORN = """
import signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
signal.pause()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_processes_may_end_by_themselves_and_are_killed_if_they_do_not():
    stubborn = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, text=True)
    assert stubborn.stdout is not None
    assert stubborn.stdout.readline() == "up\n"
    willing = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    below = processes_below(os.getpid())
    assert {stubborn.pid, willing.pid} <= {process.pid for process in below}
    assert willing.stdin is not None
    willing.stdin.close()
    end_processes({each for each in below if each.pid == willing.pid}, patience=60)
    assert willing.wait() == 1  # of the error that input ends with: nobody killed it
    end_processes({each for each in below if each.pid == stubborn.pid}, patience=0)
    assert stubborn.wait() == -signal.SIGKILL
    stubborn.stdout.close()


def test_memory_of_a_tree_counts_all_of_it():
    alone = tree_memory_bytes(os.getpid())
    assert alone > 10 * 2**20
    program = "data = bytearray(64 << 20); print('up', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "up\n"
        assert tree_memory_bytes(os.getpid()) > alone + 48 * 2**20
        assert tree_memory_bytes(child.pid) > 64 * 2**20
        child.communicate("\n")
    assert tree_memory_bytes(child.pid) == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux counts the peak anew")
def test_the_peak_of_memory_is_counted_anew():
    reset_peak_memory()
    before = peak_memory_bytes()
    bytearray(64 << 20)
    peak = peak_memory_bytes()
    assert before is not None
    assert peak is not None
    assert peak > before + 48 * 2**20
    reset_peak_memory()
    assert (peak_memory_bytes() or 0) < peak - 32 * 2**20
