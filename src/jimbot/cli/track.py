"""``jimbot track``: send the events of a run to a tracker afterwards, and print its latest metrics."""

from __future__ import annotations

import time
from collections import deque
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jimbot.storage.strict_json import parse_json

if TYPE_CHECKING:
    from jimbot.tracking.events import Event

__all__ = ["app", "format_event", "parse_options"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)

FOLLOW_SECONDS = 0.5


@app.callback()
def track() -> None:
    """Work with the recorded events of a training run."""


RunArgument = Annotated[
    Path, typer.Argument(help="The run's directory, which holds events.jsonl.", metavar="RUN")
]


@app.command()
def replay(
    run: RunArgument,
    tracker: Annotated[list[str], typer.Option(help="Where to send the events; may be given several times.")],
    option: Annotated[
        list[str] | None,
        typer.Option(help="An option of the tracker as NAME=VALUE, such as uri=http://localhost:5000."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Send everything, whatever was sent before.")
    ] = False,
) -> None:
    """Send a run's events to trackers. Events that a tracker has received before are not sent again."""
    from rich.progress import Progress

    from jimbot.tracking.registry import find_factory
    from jimbot.tracking.replay import replay as send

    options = parse_options(option or [])
    for name in tracker:
        if getattr(find_factory(name), "keeps_files", False):
            from jimbot.training.runs.artifacts import draw_missing

            draw_missing(run)
        with Progress(transient=True) as progress:
            task = progress.add_task(name, total=None)

            def show(sent: int, total: int, bar: Any = progress, task: Any = task) -> None:
                bar.update(task, completed=sent, total=total)

            result = send(run, name, options, again=again, progress=show)
        print(f"{name}: {result.sent} events sent, {result.before} had been sent before")


@app.command()
def tail(
    run: RunArgument,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="How many events to print.")] = 10,
    kind: Annotated[
        list[str] | None, typer.Option(help="Only events of this kind; metrics and evaluation if not given.")
    ] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until the run ends.")] = False,
) -> None:
    """Print the latest metrics of a run."""
    from jimbot.errors import JimbotError
    from jimbot.tracking.events import EVENTS_FILE, KINDS, read_events

    wanted = kind or ["metrics", "evaluation"]
    unknown = [each for each in wanted if each not in KINDS]
    if unknown:
        raise JimbotError(f"unknown kind of event {unknown[0]!r}; expected {', '.join(KINDS)}")
    path = run / EVENTS_FILE
    if not path.exists():
        raise JimbotError(f"{run} has no {EVENTS_FILE}; give the directory of a run")
    offset = path.stat().st_size if follow else 0
    last = deque(read_events(path, kinds=wanted), maxlen=lines)
    for event in last:
        print(format_event(event))
    if follow:
        follow_events(path, find_last_line_end(path, offset), wanted)


def find_last_line_end(path: Path, size: int) -> int:
    """Return the offset after the last complete line within the first ``size`` bytes."""
    with path.open("rb") as file:
        return file.read(size).rfind(b"\n") + 1


def follow_events(path: Path, offset: int, kinds: list[str]) -> None:
    """Print events as they arrive, until the run ends or the user interrupts."""
    from jimbot.tracking.events import read_new_events

    while True:
        events, offset = read_new_events(path, offset)
        for event in events:
            if event.kind in kinds:
                print(format_event(event), flush=True)
            if event.kind == "run_ended":
                return
        time.sleep(FOLLOW_SECONDS)


def format_event(event: Event) -> str:
    """Format an event as one line: step, time of day (UTC), kind, values."""
    moment = datetime.fromtimestamp(event.time, tz=UTC).strftime("%H:%M:%S")
    values = "  ".join(f"{name} {format_value(value)}" for name, value in event.values.items())
    return f"{event.step:>12,}  {moment}  {event.kind:<10}  {values}"


def format_value(value: float | str | None) -> str:
    """Format a value with six significant digits."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return " ".join(str(value).split())


def parse_options(pairs: list[str]) -> dict[str, Any]:
    """Parse NAME=VALUE pairs; values are JSON numbers, ``true``, ``false``, or text."""
    from jimbot.errors import JimbotError

    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise JimbotError(f"not an option: {pair!r}; expected NAME=VALUE")
        try:
            options[name] = parse_json(value, name)
        except ValueError:
            options[name] = value
    return options
