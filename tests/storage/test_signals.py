"""Requests to stop: handled, put off, ignored, and given back."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from jimbot.storage.signals import (
    STOP_SIGNALS,
    deferred_signals,
    handled_signals,
    ignored_signals,
    interrupt_on_termination,
)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows cannot send itself these signals")


@pytest.fixture(autouse=True)
def handlers():
    """Handlers written in Python, and afterwards those from before."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in STOP_SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_a_handler_gets_them_inside_and_nothing_outside(number):
    received: list[int] = []
    with handled_signals(lambda found, _: received.append(found)):
        signal.raise_signal(number)
    assert received == [number]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)
    assert received == [number]


def test_handlers_come_back_after_an_error():
    with pytest.raises(ValueError, match="inside"), handled_signals(lambda *_: None):
        raise ValueError("inside")
    assert {signal.getsignal(number) for number in STOP_SIGNALS} == {signal.default_int_handler}


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_a_deferred_one_comes_when_the_work_is_done(number):
    done = False
    with pytest.raises(KeyboardInterrupt), deferred_signals():  # noqa: PT012
        signal.raise_signal(number)
        signal.raise_signal(number)
        done = True
    assert done


def test_only_handlers_of_python_are_deferred():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with deferred_signals():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


def test_an_ignored_one_is_lost_and_the_other_is_not():
    with pytest.raises(KeyboardInterrupt), ignored_signals():  # noqa: PT012
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_termination_interrupts_a_worker():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    interrupt_on_termination()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)


def test_other_threads_leave_the_handlers_alone():
    seen: list[object] = []

    def work() -> None:
        with handled_signals(lambda *_: None), deferred_signals(), ignored_signals():
            interrupt_on_termination()
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]
