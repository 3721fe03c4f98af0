"""Runs by path: a new one from a configuration, an interrupted one to go on with, the policy inside one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError
from jimbot.training.checkpoints.manager import CheckpointManager
from jimbot.training.config.files import address_option, config_from_yaml, config_to_yaml, load_config
from jimbot.training.runs.directory import RunDirectory, RunError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.networks import PolicyFile
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.framework import RLTrainer

__all__ = ["create_run", "find_policy", "policy_config", "resume_run", "run_config"]

POLICY_PLACES = ("", "best", "final")
"""Where a run keeps policies, the preferred one first."""


def create_run(config: TrainerConfig) -> RunDirectory:
    """The directory of a new run."""
    return RunDirectory.create(config.save_dir, config.name, config.to_dict(), config_to_yaml(config))


def run_config(run: RunDirectory) -> TrainerConfig:
    """The configuration a run was made with."""
    return config_from_yaml(run.config_text, str(run.path / "config.yaml"))


def resume_run(
    path: str | Path,
    env: Any = None,
    checkpoint: str | Path | None = None,
    backend_options: Mapping[str, Any] | None = None,
    address: str | None = None,
) -> RLTrainer:
    """A trainer at the last whole checkpoint of a run; ``train()`` goes on from there.

    Args:
        path: the run's directory, or one of its checkpoints.
        env: the environments, if they are not what the configuration's ``env`` makes.
        checkpoint: another checkpoint than the last.
        backend_options: options of the backend that differ from the run's.
        address: of a cluster to join, for backends that can.
    """
    from jimbot.training.framework import create_trainer
    from jimbot.training.loop.session import TrainingSession

    place = Path(path)
    if place.parent.name == "checkpoints":
        place, checkpoint = place.parent.parent, checkpoint or place
    run = RunDirectory.open(place)
    manager = CheckpointManager(run.checkpoints_path)
    chosen = Path(checkpoint) if checkpoint is not None else None
    if chosen is None:
        latest = manager.latest()
        if latest is None:
            raise RunError(
                f"{place} has no whole checkpoint to go on from; start a new run with its config.yaml"
            )
        chosen = latest.path
    tree = manager.load(chosen).tree
    config = run_config(run)
    changes = dict(backend_options or {})
    if address is not None:
        changes[address_option(config.backend)] = address
    if changes:
        config.backend_options = {**config.backend_options, **changes}
    trainer = create_trainer(env, config)
    trainer.adopt_run(run)
    try:
        _ = trainer.model
        trainer.session = TrainingSession(trainer)
        trainer.session.restore(tree)
    except BaseException:
        trainer.close()
        raise
    return trainer


def find_policy(path: Path) -> PolicyFile:
    """The policy of a policy file, of a run (its best), or of a checkpoint."""
    from jimbot.networks import NetworkSpec, ObservationNormaliser, PolicyFile, load_policy

    if path.parent.name == "checkpoints":
        tree = CheckpointManager(path.parent).load(path).tree
        spec = tree["policy"]["spec"]
        if spec is None:
            raise JimbotError(f"{path} holds no policy that can be loaded without its trainer")
        statistics = tree["vector"]["normaliser"]
        normaliser = (
            ObservationNormaliser.from_state_dict(statistics).freeze() if statistics is not None else None
        )
        return PolicyFile(NetworkSpec.from_json(spec), tree["policy"]["tensors"], normaliser)
    if path.is_dir():
        for place in POLICY_PLACES:
            if (path / place / "policy.json").exists():
                return load_policy(path / place)
        raise JimbotError(f"{path} holds no policy; expected policy.json in it, in best/ or in final/")
    return load_policy(path)


def policy_config(path: Path, policy: PolicyFile) -> TrainerConfig:
    """The configuration of the run that a path lies in; for a policy file alone, its environment with the defaults."""
    from jimbot.training.config.trainer_config import TrainerConfig

    for place in (path, *path.absolute().parents):
        if (place / "config.yaml").is_file():
            return load_config(place / "config.yaml")
    env = policy.metadata.get("env")
    if not isinstance(env, str):
        raise JimbotError(f"{path} does not say which environment it is for; keep it in its run's directory")
    return TrainerConfig(env=env)
