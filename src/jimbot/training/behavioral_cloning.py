"""Learning from an expert before learning from rewards: demonstrations, supervised pre-training, DAgger, evaluation.

collector = TrajectoryCollector("scripted", env)
trajectories = collector.collect(n_episodes=100)
BehavioralCloning(trainer.model, trajectories).pretrain(n_epochs=10)
trainer.train()

The parts are defined in ``jimbot.training.cloning``; this is where the documentation names them.
"""

from __future__ import annotations

from jimbot.training.cloning.collector import TrajectoryCollector
from jimbot.training.cloning.expert_evaluation import ExpertEvaluator
from jimbot.training.cloning.pretraining import BehavioralCloning
from jimbot.training.cloning.trajectories import CloningError, Trajectory, Transition, filter_trajectories
from jimbot.training.cloning.trajectory_files import load_trajectories, save_trajectories

__all__ = [
    "BehavioralCloning",
    "CloningError",
    "ExpertEvaluator",
    "Trajectory",
    "TrajectoryCollector",
    "Transition",
    "filter_trajectories",
    "load_trajectories",
    "save_trajectories",
]
