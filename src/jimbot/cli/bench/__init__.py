"""``jimbot bench``: the speed of the engine, the environments and training on this machine.

Every number is also given as a ratio to a chain of dependent divisions measured in the same run, so that two machines,
or a busy and an idle one, can be compared.
"""

from __future__ import annotations

import os
import platform
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jimbot.errors import JimbotError
from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from jimbot.cli.bench.env_speed import EnvMeasurement

__all__ = ["Measurement", "app", "import_development_engine", "measure_engine", "measure_seeds"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


@app.callback()
def bench() -> None:
    """Measure the speed of the engine, the environments and training on this machine."""


def import_development_engine() -> ModuleType:
    """Import the module with the compiled benchmarks; ``JimbotError`` where it is not installed, as in wheels."""
    try:
        from jimbot import _engine_dev
    except ImportError as error:
        raise JimbotError(
            "the compiled benchmarks are not part of this installation; they are built in a checkout of the "
            "repository: make setup"
        ) from error
    return _engine_dev


@dataclass(frozen=True)
class Measurement:
    """A measurement of one kind of work.

    Attributes:
        name: a word for programs.
        what: a line for people.
        per_second: operations per second.
        nanoseconds: time of one operation.
        divisions: how many divisions of the reference chain one operation takes.
    """

    name: str
    what: str
    per_second: float
    nanoseconds: float
    divisions: float


ENGINE_WORK = {
    "divisions": "division in a chain, the reference",
    "hashes": "hash of an 18-character key",
    "seedings": "generator seeded and used once",
    "draws": "stream draw",
    "explorations": "seed explored, 8 antes",
}


def measure_seeds(seconds: float, threads: int) -> list[Measurement]:
    """Measure the parts of seed generation, each for about this many seconds."""
    from jimbot import _engine
    from jimbot.balatro import seeds

    compiled = import_development_engine()

    def engine_rate(what: str) -> float:
        operations, elapsed, _ = compiled.measure_seeds(what, seconds)
        return operations / elapsed

    def explore_all(index: int) -> object:
        return seeds.explore(_engine.seed_at(index), "walk")

    reference = engine_rate("divisions")
    measured: list[Measurement] = []

    def add(name: str, what: str, rate: float) -> None:
        measured.append(Measurement(name, what, rate, 1e9 / rate, reference / rate))

    for name, what in ENGINE_WORK.items():
        add(name, what, reference if name == "divisions" else engine_rate(name))
    add("explorations_python", "seed explored, as Python lists", measure_python_rate(explore_all, seconds))
    add("find", "seed searched, one thread", engine_rate("find"))
    with ThreadPoolExecutor(threads) as pool:
        rates = list(pool.map(engine_rate, ["find"] * threads))
    add("find_total", f"seed searched, {threads} threads", sum(rates))
    return measured


def measure_python_rate(work: Callable[[int], object], seconds: float) -> float:
    """Measure calls per second of a Python function that takes the number of the call."""
    work(0)
    calls, begun, elapsed = 0, time.perf_counter(), 0.0
    while elapsed < seconds:
        work(calls)
        calls += 1
        elapsed = time.perf_counter() - begun
    return calls / elapsed


GAME_WORK = {
    "mock": "decision of a mock card game, the ceiling",
    "decisions": "random legal decision, new games included",
    "fast_decisions": "the same with the fast generator",
    "clones": "clone of a run",
    "twins": "clone with everything hidden resampled",
    "previews": "play of 5 cards previewed",
    "all_previews": "hand of 8 cards, all 218 plays previewed",
}


def measure_engine(seconds: float) -> list[Measurement]:
    """Measure the whole game on one thread, each kind of work for about this many seconds."""
    compiled = import_development_engine()
    operations, elapsed, _ = compiled.measure_seeds("divisions", seconds)
    reference = operations / elapsed
    measured: list[Measurement] = []
    for name, what in GAME_WORK.items():
        operations, elapsed, _ = compiled.measure_game(name, seconds)
        rate = operations / elapsed
        measured.append(Measurement(name, what, rate, 1e9 / rate, reference / rate))
    return measured


JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
Seconds = Annotated[float, typer.Option(help="Time for each measurement.")]


@app.command()
def engine(as_json: JsonFlag = False, seconds: Seconds = 1.0) -> None:
    """Measure the whole game on one thread: decisions, clones, resampled copies and previews, beside an empty mock."""
    from jimbot import _engine

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
    from jimbot.cli.bench.env_speed import make_env_report, measure_env

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


def make_machine_report(threads: int, seconds: float, measured: list[Measurement]) -> dict[str, Any]:
    """Return the measurements with a description of the machine."""
    from jimbot import _engine
    from jimbot.balatro.seeds.seed_search import count_usable_processors

    return {
        "commit": find_source_commit(),
        "engine": _engine.build_info(),
        "machine": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "processors": count_usable_processors(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,
        "threads": threads,
        "seconds_each": seconds,
        "measurements": [asdict(each) for each in measured],
    }


def find_source_commit() -> str:
    """Return the commit of the source; empty if it is not a checkout."""
    source = Path(__file__).resolve().parents[3]
    if not (source / ".git").exists():
        return ""
    try:
        answer = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=source, capture_output=True, text=True, check=False, timeout=30
        )
    except OSError:
        return ""
    return answer.stdout.strip()


def print_table(report: dict[str, Any], measured: list[Measurement]) -> None:
    """Print the measurements as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2), header_style="bold")
    table.add_column("one operation is a")
    for title in ("per second", "takes", "divisions"):
        table.add_column(title, justify="right")
    for each in measured:
        table.add_row(
            each.what,
            format_rate(each.per_second),
            format_duration(each.nanoseconds),
            f"{each.divisions:,.1f}",
        )
    console = Console(highlight=False)
    console.print(format_title(report))
    console.print(table)
    console.print(
        "\n[dim]divisions: the time of one operation, in dependent divisions on the same machine[/]"
    )


def print_env_table(report: dict[str, Any], measured: list[EnvMeasurement]) -> None:
    """Print the measurements of the environments as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 1), header_style="bold")
    table.add_column("random legal play", no_wrap=True)
    for title in ("steps/s", "a step", "of mock", "games/hour"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in measured:
        table.add_row(
            each.what,
            format_rate(each.per_second),
            format_duration(each.nanoseconds),
            f"{each.of_mock:.3f}",
            format_rate(each.games_per_hour),
        )
    memory, ratio = report["bytes_per_environment"], report["ratios"]
    console = Console(highlight=False)
    console.print(format_title(report))
    console.print(table)
    console.print(
        f"\na second thread brings {ratio['two_threads']:.2f} times the steps, {ratio['two_threads_fast']:.2f} "
        "with the fast generator"
    )
    console.print(
        f"an environment takes {memory['total']} bytes: episode {memory['episode']}, "
        f"two observations {memory['observations']}, results {memory['results']}"
    )


def format_title(report: dict[str, Any]) -> str:
    """Format build and machine as one line, followed by an empty line."""
    engine = report["engine"]
    build = f"{engine['compiler']}, {engine['optimisation']}{', lto' if engine['lto'] else ''}"
    return f"[bold]jimbot {engine['version']}[/] · {build} · {report['processors']} processors\n"


def format_rate(rate: float) -> str:
    """Format a rate with thousands separators and as many decimals as matter."""
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:,.2f}"


def format_duration(nanoseconds: float) -> str:
    """Format a time in a suitable unit."""
    if nanoseconds < 1000:
        return f"{nanoseconds:.1f} ns"
    return f"{nanoseconds / 1000:.1f} µs" if nanoseconds < 1e6 else f"{nanoseconds / 1e6:.1f} ms"
