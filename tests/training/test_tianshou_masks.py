"""Masks reach everything in Tianshou too: choices, samples, entropy, exploration, bootstrapping."""

# pyright: reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

from __future__ import annotations

import functools
import os
from typing import Any

os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # compiling takes longer than these trainings

import numpy as np
import pytest
import torch
from tests.training.tiny_envs import MaskedBandit
from tianshou.data import Batch

from jimbot.training.config.trainer_config import get_default_config
from jimbot.training.framework import create_trainer

SMALL = {"policy_net_arch": [16], "value_net_arch": [16], "features_dim": 16}
OWN = {
    "PPO": {"n_steps": 16, "batch_size": 32, "n_epochs": 2},
    "A2C": {"n_steps": 4},
    "DQN": {"learning_starts": 32, "buffer_size": 256, "target_update_interval": 16, "batch_size": 16},
}


def trainer_on(tmp_path, algorithm, env, **values: Any):
    config = get_default_config(algorithm)
    config.backend = "tianshou"
    config.save_dir, config.n_envs, config.total_timesteps = str(tmp_path), 4, 192
    config.eval_freq = config.checkpoint_freq = 10_000
    config.eval_episodes = 4
    for name, value in {**SMALL, "algorithm_specific": OWN[algorithm], **values}.items():
        setattr(config.hyperparams, name, value)
    return create_trainer(env, config)


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
@pytest.mark.parametrize(("actions", "legal"), [(2, 1), (500, 3), (8_000, 4)])
def test_no_illegal_action_is_ever_taken(tmp_path, algorithm, actions, legal):
    """The environment raises on an illegal action; training and evaluation take hundreds."""
    make = functools.partial(MaskedBandit, actions, legal)
    with trainer_on(tmp_path, algorithm, make) as trainer:
        result = trainer.train(progress="silent")
        assert result["timesteps"] >= 192
        assert "train/loss" in result["metrics"]
        assert all(np.isfinite(value) for value in result["metrics"].values())
        assert all(np.isfinite(tensor).all() for tensor in trainer.policy_tensors().values())
        trainer.evaluate_episodes(8, 3, deterministic=False)


def blocks_of(trainer, mask):
    _ = trainer.model
    blocks = trainer.packing.empty(len(mask))
    trainer.packing.pack({"seen": mask.astype(np.float32), "action_mask": mask}, blocks)
    return Batch(obs=Batch(blocks), info=Batch())


def test_entropy_is_over_legal_actions_only(tmp_path):
    with trainer_on(tmp_path, "PPO", functools.partial(MaskedBandit, 500, 3)) as trainer:
        mask = np.zeros((3, 500), np.uint8)
        mask[0, [4]] = mask[1, [4, 9]] = mask[2, [4, 9, 77]] = 1
        dist = trainer.model.policy(blocks_of(trainer, mask)).dist
        entropy = dist.entropy()
        probability = dist.log_prob(torch.tensor([4, 9, 77]))
        assert entropy[0].item() == pytest.approx(0.0, abs=1e-6)
        assert probability[0].item() == pytest.approx(0.0, abs=1e-6)
        assert 0 < entropy[1].item() <= np.log(2) + 1e-6
        assert np.log(2) < entropy[2].item() <= np.log(3) + 1e-6


def test_exploration_is_uniform_over_legal_actions(tmp_path):
    with trainer_on(tmp_path, "DQN", functools.partial(MaskedBandit, 10, 2)) as trainer:
        mask = np.zeros((4_000, 10), np.uint8)
        mask[:, [3, 7, 8]] = 1
        batch = blocks_of(trainer, mask)
        policy = trainer.model.policy
        greedy = policy(batch).act
        assert len(set(greedy.tolist())) == 1
        policy.is_within_training_step, policy.eps_training = True, 1.0
        counts = np.bincount(policy.add_exploration_noise(greedy, batch), minlength=10)
        assert set(np.flatnonzero(counts)) == {3, 7, 8}
        assert (np.abs(counts[[3, 7, 8]] / 4_000 - 1 / 3) < 0.04).all()
        policy.eps_training = 0.0
        assert (policy.add_exploration_noise(greedy, batch) == greedy).all()


def test_exploration_falls_and_is_certain_before_learning(tmp_path):
    own = OWN["DQN"] | {"exploration_fraction": 0.5, "exploration_final_eps": 0.1}
    make = functools.partial(MaskedBandit, 10, 2)
    with trainer_on(tmp_path, "DQN", make, algorithm_specific=own) as trainer:
        _ = trainer.model
        trainer.begin(1_000, None)
        assert trainer.exploration(0) == trainer.exploration(31) == 1.0
        assert trainer.exploration(250) == pytest.approx(0.55)
        assert trainer.exploration(500) == trainer.exploration(1_000) == pytest.approx(0.1)


@pytest.mark.parametrize("double", [False, True])
def test_targets_bootstrap_from_legal_actions_only(tmp_path, double):
    with trainer_on(tmp_path, "DQN", functools.partial(MaskedBandit, 6, 2)) as trainer:
        model = trainer.model
        model.is_double = double
        target = model.model_old.module.network
        with torch.no_grad():
            for network in (target, trainer.network):
                for parameter in network.parameters():
                    parameter.zero_()
            target.policy_head.bias.copy_(torch.arange(6.0))
            trainer.network.policy_head.bias.copy_(-torch.arange(6.0))
        mask = np.zeros((4, 6), np.uint8)
        mask[0, [0, 2]] = mask[1, [1, 5]] = mask[2, [3]] = 1  # in the last nothing is legal any more
        batch = blocks_of(trainer, mask)
        trainer.buffer.add(
            Batch(
                obs=batch.obs,
                obs_next=batch.obs,
                act=np.zeros(4, np.int64),
                rew=np.zeros(4),
                terminated=np.zeros(4, bool),
                truncated=np.ones(4, bool),
            )
        )
        with torch.no_grad():
            best = model._target_q(trainer.buffer, trainer.buffer.sample_indices(0))
        assert best.tolist() == ([0.0, 1.0, 3.0, 0.0] if double else [2.0, 5.0, 3.0, 0.0])


def test_what_is_legal_no_longer_matters_after_the_end(tmp_path):
    """The last observation of an episode may allow nothing; values stay finite."""
    with trainer_on(tmp_path, "A2C", functools.partial(MaskedBandit, 6, 2)) as trainer:
        batch = blocks_of(trainer, np.zeros((2, 6), np.uint8))
        assert torch.isfinite(trainer.model.critic(batch.obs)).all()
