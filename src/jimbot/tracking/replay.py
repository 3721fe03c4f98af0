"""Sends the events of a run's directory to a tracker that missed them.

What has been sent is recorded in the run's directory after every batch, so that a replay that was interrupted goes on
where it stopped and a second one sends nothing.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError
from jimbot.tracking.delivery import Delivery, get_destination
from jimbot.tracking.events import EVENTS_FILE, Event, read_events, read_whole_lines
from jimbot.tracking.guard import begin_tracker, get_cursor
from jimbot.tracking.registry import create_tracker, find_factory
from jimbot.tracking.run_info import RunInfo
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jimbot.tracking.tracker import Tracker

__all__ = ["ReplayResult", "replay"]

BATCH_EVENTS = 1000


@dataclass(frozen=True)
class ReplayResult:
    """The result of a replay.

    Attributes:
        sent: number of events sent by this call.
        before: number of events sent earlier.
    """

    sent: int
    before: int


def replay(
    directory: str | Path,
    name: str,
    options: Mapping[str, Any] | None = None,
    *,
    again: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> ReplayResult:
    """Send the events of a run that a tracker has not received.

    Args:
        directory: the run directory.
        name: the name of the tracker.
        options: options of the tracker. A server that does not respond is an error here; there is no fallback.
        again: send all events, even those already sent.
        progress: called with the number of events sent and the number to send.
    """
    run = RunInfo.load(Path(directory))
    path = run.directory / EVENTS_FILE
    given = dict(options or {})
    if "fallback" in inspect.signature(find_factory(name)).parameters:
        given.setdefault("fallback", False)
    tracker = create_tracker(name, given)
    delivery = Delivery(name, get_destination(tracker))
    if not again:
        delivery = delivery.load(run.directory)
    before = delivery.sequence + 1
    total = sum(1 for _ in read_whole_lines(path)) - before
    if total <= 0:
        return ReplayResult(0, before)
    sending = Sending(tracker, run, delivery, total, progress)
    try:
        sending.send(path)
    except JimbotError as error:
        raise TrackingError(f"{error}; {sending.state()}") from None
    except Exception as error:
        reason = " ".join(str(error).split())
        raise TrackingError(f"tracker {name} failed: {reason}; {sending.state()}") from error
    return ReplayResult(sending.sent, before)


class Sending:
    """A replay in progress."""

    def __init__(
        self,
        tracker: Tracker,
        run: RunInfo,
        delivery: Delivery,
        total: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self.sent = 0
        self._tracker, self._run, self._delivery = tracker, run, delivery
        self._total, self._progress = total, progress

    def state(self) -> str:
        """Describe the progress of the replay."""
        return f"{self.sent} of {self._total} events were sent; run the same command again to continue"

    def send(self, path: Path) -> None:
        """Start the tracker, send the events in batches, and close it."""
        self._delivery = begin_tracker(self._tracker, self._run, self._delivery)
        batch: list[Event] = []
        for event in read_events(path, after=self._delivery.sequence):
            batch.append(event)
            if len(batch) == BATCH_EVENTS:
                self._send_batch(batch)
                batch = []
        self._send_batch(batch)
        self._tracker.close()

    def _send_batch(self, batch: list[Event]) -> None:
        if not batch:
            return
        for event in batch:
            self._tracker.log(event)
        self._tracker.flush()
        self._delivery = replace(
            self._delivery, sequence=batch[-1].sequence, cursor=get_cursor(self._tracker)
        )
        self._delivery.save(self._run.directory)
        self.sent += len(batch)
        if self._progress is not None:
            self._progress(self.sent, self._total)
