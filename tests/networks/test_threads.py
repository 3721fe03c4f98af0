"""Nothing computes on more threads than it was given: counted in processes without thread variables."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
PREPARE = """
import sys
import gymnasium, numpy as np, psutil, torch
import jimbot
from jimbot.networks import make_network_spec, save_policy, initialize_tensors, load_policy
torch.set_num_threads(4)  # as torch starts on a machine with four cores
"""
LOAD = """
from jimbot.players.batch_policy import NetworkPolicy
env = jimbot.BalatroVectorEnv(num_envs=32, actions="candidates")
spec = make_network_spec(env.single_observation_space, env.single_action_space)
save_policy(sys.argv[1], spec, initialize_tensors(spec, np.random.default_rng(0)))
observation, _ = env.reset(seed=1)
before = psutil.Process().num_threads()
policy = NetworkPolicy(sys.argv[1])
for _ in range(3):
    policy(observation)
print(torch.get_num_threads(), psutil.Process().num_threads() - before)
"""
EXPORT = """
from jimbot.training.exporters.torch_module import ExportedPolicy
env = jimbot.BalatroVectorEnv(num_envs=1)
spec = make_network_spec(env.single_observation_space, env.single_action_space)
save_policy(sys.argv[1], spec, initialize_tensors(spec, np.random.default_rng(0)))
before = psutil.Process().num_threads()
ExportedPolicy(load_policy(sys.argv[1]))
print(torch.get_num_threads(), psutil.Process().num_threads() - before)
"""
TRAIN = """
from jimbot.training.framework import create_trainer
from jimbot.training.config.trainer_config import TrainerConfig
own = {"n_steps": 32, "batch_size": 64, "n_epochs": 1}
config = TrainerConfig(n_envs=2, save_dir=sys.argv[1], eval_episodes=1, eval_freq=64,
    hyperparams={"features_dim": 8, "policy_net_arch": [8], "value_net_arch": [8], "algorithm_specific": own})
before = psutil.Process().num_threads()
with create_trainer(None, config) as trainer:
    trainer.train(64, progress="silent")
    print(torch.get_num_threads(), psutil.Process().num_threads() - before)
"""


def count_threads(script: str, path: Path, **variables: str) -> tuple[int, int]:
    """Torch's threads at the end of a script, and the threads its process started."""
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES} | variables
    process = subprocess.run(
        [sys.executable, "-c", PREPARE + script, str(path)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    threads, started = process.stdout.split()
    return int(threads), int(started)


@pytest.mark.parametrize("script", [LOAD, EXPORT, TRAIN], ids=["load", "export", "train"])
def test_one_thread_computes_by_default(tmp_path: Path, script: str) -> None:
    threads, started = count_threads(script, tmp_path / "policy")
    assert threads == 1
    assert started <= 1, "no pool of workers (torch's autograd keeps one thread per device)"


def test_a_chosen_number_of_threads_stays(tmp_path: Path) -> None:
    assert count_threads(LOAD, tmp_path / "policy", OMP_NUM_THREADS="2")[0] == 4
