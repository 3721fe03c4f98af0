"""``jimbot analyze``: an HTML report of how a trained policy plays."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads it
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def analyze(
    checkpoint: Annotated[Path, typer.Argument(help="a run, one of its checkpoints, or a policy file")],
    output: Annotated[
        Path | None, typer.Option(help="the HTML file; analysis.html beside the policy")
    ] = None,
    episodes: Annotated[int, typer.Option(help="held-out episodes to play")] = 200,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="write all numbers to this file too")
    ] = None,
) -> None:
    """Play held-out evaluation episodes and report wins, blinds, jokers, hands, rewards and confidence."""
    from jimbot.training.analyze import summary, write_analysis

    found, page = write_analysis(checkpoint, output, episodes, json_file)
    typer.echo(summary(found))
    typer.echo(f"report {page}")
