"""Guards around trackers that may fail: a failing tracker is switched off and training continues.

``DirectGuard`` calls a tracker where the event is logged. ``FollowingGuard`` is for trackers that talk to a network: it
calls them on a thread that follows the run's event file, which serves as a queue that takes no memory and survives.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from jimbot.tracking.delivery import Delivery, get_destination
from jimbot.tracking.events import EVENTS_FILE, UNNUMBERED, Event, read_events, read_new_events
from jimbot.tracking.tracker import ResumableTracker, Tracker, TrackingError

if TYPE_CHECKING:
    from jimbot.tracking.run_info import RunInfo

__all__ = ["DirectGuard", "FollowingGuard", "Guard", "begin_tracker", "create_guard"]

COLLECT_SECONDS = 1.0
"""How long a following guard waits for more events before it sends, so that they travel together."""


class Guard(Protocol):
    """The interface between the tracker set and a guard. No method raises an error of the tracker."""

    name: str
    failure: Exception | None
    delivery: Delivery

    def begin(self, delivery: Delivery) -> None:
        """Start or resume the tracker and send it the events it lacks."""
        ...

    def notice(self, event: Event) -> None:
        """Handle a new event in the event file."""
        ...

    def flush(self) -> None:
        """Deliver what can be delivered without waiting for a network."""
        ...

    def finish(self) -> None:
        """Deliver the rest; there will be no more events."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait until everything is delivered, and fail after a timeout."""
        ...


def create_guard(name: str, tracker: Tracker, run: RunInfo) -> Guard:
    """Create the guard that suits a tracker."""
    kind = FollowingGuard if getattr(tracker, "background", False) else DirectGuard
    return kind(name, tracker, run)


def begin_tracker(tracker: Tracker, run: RunInfo, delivery: Delivery) -> Delivery:
    """Resume the tracker if it has started this run before and can continue; otherwise start it.

    The delivery that comes back has the destination the tracker really writes to, and is recorded already, so that a
    process killed right after this does not begin the run a second time.
    """
    if delivery.begun and isinstance(tracker, ResumableTracker):
        tracker.resume(run, delivery.cursor)
    else:
        tracker.start(run)
    destination = get_destination(tracker)
    cursor = get_cursor(tracker)
    if delivery.begun and destination == delivery.destination:
        begun = replace(delivery, cursor=cursor)
    else:
        begun = Delivery(delivery.tracker, destination, UNNUMBERED, cursor, origin=cursor)
    if begun.begun:
        begun.save(run.directory)
    return begun


def get_cursor(tracker: Tracker) -> dict[str, Any]:
    """Return a tracker's cursor; empty if it has none."""
    return tracker.cursor() if isinstance(tracker, ResumableTracker) else {}


class DirectGuard:
    """Calls the tracker directly."""

    def __init__(self, name: str, tracker: Tracker, run: RunInfo) -> None:
        self.name = name
        self.failure: Exception | None = None
        self.delivery = Delivery(name, get_destination(tracker))
        self._tracker = tracker
        self._run = run
        self._taken = self.delivery.sequence

    def begin(self, delivery: Delivery) -> None:
        """Start or resume the tracker, then send the events it lacks."""
        self.delivery, self._taken = delivery, delivery.sequence
        try:
            self.delivery = begin_tracker(self._tracker, self._run, delivery)
            self._taken = self.delivery.sequence
            for event in read_events(self._run.directory / EVENTS_FILE, after=self._taken):
                self._tracker.log(event)
                self._taken = event.sequence
        except Exception as error:  # noqa: BLE001 - whatever a tracker raises must not stop training
            self._fail(error)

    def notice(self, event: Event) -> None:
        """Pass the event to the tracker."""
        if self.failure is not None:
            return
        try:
            self._tracker.log(event)
            self._taken = event.sequence
        except Exception as error:  # noqa: BLE001
            self._fail(error)

    def flush(self) -> None:
        """Flush the tracker and record what it has confirmed."""
        if self.failure is not None:
            return
        try:
            self._tracker.flush()
            self._record()
        except Exception as error:  # noqa: BLE001
            self._fail(error)

    def finish(self) -> None:
        """Close the tracker and record what it has confirmed."""
        self.flush()
        if self.failure is not None:
            return
        try:
            self._tracker.close()
        except Exception as error:  # noqa: BLE001
            self._fail(error)

    def wait(self, seconds: float) -> None:
        """Return at once; there is nothing to wait for."""

    def _record(self) -> None:
        self.delivery = replace(self.delivery, sequence=self._taken, cursor=get_cursor(self._tracker))
        self.delivery.save(self._run.directory)

    def _fail(self, error: Exception) -> None:
        self.failure = error
        with suppress(Exception):
            self._tracker.close()


class FollowingGuard:
    """Calls the tracker in its own thread, with the events read from the run's event file."""

    def __init__(self, name: str, tracker: Tracker, run: RunInfo) -> None:
        self.name = name
        self.failure: Exception | None = None
        self.delivery = Delivery(name, get_destination(tracker))
        self._tracker = tracker
        self._run = run
        self._path = run.directory / EVENTS_FILE
        self._news = threading.Event()
        self._finishing = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, delivery: Delivery) -> None:
        """Start the thread, which starts or resumes the tracker."""
        self.delivery = delivery
        self._news.set()
        self._thread = threading.Thread(target=self._follow, name=f"jimbot-{self.name}", daemon=True)
        self._thread.start()

    def notice(self, event: Event) -> None:
        """Wake the thread."""
        del event
        self._news.set()

    def flush(self) -> None:
        """Wake the thread."""
        self._news.set()

    def finish(self) -> None:
        """Make the thread send the rest and end."""
        self._finishing.set()
        self._news.set()

    def wait(self, seconds: float) -> None:
        """Wait for the thread to end; after a timeout, abandon it and report that."""
        if self._thread is None:
            return
        self._thread.join(max(0.0, seconds))
        if self._thread.is_alive():
            self.failure = TrackingError("its destination did not answer in time")

    def _follow(self) -> None:
        try:
            self.delivery = begin_tracker(self._tracker, self._run, self.delivery)
            offset = 0
            while True:
                finishing = (
                    self._finishing.is_set()
                )  # read before the file: what comes later is another round's
                self._news.clear()
                offset = self._send_new(offset)
                if finishing:
                    break
                self._news.wait()
                self._finishing.wait(COLLECT_SECONDS)
            self._tracker.close()
        except (Exception, SystemExit) as error:  # noqa: BLE001
            self.failure = error if isinstance(error, Exception) else TrackingError(f"it exited: {error}")

    def _send_new(self, offset: int) -> int:
        while True:
            events, offset = read_new_events(self._path, offset)
            if not events:
                return offset
            fresh = [event for event in events if event.sequence > self.delivery.sequence]
            for event in fresh:
                self._tracker.log(event)
            if fresh:
                self._tracker.flush()
                sent = replace(self.delivery, sequence=fresh[-1].sequence, cursor=get_cursor(self._tracker))
                sent.save(self._run.directory)
                self.delivery = sent
