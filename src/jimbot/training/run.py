"""``python -m jimbot.training.run``: train on Ray with RLlib, from a file or from the defaults.

python -m jimbot.training.run --config configs/default_ppo.yaml
python -m jimbot.training.run --experiment first_try --track
python -m jimbot.training.run --checkpoint models/first_try
python -m jimbot.training.run --config configs/default_ppo.yaml --address 10.0.0.1:6379

A Ray head that runs on this machine (``ray start --head``) is joined; without one a local Ray starts and stops by
itself. ``--address`` joins another cluster, ``--address local`` always starts a Ray of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import EXIT_INTERRUPTED, JimbotError, exit_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.training.framework import RLTrainer

__all__ = ["main"]

TRACKERS = ["tensorboard", "wandb"]
"""What ``--track`` adds to the trackers of the configuration."""
LOCAL = "local"
"""The address that means a Ray of one's own."""
DEFAULTS: dict[str, Any] = {
    "backend": "rllib",
    "env": "BalatroEnv",
    "env_config": {"actions": "candidates", "fast": True},
    "num_workers": 2,
    "num_envs_per_worker": 4,
    "rollout_fragment_length": 200,
    "batch_mode": "truncate_episodes",
    "train_batch_size": 4000,
    "sgd_minibatch_size": 128,
    "num_sgd_iter": 30,
    "num_gpus": 0,
    "lr": 5e-5,
    "gamma": 0.99,
    "lambda": 0.95,
    "clip_param": 0.2,
    "entropy_coeff": 0.01,
    "model": {"custom_model": "BalatroNet"},
    "eval_freq": 100_000,
    "eval_episodes": 250,
    "checkpoint_freq": 50_000,
}
"""The configuration without a file, as documented; the same as configs/default_ppo.yaml."""


def parser() -> argparse.ArgumentParser:
    """The flags."""
    made = argparse.ArgumentParser(
        prog="python -m jimbot.training.run", description="Train on Ray with RLlib."
    )
    made.add_argument(
        "--config",
        metavar="FILE",
        help="YAML file; without one, PPO on Balatro with two runners and the documented defaults",
    )
    made.add_argument(
        "--checkpoint",
        metavar="PATH",
        help="continue this run or checkpoint; or start from its best policy or an exported .pt",
    )
    made.add_argument("--experiment", metavar="NAME", help="name of the run's directory")
    made.add_argument(
        "--track", action="store_true", help="log to TensorBoard and W&B too; W&B is offline without a key"
    )
    made.add_argument(
        "--address",
        help="join the Ray cluster at this address; without it one on this machine, if there is any; local starts one",
    )
    made.add_argument(
        "--timesteps", type=int, help="steps to train; with --checkpoint, steps more than planned"
    )
    made.add_argument(
        "--set", action="append", default=[], metavar="FIELD=VALUE", help="any field; repeatable"
    )
    made.add_argument(
        "--progress", default="auto", choices=("auto", "live", "plain", "silent"), help="what is shown (auto)"
    )
    return made


def new_trainer(given: argparse.Namespace) -> RLTrainer:
    """A new trainer for the file or the defaults, with the flags applied."""
    from jimbot.training.config.file_kinds import CONFIGURATION
    from jimbot.training.config.files import build, merge, parse_assignment, put, read_file
    from jimbot.training.framework import create_trainer

    values = read_file(given.config, CONFIGURATION) if given.config is not None else merge({}, DEFAULTS)
    values.setdefault("backend", "rllib")
    assignments = dict(map(parse_assignment, given.set))
    for path, value in assignments.items():
        put(values, path.split("."), value, path)
    if given.experiment is not None:
        values["name"] = given.experiment
    if given.timesteps is not None:
        values["total_timesteps"] = given.timesteps
    if given.track:
        values["trackers"] = list(dict.fromkeys([*(values.get("trackers") or []), *TRACKERS]))
    if given.address is not None:
        address = None if given.address == LOCAL else given.address
        put(values, ["backend_options", "ray_address"], address, "--address")
    loose = {path: path for path in assignments if "." not in path}
    return create_trainer(None, build(values, given.config or "the defaults", loose=loose))


def holds_only_a_policy(place: Path) -> bool:
    """Whether a path is a policy without the state of its training: ``best``, a policy file, an exported ``.pt``."""
    from jimbot.networks.single_file import is_single_file

    if place.parent.name == "checkpoints" or (place / "config.yaml").is_file():
        return False
    return (
        is_single_file(place)
        or place.suffix in (".json", ".safetensors")
        or (place / "policy.json").is_file()
    )


def continued_policy(given: argparse.Namespace) -> RLTrainer:
    """A trainer of a new run that starts from a policy, with the configuration that the policy was trained with."""
    from jimbot.training.framework import create_trainer
    from jimbot.training.runs.opening import find_policy, policy_config

    place = Path(given.checkpoint)
    config = policy_config(place, find_policy(place)).copy_with(name=given.experiment)
    if given.timesteps is not None:
        config = config.copy_with(total_timesteps=given.timesteps)
    if given.address is not None:
        address = None if given.address == LOCAL else given.address
        config = config.copy_with(backend_options={**config.backend_options, "ray_address": address})
    print(f"{place} holds a policy and no optimizer; a new run starts from it")
    trainer = create_trainer(None, config)
    try:
        return trainer.load(place)
    except BaseException:
        trainer.close()
        raise


def old_trainer(given: argparse.Namespace) -> RLTrainer:
    """A trainer at a checkpoint of a run."""
    from jimbot.training.framework import resume_run

    refuse_flags(given, "config", "experiment", "set")
    options = {"ray_address": None} if given.address == LOCAL else None
    address = None if given.address == LOCAL else given.address
    return resume_run(given.checkpoint, backend_options=options, address=address)


def refuse_flags(given: argparse.Namespace, *flags: str) -> None:
    """Raise for flags that --checkpoint leaves no room for."""
    for flag in flags:
        if getattr(given, flag):
            raise JimbotError(
                f"--{flag}: a resumed run keeps its configuration; leave out --checkpoint or this"
            )


def join_running_head(address: str | None) -> None:
    """Let Ray join the head on this machine, if there is one and no other address was asked for."""
    if address is not None:
        os.environ["RAY_ADDRESS"] = LOCAL  # the address goes by the configuration
        return
    from jimbot.training.backends.rllib.cluster import find_running_head

    found = find_running_head()
    if found is not None:
        os.environ["RAY_ADDRESS"] = found
        print(f"joining the Ray cluster at {found}; --address local starts a Ray of its own")


def run_command(given: argparse.Namespace) -> int:
    """Train and print the results."""
    from jimbot.networks import count_parameters
    from jimbot.training.runs.plots import plot_run

    if given.timesteps is not None and given.timesteps < 1:
        raise JimbotError(f"--timesteps must be at least 1, got {given.timesteps}")
    join_running_head(given.address)
    resumed = bool(given.checkpoint) and not holds_only_a_policy(Path(given.checkpoint))
    if given.checkpoint and not resumed:
        refuse_flags(given, "config", "set")
    make = old_trainer if resumed else continued_policy if given.checkpoint else new_trainer
    with make(given) as trainer:
        goal = trainer.config.total_timesteps
        if resumed:
            goal += given.timesteps or 0
            if trainer.timesteps >= goal:
                raise JimbotError(
                    f"{given.checkpoint} has trained its {goal:,} steps already; give --timesteps to train it further"
                )
        spec = trainer.network_spec()
        if spec is not None:
            print(f"network of {count_parameters(spec):,} parameters for {spec.actions} actions")
        result = trainer.train(goal - trainer.timesteps, progress=given.progress)
        directory = trainer.run.path
    print(
        f"{result['stopped']} after {result['timesteps']:,} steps, {result['steps_per_second']:,.0f} steps/s"
    )
    if result["best_score"] is not None:
        print(f"best evaluation {result['best_score']:.3f}, measured again {result['best_confirmed']:.3f}")
    for picture in plot_run(directory):
        print(f"plot {picture}")
    print(f"files in {directory}")
    for unsent in sorted((directory / "wandb_files" / "wandb").glob("offline-run-*")):
        print(f"send this offline W&B run with: wandb sync {unsent}")
    if result["stopped"] == "interrupted":
        print(f"Continue with: python -m jimbot.training.run --checkpoint {directory}")
        return EXIT_INTERRUPTED
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    given = parser().parse_args(arguments)
    return exit_code(lambda: run_command(given))


if __name__ == "__main__":
    sys.exit(main())
