"""What a tracker is: something that takes the events of one run.

A tracker has four methods. One that can also continue an interrupted run has two more. The set of trackers
(``jimbot.tracking.tracker_set``) calls them, numbers the events, and guards training from trackers that fail.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from jimbot.tracking.events import Event
    from jimbot.tracking.run_info import RunInfo

__all__ = ["ResumableTracker", "Tracker", "TrackerWarning", "TrackingError"]


class TrackingError(JimbotError):
    """Numbers of a run that cannot be written or read."""


class TrackerWarning(UserWarning):
    """A tracker that had to be switched off, or that writes elsewhere than asked; training goes on."""


@runtime_checkable
class Tracker(Protocol):
    """Takes the events of one run, in order.

    A class that talks to a network sets ``background = True``: it is then called on a thread of its own that follows
    the run's event file, so that a slow or silent server never delays training. A class may give ``destination``, the
    place it writes to, as text: what was sent is recorded for each destination. One that takes copies of files sets
    ``keeps_files = True``, so that pictures are drawn for it. Any exception switches it off.
    """

    def start(self, run: RunInfo) -> None:
        """Begin a new run."""
        ...

    def log(self, event: Event) -> None:
        """Take one event; it may be kept back until ``flush``."""
        ...

    def flush(self) -> None:
        """Hand over everything kept back; when this returns, the events taken so far have arrived."""
        ...

    def close(self) -> None:
        """Hand over everything kept back and let go of files and connections."""
        ...


@runtime_checkable
class ResumableTracker(Tracker, Protocol):
    """A tracker that can go on with a run that it, or another process, began."""

    def cursor(self) -> dict[str, Any]:
        """Where it stands after the last ``flush``: what ``resume`` needs, as JSON can hold it."""
        ...

    def resume(self, run: RunInfo, cursor: dict[str, Any]) -> None:
        """Go on from a cursor instead of ``start``. What was written after the cursor is taken back where possible."""
        ...
