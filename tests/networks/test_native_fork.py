"""A compiled network with worker threads in a forked process: it starts them again, and gives what it gave."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

from jimbot import _engine

pytest.importorskip("torch")

WATCHDOG_SECONDS = 180
"""Far beyond what the program takes, a few seconds: what is not done by then hangs."""

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork"),
    pytest.mark.skipif(
        not _engine.has_fast_kernels(), reason="the engine leaves networks to torch on this processor"
    ),
]

PROGRAM = """
    import hashlib, os
    import numpy as np
    import torch
    from jimbot.networks import COMPACT_SIZES
    from jimbot.networks.torch.native import NativeAdam
    from tests.networks.test_native_torch import Pair, loss_of

    pair = Pair(threads=3, sizes=COMPACT_SIZES)
    blocks = pair.blocks(np.arange(70) % 16)
    adam = NativeAdam(pair.native, lr=1e-2, eps=1e-5)

    def train():
        adam.zero_grad()
        outputs = pair.run(blocks)
        loss_of(outputs, blocks).backward()
        adam.step()
        hashed = hashlib.sha256(pair.native.flat.detach().numpy().tobytes())
        for each in outputs:
            hashed.update(each.detach().numpy().tobytes())
        return hashed.hexdigest()

    torch.set_num_threads(1)
    torch.autograd.set_multithreading_enabled(False)
    with torch.no_grad():
        pair.run(blocks)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, train().encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        forked = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    assert forked == train(), forked
    print("same")
"""


def test_a_network_goes_on_in_a_forked_process(root):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM)],
        cwd=root,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        timeout=WATCHDOG_SECONDS,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "same"
