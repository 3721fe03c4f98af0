"""What happens when the system refuses a thread."""

from __future__ import annotations

import os
import sys

import pytest

REFUSED = """
import resource
from jimbot import _engine
from jimbot.balatro.env.options import EnvOptions

options = EnvOptions().to_engine()
used = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmSize"))
resource.setrlimit(resource.RLIMIT_AS, ((used << 10) + (64 << 20),) * 2)  # a few stacks of threads
try:
    _engine.VectorEnv(400, options, 400, 0)
except RuntimeError as error:
    print("refused:", error)
_engine.VectorEnv(4, options, 2, 0).reset(1)
print("goes on")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space as Linux does")
@pytest.mark.skipif("JIMBOT_SANITIZED" in os.environ, reason="sanitizers need all of the address space")
def test_a_thread_that_the_system_refuses_is_an_error_and_not_the_end_of_the_process(run_python):
    finished = run_python("-c", REFUSED)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.startswith("refused: ")
    assert finished.stdout.endswith("goes on\n")
