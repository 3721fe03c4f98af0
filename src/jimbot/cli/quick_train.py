"""``python quick_train.py``: half a minute of cloning and training, measured against random play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jimbot.cli.train import make_quick_config, train_and_report
from jimbot.statistics.evaluation_sets import EvaluationSet

if TYPE_CHECKING:
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.envs.evaluation import EvaluationResult
    from jimbot.training.framework import RLTrainer

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


CLONED = ("PPO", "A2C")
"""Algorithms that start from a clone; DQN's values would forget it at once."""
RECIPE = "configs/balatro/clone_ppo.yaml"


@app.command()
def quick_train(
    algorithm: Annotated[str, typer.Option(help="PPO, A2C or DQN")] = "PPO",
    timesteps: Annotated[int, typer.Option(help="steps to train")] = 8_192,
    seed: Annotated[int, typer.Option(help="seed of all random number generators")] = 42,
    episodes: Annotated[int, typer.Option(help="episodes of the final evaluation")] = 100,
    save_dir: Annotated[str, typer.Option(help="directory that holds the run's directory")] = "models",
    use_wandb: Annotated[bool, typer.Option("--use-wandb/--no-wandb", help="log to W&B too")] = False,
    progress: Annotated[str, typer.Option(help="auto, live, plain or silent")] = "auto",
) -> None:
    """Clone the scripted player into a small network, train it, and compare it with random play on held-out seeds."""
    from jimbot.training.config.trainer_config import DEFAULTS, ConfigError
    from jimbot.training.envs.evaluation import random_policy
    from jimbot.training.framework import create_trainer
    from jimbot.training.loop.progress import check_progress

    check_progress(progress)
    if episodes < 1:
        raise ConfigError(f"--episodes must be at least 1, got {episodes}")
    if algorithm not in DEFAULTS:
        raise ConfigError(f"--algorithm: expected {', '.join(DEFAULTS)}, got {algorithm!r}")
    config = make_quick_config(algorithm, timesteps)
    config.seed, config.save_dir, config.use_wandb = seed, save_dir, use_wandb
    if algorithm in CLONED:
        clone_first(config)
    with create_trainer(None, config) as trainer:
        train_and_report(trainer, progress)
        trained = trainer.evaluate_episodes(episodes, EvaluationSet.FINALISTS)
        random = random_policy(trainer.vector.action_space, seed)
        report(trained, trainer.environments.evaluate(random, episodes, EvaluationSet.FINALISTS))
        suggest(trainer)


def clone_first(config: TrainerConfig) -> None:
    """Let training start from a clone of the scripted player."""
    config.use_behavioral_cloning = True
    cloning = config.behavioral_cloning
    cloning.n_episodes, cloning.n_epochs, cloning.batch_size = 30, 8, 64
    cloning.dagger_rounds, cloning.dagger_episodes = 2, 30
    config.hyperparams.gamma = 0.995  # a run is some hundred decisions long
    config.hyperparams.entropy_coefficient = 0.0  # the clone is undecided enough


def suggest(trainer: RLTrainer) -> None:
    """What to do next: watch what was trained, and train it for longer."""
    typer.echo(
        "\nwhat next?\n"
        f"  jimbot watch {trainer.run.path}\n"
        "      see it play\n"
        f"  jimbot train --config {RECIPE}\n"
        "      the same for longer: ten times the demonstrations, a hundred times the steps"
    )


def report(trained: EvaluationResult, random: EvaluationResult) -> None:
    """Print both evaluations side by side."""
    from rich.console import Console
    from rich.table import Table

    table = Table("", "trained", "random", title=f"{len(trained.rewards)} unseen seeds", title_justify="left")
    ours, theirs = trained.metrics(), random.metrics()
    rows = (
        ("blinds cleared", "mean_blinds"),
        ("reward", "mean_reward"),
        ("ante reached", "mean_ante"),
        ("episode length", "mean_length"),
    )
    for label, name in rows:
        if name in ours and name in theirs:
            table.add_row(label, f"{ours[name]:.2f}", f"{theirs[name]:.2f}")
    Console().print(table)
