"""The progress output of training: a live display on a terminal, plain lines elsewhere.

A thread redraws it from the phases of the run, so that it moves while an update is collected or learned.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, Self

import psutil
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table

from jimbot.errors import JimbotError
from jimbot.training.loop.phases import PHASES, TRAINING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.training.loop.phases import Phase, Phases

__all__ = [
    "KINDS",
    "LiveProgress",
    "PlainProgress",
    "Progress",
    "Refresher",
    "SilentProgress",
    "Status",
    "check_progress",
    "create_progress",
]

KINDS = ("auto", "live", "plain", "silent")
"""What ``progress`` can be."""

SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_DRAWINGS = 0.25
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
LOSSES = (
    ("train/loss", "loss"),
    ("train/policy_gradient_loss", "policy loss"),
    ("train/policy_loss", "policy loss"),
    ("train/value_loss", "value loss"),
    ("train/entropy_loss", "entropy loss"),
    ("train/approx_kl", "KL"),
    ("train/clip_fraction", "clipped"),
    ("train/explained_variance", "explained variance"),
    ("rollout/exploration_rate", "exploration"),
)
WITHIN = ("env", "policy")
"""Parts of collecting that libraries measure."""


@dataclass
class Status:
    """What is shown.

    Attributes:
        title: the run.
        total: steps in all.
        timesteps: steps so far, those of the present update included.
        rate: steps per second of collecting and learning, lately.
        shares: share of the training time per part, as the library measures it: env, policy, learn.
        values: latest metrics by name.
        note: the last thing that happened.
        phase: what the run does now; empty before it starts.
        collected: steps of the present update.
        update_steps: steps of a whole update, or None if nobody knows.
        updates: finished updates.
        spent: seconds per phase.
        elapsed: seconds since the start.
        memory: bytes this process holds.
        processors: processors it keeps busy.
    """

    title: str
    total: int
    timesteps: int = 0
    rate: float = 0.0
    shares: dict[str, float] = field(default_factory=dict[str, float])
    values: dict[str, float] = field(default_factory=dict[str, float])
    note: str = ""
    phase: str = ""
    collected: int = 0
    update_steps: int | None = None
    updates: int = 0
    spent: dict[Phase, float] = field(default_factory=dict["Phase", float])
    elapsed: float = 0.0
    memory: int = 0
    processors: float = 0.0
    _phases: Phases | None = None
    _process: psutil.Process = field(default_factory=psutil.Process)

    @property
    def seconds_left(self) -> float | None:
        """Seconds to the end at the present rate; evaluations and checkpoints take the share they took so far."""
        if self.rate <= 0:
            return None
        trained = sum(self.spent.get(phase, 0.0) for phase in TRAINING)
        apart = sum(self.spent.get(phase, 0.0) for phase in ("evaluating", "saving"))
        return (self.total - self.timesteps) / self.rate * (1 + (apart / trained if trained > 0 else 0))

    def watch(self, phases: Phases, update_steps: int | None) -> None:
        """Read these phases from now on, whenever ``refresh`` is called."""
        self._phases, self.update_steps = phases, update_steps
        self._process.cpu_percent()  # the next call gives the share since this one
        self.refresh()

    def refresh(self) -> None:
        """Read where the run is now."""
        phases = self._phases
        if phases is None:
            return
        self.phase, self.collected, self.updates = phases.current, phases.collected, phases.updates
        self.timesteps, self.rate, self.elapsed = phases.timesteps, phases.rate, phases.elapsed
        self.shares = phases.shares
        self.spent = {phase: phases.spent(phase) for phase in PHASES}
        self.memory = self._process.memory_info().rss
        self.processors = self._process.cpu_percent() / 100 or self.processors


class Progress(Protocol):
    """Shows a status."""

    interval: float | None
    """Seconds between two drawings; None: nothing is drawn."""

    def say(self, text: str) -> None:
        """A line that stays."""
        ...

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

    interval: float | None = None

    def say(self, text: str) -> None:
        """Nothing."""

    def start(self, status: Status) -> None:
        """Nothing."""

    def show(self, status: Status, *, force: bool = False) -> None:
        """Nothing."""

    def stop(self) -> None:
        """Nothing."""


class PlainProgress:
    """One line now and then."""

    interval: float | None = 1.0

    def __init__(self, console: Console) -> None:
        self.console = console
        self.last = 0.0
        self.lock = threading.RLock()  # a signal may come while a line is written

    def say(self, text: str) -> None:
        """A line."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def start(self, status: Status) -> None:
        """Say what begins."""
        self.say(f"{status.title}: {status.timesteps:,} of {status.total:,} steps")

    def show(self, status: Status, *, force: bool = False) -> None:
        """A line, if the last one is some seconds old."""
        with self.lock:
            now = time.monotonic()
            if not force and now - self.last < SECONDS_BETWEEN_LINES:
                return
            self.last = now
        words = [f"{status.timesteps:>10,} steps", f"{status.rate:>8,.0f} steps/s"]
        if status.phase:
            words.append(describe_phase(status))
        words += [f"{label} {shape.format(value)}" for label, shape, value in headlines(status.values)]
        words.append(f"left {clock(status.seconds_left)}")
        if status.note:
            words.append(f"({status.note})")
        self.console.print("  ".join(words), highlight=False, soft_wrap=True)

    def stop(self) -> None:
        """Nothing to take down."""


class LiveProgress:
    """A panel that is redrawn in place."""

    interval: float | None = SECONDS_BETWEEN_DRAWINGS

    def __init__(self, console: Console) -> None:
        self.console = console
        self.live: Live | None = None

    def say(self, text: str) -> None:
        """A line above the panel."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def start(self, status: Status) -> None:
        """Put the panel up."""
        self.live = Live(draw(status), console=self.console, auto_refresh=False, transient=False)
        self.live.start()

    def show(self, status: Status, *, force: bool = False) -> None:
        """Redraw it."""
        if self.live is not None:
            del force
            self.live.update(draw(status), refresh=True)

    def stop(self) -> None:
        """Leave its last state on the screen."""
        if self.live is not None:
            self.live.stop()
            self.live = None


class Refresher:
    """A thread that shows a status again and again while work goes on in another one."""

    def __init__(self, screen: Progress, status: Status) -> None:
        self.screen = screen
        self.status = status
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._repeat, name="progress", daemon=True)

    def __enter__(self) -> Self:
        if self.screen.interval is not None:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        self.status.refresh()

    def _repeat(self) -> None:
        while not self._ended.wait(self.screen.interval):
            self.status.refresh()
            self.screen.show(self.status)


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


def describe_phase(status: Status) -> str:
    """What the run does now, and how far the present update is."""
    if status.phase == "collecting" and status.update_steps:
        steps = min(status.update_steps, status.total - status.timesteps + status.collected)
        return f"collecting {status.collected:,} of {steps:,}"
    return status.phase


def draw(status: Status) -> Panel:
    """The panel of a status."""
    bar = Table.grid(padding=(0, 1), expand=True)
    bar.add_column(ratio=1)
    bar.add_column(justify="right")
    total = max(status.total, status.timesteps)
    bar.add_row(
        ProgressBar(total=total, completed=status.timesteps), f"{status.timesteps:,} / {total:,} steps"
    )
    speed = Table.grid(padding=(0, 3))
    speed.add_row(
        f"[bold]{status.rate:,.0f}[/] steps/s",
        f"update [bold]{status.updates + 1:,}[/] {describe_phase(status)}" if status.phase else "",
        f"elapsed {clock(status.elapsed)}",
        f"left {clock(status.seconds_left)}",
    )
    columns = Table.grid(padding=(0, 4))
    columns.add_row(draw_times(status), draw_episodes(status), draw_losses(status))
    parts: list[Table] = [bar, speed, columns]
    if status.note:
        note = Table.grid()
        note.add_row(f"[dim]{status.note}[/]")
        parts.append(note)
    return Panel(Group(*parts), title=status.title, title_align="left")


def titled(title: str) -> Table:
    """A column of the panel: names on the left, numbers on the right."""
    table = Table(
        title=f"[cyan]{title}[/]", title_justify="left", box=None, show_header=False, padding=(0, 1, 0, 0)
    )
    table.add_column()
    table.add_column(justify="right")
    return table


def draw_times(status: Status) -> Table:
    """Where the time goes: each phase, within collecting what the library measures, and memory."""
    table = titled("time")
    whole = sum(status.spent.values())
    within = sum(status.shares.get(part, 0.0) for part in WITHIN)
    for phase, seconds in status.spent.items():
        if seconds < 0.005 * whole and phase != status.phase:
            continue
        name = f"[bold]{phase}[/]" if phase == status.phase else phase
        table.add_row(name, f"{seconds / whole if whole else 0:.0%}")
        if phase == "collecting" and within > 0:
            for part in WITHIN:
                share = status.shares.get(part, 0.0) / within * seconds / whole if whole else 0.0
                table.add_row(f"[dim]  {part}[/]", f"[dim]{share:.0%}[/]")
    if status.memory:
        table.add_row("memory", f"{status.memory / 1e6:,.0f} MB")
        table.add_row("processors", f"{status.processors:.1f}")
    return table


def draw_episodes(status: Status) -> Table:
    """Returns and what else the last episodes and evaluations gave."""
    table = titled("episodes")
    for label, shape, value in headlines(status.values):
        table.add_row(label, f"[bold]{shape.format(value)}[/]")
    return table


def draw_losses(status: Status) -> Table:
    """What the last updates gave."""
    table = titled("losses")
    for name, label in LOSSES:
        if name in status.values:
            table.add_row(label, f"{status.values[name]:.4g}")
    return table


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
