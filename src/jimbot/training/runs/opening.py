"""Runs by path: the configuration a run was made with, and the policy inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.errors import JimbotError
from jimbot.training.checkpoints.manager import CheckpointManager
from jimbot.training.config.files import config_from_yaml, load_config

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.networks import PolicyFile
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.runs.directory import RunDirectory

__all__ = ["find_policy", "policy_config", "run_config"]

POLICY_PLACES = ("", "best", "final")
"""Where a run keeps policies, the preferred one first."""


def run_config(run: RunDirectory) -> TrainerConfig:
    """The configuration a run was made with."""
    return config_from_yaml(run.config_text, str(run.path / "config.yaml"))


def find_policy(path: Path) -> PolicyFile:
    """The policy of a policy file, of a run (its best), of a checkpoint, or of a file that export wrote."""
    from jimbot.networks import NetworkSpec, ObservationNormalizer, PolicyFile, load_policy
    from jimbot.networks.single_file import is_single_file, unpack_policy

    if is_single_file(path):
        return unpack_policy(path)
    if path.parent.name == "checkpoints":
        tree = CheckpointManager(path.parent).load(path).tree
        spec = tree["policy"]["spec"]
        if spec is None:
            raise JimbotError(f"{path} holds no policy that can be loaded without its trainer")
        statistics = tree["vector"]["normaliser"]
        normalizer = (
            ObservationNormalizer.from_state_dict(statistics).freeze() if statistics is not None else None
        )
        return PolicyFile(NetworkSpec.from_json(spec), tree["policy"]["tensors"], normalizer)
    if path.is_dir():
        for place in POLICY_PLACES:
            if (path / place / "policy.json").exists():
                return load_policy(path / place)
        raise JimbotError(f"{path} holds no policy; expected policy.json in it, in best/ or in final/")
    return load_policy(path)


def policy_config(path: Path, policy: PolicyFile) -> TrainerConfig:
    """The configuration of the run that a path lies in; for a policy file alone, its environment with the defaults."""
    from jimbot.networks.single_file import is_single_file, read_packed_config
    from jimbot.training.config.trainer_config import TrainerConfig

    if is_single_file(path):
        text = read_packed_config(path)
        if text is not None:
            return config_from_yaml(text, str(path))
    for place in (path, *path.absolute().parents):
        if (place / "config.yaml").is_file():
            return load_config(place / "config.yaml")
    env = policy.metadata.get("env")
    if not isinstance(env, str):
        raise JimbotError(f"{path} does not say which environment it is for; keep it in its run's directory")
    return TrainerConfig(env=env)
