"""Processes below a process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from jimbot.storage.processes import descendants

NESTED = """
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
print(child.pid, flush=True)
input()
child.communicate(b"\\n")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")
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
