"""Masks reach everything: choices, samples, entropy, exploration, bootstrapping."""

from __future__ import annotations

import functools

import gymnasium
import numpy as np
import pytest
import torch
from stable_baselines3.common.buffers import DictRolloutBuffer
from tests.training.tiny_envs import MaskedBandit

from jimbot.training.backends.sb3.vector import TensorRolloutBuffer
from jimbot.training.config.trainer_config import get_default_config
from jimbot.training.framework import create_trainer

SMALL = {"policy_net_arch": [16], "value_net_arch": [16], "features_dim": 16}
OWN = {
    "PPO": {"n_steps": 16, "batch_size": 32, "n_epochs": 2},
    "A2C": {"n_steps": 4},
    "DQN": {"learning_starts": 32, "buffer_size": 256, "target_update_interval": 16, "batch_size": 16},
}


def trainer_on(tmp_path, algorithm, env, **values: object):
    config = get_default_config(algorithm)
    config.save_dir, config.n_envs, config.total_timesteps = str(tmp_path), 4, 192
    config.eval_freq = config.checkpoint_freq = 10_000
    config.eval_episodes = 4
    for name, value in {**SMALL, "algorithm_specific": OWN[algorithm], **values}.items():
        setattr(config.hyperparams, name, value)
    return create_trainer(env, config)


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
@pytest.mark.parametrize(("actions", "legal"), [(2, 1), (2, 2), (500, 3), (500, 1), (8_000, 4)])
def test_no_illegal_action_is_ever_taken(tmp_path, algorithm, actions, legal):
    """The environment raises on an illegal action; training and evaluation take hundreds."""
    make = functools.partial(MaskedBandit, actions, legal)
    with trainer_on(tmp_path, algorithm, make) as trainer:
        result = trainer.train(progress="silent")
        assert result["timesteps"] >= 192
        losses = {name: value for name, value in result["metrics"].items() if "explained" not in name}
        assert all(np.isfinite(value) for value in losses.values())
        assert all(np.isfinite(tensor).all() for tensor in trainer.policy_tensors().values())
        trainer.evaluate_episodes(8, 3, deterministic=False)


def packed(trainer, mask):
    _ = trainer.model
    observation = {"seen": mask.astype(np.float32), "action_mask": mask}
    blocks = trainer.packing.empty(len(mask))
    trainer.packing.pack(observation, blocks)
    return {name: torch.as_tensor(block) for name, block in blocks.items()}, blocks


def test_entropy_is_over_legal_actions_only(tmp_path):
    with trainer_on(tmp_path, "PPO", functools.partial(MaskedBandit, 500, 3)) as trainer:
        mask = np.zeros((3, 500), np.uint8)
        mask[0, [4]] = mask[1, [4, 9]] = mask[2, [4, 9, 77]] = 1
        tensors, _ = packed(trainer, mask)
        actions = torch.tensor([4, 9, 77])
        _, log_probability, entropy = trainer.model.policy.evaluate_actions(tensors, actions)
        assert entropy[0].item() == pytest.approx(0.0, abs=1e-6)
        assert log_probability[0].item() == pytest.approx(0.0, abs=1e-6)
        assert 0 < entropy[1].item() <= np.log(2) + 1e-6
        assert np.log(2) < entropy[2].item() <= np.log(3) + 1e-6


def test_exploration_is_uniform_over_legal_actions(tmp_path):
    with trainer_on(tmp_path, "DQN", functools.partial(MaskedBandit, 10, 2)) as trainer:
        mask = np.zeros((4_000, 10), np.uint8)
        mask[:, [3, 7, 8]] = 1
        _, blocks = packed(trainer, mask)
        model = trainer.model
        model.exploration_rate = 1.0
        actions, _ = model.predict(blocks)
        counts = np.bincount(actions, minlength=10)
        assert set(np.flatnonzero(counts)) == {3, 7, 8}
        assert (np.abs(counts[[3, 7, 8]] / 4_000 - 1 / 3) < 0.04).all()
        greedy, _ = model.predict(blocks, deterministic=True)
        assert len(set(greedy.tolist())) == 1
        model.exploration_rate = 0.0
        assert (model.predict(blocks)[0] == greedy).all()


def test_targets_bootstrap_from_legal_actions_only(tmp_path):
    with trainer_on(tmp_path, "DQN", functools.partial(MaskedBandit, 6, 2)) as trainer:
        model = trainer.model
        with torch.no_grad():
            for parameter in model.q_net_target.network.parameters():
                parameter.zero_()
            model.q_net_target.network.policy_head.bias.copy_(torch.arange(6.0))
        mask = np.zeros((2, 6), np.uint8)
        mask[0, [0, 2]] = mask[1, [1, 5]] = 1
        tensors, _ = packed(trainer, mask)
        assert model.q_net_target(tensors).max(dim=1).values.tolist() == [2.0, 5.0]


def test_what_is_legal_no_longer_matters_after_the_end(tmp_path):
    """The last observation of an episode may allow nothing; values and losses stay finite."""
    with trainer_on(tmp_path, "A2C", functools.partial(MaskedBandit, 6, 2)) as trainer:
        tensors, _ = packed(trainer, np.zeros((2, 6), np.uint8))
        assert torch.isfinite(trainer.model.policy.predict_values(tensors)).all()


def test_minibatches_are_those_of_the_library():
    spaces = gymnasium.spaces
    seen = spaces.Dict({"a": spaces.Box(-1, 1, (3,), np.float32), "b": spaces.Box(0, 9, (2,), np.int32)})
    batches = []
    for kind in (DictRolloutBuffer, TensorRolloutBuffer):
        buffer = kind(5, seen, spaces.Discrete(4), n_envs=2)
        buffer.reset()
        for step in range(5):
            obs = {"a": np.full((2, 3), step, np.float32), "b": np.full((2, 2), [[step], [9]], np.int32)}
            number = torch.tensor([step, step + 0.5])
            buffer.add(obs, np.array([step % 4, 1]), np.ones(2), np.zeros(2), number, number / 2)
        buffer.compute_returns_and_advantage(torch.zeros(2), np.zeros(2))
        np.random.seed(3)  # noqa: NPY002  the library's generator
        batches.append([batch for _ in range(2) for batch in buffer.get(4)])
    assert len(batches[0]) == 6
    for theirs, ours in zip(*batches, strict=True):
        for name in ("old_values", "old_log_prob", "advantages", "returns"):
            assert torch.equal(getattr(theirs, name), getattr(ours, name))
        assert torch.equal(theirs.actions.flatten(), ours.actions.float())
        assert all(torch.equal(theirs.observations[name], ours.observations[name]) for name in seen.spaces)
