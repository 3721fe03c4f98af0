"""SIGINT (Ctrl-C) and SIGTERM, the two requests to stop: handled, put off, or turned into ``KeyboardInterrupt``.

Python delivers signals to the main thread and lets only that one set handlers. Elsewhere there is nothing to handle,
so that every function here does nothing there.
"""

from __future__ import annotations

import _thread
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

__all__ = [
    "STOP_SIGNALS",
    "RepeatedSignal",
    "deferred_signals",
    "handled_signals",
    "ignored_signals",
    "interrupt_on_termination",
    "interrupted_by_termination",
]

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def handled_signals(
    handler: Callable[[int, Any], Any] | signal.Handlers, numbers: Iterable[int] = STOP_SIGNALS
) -> Generator[None]:
    """Within, a handler gets these signals; afterwards those get them that did before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous: dict[int, Any] = {}
    try:
        for number in numbers:
            before = signal.getsignal(number)
            if before is not None:  # None: a library set it in C, and Python could not give it back
                signal.signal(number, handler)
                previous[number] = before
        yield
    finally:
        for number, before in previous.items():
            signal.signal(number, before)


@contextmanager
def deferred_signals() -> Generator[None]:
    """Within, SIGINT and SIGTERM are noted; on leaving, their handlers get them as if they came then.

    Only handlers written in Python are put off: they could raise between any two lines. A signal without one ends the
    process at once, which the work inside must bear as it bears a power cut.
    """
    received: list[int] = []

    def note(number: int, _frame: Any) -> None:
        received.append(number)

    numbers = [number for number in STOP_SIGNALS if callable(signal.getsignal(number))]
    try:
        with handled_signals(note, numbers):
            yield
    finally:
        for number in dict.fromkeys(received):
            signal.raise_signal(number)


@contextmanager
def ignored_signals(numbers: Iterable[int] = (signal.SIGINT,)) -> Generator[None]:
    """Within, these signals do nothing: what is being cleaned up is cleaned up whole."""
    with handled_signals(signal.SIG_IGN, numbers):
        yield


@contextmanager
def interrupted_by_termination() -> Generator[None]:
    """Within, SIGTERM raises ``KeyboardInterrupt`` as Ctrl-C does, so that files and processes are left in order."""
    with handled_signals(signal.default_int_handler, (signal.SIGTERM,)):
        yield


class RepeatedSignal:
    """Sends a signal to this process again if what it asked for takes longer than some seconds.

    Args:
        number: the signal; its handler is called in the main thread.
        seconds: until then.
    """

    def __init__(self, number: int, seconds: float) -> None:
        self._timer = threading.Timer(seconds, send_to_main_thread, (number,))
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """It was in time."""
        self._timer.cancel()


def send_to_main_thread(number: int) -> None:
    """A signal for this process that ends waiting in the main thread; where threads get no signals, only a notice."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        _thread.interrupt_main(signal.Signals(number))


def interrupt_on_termination() -> None:
    """From now on SIGTERM raises ``KeyboardInterrupt`` in this process as Ctrl-C does; for the start of a worker."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
