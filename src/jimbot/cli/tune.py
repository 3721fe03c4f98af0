"""``jimbot tune``: search hyperparameters, retrain the best, and write the winning configuration."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads it
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from jimbot.training.tuning.search import TuningResult

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def tune(
    study: Annotated[Path, typer.Argument(help="directory of the study; an existing study is continued")],
    trials: Annotated[int, typer.Option(help="finished trials in all")] = 20,
    config: Annotated[Path | None, typer.Option(help="YAML file of the configuration")] = None,
    algorithm: Annotated[str | None, typer.Option(help="PPO, A2C or DQN")] = None,
    env: Annotated[str | None, typer.Option(help="balatro, therapy, cartpole or any Gymnasium id")] = None,
    timesteps: Annotated[int | None, typer.Option(help="steps of every training run")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="any field of the configuration: n_envs=4; repeatable")
    ] = None,
    search: Annotated[
        list[str] | None, typer.Option(help="a hyperparameter to search; repeatable; all by default")
    ] = None,
    seeds: Annotated[int, typer.Option(help="training runs of each trial")] = 2,
    workers: Annotated[int, typer.Option(help="parallel processes")] = 1,
    top: Annotated[int, typer.Option(help="how many of the best are trained again")] = 3,
    final_seeds: Annotated[int, typer.Option(help="fresh runs of each of them")] = 3,
    final_episodes: Annotated[int, typer.Option(help="evaluation episodes of each")] = 100,
    startup_trials: Annotated[int, typer.Option(help="random trials before the search uses results")] = 5,
    prune: Annotated[bool, typer.Option(help="end trials below the median of the others")] = True,
    spaces: Annotated[bool, typer.Option("--spaces", help="print what can be searched and stop")] = False,
) -> None:
    """Search hyperparameters. After an interruption, run the same command to continue; finished trials are kept."""
    from jimbot.training.config.files import layered_config, parse_assignment

    flags: dict[str, Any] = {"algorithm": algorithm, "env": env, "total_timesteps": timesteps}
    flags |= dict(parse_assignment(each) for each in set_ or [])
    chosen = layered_config(config, flags)
    if spaces:
        print_spaces(chosen)
        return
    from jimbot.training.tuning.search import Tuning, TuningSettings

    settings = TuningSettings(
        seeds=seeds,
        search=tuple(search or ()),
        startup_trials=startup_trials,
        prune=prune,
        top=top,
        final_seeds=final_seeds,
        final_episodes=final_episodes,
    )
    result = Tuning(chosen, study, settings).run(trials, workers=workers, tell=typer.echo)
    if result is None:
        return
    typer.echo(f"\n{result.trials} trials, {result.pruned} of them pruned; the best on fresh seeds:")
    for each in result.finalists:
        typer.echo(f"  trial {each.trial}: {each.mean:.3f} (in the search {each.search_score:.3f})")
    if result.tied:
        typer.echo(describe_tie(result))
    for path, value in result.finalists[0].values.items():
        typer.echo(f"    {path} = {value}")
    typer.echo(f"Train the winner with: jimbot train --config {result.directory / 'best.yaml'}")


def describe_tie(result: TuningResult) -> str:
    """Say that the winner is no better than others on the fresh seeds, and why it was chosen."""
    winner, others = result.finalists[0], result.tied
    names = " and ".join(f"trial {each.trial}" for each in others)
    higher = all(winner.search_score > each.search_score for each in others)
    reason = "its score in the search is higher" if higher else "it came first"
    return f"a tie: trial {winner.trial} is no better than {names}; it is chosen because {reason}"


def print_spaces(config: Any) -> None:
    """Print the search space of a configuration."""
    from jimbot.training.config.search_space import Choices
    from jimbot.training.config.trainer_config import search_spaces

    for path, space in search_spaces(config).items():
        if isinstance(space, Choices):
            text = f"one of {', '.join(map(str, space.values))}"
        else:
            text = f"{space.low:g} to {space.high:g}{', logarithmic' if space.log else ''}"
        typer.echo(f"{path}: {text}")
