"""``jimbot compare``: several algorithms on several seeds, one table, one report; a second call goes on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from jimbot.training.experiment import ExperimentConfig

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

QUICK_TIMESTEPS = 30_000
TIMESTEPS = 100_000
LISTS = ("--algorithms", "--seeds")


class ListCommand(TyperCommand):
    """Takes ``--algorithms PPO A2C`` as well as ``--algorithms PPO --algorithms A2C``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the option before each of its values."""
        repeated: list[str] = []
        option = ""
        for word in args:
            if word.startswith("-"):
                option = word if word in LISTS else ""
                if option:
                    continue
            elif option:
                repeated.append(option)
            repeated.append(word)
        return super().parse_args(ctx, repeated)


@app.command(cls=ListCommand)
def compare(
    algorithms: Annotated[
        list[str] | None, typer.Option(help="PPO, A2C, DQN or others the backend has")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="small networks, a short training")] = False,
    seeds: Annotated[list[int] | None, typer.Option(help="one training of each algorithm per seed")] = None,
    timesteps: Annotated[int | None, typer.Option(help="steps of each training")] = None,
    env: Annotated[str | None, typer.Option(help="balatro, therapy, cartpole or any Gymnasium id")] = None,
    backend: Annotated[str | None, typer.Option(help="the library that trains")] = None,
    episodes: Annotated[int, typer.Option(help="episodes of the evaluation at the end")] = 100,
    workers: Annotated[int, typer.Option(help="trainings side by side")] = 1,
    name: Annotated[str, typer.Option(help="name of the comparison's directory")] = "comparison",
    output_dir: Annotated[Path, typer.Option(help="directory that holds it")] = Path("benchmarks"),
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="any field of the configuration: n_envs=4; repeatable")
    ] = None,
    silent: Annotated[bool, typer.Option("--silent", help="no progress")] = False,
) -> None:
    """Train each algorithm on each seed, print the comparison, write report.html. What finished is not repeated."""
    from jimbot.training.experiment import MultiAlgorithmBenchmark
    from jimbot.training.performance_analysis import PerformanceAnalyzer

    steps = timesteps or (QUICK_TIMESTEPS if quick else TIMESTEPS)
    benchmark = MultiAlgorithmBenchmark(None, name, output_dir, workers)
    for algorithm in dict.fromkeys(algorithms or ["PPO", "A2C", "DQN"]):
        for seed in dict.fromkeys(seeds or [42]):
            experiment = make_experiment(algorithm, steps, quick=quick, balatro=env in (None, "balatro"))
            changes = {
                "seed": seed,
                "evaluation_episodes": episodes,
                **({"backend": backend} if backend else {}),
            }
            experiment = experiment.copy_with(**changes, **({"env": env} if env is not None else {}))
            benchmark.add_experiment(apply_assignments(experiment, set_ or []))
    results = benchmark.run_all(verbose=not silent)
    benchmark.print_summary()
    finished = [each for each in results if each.finished]
    if finished:
        analyzer = PerformanceAnalyzer(benchmark.directory)
        analyzer.add_results(finished)
        analyzer.print_summary()
        analyzer.export_json("analysis.json")
        typer.echo(f"report {analyzer.generate_html_report('report.html')}")
    if len(finished) < len(results):
        raise typer.Exit(1)


def make_experiment(algorithm: str, timesteps: int, *, quick: bool, balatro: bool) -> ExperimentConfig:
    """An experiment; a quick one has what ``quick_train.py`` has."""
    from jimbot.cli.train import make_quick_config
    from jimbot.training.config.trainer_config import DEFAULTS
    from jimbot.training.experiment import ExperimentConfig

    if not quick or algorithm not in DEFAULTS:
        return ExperimentConfig(algorithm=algorithm, total_timesteps=timesteps)
    config = make_quick_config(algorithm, timesteps)
    return ExperimentConfig(
        algorithm=algorithm,
        total_timesteps=timesteps,
        n_envs=config.n_envs,
        env_kwargs=config.env_kwargs if balatro else {},
        hyperparams=config.hyperparams.model_dump(),
    )


def apply_assignments(experiment: ExperimentConfig, assignments: list[str]) -> ExperimentConfig:
    """The experiment with fields set by dotted path, its own or those of the trainer's configuration."""
    from jimbot.training.config.files import parse_assignment, put

    values: dict[str, Any] = experiment.model_dump()
    for text in assignments:
        path, value = parse_assignment(text)
        first = path.split(".")[0]
        place = path if first in type(experiment).model_fields else f"trainer_options.{path}"
        put(values, place.split("."), value, path)
    return type(experiment)(**values)
