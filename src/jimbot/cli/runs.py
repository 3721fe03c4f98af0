"""``jimbot runs``: list the training runs of a directory."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from jimbot.training.runs.directory import RunSummary

__all__ = ["app", "format_age"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

STYLES = {"running": "green", "finished": "", "interrupted": "yellow", "failed": "red", "killed": "red"}
UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def format_age(moment: str, now: datetime) -> str:
    """Format the age of a UTC time in ISO 8601, in its largest whole unit."""
    try:
        seconds = (now - datetime.fromisoformat(moment)).total_seconds()
    except (ValueError, TypeError):
        return "?"
    for length, unit in UNITS:
        if seconds >= length:
            return f"{int(seconds // length)} {unit}"
    return f"{max(0, int(seconds))} s"


@app.command()
def runs(
    save_dir: Annotated[Path, typer.Argument(help="The directory that holds the runs.")] = Path("models"),
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the runs of a directory, oldest first: algorithm, environment, steps, state, best score, age.

    A run whose process died without recording its end is listed as killed. Continue it with: jimbot resume RUN
    """
    from jimbot.training.runs.directory import list_runs

    summaries = [run.summary() for run in list_runs(save_dir)]
    if as_json:
        print(dump_json([asdict(summary) for summary in summaries], indent=2, nonfinite="text"))
    elif not summaries:
        print(f"there are no runs in {save_dir}")
    else:
        print_table(summaries)


def print_table(summaries: list[RunSummary]) -> None:
    """Print one line per run."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("name", "algorithm", "env", "steps", "state", "best", "age"):
        table.add_column(
            title, justify="right" if title in ("steps", "best", "age") else "left", no_wrap=True
        )
    now = datetime.now(UTC)
    for run in summaries:
        style = STYLES.get(run.state, "")
        table.add_row(
            run.name,
            run.algorithm,
            run.env,
            f"{run.steps:,}",
            f"[{style}]{run.state}[/]" if style else run.state,
            "" if run.best_score is None else f"{run.best_score:.4g}",
            format_age(run.created_at, now),
        )
    Console().print(table)
