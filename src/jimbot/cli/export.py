"""``jimbot export``: a trained policy as a torch program, an ONNX file and a policy file, each verified."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads it
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def export(
    checkpoint: Annotated[Path, typer.Argument(help="a run, one of its checkpoints, or a policy file")],
    output: Annotated[Path, typer.Option(help="directory that the files go to, or one .pt file")],
    format_: Annotated[
        list[str] | None, typer.Option("--format", help="policy, torch or onnx; repeatable; all without it")
    ] = None,
) -> None:
    """Write a policy in formats that need no training library, and verify them against the network."""
    from jimbot.training.export import export_run, told

    typer.echo(told(export_run(checkpoint, output, tuple(format_) if format_ else None)))
