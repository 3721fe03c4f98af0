"""The interface of trackers, which receive the events of one run.

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
    """Raised for metrics that cannot be written or read."""


class TrackerWarning(UserWarning):
    """A tracker was switched off or writes to another place than requested; training continues."""


@runtime_checkable
class Tracker(Protocol):
    """Receives the events of one run, in order.

    A class that talks to a network sets ``background = True``: it is then called on a thread of its own that follows
    the run's event file, so that a slow or silent server never delays training. A class may give ``destination``, the
    place it writes to, as text: what was sent is recorded for each destination. One that takes copies of files sets
    ``keeps_files = True``, so that pictures are drawn for it. Any exception switches it off.
    """

    def start(self, run: RunInfo) -> None:
        """Start a new run."""
        ...

    def log(self, event: Event) -> None:
        """Receive one event; it may be buffered until ``flush``."""
        ...

    def flush(self) -> None:
        """Deliver all buffered events; when this returns, they have arrived."""
        ...

    def close(self) -> None:
        """Deliver all buffered events and release files and connections."""
        ...


@runtime_checkable
class ResumableTracker(Tracker, Protocol):
    """A tracker that can continue a run that it or another process has started."""

    def cursor(self) -> dict[str, Any]:
        """Return the state after the last ``flush`` as JSON-able values, for ``resume``."""
        ...

    def resume(self, run: RunInfo, cursor: dict[str, Any]) -> None:
        """Continue from a cursor instead of ``start``. Data written after the cursor is removed where possible."""
        ...
