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
    as_json: Annotated[bool, typer.Option("--json", help="print all numbers as JSON")] = False,
    save: Annotated[Path | None, typer.Option(help="write all numbers as JSON to this file too")] = None,
    gifs: Annotated[
        bool, typer.Option("--gifs/--no-gifs", help="draw replays as GIFs beside the page")
    ] = True,
) -> None:
    """Report how a policy plays next to random and the scripted player: wins, losses, blinds, jokers, replays."""
    from jimbot.storage.strict_json import dump_json
    from jimbot.training.analyze import summary, write_analysis

    found, page = write_analysis(checkpoint, output, episodes, save, gifs=gifs)
    if as_json:
        typer.echo(dump_json({**found.to_dict(), "page": str(page)}, indent=2, nonfinite="null"))
        return
    typer.echo(summary(found))
    typer.echo(f"report {page}")
