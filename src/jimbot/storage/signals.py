"""Ctrl-C waits until a piece of work is done."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Generator

__all__ = ["deferred_signals"]

DEFERRED = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def deferred_signals() -> Generator[None]:
    """Within, SIGINT and SIGTERM are noted; on leaving, their handlers get them as if they came then.

    Only handlers written in Python are put off: they could raise between any two lines. A signal without one ends the
    process at once, which the work inside must bear as it bears a power cut. Python delivers signals to the main
    thread, so elsewhere there is nothing to put off.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []

    def note(number: int, _frame: Any) -> None:
        received.append(number)

    previous: dict[int, Any] = {}
    try:
        for number in DEFERRED:
            handler = signal.getsignal(number)
            if callable(handler):
                previous[number] = handler
                signal.signal(number, note)
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        for number in dict.fromkeys(received):
            signal.raise_signal(number)
