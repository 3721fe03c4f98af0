"""A trainer without any library, for tests of what stands around trainers: it counts what pays."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import numpy as np
from tests.training.tiny_envs import MaskedBandit

from jimbot.training.experiment import ExperimentConfig
from jimbot.training.framework import Capabilities, Iteration, RLTrainer, register_trainer

ACTIONS = 6


def bandit() -> MaskedBandit:
    return MaskedBandit(actions=ACTIONS, legal=ACTIONS)


@register_trainer("counting")
class CountingTrainer(RLTrainer):
    """Estimates what each action pays. Options: fail_at, kill_at (steps), slow (seconds per iteration)."""

    capabilities = Capabilities(algorithms=("Counting", "Guessing"))

    def create_model(self) -> Any:
        self.rng = np.random.default_rng(self.config.seed)
        return {"paid": np.zeros(ACTIONS), "tried": np.zeros(ACTIONS)}

    def iterate(self) -> Iteration:
        options = self.config.backend_options
        actions = self.rng.integers(ACTIONS, size=self.vector.num_envs)
        rewards = self.vector.step(actions).rewards
        np.add.at(self.model["paid"], actions, rewards)
        np.add.at(self.model["tried"], actions, 1)
        if self.timesteps >= options.get("fail_at", np.inf):
            raise RuntimeError("the card table collapsed")
        if self.timesteps >= options.get("kill_at", np.inf):
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(options.get("slow", 0.0))
        return Iteration(self.vector.num_envs, {"tried": float(self.model["tried"].sum())})

    def policy(self, *, deterministic: bool = True) -> Any:
        del deterministic
        best = int(np.argmax(self.model["paid"] / np.maximum(self.model["tried"], 1)))
        chosen = best if self.config.algorithm == "Counting" else 0
        return lambda observation: np.full(len(observation["seen"]), chosen)

    def training_state(self) -> dict[str, Any]:
        return {**self.model, "rng": self.rng.bit_generator.state}

    def restore_training_state(self, state: Any) -> None:
        self.model.update(paid=np.array(state["paid"]), tried=np.array(state["tried"]))
        self.rng.bit_generator.state = state["rng"]


def counting(**changes: Any) -> ExperimentConfig:
    """An experiment of some hundredths of a second."""
    options = {
        "normalize_reward": False,
        "normalize_obs": False,
        "eval_freq": 20,
        "eval_episodes": 5,
        "checkpoint_freq": 40,
        "backend_options": changes.pop("backend_options", {}),
    }
    values = {"algorithm": "Counting", "backend": "counting", "total_timesteps": 100, "n_envs": 2}
    return ExperimentConfig(**{**values, "evaluation_episodes": 8, "trainer_options": options, **changes})
