"""A tracker that keeps the numbers of events in memory, in stores that outlive it, and fails when told to."""

from __future__ import annotations

from typing import Any, ClassVar

from jimbot.tracking import Event, RunInfo


class Keeping:
    """Keeps sequence numbers in the store of a name; raises when the event ``fail_at`` comes."""

    stores: ClassVar[dict[str, list[int]]] = {}

    def __init__(self, store: str = "main", fail_at: int = -1, background: bool = False) -> None:
        self.background = background
        self.destination = store
        self._fail_at = fail_at
        self._closed = False

    @property
    def taken(self) -> list[int]:
        """The numbers of the events that came."""
        return self.stores.setdefault(self.destination, [])

    def start(self, run: RunInfo) -> None:
        """Empty the store."""
        del run
        self.taken.clear()

    def resume(self, run: RunInfo, cursor: dict[str, Any]) -> None:
        """Take back what came after the cursor."""
        del run, self.taken[cursor["count"] :]

    def log(self, event: Event) -> None:
        """Keep the event's number."""
        if event.sequence == self._fail_at:
            raise ConnectionError("the server went away")
        self.taken.append(event.sequence)

    def flush(self) -> None:
        """Nothing is kept back."""
        assert not self._closed

    def cursor(self) -> dict[str, Any]:
        """How many events came."""
        return {"count": len(self.taken)}

    def close(self) -> None:
        """No more events."""
        self._closed = True
