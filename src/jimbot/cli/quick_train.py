"""``python quick_train.py``: half a minute of training, compared with random play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from jimbot.cli.train import make_quick_config, train_and_report
from jimbot.statistics.evaluation_sets import EvaluationSet

if TYPE_CHECKING:
    from jimbot.training.envs.evaluation import EvaluationResult

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def quick_train(
    algorithm: Annotated[str, typer.Option(help="PPO, A2C or DQN")] = "PPO",
    timesteps: Annotated[int, typer.Option(help="steps to train")] = 20_000,
    seed: Annotated[int, typer.Option(help="seed of all random number generators")] = 42,
    episodes: Annotated[int, typer.Option(help="episodes of the final evaluation")] = 100,
    save_dir: Annotated[str, typer.Option(help="directory that holds the run's directory")] = "models",
    use_wandb: Annotated[bool, typer.Option("--use-wandb/--no-wandb", help="log to W&B too")] = False,
    progress: Annotated[str, typer.Option(help="auto, live, plain or silent")] = "auto",
) -> None:
    """Train a small network on Balatro and compare it with random play on held-out seeds."""
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
    with create_trainer(None, config) as trainer:
        train_and_report(trainer, progress)
        trained = trainer.evaluate_episodes(episodes, EvaluationSet.FINALISTS)
        luck = random_policy(trainer.vector.action_space, seed)
        report(trained, trainer.environments.evaluate(luck, episodes, EvaluationSet.FINALISTS))


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
