"""A training run that also leaves the documented files of ``train_ppo``: ``.pth`` policies and checkpoints, a CSV.

The run itself (events, exact checkpoints, neutral policies) lies in ``run/`` beside them.
"""

from __future__ import annotations

import csv
import io
import time
from typing import TYPE_CHECKING, Any

from jimbot.storage.atomic import make_directories, write_file_atomically
from jimbot.training.loop.session import TrainingSession
from jimbot.training.tianshou_trainer import TianshouTrainer

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from jimbot.training.envs.evaluation import EvaluationResult
    from jimbot.training.loop.progress import Status
    from jimbot.training.therapy.config import TrainingConfig

__all__ = ["COLUMNS", "TherapySession", "TherapyTraining"]

COLUMNS = (
    "epoch",
    "step",
    "train_reward_mean",
    "train_reward_std",
    "train_length_mean",
    "test_reward_mean",
    "test_reward_std",
    "test_length_mean",
    "duration",
)
"""Columns of the progress file. An epoch ends with an evaluation; training means are over the last 100 episodes."""


class TherapyTraining(TianshouTrainer):
    """Tianshou's PPO that writes ``policy_best.pth`` and ``policy_final.pth`` besides its policy files."""

    def __init__(self, experiment: TrainingConfig) -> None:
        super().__init__(None, experiment.trainer_config())
        self.experiment = experiment

    def save_model(self, name: str = "final") -> Path:
        """Write the policy file, and its parameters as ``policy_<name>.pth``."""
        from jimbot.training.therapy.files_torch import write_policy

        directory = super().save_model(name)
        write_policy(self.experiment.model_path / f"policy_{name}.pth", self.network)
        return directory


class TherapySession(TrainingSession):
    """A session that writes a row per evaluation and a ``.pth`` file per checkpoint."""

    def __init__(self, trainer: TherapyTraining) -> None:
        super().__init__(trainer)
        self.therapy = trainer
        self.experiment = trainer.experiment
        self._last_tree: dict[str, Any] = {}
        self._rows: list[dict[str, str]] = []
        self._earlier_seconds = 0.0
        self._started = time.monotonic()

    def restore(self, tree: Mapping[str, Any]) -> None:
        """Go back to a checkpoint's state; rows that were written after it are written anew."""
        super().restore(tree)
        path = self.experiment.progress_path
        if path.exists():
            with path.open(newline="", encoding="utf-8") as file:
                self._rows = [
                    row for row in csv.DictReader(file) if int(row["step"]) <= self.trainer.timesteps
                ]
        if self._rows:
            self._earlier_seconds = float(self._rows[-1]["duration"])

    def checkpoint(self, score: float | None = None) -> Path:
        """Write all of the run's state, also as ``checkpoint_<step>.pth``."""
        from jimbot.training.therapy.files_torch import write_checkpoint

        path = super().checkpoint(score)
        target = self.experiment.model_path / f"checkpoint_{self.trainer.timesteps}.pth"
        write_checkpoint(target, self.therapy.network, self._last_tree)
        return path

    def _tree(self, cursor: Mapping[str, Any]) -> dict[str, Any]:
        self._last_tree = super()._tree(cursor)
        return self._last_tree

    def _evaluate(self, status: Status) -> EvaluationResult:
        result = super()._evaluate(status)
        self._write_row(result)
        return result

    def _write_row(self, result: EvaluationResult) -> None:
        rewards = [episode.reward for episode in self.window]
        lengths = [episode.length for episode in self.window]
        mean = sum(rewards) / len(rewards) if rewards else None
        spread = None
        if rewards and mean is not None:
            spread = (sum((each - mean) ** 2 for each in rewards) / len(rewards)) ** 0.5
        values: dict[str, float | None] = {
            "epoch": len(self._rows) + 1,
            "step": self.trainer.timesteps,
            "train_reward_mean": mean,
            "train_reward_std": spread,
            "train_length_mean": sum(lengths) / len(lengths) if lengths else None,
            "test_reward_mean": result.mean,
            "test_reward_std": result.std,
            "test_length_mean": float(result.lengths.mean()),
            "duration": round(self._earlier_seconds + time.monotonic() - self._started, 3),
        }
        self._rows.append({name: "" if value is None else str(value) for name, value in values.items()})
        text = io.StringIO()
        writer = csv.DictWriter(text, list[str](COLUMNS), lineterminator="\n")
        writer.writeheader()
        writer.writerows(self._rows)
        make_directories(self.experiment.progress_path.parent)
        write_file_atomically(self.experiment.progress_path, text.getvalue())
