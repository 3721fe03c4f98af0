"""The trackers of one run behind one object.

``events.jsonl`` comes first and must succeed, then ``progress.csv``; every other tracker is guarded: when it fails, one
warning says so, it is switched off, and training continues. What it missed can be sent later from the event file.
"""

from __future__ import annotations

import threading
import time
import warnings
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from jimbot.tracking.csv_tracker import CsvTracker
from jimbot.tracking.delivery import forget_deliveries, rewind_deliveries
from jimbot.tracking.events import Event, EventKind
from jimbot.tracking.guard import Guard, create_guard
from jimbot.tracking.jsonl_tracker import JsonlTracker
from jimbot.tracking.run_info import RunInfo
from jimbot.tracking.tracker import TrackerWarning, TrackingError

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path
    from types import TracebackType

    from jimbot.tracking.tracker import Tracker

__all__ = ["CLOSE_SECONDS", "TrackerSet"]

Ending = Literal["finished", "interrupted", "failed"]

CURSOR_VERSION = 1
LONGEST_REASON = 300
CLOSE_SECONDS = 30.0
"""How long ``close`` waits for trackers that talk to a network, all together."""


class TrackerSet:
    """Sends the events of one run to all its trackers. It is thread-safe.

    Used as a context manager, it ends the run: ``finished``, ``interrupted`` or ``failed``. In the directory of the run
    it keeps ``events.jsonl``, ``progress.csv``, ``run_info.json`` and what guarded trackers were sent.

    Attributes:
        run: the run.
    """

    def __init__(
        self,
        run: RunInfo,
        trackers: Mapping[str, Tracker] | None = None,
        close_seconds: float = CLOSE_SECONDS,
    ) -> None:
        """Make the set; ``create_trackers`` makes it from names.

        Args:
            run: the run.
            trackers: the guarded trackers by name, besides the two that are always on.
            close_seconds: how long ``close`` may wait for networks.
        """
        self.run = run
        self._close_seconds = close_seconds
        self._jsonl = JsonlTracker()
        self._csv = CsvTracker()
        self._trackers = dict(trackers or {})
        self._guards: list[Guard] = []
        self._reported: set[str] = set()
        self._open = False
        self._mutex = threading.RLock()

    @property
    def names(self) -> list[str]:
        """The active trackers, or those that will be active when the run starts."""
        guarded = [guard.name for guard in self._guards if guard.failure is None]
        return ["jsonl", "csv", *(guarded if self._guards else self._trackers)]

    @property
    def keeps_files(self) -> bool:
        """Whether an active tracker copies files, so that it is worth producing them."""
        failed = {guard.name for guard in self._guards if guard.failure is not None}
        return any(
            getattr(tracker, "keeps_files", False)
            for name, tracker in self._trackers.items()
            if name not in failed
        )

    @property
    def next_sequence(self) -> int:
        """The sequence number of the next event."""
        return self._jsonl.next_sequence

    # --- beginning ---------------------------------------------------------------------------------------------------

    def start(self, *, overwrite: bool = False) -> Self:
        """Start a new run: write its information and log ``run_started``.

        Args:
            overwrite: whether events that the directory already holds are thrown away; without it they are an error.
        """
        with self._mutex, self._opening():
            if overwrite:
                self._jsonl.start_over(self.run)
            else:
                self._jsonl.start(self.run)
            forget_deliveries(self.run.directory)
            self.run.save()
            self._csv.start(self.run)
            self._begin_guards()
            self.record("run_started", 0, {"run": self.run.name, "run_id": self.run.run_id})
        return self

    def resume(self, cursor: dict[str, Any] | None) -> Self:
        """Continue an interrupted run. No event is logged, so that the interruption leaves no trace.

        Args:
            cursor: from ``cursor()``, out of a checkpoint: events after it are cut off, since training will log them
                again. None goes on after the last whole event.
        """
        with self._mutex, self._opening():
            if cursor is None:
                self.run = replace(self.run, run_id=RunInfo.load(self.run.directory).run_id)
                self._jsonl.resume_at_end(self.run)
            else:
                cursor = validate_cursor(cursor)
                self.run = replace(self.run, run_id=cursor["run_id"])
                self._jsonl.resume(self.run, cursor)
            self.run.save()
            self._csv.resume(self.run, self._jsonl.cursor())
            entries: dict[str, Any] = {} if cursor is None else cursor["trackers"]
            rewind_deliveries(self.run.directory, entries, self._jsonl.next_sequence - 1)
            self._begin_guards()
        return self

    @contextmanager
    def _opening(self) -> Generator[None]:
        if self._open:
            raise TrackingError("the run is open already; close the trackers first")
        self._open = True
        try:
            yield
        except BaseException:
            with suppress(TrackingError):  # the first error is the one to tell
                self.close()
            raise

    def _begin_guards(self) -> None:
        self._reported.clear()
        self._guards = [create_guard(name, tracker, self.run) for name, tracker in self._trackers.items()]
        for guard in self._guards:
            guard.begin(guard.delivery.load(self.run.directory))
        self._warn_of_failures()

    # --- logging -----------------------------------------------------------------------------------------------------

    def log(self, event: Event) -> Event:
        """Number an event, send it to every tracker and return it."""
        with self._mutex:
            if not self._open:
                raise TrackingError("the run is not open; start or resume the trackers first")
            event = replace(event, sequence=self._jsonl.next_sequence)
            self._jsonl.log(event)
            self._csv.log(event)
            for guard in self._guards:
                guard.notice(event)
            if event.kind == "checkpoint":
                self.flush()
            self._warn_of_failures()
            return event

    def record(self, kind: EventKind, step: int, values: Mapping[str, Any]) -> Event:
        """Log an event with the current time. Values may be NumPy scalars and 0-dimensional tensors."""
        return self.log(Event(kind, step, dict(values), time.time()))

    def log_metrics(self, step: int, values: Mapping[str, Any]) -> Event:
        """Log training metrics, such as losses and speed."""
        return self.record("metrics", step, values)

    def log_episode(self, step: int, values: Mapping[str, Any]) -> Event:
        """Log a finished episode."""
        return self.record("episode", step, values)

    def log_evaluation(self, step: int, values: Mapping[str, Any]) -> Event:
        """Log a finished evaluation."""
        return self.record("evaluation", step, values)

    def log_text(self, step: int, name: str, text: str) -> Event:
        """Log a text."""
        return self.record("text", step, {name: text})

    def log_checkpoint(self, step: int, path: str | Path, **values: Any) -> Event:
        """Log a checkpoint before it is written, and before ``cursor``, so that a resumed run still has the event."""
        return self.record("checkpoint", step, {"path": str(path), **values})

    def log_artifact(
        self,
        step: int,
        path: str | Path,
        name: str | None = None,
        *,
        model: str | None = None,
        alias: str | None = None,
    ) -> Event:
        """Log a file or directory that belongs to the run; trackers that keep files copy it.

        Args:
            step: the step it is of.
            path: where it is; relative to the run's directory, or else to the current one.
            name: another name to keep it under.
            model: of a directory with a model: the registered model that it becomes a version of, where there is a
                registry of models.
            alias: points at that version from now on.
        """
        values = {"path": str(path), "name": name}
        if model is not None:
            values |= {"model": model, "alias": alias}
        return self.record("artifact", step, values)

    # --- in between --------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Flush the files to disk, and make the other trackers send what they have buffered."""
        with self._mutex:
            self._jsonl.flush()
            self._csv.flush()
            for guard in self._guards:
                guard.flush()
            self._warn_of_failures()

    def cursor(self) -> dict[str, Any]:
        """Return the tracking state as JSON-able values, to be saved in a checkpoint and passed to ``resume``."""
        with self._mutex:
            self.flush()
            begun = [  # each read once: a thread may put another in its place
                delivery for delivery in (guard.delivery for guard in self._guards) if delivery.begun
            ]
            deliveries = {
                delivery.key: {"sequence": delivery.sequence, "cursor": delivery.cursor} for delivery in begun
            }
            position = self._jsonl.cursor()
            return {
                "version": CURSOR_VERSION,
                "run_id": self.run.run_id,
                **position,
                "trackers": deliveries,
            }

    # --- ending ------------------------------------------------------------------------------------------------------

    def end(self, status: Ending = "finished", step: int | None = None, **values: Any) -> None:
        """Log ``run_ended`` and close. ``step`` defaults to the last logged one."""
        if status not in get_args(Ending):
            raise TrackingError(f"unknown status {status!r}; expected {', '.join(get_args(Ending))}")
        with self._mutex:
            if self._open:
                self.record(
                    "run_ended", self._jsonl.last_step if step is None else step, {"status": status, **values}
                )
        self.close()

    def close(self) -> None:
        """Close every tracker. Trackers that use a network share ``close_seconds``. Safe to call twice."""
        with self._mutex:
            if not self._open:
                return
            self._open = False
            with ExitStack() as stack:  # every one is closed, whichever fails
                stack.callback(self._warn_of_failures)
                stack.callback(self._jsonl.close)
                stack.callback(self._finish_guards)
                stack.callback(self._csv.close)

    def _finish_guards(self) -> None:
        deadline = time.monotonic() + self._close_seconds
        for guard in self._guards:
            guard.finish()
        for guard in self._guards:
            guard.wait(deadline - time.monotonic())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        del trace
        if kind is None:
            self.end("finished")
        elif issubclass(kind, TrackingError):
            self.close()  # the disk may be full: another event would hide the first error
        elif issubclass(kind, KeyboardInterrupt):
            self.end("interrupted")
        else:
            self.end("failed", error=f"{kind.__name__}: {error}")

    # --- inside ------------------------------------------------------------------------------------------------------

    def _warn_of_failures(self) -> None:
        for guard in self._guards:
            if guard.failure is None or guard.name in self._reported:
                continue
            self._reported.add(guard.name)
            reason = " ".join(str(guard.failure).split())[:LONGEST_REASON] or type(guard.failure).__name__
            warnings.warn(
                f"tracker {guard.name} is switched off: {reason}; training continues. {self._jsonl.path} has all "
                f"events; send them later with: jimbot track replay {self.run.directory} --tracker {guard.name}",
                TrackerWarning,
                stacklevel=3,
            )


def validate_cursor(cursor: dict[str, Any]) -> dict[str, Any]:
    """Return the cursor; an invalid one raises ``TrackingError``."""
    needed = {"version": int, "run_id": str, "bytes": int, "sequence": int, "trackers": dict}
    wrong = [name for name, kind in needed.items() if not isinstance(cursor.get(name), kind)]
    if wrong or cursor["version"] != CURSOR_VERSION:
        raise TrackingError(
            f"not a cursor of version {CURSOR_VERSION}: {', '.join(wrong) or 'version'} is wrong; "
            "give what TrackerSet.cursor returned"
        )
    return cursor
