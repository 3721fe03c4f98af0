"""``jimbot bench``: the speed of the engine, the environments and training on this machine.

Every number is also given as a ratio to a chain of dependent divisions measured in the same run, so that two machines,
or a busy and an idle one, can be compared.
"""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

from jimbot.errors import JimbotError
from jimbot.storage.strict_json import dump_json

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


@app.callback()
def bench() -> None:
    """Measure the speed of the engine, the environments and training on this machine."""


JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Seconds = Annotated[float, typer.Option(help="Time for each measurement.")]


@app.command()
def engine(as_json: JsonFlag = False, seconds: Seconds = 1.0) -> None:
    """Measure the whole game on one thread: decisions, clones, resampled copies and previews, beside an empty mock."""
    from jimbot import _engine
    from jimbot.cli.bench.engine_speed import measure_engine, print_table
    from jimbot.cli.bench.report import make_machine_report

    measured = measure_engine(check_seconds(seconds))
    rates = {each.name: each.per_second for each in measured}
    report = make_machine_report(1, seconds, measured) | {
        "state_bytes": _engine.state_size,
        "decisions_per_mock_decision": rates["decisions"] / rates["mock"],
        "fast_decisions_per_mock_decision": rates["fast_decisions"] / rates["mock"],
    }
    if as_json:
        print(dump_json(report, indent=2, nonfinite="null"))
        return
    print_table(report, measured)
    print(
        f"a run is {_engine.state_size} bytes; one decision in {rates['mock'] / rates['decisions']:.1f} mock decisions"
    )


@app.command()
def env(
    as_json: JsonFlag = False,
    seconds: Seconds = 1.0,
    games: Annotated[int, typer.Option(help="Games of the vector environments.")] = 64,
    which: Annotated[str, typer.Option("--env", help="Which environment: balatro or therapy.")] = "balatro",
    write: Annotated[bool, typer.Option("--write", help="Write JSON to results/ (therapy).")] = False,
) -> None:
    """Measure random legal play with observation, mask and reward: in C++ on one and two threads, and from Python."""
    if which != "balatro" or write:
        from jimbot.cli.bench.therapy_speed import bench_therapy

        bench_therapy(which, check_seconds(seconds), as_json=as_json, write=write)
        return
    from jimbot.cli.bench.env_speed import make_env_report, measure_env, print_env_table
    from jimbot.cli.bench.report import make_machine_report

    if not 1 <= games <= 65536:
        raise JimbotError(f"games must be 1 to 65536, got {games}")
    measured = measure_env(check_seconds(seconds), games)
    report = make_machine_report(2, seconds, []) | make_env_report(measured, games)
    if as_json:
        print(dump_json(report, indent=2, nonfinite="null"))
    else:
        print_env_table(report, measured)


def parse_libraries(text: str) -> list[str]:
    """Parse a comma-separated list of training libraries; all of them have PPO."""
    from jimbot.training.framework import available_trainers, has_algorithm

    names = [name.strip() for name in text.split(",")]
    able = [name for name in available_trainers() if has_algorithm(name, "PPO")]
    for name in names:
        if name not in able:
            raise JimbotError(f"--backends must be of {', '.join(able)}, got {name!r}")
    return names


@app.command()
def train(
    backends: Annotated[
        str | None,
        typer.Option(
            help="Libraries to compare, with commas between, the first with the others; one is measured alone."
        ),
    ] = None,
    envs: Annotated[
        str, typer.Option(help="Numbers of environments, with commas between; not for a comparison.")
    ] = "1,4,8,16",
    which: Annotated[
        str, typer.Option("--env", help="Environments on which several are compared, with commas between.")
    ] = "cartpole,balatro,balatro-small",
    updates: Annotated[int, typer.Option(help="Updates to time after the first; for several libraries.")] = 4,
    steps: Annotated[
        int | None,
        typer.Option(help="Steps in an update; those of the defaults if not given. Not for a comparison."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            help="Threads of the arithmetic; one per processor if not given. A comparison takes one and all.",
            min=1,
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure training PPO with the documented defaults.

    On Balatro with 1, 4, 8 and 16 native environments, in Stable-Baselines3 and in JAX, beside Stable-Baselines3 as it
    comes on a SubprocVecEnv. With several --backends: those beside each other, on CartPole too.
    """
    from jimbot.balatro.seeds.seed_search import count_usable_processors

    libraries = parse_libraries(backends or "sb3,jax")
    if backends is not None and len(libraries) > 1:
        from jimbot.cli.bench.backends_speed import ENVIRONMENTS, compare_backends, show_backends

        chosen = which.split(",")
        if not set(chosen) <= set(ENVIRONMENTS):
            raise JimbotError(f"--env must be of {', '.join(ENVIRONMENTS)}, got {which!r}")
        if updates < 1:
            raise JimbotError(f"--updates must be at least 1, got {updates}")
        report = compare_backends(libraries, chosen, updates)
        if as_json:
            print(dump_json(report, indent=2, nonfinite="null"))
        else:
            show_backends(report)
        return
    from jimbot.cli.bench.train_speed import bench_train

    try:
        counts = [int(each) for each in envs.split(",")]
    except ValueError:
        raise JimbotError(f"--envs must be whole numbers with commas between, got {envs!r}") from None
    if min(counts) < 1:
        raise JimbotError(f"--envs must be at least 1, got {envs!r}")
    bench_train(libraries, counts, steps, threads or count_usable_processors(), as_json=as_json)


@app.command()
def rllib(
    rounds: Annotated[int, typer.Option(help="How often every way is measured.", min=1)] = 3,
    iterations: Annotated[int, typer.Option(help="Updates in a measurement.", min=1)] = 3,
    as_json: JsonFlag = False,
    write: Annotated[Path | None, typer.Option(help="Write the report to this file too.")] = None,
    algorithms: Annotated[
        str, typer.Option(help="What is measured, of PPO, APPO and IMPALA, separated by commas.")
    ] = "PPO",
) -> None:
    """Measure PPO on Balatro with RLlib beside sb3: steps, games, memory, and how runners scale."""
    from jimbot.cli.bench.rllib_speed import bench_rllib

    chosen = [each.strip() for each in algorithms.split(",")]
    bench_rllib(rounds, iterations, as_json=as_json, write=write, algorithms=chosen)


@app.command()
def cloning(
    as_json: JsonFlag = False,
    runs: Annotated[int, typer.Option(help="Runs of each measurement.")] = 200,
) -> None:
    """Measure demonstrations: labels of the scripted player with observations, beside the player alone."""
    from jimbot.cli.bench.cloning_speed import bench_cloning

    if not 1 <= runs <= 100_000:
        raise JimbotError(f"runs must be 1 to 100000, got {runs}")
    bench_cloning(runs, as_json=as_json)


@app.command()
def seeds(
    as_json: JsonFlag = False,
    seconds: Seconds = 1.0,
    threads: Annotated[
        int | None, typer.Option(help="Threads of the last row; one per processor by default.")
    ] = None,
) -> None:
    """Measure hashes, stream draws, full explorations and the seed search (Blueprint in the first shop)."""
    from jimbot.balatro.seeds.seed_search import count_usable_processors
    from jimbot.cli.bench.engine_speed import measure_seeds, print_table
    from jimbot.cli.bench.report import make_machine_report

    if threads is not None and not 1 <= threads <= 1024:
        raise JimbotError(f"threads must be 1 to 1024, got {threads}")
    used = threads or count_usable_processors()
    measured = measure_seeds(check_seconds(seconds), used)
    report = make_machine_report(used, seconds, measured)
    if as_json:
        print(dump_json(report, indent=2, nonfinite="null"))
    else:
        print_table(report, measured)


def check_seconds(seconds: float) -> float:
    """Return the seconds; a value out of range raises."""
    if not 0 < seconds <= 3600:
        raise JimbotError(f"seconds must be more than 0 and at most 3600, got {seconds:g}")
    return seconds
