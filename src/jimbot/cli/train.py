"""``jimbot train`` and ``jimbot resume``: training from a configuration file, environment variables and flags."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads it
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jimbot.errors import EXIT_INTERRUPTED, JimbotError

if TYPE_CHECKING:
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.framework import RLTrainer

__all__ = ["app", "resume_app", "train_and_report"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
resume_app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

PROGRESS = "auto, live, plain or silent"
RESUME_FLAGS = ("timesteps", "address", "resume_from", "progress", "explain")
"""Flags of ``train`` that apply to a resumed run, which keeps its configuration."""
FLAGS = {"set_": "--set"}
"""Flags whose parameters have other names."""


@app.command()
def train(
    context: typer.Context,
    config: Annotated[Path | None, typer.Option(help="YAML file of the configuration")] = None,
    algorithm: Annotated[str | None, typer.Option(help="PPO, A2C, DQN or another the backend has")] = None,
    backend: Annotated[str | None, typer.Option(help="the library that trains")] = None,
    env: Annotated[str | None, typer.Option(help="balatro, therapy, cartpole or any Gymnasium id")] = None,
    timesteps: Annotated[
        int | None, typer.Option(help="steps to train; with --resume-from, additional steps")
    ] = None,
    n_envs: Annotated[int | None, typer.Option(help="number of parallel environments")] = None,
    seed: Annotated[int | None, typer.Option(help="seed of all random number generators")] = None,
    name: Annotated[str | None, typer.Option(help="name of the run's directory")] = None,
    save_dir: Annotated[str | None, typer.Option(help="directory that holds the run's directory")] = None,
    use_curriculum: Annotated[
        bool | None, typer.Option(help="curriculum: raise the finishing ante with success")
    ] = None,
    use_wandb: Annotated[bool | None, typer.Option(help="log to W&B too")] = None,
    tracker: Annotated[
        list[str] | None, typer.Option(help="tensorboard, wandb, mlflow or questdb; repeatable")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="join the cluster at this address (backends that can)")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="any field: hyperparams.learning_rate=1e-4; repeatable"),
    ] = None,
    resume_from: Annotated[Path | None, typer.Option(help="resume this run or checkpoint instead")] = None,
    progress: Annotated[str, typer.Option(help=PROGRESS)] = "auto",
    show_config: Annotated[
        bool, typer.Option("--show-config", help="print the complete configuration and exit")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="print the meaning of every field and exit")
    ] = False,
) -> None:
    """Train an agent. Settings come from defaults, the file, environment variables (JIMBOT_N_ENVS) and flags, in this
    order. Without a file, the defaults on Balatro are a recipe that learns quickly.
    """
    if explain:
        print_fields()
        return
    if resume_from is not None:
        refuse_others(context)
        resume(resume_from, timesteps=timesteps, address=address, progress=progress)
        return
    from jimbot.training.config.files import config_to_yaml, layered_config, parse_assignment
    from jimbot.training.config.recipes import describe_recipe, recipe_values, with_actions

    flags: dict[str, Any] = {
        "algorithm": algorithm,
        "backend": backend,
        "env": env,
        "total_timesteps": timesteps,
        "n_envs": n_envs,
        "seed": seed,
        "name": name,
        "save_dir": save_dir,
        "use_curriculum": use_curriculum,
        "use_wandb": use_wandb,
        "trackers": tracker,
    }
    flags |= dict(parse_assignment(each) for each in set_ or [])
    chosen = with_actions(layered_config(config, flags, address=address, recipe=True))
    if show_config:
        typer.echo(config_to_yaml(chosen), nl=False)
        return
    from jimbot.training.framework import create_trainer
    from jimbot.training.loop.progress import check_progress

    check_progress(progress)
    if progress != "silent":
        if config is not None:
            typer.echo(f"configuration: {config}")
        elif recipe_values({"algorithm": chosen.algorithm, "env": chosen.env}):
            typer.echo(describe_recipe(chosen))
        else:
            typer.echo(f"documented defaults of {chosen.algorithm} on {chosen.env}")
    with create_trainer(None, chosen) as trainer:
        train_and_report(trainer, progress)


def refuse_others(context: typer.Context) -> None:
    """Raise for a flag that cannot be combined with ``--resume-from``."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in RESUME_FLAGS and source is not None and source.name == "COMMANDLINE":
            flag = FLAGS.get(name, f"--{name.replace('_', '-')}")
            raise JimbotError(
                f"{flag}: a resumed run keeps its configuration; leave out {flag} or --resume-from"
            )


@resume_app.command()
def resume(
    run: Annotated[Path, typer.Argument(help="directory of the run, or one of its checkpoints")],
    timesteps: Annotated[
        int | None, typer.Option(help="additional steps beyond the configured number")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="join the cluster at this address (backends that can)")
    ] = None,
    progress: Annotated[str, typer.Option(help=PROGRESS)] = "auto",
) -> None:
    """Continue a run from its last complete checkpoint; the result is the same as without the interruption."""
    from jimbot.training.framework import resume_run
    from jimbot.training.loop.progress import check_progress

    check_progress(progress)
    if timesteps is not None and timesteps < 1:
        raise JimbotError(f"--timesteps must be at least 1, got {timesteps}")
    with resume_run(run, address=address) as trainer:
        goal = trainer.config.total_timesteps + (timesteps or 0)
        if trainer.timesteps >= goal:
            raise JimbotError(
                f"{run} has trained its {goal:,} steps already; give --timesteps to train it further"
            )
        train_and_report(trainer, progress, goal - trainer.timesteps)


def train_and_report(
    trainer: RLTrainer, progress: str = "auto", timesteps: int | None = None
) -> dict[str, Any]:
    """Train, and print the results and their location; exits with 130 after an interrupt."""
    from rich.console import Console

    from jimbot.networks import count_parameters
    from jimbot.training.runs.plots import plot_run

    spec = trainer.network_spec()
    if spec is not None and progress != "silent":
        Console().print(f"network of {count_parameters(spec):,} parameters for {spec.actions} actions")
    result = trainer.train(timesteps, progress=progress)
    pictures = plot_run(trainer.run.path)
    console = Console()
    console.print(
        f"\n{result['stopped']} after {result['timesteps']:,} steps, {result['steps_per_second']:,.0f} steps/s"
    )
    if result["best_score"] is not None:
        console.print(
            f"best evaluation {result['best_score']:.3f} at {result['best_timesteps']:,} steps, "
            f"evaluated again {result['best_confirmed']:.3f}"
        )
    console.print(f"files in {trainer.run.path}", soft_wrap=True)
    for picture in pictures:
        console.print(f"  plot {picture.relative_to(trainer.run.path)}", soft_wrap=True)
    if result["stopped"] == "interrupted":
        console.print(f"Continue with: jimbot resume {trainer.run.path}", soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPTED)
    return result


def print_fields() -> None:
    """Print every field of the configuration: path, default, meaning."""
    from rich.console import Console
    from rich.table import Table

    from jimbot.training.config.trainer_config import ALGORITHM_OPTIONS, TrainerConfig

    table = Table("field", "default", "meaning", box=None, pad_edge=False)
    for path, default, meaning in list_configuration_fields(TrainerConfig()):
        table.add_row(path, default, meaning)
    for algorithm, section in ALGORITHM_OPTIONS.items():
        for path, default, meaning in list_configuration_fields(section()):
            table.add_row(f"{algorithm}: {path}", default, meaning)
    Console().print(table)


def list_configuration_fields(section: Any, prefix: str = "") -> list[tuple[str, str, str]]:
    """List path, default and meaning of every field of a section, including nested ones."""
    from pydantic import BaseModel

    rows: list[tuple[str, str, str]] = []
    for name, field in list_section_fields(section).items():
        value = getattr(section, name)
        path = f"{prefix}{name}"
        if isinstance(value, BaseModel):
            rows += list_configuration_fields(value, f"{path}.")
        else:
            rows.append((path, "none" if value is None else str(value), field.description or ""))
    return rows


def list_section_fields(section: Any) -> dict[str, Any]:
    """Return the fields of a section by name."""
    return section.__class__.model_fields


def make_quick_config(algorithm: str, timesteps: int) -> TrainerConfig:
    """Return a configuration that learns something on Balatro within half a minute on two cores."""
    from jimbot.training.config.trainer_config import get_default_config

    config = get_default_config(algorithm)
    config.total_timesteps = timesteps
    config.n_envs = 16
    config.env_kwargs = {"actions": "candidates", "fast": True}
    config.eval_freq = max(timesteps // 2, 1)
    config.checkpoint_freq = max(timesteps // 2, 1)
    config.eval_episodes = 50
    config.hyperparams.features_dim = 128
    config.hyperparams.policy_net_arch = [64]
    config.hyperparams.value_net_arch = [64]
    own: dict[str, dict[str, Any]] = {
        "PPO": {"n_steps": 128, "batch_size": 256, "n_epochs": 4},
        "A2C": {"n_steps": 16},
        "DQN": {"learning_starts": 1_000, "buffer_size": 20_000, "target_update_interval": 1_000},
    }
    config.hyperparams.algorithm_specific = own[algorithm]
    return config
