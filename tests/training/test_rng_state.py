"""Random number generators go on exactly where they were."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

from jimbot.training.checkpoints.manager import CheckpointError, CheckpointManager
from jimbot.training.loop import rng_state as module
from jimbot.training.loop.rng_state import own_generators, rng_state, set_rng_state

KINDS = (np.random.PCG64, np.random.PCG64DXSM, np.random.MT19937, np.random.Philox, np.random.SFC64)


@pytest.fixture(autouse=True)
def keep_global_state():
    """Other tests draw from the global generators too."""
    state = rng_state()
    yield
    set_rng_state(state)


def draw(generators):
    numbers = [random.random(), random.gauss(0, 1), random.getrandbits(100)]
    numbers += [*np.random.rand(3), np.random.randn()]  # noqa: NPY002
    for generator in generators.values():
        numbers += [generator.integers(2**32, dtype=np.uint32), generator.standard_normal()]
    return numbers


def test_every_generator_goes_on_after_a_checkpoint(tmp_path):
    generators = {kind.__name__: np.random.Generator(kind(5)) for kind in KINDS}
    random.seed(3)
    np.random.seed(4)  # noqa: NPY002
    draw(generators)  # an odd number of normal numbers and of halves of words, so that the kept ones count
    manager = CheckpointManager(tmp_path)
    path = manager.save(1, {"rng": rng_state(generators)})
    expected = [draw(generators) for _ in range(3)]
    others = {kind.__name__: np.random.Generator(kind(99)) for kind in KINDS}
    set_rng_state(manager.load(path).tree["rng"], others)
    assert [draw(others) for _ in range(3)] == expected


def test_torch_goes_on_too(tmp_path):
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    torch.randn(3)
    manager = CheckpointManager(tmp_path)
    path = manager.save(1, rng_state())
    expected = torch.randn(5)
    torch.manual_seed(2)
    set_rng_state(manager.load(path).tree)
    assert torch.equal(torch.randn(5), expected)


def test_torch_is_not_imported_and_not_needed(run_python):
    program = (
        "import sys\nfrom jimbot.training.loop.rng_state import *\n"
        "state = rng_state()\nassert 'torch' not in state\nset_rng_state(state)\nassert 'torch' not in sys.modules"
    )
    finished = run_python("-c", program)
    assert finished.returncode == 0, finished.stderr


def test_torch_state_without_torch_is_refused_and_changes_nothing(monkeypatch):
    state = {**rng_state(), "torch": {"cpu": np.zeros(3, np.uint8), "cuda": []}}
    monkeypatch.setattr(module.sys, "modules", {})
    before = random.getstate()
    random.random()
    now = random.getstate()
    with pytest.raises(CheckpointError, match="torch is not imported"):
        set_rng_state(state)
    assert random.getstate() == now != before


def test_generators_must_match_in_name_and_kind():
    state = rng_state({"env": np.random.default_rng(1)})
    with pytest.raises(CheckpointError, match=r"holds the generators \['env'\], and \[\] were given"):
        set_rng_state(state)
    with pytest.raises(CheckpointError, match="'env' is a MT19937, and was a PCG64"):
        set_rng_state(state, {"env": np.random.Generator(np.random.MT19937())})


@pytest.mark.parametrize("state", [{}, {"generators": {}, "python": {}}, {"generators": {}, "python": 5}])
def test_other_trees_are_refused(state):
    with pytest.raises(CheckpointError, match="this is not a state of random number generators"):
        set_rng_state(state)


def test_a_run_that_does_without_torch_is_resumed_without_it(monkeypatch):
    """The checkpoint was written in a process that had imported torch, for instance to clone an expert."""
    state = {**rng_state(), "torch": {"cpu": np.zeros(3, np.uint8), "cuda": []}}
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    assert "torch" not in own_generators(state)
    set_rng_state(own_generators(state))
    monkeypatch.setitem(sys.modules, "torch", None)
    assert own_generators(state).keys() == state.keys()
