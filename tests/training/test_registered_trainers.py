"""Trainers that join by ``register_trainer``: with the documented methods alone, and what they are told is missing."""

from __future__ import annotations

from typing import Any

import pytest
from tests.contract.small import own_trainer, quick_balatro_env

from jimbot.errors import JimbotError
from jimbot.training.config import backend_registry
from jimbot.training.framework import TrainerConfig, create_trainer, register_trainer


def test_a_trainer_as_documented_joins_by_its_name(monkeypatch):
    """The documented class says nothing about capabilities: its one algorithm has the name it joins by."""
    monkeypatch.setattr(backend_registry, "registered", dict(backend_registry.registered))
    register_trainer("MyAlgorithm")(own_trainer())
    trainer = create_trainer(quick_balatro_env(), TrainerConfig(algorithm="MyAlgorithm", total_timesteps=5))
    assert trainer.train() == {"timesteps": 5}
    assert trainer.evaluate(n_episodes=3) == (3.0, 0.0)
    with pytest.raises(JimbotError, match=r"network_spec\(\).* policy_tensors\(\).* or override save_model"):
        trainer.save_model()


def test_a_trainer_without_its_algorithm_is_told_about_capabilities(monkeypatch):
    monkeypatch.setattr(backend_registry, "registered", {})
    with pytest.raises(JimbotError, match="own joins by @register_trainer"):
        create_trainer(quick_balatro_env(), TrainerConfig(algorithm="MyAlgorithm"))
    register_trainer("mine")(own_trainer())
    with pytest.raises(JimbotError, match=r"mine has mine; set capabilities = Capabilities\(algorithms"):
        create_trainer(quick_balatro_env(), TrainerConfig(algorithm="MyAlgorithm"))
    wrong: Any = own_trainer()
    wrong.capabilities = ("MyAlgorithm",)
    with pytest.raises(
        JimbotError, match=r"capabilities is tuple; expected Capabilities\(algorithms=\(\"wrong\""
    ):
        register_trainer("wrong")(wrong)
