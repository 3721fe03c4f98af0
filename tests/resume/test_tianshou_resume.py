"""A killed run on Tianshou, resumed, becomes what it would have been."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from tests.resume.test_sb3_resume import events_of, killed_amid_training
from tests.training.test_tianshou_trainer import small

from jimbot.networks import load_policy
from jimbot.training.framework import create_trainer, resume_run

CHILD = """
from pathlib import Path
from tests.resume.test_sb3_resume import train_slowly
from tests.training.test_tianshou_trainer import small
train_slowly(small(Path({path!r}), {algorithm!r}, name="killed"), seconds=0.2)
"""


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_a_run_killed_by_the_system_ends_as_an_unbroken_one(algorithm, tmp_path):
    """SIGKILL at an arbitrary moment after the first checkpoint and before the end; another process goes on."""
    code = textwrap.dedent(CHILD.format(path=str(tmp_path), algorithm=algorithm))
    killed = tmp_path / "models" / "killed"
    killed_amid_training(code, killed, seconds=300)
    with resume_run(killed) as resumed:
        assert 192 <= resumed.timesteps < 512
        resumed.train(progress="silent")
    with create_trainer(None, small(tmp_path, algorithm, name="whole")) as trainer:
        trainer.train(progress="silent")
        whole = trainer.run.path
    one, other = load_policy(killed / "final").tensors, load_policy(whole / "final").tensors
    assert one.keys() == other.keys()
    for name, array in one.items():
        np.testing.assert_array_equal(array, other[name], err_msg=name)
    assert events_of(killed) == events_of(whole)
