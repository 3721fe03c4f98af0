"""``jimbot therapy``: success rates of therapists, and the course of one client's therapy."""

from __future__ import annotations

import platform
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jimbot.cli.files import check_picture, check_target, write_atomically, write_report
from jimbot.errors import JimbotError, require
from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jimbot.therapy.report import Cell

__all__ = ["app", "load_policy"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)

BASELINES = Path("results", "therapy_baselines.json")
DEFAULT_THERAPISTS = ["complementary", "row_maximum"]


@app.callback()
def therapy() -> None:
    """Measure therapists on simulated clients, and plot the course of a therapy."""


Threshold = Annotated[float, typer.Option(help="Share of the way to the best possible satisfaction.")]
Entropy = Annotated[float, typer.Option(help="Temperature of the clients' choices.")]
Sessions = Annotated[int, typer.Option(help="Sessions an episode has at most.")]
Distortion = Annotated[bool, typer.Option(help="Whether clients misperceive the therapist.")]
Accuracy = Annotated[float, typer.Option(help="How likely a client is to see what the therapist did.")]
Generator = Annotated[str, typer.Option(help="Generation of the biographies, v1 or v2.")]
PolicyName = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="A policy file, run or checkpoint; a .pth of train_ppo; or MODULE:NAME, a function of observations.",
    ),
]


@app.command()
def report(
    therapist: Annotated[list[str] | None, typer.Option(help="A scripted therapist; repeatable.")] = None,
    policy: PolicyName = None,
    pattern: Annotated[
        list[str] | None, typer.Option(help="A biography; repeatable. All by default.")
    ] = None,
    mechanism: Annotated[
        list[str] | None, typer.Option(help="A mechanism; repeatable. All by default.")
    ] = None,
    episodes: Annotated[int, typer.Option(help="Clients per cell, one for each seed.")] = 400,
    first_seed: Annotated[int, typer.Option(help="The first of the seeds.")] = 0,
    threshold: Threshold = 0.8,
    entropy: Entropy = 0.1,
    max_sessions: Sessions = 100,
    distortion: Distortion = True,
    accuracy: Accuracy = 0.5,
    generator: Generator = "v1",
    csv: Annotated[Path | None, typer.Option(help="Write the cells as CSV.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write a heat map as PNG.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table instead.")] = False,
    write: Annotated[bool, typer.Option("--write", help=f"Write JSON to {BASELINES}.")] = False,
) -> None:
    """Measure success rates by pattern and mechanism, with 95 % intervals. Defaults are those of the benchmark."""
    from jimbot.therapy.model.mechanisms import MECHANISMS, get_mechanism_index
    from jimbot.therapy.model.patterns import PATTERNS, check_pattern
    from jimbot.therapy.report import format_markdown_table, measure_cells, write_csv

    if as_json and markdown:
        raise JimbotError("--json and --markdown both say how to print; give one")
    if episodes < 1 or first_seed < 0:
        raise JimbotError(
            f"episodes must be at least 1 and first_seed at least 0, got {episodes}, {first_seed}"
        )
    for path in (csv, BASELINES if write else None):
        if path is not None:
            check_target(path)
    if plot is not None:
        check_picture(plot)
        require("matplotlib", "plots")
    options = {
        "threshold": threshold,
        "entropy": entropy,
        "max_sessions": max_sessions,
        "enable_parataxic": distortion,
        "baseline_accuracy": accuracy,
        "generator": generator,
    }
    cells = list(
        measure_cells(
            create_therapists(therapist, policy),
            [check_pattern(name) for name in pattern or PATTERNS],
            [MECHANISMS[get_mechanism_index(parse_mechanism(name))] for name in mechanism or MECHANISMS],
            range(first_seed, first_seed + episodes),
            **options,
        )
    )
    if csv is not None:
        with write_atomically(csv) as partial:
            write_csv(cells, partial)
    if plot is not None:
        from jimbot.therapy.plots import save_success_map

        with write_atomically(plot) as partial:
            save_success_map(cells, partial)
    document = make_provenance(first_seed, episodes, options) | {"cells": [asdict(cell) for cell in cells]}
    if write:
        write_report(BASELINES, document)
    if as_json:
        print(dump_json(document, indent=2, nonfinite="null"))
    elif markdown:
        print(format_markdown_table(cells))
    else:
        print_cells(cells)


@app.command()
def client(
    output: Annotated[Path, typer.Option(help="Where the PNG goes.")] = Path("client.png"),
    seed: Annotated[int, typer.Option(help="Seed of the environment.")] = 0,
    pattern: Annotated[str, typer.Option(help="The client's biography.")] = "cold_stuck",
    mechanism: Annotated[str, typer.Option(help="How the client decides.")] = "frequency_amplifier",
    therapist: Annotated[str, typer.Option(help="A scripted therapist.")] = "complementary",
    policy: PolicyName = None,
    threshold: Threshold = 0.8,
    entropy: Entropy = 0.1,
    max_sessions: Sessions = 100,
    distortion: Distortion = True,
    accuracy: Accuracy = 0.5,
    generator: Generator = "v1",
) -> None:
    """Plot one client's bond, satisfaction and actions over its sessions."""
    require("matplotlib", "plots")
    check_picture(output)
    from jimbot.therapy.course import record_course
    from jimbot.therapy.plots import save_course

    ((_, make),) = create_therapists(None if policy else [therapist], policy).items()
    course = record_course(
        make(),
        seed,
        patterns=pattern,
        mechanism=parse_mechanism(mechanism),
        threshold=threshold,
        entropy=entropy,
        max_sessions=max_sessions,
        enable_parataxic=distortion,
        baseline_accuracy=accuracy,
        generator=generator,
    )
    with write_atomically(output) as partial:
        save_course(course, partial)
    last = course.rows[-1]
    print(
        f"{course.ending} after {last['session']} sessions: satisfaction {course.initial_rs:.1f} to {last['rs']:.1f} "
        f"(success at {course.rs_threshold:.1f}), bond {course.initial_bond:.2f} to {last['bond']:.2f}; {output}"
    )


def parse_mechanism(mechanism: str) -> str | int:
    """Parse a mechanism given by number or name."""
    return int(mechanism) if mechanism.lstrip("-").isdigit() else mechanism


def create_therapists(names: Sequence[str] | None, policy: str | None) -> dict[str, Callable[[], Any]]:
    """Return a factory for each therapist of a report, by name."""
    from jimbot.therapy.therapists.scripted import create_therapist

    def scripted(name: str) -> Callable[[], Any]:
        create_therapist(name)  # an unknown name is an error before any work
        return lambda: create_therapist(name)

    chosen = names or ([] if policy else DEFAULT_THERAPISTS)
    made = {name: scripted(name) for name in chosen}
    if policy is not None:
        loaded = load_policy(policy)
        made[policy] = lambda: loaded
    return made


def load_policy(text: str) -> Callable[[Any], Any]:
    """Load the policy of a path, or the callable of ``module:name`` or ``file.py:name``."""
    path = Path(text)
    if path.suffix in (".pth", ".json", ".safetensors") or (path.exists() and path.suffix != ".py"):
        return load_trained_policy(path)
    return import_callable(text)


def load_trained_policy(path: Path) -> Callable[[Any], Any]:
    """Load a trained therapist: a policy file, run or checkpoint, or a ``.pth`` file of ``train_ppo``."""
    from jimbot.networks import PolicyFile
    from jimbot.players.therapist import create_policy_therapist

    require("torch", "tianshou")
    if path.suffix == ".pth":
        from jimbot.training.therapy.files_torch import read_policy

        network = read_policy(path)
        policy = PolicyFile(network.spec, network.flat_tensors())
    else:
        from jimbot.training.runs.opening import find_policy

        nested = path / "run"
        policy = find_policy(nested if (nested / "provenance.json").exists() else path)
    return create_policy_therapist(policy)


def import_callable(text: str) -> Callable[[Any], Any]:
    """Import the callable of ``module:name`` or ``file.py:name``."""
    import importlib
    import importlib.util

    source, separator, name = text.rpartition(":")
    if not separator or not source or not name:
        raise JimbotError(f"there is no policy '{text}'; give the path of one, module:name or file.py:name")
    if source.endswith(".py"):
        if not Path(source).is_file():
            raise JimbotError(f"there is no file {source}")
        spec = importlib.util.spec_from_file_location(Path(source).stem, source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    else:
        try:
            module = importlib.import_module(source)
        except ModuleNotFoundError as error:
            raise JimbotError(f"there is no module '{error.name}' to take a policy from") from None
    found = getattr(module, name, None)
    if not callable(found):
        raise JimbotError(f"{source} has no callable '{name}'; a policy maps observations to actions")
    return found


def make_provenance(first_seed: int, episodes: int, options: dict[str, Any]) -> dict[str, Any]:
    """Return the provenance of a measurement."""
    import numpy as np

    from jimbot.cli.bench.report import find_source_commit

    return {
        "commit": find_source_commit(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "seeds": [first_seed, first_seed + episodes - 1],
        "options": options,
    }


def print_cells(cells: Sequence[Cell]) -> None:
    """Print one table per therapist: patterns down, mechanisms across."""
    from rich.console import Console
    from rich.table import Table

    from jimbot.therapy.model.mechanisms import MECHANISMS

    console = Console(highlight=False)
    mechanisms = list(dict.fromkeys(cell.mechanism for cell in cells))
    for therapist in dict.fromkeys(cell.therapist for cell in cells):
        own = [cell for cell in cells if cell.therapist == therapist]
        table = Table(box=None, padding=(0, 1), header_style="bold", title=therapist, title_justify="left")
        table.add_column("pattern", no_wrap=True)
        for mechanism in mechanisms:
            table.add_column(f"{MECHANISMS.index(mechanism)}", justify="right", no_wrap=True)
        for pattern in dict.fromkeys(cell.pattern for cell in own):
            row = [format_rate(cell) for cell in own if cell.pattern == pattern]
            table.add_row(pattern, *row)
        console.print(table)
        console.print()
    numbered = ", ".join(f"{MECHANISMS.index(name)} {name}" for name in mechanisms)
    console.print(
        f"success in % of {cells[0].episodes} episodes, 95 % Wilson interval; mechanisms: {numbered}",
        style="dim",
    )


def format_rate(cell: Cell) -> str:
    """Format a success rate with its interval, in percent."""
    return f"{100 * cell.success_rate:.1f} [{100 * cell.wilson_low:.0f}-{100 * cell.wilson_high:.0f}]"
