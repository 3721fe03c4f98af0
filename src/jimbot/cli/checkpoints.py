"""``jimbot checkpoints``: list and verify checkpoints, and exchange archives with Stable-Baselines3."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jimbot.errors import JimbotError
from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from jimbot.training.checkpoints.manager import CheckpointInfo

__all__ = ["app", "describe"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)

Place = Annotated[Path, typer.Argument(help="A run, its checkpoints directory, or one checkpoint.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback()
def checkpoints() -> None:
    """List and verify the checkpoints of a run; export and import archives of Stable-Baselines3."""


def find_checkpoints(place: Path) -> list[Path]:
    """Return the checkpoints of a path: a checkpoint, a checkpoints directory or a run."""
    from jimbot.training.checkpoints.manager import CheckpointManager
    from jimbot.training.checkpoints.manifest import MANIFEST

    if (place / MANIFEST).is_file():
        return [place]
    directory = place / "checkpoints" if (place / "checkpoints").is_dir() else place
    paths = CheckpointManager(directory).paths() if directory.is_dir() else []
    if not paths:
        raise JimbotError(
            f"there are no checkpoints in {place}; expected a run, its checkpoints, or one of them"
        )
    return paths


def describe(info: CheckpointInfo) -> dict[str, Any]:
    """Return what ``--json`` prints about a checkpoint."""
    score = info.score
    return {
        "path": str(info.path),
        "step": info.step,
        "score": score if score is None or math.isfinite(score) else str(score),  # JSON has no nan and no inf
        "saved_at": info.saved_at,
        "bytes": info.size,
        "sequence": info.manifest.sequence,
        "format_version": info.manifest.format_version,
        "writer": info.manifest.writer,
        "groups": [
            name.removesuffix(".safetensors") for name in info.manifest.files if name.endswith(".safetensors")
        ],
    }


@app.command("list")
def list_checkpoints(place: Place, as_json: AsJson = False) -> None:
    """List the checkpoints, oldest first: step, score, time and size."""
    from jimbot.training.checkpoints.files import read_manifest
    from jimbot.training.checkpoints.manager import CheckpointInfo, CheckpointManager

    infos: list[CheckpointInfo] = []
    broken: list[str] = []
    paths = find_checkpoints(place)
    for path in paths:
        try:
            infos.append(CheckpointInfo(path, read_manifest(path)))
        except JimbotError as error:
            broken.append(f"{path}: {error}")
    infos.sort(key=lambda info: info.manifest.sequence)
    if as_json:
        print(dump_json([describe(info) for info in infos], indent=2, nonfinite="null"))
    else:
        print_table(infos, CheckpointManager(paths[0].parent).marked())
    for line in broken:
        typer.echo(f"damaged: {line}", err=True)


def print_table(infos: list[CheckpointInfo], marked: str | None) -> None:
    """Print one line per checkpoint."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("checkpoint", "step", "score", "saved", "MB", "by", ""):
        table.add_column(title, justify="right" if title in ("step", "score", "MB") else "left", no_wrap=True)
    for info in infos:
        writer = [
            str(info.manifest.writer[key]) for key in ("backend", "algorithm") if key in info.manifest.writer
        ]
        table.add_row(
            info.path.name,
            f"{info.step:,}",
            "" if info.score is None else f"{info.score:.4g}",
            info.saved_at[:19].replace("T", " "),
            f"{info.size / 1e6:.1f}",
            " ".join(writer),
            "marked best" if info.path.name == marked else "",
        )
    Console().print(table)


@app.command()
def verify(place: Place, as_json: AsJson = False) -> None:
    """Read every byte of every checkpoint; the exit code is 1 if one is damaged."""
    from jimbot.training.checkpoints.manager import CheckpointManager

    results: list[dict[str, Any]] = []
    for path in find_checkpoints(place):
        try:
            info = CheckpointManager(path.parent).verify(path)
            results.append({"path": str(path), "whole": True, "step": info.step, "bytes": info.size})
        except JimbotError as error:
            results.append({"path": str(path), "whole": False, "reason": str(error.__cause__ or error)})
    if as_json:
        print(dump_json(results, indent=2, nonfinite="null"))
    else:
        for result in results:
            print(f"{result['path']}: {'whole' if result['whole'] else 'DAMAGED: ' + result['reason']}")
    if not all(result["whole"] for result in results):
        raise typer.Exit(code=1)


Archive = Annotated[Path, typer.Argument(help="An archive of Stable-Baselines3.", metavar="ZIP")]


@app.command("export")
def export_archive(
    place: Annotated[Path, typer.Argument(help="A run (its last checkpoint), or one checkpoint.")],
    archive: Archive,
) -> None:
    """Write a checkpoint as an archive that Stable-Baselines3 can load."""
    from jimbot.cli.files import check_target
    from jimbot.training.framework import resume_run
    from jimbot.training.sb3_trainer import SB3Trainer

    check_target(archive)
    with resume_run(place) as trainer:
        if not isinstance(trainer, SB3Trainer):
            raise JimbotError(
                f"{place} was not trained by Stable-Baselines3; its policy file needs no archive"
            )
        print(f"{trainer.export_zip(archive)}: {trainer.config.algorithm} after {trainer.timesteps:,} steps")


@app.command("import")
def import_archive(
    archive: Archive,
    trust_pickle: Annotated[
        bool,
        typer.Option("--trust-pickle", help="Whoever made the archive may run code here; needed to read it."),
    ] = False,
    env: Annotated[str | None, typer.Option(help="Environment, unless jimbot wrote the archive.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run.")] = None,
    save_dir: Annotated[Path, typer.Option(help="Holds the runs.")] = Path("models"),
) -> None:
    """Create a run from an archive of Stable-Baselines3, for ``jimbot evaluate`` and ``jimbot train``."""
    from jimbot.training.backends.sb3.archive import import_archive as read

    run = read(archive, trust_pickle=trust_pickle, env=env, name=name, save_dir=save_dir)
    print(f"{run.path}: {run.config['algorithm']} on {run.config['env']} after {run.status.steps:,} steps")
