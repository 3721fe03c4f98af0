"""Vectors and networks with worker threads in a forked process: every call works or raises; none hangs.

A fork copies the memory of a process and one of its threads, so the workers have to be started again. Each program
runs in a process of its own, with a watchdog.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

WATCHDOG_SECONDS = 120
"""Far beyond what the programs take, a second or two: what is not done by then hangs."""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

IN_CHILD = '''
import os, sys, traceback, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads, which is what is tested

def in_child(work):
    """What work() returns in a forked process, as text; its traceback if it raises."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            text = str(work())
        except BaseException as error:
            text = "".join(traceback.format_exception(error)) if not isinstance(error, RuntimeError) else str(error)
        os.write(writer, text.encode())
        sys.stdout.flush()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, status
    return text
'''


def run_program(text: str) -> str:
    """What a program prints; its failure and its silence are failures of the test."""
    done = subprocess.run(
        [sys.executable, "-c", IN_CHILD + textwrap.dedent(text)],
        timeout=WATCHDOG_SECONDS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


VECTOR = """
import hashlib
import numpy as np
from jimbot.balatro.env.vector import BalatroVectorEnv

def play(env, steps):
    for _ in range(steps):
        env.step(env.observations()["action_mask"].argmax(axis=1))
    return hashlib.sha256(env.snapshot()).hexdigest()
"""


def test_a_vector_goes_on_in_a_forked_process():
    """Child and grandchild take the very steps that the parent takes, one after the other and after a reset."""
    printed = run_program(f"""
{VECTOR}
env = BalatroVectorEnv(16, threads=4)
env.reset(seed=3)
play(env, 5)
kept = env.snapshot()
child = in_child(lambda: play(env, 20) + in_child(lambda: play(env, 20)))
assert child == play(env, 20) + play(env, 20), child
reset = in_child(lambda: (env.reset(seed=4), play(env, 20))[1])
env.reset(seed=4)
assert reset == play(env, 20), reset
env.restore(kept)
again = in_child(lambda: (env.restore(kept), play(env, 3))[1])
assert again == play(env, 3), again
print("same")
""")
    assert printed == "same"


def test_a_vector_that_a_forked_process_never_steps_is_taken_down_there():
    """Its destructor would wait for threads that are not there; new vectors made meanwhile have theirs."""
    printed = run_program(f"""
{VECTOR}
import gc
env = BalatroVectorEnv(8, threads=4)
env.reset(seed=1)

def drop():
    global env
    env = None
    gc.collect()
    other = BalatroVectorEnv(8, threads=3)
    other.reset(seed=1)
    return play(other, 10)

child = in_child(drop)
assert child == play(env, 10), child
print("same")
""")
    assert printed == "same"


def test_a_vector_forked_in_the_middle_of_a_step_is_refused_and_can_be_dropped():
    """A thread steps without the interpreter's lock while another forks, so children meet it inside a step."""
    printed = run_program(f"""
{VECTOR}
import threading
env = BalatroVectorEnv(256, threads=2)
env.reset(seed=1)
actions = np.zeros(256, np.int64)
stop = threading.Event()

def work():
    while not stop.is_set():
        env.step(actions)

def attempt():
    global env
    env.step(actions)
    env = None
    return "stepped"

worker = threading.Thread(target=work)
worker.start()
seen = set()
while not any("forked" in each for each in seen):
    seen.add(in_child(attempt))
stop.set()
worker.join()
seen.discard("stepped")
print(*seen, sep="\\n")
""")
    assert printed == (
        "VectorEnv.step: this process was forked while a thread was inside VectorEnv.step, "
        "so some games may be half stepped; make a new VectorEnv here"
    )


def test_a_process_pool_that_forks_steps_the_vectors_it_inherits():
    printed = run_program(f"""
{VECTOR}
import multiprocessing
envs = [BalatroVectorEnv(4, threads=2) for _ in range(3)]
for seed, env in enumerate(envs):
    env.reset(seed=seed)

def work(index):
    return play(envs[index], 10)

with multiprocessing.get_context("fork").Pool(2) as pool:
    found = pool.map(work, range(3))
assert found == [play(env, 10) for env in envs]
print("same")
""")
    assert printed == "same"
