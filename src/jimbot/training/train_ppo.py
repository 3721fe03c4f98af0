"""``python -m jimbot.training.train_ppo``: train a therapist with PPO.

python -m jimbot.training.train_ppo --config configs/example_experiment.yaml
python -m jimbot.training.train_ppo --experiment-name cold --patterns cold_stuck --total-timesteps 100000
python -m jimbot.training.train_ppo --resume-from models/cold/checkpoint_50000.pth
python -m jimbot.training.train_ppo --to-policy models/cold/policy_best.pth
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from jimbot.errors import EXIT_INTERRUPTED, exit_code
from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.therapy.config import (
    MECHANISMS,
    RUN_NAME,
    TrainingConfig,
    config_of,
    load_config,
    read_fields,
    save_config,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.training.therapy.session import TherapyTraining

__all__ = ["main", "resume", "start", "train"]

NUMBERS: tuple[tuple[str, str, type, str], ...] = (
    ("Environment parameters", "threshold", float, "success threshold, 0 to 1"),
    ("Environment parameters", "max-sessions", int, "sessions an episode has at most"),
    ("Environment parameters", "entropy", float, "temperature of the clients' choices"),
    ("RL hyperparameters", "total-timesteps", int, "steps to train, over all environments"),
    ("RL hyperparameters", "n-envs", int, "environments side by side"),
    ("RL hyperparameters", "learning-rate", float, "step size of the optimizer"),
    ("RL hyperparameters", "batch-size", int, "samples in a minibatch"),
    ("RL hyperparameters", "n-epochs", int, "passes over the collected steps in an update"),
    ("RL hyperparameters", "gamma", float, "discount factor"),
    ("RL hyperparameters", "gae-lambda", float, "lambda of the advantages"),
    ("RL hyperparameters", "clip-range", float, "PPO's clipping"),
    ("RL hyperparameters", "ent-coef", float, "weight of the entropy bonus"),
    ("Network architecture", "hidden-size", int, "width of the hidden layers"),
    ("Logging", "save-freq", int, "steps between checkpoints"),
    ("Logging", "eval-freq", int, "steps between evaluations"),
    ("Logging", "eval-episodes", int, "episodes per evaluation"),
    ("Logging", "seed", int, "starts every generator"),
)
"""Group, flag, type and help of the flags that are one number."""


def parser() -> argparse.ArgumentParser:
    """The documented flags. One that is not given leaves the field's default."""
    defaults = TrainingConfig()
    made = argparse.ArgumentParser(
        prog="python -m jimbot.training.train_ppo", description="Train a therapist."
    )
    groups = {"Experiment settings": made.add_argument_group("Experiment settings")}
    for title, *_ in NUMBERS:
        if title not in groups:
            groups[title] = made.add_argument_group(title)
    experiment = groups["Experiment settings"]
    experiment.add_argument("--config", metavar="FILE", help="YAML file; its fields override other arguments")
    experiment.add_argument("--experiment-name", help=f"name of the experiment ({defaults.experiment_name})")
    experiment.add_argument("--output-dir", help="directory of the models (models/{experiment_name})")
    experiment.add_argument("--resume-from", metavar="FILE", help="go on from this checkpoint_*.pth")
    experiment.add_argument(
        "--to-policy",
        metavar="FILE",
        help="convert this .pth file to a policy file in --output-dir (a directory of its name) and stop",
    )
    environment = groups["Environment parameters"]
    environment.add_argument("--patterns", nargs="+", help="client behavior patterns")
    environment.add_argument(
        "--mechanism", choices=MECHANISMS, help=f"how clients decide ({defaults.mechanism})"
    )
    for title, name, kind, text in NUMBERS:
        default = getattr(defaults, name.replace("-", "_"))
        groups[title].add_argument(f"--{name}", type=kind, help=f"{text} ({default})")
    groups["Logging"].add_argument("--log-dir", help=f"directory of the logs ({defaults.log_dir})")
    groups["Logging"].add_argument(
        "--progress", default="auto", choices=("auto", "live", "plain", "silent"), help="what is shown (auto)"
    )
    return made


def config_from_flags(given: argparse.Namespace) -> TrainingConfig:
    """Defaults, below the flags, below the file; a flag the file contradicts is told on the error stream."""
    known = {each.name for each in fields(TrainingConfig)}
    flags = {name: value for name, value in vars(given).items() if name in known and value is not None}
    if given.config is None:
        return config_of(flags, "the command line")
    from_file = read_fields(given.config)
    for name in flags.keys() & from_file.keys():
        if flags[name] != from_file[name]:
            flag = f"--{name.replace('_', '-')}"
            print(f"{given.config} sets {name} to {from_file[name]!r}; {flag} is overridden", file=sys.stderr)
    return config_of(flags | from_file, given.config)


def start(config: TrainingConfig) -> TherapyTraining:
    """A new training. A directory that holds one already is refused."""
    from jimbot.training.therapy.session import TherapySession, TherapyTraining

    if (config.model_path / "config.yaml").exists():
        raise ConfigError(
            f"{config.model_path} holds an experiment already; go on with --resume-from, or choose another "
            "--experiment-name or --output-dir"
        )
    trainer = TherapyTraining(config)
    _ = trainer.model
    save_config(config, config.model_path / "config.yaml")
    trainer.session = TherapySession(trainer)
    return trainer


def resume(path: str | Path, config: TrainingConfig | None = None) -> TherapyTraining:
    """A training at a checkpoint; ``train()`` continues from there, bit for bit.

    Args:
        path: a ``checkpoint_*.pth``.
        config: of the experiment; the ``config.yaml`` beside the checkpoint if None.
    """
    from jimbot.training.runs.directory import RunDirectory
    from jimbot.training.therapy.files_torch import read_checkpoint
    from jimbot.training.therapy.session import TherapySession, TherapyTraining

    source = Path(path)
    tree = read_checkpoint(source)
    beside = source.parent / "config.yaml"
    if config is None and not beside.exists():
        raise ConfigError(f"there is no {beside}; give the experiment with --config")
    earlier = load_config(beside) if beside.exists() else None
    if config is None:
        assert earlier is not None
        config = replace(earlier, output_dir=str(source.parent))
    elif earlier is not None:
        config.check_goes_on_from(earlier)
    trainer = TherapyTraining(config)
    run = config.model_path / RUN_NAME
    if run.exists():
        trainer.adopt_run(RunDirectory.open(run))
    else:
        tree["tracker"] = None  # its events stayed where the checkpoint was made
    _ = trainer.model
    session = TherapySession(trainer)
    session.restore(tree)
    trainer.session = session
    save_config(config, config.model_path / "config.yaml")
    return trainer


def train(
    config: TrainingConfig, resume_from: str | Path | None = None, progress: str = "auto"
) -> dict[str, Any]:
    """Train an experiment to its end; what ``RLTrainer.train`` tells."""
    trainer = start(config) if resume_from is None else resume(resume_from, config)
    with trainer:
        return trainer.train(progress=progress)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    given = parser().parse_args(arguments)
    return exit_code(lambda: run_command(given))


def run_command(given: argparse.Namespace) -> int:
    """Convert, or train."""
    if given.to_policy is not None:
        from jimbot.training.therapy.files_torch import convert_policy

        source = Path(given.to_policy)
        print(convert_policy(source, given.output_dir or source.with_suffix("")))
        return 0
    if given.resume_from is not None and given.config is None:
        trainer = resume(given.resume_from, resumed_config(given))
    else:
        config = config_from_flags(given)
        trainer = start(config) if given.resume_from is None else resume(given.resume_from, config)
    with trainer:
        result = trainer.train(progress=given.progress)
    experiment = trainer.experiment
    print(f"{result['stopped']} after {result['timesteps']:,} steps; best evaluation {result['best_score']}")
    print(f"models in {experiment.model_path}, metrics in {experiment.progress_path}")
    return EXIT_INTERRUPTED if result["stopped"] == "interrupted" else 0


def resumed_config(given: argparse.Namespace) -> TrainingConfig | None:
    """The configuration beside a checkpoint with the flags that are given; None if there are none."""
    known = {each.name for each in fields(TrainingConfig)}
    flags = {name: value for name, value in vars(given).items() if name in known and value is not None}
    beside = Path(given.resume_from).parent / "config.yaml"
    if not flags or not beside.exists():
        return config_of(flags, "the command line") if flags else None
    earlier = load_config(beside)
    values: dict[str, Any] = {"output_dir": str(beside.parent), **flags}
    return replace(earlier, **cast("Any", values))


if __name__ == "__main__":
    sys.exit(main())
