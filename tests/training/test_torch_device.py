"""Devices by name: what torch does not have is refused in one line by every trainer that computes with it."""

from __future__ import annotations

import pytest
import torch

from jimbot.training.backends.torch.state import torch_device
from jimbot.training.config.trainer_config import ConfigError, TrainerConfig
from jimbot.training.framework import create_trainer

needs_no_card = pytest.mark.skipif(torch.cuda.is_available(), reason="there is a graphics card here")


def test_devices_that_are_there():
    assert torch_device("cpu") == "cpu"
    assert torch_device("auto") == ("cuda" if torch.cuda.is_available() else "cpu")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("banana", r"^device: torch knows no 'banana'; expected auto, cpu, cuda"),
        ("", r"^device: torch knows no ''"),
        pytest.param(
            "cuda", r"^device: torch cannot compute on 'cuda' here \(.+\); auto", marks=needs_no_card
        ),
        ("meta", r"^device: torch cannot compute on 'meta' here"),
    ],
)
def test_devices_that_are_not(name, message):
    with pytest.raises(ConfigError, match=message) as caught:
        torch_device(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("backend", "library"), [("sb3", "stable_baselines3"), ("tianshou", "tianshou")])
@pytest.mark.parametrize("name", ["banana", pytest.param("cuda", marks=needs_no_card)])
def test_trainers_refuse_them_before_they_make_a_directory(backend, library, name, tmp_path):
    pytest.importorskip(library)
    config = TrainerConfig(backend=backend, env="CartPole-v1", device=name, save_dir=str(tmp_path / "models"))
    with create_trainer(None, config) as trainer, pytest.raises(ConfigError, match=f"^device: .*'{name}'"):
        trainer.train(progress="silent")
    assert not (tmp_path / "models").exists()
