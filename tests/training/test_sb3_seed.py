"""What a run's seed decides."""

from __future__ import annotations

import pytest

from jimbot.training.experiment import ExperimentConfig
from jimbot.training.framework import create_trainer


def test_the_first_weights_depend_on_the_seed_alone(tmp_path):
    torch = pytest.importorskip("torch")
    config = ExperimentConfig(env="CartPole-v1", hyperparams={"net_arch": [8], "features_dim": 8})
    tensors = []
    for disturbance in (1, 2):
        with create_trainer(None, config.trainer_config().copy_with(save_dir=str(tmp_path))) as trainer:
            torch.manual_seed(disturbance)
            trainer._model = trainer.create_model()
            tensors.append(trainer.policy_tensors())
    assert all((tensors[0][name] == tensors[1][name]).all() for name in tensors[0])
