"""Loads the trained policy of a run, checkpoint or policy file as a player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.players.run_player import TrainedPlayer

__all__ = ["load_trained_player"]


def load_trained_player(path: Path) -> TrainedPlayer:
    """Load the policy that ``jimbot evaluate`` would measure: the best of a run, or that of a checkpoint or policy
    file.
    """
    from jimbot.players.batch_policy import NetworkPolicy
    from jimbot.players.run_player import TrainedPlayer
    from jimbot.training.envs.creation import BALATRO, environment_id
    from jimbot.training.runs.opening import find_policy, policy_config

    policy = find_policy(path)
    config = policy_config(path, policy)
    if environment_id(config.env) != BALATRO:
        raise JimbotError(f"{path} plays {config.env}; only a policy for Balatro can play a run")
    listed = [field.shape[0] for field in policy.spec.fields if field.name == "candidates"]
    options = {"actions": "candidates", "candidates": listed[0]} if listed else {}
    return TrainedPlayer(NetworkPolicy(policy), **options)
