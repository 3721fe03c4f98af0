"""``jimbot compare``: several algorithms on several seeds, as a table and a report. It can be resumed."""

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
SAID_BY_A_TEMPLATE = ("algorithms", "quick", "seeds", "timesteps", "env", "backend", "episodes")


class ListCommand(TyperCommand):
    """Accepts ``--algorithms PPO A2C`` as well as ``--algorithms PPO --algorithms A2C``."""

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
    context: typer.Context,
    algorithms: Annotated[
        list[str] | None, typer.Option(help="PPO, A2C, DQN or others the backend has")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="small networks, a short training")] = False,
    seeds: Annotated[list[int] | None, typer.Option(help="one training of each algorithm per seed")] = None,
    timesteps: Annotated[int | None, typer.Option(help="steps of each training")] = None,
    env: Annotated[str | None, typer.Option(help="balatro, therapy, cartpole or any Gymnasium id")] = None,
    backend: Annotated[str | None, typer.Option(help="the library that trains")] = None,
    episodes: Annotated[int, typer.Option(help="episodes of the evaluation at the end")] = 100,
    template: Annotated[
        Path | None, typer.Option(help="YAML file of a template, which defines the comparison")
    ] = None,
    workers: Annotated[int, typer.Option(help="parallel training runs")] = 1,
    name: Annotated[str, typer.Option(help="name of the comparison's directory")] = "comparison",
    output_dir: Annotated[Path, typer.Option(help="directory that holds it")] = Path("benchmarks"),
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="any field of the configuration: n_envs=4; repeatable")
    ] = None,
    silent: Annotated[bool, typer.Option("--silent", help="no progress")] = False,
) -> None:
    """Train each algorithm on each seed, print a comparison and write report.html. Finished runs are not repeated."""
    from jimbot.training.experiment import MultiAlgorithmBenchmark
    from jimbot.training.performance_analysis import PerformanceAnalyzer

    steps = timesteps or (QUICK_TIMESTEPS if quick else TIMESTEPS)
    benchmark = MultiAlgorithmBenchmark(None, name, output_dir, workers)
    for experiment in [] if template is None else experiments_of(context, template):
        benchmark.add_experiment(apply_assignments(experiment, set_ or []))
    for algorithm in dict.fromkeys(algorithms or ["PPO", "A2C", "DQN"]) if template is None else ():
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


def experiments_of(context: typer.Context, template: Path) -> list[ExperimentConfig]:
    """Load the experiments of a template; flags that the template already decides are refused."""
    from jimbot.training.config.trainer_config import ConfigError
    from jimbot.training.templates import TemplateRegistry

    for name in SAID_BY_A_TEMPLATE:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise ConfigError(f"--{name}: the template says it; leave out --{name}, or change the file")
    return TemplateRegistry().load(template)


def make_experiment(algorithm: str, timesteps: int, *, quick: bool, balatro: bool) -> ExperimentConfig:
    """Create an experiment; a quick one uses the configuration of ``quick_train.py``."""
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
    """Set fields of the experiment or of its trainer configuration by dotted path."""
    from jimbot.training.config.files import parse_assignment

    return experiment.with_fields(dict(map(parse_assignment, assignments)))
