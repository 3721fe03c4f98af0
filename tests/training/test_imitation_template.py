"""Experiments of the imitation template, run: cloning happens where it is asked for, and before the first step."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest

from jimbot.networks import load_policy
from jimbot.tracking.events import read_events
from jimbot.training.behavioral_cloning import load_trajectories
from jimbot.training.config.files import load_config
from jimbot.training.experiment import MultiAlgorithmBenchmark
from jimbot.training.framework import create_trainer
from jimbot.training.templates import imitation_learning
from jimbot.training.utils import create_balatro_env

pytest.importorskip("stable_baselines3")

SHORT = {
    "n_envs": 2,
    "hyperparams": {"net_arch": [8], "features_dim": 8, "n_steps": 32, "batch_size": 32, "n_epochs": 1},
    "trainer_options": {"eval_freq": 64, "eval_episodes": 2, "checkpoint_freq": 64},
    "evaluation_episodes": 2,
}
quick_balatro = functools.partial(
    create_balatro_env, max_ante=1, actions="candidates", max_steps=60, fast=True
)


def test_imitation_learning_really_clones(tmp_path, monkeypatch):
    """The generated experiments, run: one was taught by the expert before its first step, the other was not."""
    monkeypatch.chdir(tmp_path)
    template = imitation_learning(timesteps=64, expert="greedy", n_episodes=3, n_epochs=2, **SHORT)
    benchmark = MultiAlgorithmBenchmark(quick_balatro)
    benchmark.add_experiments(template.generate_experiments(n_runs=1))
    cloned, plain = benchmark.run_all(verbose=False)
    assert [each.error for each in (cloned, plain)] == [None, None]
    runs = [Path(each.run_directory or "") for each in (cloned, plain)]
    assert len(load_trajectories(runs[0] / "demonstrations.trajectories")) == 3
    assert not (runs[1] / "demonstrations.trajectories").exists()
    told = [
        [event.step for event in read_events(run / "events.jsonl") if "cloning/accuracy" in event.values]
        for run in runs
    ]
    assert told == [[0], []]
    taught = load_policy(runs[0] / "cloned").tensors
    with create_trainer(quick_balatro, load_config(runs[0] / "config.yaml")) as trainer:
        blank = trainer.policy_tensors()
    assert taught.keys() == blank.keys()
    assert any(not np.array_equal(taught[name], blank[name]) for name in taught)
