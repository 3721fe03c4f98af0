"""Where a training run is (phase, steps of the present update), and how many seconds each phase took."""

from __future__ import annotations

import time
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

__all__ = ["PHASES", "TRAINING", "Phase", "Phases"]

Phase = Literal["starting", "cloning", "collecting", "learning", "updating", "evaluating", "saving"]
"""``updating`` is collecting or learning, where a library does not say which."""
PHASES: tuple[Phase, ...] = get_args(Phase)
TRAINING: tuple[Phase, ...] = ("collecting", "learning", "updating")
"""What throughput counts; evaluations and checkpoints are apart."""
RECENT_UPDATES = 20


class Phases:
    """A stopwatch with one hand per phase. Reading it from another thread is safe: every read is of one number.

    Attributes:
        current: the phase now.
        done: steps of finished updates.
        updates: finished updates.
        seconds: time per phase, the present one up to when it began.
        parts: seconds per part of the updates, as the library measures them.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.current: Phase = "starting"
        self.done = 0
        self.updates = 0
        self.seconds: dict[Phase, float] = dict.fromkeys(PHASES, 0.0)
        self.parts: dict[str, float] = {}
        self._since = self._first = clock()
        self._ahead = 0
        self._marks: deque[tuple[float, int]] = deque([(0.0, 0)], maxlen=RECENT_UPDATES)

    def start(self, timesteps: int) -> None:
        """Begin to measure at so many steps."""
        self.__init__(self.clock)
        self.done = timesteps
        self._marks[0] = (0.0, timesteps)

    def enter(self, phase: Phase) -> None:
        """The present phase ends, this one begins."""
        now = self.clock()
        self.seconds[self.current] += now - self._since
        self.current, self._since = phase, now

    def count(self, steps: int) -> None:
        """So many more steps were collected within the present update."""
        self._ahead += steps

    @contextmanager
    def during(self, phase: Phase) -> Generator[None]:
        """Within, this phase; afterwards the one before."""
        before = self.current
        self.enter(phase)
        try:
            yield
        finally:
            self.enter(before)

    def end_update(self, timesteps: int, seconds: Mapping[str, float]) -> None:
        """An update is finished; the run is at so many steps.

        Args:
            timesteps: of the run.
            seconds: by part of the update, as the library measures them: env, policy, learn. Time of ``updating`` is
                split by them.
        """
        for part, spent in seconds.items():
            self.parts[part] = self.parts.get(part, 0.0) + spent
        self.enter("collecting" if self.current == "updating" else self.current)
        together, learning = self.seconds["updating"], seconds.get("learn", 0.0)
        self.seconds["updating"] = 0.0
        self.seconds["learning"] += min(learning, together)
        self.seconds["collecting"] += max(together - learning, 0.0)
        self.done, self._ahead = timesteps, 0
        self.updates += 1
        self._marks.append((self.training_seconds, timesteps))

    @property
    def shares(self) -> dict[str, float]:
        """Share of each part of the updates in their measured time."""
        total = sum(self.parts.values())
        return {part: spent / total for part, spent in self.parts.items()} if total else {}

    def part_metrics(self) -> dict[str, float]:
        """Seconds of each part of the updates so far, by metric name."""
        return {f"time/{part}_seconds": spent for part, spent in self.parts.items()}

    @property
    def collected(self) -> int:
        """Steps of the present update so far."""
        return self._ahead

    @property
    def timesteps(self) -> int:
        """Steps of the run so far, those of the present update included."""
        return self.done + self._ahead

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self._first

    @property
    def training_seconds(self) -> float:
        """Seconds of collecting and learning, up to now."""
        return sum(self.spent(phase) for phase in TRAINING)

    @property
    def rate(self) -> float:
        """Steps per second of collecting and learning over the last updates; 0 before the first step."""
        then, steps = self._marks[0]
        seconds = self.training_seconds - then
        return (self.timesteps - steps) / seconds if seconds > 0 else 0.0

    def spent(self, phase: Phase) -> float:
        """Seconds of a phase, up to now."""
        running = self.clock() - self._since if phase == self.current else 0.0
        return self.seconds[phase] + running
