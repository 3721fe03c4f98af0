"""The progress output of training: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "KINDS",
    "LiveProgress",
    "PlainProgress",
    "Progress",
    "SilentProgress",
    "Status",
    "check_progress",
    "create_progress",
]

KINDS = ("auto", "live", "plain", "silent")
"""What ``progress`` can be."""

SECONDS_BETWEEN_LINES = 5.0
HEADLINES = (
    ("rollout/mean_reward", "reward", "{:.3f}"),
    ("rollout/mean_length", "length", "{:.1f}"),
    ("rollout/mean_blinds", "blinds", "{:.2f}"),
    ("rollout/mean_ante", "ante", "{:.2f}"),
    ("rollout/win_rate", "won", "{:.1%}"),
    ("curriculum/max_ante", "finishing ante", "{:.0f}"),
    ("evaluation/mean_reward", "eval reward", "{:.3f}"),
    ("evaluation/mean_blinds", "eval blinds", "{:.2f}"),
    ("evaluation/win_rate", "eval won", "{:.1%}"),
    ("evaluation/best", "best eval", "{:.3f}"),
)


@dataclass
class Status:
    """What is shown.

    Attributes:
        title: the run.
        timesteps: steps so far.
        total: steps in all.
        rate: steps per second, lately.
        shares: share of the time per phase.
        values: latest metrics by name.
        note: the last thing that happened.
    """

    title: str
    total: int
    timesteps: int = 0
    rate: float = 0.0
    shares: dict[str, float] = field(default_factory=dict[str, float])
    values: dict[str, float] = field(default_factory=dict[str, float])
    note: str = ""

    @property
    def seconds_left(self) -> float | None:
        """Seconds to the end at the present rate."""
        return (self.total - self.timesteps) / self.rate if self.rate > 0 else None


class Progress(Protocol):
    """Shows a status."""

    def start(self, status: Status) -> None:
        """Begin."""
        ...

    def show(self, status: Status, *, force: bool = False) -> None:
        """Show what is new; ``force`` even if something was shown just now."""
        ...

    def stop(self) -> None:
        """End."""
        ...


class SilentProgress:
    """Shows nothing."""

    def start(self, status: Status) -> None:
        """Nothing."""

    def show(self, status: Status, *, force: bool = False) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


class PlainProgress:
    """One line now and then."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.last = 0.0

    def start(self, status: Status) -> None:
        """Say what begins."""
        self.console.print(f"{status.title}: {status.timesteps:,} of {status.total:,} steps", highlight=False)

    def show(self, status: Status, *, force: bool = False) -> None:
        """A line, if the last one is some seconds old."""
        now = time.monotonic()
        if not force and now - self.last < SECONDS_BETWEEN_LINES:
            return
        self.last = now
        words = [f"{status.timesteps:>10,} steps", f"{status.rate:>8,.0f} steps/s"]
        words += [f"{label} {shape.format(value)}" for label, shape, value in headlines(status.values)]
        words.append(f"left {clock(status.seconds_left)}")
        if status.note:
            words.append(f"({status.note})")
        self.console.print("  ".join(words), highlight=False, soft_wrap=True)

    def stop(self) -> None:
        """Nothing to take down."""


class LiveProgress:
    """A panel that is redrawn in place."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.live: Live | None = None

    def start(self, status: Status) -> None:
        """Put the panel up."""
        self.live = Live(draw(status), console=self.console, refresh_per_second=4, transient=False)
        self.live.start()

    def show(self, status: Status, *, force: bool = False) -> None:
        """Redraw it."""
        if self.live is not None:
            self.live.update(draw(status), refresh=force)

    def stop(self) -> None:
        """Leave its last state on the screen."""
        if self.live is not None:
            self.live.stop()
            self.live = None


def headlines(values: Mapping[str, float]) -> list[tuple[str, str, float]]:
    """The metrics worth a place on the screen: label, format, value."""
    return [(label, shape, values[name]) for name, label, shape in HEADLINES if name in values]


def clock(seconds: float | None) -> str:
    """Hours, minutes and seconds."""
    if seconds is None:
        return "?"
    whole = int(max(seconds, 0))
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def draw(status: Status) -> Panel:
    """The panel of a status."""
    bar = Table.grid(padding=(0, 1), expand=True)
    bar.add_column(ratio=1)
    bar.add_column(justify="right")
    bar.add_row(
        ProgressBar(total=status.total, completed=min(status.timesteps, status.total)),
        f"{status.timesteps:,} / {status.total:,} steps",
    )
    speed = Table.grid(padding=(0, 2))
    shares = "  ".join(f"{name} {share:.0%}" for name, share in status.shares.items())
    speed.add_row(f"[bold]{status.rate:,.0f}[/] steps/s", shares, f"left {clock(status.seconds_left)}")
    numbers = Table.grid(padding=(0, 2))
    cells = [f"{label} [bold]{shape.format(value)}[/]" for label, shape, value in headlines(status.values)]
    for start in range(0, len(cells), 5):
        numbers.add_row(*cells[start : start + 5])
    parts = [bar, speed, numbers]
    if status.note:
        note = Table.grid()
        note.add_row(f"[dim]{status.note}[/]")
        parts.append(note)
    return Panel(Group(*parts), title=status.title, title_align="left")


def check_progress(kind: str) -> None:
    """Raise if there is no such way to show progress."""
    if kind not in KINDS:
        raise JimbotError(f"progress: expected {', '.join(KINDS)}, got {kind!r}")


def create_progress(kind: str = "auto", console: Console | None = None) -> Progress:
    """``auto`` draws on a terminal and prints lines elsewhere; ``silent`` shows nothing."""
    check_progress(kind)
    target = console or Console(stderr=True)
    if kind == "silent":
        return SilentProgress()
    if kind == "live" or (kind == "auto" and target.is_terminal):
        return LiveProgress(target)
    return PlainProgress(target)
